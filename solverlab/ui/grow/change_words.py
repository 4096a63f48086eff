"""Which change of a sweep the test of convergence looks at, as a number and in words."""

from __future__ import annotations

import math

from solverlab.core.rows import Row
from solverlab.solvers.growing.settings import change_tested

NAMES = {"absolute": "absolute change", "relative": "relative change"}
MOVED = {"absolute": "moved by more than {}", "relative": "moved by more than {} of what it was"}


def looked_at(row: Row, test: str) -> float:
    """The number of a sweep that a test looks at; a row that knows only one change tells that one.

    >>> row = {"change": 0.01, "relative_change": 0.5}
    >>> [looked_at(row, test) for test in NAMES], looked_at({"change": 0.25}, "relative")
    ([0.01, 0.5], 0.25)
    """
    absolute = row.get("change")
    if absolute is None:
        return math.nan
    relative = row.get("relative_change")
    return change_tested((absolute, absolute if relative is None else relative), test)


def at_rest(limit: float, test: str) -> str:
    """What a test says when it is met.

    >>> at_rest(1e-6, "relative")
    'no probability moved by more than 1e-06 of what it was'
    """
    return f"no probability {MOVED[test].format(f'{limit:.3g}')}"
