"""What a solver of the draw game shows of itself: clocks, both players' average strategies, hands by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

import numpy as np

from solverlab.cards.cards import Cards, card_text, parse_cards
from solverlab.cards.lowball_sets import HandSets, class_of
from solverlab.core.errors import BadValue, NotMeasured
from solverlab.core.rows import Metrics, Row
from solverlab.core.snapshot import Status
from solverlab.solvers.draw.policy import DrawPolicy, draw_frequencies

LEAST_SHOWN = 5e-4  # discards rarer than this are left out of a plan


@dataclass(frozen=True)
class Plan:
    """What to do with one hand. Discards are named by the cards thrown away, "" being none."""

    hand: str
    push: float
    call: float
    big_blind: Mapping[str, float]
    button: tuple[Mapping[str, float], ...]  # by the number of cards the big blind was seen to draw


class MeasuredSnapshot:
    """What snapshots of all draw games can say of themselves: the numbers measured, once they are."""

    iteration: int
    seconds: float
    metrics: Metrics
    status: Status

    @property
    def value(self) -> float:
        """The button's value in big blinds, as last measured."""
        return self._measured("value")

    @property
    def nash_conv(self) -> float:
        """The distance from equilibrium, both players' gains together, as last measured."""
        return self._measured("nash_conv")

    @property
    def exploitability(self) -> float:
        """Half the NashConv: the mean gain of a best response."""
        return self.nash_conv / 2

    def measured(self, metrics: Metrics, status: Status | None = None) -> Self:
        """The same snapshot with more numbers known about it."""
        known = MappingProxyType({**self.metrics, **metrics})
        return replace(self, metrics=known, status=status or self.status)  # type: ignore[type-var]

    def _measured(self, name: str) -> float:
        if name not in self.metrics:
            raise NotMeasured(f"{name} was not measured; call solver.measure(snap) to know it")
        return float(self.metrics[name])

    def __repr__(self) -> str:
        numbers = "".join(f", {name}={value:.4g}" for name, value in self.metrics.items() if _plain(value))
        return f"{type(self).__name__}(iteration={self.iteration}, seconds={self.seconds:.3g}{numbers})"


@dataclass(frozen=True, eq=False, repr=False)
class DrawSnapshot(MeasuredSnapshot):
    """A frozen view: three clocks, the average policy, what was measured, and plans hand by hand."""

    iteration: int
    seconds: float
    touched: int
    policy: DrawPolicy
    sets: HandSets
    metrics: Metrics = field(default_factory=lambda: MappingProxyType({}))
    status: Status = Status.RUNNING
    events: tuple[object, ...] = ()

    def frequencies(self) -> Row:
        """How often the button pushes, the big blind calls, and a caller draws 0..n cards."""
        weight = self.sets.weight
        push, call = (float(weight @ table) for table in (self.policy.push, self.policy.call))
        return {"push": push, "call": call, "draws": draw_frequencies(self.policy, weight).tolist()}

    def plan(self, hand: Cards) -> Plan:
        """What both players do with a hand, such as "7s5h4d3c2c"."""
        number, own = find_hand(self.sets, hand)
        button = tuple(discards_of(table[number], own) for table in self.policy.second)
        return Plan(
            hand_text(own),
            float(self.policy.push[number]),
            float(self.policy.call[number]),
            discards_of(self.policy.first[number], own),
            button,
        )


def find_hand(sets: HandSets, hand: Cards) -> tuple[int, np.ndarray]:
    """The class of a hand and its cards in the order of the class."""
    cards = np.array(parse_cards(hand), np.int64)
    if len(cards) != sets.cards:
        raise BadValue(f"a hand here has {sets.cards} cards, but {hand!r} has {len(cards)}")
    outside = [card for card in cards if card not in sets.deck]
    if outside:
        raise BadValue(f"{card_text(outside[0])} of {hand!r} is not in this deck of {len(sets.deck)} cards")
    places = np.empty(len(cards), np.int64)
    number = class_of(cards, sets.number, sets.renaming, places)
    own = np.empty(len(cards), np.int64)
    own[places] = cards
    return int(number), own


def hand_text(own: np.ndarray) -> str:
    """A hand as it is written, the highest card first."""
    return "".join(card_text(card) for card in sorted(own, reverse=True))


def discards_of(row: np.ndarray, own: np.ndarray) -> Mapping[str, float]:
    """Probabilities by the cards thrown away, the likeliest first."""
    found: dict[str, float] = {}
    for mask in np.argsort(-row, kind="stable"):
        if row[mask] >= LEAST_SHOWN:
            thrown = sorted((card for k, card in enumerate(own) if not mask >> k & 1), reverse=True)
            found["".join(card_text(card) for card in thrown)] = float(row[mask])
    return MappingProxyType(found)


def _plain(value: object) -> bool:
    return isinstance(value, float) and not isinstance(value, bool)
