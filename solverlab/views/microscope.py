"""One update of one infoset with its actual numbers: the microscope."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.names import Names
from solverlab.core.phased import Phase, PhasedSolver
from solverlab.core.tying import Tying

if TYPE_CHECKING:
    import pandas as pd

# What each column of an update says, in the order the iteration computes them.
COLUMNS = {
    "strategy": "played in this iteration",
    "value": "counterfactual value: what the action is worth, times the others' and chance's reach",
    "gain": "value of the action minus value of the mix",
    "regret before": "what earlier iterations left in the table",
    "regret after": "what the schedule keeps of it, plus the gain",
    "positive part": "regret after, or 0 where it is negative",
    "next strategy": "in proportion to the positive part",
    "average so far": "own reach, summed over iterations as the schedule weighs them",
}


@dataclass(frozen=True)
class Update:
    """What happens to one infoset in one iteration; every column has one entry an action."""

    player: str
    node: str
    hand: str
    own_reach: float  # the player's own probability of playing to the node
    value: float  # counterfactual value of the node under the current mix
    actions: tuple[str, ...]
    columns: dict[str, np.ndarray]

    def frame(self) -> pd.DataFrame:
        """One row an action: strategy, value, gain, regret before and after, next strategy."""
        return frame({"action": list(self.actions), **self.columns})

    @property
    def sentence(self) -> str:
        """Whose update this is, in words."""
        where = f"after {self.node}" if self.node else "at the start"
        hand = f" with {self.hand}" if self.hand else ""
        return (
            f"The {self.player} player {where}{hand}: reached by own play with probability "
            f"{self.own_reach:.3f}; the mix is worth {self.value:+.4f} (counterfactual)."
        )

    def _repr_html_(self) -> str:
        """A sentence and a table; hovering over a column's name explains it."""
        heads = "".join(f'<th title="{escape(COLUMNS[c])}">{escape(c)}</th>' for c in self.columns)
        rows = "".join(
            f"<tr><th>{escape(action)}</th>"
            + "".join(_cell(c, self.columns[c][i]) for c in self.columns)
            + "</tr>"
            for i, action in enumerate(self.actions)
        )
        table = f"<table><thead><tr><th>action</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<div class="sl-microscope"><p>{escape(self.sentence)}</p>{table}</div>'


def update_of(
    phases: Iterable[Phase], names: Names, tie: Tying, node: str | int, hand: str | int | None
) -> Update:
    """Read one infoset's numbers off the named sub-steps of an iteration (`solver.copy().phases()`).

    Values and gains are counterfactual: weighted by the probability that chance and the others play to the
    node. Where nodes are tied, gain and regret are sums over everything the player cannot tell apart.
    """
    n, h = names.node(node), names.hand(hand)
    tree, player = names.tree, int(names.tree.player[n])
    if player < 0:
        raise BadValue(f"nobody acts at node {names.path(n)!r}; choose a node where a player acts")
    children = np.arange(tree.first[n], tree.first[n] + tree.count[n])
    slots = tie.slot[children]
    bucket = tie.bucket[tie.texture[children], h]
    seen = {phase.name: phase.arrays for phase in phases if phase.player == player}
    regret = seen["gains"]["regret"][slots, bucket]
    return Update(
        player=names.players[player],
        node=names.path(n),
        hand=names.hands[h],
        own_reach=float(seen["reach"]["reach"][player, n, h]),
        value=float(seen["values"]["cfv"][n, h]),
        actions=tuple(names.actions[child] for child in children),
        columns={
            "strategy": seen["reach"]["sigma"][children, h],
            "value": seen["values"]["cfv"][children, h],
            "gain": seen["gains"]["gain"][slots, bucket],
            "regret before": regret,
            "regret after": seen["regrets"]["regret"][slots, bucket],
            "positive part": np.maximum(seen["regrets"]["regret"][slots, bucket], 0.0),
            "next strategy": seen["matching"]["sigma"][children, h],
            "average so far": seen["regrets"]["total"][slots, bucket],
        },
    )


def microscope(solver: object, node: str | int = "", hand: str | int | None = None) -> Update:
    """The next iteration of one infoset with all its numbers; the solver itself is not moved.

    >>> import solverlab as sl
    >>> look = microscope(sl.CFR(sl.Kuhn()), "", hand="K")
    >>> look.frame()["next strategy"].tolist()
    [0.0, 1.0]
    """
    if not isinstance(solver, PhasedSolver):
        raise BadValue(
            f"the microscope shows the updates of full-width CFR, and {type(solver).__name__} makes others; "
            "look at a sl.CFR of the same game"
        )
    return update_of(solver.copy().phases(), solver.game.names, solver.tie, node, hand)


def _cell(column: str, number: float) -> str:
    text = f"{number:.3f}" if column.endswith("strategy") else f"{number:,.4g}"
    return f'<td style="text-align: right">{text}</td>'
