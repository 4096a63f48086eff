"""Which leaves of a truncated tree grow next: k a position and epoch, each with its reason.

The document: pick leaf nodes with the greatest probability of activity and/or the greatest EV, and expand
them one more level. It suggests probability first and EV second, and leaves open how many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from solverlab.core.errors import BadValue

DIGITS = 12  # numbers that agree so far are equal: the rest is rounding


class Expanded(NamedTuple):
    """One expansion: the node that grew by a level, in whose tree (position and hand), and why."""

    node: int
    position: str
    hand: str
    reason: str


class Frontier(Protocol):
    """A rule that orders the leaves of one position."""

    @property
    def k(self) -> int: ...

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        """The places of all leaves, best first; among equals the earlier leaf comes first."""


@dataclass(frozen=True)
class MostReached:
    """The k leaves of a position that play reaches most; among equals those with the highest EV.

    >>> MostReached(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([9.0, 0.2, 0.7])).tolist()
    [2, 1, 0]
    """

    k: int

    def __post_init__(self) -> None:
        check_k(self.k)

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.lexsort((-ev.round(DIGITS), -reach.round(DIGITS)))

    def reason(self, place: int, reach: float, ev: float) -> str:
        return f"number {place} of its position by reach {reach:.4g}, then EV {round(ev, DIGITS):+.4g}"


@dataclass(frozen=True)
class HighestEV:
    """The k leaves of a position with the highest EV; among equals those that play reaches most.

    >>> HighestEV(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([9.0, 0.2, 0.7])).tolist()
    [0, 2, 1]
    """

    k: int

    def __post_init__(self) -> None:
        check_k(self.k)

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.lexsort((-reach.round(DIGITS), -ev.round(DIGITS)))

    def reason(self, place: int, reach: float, ev: float) -> str:
        return f"number {place} of its position by EV {round(ev, DIGITS):+.4g}, then reach {reach:.4g}"


def check_k(k: object) -> None:
    """A whole number of leaves a position and epoch."""
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 1:
        raise BadValue(f"cannot expand {k!r} leaves a position; give a whole number of at least 1")


def check_frontier(rule: object) -> MostReached | HighestEV:
    if not isinstance(rule, MostReached | HighestEV):
        raise BadValue(f"{rule!r} is no frontier rule; use sl.MostReached(k) or sl.HighestEV(k)")
    return rule


def rule_config(rule: MostReached | HighestEV | None) -> list[str | int] | None:
    """A rule as JSON values.

    >>> rule_config(MostReached(k=4)), rule_from(["MostReached", 4])
    (['MostReached', 4], MostReached(k=4))
    """
    return None if rule is None else [type(rule).__name__, int(rule.k)]


def rule_from(config: Any) -> MostReached | HighestEV | None:
    """The rule again, or one sentence."""
    if config is None:
        return None
    known = {kind.__name__: kind for kind in (MostReached, HighestEV)}
    if not isinstance(config, list | tuple) or len(config) != 2 or config[0] not in known:
        raise BadValue(f"{config!r} is no frontier rule; write one of {', '.join(known)} and a number")
    return known[config[0]](config[1])
