"""The CFR family as rows of a table: three exponents, a restart and two flags.

One clock for all: after t completed iterations the kept fraction of the old regret is ``t^e / (t^e + 1)`` (e
by sign; inf keeps all, -inf keeps none), the average keeps ``(s / (s + 1))^average`` with s the iterations
since it last started anew (s = t without restarts), and then this iteration's gain is added. The names say
*exponent* because papers use one Greek letter for exponent and factor alike (Brown & Sandholm 2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import NamedTuple

from solverlab.core.errors import BadValue, UnknownName, check_flag

UNSAID = {"restart": 0, "weighted": True}  # as they were before there was a choice: rows of then stay equal


class Rates(NamedTuple):
    """What a kernel needs of a schedule in one iteration: three kept fractions, and two switches (0 or 1)."""

    positive: float
    negative: float
    average: float
    prediction: float
    weighted: float = 1.0


@dataclass(frozen=True)
class Schedule:
    """How a solver forgets: a row of the family, and any other row a user makes up.

    With `restart=4` the average starts anew after 1, 4, 16, 64 ... iterations: early play is dropped at once
    instead of fading. `weighted=False` averages what was played without the player's own reach, which needs
    no reach to be carried; its guarantee needs the weights, restarts make up for them in practice.

    >>> DCFR.rates(1)
    Rates(positive=0.5, negative=0.5, average=0.25, prediction=0.0, weighted=1.0)
    >>> [round(DCFR_R.rates(t).average, 3) for t in range(3, 8)]
    [0.296, 0.0, 0.125, 0.296, 0.422]
    >>> Schedule("mine", positive=2.0, negative=-math.inf, average=3.0).rates(4).positive
    0.9411764705882353
    """

    name: str
    positive: float = math.inf
    negative: float = math.inf
    average: float = 0.0
    predictive: bool = False
    restart: int = 0
    weighted: bool = True

    def __post_init__(self) -> None:
        for label in ("positive", "negative", "average"):
            value = getattr(self, label)
            number = isinstance(value, int | float) and not math.isnan(value)
            if not number or (label == "average" and not (math.isfinite(value) and value >= 0)):
                raise BadValue(
                    f"the {label} exponent is {value!r}; give a number (the average's finite and at least 0)"
                )
        whole = isinstance(self.restart, int) and not isinstance(self.restart, bool)
        if not whole or self.restart < 0 or self.restart == 1:
            raise BadValue(
                f"the average cannot restart at powers of {self.restart!r}; give a whole number of at least "
                "2, or 0 for never"
            )
        check_flag("weighted", self.weighted)

    def rates(self, t: int) -> Rates:
        """Kept fractions for the iteration after `t` completed ones."""
        if self.restart:
            since = t - self.began(t)
            kept_average = 0.0 if self.restarts(t) else (since / (since + 1)) ** self.average
        else:
            kept_average = (t / (t + 1)) ** self.average
        kept = _kept(t, self.positive), _kept(t, self.negative), kept_average
        return Rates(*kept, float(self.predictive), float(self.weighted))

    def began(self, t: int) -> int:
        """When the average that is kept after `t` iterations began: the largest power not above t, or 0.

        >>> [DCFR_R.began(t) for t in (0, 1, 3, 4, 15, 16)], DCFR.began(16)
        ([0, 1, 1, 4, 4, 16], 0)
        """
        if not self.restart or t < 1:
            return 0
        power = 1
        while power * self.restart <= t:
            power *= self.restart
        return power

    def restarts(self, t: int) -> bool:
        """Whether the average starts anew with the iteration after `t` completed ones."""
        return t > 0 and self.began(t) == t

    def weight(self, t: int) -> float:
        """What the iteration after `t` completed ones counts in the average, relative to the others in it.

        Adding ``weight(t)`` times what is played makes the same average as keeping ``rates(t).average``: a
        sampled solver visits few rows, so it lets the weights grow instead of fading all of them.

        >>> [DCFR.weight(t) for t in range(3)], [DCFR_R.weight(t) for t in range(3, 6)]
        ([1.0, 4.0, 9.0], [27.0, 1.0, 8.0])
        """
        return float(t - self.began(t) + 1) ** self.average

    def row(self) -> dict[str, float | int | bool | str]:
        """The row as JSON values (infinite exponents aside), without what a row need not say."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in told.items() if name not in UNSAID or value != UNSAID[name]}


def _kept(t: int, exponent: float) -> float:
    if math.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return t**exponent / (t**exponent + 1) if t > 0 else 0.0


CFR = Schedule("CFR")
CFR_PLUS = Schedule("CFR+", negative=-math.inf, average=1.0)
LCFR = Schedule("LCFR", positive=1.0, negative=1.0, average=1.0)
DCFR = Schedule("DCFR", positive=1.5, negative=0.0, average=2.0)
DCFR_R = Schedule("DCFR-R", positive=1.5, negative=0.0, average=3.0, restart=4, weighted=False)
PCFR_PLUS = Schedule("PCFR+", negative=-math.inf, average=2.0, predictive=True)

SCHEDULES = {row.name: row for row in (CFR, CFR_PLUS, LCFR, DCFR, PCFR_PLUS, DCFR_R)}


def schedule_named(schedule: str | Schedule) -> Schedule:
    """A row of the family by name; a Schedule is passed through."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise UnknownName("schedule", schedule, SCHEDULES)
    return SCHEDULES[schedule]
