"""Solver threads take turns: a few slices run at once, and whoever waited longest goes next."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Gate:
    """At most `width` slices at once, first come first served, so thirty students share two cores evenly."""

    def __init__(self, width: int | None = None):
        self.width = width or max(1, (os.cpu_count() or 2) - 1)
        self._inside = 0
        self._waiting: deque[object] = deque()
        self._changed = Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, run the body, let the next one in."""
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            self._changed.wait_for(lambda: self._inside < self.width and self._waiting[0] is ticket)
            self._waiting.popleft()
            self._inside += 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()


SHARED_GATE = Gate()
