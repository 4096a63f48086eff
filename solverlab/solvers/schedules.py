"""The CFR family as rows of a table: three exponents and a flag.

One clock for all: after t completed iterations the kept fraction of the old regret is ``t^e / (t^e + 1)`` (e
by sign; inf keeps all, -inf keeps none), the average keeps ``(t / (t + 1))^average``, and then this
iteration's gain is added. The names say *exponent* because papers use one Greek letter for exponent and
factor alike (Brown & Sandholm 2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from solverlab.core.errors import BadValue, UnknownName


class Rates(NamedTuple):
    """What a kernel needs of a schedule in one iteration: three kept fractions, the prediction's weight."""

    positive: float
    negative: float
    average: float
    prediction: float


@dataclass(frozen=True)
class Schedule:
    """How a solver forgets: a row of the family, and any other row a user makes up.

    >>> DCFR.rates(1)
    Rates(positive=0.5, negative=0.5, average=0.25, prediction=0.0)
    >>> Schedule("mine", positive=2.0, negative=-math.inf, average=3.0).rates(4).positive
    0.9411764705882353
    """

    name: str
    positive: float = math.inf
    negative: float = math.inf
    average: float = 0.0
    predictive: bool = False

    def __post_init__(self) -> None:
        for label in ("positive", "negative", "average"):
            value = getattr(self, label)
            number = isinstance(value, int | float) and not math.isnan(value)
            if not number or (label == "average" and not (math.isfinite(value) and value >= 0)):
                raise BadValue(
                    f"the {label} exponent is {value!r}; give a number (the average's finite and at least 0)"
                )

    def rates(self, t: int) -> Rates:
        """Kept fractions for the iteration after `t` completed ones."""
        kept_average = (t / (t + 1)) ** self.average
        return Rates(_kept(t, self.positive), _kept(t, self.negative), kept_average, float(self.predictive))


def _kept(t: int, exponent: float) -> float:
    if math.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return t**exponent / (t**exponent + 1) if t > 0 else 0.0


CFR = Schedule("CFR")
CFR_PLUS = Schedule("CFR+", negative=-math.inf, average=1.0)
LCFR = Schedule("LCFR", positive=1.0, negative=1.0, average=1.0)
DCFR = Schedule("DCFR", positive=1.5, negative=0.0, average=2.0)
PCFR_PLUS = Schedule("PCFR+", negative=-math.inf, average=2.0, predictive=True)

SCHEDULES = {row.name: row for row in (CFR, CFR_PLUS, LCFR, DCFR, PCFR_PLUS)}


def schedule_named(schedule: str | Schedule) -> Schedule:
    """A row of the family by name; a Schedule is passed through."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise UnknownName("schedule", schedule, SCHEDULES)
    return SCHEDULES[schedule]
