"""Which leaves of a truncated tree grow next: k a position and epoch, each with its reason.

The document: pick leaf nodes with the greatest probability of activity and/or the greatest EV, and expand
them one more level. It suggests probability first and EV second, and leaves open how many. Another rule is a
class here and a line in RULES.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue

DIGITS = 12  # numbers that agree so far are equal: the rest is rounding


class Expanded(NamedTuple):
    """One expansion: the node that grew by a level, in whose tree (position and hand), and why.

    `kind` is what the leaf became (action, passive or deal), `added` how many children it has.
    """

    node: int
    position: str
    hand: str
    reason: str
    kind: str
    added: int


@dataclass(frozen=True)
class FrontierRule(ABC):
    """A rule that orders the leaves of one position, of which the first k grow."""

    k: int

    def __post_init__(self) -> None:
        check_k(self.k)

    @abstractmethod
    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        """The places of all leaves, best first; among equals the earlier leaf comes first."""

    @abstractmethod
    def reason(self, place: int, reach: float, ev: float) -> str:
        """Why a leaf was chosen, ending with its EV: the error of a sampled one follows."""


class MostReached(FrontierRule):
    """The k leaves of a position that play reaches most; among equals those with the highest EV.

    >>> MostReached(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([9.0, 0.2, 0.7])).tolist()
    [2, 1, 0]
    """

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.lexsort((-ev.round(DIGITS), -reach.round(DIGITS)))

    def reason(self, place: int, reach: float, ev: float) -> str:
        return f"number {place} of its position by reach {reach:.4g}, then EV {round(ev, DIGITS):+.4g}"


class HighestEV(FrontierRule):
    """The k leaves of a position with the highest EV; among equals those that play reaches most.

    >>> HighestEV(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([9.0, 0.2, 0.7])).tolist()
    [0, 2, 1]
    """

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.lexsort((-reach.round(DIGITS), -ev.round(DIGITS)))

    def reason(self, place: int, reach: float, ev: float) -> str:
        return f"number {place} of its position by EV, then reach {reach:.4g}: EV {round(ev, DIGITS):+.4g}"


class MostAtStake(FrontierRule):
    """The k leaves of a position with the most at stake, reach times |EV|; among equals the most reached.

    >>> MostAtStake(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([-3.0, 0.2, 1.5])).tolist()
    [2, 0, 1]
    """

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.lexsort((-reach.round(DIGITS), -np.abs(reach * ev).round(DIGITS)))

    def reason(self, place: int, reach: float, ev: float) -> str:
        stake = f"{abs(reach * ev):.4g} at stake, reach {reach:.4g} times EV {round(ev, DIGITS):+.4g}"
        return f"number {place} of its position by {stake}"


class Oldest(FrontierRule):
    """The k leaves of a position that have waited longest, breadth first: a control that looks at nothing.

    Leaves come in the order of their nodes. A hold'em forest numbers nodes as they grow; a small game numbers
    its whole tree level by level, so the shallowest come first. Among leaves of one age the order is that of
    the game's hands and actions, which means nothing.

    >>> Oldest(k=2).order(np.array([0.5, 1.0, 1.0]), np.array([9.0, 0.2, 0.7])).tolist()
    [0, 1, 2]
    """

    def order(self, reach: np.ndarray, ev: np.ndarray) -> np.ndarray:
        return np.arange(len(reach))

    def reason(self, place: int, reach: float, ev: float) -> str:
        return f"number {place} of its position by age; reach {reach:.4g}, EV {round(ev, DIGITS):+.4g}"


RULES: dict[str, type[FrontierRule]] = {
    kind.__name__: kind for kind in (MostReached, HighestEV, MostAtStake, Oldest)
}


def check_k(k: object) -> None:
    """A whole number of leaves a position and epoch."""
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 1:
        raise BadValue(f"cannot expand {k!r} leaves a position; give a whole number of at least 1")


def check_frontier(rule: object) -> FrontierRule:
    if not isinstance(rule, FrontierRule) or type(rule) not in RULES.values():  # others could not be saved
        *most, last = (f"sl.{name}(k)" for name in RULES)
        raise BadValue(f"{rule!r} is no frontier rule; use {', '.join(most)} or {last}")
    return rule


def rule_config(rule: FrontierRule | None) -> list[str | int] | None:
    """A rule as JSON values.

    >>> rule_config(MostReached(k=4)), rule_from(["MostReached", 4])
    (['MostReached', 4], MostReached(k=4))
    """
    return None if rule is None else [type(rule).__name__, int(rule.k)]


def rule_from(config: object) -> FrontierRule | None:
    """The rule again, or one sentence."""
    if config is None:
        return None
    if not isinstance(config, list | tuple) or len(config) != 2 or config[0] not in tuple(RULES):
        raise BadValue(f"{config!r} is no frontier rule; write one of {', '.join(RULES)} and a number")
    return RULES[config[0]](config[1])
