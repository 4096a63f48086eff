"""What the buckets of a street hold, as plain tables: the half of every bucket view that tests touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.abstraction.one_hand import HandStrength
    from solverlab.views.bucket_raster import Strengths


def bucket_frame(
    strength: Strengths,
    codes: np.ndarray,
    names: Sequence[str],
    keep: np.ndarray | None = None,
    weight: np.ndarray | None = None,
) -> pd.DataFrame:
    """One row a bucket: how many hands and deals it holds, and the ranges of E[HS] and E[HS^2] they span.

    codes [hands] are bucket numbers from 0, `keep` a mask [hands]; an empty bucket has NaN ranges.
    `weight` [hands] counts deals where they are not all those of the hand.
    """
    which = slice(None) if keep is None else keep
    codes = _same_length(codes, len(strength))[which].astype(np.int64)
    weight = (strength.weight if weight is None else weight)[which]
    ehs, ehs2 = strength.ehs[which], strength.ehs2[which]
    deals = np.bincount(codes, weight, len(names))
    columns = {
        "bucket": list(names),
        "hands": np.bincount(codes, minlength=len(names)),
        "deals": deals.astype(np.int64),
    }
    columns["share"] = deals / max(deals.sum(), 1)
    with np.errstate(invalid="ignore"):
        columns["mean_ehs"] = np.bincount(codes, weight * ehs, len(names)) / np.where(
            deals > 0, deals, np.nan
        )
        columns["mean_ehs2"] = np.bincount(codes, weight * ehs2, len(names)) / np.where(
            deals > 0, deals, np.nan
        )
    for name, column in (("ehs", ehs), ("ehs2", ehs2)):
        columns[f"low_{name}"], columns[f"high_{name}"] = _spans(codes, column, len(names))
    return frame(columns)


def _spans(codes: np.ndarray, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest value in each bucket, NaN where there is none."""
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, codes, values)
    np.maximum.at(high, codes, values)
    empty = np.isinf(low)
    low[empty] = high[empty] = np.nan
    return low, high


def flow(before: np.ndarray, after: np.ndarray, weight: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """How many deals go from each bucket of one labelling to each of another, float64[shape].

    >>> flow(np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([3, 1, 4]), (2, 2))
    array([[1., 3.],
           [0., 4.]])
    """
    if len(before) != len(after):
        raise BadValue(
            f"{len(before):,} and {len(after):,} labels are not of the same hands; label one street twice"
        )
    cell = before.astype(np.int64) * shape[1] + after
    return np.bincount(cell, weight, shape[0] * shape[1]).reshape(shape)


def transition_frame(counts: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    """One row a pair of buckets: from, to, and the chance to go there given where one is."""
    total = counts.sum(axis=1, keepdims=True)
    chance = np.divide(counts, total, out=np.zeros_like(counts, dtype=float), where=total > 0)
    return _pairs(("from", "to", "chance"), rows, columns, chance)


def confusion_frame(counts: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    """One row a pair of buckets of two abstractions: first, second, and the share of all deals in both."""
    return _pairs(("first", "second", "share"), rows, columns, counts / max(counts.sum(), 1))


def _pairs(
    words: tuple[str, str, str], rows: Sequence[str], columns: Sequence[str], values: np.ndarray
) -> pd.DataFrame:
    first = np.repeat(np.array(list(rows), dtype=object), len(columns))
    second = np.tile(np.array(list(columns), dtype=object), len(rows))
    return frame(dict(zip(words, (first, second, values.ravel()), strict=True)))


def agreement(counts: np.ndarray) -> float:
    """How much two abstractions agree on which hands belong together: 1 the same, 0 no more than chance.

    The adjusted Rand index (Hubert & Arabie 1985) of the matrix of deals.

    >>> agreement(np.array([[4.0, 0.0], [0.0, 4.0]])), round(agreement(np.array([[2.0, 2.0], [2.0, 2.0]])), 2)
    (1.0, -0.17)
    """

    def pairs(n: np.ndarray) -> float:
        return float((n * (n - 1) / 2).sum())

    both, first, second = pairs(counts), pairs(counts.sum(axis=1)), pairs(counts.sum(axis=0))
    chance = first * second / pairs(counts.sum(keepdims=True))
    most = (first + second) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def histogram_frame(hand: HandStrength, bins: int = 50) -> pd.DataFrame:
    """How likely a hand ends in each range of strength: low, high, chance."""
    edges = np.linspace(0, 1, bins + 1)
    return frame({"low": edges[:-1], "high": edges[1:], "chance": hand.histogram(bins)})


def _same_length(codes: np.ndarray, hands: int) -> np.ndarray:
    if len(codes) != hands:
        raise BadValue(
            f"{len(codes):,} labels for {hands:,} hands; fit the buckets on all hands of the street"
        )
    return np.asarray(codes)
