"""Long work on the Abstraction page: one thing at a time, with progress and a way to cancel."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

from solverlab.ui.making import Making


class Job:
    """A function of (progress, cancel) in a thread; the page's clock asks how far it is."""

    def __init__(self, work: Callable[..., Any]):
        self.done_share, self.words = 0.0, ""
        self._stop = Event()
        self._making = Making(lambda: work(self._report, self._stop.is_set))

    def _report(self, share: float, words: str) -> None:
        self.done_share, self.words = share, words

    def cancel(self) -> None:
        """Ask it to stop; it does at its next step."""
        self._stop.set()

    @property
    def done(self) -> bool:
        return self._making.done

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    @property
    def error(self) -> str:
        return self._making.error

    @property
    def result(self) -> Any:
        return self._making.result


class Desk:
    """Does the newest order; one that comes while another is under way waits and replaces older ones."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self._then: Callable[[Any], None] | None = None
        self._waiting: tuple[Callable[..., Any], Callable[[Any], None]] | None = None

    @property
    def busy(self) -> bool:
        return self.job is not None or self._waiting is not None

    def order(self, work: Callable[..., Any], then: Callable[[Any], None]) -> None:
        """Have work(progress, cancel) done and its result given to `then` on the page's clock."""
        self._waiting = (work, then)
        self._start()

    def cancel(self) -> None:
        """Stop what is under way and forget what waits."""
        self._waiting = None
        if self.job is not None:
            self.job.cancel()

    def _start(self) -> None:
        if self.job is None and self._waiting is not None:
            (work, self._then), self._waiting = self._waiting, None
            self.job = Job(work)

    def look(self) -> str:
        """Hand over what is finished; returns what went wrong, if anything did."""
        if self.job is None or not self.job.done:
            return ""
        job, self.job = self.job, None
        newer = self._waiting is not None
        self._start()
        if job.error:
            return "" if newer and job.cancelled else job.error
        if not newer and self._then is not None:
            self._then(job.result)
        return ""
