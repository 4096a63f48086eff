"""The false-convergence alarm: a strategy that hardly changes is not yet a strategy that is any good.

A rebalance may call itself converged when no probability changes by more than a threshold. On matching
pennies it does so at the worst strategy there is. So whenever that test ends a run, the exact distance of the
strategy it ended at is measured, and if it is not small the run ends as STALLED instead of REACHED.
"""

from __future__ import annotations

from typing import Any

from solverlab.core.snapshot import Snapshot, Status
from solverlab.run.measures import REPORTED, distances, measured
from solverlab.solvers.rebalance_settings import FAR


def ended(solver: Any, snap: Snapshot, reason: Status, targets: tuple[tuple[str, float], ...]) -> Snapshot:
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
    sampled, exact = hasattr(solver, "gains"), hasattr(solver.game, "leaf_cfv")
    if not met or not met <= REPORTED or not (sampled or exact):
        return snap.measured({}, reason)
    current = "gains" if sampled else distances(solver.game)[1]
    snap = snap.measured({current: solver.gains()}) if sampled else measured(solver.game, snap, [current])
    return snap.measured({}, Status.STALLED if largest(snap.metrics[current]) > FAR else reason)


def largest(value: float | tuple[float, ...]) -> float:
    """One number of a measure that may have one for each seat."""
    return max(value) if isinstance(value, tuple) else value
