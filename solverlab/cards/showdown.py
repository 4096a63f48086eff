"""All hands of a board in order of strength, and one sweep that tells each how many others it beats.

A hand's class depends only on the kinds of its cards: the rank and, when three cards of a suit are on the
board, whether the card is of that suit. So 91 pairs of kinds (351 with a flush in reach) stand for up to
1,176 hands; they are sorted, swept and only then written out hand by hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import Cards, parse_board
from solverlab.cards.evaluate_high import FLUSH, KEY, plain_rank
from solverlab.core.kernel import inner_kernel, kernel

RANK_KEY = KEY[:52:4] & np.uint64(0x7FFFFFFF)
BLOCKED = 26  # the kind of a card that is on the board
# A pair of kinds in one number: class << 10 | larger kind << 5 | smaller kind.


class Order(NamedTuple):
    """Work space for one board: kinds T <= 26, pairs of kinds E <= 351, tie groups G, hands H.

    kind int64[52] of each card; cards int64[26, 4] of each kind and size int64[26], how many; pair uint32[E]
    sorted by class, spare is scratch; group int32[G + 1], first pair of each tie group; low, high, combo [H]
    hands from weakest to strongest; start int32[G + 1], first hand of each tie group.
    """

    kind: np.ndarray
    cards: np.ndarray
    size: np.ndarray
    pair: np.ndarray
    spare: np.ndarray
    group: np.ndarray
    low: np.ndarray
    high: np.ndarray
    combo: np.ndarray
    start: np.ndarray


def new_order() -> Order:
    """Room for one board; kernels fill it again and again."""
    return Order(
        kind=np.zeros(52, np.int64),
        cards=np.zeros((26, 4), np.int64),
        size=np.zeros(26, np.int64),
        pair=np.zeros(351, np.uint32),
        spare=np.zeros(351, np.uint32),
        group=np.zeros(352, np.int32),
        low=np.zeros(1326, np.uint8),
        high=np.zeros(1326, np.uint8),
        combo=np.zeros(1326, np.uint16),
        start=np.zeros(352, np.int32),
    )


@inner_kernel
def flush_on_board(board):
    """Suit with at least three board cards (-1 if none), how many, and their ranks as a mask."""
    for suit in range(4):
        count = mask = 0
        for card in board:
            if card & 3 == suit:
                count += 1
                mask |= 1 << (card >> 2)
        if count >= 3:
            return suit, count, mask
    return -1, 0, 0


@inner_kernel
def _sort_cards(board, suit, kind, cards, size):
    """Kind of each card, and the cards of each kind; kinds 13 to 25 are the ranks of the flush suit."""
    kind[:] = 0
    size[:] = 0
    for card in board:
        kind[card] = BLOCKED
    for card in range(52):
        if kind[card] != BLOCKED:
            what = (card >> 2) + (13 if card & 3 == suit else 0)
            kind[card] = what
            cards[what, size[what]] = card
            size[what] += 1


@inner_kernel
def _sort_pairs(pair, spare, total):
    """Sort pairs of kinds by their 13-bit class: low seven bits, then high six."""
    place = np.zeros(129, np.int32)
    for k in range(total):
        place[(pair[k] >> 10 & 127) + 1] += 1
    for k in range(127):
        place[k + 1] += place[k]
    for k in range(total):
        digit = pair[k] >> 10 & 127
        spare[place[digit]] = pair[k]
        place[digit] += 1
    place[:] = 0
    for k in range(total):
        place[(spare[k] >> 17) + 1] += 1
    for k in range(63):
        place[k + 1] += place[k]
    for k in range(total):
        digit = spare[k] >> 17
        pair[place[digit]] = spare[k]
        place[digit] += 1


@inner_kernel
def rank_pairs(board, order):
    """Class of every pair of kinds that can be dealt into order.pair; returns how many."""
    size, pair = order.size, order.pair
    suit, suited, mask = flush_on_board(board)
    _sort_cards(board, suit, order.kind, order.cards, size)
    key = np.uint64(0)
    for card in board:
        key += RANK_KEY[card >> 2]
    total = 0
    for t in range(13 if suit < 0 else 26):
        if size[t] > 0:
            rank, own = t % 13, t >= 13
            for u in range(t + 1):
                if size[u] > (u == t):
                    if suited + own + (u >= 13) >= 5:
                        value = FLUSH[mask | own << rank | (u >= 13) << u % 13]
                    else:
                        value = plain_rank(key + RANK_KEY[rank] + RANK_KEY[u % 13])
                    pair[total] = np.uint32(value) << 10 | t << 5 | u
                    total += 1
    return total


@inner_kernel
def order_pairs(board, order):
    """Pairs of kinds from weakest to strongest for a board of 3, 4 or 5 cards; returns the tie groups."""
    pair, group = order.pair, order.group
    total = rank_pairs(board, order)
    _sort_pairs(pair, order.spare, total)
    groups = 0
    for k in range(total):
        if k == 0 or pair[k] >> 10 != pair[k - 1] >> 10:
            group[groups] = k
            groups += 1
    group[groups] = total
    return groups


@inner_kernel
def order_hands(board, order):
    """Hands from weakest to strongest for a board of 3, 4 or 5 cards; returns the number of tie groups."""
    groups = order_pairs(board, order)
    cards, size, pair, group, start = order.cards, order.size, order.pair, order.group, order.start
    low, high, combo = order.low, order.high, order.combo
    at = 0
    for g in range(groups):
        start[g] = at
        for k in range(group[g], group[g + 1]):
            t, u = pair[k] >> 5 & 31, pair[k] & 31
            for i in range(size[t]):
                for j in range(i if t == u else size[u]):
                    a, b = min(cards[t, i], cards[u, j]), max(cards[t, i], cards[u, j])
                    low[at], high[at], combo[at] = a, b, (b * (b - 1) >> 1) + a
                    at += 1
    start[groups] = at
    return groups


@inner_kernel
def sweep_pairs(order, groups, beaten, level):
    """Opponents that a hand of kinds t, u beats, and beats or ties, into beaten and level at 32 t + u.

    Opponents share no card with the hand: of all hands below, those with either of its cards are taken off.
    All cards of a kind are in equally many hands below, so one counter a kind is enough.
    """
    size, pair, group = order.size, order.pair, order.group
    with_card = np.zeros(26, np.int32)
    below = 0
    for g in range(groups):
        for k in range(group[g], group[g + 1]):
            t, u = pair[k] >> 5 & 31, pair[k] & 31
            beaten[32 * t + u] = beaten[32 * u + t] = below - with_card[t] - with_card[u]
        for k in range(group[g], group[g + 1]):
            t, u = pair[k] >> 5 & 31, pair[k] & 31
            if t == u:
                with_card[t] += size[t] - 1
                below += size[t] * (size[t] - 1) >> 1
            else:
                with_card[t] += size[u]
                with_card[u] += size[t]
                below += size[t] * size[u]
        for k in range(group[g], group[g + 1]):
            t, u = pair[k] >> 5 & 31, pair[k] & 31
            level[32 * t + u] = level[32 * u + t] = below - with_card[t] - with_card[u] + 1


@kernel
def fill_strength(boards, order, rows):
    """2 x wins + ties of every hand against every opponent hand, on each board, into rows[B, 1326].

    Hands that clash with the board are 0.
    """
    kind = order.kind
    beaten, level = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
    points = np.zeros(1024, np.uint16)
    for b in range(len(boards)):
        sweep_pairs(order, order_pairs(boards[b], order), beaten, level)
        for k in range(32 * BLOCKED):
            points[k] = beaten[k] + level[k]
        row, at = rows[b], 0
        for high in range(52):
            base = 32 * kind[high]
            for low in range(high):
                row[at] = points[base + kind[low]]
                at += 1


@kernel
def _fill_wins_and_ties(board, order, wins, ties):
    """Opponents beaten and tied by every combo on one board, into wins[1326] and ties[1326]."""
    beaten, level = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
    sweep_pairs(order, order_pairs(board, order), beaten, level)
    at = 0
    for high in range(52):
        for low in range(high):
            place = 32 * order.kind[high] + order.kind[low]
            wins[at], ties[at] = beaten[place], level[place] - beaten[place]
            at += 1


def wins_and_ties(board: Cards) -> tuple[np.ndarray, np.ndarray]:
    """Opponents each of the 1,326 combos beats and ties on a board of 3, 4 or 5 cards; int32[1326] each.

    >>> wins, ties = wins_and_ties("2c7d9hJsKc")
    >>> int((wins + ties).max()), int(2 * wins.sum() + ties.sum()) == 1081 * 990
    (990, True)
    """
    wins, ties = np.zeros(1326, np.int32), np.zeros(1326, np.int32)
    _fill_wins_and_ties(np.array(parse_board(board, (3, 4, 5))), new_order(), wins, ties)
    return wins, ties
