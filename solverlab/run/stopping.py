"""When to stop: small values joined by `|`, as in ``iterations(1000) | below("exploitability", 1e-3)``."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Status
from solverlab.core.solver import SolverSnapshot


@dataclass(frozen=True)
class Until:
    """Stop when any limit is met: iterations, seconds of solving, or a metric at or below a target."""

    iterations: int | None = None
    seconds: float | None = None
    targets: tuple[tuple[str, float], ...] = ()

    def __or__(self, other: Until) -> Until:
        return Until(
            _smaller(self.iterations, other.iterations),
            _smaller(self.seconds, other.seconds),
            self.targets + other.targets,
        )

    def reason(self, snap: SolverSnapshot) -> Status | None:
        """Why to stop here, or None to go on."""
        if any(_largest(snap.metrics[name]) <= target for name, target in self.targets):
            return Status.REACHED
        if self.iterations is not None and snap.iteration >= self.iterations:
            return Status.STOPPED
        if self.seconds is not None and snap.seconds >= self.seconds:
            return Status.STOPPED
        return None


def iterations(n: int) -> Until:
    """Stop after `n` iterations in all (a resumed solver counts from its beginning)."""
    if not isinstance(n, int) or n < 0:
        raise BadValue(f"cannot stop after {n!r} iterations; give a whole number of at least 0")
    return Until(iterations=n)


def seconds(s: float) -> Until:
    """Stop after `s` seconds of solving."""
    if not (math.isfinite(s) and s >= 0):
        raise BadValue(f"cannot stop after {s!r} seconds; give a number of at least 0")
    return Until(seconds=float(s))


def below(metric: str, target: float) -> Until:
    """Stop when a metric is at or below `target` (with several numbers: the largest of them)."""
    if not (math.isfinite(target) and target >= 0):
        raise BadValue(f"the target {target!r} for {metric} cannot be met; give a number of at least 0")
    return Until(targets=((metric, float(target)),))


def _smaller(one: float | None, other: float | None):
    return other if one is None else one if other is None else min(one, other)


def _largest(value: float | tuple[float, ...]) -> float:
    return max(value) if isinstance(value, tuple) else value
