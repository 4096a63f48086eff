"""Solved push/fold games: each stack once for all visitors of a server, in fair turns, and kept in memory."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from solverlab.cards.all_in_three import three_way
from solverlab.cards.table_cache import BuildCancelled
from solverlab.core.snapshot import Snapshot
from solverlab.games import PushFold
from solverlab.run import below, distances, iterations, run
from solverlab.solvers import CFR
from solverlab.ui.gate import SHARED_GATE

SCHEDULE = "DCFR"
TARGETS = {2: 1e-6, 3: 2e-5}  # exact exploitability, or the largest deviation gain of a seat, in big blinds
MOST = 20_000  # iterations
KEPT = 1000  # solutions in memory, a few kB each
STACKS = {  # of the chart by stack
    2: tuple(half / 2 for half in range(3, 51)),
    3: tuple(float(stack) for stack in (*range(2, 13), 14, 16, 18, 20, 25)),
}

Report = Callable[[float, str], None]
Cancel = Callable[[], bool]
_solutions: dict[tuple[int, float], Snapshot] = {}
_lock = Lock()


def known(players: int, stack: float) -> Snapshot | None:
    """A solution that is there already."""
    return _solutions.get((players, stack))


def known_charts(players: int) -> dict[float, Snapshot] | None:
    """The solutions of every stack of the chart, if all are there already."""
    charts = {stack: known(players, stack) for stack in STACKS[players]}
    return charts if all(snap is not None for snap in charts.values()) else None


def solved(
    players: int, stack: float, report: Report, cancel: Cancel, stale: Cancel = lambda: False
) -> Snapshot | None:
    """The solution at one stack with its exact distance and value, or None once `stale()` is true.

    Shares of three hands are built on first use; what is under way stops when `cancel()` is true.
    """
    found = known(players, stack)
    if found is not None:
        return found
    if players == 3:
        three_way(progress=report, cancel=cancel)
    report(0.0, f"solving {stack:g} big blinds")
    game = PushFold(stack, players=players)
    until = iterations(MOST) | below(distances(game)[0], TARGETS[players])
    moments, snap = run(CFR(game, SCHEDULE), until=until), None
    while True:
        if cancel():
            raise BuildCancelled(f"solving {stack:g} big blinds was cancelled; choose a stack to go on")
        if stale():
            return None
        with SHARED_GATE.turn():
            moment = next(moments, None)
        if moment is None:
            return _kept(players, stack, snap)
        snap = moment


def solved_charts(players: int, report: Report, cancel: Cancel) -> dict[float, Snapshot]:
    """The solution at every stack of the chart; those that are there already cost nothing."""
    charts = {}
    for number, stack in enumerate(STACKS[players]):
        share = number / len(STACKS[players])
        report(share, f"chart by stack: {stack:g} big blinds")
        charts[stack] = solved(players, stack, _inside(report, share, stack), cancel)
    return charts


def _inside(report: Report, share: float, stack: float) -> Report:
    """Tables that are built on the way tell their own progress; a stack is one step."""

    def told(part: float, words: str) -> None:
        if words.startswith("solving"):
            report(share, f"chart by stack: {stack:g} big blinds")
        else:
            report(part, words)

    return told


def _kept(players: int, stack: float, snap: Snapshot) -> Snapshot:
    with _lock:
        while len(_solutions) >= KEPT:
            _solutions.pop(next(iter(_solutions)))
        _solutions[players, stack] = snap
    return snap
