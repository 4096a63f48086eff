"""A solver that a worker drives: step, play, pause, reset, a trace, and snapshots to go back to.

Moments of measuring depend on iterations only, never on the clock: two runs of one seed record one trace.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from time import perf_counter

from solverlab.core.errors import TooLarge
from solverlab.core.rows import Row
from solverlab.core.snapshot import Snapshot
from solverlab.run import Trace, Until, distances, measured
from solverlab.solvers import CFR, MCCFR
from solverlab.ui.gate import SHARED_GATE, Gate
from solverlab.ui.worker import MEMORY_CAP, Moment, Tell, Turn, Worker

SLICE_SECONDS = 0.008
MOST_SNAPSHOTS = 400
SCREEN = 4  # times a solver's own tables: what it takes with the snapshots of a screen
COMPILING = "Compiling the solver (first time only) ..."

Solver = CFR | MCCFR
_compiled: set[tuple] = set()  # kinds of solver this process has run before


class SolverWork:
    """A solver in slices of a few milliseconds, measured on a fixed grid of iterations and where it rests."""

    def __init__(self, solver: Solver, memory_cap: int, rows: Sequence[Row] = ()):
        self.solver, self._cap, self.until = solver, memory_cap, Until()
        self.trace = Trace.from_rows([row for row in rows if row["iteration"] < solver.iteration])
        self.kept: list[Snapshot] = []
        self._newest: Snapshot
        self._slice = 1
        self._record(self._measured(solver.snapshot()))

    def turn(self, allowed: float, tell: Tell) -> Turn:
        solver, kind = self.solver, _kind(self.solver)
        tell("" if kind in _compiled else COMPILING)
        n = int(min(allowed, self._slice, next_due(solver.iteration) - solver.iteration))
        began = perf_counter()
        snap = solver.step(n)
        self._adapt(perf_counter() - began)
        _compiled.add(kind)
        tell("")
        if n and snap.iteration != next_due(snap.iteration - 1):
            self._newest = snap.measured(self._newest.metrics)
            return Turn(n)
        snap = self._measured(snap)
        reason = self.until.reason(snap)
        self._record(snap if reason is None else snap.measured({}, reason))
        return Turn(n, finished=reason is not None)

    def owes(self) -> bool:
        """Paused between two measured moments: what the screen shows at rest has its own exact numbers."""
        return self._newest.iteration > self.kept[-1].iteration

    def look(self, running: bool, error: str) -> Snapshot:
        return self._newest

    def close(self) -> None:
        return None

    def _measured(self, snap: Snapshot) -> Snapshot:
        game = self.solver.game
        return measured(game, snap, (*distances(game), "value"))

    def _adapt(self, spent: float) -> None:
        if spent < SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, 100_000)
        elif spent > SLICE_SECONDS * 2:
            self._slice = max(self._slice // 2, 1)

    def _record(self, snap: Snapshot) -> None:
        """Keep a measured snapshot; thin out the older half when there are too many or too heavy ones."""
        self._newest = snap
        if self.kept and self.kept[-1].iteration == snap.iteration:
            return
        self.trace.add(snap)
        kept = [*self.kept, snap]
        weight = 2 * snap.policy.nbytes * len(kept)
        if len(kept) > MOST_SNAPSHOTS or weight > self._cap / 2:
            half = len(kept) // 2
            kept = kept[:half:2] + kept[half:]
        self.kept = kept  # a new list: whoever looks meanwhile sees the old one whole


class Runner(Worker[Snapshot]):
    """A solver with a thread of its own; every method may be called from any thread.

    >>> import solverlab as sl
    >>> runner = Runner(lambda: sl.CFR(sl.Kuhn()))
    >>> runner.step(10)
    >>> runner.wait().snapshot.iteration
    10
    >>> runner.close()
    """

    def __init__(
        self,
        make_solver: Callable[[], Solver],
        gate: Gate = SHARED_GATE,
        memory_cap: int = MEMORY_CAP,
        rows: Sequence[Row] = (),
    ):
        self.memory_cap, self._make = memory_cap, make_solver
        self._solving = solver_work(make_solver, memory_cap, rows)
        super().__init__(self._solving, gate)

    def step(self, n: int = 1) -> None:
        self._solving.until = Until()
        super().step(n)

    def play(self, until: Until | None = None) -> None:
        """Go on until paused or a limit is met: iterations exactly, a target at the next measured moment."""
        self._solving.until = until or Until()
        limit = self._solving.until.iterations
        self.go_on(math.inf if limit is None else max(limit - self.solver.iteration, 0))

    def pause(self) -> None:
        self._solving.until = Until()
        super().pause()

    def reset(self, make_solver: Callable[[], Solver] | None = None, rows: Sequence[Row] = ()) -> None:
        """Start over, perhaps with another solver; a slice in flight is thrown away.

        If the new solver cannot be made, its error is raised and the old one stays. `rows` are the trace of a
        solver that has been stepped before.
        """
        make = make_solver or self._make
        prepared = solver_work(make, self.memory_cap, rows)
        self._make, self._solving = make, prepared
        self.replace(prepared)

    def latest(self) -> Moment[Snapshot]:
        """The newest moment; looking also allows the next frame's iterations at a limited speed."""
        self.grant()
        return super().latest()

    @property
    def solver(self) -> Solver:
        """The solver itself; ask for it only while the worker rests."""
        return self._solving.solver

    @property
    def trace(self) -> Trace:
        return self._solving.trace

    def recorded(self) -> list[Snapshot]:
        """The measured snapshots kept for scrubbing back, oldest first."""
        return list(self._solving.kept)


def solver_work(make_solver: Callable[[], Solver], memory_cap: int, rows: Sequence[Row] = ()) -> SolverWork:
    """A solver made and measured once, ready to be driven; this may take seconds."""
    solver = make_solver()
    check_room(solver.nbytes, memory_cap)
    return SolverWork(solver, memory_cap, rows)


def check_room(table_bytes: int, memory_cap: int) -> None:
    """Refuse tables that a session has no room for; ask before they are taken.

    >>> check_room(10**9, 10**8)
    Traceback (most recent call last):
    ...
    solverlab.core.errors.TooLarge: this needs 4,000 MB but a session may use 100 MB; choose a smaller game, \
or serve with a larger --memory-cap-mb
    """
    size = SCREEN * table_bytes
    if size > memory_cap:
        raise TooLarge(
            f"this needs {size / 1e6:,.0f} MB but a session may use {memory_cap / 1e6:,.0f} MB; "
            "choose a smaller game, or serve with a larger --memory-cap-mb"
        )


_moments = [1]


def next_due(iteration: int) -> int:
    """The next iteration to measure at: a fixed grid, every one up to 40 and then steps of about 5 %.

    >>> next_due(0), next_due(40), next_due(1000)
    (1, 42, 1012)
    """
    while _moments[-1] <= iteration:
        _moments.append(_moments[-1] + max(1, _moments[-1] // 20))
    return _moments[bisect_right(_moments, iteration)]


def _kind(solver: Solver) -> tuple:
    return type(solver).__name__, getattr(solver, "alternating", None), solver.tie.tied
