"""Buckets on all four streets: sequences such as 2:4:1:3, with or without history.

With history every sequence so far has boundaries of its own, so its buckets hold equally many hands; without,
a street has one set of boundaries whatever came before (as PsOpti4 had). Both have n^4 sequences: perfect
recall is kept, so history adds no states.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solverlab.abstraction.buckets import PRESETS
from solverlab.abstraction.sequence_walk import (
    NOWHERE,
    append_bucket,
    boundary_cuts,
    count_river,
    count_sequences,
    first_prefixes,
    occupied_span,
    river_cuts,
    river_span,
    turn_prefixes,
)
from solverlab.abstraction.tie import TreeOfHands, tie_of
from solverlab.cards.board_rows import flatten, spread
from solverlab.cards.cards import BOARD_SIZE, STREETS, Cards, check_street, parse_deal
from solverlab.cards.indexing import index_hands
from solverlab.cards.isomorphism import board_table
from solverlab.cards.street_strength import FULL, RUNOUTS
from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import Cancel, Progress, Step
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.core.frame import frame
from solverlab.core.percentiles import check_buckets
from solverlab.core.tying import Tying

if TYPE_CHECKING:
    import pandas as pd


_TABLE = {"ehs": "sums", "ehs2": "squares"}
# Sequences of three streets are 16-bit numbers, and the river counts 1,981 strengths for each of them.
MOST = 25


def parse_scheme(scheme: int | str, metric: str) -> tuple[tuple[str, int], ...]:
    """Cuts one after the other: 5 is one cut by the metric, "5x2" cuts by E[HS^2], then by E[HS]."""
    if metric not in _TABLE:
        raise UnknownName("metric", metric, _TABLE)
    outer, nested, inner = str(scheme).partition("x")
    if not outer.isdigit() or (nested and not inner.isdigit()):
        raise BadValue(
            f"a bucketing is a number such as 5 or a nesting such as '5x2' ({PRESETS}), not {scheme!r}"
        )
    if not nested:
        return ((metric, check_buckets(int(outer))),)
    return (("ehs2", check_buckets(int(outer))), ("ehs", check_buckets(int(inner))))


class BucketSequences:
    """Bucket sequences over the streets, fitted to every hand there is.

    `cuts_[street]` has, for every cut, the first integer value of each bucket [prefixes, n - 1]; the values
    are sums of HS x 1,980 or its square, so a hand is labelled without rounding. `weight_[street]` counts the
    deals of each sequence, in the order in which the cards came.
    """

    def __init__(self, scheme: int | str = 5, *, history: bool = True, metric: str = "ehs2"):
        """`scheme` buckets on every street: 5, 6, 8, 10, "5x2", "6x2" or others of that form."""
        self.steps, self.history, self.metric = parse_scheme(scheme, metric), history, metric
        self.scheme = str(scheme)
        self.cuts_: dict[str, list[np.ndarray]] = {}
        self.weight_: dict[str, np.ndarray] = {}
        self._spans: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}  # street -> cut -> least, largest
        self._rows: dict[str, np.ndarray] = {}

    @property
    def n_buckets(self) -> int:
        """Buckets a street."""
        return int(np.prod([n for _, n in self.steps]))

    def n_sequences(self, street: str = "river") -> int:
        """Sequences up to a street: 5 buckets make 5, 25, 125 and 625."""
        return self.n_buckets ** (STREETS.index(check_street(street)) + 1)

    def fit(
        self,
        until: str = "river",
        folder: str | Path | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> BucketSequences:
        """Find the boundaries of every street up to `until`: seconds, most of them for the river."""
        self.tables, step = strength_tables(folder), Step(progress, cancel)
        if self.n_buckets > MOST:
            raise BadValue(f"sequences are counted for up to {MOST} buckets a street, not {self.n_buckets}")
        prefix = first_prefixes(0, None)
        for number, street in enumerate(STREETS[: STREETS.index(check_street(until)) + 1]):
            step(0.05 * number, f"bucket sequences of the {street}")
            if street == "river":
                self._fit_river(prefix, step)
                continue
            if street == "flop":
                prefix = first_prefixes(3, prefix)
            elif street == "turn":
                prefix = turn_prefixes(prefix)
            self._fit_street(street, prefix)
        step(1.0, "bucket sequences are ready")
        return self

    def _values(self, street: str, metric: str) -> np.ndarray:
        """The integers that are cut, rows [B, 1326]."""
        flat = np.asarray(self.tables.array(f"{street}_{_TABLE[metric]}"))
        return spread(flat, street).astype(np.int64)

    def _fit_street(self, street: str, rows: np.ndarray) -> None:
        """Cut a street and turn its prefixes into sequences."""
        weight, prefixes = board_table(BOARD_SIZE[street]).weight, self.n_sequences(street) // self.n_buckets
        self.cuts_[street] = []
        shared = 1  # prefixes that matter without history: what earlier cuts of this street said
        ranked = [_ranked(self._values(street, metric), street) for metric, _ in self.steps]
        for (_, n), (values, decode) in zip(self.steps, ranked, strict=True):
            if self.history:
                cuts = boundary_cuts(rows, values, weight, prefixes, n)
            else:
                within = np.where(rows == NOWHERE, NOWHERE, rows % shared).astype(np.uint16)
                cuts = np.tile(boundary_cuts(within, values, weight, shared, n), (prefixes // shared, 1))
            append_bucket(rows, values, cuts)
            self.cuts_[street].append(decode(cuts))
            prefixes, shared = prefixes * n, shared * n
        self.weight_[street] = count_sequences(rows, weight, self.n_sequences(street))
        spans = [(occupied_span(rows, values, self.n_sequences(street)), decode) for values, decode in ranked]
        self._spans[street] = [(decode(lowest), decode(highest)) for (lowest, highest), decode in spans]
        self._rows[street] = rows

    def _fit_river(self, turn: np.ndarray, step: Step) -> None:
        """Cut the river by strength itself, which orders hands as both metrics do."""
        prefixes = self.n_sequences("turn")
        count = count_river(turn, prefixes, lambda done: step(0.15 + 0.85 * done, "river: 134,459 boards"))
        self.cuts_["river"] = []
        shared = 1
        for _, n in self.steps:
            if self.history:
                cuts = river_cuts(count, n)
            else:
                within = count.reshape(-1, shared, count.shape[1]).sum(axis=0)
                cuts = np.tile(river_cuts(within, n), (len(count) // shared, 1))
            count = _split(count, cuts)
            self.cuts_["river"].append(cuts)
            shared *= n
        self.weight_["river"] = count.sum(axis=1)
        self._spans["river"] = [river_span(count)] * len(self.steps)

    def labels(self, street: str) -> np.ndarray:
        """The sequence of every canonical hand of the preflop or flop, by canonical number.

        Later hands have as many sequences as there are orders of their board; ask `sequence` for one.
        """
        if street not in ("preflop", "flop"):
            raise BadValue(
                f"hands of the {street} have a sequence for each order of the board; use sequence()"
            )
        self._fitted(street)
        return flatten(self._rows[street][:, 0], street)

    def tie(self, street: str, game: TreeOfHands | None = None) -> Tying:
        """The tie of a street's sequences: hands with one past and one bucket act alike."""
        return tie_of(self.labels(street), self.n_sequences(street), game)

    def sequence(self, hole: Cards, board: Cards = "") -> str:
        """The bucket sequence of a deal such as "2:4:1:3", buckets from 1; board cards in dealing order."""
        return ":".join(str(number + 1) for number in self.buckets(hole, board))

    def buckets(self, hole: Cards, board: Cards = "") -> list[int]:
        """The bucket of a deal on each street so far, from 0."""
        own, public = parse_deal(hole, board)
        found, prefix = [], 0
        for street in STREETS:
            if BOARD_SIZE[street] > len(public):
                break
            self._fitted(street)
            hand = np.array([own], np.uint8), np.array([public[: BOARD_SIZE[street]]], np.uint8)
            index = int(index_hands(*hand)[0])
            before = prefix
            for (metric, n), cuts in zip(self.steps, self.cuts_[street], strict=True):
                kind = "sums" if street == "river" else _TABLE[metric]
                value = int(self.tables.array(f"{street}_{kind}")[index])
                prefix = prefix * n + int(np.searchsorted(cuts[prefix], value, side="right"))
            found.append(prefix - before * self.n_buckets)
        return found

    def edges(self, street: str, cut: int = 0) -> np.ndarray:
        """Boundaries of every prefix as strengths, float64[prefixes, n + 1], from 0 to 1."""
        self._fitted(street)
        cuts = self.cuts_[street][cut]
        inner = self._strength(street, cut, cuts)
        ends = np.zeros((len(cuts), 1)), np.ones((len(cuts), 1))
        return np.concatenate([ends[0], inner, ends[1]], axis=1)

    def occupied(self, street: str, cut: int = 0) -> np.ndarray:
        """Least and largest strength of the hands in every sequence, float64[sequences, 2]; NaN where empty.

        Boundaries cut all of [0, 1] whatever lies there, so their mean width is 1 / n by construction; these
        ranges show whether buckets with a history hold hands that are more alike.
        """
        self._fitted(street)
        empty = self.weight_[street] == 0
        least, largest = (self._strength(street, cut, values) for values in self._spans[street][cut])
        return np.where(empty[:, None], np.nan, np.column_stack([least, largest]))

    def mean_width(self, street: str, cut: int = 0) -> float:
        """How far apart the strengths in a bucket lie, averaged over all deals."""
        ranges, weight = self.occupied(street, cut), self.weight_[street]
        held = weight > 0
        return float(np.average(ranges[held, 1] - ranges[held, 0], weights=weight[held]))

    def _strength(self, street: str, cut: int, values: np.ndarray) -> np.ndarray:
        """Integers of the tables as strengths in [0, 1], by the metric of a cut."""
        power = 2 if self.steps[cut][0] == "ehs2" else 1
        if street == "river":
            return np.minimum(values / FULL, 1.0) ** power
        return np.minimum(values / (FULL**power * RUNOUTS[street]), 1.0)

    def table(self, street: str) -> dict[str, np.ndarray]:
        """One row a sequence: name, deals, share, chance from its prefix, and each metric's ranges.

        `from` and `to` are the boundaries, `lowest` and `highest` the hands that really lie between them.
        """
        weight = self.weight_[self._fitted(street)]
        parents = weight.reshape(-1, self.n_buckets).sum(axis=1).repeat(self.n_buckets)
        columns = {
            "sequence": np.array([self.name(number, street) for number in range(len(weight))]),
            "weight": weight,
            "share": weight / weight.sum(),
            "transition": np.divide(weight, parents, out=np.zeros(len(weight)), where=parents > 0),
        }
        repeat = self.n_buckets
        for cut, (metric, n) in enumerate(self.steps):
            edges, repeat = self.edges(street, cut), repeat // n
            columns[f"{metric} from"] = edges[:, :-1].ravel().repeat(repeat)
            columns[f"{metric} to"] = edges[:, 1:].ravel().repeat(repeat)
            columns[f"{metric} lowest"], columns[f"{metric} highest"] = self.occupied(street, cut).T
        return columns

    def frame(self, street: str) -> pd.DataFrame:
        """`table` as a pandas frame."""
        return frame(self.table(street))

    def name(self, number: int, street: str) -> str:
        """The name of a sequence by its number.

        >>> BucketSequences(5).name(7, "flop")
        '2:3'
        """
        digits = []
        for _ in range(STREETS.index(check_street(street)) + 1):
            number, digit = divmod(number, self.n_buckets)
            digits.append(str(digit + 1))
        return ":".join(reversed(digits))

    def _fitted(self, street: str) -> str:
        if check_street(street) not in self.cuts_:
            raise NotMeasured(f"the {street} has no boundaries yet; call fit(until={street!r})")
        return street


def _ranked(values: np.ndarray, street: str) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Values small enough to count: themselves on the turn, ranks before it; and the way back for cuts."""
    if street == "turn":
        return values, lambda cuts: cuts
    known, ranks = np.unique(values, return_inverse=True)
    beyond = np.append(known, known[-1] + 1)
    return ranks.reshape(values.shape), lambda cuts: beyond[np.minimum(cuts, len(known))]


def _split(count: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Weights [P, strengths] cut into [P x n, strengths]."""
    n = cuts.shape[1] + 1
    bucket = (np.arange(count.shape[1]) >= cuts[:, :, None]).sum(axis=1)
    return np.where(bucket[:, None] == np.arange(n)[:, None], count[:, None], 0).reshape(-1, count.shape[1])
