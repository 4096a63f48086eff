"""Which boards a player tells apart: a number for every hand on the flop, the turn and the river.

Three ways: by exact strength from tables given from outside, by the names of suits alone, and by the made
hand, which needs no table. Streets count 1 (flop) to 3 (river).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, cast

import numpy as np

from solverlab.cards.dealing import deal_hands
from solverlab.cards.evaluate_high import CLASSES, rank_batch
from solverlab.cards.indexing import hand_table, index_hands
from solverlab.cards.isomorphism import CHOOSE
from solverlab.core.errors import BadValue
from solverlab.core.rows import Config

STREET = {1: "flop", 2: "turn", 3: "river"}
SAMPLE = 50_000


class Buckets(Protocol):
    """What hold'em asks of a bucketing."""

    def count(self, street: int) -> int:
        """How many buckets a street has."""

    def name(self, street: int, bucket: int) -> str:
        """What a bucket is called."""

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        """Buckets of hands hole uint8[n, 2] on board uint8[n, 3 to 5], uint16[n]."""

    def config(self) -> Config:
        """What builds it again, as JSON values."""


class StrengthBuckets:
    """Buckets by a number for every canonical hand: a table and rising inner edges for each street."""

    def __init__(self, values: Sequence[np.ndarray], edges: Sequence[np.ndarray]):
        if len(values) != 3 or len(edges) != 3:
            raise BadValue(f"{len(values)} tables and {len(edges)} edges; give three each: flop, turn, river")
        self.values, self.edges = tuple(values), tuple(np.asarray(edge) for edge in edges)

    def count(self, street: int) -> int:
        return len(self.edges[street - 1]) + 1

    def name(self, street: int, bucket: int) -> str:
        return f"{STREET[street]} {bucket + 1}/{self.count(street)}"

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        numbers = self.values[street - 1][index_hands(hole, board)]
        return np.searchsorted(self.edges[street - 1], numbers, side="right").astype(np.uint16)

    def config(self) -> Config:
        return {"kind": "tables of one's own", "counts": [self.count(street) for street in (1, 2, 3)]}


class MadeHands:
    """Percentiles of the hand as it lies on the board: what a beginner would go by."""

    def __init__(self, count: int = 5):
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 1000:
            raise BadValue(f"{count!r} buckets; give a whole number from 1 to 1,000")
        self.buckets = count
        hands = deal_hands(np.random.default_rng(0), SAMPLE, 1)
        self._bucket = np.zeros((4, CLASSES + 1), np.uint16)
        for street in (1, 2, 3):
            ranks = rank_batch(np.concatenate([hands.hole[:, 0], hands.board[:, : street + 2]], axis=1))
            below = np.cumsum(np.bincount(ranks, minlength=CLASSES + 1)) / SAMPLE
            self._bucket[street] = np.minimum((below * count).astype(np.uint16), count - 1)

    def count(self, street: int) -> int:
        return self.buckets

    def name(self, street: int, bucket: int) -> str:
        return f"{STREET[street]} {bucket + 1}/{self.buckets}"

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        return self._bucket[street][rank_batch(np.concatenate([hole, board], axis=1))]

    def config(self) -> Config:
        return {"kind": "made hands", "count": self.buckets}


class SuitClasses:
    """Every board up to the names of the suits on the flop and the turn; later streets by another bucketing.

    >>> SuitClasses().count(1), SuitClasses().count(2)
    (1755, 16432)
    """

    def __init__(self, last: int = 2, later: Buckets | None = None):
        if last not in (1, 2):
            raise BadValue(
                f"suit classes up to street {last!r}; give 1 (flop) or 2 (turn): 134,459 rivers fit no tree"
            )
        self.last, self.later = last, made_hands() if later is None else later

    def count(self, street: int) -> int:
        if street > self.last:
            return self.later.count(street)
        return len(hand_table(STREET[street]).boards.boards)

    def name(self, street: int, bucket: int) -> str:
        return f"{STREET[street]} class {bucket}" if street <= self.last else self.later.name(street, bucket)

    def labels(self, street: int, hole: np.ndarray, board: np.ndarray) -> np.ndarray:
        if street > self.last:
            return self.later.labels(street, hole, board)
        ordered = np.sort(board, axis=1).astype(np.int64)
        number = sum(CHOOSE[ordered[:, k], k + 1] for k in range(ordered.shape[1]))
        return (hand_table(STREET[street]).packed[number] >> 5).astype(np.uint16)

    def config(self) -> Config:
        return {"kind": "suit classes", "last": self.last, "later": self.later.config()}


def check_bucketing(buckets: object) -> Buckets:
    """Something that can be asked for buckets, or one sentence."""
    if not all(callable(getattr(buckets, asked, None)) for asked in ("count", "name", "labels", "config")):
        raise BadValue(
            f"{buckets!r} is no bucketing; give a number of buckets, MadeHands(5), SuitClasses() or a class "
            "with count, name, labels and config"
        )
    return cast(Buckets, buckets)


def buckets_from(config: Config) -> Buckets:
    """A bucketing again from its `config()`.

    >>> buckets_from(SuitClasses(1).config()).count(2)
    5
    """
    kind = config.get("kind")
    if kind == "made hands":
        return made_hands(config["count"])
    if kind == "suit classes":
        return SuitClasses(config["last"], buckets_from(config["later"]))
    raise BadValue(f"buckets of the kind {kind!r} cannot be built here; hand the bucketing itself over")


@cache
def made_hands(count: int = 5) -> MadeHands:
    """Percentiles of made hands, built once."""
    return MadeHands(count)
