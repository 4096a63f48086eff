"""Where every node of an opened game tree stands on the page, and what is written beside it.

The tree grows from left to right. What comes out is plain lists of numbers and text, so the same answer feeds
the interactive tree, the static picture and the tests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solverlab.core.rows import Row
from solverlab.views.tree_fold import Arrays, descendants, shown, visible

CHANCE, LEAF = -1, -2
SIBLING_GAP, COUSIN_GAP = 1.0, 1.3  # rows between neighbours of one parent, and of two parents
# Pixels at 100 %: a row, a letter of a label, the bend of an edge, room for a marker.
ROW, LETTER, FAN, MARGIN = 34.0, 8.6, 44.0, 30.0
LONGEST_LABEL = 22
LIVE = (
    "probability",
    "reach",
)  # what changes while a solver runs; all else changes when somebody folds the tree


class Names(Protocol):
    """What people call things: ``actions[n]`` is the edge into node n, ``players[p]`` a seat."""

    @property
    def actions(self) -> Sequence[str]: ...
    @property
    def players(self) -> Sequence[str]: ...


@dataclass
class _Outline:
    """The upper and lower edge of a drawn subtree, one row number a column, deepest column first.

    Deepest first makes the subtree's own column the last item, so columns are added by ``append`` and two
    outlines are compared from the end. The shifts apply to whole lists: moving a subtree costs nothing.
    """

    top: list[float]
    bottom: list[float]
    top_shift: float = 0.0
    bottom_shift: float = 0.0


def layout(
    parent: np.ndarray, first: np.ndarray, count: np.ndarray, expanded: Collection[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Columns and rows of a compact drawing: float64[N] each, NaN where a node is folded away.

    A parent stands midway between its first and last child, a subtree looks the same wherever it stands, and
    neighbours move together until their outlines touch. Joining two outlines walks only the shallower one, so
    the whole costs O(visible nodes) (Reingold and Tilford, "Tidier Drawings of Trees", 1981).

    >>> import numpy as np
    >>> parent, first, count = np.array([[-1, 0, 0, 2, 2], [1, 0, 3, 0, 0], [2, 0, 2, 0, 0]])
    >>> x, y = layout(parent, first, count, expanded={0, 2})
    >>> x.tolist(), y.tolist()
    ([0.0, 1.0, 1.0, 2.0, 2.0], [0.75, 0.0, 1.5, 1.0, 2.0])
    """
    order = visible(parent, first, count, expanded)
    offset: dict[int, float] = {}
    outlines: dict[int, _Outline] = {}
    for n in reversed(order):
        children = range(int(first[n]), int(first[n] + count[n])) if n in expanded else range(0)
        outlines[n] = _join([outlines.pop(c) for c in children], children, offset)
    roots = sorted(outlines)
    _join([outlines.pop(root) for root in roots], roots, offset)
    x, y = np.full(len(parent), np.nan), np.full(len(parent), np.nan)
    for n in order:
        above = parent[n]
        x[n], y[n] = (x[above] + 1, y[above] + offset[n]) if above >= 0 else (0.0, offset[n])
    y -= min(y[order])
    return x, np.round(y, 6)


def _join(outlines: list[_Outline], children: Iterable[int], offset: dict[int, float]) -> _Outline:
    """Stack the children, put their parent midway, and write each child's row into `offset`."""
    if not outlines:
        # A tip also takes the column to its right, for its payoff or its badge.
        slack = COUSIN_GAP - SIBLING_GAP
        return _Outline([slack, 0.0], [-slack, 0.0])
    whole, rows = outlines[0], [0.0]
    for below in outlines[1:]:
        rows.append(_stack(whole, below))
    middle = (rows[0] + rows[-1]) / 2
    offset.update((child, row - middle) for child, row in zip(children, rows, strict=True))
    whole.top_shift -= middle
    whole.bottom_shift -= middle
    whole.top.append(-whole.top_shift)
    whole.bottom.append(-whole.bottom_shift)
    return whole


def _stack(above: _Outline, below: _Outline) -> float:
    """Move `below` down until it clears `above`, merge it into `above`, and return how far it moved."""
    shared = range(1, min(len(above.top), len(below.top)) + 1)
    lift = above.bottom_shift - below.top_shift
    down = max(
        above.bottom[-k] - below.top[-k] + lift + (SIBLING_GAP if k == 1 else COUSIN_GAP) for k in shared
    )
    if len(above.bottom) > len(below.bottom):
        for k in shared:
            above.bottom[-k] = below.bottom[-k] + below.bottom_shift + down - above.bottom_shift
    else:
        above.bottom, above.bottom_shift = below.bottom, below.bottom_shift + down
    if len(below.top) > len(above.top):
        for k in shared:
            below.top[-k] = above.top[-k] + above.top_shift - below.top_shift - down
        above.top, above.top_shift = below.top, below.top_shift + down
    return down


