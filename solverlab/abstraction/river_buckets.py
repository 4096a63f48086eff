"""The river in buckets: strength is all that is left of a hand, so its 1,981 values are what is bucketed."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from solverlab.abstraction.choice import BucketChoice, bucketing
from solverlab.abstraction.street_buckets import sequences_of, street_strength
from solverlab.cards.street_strength import FULL
from solverlab.cards.table_cache import Cancel, Progress


@cache
def river_deals() -> np.ndarray:
    """How many deals end with each strength k / 1,980, int64[1981]."""
    river = street_strength("river")
    deals = np.zeros(FULL + 1, np.int64)
    block = 1 << 22
    for begin in range(0, len(river), block):
        part = slice(begin, begin + block)
        deals += np.bincount(river.sums[part], river.weight[part], FULL + 1).astype(np.int64)
    return deals


class RiverBuckets(NamedTuple):
    """The river in buckets: code int64[1981] of each strength, deals int64[1981] that end with it.

    weight [buckets] counts the deals of each bucket, of the chosen sequence alone if there is one.
    """

    choice: BucketChoice
    deals: np.ndarray
    code: np.ndarray
    weight: np.ndarray

    @property
    def ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest strength met in each bucket, NaN where it is empty."""
        met = np.flatnonzero(self.deals)
        low, high = np.full((2, len(self.weight)), np.nan)
        high[self.code[met]] = met / FULL  # rising, so the last one to be written is the greatest
        low[self.code[met[::-1]]] = met[::-1] / FULL
        return low, high


def river_buckets(
    choice: BucketChoice, progress: Progress | None = None, cancel: Cancel | None = None
) -> RiverBuckets:
    """Bucket the strengths of the river; for a chosen sequence by its own boundaries."""
    choice.sensible()
    street_strength("river", progress, cancel)
    deals, strength = river_deals(), np.arange(FULL + 1) / FULL
    if not (choice.prefix and choice.sequenced):
        code = bucketing(choice, strength, strength**2, deals).labels_.astype(np.int64)
        return RiverBuckets(choice, deals, code, np.bincount(code, deals, choice.total))
    sequences, number, total = (
        sequences_of(choice, "river", progress, cancel),
        choice.prefix_number,
        choice.total,
    )
    code, parts = np.zeros(FULL + 1, np.int64), 1
    for (_, n), cuts in zip(sequences.steps, sequences.cuts_["river"], strict=True):
        own = cuts[number * parts : (number + 1) * parts]
        code = code * n + (np.arange(FULL + 1)[:, None] >= own[code]).sum(axis=1)
        parts *= n
    weight = sequences.weight_["river"][number * total : (number + 1) * total]
    return RiverBuckets(choice, deals, code, weight)
