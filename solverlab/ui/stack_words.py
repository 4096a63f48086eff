"""A stack as people type it."""

from __future__ import annotations

import math


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
