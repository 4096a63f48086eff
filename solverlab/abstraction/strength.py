"""Exact hand strength: of one hand, or of every hand of a street."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from solverlab.abstraction.histograms import street_histograms
from solverlab.abstraction.one_hand import HandStrength, strength_of
from solverlab.abstraction.potential import RUNOUTS_LEFT, potential_tables
from solverlab.abstraction.trials import SampledStrength, sampled_strength
from solverlab.cards.board_rows import hand_weights
from solverlab.cards.cards import STREETS, Cards, check_street, parse_board, street_of
from solverlab.cards.indexing import canonical_hand, canonical_index, index_hands, unindex_hands
from solverlab.cards.street_strength import FULL, RUNOUTS
from solverlab.cards.strength_tables import HANDS, strength_tables
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.core.errors import BadValue, NotMeasured

OPPONENTS = {"flop": 1081, "turn": 1035, "river": 990}
_BLOCK = 1 << 20


class Hand(NamedTuple):
    """Hole cards and board as text."""

    hole: str
    board: str

    def __str__(self) -> str:
        return f"{self.hole} {self.board}".strip()


class StreetStrength:
    """Every hand of a street, numbered by `canonical_index`: exact E[HS], E[HS^2] and what follows from them.

    Integers are memory-mapped; columns of floats are made when first read: float64, on the river float32.
    """

    def __init__(
        self,
        street: str,
        folder: str | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ):
        self.street, self.progress, self.cancel = check_street(street), progress, cancel
        self.tables = strength_tables(folder)
        self.sums = self.tables.array(f"{street}_sums", progress, cancel)

    def __len__(self) -> int:
        return HANDS[self.street]

    def __repr__(self) -> str:
        return f"StreetStrength({self.street}: {len(self):,} hands)"

    @property
    def runouts(self) -> int:
        """Boards still to come for each hand."""
        return RUNOUTS[self.street]

    @property
    def squares(self) -> np.ndarray:
        """Sum of (HS x 1,980)^2 over the boards to come, integers [hands]; `sums` is that of HS x 1,980."""
        if self.street == "river":
            return np.square(self.sums, dtype=np.uint32)
        return self.tables.array(f"{self.street}_squares")

    @cached_property
    def ehs(self) -> np.ndarray:
        """E[HS] of each hand: equity against a random hand."""
        return _ratio(self.sums, FULL * self.runouts, self._float)

    @cached_property
    def ehs2(self) -> np.ndarray:
        """E[HS^2] of each hand."""
        if self.street == "river":
            return np.square(self.ehs)
        return _ratio(self.squares, FULL**2 * self.runouts, self._float)

    @cached_property
    def weight(self) -> np.ndarray:
        """How many deals (hole, board) each hand stands for: int32, on the river uint8."""
        weight = hand_weights(self.street)
        return weight if self.street == "river" else weight.astype(np.int32)

    @cached_property
    def variance(self) -> np.ndarray:
        """E[HS^2] - E[HS]^2 of each hand, never below 0."""
        return np.maximum(self.ehs2 - np.square(self.ehs), 0)

    @cached_property
    def current(self) -> np.ndarray:
        """Strength of each hand on the board as it lies."""
        if self.street == "preflop":
            raise NotMeasured("hands have no strength of their own before the flop; read .ehs or .ehs2")
        if self.street == "river":
            return self.ehs
        return _ratio(self.current_points, 2 * OPPONENTS[self.street], self._float)

    @property
    def current_points(self) -> np.ndarray:
        """2 x opponents beaten + opponents tied on the board as it lies, integers [hands]."""
        return self.sums if self.street == "river" else self.tables.array(f"{self.street}_current")

    @cached_property
    def positive_potential(self) -> np.ndarray:
        """Of the times a hand is behind now (ties half), how often it ends ahead (ties half)."""
        behind = 2 * OPPONENTS[self._moving()] - self.current_points.astype(np.int64)
        return _share(self._gained, RUNOUTS_LEFT[self.street] * behind)

    @cached_property
    def negative_potential(self) -> np.ndarray:
        """Of the times a hand is ahead now (ties half), how often it ends behind (ties half)."""
        ahead = RUNOUTS_LEFT[self._moving()] * self.current_points.astype(np.int64)
        return _share(self._gained + ahead - self.sums, ahead)

    @cached_property
    def _gained(self) -> np.ndarray:
        tables = potential_tables(self._moving(), self.tables.folder)
        return tables.array("gained", self.progress, self.cancel).astype(np.int64)

    def _moving(self) -> str:
        if self.street not in RUNOUTS_LEFT:
            raise NotMeasured(f"potential is defined on the flop and the turn, not on the {self.street}")
        return self.street

    def histograms(self, bins: int = 10) -> np.ndarray:
        """Boards to come that end in each of `bins` equal ranges of strength, integers [hands, bins]."""
        return street_histograms(self.street, bins, self.progress, self.cancel)

    def features(self) -> np.ndarray:
        """Columns E[HS], E[HS^2], positive and negative potential, float64[hands, 4]."""
        return np.column_stack([self.ehs, self.ehs2, self.positive_potential, self.negative_potential])

    @cached_property
    def hole_class(self) -> np.ndarray:
        """Which of the 169 preflop hands each hand started as, uint8 [hands]."""
        classes = np.empty(len(self), np.uint8)
        for begin in range(0, len(self), _BLOCK):
            hole, _ = self.cards(np.arange(begin, min(begin + _BLOCK, len(self))))
            classes[begin : begin + _BLOCK] = index_hands(hole, np.empty((len(hole), 0), np.uint8))
        return classes

    def hand(self, index: int) -> Hand:
        """The cards of a hand by its number, suits named the canonical way."""
        return Hand(*canonical_hand(self.street, int(index)))

    def cards(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The cards of many hands: hole uint8[n, 2], board uint8[n, k]."""
        return unindex_hands(self.street, index)

    def find(self, hole: Cards, board: Cards = "") -> int:
        """The number of a hand of this street."""
        street = street_of(parse_board(board))
        if street != self.street:
            raise BadValue(f"{hole!r} on {board!r} is a hand of the {street}, not of the {self.street}")
        return int(canonical_index(hole, board))

    @property
    def _float(self) -> type:
        return np.float32 if self.street == "river" else np.float64


