"""Work that takes seconds, done beside a page: each task in a thread, with progress and a way to cancel."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from threading import Event, Thread
from typing import Generic, TypeVar

from solverlab.core.errors import SolverlabError

T = TypeVar("T")
Report = Callable[[float, str], None]  # the share that is done, and what is being done
Cancel = Callable[[], bool]  # whether to stop
Work = Callable[[Report, Cancel], T]


class TaskThreads(Executor):
    """A thread a task, and none that the end of the program would have to wait for.

    The pool of the standard library is joined when Python ends: Ctrl+C would wait for the slowest table.
    """

    def submit(self, fn: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            future.set_running_or_notify_cancel()
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as problem:  # whoever asks for the result is told, as with any executor
                future.set_exception(problem)

        Thread(target=run, name="task", daemon=True).start()
        return future


THREADS = TaskThreads()


class Task(Generic[T]):
    """A function of (report, cancel) at work; the page's clock asks whether it is `done` and reads the rest.

    >>> task = Task(lambda report, cancel: 6 * 7)
    >>> task.wait().result
    42
    """

    def __init__(self, work: Work[T]):
        self.share, self.words = 0.0, ""
        self._stop = Event()
        self._future = THREADS.submit(work, self._report, self._stop.is_set)

    def _report(self, share: float, words: str) -> None:
        self.share, self.words = share, words

    def cancel(self) -> None:
        """Ask it to stop; it does at its next step."""
        self._stop.set()

    close = cancel

    def wait(self, timeout: float = 120.0) -> Task[T]:
        """Wait for the end (for scripts, tests, and moments too short to be seen)."""
        wait([self._future], timeout)
        return self

    @property
    def done(self) -> bool:
        return self._future.done()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    @property
    def result(self) -> T | None:
        """What it made; None as long as there is nothing."""
        return self._future.result() if self.done and self._future.exception() is None else None

    @property
    def error(self) -> str:
        """What went wrong, as a sentence."""
        problem = self._future.exception() if self.done else None
        if problem is None or isinstance(problem, SolverlabError):
            return str(problem or "")
        if isinstance(problem, MemoryError):
            return "this does not fit into memory; choose a smaller game"
        return f"this did not work: {type(problem).__name__}: {problem}"


def beside(make: Callable[[], T]) -> Work[T]:
    """Work that is too short to tell how far it is."""
    return lambda report, cancel: make()


class TaskQueue:
    """Does the newest order; one that comes while another is under way waits and replaces older ones."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self._then: Callable[..., None] | None = None
        self._waiting: tuple[Work, Callable[..., None]] | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        return self.task is not None or self._waiting is not None

    def order(self, work: Work[T], then: Callable[[T], None]) -> None:
        """Have work(report, cancel) done and its result given to `then` on the page's clock."""
        if not self._closed:
            self._waiting = (work, then)
            self._start()

    def cancel(self) -> None:
        """Stop what is under way and forget what waits."""
        self._waiting = None
        if self.task is not None:
            self.task.cancel()

    def close(self) -> None:
        """Cancel, and take no more orders."""
        self._closed = True
        self.cancel()

    def _start(self) -> None:
        if self.task is None and self._waiting is not None:
            (work, self._then), self._waiting = self._waiting, None
            self.task = Task(work)

    def look(self) -> str:
        """Hand over what is finished; returns what went wrong, if anything did."""
        if self.task is None or not self.task.done:
            return ""
        task, self.task = self.task, None
        newer = self._waiting is not None
        self._start()
        if task.error:
            return "" if newer and task.cancelled else task.error
        if not newer and self._then is not None:
            self._then(task.result)
        return ""
