"""A solver of four or five cards, or of the real deck, in a thread: an iteration may take seconds."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import BoundedSemaphore, Condition, Thread

from solverlab.core.errors import SolverlabError, TooLarge
from solverlab.run import Trace, Until
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.ui.runner import Moment

DEALS = 200_000  # fresh deals a measurement
REAL_SEATS = BoundedSemaphore(2)  # solvers of the real deck at once; each holds half a gigabyte


def take_real_seat() -> None:
    """Sit down, or say in one sentence that others sit there."""
    if not REAL_SEATS.acquire(blocking=False):
        raise TooLarge(
            "two others are solving the real deck on this server, and each needs half a gigabyte; "
            "try again in a few minutes, or take 4 cards"
        )


def is_due(iteration: int) -> bool:
    """Whether to measure: the first two, then every fifth, then every tenth, every hundredth.

    >>> [n for n in range(61) if is_due(n)]
    [1, 2, 5, 10, 15, 20, 30, 40, 50, 60]
    """
    if iteration <= 2:
        return iteration > 0
    return iteration % (5 if iteration <= 20 else 10 if iteration < 200 else 100) == 0


class WholeRunner:
    """The manners of `Runner` for solvers that measure themselves; a stop waits for one iteration at most.

    `make_solver` runs in the thread, at the first step: a page that is only looked at costs nothing.
    """

    def __init__(self, make_solver: Callable[[], DrawCFR], real: bool = False, deals: int = DEALS):
        self._real, self._seated, self._deals = real, False, deals
        self._make, self._solver = make_solver, None
        self._changed = Condition()
        self._orders: float = 0
        self._busy = self._closed = False
        self._version, self._until = 0, Until()
        self._note = self._error = ""
        self.trace = Trace()
        self._newest: DrawSnapshot | None = None
        Thread(target=self._work, name="whole-deck", daemon=True).start()

    # ---- orders -------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Do `n` more iterations, then rest."""
        self._order(self._orders + n if math.isfinite(self._orders) else n, Until())

    def play(self, until: Until | None = None) -> None:
        """Go on until paused or a limit is met at a measured moment."""
        self._order(math.inf, until or Until())

    def pause(self) -> None:
        """Rest after the iteration in flight."""
        self._order(0, self._until)

    def close(self) -> None:
        """Stop for good and leave the seat."""
        with self._changed:
            self._closed, self._orders = True, 0
            self._changed.notify_all()

    def _order(self, orders: float, until: Until) -> None:
        with self._changed:
            self._orders, self._until, self._error = orders, until, ""
            self._touch()

    # ---- looking ------------------------------------------------------------------------------------

    def latest(self) -> Moment:
        """The newest moment; its snapshot is None until the first iteration is done."""
        with self._changed:
            running = self._orders > 0 or self._busy
            return Moment(self._version, 0, self._newest, running, self._note, self._error)

    def wait(self, timeout: float = 120.0) -> Moment:
        """Wait until the worker rests (for scripts and tests)."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not (self._orders > 0 or self._busy), timeout)
        return self.latest()

    # ---- the worker ---------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while self._wait_for_orders():
                self._one_iteration()
        finally:
            self._solver = None
            if self._seated:
                REAL_SEATS.release()

    def _wait_for_orders(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._orders > 0)
            self._busy = not self._closed
            return not self._closed

    def _one_iteration(self) -> None:
        snap, error = None, ""
        try:
            if self._solver is None:
                self._tell("Preparing every hand and every set of cards one may keep ...")
                self._sit_down()
                self._solver = self._make()
            self._solver.advance(1)
            last = self._orders <= 1 or self._closed
            if is_due(self._solver.iteration) or last:
                self._tell(f"Measuring iteration {self._solver.iteration} on fresh deals ...")
                snap = self._solver.measure(self._solver.snapshot(), self._deals)
        except (SolverlabError, MemoryError) as problem:
            error = str(problem) or "this does not fit into memory; choose fewer cards"
        except Exception as problem:  # whatever it is, the thread goes on and the page can say so
            error = f"the solver stopped: {type(problem).__name__}: {problem}; reset to go on"
        self._publish(snap, error)

    def _sit_down(self) -> None:
        if self._real and not self._seated:
            take_real_seat()
            self._seated = True

    def _publish(self, snap: DrawSnapshot | None, error: str) -> None:
        with self._changed:
            self._busy, self._error = False, error
            self._orders = 0 if error else max(self._orders - 1, 0)
            if snap is not None:
                reason = self._until.reason(snap)  # type: ignore[arg-type]  # reads clocks and metrics only
                self._newest = snap if reason is None else snap.measured({}, reason)
                self.trace.add(self._newest)  # type: ignore[arg-type]
                self._orders = self._orders if reason is None else 0
            done = self._solver.iteration if self._solver is not None else 0
            self._note = f"Iteration {done:,} ..." if self._orders > 0 else ""
            self._touch()

    def _tell(self, note: str) -> None:
        with self._changed:
            self._note = note
            self._touch()

    def _touch(self) -> None:
        self._version += 1
        self._changed.notify_all()
