"""Hold'em tables whose players tell flops, turns and rivers apart by exact strength.

The strength tables come from the room of abstractions, the table and its buckets from the room of games, and
neither knows the other: here they meet.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from solverlab.abstraction.buckets import percentile_edges
from solverlab.abstraction.strength_tables import strength_tables
from solverlab.cards.board_rows import hand_weights
from solverlab.games.holdem import Holdem
from solverlab.games.holdem_buckets import STREET, StrengthBuckets

SLICE = 1 << 22


class LateBuckets(StrengthBuckets):
    """Percentiles of E[HS] whose tables are opened, or built, when a board is first looked at."""

    def __init__(self, counts: tuple[int, int, int]):
        self._counts = counts

    def count(self, street: int) -> int:
        return self._counts[street - 1]

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        if not hasattr(self, "values"):
            super().__init__(*_values_and_edges(self._counts))
        return super().labels(street, hole, board)


@cache
def strength_buckets(flop: int = 5, turn: int | None = None, river: int | None = None) -> LateBuckets:
    """Percentile buckets by exact E[HS] for each street; the turn and the river have as many as the flop."""
    return LateBuckets((flop, turn or flop, river or flop))


def strength_holdem(players: int = 2, stack: Any = 100.0, buckets: int = 5, **settings: Any) -> Holdem:
    """A hold'em table with percentile buckets by exact E[HS]; the other settings are those of `Holdem`.

    >>> strength_holdem(players=3, stack=20).buckets.count(1)
    5
    """
    return Holdem(players, stack, buckets=strength_buckets(buckets), **settings)


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
