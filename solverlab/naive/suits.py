"""Two deals are the same when renaming suits makes them so: found by trying all 24 ways to name four suits.

Cards are numbers 4 x rank + suit, from 0 (the two of the first suit) to 51.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations


def rename(cards: Sequence[int], suits: Sequence[int]) -> list[int]:
    """The cards after suit s was renamed suits[s]."""
    return [4 * (card // 4) + suits[card % 4] for card in cards]


def canonical_form(rounds: Sequence[Sequence[int]]) -> tuple:
    """The smallest of the 24 renamed deals; cards of one round in no order.

    An ace and a king of one suit are the same hand in every suit:

    >>> canonical_form([[51, 47]]) == canonical_form([[48, 44]]) == ((44, 48),)
    True
    >>> canonical_form([[51, 46]])
    ((44, 49),)
    """
    return min(
        tuple(tuple(sorted(rename(cards, suits))) for cards in rounds) for suits in permutations(range(4))
    )
