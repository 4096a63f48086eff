"""Ranges as players write them: `66+, AJs+, KQo, AhKh:0.5`.

    AA  AKs  AKo  AK       a pair, suited, offsuit, both
    66+  AJs+  KTo+        and better: higher pairs; a higher second card
    99-66  A5s-A2s         from one to the other; also KTs-K6s, T9s-76s (same gap)
    AhKh                   one combo
    22+:0.5                any of these with a weight, 0 to 1
    random, any, 100%      every hand

Later terms overwrite earlier ones, so `22+, 66:0.25` plays a quarter of the sixes.
"""

from __future__ import annotations

import re

import numpy as np

from solverlab.cards.cards import COMBOS, RANKS, Cards, combo, parse_cards
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE, HAND_CLASS, class_number
from solverlab.core.errors import BadValue

_RANK = "[2-9TJQKAtjqka]"
_CLASS = re.compile(f"({_RANK})({_RANK})([so]?)$", re.IGNORECASE)
_COMBO = re.compile(f"{_RANK}[cdhs]{_RANK}[cdhs]$", re.IGNORECASE)
_EVERY = ("random", "any", "any two", "100%")


class Range:
    """A weight from 0 to 1 for each of the 1,326 combos.

    >>> hands = Range("66+, AJs+, KQo, AhKh:0.5")
    >>> hands.combos, hands["AhKh"], round(hands.share, 4)
    (77.5, 0.5, 0.0584)
    """

    def __init__(self, hands: str | np.ndarray = ""):
        self.text = hands if isinstance(hands, str) else ""
        weight = parse_range(hands) if isinstance(hands, str) else _check_weights(hands)
        self.weight = weight
        self.weight.flags.writeable = False

    @property
    def combos(self) -> float:
        """Weighted number of combos."""
        return float(self.weight.sum())

    @property
    def share(self) -> float:
        """Part of all 1,326 combos."""
        return self.combos / 1326

    @property
    def classes(self) -> np.ndarray:
        """Mean weight of each of the 169 starting hands, float64[169]."""
        return np.bincount(HAND_CLASS, self.weight, minlength=169) / CLASS_SIZE

    def __getitem__(self, hand: Cards) -> float:
        """The weight of a combo such as AhKh, or the mean weight of a class such as AKs."""
        if isinstance(hand, str) and hand in CLASS_NAMES:
            return float(self.classes[class_number(hand)])
        return float(self.weight[combo(*_two(parse_cards(hand), hand))])

    def without(self, cards: Cards) -> Range:
        """The range once these cards are seen elsewhere."""
        blocked = np.isin(COMBOS, parse_cards(cards)).any(axis=1)
        return Range(np.where(blocked, 0.0, self.weight))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weight, other.weight)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Range({self.text!r}: {self.combos:g} combos, {100 * self.share:.1f} %)"


def parse_range(text: str) -> np.ndarray:
    """Weights float64[1326] of a range; an error points at the term that cannot be read."""
    weight = np.zeros(1326)
    at = 0
    for term in text.split(","):
        start = at + len(term) - len(term.lstrip())
        if term.strip():
            _add_term(term.strip(), start, text, weight)
        elif text.strip():
            raise BadValue(f"there is nothing between the commas at position {at + 1} of the range {text!r}")
        at += len(term) + 1
    return weight


def _add_term(term: str, start: int, text: str, weight: np.ndarray) -> None:
    """Set the weight of one term."""
    hands, colon, number = term.partition(":")
    amount = 1.0
    if colon:
        try:
            amount = float(number)
        except ValueError:
            amount = float("nan")
        if not 0 <= amount <= 1:
            raise _points_at(f"the weight {number!r} is no number from 0 to 1", start + len(hands) + 1, text)
    try:
        chosen = _combos_of(hands.strip())
    except BadValue as problem:
        raise _points_at(str(problem), start, text) from problem
    weight[chosen] = amount


