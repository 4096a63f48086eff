"""Drive a solver of the real draw game, and follow the button's value from stack to stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Status
from solverlab.games.lowball_real import RealLowball
from solverlab.run.stopping import Until, below, iterations
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.snapshot import DrawSnapshot

SIGMAS = 3.0


def run_real(
    solver: DrawCFR | SampledDraw, every: int = 5, until: Until | None = None, deals: int = 400_000
) -> Iterator[DrawSnapshot]:
    """Step a solver and yield a measured snapshot every so many iterations, until a limit is met.

    `nash_conv` of a snapshot is the upper end of its bracket, in big blinds; `lower` the lower one.

    >>> solver = DrawCFR(RealLowball(stack=3, cards=2), threads=1)
    >>> snaps = list(run_real(solver, every=10, until=iterations(20), deals=1000))
    >>> [snap.iteration for snap in snaps], snaps[-1].metrics["model_nash_conv"] < 0.05
    ([10, 20], True)
    """
    until = iterations(60) | below("nash_conv", 0.005) if until is None else until
    if until == Until():
        raise BadValue("a run without any limit never ends; give iterations, seconds or a target")
    if isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise BadValue(f"cannot look every {every!r} iterations; give a whole number of at least 1")
    return _drive(solver, every, until, deals)


def _drive(solver: DrawCFR | SampledDraw, every: int, until: Until, deals: int) -> Iterator[DrawSnapshot]:
    while True:
        most = every if until.iterations is None else min(every, until.iterations - solver.iteration)
        snap = solver.measure(solver.step(max(most, 0)), deals)
        snap = snap.measured({"exploitability": snap.exploitability})
        reason = until.reason(snap)  # type: ignore[arg-type]  # it reads clocks and metrics only
        yield snap if reason is None else snap.measured({}, reason)
        if reason in (Status.REACHED, Status.STOPPED):
            return


def real_curve(
    stacks: Iterable[float],
    n: int = 25,
    deals: int = 4_000_000,
    tell: Callable[[dict[str, Any]], None] | None = None,
    solver: DrawCFR | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """The button's value against the stack: one row each, solved from where the last stack left off.

    A row holds the value scored on fresh deals of the exact game with its standard error, the bracket of the
    NashConv, and how often everybody goes in. `options` are those of the game; `solver` is one of the same
    deck to start from, and is used up.
    """
    rows: list[dict[str, Any]] = []
    for stack in stacks:
        game = RealLowball(stack, **options)
        if solver is None:
            solver = DrawCFR(game)
            solver.advance(n)
        else:
            solver = solver.moved(game)
        snap = solver.measure(solver.step(n), deals, rng=int(1000 * stack))
        rows.append({"stack": float(stack), **snap.metrics, **snap.frequencies(), "seconds": solver.seconds})
        if tell is not None:
            tell(rows[-1])
    return rows


def value_interval(row: dict[str, Any]) -> tuple[float, float]:
    """Where the value of the game lies: three standard errors, and what both players might still gain."""
    slack = SIGMAS * row["value_error"] + row["upper"]
    return row["value"] - slack, row["value"] + slack


def crossing(rows: Sequence[dict[str, Any]]) -> tuple[float, float, float] | None:
    """The stack where the button's value falls through zero: (low, best guess, high), or None.

    Straight lines between neighbouring stacks; the interval is where the ends of `value_interval` cross.

    >>> row = lambda stack, value: {"stack": stack, "value": value, "value_error": 0.001, "upper": 0.0}
    >>> [round(end, 6) for end in crossing([row(2.0, 0.1), row(4.0, -0.1)])]
    [2.97, 3.0, 3.03]
    """
    rows = sorted(rows, key=lambda row: row["stack"])
    stacks = np.array([row["stack"] for row in rows])
    ends = np.array([[value_interval(row)[0], row["value"], value_interval(row)[1]] for row in rows])
    found = [_falls_through(stacks, ends[:, k]) for k in range(3)]
    if any(place is None for place in found):
        return None
    low, middle, high = (float(place) for place in found if place is not None)
    return low, middle, high


def _falls_through(stacks: np.ndarray, values: np.ndarray) -> float | None:
    for k in range(len(stacks) - 1):
        if values[k] > 0 >= values[k + 1]:
            part = values[k] / (values[k] - values[k + 1])
            return float(stacks[k] + part * (stacks[k + 1] - stacks[k]))
    return None