def visible_tree(
    tree: Arrays,
    names: Names,
    policy_sigma: np.ndarray | None,
    hand: int,
    expanded: Collection[int],
    selected: int | None = None,
    reach: np.ndarray | None = None,
    payoffs: Sequence[str] | None = None,
    below: np.ndarray | None = None,
) -> dict[str, list]:
    """Everything needed to draw the opened part of a tree: a dict of lists, one item a visible node.

    `policy_sigma[N, H]` gives the probability of the edge into n for `hand`; chance edges show `tree.chance`
    unless it is 1. `reach[N]` sets line widths; without it the probabilities along the path are multiplied.
    `payoffs[L]` is text a leaf; `below` is `descendants(tree)`, for callers who draw often. Two lists have
    their own length: `players`, and `selected`, the selected node or the closed one it is folded into.
    """
    columns, rows = layout(tree.parent, tree.first, tree.count, expanded)
    ids = visible(tree.parent, tree.first, tree.count, expanded)
    hidden = descendants(tree) if below is None else below
    payoff = ["" if payoffs is None or tree.leaf[n] < 0 else str(payoffs[tree.leaf[n]]) for n in ids]
    nodes: dict[str, list] = {
        "id": ids,
        "parent": np.asarray(tree.parent)[ids].tolist(),
        "y": np.round(rows[ids] * ROW, 2).tolist(),
        "label": [_shorten(names.actions[n]) for n in ids],
        "kind": [_kind(int(tree.player[n])) for n in ids],
        "n_hidden": [0 if n in expanded else int(hidden[n]) for n in ids],
        "payoff": payoff,
        "players": list(names.players),
        "selected": [] if selected is None else [shown(tree, expanded, selected)],
    }
    nodes |= _numbers(nodes, tree, policy_sigma, hand, reach)
    nodes["x"] = _pixels(columns[ids].astype(int), nodes)
    nodes["tooltip"] = _tooltips(nodes, names)
    return nodes


def repaint(
    nodes: dict[str, list],
    tree: Arrays,
    policy_sigma: np.ndarray | None,
    hand: int,
    reach: np.ndarray | None = None,
) -> Row:
    """The same picture with new probabilities and line widths: what changes while a solver runs."""
    return nodes | _numbers(nodes, tree, policy_sigma, hand, reach)


def same_outline(nodes: dict[str, list], others: dict[str, list]) -> bool:
    """Whether two pictures differ in their live numbers at most."""
    fixed = [name for name in others if name not in LIVE and name != "selected"]
    return bool(nodes) and all(nodes.get(name) == others[name] for name in fixed)


def _numbers(
    nodes: dict[str, list], tree: Arrays, sigma: np.ndarray | None, hand: int, reach: np.ndarray | None
) -> dict[str, list]:
    """Probability of the edge into each visible node (None: unknown) and the reach behind its line width."""
    ids, parents = np.array(nodes["id"]), np.array(nodes["parent"])
    dealt = np.asarray(tree.chance, float)[ids]
    edge = np.where(dealt != 1.0, dealt, np.nan)
    if sigma is not None:
        edge = np.where(np.asarray(tree.player)[parents] >= 0, np.asarray(sigma)[ids, hand], edge)
    edge[parents < 0] = np.nan
    if reach is None:
        at = {n: i for i, n in enumerate(nodes["id"])}
        walked = np.nan_to_num(edge, nan=1.0)
        for i, above in enumerate(nodes["parent"]):
            walked[i] *= walked[at[above]] if above >= 0 else 1.0
    else:
        walked = np.nan_to_num(np.asarray(reach, float)[ids])
    edge = np.round(edge, 4)
    return {
        "probability": [None if p != p else p for p in edge.tolist()],
        "reach": np.round(walked, 4).tolist(),
    }


def _pixels(columns: np.ndarray, nodes: dict[str, list]) -> list[float]:
    """x in pixels: a column is as wide as its longest label, with room for a probability."""
    letters = np.zeros(columns.max() + 2, int)
    kind = dict(zip(nodes["id"], nodes["kind"], strict=True))
    for i, column in enumerate(columns):
        chance_unknown = kind.get(nodes["parent"][i]) == "chance" and nodes["probability"][i] is None
        own = len(nodes["label"][i]) + (0 if chance_unknown else 5)
        letters[column] = max(letters[column], own)
        letters[column + 1] = max(letters[column + 1], len(nodes["payoff"][i]))  # payoffs stand to the right
    right = np.cumsum(FAN + LETTER * letters + MARGIN)
    return np.round(right - right[0], 2)[columns].tolist()


def _kind(player: int) -> str:
    return {CHANCE: "chance", LEAF: "leaf"}.get(player, f"player {player}")


def _shorten(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _tooltips(nodes: dict[str, list], names: Names) -> list[str]:
    """Two lines a node: the actions that led there, and who acts now."""
    trail: dict[int, str] = {-1: ""}
    tooltips = []
    for n, above, kind, payoff in zip(*(nodes[k] for k in ("id", "parent", "kind", "payoff")), strict=True):
        trail[n] = f"{trail[above]} › {names.actions[n]}" if trail[above] else names.actions[n]
        now = {"chance": "chance acts", "leaf": f"the end: {payoff}" if payoff else "the end"}.get(kind)
        now = now or f"{names.players[int(kind.split()[1])]} to act"
        tooltips.append(f"{trail[n] or 'the start'}\n{now}")
    return tooltips
