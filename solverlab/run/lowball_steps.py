"""Step a solver of the whole 2-to-7 deck a little at a time, so that a bar moves and a stop is heard."""

from __future__ import annotations

from collections.abc import Iterator

from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Status
from solverlab.run.stopping import Until
from solverlab.run.trace import Trace
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.snapshot import DrawSnapshot

SAMPLES = 100_000  # of a sampled solver at once, which is a fraction of a second


def paced(
    solver: DrawCFR | SampledDraw, every: int, until: Until, deals: int
) -> Iterator[DrawSnapshot | None]:
    """None after every iteration, a measured snapshot at whole multiples of `every` and at the end.

    The solver is whole whenever this yields: it can be saved there, and a run resumed from there measures at
    the same moments as one that never stopped.

    >>> from solverlab.games.lowball_real import RealLowball
    >>> from solverlab.run.stopping import iterations
    >>> steps = paced(DrawCFR(RealLowball(3, cards=1), threads=1), 2, iterations(5), deals=100)
    >>> [None if snap is None else snap.iteration for snap in steps]
    [None, 2, None, 4, 5]
    """
    if until == Until():
        raise BadValue("a run without any limit never ends; give iterations, seconds or a target")
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise BadValue(f"cannot look every {every!r} iterations; give a whole number of at least 1")
    return _drive(solver, every, until, deals)


def _drive(
    solver: DrawCFR | SampledDraw, every: int, until: Until, deals: int
) -> Iterator[DrawSnapshot | None]:
    most = 1 if isinstance(solver, DrawCFR) else SAMPLES
    while True:
        ends = [most, every - solver.iteration % every]
        ends += [] if until.iterations is None else [max(until.iterations - solver.iteration, 0)]
        solver.advance(min(ends))
        if solver.iteration % every and not _is_over(solver, until):
            yield None
            continue
        snap = solver.measure(solver.snapshot(), deals)
        reason = until.reason(snap)  # type: ignore[arg-type]  # it reads clocks and metrics only
        yield snap if reason is None else snap.measured({}, reason)
        if reason in (Status.REACHED, Status.STOPPED):
            return


def _is_over(solver: DrawCFR | SampledDraw, until: Until) -> bool:
    late = until.seconds is not None and solver.seconds >= until.seconds
    return late or (until.iterations is not None and solver.iteration >= until.iterations)


def stands_at(trace: Trace, iteration: int) -> bool:
    """Whether a trace's last row is of this iteration."""
    return bool(trace.rows) and trace.rows[-1]["iteration"] == iteration
