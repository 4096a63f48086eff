"""Hold'em tables whose players tell flops, turns and rivers apart by exact strength.

The strength tables come from the room of abstractions, the table and its buckets from the room of games, and
neither knows the other: here they meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from solverlab.abstraction.buckets import check_buckets, percentile_edges
from solverlab.abstraction.strength_tables import strength_tables
from solverlab.cards.board_rows import hand_weights
from solverlab.core.errors import BadValue
from solverlab.games.holdem import Holdem as BareHoldem
from solverlab.games.holdem_buckets import STREET, Buckets, StrengthBuckets

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

    def config(self) -> dict[str, Any]:
        return {"kind": KIND, "counts": list(self._counts)}


@cache
def strength_buckets(flop: int = 5, turn: int | None = None, river: int | None = None) -> LateBuckets:
    """Percentile buckets by exact E[HS] for each street; the turn and the river have as many as the flop."""
    return LateBuckets((flop, turn or flop, river or flop))


class Holdem(BareHoldem):
    """A hold'em table in big blinds, with percentile buckets by exact E[HS] unless told otherwise.

    `buckets` is how many a street has, or a bucketing of your own (`SuitClasses()`, `MadeHands(5)`); the
    other settings are those of `solverlab.games.holdem.Holdem`: betting, bets, allin, blinds, max_raises,
    holdings and match. Tables of strength are opened, or built in half a minute, when a tree first sees a
    flop.

    >>> table = Holdem(players=3, stack=20)
    >>> table.seats, table.buckets.count(1)
    (('small blind', 'big blind', 'button'), 5)
    """

    def __init__(
        self,
        players: int = 2,
        stack: float | Sequence[float] = 100.0,
        buckets: int | Buckets | Mapping[str, Any] = 5,
        **settings: Any,
    ):
        chosen: Any = buckets
        if isinstance(buckets, int):
            chosen = strength_buckets(check_buckets(buckets, MOST_BUCKETS))
        elif isinstance(buckets, Mapping) and buckets.get("kind") == KIND:
            counts = buckets.get("counts")
            if not isinstance(counts, list | tuple) or len(counts) != 3:
                raise BadValue(f"counts of strength buckets are {counts!r}; give three: flop, turn, river")
            chosen = strength_buckets(*(check_buckets(count, MOST_BUCKETS) for count in counts))
        super().__init__(players, stack, buckets=chosen, **settings)


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
