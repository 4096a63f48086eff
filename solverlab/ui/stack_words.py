"""A stack as people type it."""

from __future__ import annotations

import math

from solverlab.core.errors import LONGEST_TOLD, BadValue

LARGEST = 100.0  # big blinds one may type; sliders end earlier


def big_blinds(word: str) -> float:
    """Big blinds to a hundredth, with a point or a comma, with or without BB; NaN for what is no number.

    >>> big_blinds(" 7,5 "), big_blinds("12 BB"), big_blinds("1_0")
    (7.5, 12.0, nan)
    """
    text = word.strip().lower().removesuffix("bb").strip().replace(",", ".")
    try:
        return round(float(text), 2) if text.isascii() and "_" not in text else math.nan
    except (ValueError, OverflowError):
        return math.nan


def read_stack(word: str) -> float:
    """A stack in big blinds, to a hundredth, that leaves something to go all-in with.

    >>> read_stack(" 7,5 "), read_stack("4 BB")
    (7.5, 4.0)
    """
    value = big_blinds(word)
    if not 1 < value <= LARGEST:
        raise BadValue(
            f"the stack is {word[:LONGEST_TOLD]!r}; give a number of big blinds from 1.01 to {LARGEST:g}"
        )
    return value
