"""Choose a hand, and see all of them at once: how large their trees are, or what they do at a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, CustomJS

from solverlab.ui.grow.hand_cells import (
    BLANK,
    Group,
    Mix,
    action_mix,
    group_of,
    legend_html,
    nodes_words,
    one_action,
    size_cells,
)
from solverlab.ui.grow.hand_tiles import HandTiles, sent
from solverlab.ui.look import INK
from solverlab.ui.pushfold.grid import HandGrid
from solverlab.ui.text import Text
from solverlab.views.pushfold_cells import PALETTE, Cells

FULL = {"sizing_mode": "stretch_both", "margin": 0}
HALF = 0.48  # of a cell, so that a white line stays between two
# Small cells show names alone, as large as fits; larger ones a number below.
FIT = """
const wide = plot.inner_width / 13.04, high = plot.inner_height / 13.04;
const cell = Math.min(wide, high);
const small = wide < 36 || high < 34;
names.y = {field: small ? "y" : "above"};
const letters = small ? Math.min(0.44 * wide, 0.7 * high, 17) : 0.4 * cell;
names.text_font_size = Math.max(9, letters).toFixed(1) + "px";
numbers.text_font_size = Math.max(11, 0.33 * cell).toFixed(1) + "px";
numbers.text_alpha = small ? 0 : 1;
"""


class SplitGrid(HandGrid):
    """The grid of 169 hands whose cells may be split by how often each action is taken."""

    def _draw(self) -> None:
        super()._draw()
        plot = self.figure
        self.split = ColumnDataSource({name: [] for name in ("left", "right", "top", "bottom", "colour")})
        self.split.name = f"{self.source.name}-split"
        quads = plot.quad(
            "left", "right", "top", "bottom", source=self.split, fill_color="colour", line_color=None
        )
        cells, *rest = [one for one in plot.renderers if one is not quads]
        plot.renderers = [cells, quads, *rest]
        names, numbers, ring = (one.glyph for one in rest)
        ring.update(line_color=INK, line_width=5)  # a ring that is seen on every action's colour
        fit = CustomJS(args={"plot": plot, "names": names, "numbers": numbers}, code=FIT)
        for side in ("inner_width", "inner_height"):
            plot.js_on_change(side, fit)
        plot.title.visible = False
        plot.min_height = 160

    def paint(self, cells: Cells, shares: np.ndarray | None, mix: Mix | None) -> None:
        """Show cells, and split them where a mix is given."""
        self.show(cells)
        sent(self.split, _pieces(mix) if mix is not None and mix.actions else _pieces(None))


def _pieces(mix: Mix | None) -> dict[str, list]:
    """Rectangles from left to right in every cell, as wide as each action is likely."""
    if mix is None:
        return {name: [] for name in ("left", "right", "top", "bottom", "colour")}
    shares = np.nan_to_num(mix.shares)
    ends = np.cumsum(shares, axis=1).clip(0, 1)
    place = np.arange(169)
    x, y = (place % 13)[:, None], np.repeat(place // 13, len(mix.actions))
    return {
        "left": (x - HALF + 2 * HALF * (ends - shares)).round(4).ravel().tolist(),
        "right": (x - HALF + 2 * HALF * ends).round(4).ravel().tolist(),
        "top": (y - HALF).tolist(),
        "bottom": (y + HALF).tolist(),
        "colour": mix.colours * 169,
    }


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
        self.form: SplitGrid | HandTiles | None = None
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
        cells, _, total = size_cells(group, sizes)
        form.paint(cells, total / max(int(total.max()), 1), None)  # bars stand on zero
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
        mix = action_mix(group, actions, table)
        if action and len(actions):
            form.paint(one_action(mix, action), mix.shares[:, mix.actions.index(action)], None)
            chips = [(f"never: {escape(action)}", PALETTE[0]), ("always", PALETTE[-1])]
        else:
            form.paint(mix.cells, None, mix)
            chips = [(escape(name), colour) for name, colour in zip(actions, mix.colours, strict=True)]
        unknown = bool(np.isnan(mix.shares).any()) or not len(actions)
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

    def _ready(self, hands: Sequence[str]) -> tuple[Group, SplitGrid | HandTiles]:
        """The drawing that suits these hands; another one only when the hands are others."""
        if self.group is None or self.form is None or not _same(self.hands, hands):
            self.hands, self.group = tuple(hands), group_of(hands)
            if self.group.grid:
                self.form = self.form if isinstance(self.form, SplitGrid) else SplitGrid("hands", self.tap)
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
