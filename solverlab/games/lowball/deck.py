"""A deck of ranks without suits, and the 2-to-7 hands that can be made of it.

A hand is a multiset of ranks: only how often each rank is held matters. Hands are numbered from the best
(fewest multiples, then lowest cards) to the worst, so comparing two hands is comparing two numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.games.showdown import strength


class RankDeck(NamedTuple):
    """`per_rank` cards of each of these ranks, lowest first."""

    ranks: str
    per_rank: int

    @property
    def size(self) -> int:
        return len(self.ranks) * self.per_rank

    def multisets(self, cards: int) -> list[tuple[int, ...]]:
        """Every hand of so many cards as rank numbers, highest first; the best hand stands first.

        >>> [RankDeck("23A", 2).text(hand) for hand in RankDeck("23A", 2).multisets(2)]
        ['32', 'A2', 'A3', '22', '33', 'AA']
        """
        high_first = range(len(self.ranks) - 1, -1, -1)
        every = combinations_with_replacement(high_first, cards)
        return sorted((hand for hand in every if self.holds(hand)), key=how_high)

    def holds(self, hand: Iterable[int]) -> bool:
        """Whether the deck has these cards."""
        cards = list(hand)
        return all(cards.count(rank) <= self.per_rank for rank in set(cards))

    def text(self, hand: Iterable[int]) -> str:
        """A hand as people write it, highest card first."""
        return "".join(self.ranks[rank] for rank in sorted(hand, reverse=True))

    def counts(self, hands: list[tuple[int, ...]]) -> np.ndarray:
        """How often each hand holds each rank, int64[hands, ranks]."""
        table = np.zeros((len(hands), len(self.ranks)), np.int64)
        for row, hand in zip(table, hands, strict=True):
            np.add.at(row, list(hand), 1)
        return table


def how_high(hand: Iterable[int]) -> tuple[int, ...]:
    """A tuple that compares as hands do when suits are ignored; the lower wins.

    >>> how_high([5, 3, 2]) < how_high([6, 1, 0]) < how_high([2, 0, 0]) < how_high([0, 0, 0])
    True
    """
    # Fewer than five cards know neither straights nor flushes; the second number plays the suit.
    return strength([(rank, 0) for rank in hand])


class Discards(NamedTuple):
    """What a player may throw away: `thrown[choice][hand]` are positions in the hand, highest card first."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]  # cards drawn by each choice
    thrown: tuple[tuple[tuple[int, ...], ...], ...]

    def kept(self, choice: int, number: int, hand: tuple[int, ...]) -> tuple[int, ...]:
        """The ranks a hand keeps."""
        gone = self.thrown[choice][number]
        return tuple(rank for place, rank in enumerate(hand) if place not in gone)


def discards(rule: str, hands: list[tuple[int, ...]]) -> Discards:
    """The choices of the rule: "original" is a number of cards, "free" any set of positions.

    A free choice is written with an x for each card thrown away, highest card first.

    >>> discards("free", RankDeck("23A", 2).multisets(2)).labels
    ('draw 0', 'draw 1 x-', 'draw 1 -x', 'draw 2 xx')
    """
    cards = len(hands[0])
    if rule == "original":
        thrown = tuple(tuple(throw_by_rule(hand, k) for hand in hands) for k in range(cards + 1))
        return Discards(tuple(f"draw {k}" for k in range(cards + 1)), tuple(range(cards + 1)), thrown)
    sets = [gone for k in range(cards + 1) for gone in combinations(range(cards), k)]
    labels = [f"draw {len(gone)}" + _pattern(gone, cards) for gone in sets]
    return Discards(tuple(labels), tuple(map(len, sets)), tuple((gone,) * len(hands) for gone in sets))


def _pattern(gone: tuple[int, ...], cards: int) -> str:
    told = "".join("x" if place in gone else "-" for place in range(cards))
    return f" {told}" if gone and cards > 1 else ""


def throw_by_rule(hand: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """Positions the original rule throws away: multiples are broken first, then the highest cards go.

    One card at a time: of the rank held most often (the higher of two), else the highest.

    >>> throw_by_rule((12, 5, 5), 1), throw_by_rule((12, 5, 5), 2), throw_by_rule((12, 5, 3), 1)
    ((1,), (0, 1), (0,))
    """
    left = list(enumerate(hand))
    gone = []
    for _ in range(cards):
        held = [rank for _, rank in left]
        place = max(left, key=lambda card: (held.count(card[1]), card[1], -card[0]))
        left.remove(place)
        gone.append(place[0])
    return tuple(sorted(gone))


class Multisets:
    """All hands of 0 to n cards in one numbering, with sums and completions: what counting draws needs.

    Shapes: G multisets of all sizes, R ranks. `first[s]` is the number of the first multiset of size s.
    """

    def __init__(self, deck: RankDeck, cards: int):
        self.deck, self.cards = deck, cards
        sizes = [deck.multisets(size) for size in range(cards + 1)]
        self.first = np.cumsum([0, *(len(hands) for hands in sizes)])
        self.every = [hand for hands in sizes for hand in hands]
        self.number = {tuple(sorted(hand)): g for g, hand in enumerate(self.every)}
        self.counts = deck.counts(self.every)
        self.size = self.counts.sum(axis=1)

    @property
    def hands(self) -> list[tuple[int, ...]]:
        """The hands of n cards, best first."""
        return self.every[self.first[self.cards] :]

    def index(self, hand: Iterable[int]) -> int:
        return self.number[tuple(sorted(hand))]

    @cached_property
    def sums(self) -> np.ndarray:
        """The number of the union of two multisets, int32[G, G]; -1 where the deck has no such hand."""
        table = np.full((len(self.every),) * 2, -1, np.int32)
        for (a, one), (b, other) in product(enumerate(self.every), repeat=2):
            if len(one) + len(other) <= self.cards:
                table[a, b] = self.number.get(tuple(sorted(one + other)), -1)
        return table

    @cached_property
    def completions(self) -> tuple[np.ndarray, np.ndarray]:
        """What can be drawn to each kept set, best final hand first: (draw, final hand), int32[G, most].

        Rows are filled up with draw -1.
        """
        best = self.first[self.cards]
        most = len(self.every) - int(best)
        drawn, final = (np.full((len(self.every), most), -1, np.int32) for _ in range(2))
        for kept in range(len(self.every)):
            possible = np.flatnonzero(self.sums[kept] >= best)
            order = possible[np.argsort(self.sums[kept, possible])]
            drawn[kept, : len(order)] = order
            final[kept, : len(order)] = self.sums[kept, order] - best
        return drawn, final

    @cached_property
    def dead(self) -> np.ndarray:
        """Every way two hands together can hold the ranks, int64[D, R]."""
        ranks = range(len(self.deck.ranks))
        every = combinations_with_replacement(ranks, 2 * self.cards)
        return self.deck.counts([hand for hand in every if self.deck.holds(hand)])


def deal_mass(deck: RankDeck, hands: list[tuple[int, ...]]) -> np.ndarray:
    """Probability that the button holds one hand and the big blind the other, float64[H, H]."""
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(5)], float)
    counts, cards = deck.counts(hands), len(hands[0])
    mass = np.ones((len(hands), len(hands)))
    for rank in range(len(deck.ranks)):
        mine, theirs = counts[:, rank, None], counts[None, :, rank]
        left = np.maximum(deck.per_rank - mine, 0)
        mass *= choose[deck.per_rank, mine] * choose[left, theirs]
    return mass / (comb(deck.size, cards) * comb(deck.size - cards, cards))
