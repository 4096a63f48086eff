"""Buckets of equal weight: how many there may be, and where one ends and the next begins."""

from __future__ import annotations

import numpy as np

from solverlab.core.errors import BadValue


def check_buckets(n: int, hands: int | None = None) -> int:
    """Accept a whole number of buckets, at least 1 and at most the number of hands."""
    number = isinstance(n, int | float | np.integer | np.floating) and not isinstance(n, bool)
    if not number or not np.isfinite(n) or n != int(n) or n < 1:
        raise BadValue(f"the number of buckets is a whole number from 1 on, not {n!r}")
    if hands is not None and n > hands:
        raise BadValue(f"{n} buckets cannot be filled with {hands} hands; ask for at most {hands}")
    return int(n)


def percentile_edges(values: np.ndarray, weights: np.ndarray, n: int) -> np.ndarray:
    """Inner edges that cut the weight into n equal parts without parting equal values; float64[n - 1].

    A value with weight w and weight b below it belongs to bucket floor(n (b + w / 2) / total); an edge is the
    smallest value of its bucket. A bucket may stay empty when one value weighs more than a bucket; its edge
    is that of the next, or infinite.
    """
    found, inverse = np.unique(values, return_inverse=True)
    weight = np.bincount(inverse, weights, minlength=len(found))
    twice_middle = 2 * np.cumsum(weight) - weight  # whole numbers stay exact
    first = np.searchsorted(n * twice_middle, 2 * np.arange(1, n) * weight.sum(), side="left")
    return np.append(found.astype(np.float64), np.inf)[first]
