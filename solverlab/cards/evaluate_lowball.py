"""Which hand is better in 2-to-7 lowball: five cards, aces high, straights and flushes count against you.

Classes run from 1 (royal flush, the worst) to 7,462 (7-5-4-3-2 of several suits, the best): the larger wins,
as in `evaluate_high`, so a showdown is the same comparison in both games.
"""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import Cards, parse_cards
from solverlab.cards.evaluate_high import (
    BIT,
    CLASSES,
    FLUSH_BITS,
    KEY,
    START,
    as_hands,
    count_bits,
    make_tables,
    no_hand,
)
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

# A-2-3-4-5 is no straight here but ace high, hence tables of their own.
LOW, HIGH, RANK, FLUSH, _ = make_tables(sizes=(5,), wheel=False)


@inner_kernel
def lowball_rank_of(key, bits):
    """Lowball class of five cards from START plus their keys, and the union of their bits."""
    if not key & FLUSH_BITS:
        high = np.uint64(HIGH[(key >> np.uint64(14)) & np.uint64(0x1FFFF)])
        return np.uint16(CLASSES + 1 - RANK[high + np.uint64(LOW[key & np.uint64(0x3FFF)])])
    ranks = bits | bits >> np.uint64(16) | bits >> np.uint64(32) | bits >> np.uint64(48)
    return np.uint16(CLASSES + 1 - FLUSH[ranks & np.uint64(0x1FFF)])


@kernel
def lowball_rank5(a, b, c, d, e):
    """Lowball class of five cards."""
    key = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e]
    return lowball_rank_of(key, BIT[a] | BIT[b] | BIT[c] | BIT[d] | BIT[e])


@kernel
def _lowball_rows(cards, ranks):
    """Lowball classes of cards[n, 5] into ranks[n]; returns the first row that is no hand, or -1."""
    for n in range(len(cards)):
        a, b, c, d, e = cards[n, 0], cards[n, 1], cards[n, 2], cards[n, 3], cards[n, 4]
        bits = BIT[a] | BIT[b] | BIT[c] | BIT[d] | BIT[e]
        if count_bits(bits) != np.uint64(5):  # fewer when a card came twice or is none
            return n
        ranks[n] = lowball_rank_of(START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e], bits)
    return -1


def evaluate_lowball(cards: Cards) -> int | np.ndarray:
    """How good a five-card hand is in 2-to-7 lowball: 1 (worst) to 7,462 (7-5-4-3-2), the larger wins.

    `cards` is text, one hand of integers [5], or a batch of integers [n, 5], which returns uint16[n].

    >>> evaluate_lowball("7c5d4h3s2c"), evaluate_lowball("7c6d4h3s2c"), evaluate_lowball("AhKhQhJhTh")
    (7462, 7461, 1)
    """
    if not isinstance(cards, str) and np.ndim(cards) == 2:
        hands = as_hands(np.asarray(cards), (5,))
        ranks = np.empty(len(hands), np.uint16)
        bad = _lowball_rows(hands, ranks)
        if bad >= 0:
            raise no_hand(np.asarray(cards), bad)
        return ranks
    hand = parse_cards(cards)
    if len(hand) != 5:
        raise BadValue(f"a lowball hand has 5 cards, but {cards!r} has {len(hand)}")
    return int(lowball_rank5(*hand))
