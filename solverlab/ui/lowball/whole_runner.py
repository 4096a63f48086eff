"""A solver of four or five cards, or of the real deck, in a thread: an iteration may take seconds."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore

from solverlab.core.errors import TooLarge
from solverlab.run import Trace, Until
from solverlab.solvers.draw.snapshot import MeasuredSnapshot
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.ui.gate import Gate
from solverlab.ui.worker import Tell, Turn, Worker

SECONDS_GATE = Gate(1000)  # an iteration takes seconds: nobody with milliseconds to do waits for it
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


class WholeWork:
    """A solver that measures itself on fresh deals; a turn is one iteration.

    `make_solver` runs in the thread, at the first step: a page that is only looked at costs nothing.
    """

    def __init__(self, make_solver: Callable[[], DrawSolver], real: bool, deals: int):
        self._make, self._real, self._deals = make_solver, real, deals
        self._solver: DrawSolver | None = None
        self._seated = False
        self._newest: MeasuredSnapshot | None = None
        self.trace, self.until = Trace(), Until()

    def turn(self, allowed: float, tell: Tell) -> Turn:
        solver = self._solver or self._prepared(tell)
        if allowed > 0:
            tell(f"Iteration {solver.iteration + 1:,} ...")
            solver.advance(1)
            if not is_due(solver.iteration):
                return Turn(1)
        tell(f"Measuring iteration {solver.iteration} on fresh deals ...")
        snap = solver.measure(solver.snapshot(), self._deals)
        reason = self.until.reason(snap)
        self._newest = snap if reason is None else snap.measured({}, reason)
        self.trace.add(self._newest)
        return Turn(int(allowed > 0), finished=reason is not None)

    def _prepared(self, tell: Tell) -> DrawSolver:
        tell("Preparing every hand and every set of cards one may keep ...")
        if self._real and not self._seated:
            take_real_seat()
            self._seated = True
        self._solver = self._make()
        return self._solver

    def owes(self) -> bool:
        """Whether it rests at an iteration that nobody measured."""
        measured = self._newest.iteration if self._newest is not None else 0
        return self._solver is not None and self._solver.iteration > measured

    def look(self, running: bool, error: str) -> MeasuredSnapshot | None:
        return self._newest

    def close(self) -> None:
        """Forget the solver and leave the seat."""
        self._solver = None
        if self._seated:
            self._seated = False
            REAL_SEATS.release()


class WholeRunner(Worker[MeasuredSnapshot | None]):
    """The manners of `Runner` for solvers whose iterations take seconds; its snapshot is None at first."""

    def __init__(self, make_solver: Callable[[], DrawSolver], real: bool = False, deals: int = DEALS):
        self._solving = WholeWork(make_solver, real, deals)
        super().__init__(self._solving, SECONDS_GATE)

    @property
    def trace(self) -> Trace:
        return self._solving.trace

    def step(self, n: int = 1) -> None:
        self._solving.until = Until()
        super().step(n)

    def play(self, until: Until | None = None) -> None:
        """Go on until paused or a limit is met at a measured moment."""
        self._solving.until = until or Until()
        self.go_on()
