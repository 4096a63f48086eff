"""Choose a hand, and see all of them at once: how large their trees are, or what they do at a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
import panel as pn

from solverlab.ui.grow.hand_cells import (
    Group,
    action_cells,
    group_of,
    legend_html,
    nodes_words,
    one_action,
    size_cells,
)
from solverlab.ui.grow.hand_tiles import HandTiles
from solverlab.ui.parts.hand_grid import HandGrid
from solverlab.ui.text import Text
from solverlab.views.hand_grid import BLANK, PALETTE

FULL = {"sizing_mode": "stretch_both", "margin": 0}


class HandPicker:
    """All hands of a seat: tap one to look at it alone, tap it again to look at all.

    `picked` is told the hand, or "" for all. 169 starting hands and 1,326 combos make the usual grid, fewer
    hands a row of bars.

    >>> picker = HandPicker(print)
    >>> picker.show_sizes(["J", "Q", "K"], [1, 5, 25])
    >>> picker.tap("Q")
    Q
    >>> picker.members("Q")
    (1,)
    """

    def __init__(self, picked: Callable[[str], None]):
        self.picked, self.chosen = picked, ""
        self.hands: tuple[str, ...] = ()
        self.group: Group | None = None
        self._shown: tuple | None = None
        self.form: HandGrid | HandTiles | None = None
        self.legend = Text("hand-legend")
        self.pane = pn.Column(self.legend.pane, css_classes=["hand-picker"], **FULL)
        self.pane.styles = {"min-height": "0", "min-width": "0"}

    # ---- what it shows -------------------------------------------------------------------------------------

    def show_sizes(
        self, hands: Sequence[str], sizes: Sequence[int] | np.ndarray, title: str = "Size of each hand's tree"
    ) -> None:
        """Paint every hand by the nodes of its tree: the darker, the larger."""
        group, form = self._ready(hands)
        key = ("sizes", title, np.array(sizes))
        if self._known(*key):
            return
        cells, total = size_cells(group, sizes)
        form.show(cells, total / max(int(total.max()), 1))  # bars stand on zero
        low, high = int(total.min()), int(total.max())
        ends = [(nodes_words(low), PALETTE[0]), (nodes_words(high), PALETTE[-1])]
        self._tell(title, ends if high > low else [(nodes_words(low) + " each", PALETTE[0])])
        self._shown = key

    def show_actions(
        self,
        hands: Sequence[str],
        actions: Sequence[str],
        table: np.ndarray,
        title: str = "What each hand does here",
        action: str = "",
    ) -> None:
        """Split every hand by how often each action is taken, or paint it by how often one `action` is.

        `table` is float64[H, actions] with NaN where a hand's tree ends before the node.
        """
        group, form = self._ready(hands)
        key = ("actions", (title, action, tuple(actions)), np.array(table))
        if self._known(*key):
            return
        split = action_cells(group, actions, table)
        if action and len(actions):
            form.show(*one_action(split, actions, action))
            chips = [(f"never: {escape(action)}", PALETTE[0]), ("always", PALETTE[-1])]
        else:
            form.show(split)
            chips = [(escape(name), colour) for name, colour in zip(actions, split.colours, strict=True)]
        unknown = bool(np.isnan(split.shares).any()) or not len(actions)
        chips += [
            ("its tree ends before" if len(actions) else "no decision of this seat here", BLANK)
        ] * unknown
        self._tell(title, chips)
        self._shown = key

    def choose(self, hand: str) -> None:
        """Ring a hand without telling anybody; "" or a hand that is not drawn rings none."""
        known = self.group.names if self.group else ()
        self.chosen = hand if hand in known else ""
        if self.form is not None:
            self.form.choose(self.chosen)

    def members(self, hand: str) -> tuple[int, ...]:
        """The numbers of the hands that a drawn hand stands for: a class of combos has several."""
        if self.group is None or hand not in self.group.names:
            return ()
        return self.group.members[self.group.names.index(hand)]

    def tap(self, hand: str) -> None:
        """What a tap does: choose this hand, or all of them where it was chosen before."""
        self.choose("" if hand == self.chosen else hand)
        self.picked(self.chosen)

    # ---- behind it -----------------------------------------------------------------------------------------

    def _ready(self, hands: Sequence[str]) -> tuple[Group, HandGrid | HandTiles]:
        """The drawing that suits these hands; another one only when the hands are others."""
        if self.group is None or self.form is None or not _same(self.hands, hands):
            self.hands, self.group = tuple(hands), group_of(hands)
            if self.group.grid:
                grid = (
                    self.form
                    if isinstance(self.form, HandGrid)
                    else HandGrid("hands", self.tap, titled=False)
                )
                self.form = grid
            else:
                self.form = HandTiles(self.group.names, self.tap)
            self._shown = None
            self.choose(self.chosen)
            self.pane[:] = [self.legend.pane, pn.pane.Bokeh(self.form.figure, **FULL)]
        return self.group, self.form

    def _known(self, kind: str, words: object, numbers: np.ndarray) -> bool:
        """Whether this is what is shown already."""
        old = self._shown
        same = old is not None and old[:2] == (kind, words)
        return same and np.array_equal(old[2], numbers, equal_nan=True)

    def _tell(self, title: str, chips: list[tuple[str, str]]) -> None:
        note = self.group.note if self.group else ""
        self.legend.write(legend_html(escape(title), chips, note))


def _same(known: tuple[str, ...], hands: Sequence[str]) -> bool:
    return known is hands or known == tuple(hands)
