"""Games that are dealt, not written out: betting states that are opened as they are asked for, and deals.

Six-handed hold'em has no tree that fits anywhere. A solver of such a game opens the betting states it needs,
reads all known ones as arrays, and learns what they are worth from batches of deals.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from solverlab.core.rows import Config, State


class Deals(NamedTuple):
    """A batch of n deals: info uint16[P, 4, n] (the holding, then a bucket a street), rank uint16[P, n]."""

    info: np.ndarray
    rank: np.ndarray


class BettingRows(NamedTuple):
    """Every known public state (S of them) for kernels; K layers of pot.

    actor int8[S] (-1: cards come next, or nothing does); deals bool[S]; street int8[S]; live uint32[S], a bit
    a seat; spent float64[S, P], chips put in so far. If the hand stopped here: paid float64[S, P], and for
    each layer of the pot amount float64[S, K] and seats uint32[S, K], who may win it.
    """

    actor: np.ndarray
    deals: np.ndarray
    street: np.ndarray
    live: np.ndarray
    spent: np.ndarray
    paid: np.ndarray
    amount: np.ndarray
    seats: np.ndarray


class RandomEnds(NamedTuple):
    """How random play ends, R ways from each known state: paid float64[G, R, P] and live uint32[G, R].

    place int32[S] is the row G of a state, -1 where the hand is over already.
    """

    place: np.ndarray
    paid: np.ndarray
    live: np.ndarray


@runtime_checkable
class DealtGame(Protocol):
    """A table of poker to sample: P seats, holdings by name, betting states by number, deals in batches."""

    name: str
    n_players: int
    seats: tuple[str, ...]
    hand_names: tuple[str, ...]
    hand_combos: np.ndarray  # int64[H], how many combinations of cards are one holding

    @property
    def most_actions(self) -> int:
        """How many actions a decision offers at most."""

    def open(self, state: int) -> range:
        """Make sure that the states after one state are known: their numbers, empty where the hand ends."""

    def names_of(self, state: int) -> list[str]:
        """What can be done in a state, as labels: actions, the buckets of the street to come, or nothing."""

    def state(self, state: int) -> State:
        """One state for the eye: whose turn it is, who is in, what was paid, in the game's own words."""

    def rows(self) -> BettingRows:
        """Every known state as arrays."""

    def random_ends(self, ways: int, seed: tuple[int, ...] = (0,)) -> RandomEnds:
        """How the hand ends if everybody plays on at random, `ways` times from every known state."""

    def draw(
        self,
        rng: np.random.Generator,
        n: int,
        fixed: tuple[int, str | int] | None = None,
        streets: int = 3,
    ) -> Deals:
        """Deal `n` hands, (seat, holding) `fixed` if given, with buckets for `streets` streets."""

    def draw_groups(
        self, words: np.ndarray, n: int, seats: np.ndarray, holdings: np.ndarray, streets: int = 3
    ) -> Deals:
        """The same as `draw` for each of G (seat, holding), in one call and in their order: G * n deals.

        words uint64[G, 4] are the groups' generators, which move on.
        """

    def draw_flops(
        self, rng: np.random.Generator, n: int, seat: int, holding: int, streets: int = 3
    ) -> tuple[Deals, np.ndarray]:
        """Deal `n` hands on each flop a (seat, holding) tells apart, bucket by bucket, and their odds [D]."""

    def config(self) -> Config:
        """What builds this table again, as JSON values."""
