"""One hand through the buckets: its worth on each street, and where it falls."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solverlab.abstraction.choice import BucketChoice, bucketing
from solverlab.abstraction.one_hand import HandStrength, strength_of
from solverlab.abstraction.street_buckets import sequences_of, street_fit, street_strength
from solverlab.cards.cards import BOARD_SIZE, STREETS, cards_text, parse_deal
from solverlab.cards.table_cache import Cancel, Progress


class Stop(NamedTuple):
    """A hand on one street: its strength, its bucket from 1, and the range of that bucket."""

    street: str
    hand: HandStrength
    bucket: int
    metric: str
    low: float
    high: float


class Path(NamedTuple):
    """A hand from the deal to the board it is on."""

    stops: list[Stop]

    @property
    def sequence(self) -> str:
        """The buckets one after the other, such as 2:4:1:3."""
        return ":".join(str(stop.bucket) for stop in self.stops)

    @property
    def last(self) -> HandStrength:
        return self.stops[-1].hand


def path_of(
    choice: BucketChoice,
    hole: str,
    board: str,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Path:
    """The way of a hand through the buckets of a choice; board cards in the order they came."""
    own, public = parse_deal(hole, board)
    streets = [street for street in STREETS if BOARD_SIZE[street] <= len(public)]
    if choice.clusters:
        replace(choice, street=streets[-1], prefix="").sensible()
    sequences = sequences_of(choice, streets[-1], progress, cancel) if choice.percentiles else None
    buckets = [] if sequences is None else sequences.buckets(hole, board)
    stops, prefix = [], 0
    for number, street in enumerate(streets):
        hand = strength_of(cards_text(own), cards_text(public[: BOARD_SIZE[street]]))
        if choice.clusters:
            bucket, edges = _cluster_of(
                choice, street, cards_text(own), cards_text(public[: BOARD_SIZE[street]])
            )
        elif sequences is None:
            fit = bucketing(choice, np.array([hand.ehs]), np.array([hand.ehs2]), np.ones(1, np.int64))
            bucket, edges = int(fit.labels_[0]), fit.edges_
        else:
            bucket, edges = buckets[number], sequences.edges(street)[prefix]
            prefix = prefix * choice.total + bucket
        ends = edges[bucket // choice.parts :][:2]
        stops.append(Stop(street, hand, bucket + 1, choice.ordered_by, float(ends[0]), float(ends[1])))
    return Path(stops)


def _cluster_of(choice: BucketChoice, street: str, hole: str, board: str) -> tuple[int, np.ndarray]:
    """The cluster of a hand, and the ends of the clusters' ranges of E[HS²] up to the next."""
    strength = street_strength(street)
    fit = street_fit(choice, strength)
    bucket = int(fit.labels_[strength.find(hole, board)])
    inside = strength.ehs2[fit.labels_ == bucket]
    edges = np.zeros(choice.total + 1)
    edges[bucket], edges[bucket + 1] = inside.min(), inside.max()
    return bucket, edges
