"""How far a solve is: one line on a terminal with a bar, rewritten as the run goes on."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from solverlab.run import Until

WIDTH = 20


class Progress:
    """Silent where nobody watches; `measure` is the number that tells the distance from equilibrium."""

    def __init__(self, measure: str, until: Until | None = None, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self.measure, self.until, self.width = measure, until, 0
        self.far = ""

    def show(self, snap: Any) -> None:
        """A measured snapshot."""
        numbers = snap.metrics[self.measure]
        far = max(numbers) if isinstance(numbers, tuple) else numbers
        self.far = f", {WORDS.get(self.measure, self.measure)} {far:.3g}"
        self.tick(snap.iteration, snap.seconds)

    def tick(self, iteration: int, seconds: float) -> None:
        """The clocks alone; the distance stays the one measured last."""
        self._write(f"{self._bar(iteration, seconds)}{iteration:,} iterations, {seconds:.1f} s{self.far}")

    def clear(self) -> None:
        """Leave an empty line."""
        self._write("")
        if self.width:
            self.stream.write("\r")

    def _bar(self, iteration: int, seconds: float) -> str:
        part = share(self.until, iteration, seconds)
        if part is None:
            return ""
        full = round(WIDTH * part)
        return f"[{'#' * full}{'.' * (WIDTH - full)}] "

    def _write(self, text: str) -> None:
        if self.stream.isatty():
            self.stream.write("\r" + text.ljust(self.width))
            self.stream.flush()
            self.width = max(self.width, len(text))


WORDS = {
    "deviation_gains": "largest deviation gain",
    "nash_conv": "NashConv at most",
}


def share(until: Until | None, iteration: int, seconds: float) -> float | None:
    """How much of the limits is used up, from 0 to 1; None when only a target ends the run.

    >>> share(Until(iterations=40), 10, 3.0), share(Until(seconds=2.0), 10, 3.0), share(Until(), 10, 3.0)
    (0.25, 1.0, None)
    """
    if until is None:
        return None
    parts = [iteration / until.iterations] if until.iterations else []
    parts += [seconds / until.seconds] if until.seconds else []
    return min(max(parts), 1.0) if parts else None
