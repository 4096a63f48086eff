"""The grids of push/fold as cells: how often each hand goes in, or up to which stack."""

from __future__ import annotations

from solverlab.core.names import Names
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.views.hand_grid import Cells, shaded
from solverlab.views.pushfold_chart import Solved, combos_of, jam_frame, pushfold_frame, share_in, stack_words


def probability_cells(snap: Snapshot | Policy, node: str | int = "") -> Cells:
    """How often each hand goes in at a node, in per cent."""
    policy = snap if isinstance(snap, Policy) else snap.policy
    table = jam_frame(policy, node)
    does, hands, chances = goes_in(policy.names, node), table["hand"].tolist(), table["probability"].tolist()
    told = [f"{does} {100 * p:.1f} % of the time, {_combos(h)}" for h, p in zip(hands, chances, strict=True)]
    title = f"{node_title(policy.names, node)}: {100 * share_in(policy, node):.1f} % of hands"
    return shaded(title, hands, chances, [f"{100 * p:.0f}" for p in chances], told)


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
