"""Players who tell flops, turns and rivers apart by exact strength, from the kept tables of every hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Lock

import numpy as np

from solverlab.cards.board_rows import hand_weights
from solverlab.cards.strength_tables import strength_tables
from solverlab.core.errors import BadValue
from solverlab.core.percentiles import check_buckets, percentile_edges
from solverlab.core.rows import Config
from solverlab.games.holdem.buckets import (
    STREET,
    Buckets,
    StrengthBuckets,
    buckets_from,
    check_bucketing,
    made_hands,
)

SLICE = 1 << 22
KIND = "strength"
MOST_BUCKETS = 1000


class LateBuckets(StrengthBuckets):
    """Percentiles of E[HS] whose tables are opened, or built, when a board is first looked at."""

    def __init__(self, counts: tuple[int, int, int]):
        self._counts, self._opening = counts, Lock()

    def count(self, street: int) -> int:
        return self._counts[street - 1]

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        with self._opening:
            if not hasattr(self, "values"):
                super().__init__(*_values_and_edges(self._counts))
        return super().labels(street, hole, board)

    def config(self) -> Config:
        return {"kind": KIND, "counts": list(self._counts)}


@cache
def strength_buckets(flop: int = 5, turn: int | None = None, river: int | None = None) -> LateBuckets:
    """Percentile buckets by exact E[HS] for each street; the turn and the river have as many as the flop."""
    return LateBuckets((flop, turn or flop, river or flop))


def bucketing_of(buckets: int | Buckets | Config | None) -> Buckets:
    """A bucketing from what people write: a number, one of their own, its `config()`, or None for made hands.

    >>> bucketing_of(7).count(3), bucketing_of(None).count(3)
    (7, 5)
    """
    if buckets is None:
        return made_hands()
    if isinstance(buckets, int):
        return strength_buckets(check_buckets(buckets, MOST_BUCKETS))
    if not isinstance(buckets, Mapping):
        return check_bucketing(buckets)
    if buckets.get("kind") != KIND:
        return buckets_from(buckets)
    counts = buckets.get("counts")
    if not isinstance(counts, list | tuple) or len(counts) != 3:
        raise BadValue(f"counts of strength buckets are {counts!r}; give three: flop, turn, river")
    return strength_buckets(*(check_buckets(count, MOST_BUCKETS) for count in counts))


def _values_and_edges(counts: tuple[int, int, int]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    tables = strength_tables()
    values = [tables.array(f"{STREET[street]}_sums") for street in (1, 2, 3)]
    return values, [_edges(street, values[street - 1], counts[street - 1]) for street in (1, 2, 3)]


def _edges(street: int, sums: np.ndarray, count: int) -> np.ndarray:
    """Inner edges that give every bucket the same share of all deals; whole numbers, so nothing rounds."""
    weights = hand_weights(STREET[street])
    tally = np.zeros(int(sums.max()) + 1)
    for begin in range(0, len(sums), SLICE):
        part = slice(begin, begin + SLICE)
        tally += np.bincount(sums[part], weights[part], minlength=len(tally))
    found = np.flatnonzero(tally)
    return percentile_edges(found, tally[found], count)
