"""A solver with a thread of its own: step, play, pause, reset, and the newest snapshot for whoever asks.

The screen pulls `latest()`; the worker never pushes. It runs slices of a few milliseconds and looks at its
orders between them, so a stop button always works. Moments of measuring depend on iterations only, never on
the clock: two runs of one seed record the same trace.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition, Thread
from time import perf_counter
from typing import Any

from solverlab.core.errors import SolverlabError, TooLarge
from solverlab.core.snapshot import Snapshot
from solverlab.run import Trace, Until, distances, measured
from solverlab.solvers import CFR, MCCFR
from solverlab.ui.gate import SHARED_GATE, Gate

SLICE_SECONDS = 0.008
SHOW_SECONDS = 0.05
MOST_SNAPSHOTS = 400
MEMORY_CAP = 256_000_000

Solver = CFR | MCCFR
_compiled: set[tuple] = set()  # kinds of solver this process has run before


@dataclass(frozen=True)
class Moment:
    """What a runner shows: the newest snapshot, whether it is working, and a sentence for people."""

    version: int  # grows whenever anything changed
    epoch: int  # grows with every reset
    snapshot: Snapshot
    running: bool
    note: str = ""
    error: str = ""


class Runner:
    """Owns a solver and one worker thread; every method may be called from any thread.

    >>> import solverlab as sl
    >>> runner = Runner(lambda: sl.CFR(sl.Kuhn()))
    >>> runner.step(10)
    >>> runner.wait().snapshot.iteration
    10
    >>> runner.close()
    """

    def __init__(
        self, make_solver: Callable[[], Solver], gate: Gate = SHARED_GATE, memory_cap: int = MEMORY_CAP
    ):
        self._gate, self._cap = gate, memory_cap
        self._changed = Condition()
        self._orders: float = 0  # iterations still to do; inf while playing without a limit
        self._playing = False  # at the speed of the screen, as opposed to stepping at once
        self._per_frame: int | None = (
            None  # iterations the screen allows between two looks; None: as many as fit
        )
        self._credit: float = math.inf
        self._busy, self._closed, self._epoch, self._version = False, False, 0, 0
        self._slice = 1
        self._install(make_solver)
        self._thread = Thread(target=self._work, name="solver", daemon=True)
        self._thread.start()

    # ---- orders -------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Do `n` more iterations, then rest."""
        with self._changed:
            self._orders = n if self._playing else self._orders + n
            self._playing, self._until, self._credit = False, Until(), math.inf
            self._touch()

    def play(self, until: Until | None = None) -> None:
        """Go on until paused or a limit is met: iterations exactly, a target at the next measured moment."""
        with self._changed:
            self._until, self._playing = until or Until(), True
            limit = self._until.iterations
            self._orders = math.inf if limit is None else max(limit - self._solver.iteration, 0)
            self._credit = math.inf if self._per_frame is None else self._per_frame
            self._touch()

    def pause(self) -> None:
        """Rest after the slice in flight."""
        with self._changed:
            self._orders, self._playing = 0, False
            self._touch()

    def speed(self, per_frame: int | None) -> None:
        """Iterations between two looks of the screen while playing; None runs as fast as it can."""
        with self._changed:
            self._per_frame = per_frame
            self._credit = math.inf if per_frame is None else per_frame
            self._touch()

    def reset(
        self, make_solver: Callable[[], Solver] | None = None, rows: Sequence[dict[str, Any]] = ()
    ) -> None:
        """Start over, perhaps with another solver; a slice in flight is thrown away.

        If the new solver cannot be made, its error is raised and the old one stays. `rows` are the trace of a
        solver that has been stepped before.
        """
        self._install(make_solver or self._make, rows)

    def close(self) -> None:
        """Stop for good; the worker ends after the slice in flight."""
        with self._changed:
            self._closed, self._orders = True, 0
            self._changed.notify_all()

    # ---- looking ------------------------------------------------------------------------------------

    def latest(self) -> Moment:
        """The newest moment; looking also allows the next frame's iterations at a limited speed."""
        with self._changed:
            if self._per_frame is not None and self._playing and self._credit <= 0:
                self._credit = self._per_frame
                self._changed.notify_all()
            return self._moment()

    def wait(self, timeout: float = 120.0) -> Moment:
        """Wait until the worker rests (for scripts and tests; a screen uses `latest`)."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._moment().running, timeout)
            return self._moment()

    @property
    def solver(self) -> Solver:
        """The solver itself; ask for it only while the worker rests."""
        return self._solver

    @property
    def trace(self) -> Trace:
        return self._trace

    def recorded(self) -> list[Snapshot]:
        """The measured snapshots kept for scrubbing back, oldest first."""
        with self._changed:
            return list(self._kept)

    # ---- the worker ---------------------------------------------------------------------------------

    def _install(self, make_solver: Callable[[], Solver], rows: Sequence[dict[str, Any]] = ()) -> None:
        solver = make_solver()
        size = _bytes_of(solver)
        if size > self._cap:
            raise TooLarge(
                f"this needs {size / 1e6:,.0f} MB but a session may use {self._cap / 1e6:,.0f} MB; "
                "choose a smaller game, or serve with a larger --memory-cap-mb"
            )
        first = measured(solver.game, solver.snapshot(), (*distances(solver.game), "value"))
        with self._changed:
            self._make, self._solver = make_solver, solver
            self._epoch += 1
            self._orders, self._slice, self._playing, self._until = 0, 1, False, Until()
            self._note = self._error = ""
            earlier = [row for row in rows if row["iteration"] < solver.iteration]
            self._trace, self._kept = Trace.from_rows(earlier), []
            self._shown_at = 0.0
            self._record(first)
            self._touch()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closed or min(self._orders, self._credit) > 0 or self._owes()
                )
                if self._closed:
                    return
                solver, epoch, self._busy = self._solver, self._epoch, True
                due = next_due(solver.iteration)
                n = int(min(self._orders, self._credit, self._slice, due - solver.iteration))
                n = 0 if self._owes() else n
                self._note = (
                    "" if _kind(solver) in _compiled else "Compiling the solver (first time only) ..."
                )
            self._slice_of_work(solver, epoch, n)

    def _slice_of_work(self, solver: Solver, epoch: int, n: int) -> None:
        """Run a slice outside the lock, then publish it unless a reset made it stale."""
        snap, error, began = None, "", perf_counter()
        try:
            with self._gate.turn():
                began = perf_counter()
                latest = solver.step(n)
                spent = perf_counter() - began
                snap = self._measure_if_due(solver, latest, epoch, n)
        except SolverlabError as problem:
            error, spent = str(problem), 0.0
        except Exception as problem:  # whatever it is, the thread goes on and the page can say so
            error, spent = f"the solver stopped: {type(problem).__name__}: {problem}; reset to go on", 0.0
        with self._changed:
            self._busy = False
            if epoch == self._epoch:
                self._publish(snap, latest if not error else None, error, n, spent)
                _compiled.add(_kind(solver))
            self._changed.notify_all()

    def _measure_if_due(self, solver: Solver, snap: Snapshot, epoch: int, n: int) -> Snapshot | None:
        resting = epoch == self._epoch and self._orders - n <= 0
        if snap.iteration == next_due(snap.iteration - 1) or resting:
            return measured(solver.game, snap, (*distances(solver.game), "value"))
        return None

    def _publish(
        self, snap: Snapshot | None, latest: Snapshot | None, error: str, n: int, spent: float
    ) -> None:
        self._note = ""
        if error:
            self._orders, self._error = 0, error
            self._touch()
            return
        self._orders = max(self._orders - n, 0)
        self._credit = max(self._credit - n, 0)
        if spent < SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, 100_000)
        elif spent > SLICE_SECONDS * 2:
            self._slice = max(self._slice // 2, 1)
        if snap is not None:
            reason = self._until.reason(snap) if self._playing else None
            self._record(snap if reason is None else snap.measured({}, reason))
            self._orders = self._orders if reason is None else 0
        elif latest is not None and self._worth_showing():
            self._newest = latest.measured(self._newest.metrics)
            self._shown_at = perf_counter()
        self._touch()

    def _worth_showing(self) -> bool:
        """Whoever rests or waits for the screen shows where it stands; at full speed now and then will do."""
        return min(self._orders, self._credit) <= 0 or perf_counter() - self._shown_at > SHOW_SECONDS

    def _owes(self) -> bool:
        """Paused between two measured moments: what the screen shows at rest has its own exact numbers."""
        return self._orders <= 0 and not self._error and self._newest.iteration > self._kept[-1].iteration

    def _record(self, snap: Snapshot) -> None:
        """Keep a measured snapshot; thin out the older half when there are too many or too heavy ones."""
        self._newest, self._shown_at = snap, perf_counter()
        if self._kept and self._kept[-1].iteration == snap.iteration:
            return
        self._trace.add(snap)
        self._kept.append(snap)
        weight = 2 * snap.policy.sigma.nbytes * len(self._kept)
        if len(self._kept) > MOST_SNAPSHOTS or weight > self._cap / 2:
            half = len(self._kept) // 2
            self._kept = self._kept[:half:2] + self._kept[half:]

    def _moment(self) -> Moment:
        running = self._orders > 0 or self._busy or self._owes()
        return Moment(self._version, self._epoch, self._newest, running, self._note, self._error)

    def _touch(self) -> None:
        self._version += 1
        self._changed.notify_all()


_moments = [1]


def next_due(iteration: int) -> int:
    """The next iteration to measure at: a fixed grid, every one up to 40 and then steps of about 5 %.

    >>> next_due(0), next_due(40), next_due(1000)
    (1, 42, 1012)
    """
    while _moments[-1] <= iteration:
        _moments.append(_moments[-1] + max(1, _moments[-1] // 20))
    return _moments[bisect_right(_moments, iteration)]


def _bytes_of(solver: Solver) -> int:
    """What the solver's own tables take, with the snapshots of a screen in mind."""
    return 4 * sum(array.nbytes for array in solver.state().values())


def _kind(solver: Solver) -> tuple:
    return type(solver).__name__, getattr(solver, "alternating", None), solver.tie.tied
