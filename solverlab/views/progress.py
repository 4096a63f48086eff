"""How far a run is: one bar, on a terminal a line that is rewritten, in a notebook a widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from tqdm.autonotebook import tqdm as bar_here  # a widget in a notebook, a line of text elsewhere
from tqdm.std import tqdm as text_bar

from solverlab.core.snapshot import Snapshot
from solverlab.run import Until

WORDS = {
    "deviation_gains": "largest deviation gain",
    "nash_conv": "NashConv at most",
}
DISTANCES = ("exploitability", "deviation_gains", "nash_conv")
FORMAT = "{percentage:3.0f}%|{bar:20}| {desc}, {remaining} left"
ENDLESS = "{desc}"  # only a target ends the run, and nobody knows when it is reached


class Bar:
    """A share from 0 to 1 with words beside it; silent where nobody watches, gone when it is closed."""

    def __init__(self, stream: TextIO | None = None, form: str = FORMAT):
        notebook = stream is None and bar_here is not text_bar
        made = bar_here if notebook else text_bar
        silent = False if notebook else None  # None: silent unless the stream is a terminal
        # With a delay nothing is written before there is something to tell.
        self.bar = made(total=1.0, file=stream, leave=False, disable=silent, bar_format=form, delay=1e-9)

    def tell(self, share: float | None, words: str) -> None:
        """Show a share (None where it is not known) and what is going on."""
        self.bar.n = min(max(share or 0.0, 0.0), 1.0)
        self.bar.set_description_str(words)

    def close(self) -> None:
        """Leave an empty line."""
        self.bar.close()


class Progress:
    """The bar of a run; `measure` is the number that tells the distance from equilibrium."""

    def __init__(self, measure: str, until: Until | None = None, stream: TextIO | None = None):
        self.measure, self.until, self.far = measure, until, ""
        self.bar = Bar(stream, ENDLESS if share(until, 0, 0.0) is None else FORMAT)

    def show(self, snap: Snapshot) -> None:
        """A measured snapshot."""
        numbers = snap.metrics[self.measure]
        far = max(numbers) if isinstance(numbers, tuple) else numbers
        self.far = f", {WORDS.get(self.measure, self.measure)} {far:.3g}"
        self.tick(snap.iteration, snap.seconds)

    def tick(self, iteration: int, seconds: float) -> None:
        """The clocks alone; the distance stays the one measured last."""
        words = f"{iteration:,} iterations, {seconds:.1f} s{self.far}"
        self.bar.tell(share(self.until, iteration, seconds), words)

    def clear(self) -> None:
        """Leave an empty line."""
        self.bar.close()


def progress(snapshots: Iterable[Snapshot], until: Until | None = None) -> Iterator[Snapshot]:
    """Pass the snapshots of a run on, and show how far it is: a bar where `until` names a limit.

    >>> import solverlab as sl
    >>> limit = sl.iterations(30)
    >>> for snap in sl.progress(sl.run(sl.CFR(sl.Kuhn()), every=10, until=limit), limit):
    ...     print(snap.iteration, end=" ")
    10 20 30
    """
    shown: Progress | None = None
    try:
        for snap in snapshots:
            measured = next((name for name in DISTANCES if name in snap.metrics), "")
            shown = shown or Progress(measured, until)
            if shown.measure:
                shown.show(snap)
            else:
                shown.tick(snap.iteration, snap.seconds)
            yield snap
    finally:
        if shown is not None:
            shown.clear()


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
