"""Who wins at the end of a small poker game, for any deck and any number of cards.

The usual categories, best five cards of those a player holds and shares. With fewer than five cards a player,
straights and flushes do not count, so a pair beats a high card and that is most of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, TRIPS, TWO_PAIR, PAIR, HIGH_CARD = range(8, -1, -1)
_OF_COUNTS = {(4,): QUADS, (3, 2): FULL_HOUSE, (3,): TRIPS, (2, 2): TWO_PAIR, (2,): PAIR, (): HIGH_CARD}


def strength(cards: Sequence[tuple[int, int]], ace_low: bool = False) -> tuple[int, ...]:
    """A tuple that compares as the hands do; cards are (rank, suit) numbers, rank 0 lowest.

    >>> pair_of_queens, king_high = [(1, 0), (1, 1)], [(2, 0), (1, 1)]
    >>> strength(pair_of_queens) > strength(king_high)
    True
    """
    if len(cards) <= 5:
        return _five_or_fewer(cards, ace_low)
    return max(_five_or_fewer(five, ace_low) for five in combinations(cards, 5))


def _five_or_fewer(cards: Sequence[tuple[int, int]], ace_low: bool) -> tuple[int, ...]:
    counts = Counter(rank for rank, _ in cards)
    by_count = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    category = _OF_COUNTS[tuple(counts[rank] for rank in by_count if counts[rank] > 1)]
    if len(cards) == 5 and category == HIGH_CARD:
        flush = len({suit for _, suit in cards}) == 1
        top = _straight_top(by_count, ace_low)
        if top is not None:
            return (STRAIGHT_FLUSH if flush else STRAIGHT), top
        category = FLUSH if flush else HIGH_CARD
    return category, *by_count


def _straight_top(ranks: Sequence[int], ace_low: bool) -> int | None:
    """The highest card of five in a row; with `ace_low` the ace (rank 12) may stand below the deuce."""
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    if ace_low and list(ranks) == [12, 3, 2, 1, 0]:
        return 3
    return None
