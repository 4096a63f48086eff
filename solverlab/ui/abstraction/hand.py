"""One hand through the buckets: its worth on each street, where it falls, and who falls there with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from solverlab.abstraction.one_hand import HandStrength, strength_of
from solverlab.cards.cards import BOARD_SIZE, STREETS, cards_text, parse_deal
from solverlab.cards.kept_tables import Cancel, Progress
from solverlab.ui.abstraction.choice import Choice, bucketing
from solverlab.ui.abstraction.streets import Labelled, sequences_of, street_fit, street_strength


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
    choice: Choice, hole: str, board: str, progress: Progress | None = None, cancel: Cancel | None = None
) -> Path:
    """The way of a hand through the buckets of a choice; board cards in the order they came."""
    own, public = parse_deal(hole, board)
    streets = [street for street in STREETS if BOARD_SIZE[street] <= len(public)]
    if choice.clusters:
        replace(choice, street=streets[-1], prefix="").checked()
    sequences = sequences_of(choice, streets[-1], progress, cancel) if choice.percentiles else None
    buckets = sequences.buckets(hole, board) if sequences is not None else None
    stops, prefix = [], 0
    for number, street in enumerate(streets):
        hand = strength_of(cards_text(own), cards_text(public[: BOARD_SIZE[street]]))
        if choice.clusters:
            bucket, edges = _cluster_of(
                choice, street, cards_text(own), cards_text(public[: BOARD_SIZE[street]])
            )
        elif buckets is None:
            fit = bucketing(choice, np.array([hand.ehs]), np.array([hand.ehs2]), np.ones(1, np.int64))
            bucket, edges = int(fit.labels_[0]), fit.edges_
        else:
            bucket, edges = buckets[number], sequences.edges(street)[prefix]
            prefix = prefix * choice.total + bucket
        outer = bucket // (choice.inner if choice.scheme == "nested" else 1)
        metric = "ehs2" if choice.scheme == "nested" else choice.metric
        stops.append(Stop(street, hand, bucket + 1, metric, float(edges[outer]), float(edges[outer + 1])))
    return Path(stops)


def _cluster_of(choice: Choice, street: str, hole: str, board: str) -> tuple[int, np.ndarray]:
    """The cluster of a hand, and the ends of the clusters' ranges of E[HS²] up to the next."""
    strength = street_strength(street)
    fit = street_fit(choice, strength)
    bucket = int(fit.labels_[strength.find(hole, board)])
    inside = strength.ehs2[fit.labels_ == bucket]
    edges = np.zeros(choice.total + 1)
    edges[bucket], edges[bucket + 1] = inside.min(), inside.max()
    return bucket, edges


class Mate(NamedTuple):
    """A hand of the same bucket, and why it is shown."""

    index: int
    why: str


def mates(labelled: Labelled, index: int, some: int = 5) -> tuple[int, list[Mate]]:
    """How many other hands share a hand's bucket, and the most telling of them."""
    part = labelled.cloud.code == labelled.code[index]
    if labelled.prefix is not None and not labelled.choice.prefix and labelled.choice.history:
        part &= labelled.prefix[labelled.cloud.index] == labelled.prefix[index]
    cloud = labelled.cloud.take(np.flatnonzero(part))
    others = cloud.take(np.flatnonzero(cloud.index != index))
    if not others.size:
        return 0, []
    spread = others.y - others.x**2
    picks = [
        (int(np.argmin(others.x)), "weakest on average"),
        (int(np.argmax(others.x)), "strongest on average"),
        (int(np.argmin(spread)), "most settled"),
        (int(np.argmax(spread)), "most potential"),
    ]
    draws = np.random.default_rng(index).choice(others.size, min(some, others.size), replace=False)
    picks += [(int(draw), "drawn at random") for draw in draws]
    return others.size, [Mate(int(others.index[place]), why) for place, why in picks]


def cards_of(strength: Any, index: int) -> tuple[str, str]:
    """Hole cards and board of a hand by its number, high cards first."""
    hole, board = strength.cards(np.array([index]))
    return cards_text(sorted(hole[0].tolist(), reverse=True)), cards_text(board[0][::-1].tolist())
