"""The button's value in the real draw game, followed from stack to stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from solverlab.core.rows import Row, Setting
from solverlab.games.lowball.real import RealLowball
from solverlab.solvers.draw.cfr import DrawCFR

SIGMAS = 3.0


def real_curve(
    stacks: Iterable[float],
    n: int = 25,
    deals: int = 4_000_000,
    tell: Callable[[Row], None] | None = None,
    solver: DrawCFR | None = None,
    **options: Setting,
) -> list[Row]:
    """The button's value against the stack: one row each, solved from where the last stack left off.

    A row holds the value scored on fresh deals of the exact game with its standard error, the bracket of the
    NashConv, and how often everybody goes in. `options` are those of the game; `solver` is one of the same
    deck to start from, and is used up.
    """
    rows: list[Row] = []
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


def value_interval(row: Row) -> tuple[float, float]:
    """Where the value of the game lies: three standard errors, and what both players might still gain."""
    slack = SIGMAS * row["value_error"] + row["upper"]
    return row["value"] - slack, row["value"] + slack


def crossing(rows: Sequence[Row]) -> tuple[float, float, float] | None:
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
