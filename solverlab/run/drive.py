"""Drive a solver and measure it: the only place where solver meets measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import Game, TabulatedGame
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.tying import Tying
from solverlab.run.measures import check_measures, distances, measured, usual_measures
from solverlab.run.rebalance import ended
from solverlab.run.stopping import Until, iterations
from solverlab.run.stopping import below as below_target
from solverlab.solvers import CFR, MCCFR, Rebalance, Schedule

STALLED_CHANGE = 1e-6
STALLED_DISTANCE = 1e-2


def run(
    solver: CFR | MCCFR | Rebalance,
    every: int | None = None,
    until: Until | None = None,
    measure: Iterable[str] | None = None,
) -> Iterator[Snapshot]:
    """Step a solver and yield a measured snapshot every so many iterations, until a limit is met.

    Without `every` snapshots are spaced geometrically (1, 2, 3, 4, 5, 7, 9, 11, 14 ...), so measuring never
    dominates. Progress bars, plots and stores consume this; stopping the loop stops the solver.

    >>> import solverlab as sl
    >>> [snap.iteration for snap in sl.run(sl.CFR(sl.Kuhn()), every=40, until=sl.iterations(100))]
    [40, 80, 100]
    """
    until = iterations(1000) if until is None else until
    if until == Until():
        raise BadValue("a run without any limit never ends; give iterations, seconds or a target")
    if every is not None and (not isinstance(every, int) or every < 1):
        raise BadValue(f"cannot look every {every!r} iterations; give a whole number of at least 1")
    names = usual_measures(solver.game) if measure is None else tuple(measure)
    names = check_measures(dict.fromkeys([*names, *(name for name, _ in until.targets)]))
    return _drive(solver, every, until, names)


def _drive(
    solver: CFR | MCCFR | Rebalance, every: int | None, until: Until, names: tuple[str, ...]
) -> Iterator[Snapshot]:
    before = None
    while True:
        due = solver.iteration + every if every else geometric_next(solver.iteration)
        due = due if until.iterations is None else min(due, until.iterations)
        snap = measured(solver.game, solver.step(max(due - solver.iteration, 0)), names)
        reason = until.reason(snap)
        if reason is None and before is not None and _stalled(solver.game, before, snap):
            snap = snap.measured({}, Status.STALLED)
        yield snap if reason is None else ended(solver, snap, reason, until.targets)
        if reason is not None:
            return
        before = snap


def geometric_next(iteration: int) -> int:
    """The next moment to look: a fifth further on, and at least one iteration."""
    return max(iteration + 1, int(iteration * 1.2))


def _stalled(game: Game, before: Snapshot, snap: Snapshot) -> bool:
    distance = snap.metrics.get(distances(game)[0], 0.0)
    distance = max(distance) if isinstance(distance, tuple) else distance
    return bool(
        distance > STALLED_DISTANCE and np.abs(snap.policy.sigma - before.policy.sigma).max() < STALLED_CHANGE
    )


def solve(
    game: Game,
    schedule: str | Schedule = "CFR+",
    until: Until | None = None,
    sampling: str | None = None,
    rng: int = 0,
    tie: Tying | None = None,
) -> Snapshot:
    """Solve a game and return the last snapshot, with its distance from equilibrium and its value measured.

    With `tie`, such as `buckets.tie(game)`, hands of a bucket act alike; distances are of the real game.

    >>> import solverlab as sl
    >>> round(sl.solve(sl.Kuhn(), "PCFR+", until=sl.below("exploitability", 1e-6)).value, 5)
    -0.05556
    """
    if not hasattr(game, "tree"):
        return _solve_over_hands(game, schedule, until)
    if until is None:
        until = iterations(10_000) | below_target(distances(game)[0], 1e-4)
    solver: CFR | MCCFR
    if sampling is None:
        solver = CFR(game, schedule, tie=tie)
    else:
        solver = MCCFR(cast(TabulatedGame, game), schedule, sampling, rng, tie)  # which refuses any other
    *_, last = run(solver, until=until)
    return last


def _solve_over_hands(game: Any, schedule: str | Schedule, until: Until | None) -> Any:
    """A draw game of the real deck: too many hands for a tree, so its own solver and its own measure."""
    from solverlab.run.lowball_real import run_real
    from solverlab.solvers.draw.cfr import DrawCFR

    *_, last = run_real(DrawCFR(game, schedule), until=until)
    return last
