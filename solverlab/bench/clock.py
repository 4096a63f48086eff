"""A stopwatch for a noisy machine: everybody runs in turn, several times, by wall clock and by CPU time."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Work = Callable[[int], object]
"""Does its job `count` times when called with `count`."""


@dataclass(frozen=True)
class Timing:
    """Seconds for one unit of work, one number a sample: by the clock on the wall and by the processor."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    @property
    def best(self) -> float:
        return min(self.wall)

    @property
    def cpu_median(self) -> float:
        return statistics.median(self.cpu)

    def shared(self, parts: float) -> Timing:
        """The time of one of so many equal parts.

        >>> Timing(wall=(1.0,), cpu=(2.0,)).shared(4)
        Timing(wall=(0.25,), cpu=(0.5,))
        """
        return Timing(*(tuple(used / parts for used in clock) for clock in (self.wall, self.cpu)))

    @property
    def spread(self) -> float:
        """How far the samples lie apart, as a fraction of the median.

        >>> Timing(wall=(1.0, 2.0, 3.0), cpu=(1.0, 1.0, 1.0)).spread
        1.0
        """
        return (max(self.wall) - min(self.wall)) / self.median


def sample(work: Work, count: int) -> tuple[float, float]:
    """Wall and CPU seconds for `count` units of work, with the garbage collector out of the way."""
    gc.disable()
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        work(count)
        return time.perf_counter() - wall, time.process_time() - cpu
    finally:
        gc.enable()


def calibrate(work: Work, seconds: float) -> int:
    """How many units fill about `seconds`; trying it out is also the warm-up (compilers, caches)."""
    work(1)
    count = 1
    while True:
        wall, _ = sample(work, count)
        if wall >= seconds / 4:
            return max(1, round(count * seconds / max(wall, 1e-9)))
        count *= 4


def race(works: Mapping[str, Work], seconds: float, repeats: int) -> dict[str, Timing]:
    """Time everybody in turn, `repeats` rounds of about `seconds` each, so that noise hits all alike."""
    counts = {name: calibrate(work, seconds) for name, work in works.items()}
    taken = {name: [] for name in works}
    for _ in range(repeats):
        gc.collect()
        for name, work in works.items():
            taken[name].append(tuple(used / counts[name] for used in sample(work, counts[name])))
    return {name: Timing(*zip(*samples, strict=True)) for name, samples in taken.items()}