def _ratio(numerator: np.ndarray, denominator: int, kind: type) -> np.ndarray:
    """numerator / denominator, correctly rounded, in blocks that fit the cache."""
    ratio: np.ndarray = np.empty(len(numerator), kind)
    for begin in range(0, len(ratio), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        np.divide(numerator[part], denominator, out=ratio[part], casting="same_kind", dtype=np.float64)
    return ratio


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, 0 where there is nothing to share."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def hand_strength(
    what: Cards,
    board: Cards | None = None,
    *,
    folder: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    trials: int | None = None,
    rng: int = 0,
) -> StreetStrength | HandStrength | SampledStrength:
    """How strong hands are, exactly: all hands of a street, or one hand on a board.

    `hand_strength("flop")` has `.ehs`, `.ehs2`, `.weight`, `.hand(i)`; `hand_strength("AhKh", "Td9d6h")` has
    `.hs`, `.ehs`, `.ehs2`, `.histogram(bins)`. Whole streets are built once (seconds) and kept in `folder`;
    `progress(done, sentence)` is told how far that is, and `cancel()` returning True stops it. With `trials`
    one hand is estimated from so many random deals instead, with standard errors.

    >>> hand_strength("AhKh", "Td9d6h")
    HandStrength(AhKh on Td9d6h: E[HS] 0.509105, E[HS^2] 0.315676)
    """
    if not isinstance(what, str) and np.ndim(what) == 0:
        raise BadValue(f"{what!r} is neither a street nor a hand; give one such as 'flop' or 'AhKh'")
    if isinstance(what, str) and what in STREETS and board is None:
        if trials is not None:
            raise BadValue(f"trials are for one hand; every hand of the {what} is known exactly without them")
        return StreetStrength(what, folder, progress, cancel)
    if isinstance(what, str) and what.isalpha() and what.islower() and board is None:
        check_street(what)
    if trials is not None:
        return sampled_strength(what, "" if board is None else board, trials, rng)
    return strength_of(what, "" if board is None else board, folder, progress, cancel)
