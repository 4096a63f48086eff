"""2-to-7 by plain enumeration of cards told apart: every deal, every draw, one by one.

The fast sums work on rank multisets and weights; here each card is a (rank, copy) of its own, so nothing has
to be weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, permutations

Card = tuple[int, int]  # rank, copy


def whole_deck(ranks: int, per_rank: int) -> list[Card]:
    """Every card of a deck with that many ranks and copies of each."""
    return [(rank, copy) for rank in range(ranks) for copy in range(per_rank)]


def ranks_of(cards: Iterable[Card]) -> tuple[int, ...]:
    """What is left of cards when suits are ignored: ranks, highest first."""
    return tuple(sorted((rank for rank, _ in cards), reverse=True))


def badness(ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Compares as hands do, the lower wins: how often ranks are held, then which, most frequent first.

    A pair loses to any hand without one, and among hands without a pair the highest card decides:

    >>> badness([0, 0, 1]) > badness([5, 4, 3]) > badness([5, 4, 2])
    True
    """
    groups = sorted(((times, rank) for rank, times in Counter(ranks).items()), reverse=True)
    return [times for times, _ in groups], [rank for _, rank in groups]


def deal_counts(deck: list[Card], cards: int) -> Counter:
    """In how many ways each pair of rank multisets is dealt."""
    found: Counter = Counter()
    for mine in combinations(deck, cards):
        left = [card for card in deck if card not in mine]
        for theirs in combinations(left, cards):
            found[ranks_of(mine), ranks_of(theirs)] += 1
    return found


def some_cards(deck: list[Card], *hands: tuple[int, ...]) -> list[list[Card]]:
    """Cards of the deck with the ranks asked for, each card once."""
    left, given = list(deck), []
    for hand in hands:
        cards = []
        for rank in hand:
            card = next(card for card in left if card[0] == rank)
            left.remove(card)
            cards.append(card)
        given.append(cards)
    return [*given, left]


def showdown(
    deck: list[Card],
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    gone_mine: Collection[int],
    gone_theirs: Collection[int],
) -> float:
    """P(mine wins) - P(theirs wins) over every draw, big blind (theirs) first; gone are positions."""
    own, other, left = some_cards(deck, mine, theirs)
    kept = [card for place, card in enumerate(own) if place not in gone_mine]
    their_kept = [card for place, card in enumerate(other) if place not in gone_theirs]
    total = draws = 0
    for drawn in permutations(left, len(gone_theirs) + len(gone_mine)):
        final = badness(ranks_of(kept + list(drawn[len(gone_theirs) :])))
        their_final = badness(ranks_of(their_kept + list(drawn[: len(gone_theirs)])))
        total += (final < their_final) - (final > their_final)
        draws += 1
    return total / draws
