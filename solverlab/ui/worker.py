"""One thread that works for a page: orders go in, frames come out. The screen pulls, the worker never pushes.

A worker drives a `Work`: it asks it for one short turn after the other, fairly with the workers of other
visitors, and looks at its orders between them, so a stop button always works. Only the newest frame is kept.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Condition, Thread
from time import perf_counter
from typing import Generic, NamedTuple, Protocol, TypeVar

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.ui.gate import SHARED_GATE, Gate

F = TypeVar("F")
F_co = TypeVar("F_co", covariant=True)
Tell = Callable[[str], None]  # a sentence about what is going on
Order = Callable[[], None]

MEMORY_CAP = 256_000_000  # bytes that what a visitor works with may take
SHOW_SECONDS = 0.05  # at full speed a frame at most so often


class Turn(NamedTuple):
    """What a turn did: how many of the iterations that were asked for, and whether that was all there is."""

    done: int
    finished: bool = False


class Work(Protocol[F_co]):
    """What a worker drives. Its thread alone calls these, but for the first look and `owes`."""

    def turn(self, allowed: float, tell: Tell) -> Turn:
        """Do some of the iterations allowed, a few milliseconds' worth; of none, what is owed at rest."""
        ...

    def owes(self) -> bool:
        """Whether something is left to do before resting, such as a last measurement; must be quick."""
        ...

    def look(self, running: bool, error: str) -> F_co:
        """The frame to show now; `error` is what has just gone wrong."""
        ...

    def close(self) -> None:
        """The worker has ended."""
        ...


class Frames(Generic[F]):
    """The simplest work: an iterator, whose next frame is a turn. It may end, and need not.

    >>> worker = Worker(Frames(n * n for n in range(100)))
    >>> worker.step(7)
    >>> worker.wait().snapshot
    49
    >>> worker.close()
    """

    def __init__(self, frames: Iterable[F]):
        self._frames = iter(frames)
        try:
            self._newest = next(self._frames)
        except StopIteration:
            raise BadValue("there is no frame to show; give an iterator of at least one") from None

    def turn(self, allowed: float, tell: Tell) -> Turn:
        try:
            self._newest = next(self._frames)
        except StopIteration:
            return Turn(0, finished=True)
        return Turn(1)

    def owes(self) -> bool:
        return False

    def look(self, running: bool, error: str) -> F:
        return self._newest

    def close(self) -> None:
        return None


@dataclass(frozen=True)
class Moment(Generic[F]):
    """What a worker shows: its newest frame, whether it is working, and sentences for people."""

    version: int  # grows whenever anything changed
    epoch: int  # grows with every new work
    snapshot: F
    running: bool
    note: str = ""
    error: str = ""