def _points_at(problem: str, place: int, text: str) -> BadValue:
    return BadValue(f"{problem} (position {place + 1} of the range {text!r})")


def _combos_of(hands: str) -> np.ndarray:
    """Which combos a term without weight means, bool[1326]."""
    if hands.lower() in _EVERY:
        return np.ones(1326, bool)
    if _COMBO.match(hands.replace(" ", "")):
        chosen = np.zeros(1326, bool)
        chosen[combo(*_two(parse_cards(hands), hands))] = True
        return chosen
    if hands.endswith("+"):
        names = _and_better(*_read_class(hands[:-1], hands))
    elif "-" in hands:
        first, _, last = hands.partition("-")
        names = _from_to(_read_class(first.strip(), hands), _read_class(last.strip(), hands), hands)
    else:
        names = [_read_class(hands, hands)]
    return np.isin(HAND_CLASS, [number for name in names for number in _numbers(*name)])


def _read_class(text: str, term: str) -> tuple[int, int, str]:
    """High rank, low rank and s, o or nothing."""
    match = _CLASS.match(text)
    if match is None:
        raise BadValue(f"{term!r} is no hand; write such as 66+, AJs+, KQo, A5s-A2s or AhKh")
    high, low = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())), reverse=True)
    if high == low and match[3]:
        raise BadValue(f"{text!r} is a pair, which is neither suited nor offsuit; write {text[:2]!r}")
    return high, low, match[3].lower()


def _numbers(high: int, low: int, kind: str) -> list[int]:
    """Class numbers of AK: both AKs and AKo when nothing is said."""
    if high == low:
        return [class_number(RANKS[high] * 2)]
    return [class_number(RANKS[high] + RANKS[low] + letter) for letter in (kind or "so")]


def _and_better(high: int, low: int, kind: str) -> list[tuple[int, int, str]]:
    """Pairs up to aces; otherwise the second card up to just below the first."""
    if high == low:
        return [(rank, rank, "") for rank in range(high, 13)]
    return [(high, second, kind) for second in range(low, high)]


def _from_to(first: tuple, last: tuple, term: str) -> list[tuple[int, int, str]]:
    """99-66, A5s-A2s or T9s-76s: one card the same, or the gap the same."""
    (high, low, kind), (other_high, other_low, other_kind) = first, last
    if kind == other_kind and high == other_high and high != low and other_high != other_low:
        return [(high, rank, kind) for rank in range(min(low, other_low), max(low, other_low) + 1)]
    if kind == other_kind and high - low == other_high - other_low:
        span = range(min(high, other_high), max(high, other_high) + 1)
        return [(rank, rank - high + low, kind) for rank in span]
    raise BadValue(f"{term!r} is no span; write such as 99-66, A5s-A2s or T9s-76s")


def _two(cards: tuple[int, ...], shown: object) -> tuple[int, int]:
    if len(cards) != 2:
        raise BadValue(f"{shown!r} is no hand; a combo is two cards such as AhKh")
    return cards[0], cards[1]


def _check_weights(weight: np.ndarray) -> np.ndarray:
    """Accept 1,326 weights from 0 to 1."""
    found = np.array(weight, dtype=np.float64)
    if found.shape != (1326,) or not ((found >= 0) & (found <= 1)).all():
        raise BadValue(
            f"a range is 1326 weights from 0 to 1, but this is {list(found.shape)} with other numbers"
        )
    return found


def pairs_mass(weights: np.ndarray) -> float:
    """Weight of all pairs of hands that share no card, of ranges float[2, 1326] without the board's
    cards.

    >>> int(pairs_mass(np.ones((2, 1326))))
    1624350
    """
    holds = np.zeros((1326, 52))
    holds[np.arange(1326)[:, None], COMBOS] = 1.0
    one, other = weights.astype(np.float64)
    return float(one.sum() * other.sum() - (one @ holds) @ (other @ holds) + one @ other)
