"""Long runs that survive kill -9: saved every so many iterations, resumed as if they had never stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic

from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Snapshot
from solverlab.run import Trace
from solverlab.store.home import checked_name
from solverlab.store.packing import Solver, checked_solver
from solverlab.store.run_folders import load, save


def save_every(
    snapshots: Iterable[Snapshot],
    solver: Solver,
    name: str,
    every: int = 1000,
    seconds: float = 0.0,
    trace: Trace | None = None,
) -> Iterator[Snapshot]:
    """Pass a run's snapshots on, and save it whenever `every` iterations and `seconds` seconds have gone by.

    The last state is always saved, also when the loop is left early. A run that is already saved under this
    name and goes on here keeps its trace; any other run of that name is refused at once.

    >>> import solverlab as sl
    >>> from solverlab.store import save_every
    >>> solver = sl.CFR(sl.Kuhn())
    >>> steps = sl.run(solver, every=100, until=sl.iterations(300))
    >>> for snap in save_every(steps, solver, "long run", every=200):
    ...     pass
    >>> [row["iteration"] for row in sl.load("long run").trace.rows]
    [100, 200, 300]
    """
    checked_solver(solver)
    if not isinstance(every, int) or every < 1:
        raise BadValue(f"cannot save every {every!r} iterations; give a whole number of at least 1")
    name = checked_name(name)
    trace = _begun(solver, name) if trace is None else trace
    return _saving(snapshots, solver, name, every, seconds, trace)


def _begun(solver: Solver, name: str) -> Trace:
    """The trace so far; saving before the first step finds out now, not in an hour, if it is possible."""
    save(solver, name)
    return load(name, game=solver.game).trace


def _saving(
    snapshots: Iterable[Snapshot], solver: Solver, name: str, every: int, seconds: float, trace: Trace
) -> Iterator[Snapshot]:
    saved_at, saved_when, unsaved = solver.iteration, monotonic(), False
    try:
        for snap in snapshots:
            _record(trace, snap)
            unsaved = True
            if snap.iteration - saved_at >= every and monotonic() - saved_when >= seconds:
                save(solver, name, trace)
                saved_at, saved_when, unsaved = snap.iteration, monotonic(), False
            yield snap
    except GeneratorExit:  # the loop was left between two steps, so the solver is whole
        if unsaved:
            save(solver, name, trace)
        raise
    if unsaved:
        save(solver, name, trace)


def _record(trace: Trace, snap: Snapshot) -> None:
    """Add a snapshot; one at the moment of the last row (a run resumed at its end) takes that row's place."""
    if trace.rows and trace.rows[-1]["iteration"] == snap.iteration:
        trace.rows.pop()
    trace.add(snap)
