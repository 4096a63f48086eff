"""A range as players write it, from the weights of the 169 starting hands; `Range` reads it back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solverlab.cards.cards import RANKS
from solverlab.cards.hand_classes import class_number

STEPS = 100  # a weight is written in hundredths


def range_text(classes: np.ndarray) -> str:
    """Whole hands in spans, then those played only sometimes with their weight in hundredths.

    >>> weights = np.zeros(169)
    >>> held = [class_number(hand) for hand in ("AA", "KK", "AKs", "AQs", "T9s", "98o")]
    >>> weights[held] = 1, 1, 1, 1, 1, 0.25
    >>> range_text(weights)
    'KK+, AQs+, T9s, 98o:0.25'
    >>> range_text(np.ones(169)), range_text(np.zeros(169))
    ('100%', '')
    """
    hundredths = np.rint(STEPS * np.asarray(classes, np.float64)).astype(int)
    if (hundredths == STEPS).all():
        return "100%"
    whole, sometimes = [], []
    for line in _lines():
        weights = [int(hundredths[class_number(hand)]) for hand in line]
        whole += list(_spans(line, weights))
        sometimes += [f"{h}:{w / STEPS:g}" for h, w in zip(line, weights, strict=True) if 0 < w < STEPS]
    return ", ".join(whole + sometimes)


def _lines() -> Iterator[list[str]]:
    """Hands that one span may join, the best first: pairs, then AK to A2 suited, and so on."""
    best_first = RANKS[::-1]
    yield [rank * 2 for rank in best_first]
    for kind in "so":
        for place, high in enumerate(best_first[:-1]):
            yield [high + low + kind for low in best_first[place + 1 :]]


def _spans(line: list[str], weights: list[int]) -> Iterator[str]:
    """Runs of hands that are always played: `99+` from the best on, `A5s-A2s` within the line."""
    start = None
    for place, weight in enumerate([*weights, 0]):
        if weight == STEPS and start is None:
            start = place
        elif weight != STEPS and start is not None:
            first, last = line[start], line[place - 1]
            yield last if first == last else f"{last}+" if start == 0 else f"{first}-{last}"
            start = None
