"""The push/fold chart: up to which stack each starting hand is worth a jam, or a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.policy import Policy
from solverlab.core.rows import Row
from solverlab.core.snapshot import Snapshot
from solverlab.views.inline import holoviews
from solverlab.views.theme import LIGHT, shares_palette

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd

Solved = Mapping[float, Snapshot | Policy]
RANKS = "AKQJT98765432"
GOING_IN = ("jam", "call")
HEADS_UP = {"jammed": "", "called": "jam"}
EMPTY = "a chart of no stacks is empty; solve at least one with solverlab.studies.pushfold.pushfold_charts"
MIXED = 0.5  # a hand is still in at a stack where it goes in at least this often


def jam_frame(snap: Snapshot | Policy, node: str | int = "") -> pd.DataFrame:
    """One row a starting hand: hand, row and column of the grid, and how often it jams or calls at a node.

    A hand stands where players look for it: pairs on the diagonal, suited above it, offsuit below.
    """
    policy = snap if isinstance(snap, Policy) else snap.policy
    names, tree = policy.names, policy.tree
    n = names.node(node)
    children = range(tree.first[n], tree.first[n] + tree.count[n])
    going = [child for child in children if names.actions[child] in GOING_IN]
    if not going:
        raise BadValue(f"nobody jams or calls at node {names.path(n)!r}; choose a node such as '' or 'jam'")
    places = [_place(hand) for hand in names.hands]
    return frame(
        {
            "hand": list(names.hands),
            "row": [RANKS[row] for row, _ in places],
            "column": [RANKS[column] for _, column in places],
            "probability": policy.rows(n)[going[0] - children.start],
            "place": [13 * row + column for row, column in places],
        }
    ).sort_values("place", ignore_index=True)


def pushfold_frame(charts: Solved, node: str | int = "") -> pd.DataFrame:
    """One row a starting hand: hand, row, column, and the largest stack at which it still goes in at a node.

    `stack` is 0 for a hand that never does; `gaps` counts the smaller stacks at which it folds, since a few
    hands (43s for one) go in at some stack but not at every smaller one.
    """
    if not charts:
        raise BadValue(EMPTY)
    stacks = sorted(charts)
    tables = [jam_frame(charts[stack], node) for stack in stacks]
    goes = np.array([table["probability"] >= MIXED for table in tables])
    largest = np.max(np.where(goes, np.array(stacks, float)[:, None], 0.0), axis=0)
    gaps = (~goes & (np.array(stacks)[:, None] < largest)).sum(axis=0)
    return tables[0].drop(columns=["probability", "place"]).assign(stack=largest, gaps=gaps)


def combos_of(hand: str) -> int:
    """How many pairs of cards a starting hand stands for.

    >>> combos_of("AA"), combos_of("AKs"), combos_of("AKo")
    (6, 4, 12)
    """
    return 6 if len(hand) == 2 else 4 if hand.endswith("s") else 12


def share_in(snap: Snapshot | Policy, node: str | int = "") -> float:
    """How large a share of all 1,326 combos jams or calls at a node."""
    table = jam_frame(snap, node)
    combos = np.array([combos_of(hand) for hand in table["hand"]])
    return float(combos @ table["probability"].to_numpy() / combos.sum())


def chance_in(snap: Snapshot | Policy, node: str | int, hand: str) -> float:
    """How often one hand jams or calls at a node."""
    table = jam_frame(snap, node)
    return float(table["probability"][table["hand"] == hand].iloc[0])


def share_frame(charts: Solved, nodes: Mapping[str, str] = HEADS_UP) -> pd.DataFrame:
    """One row a stack: the share of combos that goes in at each node, under a name of its own."""
    if not charts:
        raise BadValue(EMPTY)
    stacks = sorted(charts)
    shares = {name: [share_in(charts[stack], node) for stack in stacks] for name, node in nodes.items()}
    return frame({"stack": stacks} | shares)


def pushfold_chart(charts: Solved) -> hv.Layout:
    """The classic chart by stack, one grid a seat: who jams up to which stack, and who calls.

    A number is the largest stack of the chart at which the hand goes in at least half of the time; `+` marks
    the largest stack solved, beyond which the hand may go in as well.
    """
    if not charts:
        raise BadValue(EMPTY)
    most = max(charts)
    grids = []
    for node, title in (
        ("", "small blind jams up to (big blinds)"),
        ("jam", "big blind calls up to (big blinds)"),
    ):
        table = pushfold_frame(charts, node)
        shown = stack_words(table["stack"], most)
        grids.append(_grid(table.assign(shown=shown), "stack", (0, most), title))
    return holoviews().Layout(grids).cols(2).opts(shared_axes=False, toolbar=None, backend="bokeh")


def jam_grid(snap: Snapshot | Policy, node: str | int = "") -> hv.Overlay:
    """How often each starting hand jams or calls at one node, in per cent; works for three players too."""
    policy = snap if isinstance(snap, Policy) else snap.policy
    table = jam_frame(policy, node)
    table = table.assign(shown=[f"{100 * p:.0f}" for p in table["probability"]])
    n = policy.names.node(node)
    path = policy.names.path(n).replace("/", ", ") or "first to act"
    title = f"{policy.names.player(int(policy.tree.player[n]))} goes in, % ({path})"
    return _grid(table, "probability", (0, 1), title)


def stack_words(stacks: Iterable[float], most: float) -> list[str]:
    """What stands on a cell of the chart: a stack, + at the largest one solved, a dash for never.

    >>> stack_words([0.0, 7.5, 20.0], 20.0)
    ['–', '7.5', '20+']
    """
    return [f"{stack:g}+" if stack == most else f"{stack:g}" if stack else "–" for stack in stacks]


def _place(hand: str) -> tuple[int, int]:
    """Row and column of AA, AKs or AKo in the grid."""
    high, low = RANKS.index(hand[0]), RANKS.index(hand[1])
    return (low, high) if hand.endswith("o") else (high, low)


def _grid(table: pd.DataFrame, value: str, limits: tuple[float, float], title: str) -> hv.Overlay:
    """A 13 x 13 heat map with the hand and its number on every cell, dark on light and light on dark."""
    hv = holoviews()
    table = table.astype(
        dict.fromkeys(("hand", "row", "column", "shown"), object)
    )  # plain text for HoloViews
    cells = hv.HeatMap(table, ["column", "row"], [value, "hand"])
    cells = cells.opts(cmap=shares_palette(), clim=limits, tools=["hover"], backend="bokeh")
    words = table.assign(words=table["hand"] + "\n" + table["shown"])
    dark = words[value] > limits[0] + 0.52 * (limits[1] - limits[0])
    labels = [
        hv.Labels(words[chosen], ["column", "row"], "words").opts(
            text_color=colour, text_font_size="8pt", backend="bokeh"
        )
        for chosen, colour in ((~dark, LIGHT.ink), (dark, LIGHT.paper))
        if chosen.any()
    ]
    return hv.Overlay([cells, *labels]).opts(**_frame(title))


def _frame(title: str) -> Row:
    return {
        "title": title,
        "width": 560,
        "height": 580,
        "invert_yaxis": True,
        "xaxis": None,
        "yaxis": None,
        "toolbar": None,
        "backend": "bokeh",
    }
