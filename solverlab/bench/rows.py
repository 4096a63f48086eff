"""What a measurement is: one row, in seconds for one unit of work, so that less is always better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from solverlab.bench.clock import Timing

OUR_NAME = "solverlab"


@dataclass(frozen=True)
class Row:
    """One contestant on one task: `measure` is what was timed, `shown_as` how people read it.

    That is "seconds", "rate" (how many a second), or the unit of a number that is no time ("bytes").
    """

    suite: str
    task: str
    measure: str
    contestant: str
    timing: Timing
    shown_as: str = "seconds"
    iterations: int | None = None
    extrapolated: bool = False
    note: str = ""

    def record(self) -> dict[str, object]:
        """The row as plain JSON values."""
        timing = self.timing
        return {
            **{key: value for key, value in asdict(self).items() if key != "timing"},
            "seconds_median": timing.median,
            "seconds_best": timing.best,
            "cpu_seconds_median": timing.cpu_median,
            "per_second": 1 / timing.median,
            "samples": len(timing.wall),
            "spread": timing.spread,
        }


@dataclass(frozen=True)
class Ratio:
    """Our row beside a peer's: `our_over_peer` compares seconds, `times_faster` is its inverse."""

    ours: Row
    peer: Row

    @property
    def times_faster(self) -> float:
        return self.peer.timing.median / self.ours.timing.median

    def record(self) -> dict[str, object]:
        ours, peer = self.ours.timing, self.peer.timing
        return {
            "suite": self.peer.suite,
            "task": self.peer.task,
            "measure": self.peer.measure,
            "peer": self.peer.contestant,
            "our_seconds": ours.median,
            "peer_seconds": peer.median,
            "our_over_peer": ours.median / peer.median,
            "times_faster": self.times_faster,
            "times_faster_best": peer.best / ours.best,
            "times_faster_cpu": peer.cpu_median / ours.cpu_median,
            "extrapolated": self.peer.extrapolated,
        }


def ratios(rows: Iterable[Row]) -> Iterator[Ratio]:
    """Every peer's row beside our row of the same suite, task and measure."""
    rows = list(rows)
    ours = {(row.suite, row.task, row.measure): row for row in rows if row.contestant == OUR_NAME}
    for row in rows:
        mine = ours.get((row.suite, row.task, row.measure))
        if mine is not None and row.contestant != OUR_NAME:
            yield Ratio(mine, row)