class Worker(Generic[F]):
    """Owns one thread and the work it drives; every method may be called from any thread."""

    failed, remedy = "the solver stopped", "reset to go on"  # around an error nobody expected
    show_seconds = SHOW_SECONDS

    def __init__(self, work: Work[F], gate: Gate = SHARED_GATE):
        self._gate, self._work = gate, work
        self._changed = Condition()
        self._orders: deque[Order] = deque()
        self._retired: list[Work[F]] = []  # replaced, perhaps in the middle of a turn
        self._left: float = 0  # iterations still to do; inf while playing without a limit
        self._playing = False  # at the speed of the screen, as opposed to stepping at once
        self._per_look: int | None = None  # iterations the screen allows between two looks
        self._credit: float = math.inf
        self._busy = self._closed = False
        self._version = self._epoch = 0
        self._note = self._error = ""
        self._shown_at = 0.0
        self._newest = work.look(False, "")
        self._thread = Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    # ---- orders --------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Do `n` more iterations, then rest."""
        with self._changed:
            self._left = n if self._playing else self._left + n
            self._playing, self._credit = False, math.inf
            self._ordered()

    def go_on(self, iterations: float = math.inf) -> None:
        """Do so many iterations at the speed of the screen; usually until paused."""
        with self._changed:
            self._left, self._playing = iterations, True
            self._credit = math.inf if self._per_look is None else self._per_look
            self._ordered()

    def pause(self) -> None:
        """Rest after the turn in flight."""
        with self._changed:
            self._left, self._playing = 0, False
            self._orders.clear()
            self._ordered()

    def stop_playing(self) -> None:
        """Play no further; orders that wait are still obeyed."""
        with self._changed:
            self._left, self._playing = 0, False
            self._ordered()

    def speed(self, per_look: int | None) -> None:
        """Iterations between two looks of the screen while playing; None runs as fast as it can."""
        with self._changed:
            self._per_look = per_look
            self._credit = math.inf if per_look is None else per_look
            self._touch()

    def grant(self) -> None:
        """The screen has seen the last iterations: the next may be done."""
        with self._changed:
            if self._per_look is not None and self._playing and self._credit <= 0:
                self._credit = self._per_look
                self._changed.notify_all()

    def order(self, *orders: Order) -> None:
        """Have these done on the worker, one after the other, before any further iteration."""
        with self._changed:
            self._orders.extend(orders)
            self._ordered()

    def replace(self, work: Work[F]) -> None:
        """Drive another work from now on; a turn of the old one that is in flight is thrown away."""
        newest = work.look(False, "")
        with self._changed:
            old, self._work, self._newest = self._work, work, newest
            self._epoch += 1
            self._left, self._playing, self._note, self._shown_at = 0, False, "", 0.0
            self._orders.clear()
            self._retired.append(old)
            self._ordered()

    def close(self) -> None:
        """Stop for good; the thread ends after the turn in flight, and orders are obeyed no more."""
        with self._changed:
            self._closed, self._left = True, 0
            self._changed.notify_all()

    # ---- looking -------------------------------------------------------------------------------------

    def latest(self) -> Moment[F]:
        """The newest moment."""
        with self._changed:
            return Moment(self._version, self._epoch, self._newest, self._running(), self._note, self._error)

    def wait(self, timeout: float = 120.0) -> Moment[F]:
        """Wait until the worker rests (for scripts and tests; a screen uses `latest`)."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._running(), timeout)
        return self.latest()

    @property
    def playing(self) -> bool:
        """Whether it goes on until paused."""
        with self._changed:
            return self._playing and self._left > 0

    @property
    def busy(self) -> bool:
        with self._changed:
            return self._running()

    @property
    def silent(self) -> float:
        """For how many seconds it has been at work without a new frame."""
        with self._changed:
            return perf_counter() - self._shown_at if self._running() and self._shown_at else 0.0

    # ---- the thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        while (next_one := self._next()) is not None:
            work, epoch, piece = next_one
            self._publish(work, epoch, *self._obeyed(piece))
            self._close_retired()
        self._close_retired()
        self._work.close()

    def _next(self) -> tuple[Work[F], int, Callable[[], Turn]] | None:
        """The work, its epoch and what to do of it; None when it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._retired or self._due())
            if self._closed:
                return None
            if not self._due():
                return self._work, self._epoch, lambda: Turn(0)  # only to close what was replaced
            self._busy = True
            work, epoch = self._work, self._epoch
            if self._orders:
                order = self._orders.popleft()
                return work, epoch, lambda: (order(), Turn(0))[1]  # type: ignore[func-returns-value]
            allowed = max(min(self._left, self._credit), 0)
            return work, epoch, lambda: work.turn(allowed, lambda note: self._tell(epoch, note))

    def _close_retired(self) -> None:
        with self._changed:
            retired, self._retired = self._retired, []
        for work in retired:
            work.close()

    def _obeyed(self, piece: Callable[[], Turn]) -> tuple[Turn, str]:
        """What a piece of work did, and what went wrong; the thread goes on whatever it is."""
        try:
            with self._gate.turn():
                return piece(), ""
        except SolverlabError as problem:
            return Turn(0, finished=True), str(problem)
        except MemoryError:
            return Turn(0, finished=True), "this does not fit into memory; choose a smaller game"
        except Exception as problem:
            return Turn(0, finished=True), self._unexpected(self.failed, problem)

    def _publish(self, work: Work[F], epoch: int, turn: Turn, error: str) -> None:
        """Take note of what was done; a frame when the worker rests or waits, and now and then in between."""
        with self._changed:
            stale = epoch != self._epoch
            if not stale:
                self._count(turn, error)
            resting = not (self._left > 0 or self._orders)
            waits = resting or self._credit <= 0
            due = not stale and (waits or perf_counter() - self._shown_at > self.show_seconds)
        frame, problem = self._looked(work, not resting, error) if due else (None, "")
        with self._changed:
            self._busy = False
            if epoch == self._epoch:
                if problem:
                    self.halt(problem)
                if frame is not None:
                    self._newest, self._shown_at = frame, perf_counter()
                self._note = "" if resting else self._note
                self._touch()
            self._changed.notify_all()

    def _count(self, turn: Turn, error: str) -> None:
        self._left = 0 if turn.finished else max(self._left - turn.done, 0)
        self._credit = max(self._credit - turn.done, 0)
        if error:
            self._error = error
            self._orders.clear()

    def _looked(self, work: Work[F], running: bool, error: str) -> tuple[F | None, str]:
        try:
            return work.look(running, error), ""
        except Exception as problem:  # a frame that cannot be made: the last one stays, with a sentence
            return None, self._unexpected("this cannot be shown", problem)

    def halt(self, error: str) -> None:
        """Stop working and say why."""
        with self._changed:
            self._left, self._error = 0, error
            self._orders.clear()

    def _unexpected(self, what: str, problem: Exception) -> str:
        return f"{what}: {type(problem).__name__}: {problem}; {self.remedy}"

    def _tell(self, epoch: int, note: str) -> None:
        with self._changed:
            if epoch == self._epoch and note != self._note:
                self._note = note
                self._touch()

    def _due(self) -> bool:
        return bool(self._orders) or min(self._left, self._credit) > 0 or self._owes()

    def _owes(self) -> bool:
        return self._left <= 0 and not self._error and self._work.owes()

    def _running(self) -> bool:
        return not self._closed and (self._left > 0 or self._busy or bool(self._orders) or self._owes())

    def _ordered(self) -> None:
        self._error = ""
        self._touch()

    def _touch(self) -> None:
        self._version += 1
        self._changed.notify_all()
