"""The grids of push/fold as cells: how often each hand goes in, or up to which stack."""

from __future__ import annotations

import numpy as np

from solverlab.core.names import Names
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.views.hand_grid import HANDS, Cells, shaded, split
from solverlab.views.pushfold_chart import Solved, combos_of, jam_frame, pushfold_frame, share_in, stack_words
from solverlab.views.theme import action_shades

GOES_IN = {"jams": "jam", "calls": "call"}


def probability_cells(snap: Snapshot | Policy, node: str | int = "", title: str = "") -> Cells:
    """What each hand does at a node: in the colour of going in from the left, pale where it folds."""
    policy = snap if isinstance(snap, Policy) else snap.policy
    table = jam_frame(policy, node)
    does, hands, chances = (
        goes_in(policy.names, node),
        table["hand"].tolist(),
        table["probability"].to_numpy(),
    )
    told = [f"{does} {100 * p:.1f} % of the time, {_combos(h)}" for h, p in zip(hands, chances, strict=True)]
    words = title or node_title(policy.names, node)
    shares = np.column_stack([chances, 1 - chances])
    full = f"{words}: {100 * share_in(policy, node):.1f} % of hands"
    return split(full, hands, shares, action_shades([GOES_IN[does], "fold"]), told)


def value_cells(policy: Policy, node: str | int, values: np.ndarray) -> Cells:
    """What each hand wins at a node, the darker the more, from the EV of each action float64[A, hands]."""
    names = policy.names
    order = [names.hands.index(hand) for hand in HANDS]
    worth, each = (policy.rows(node) * np.nan_to_num(values)).sum(axis=0)[order], values[:, order]
    actions = [names.actions[child] for child in _children(policy, node)]
    told = [
        ", ".join(f"{action} {ev(x)}" for action, x in zip(actions, row, strict=True)) + " big blinds"
        for row in each.T
    ]
    low, high = float(worth.min()), float(worth.max())
    shares = ((worth - low) / max(high - low, 1e-9)).tolist()
    seat = names.player(int(names.tree.player[names.node(node)]))
    words = [ev(x, 1) for x in worth]  # hundredths are too wide for a cell; they are told
    return shaded(f"{seat}: what each hand wins, in big blinds", HANDS, shares, words, told)


def ev(x: float, digits: int = 2) -> str:
    """An expected value in big blinds, with a real minus sign; a dash where it is not known.

    >>> ev(1.234), ev(-0.5), ev(-0.04, 1), ev(float("nan"))
    ('+1.23', '−0.50', '0.0', '–')
    """
    if x != x:
        return "–"
    size = f"{abs(x):.{digits}f}"
    return size if float(size) == 0 else f"{'−' if x < 0 else '+'}{size}"


def _children(policy: Policy, node: str | int) -> range:
    tree, n = policy.tree, policy.names.node(node)
    return range(int(tree.first[n]), int(tree.first[n] + tree.count[n]))


def chart_cells(charts: Solved, node: str | int = "") -> Cells:
    """Up to which stack each hand goes in at a node."""
    first = next(iter(charts.values()))
    names, most = first.names, max(charts)
    table, does = pushfold_frame(charts, node), goes_in(names, node)
    stacks, hands = table["stack"].tolist(), table["hand"].tolist()
    told = [
        _up_to(does, stack, most, gaps) + f", {_combos(hand)}"
        for hand, stack, gaps in zip(hands, stacks, table["gaps"], strict=True)
    ]
    title = f"{node_title(names, node)} up to (big blinds)"
    return shaded(title, hands, [stack / most for stack in stacks], stack_words(stacks, most), told)


def goes_in(names: Names, node: str | int) -> str:
    """What going in is called at a node: jams, or calls where somebody jammed before."""
    return "calls" if "jam" in names.path(names.node(node)).split("/") else "jams"


def node_title(names: Names, node: str | int) -> str:
    """Who decides what, and against whom.

    >>> import solverlab as sl
    >>> node_title(sl.PushFold(10).names, ""), node_title(sl.PushFold(10).names, "jam")
    ('small blind jams', 'big blind calls')
    """
    n = names.node(node)
    words = f"{names.player(int(names.tree.player[n]))} {goes_in(names, n)}"
    if len(names.players) == 2 or not names.path(n):
        return words
    before = zip(names.players, names.path(n).split("/"), strict=False)
    inside = [seat for seat, action in before if action != "fold"]
    if not inside:
        return f"{words} after a fold"
    return f"{words} {inside[0] if len(inside) == 1 else 'both'}"


def _combos(hand: str) -> str:
    return f"{combos_of(hand)} combos"


def _up_to(does: str, stack: float, most: float, gaps: int) -> str:
    if not stack:
        return f"never {does}"
    end = f"{stack:g} big blinds{' and perhaps beyond' * (stack == most)}"
    skips = f", but not at {gaps} smaller stack{'s' * (gaps > 1)}" if gaps else ""
    return f"{does} up to {end}{skips}"
