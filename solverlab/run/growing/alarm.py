"""The false-convergence alarm: a strategy that hardly changes is not yet a strategy that is any good.

A rebalance may call itself converged when no probability changes by more than a threshold. On matching
pennies it does so at the worst strategy there is. So whenever that test ends a run, the exact distance of the
strategy it ended at is measured, and if it is not small the run ends as STALLED instead of REACHED.
"""

from __future__ import annotations

from solverlab.core.game import RangeGame
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.solver import Solver
from solverlab.run.measures import REPORTED, distances, measured
from solverlab.solvers import Rebalance, gains
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.settings import FAR


def ended(solver: Solver, snap: Snapshot, reason: Status, targets: tuple[tuple[str, float], ...]) -> Snapshot:
    """The last snapshot of a run with its reason; STALLED if only a change test was met, far from rest.

    A forest is too large for exact distances: there the gains of its seats on the sampled deals are looked
    at.

    >>> import solverlab as sl
    >>> solver = sl.Rebalance(sl.MatchingPennies(), start=0.6)
    >>> *_, last = sl.run(solver, until=sl.below("change", 1e-6) | sl.iterations(10_000))
    >>> last.metrics["change"] <= 1e-6, last.metrics["current_exploitability"] > 0.999
    (True, True)
    >>> last.status.sentence
    'The strategy hardly changes but somebody could still gain: this is not convergence.'
    """
    met = {name for name, target in targets if largest(snap.metrics[name]) <= target}
    if not met or not met <= REPORTED:
        return snap.measured({}, reason)
    game = solver.game
    if isinstance(solver, Rebalance) and isinstance(solver.ground, SampledGround):
        current = "gains"
        snap = snap.measured({current: gains(solver)})
    elif isinstance(game, RangeGame):
        current = distances(game)[1]
        snap = measured(game, snap, [current])
    else:
        return snap.measured({}, reason)
    return snap.measured({}, Status.STALLED if largest(snap.metrics[current]) > FAR else reason)


def largest(value: float | tuple[float, ...]) -> float:
    """One number of a measure that may have one for each seat."""
    return max(value) if isinstance(value, tuple) else value
