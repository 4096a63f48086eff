"""One hand rolled out exactly: every board to come against every opponent hand."""

from __future__ import annotations

import numpy as np

from solverlab.cards.evaluate_high import BIT, KEY, START, rank_of
from solverlab.cards.indexing import index_hands
from solverlab.cards.isomorphism import next_cards
from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.core.kernel import inner_kernel, kernel

BEHIND, TIED, AHEAD = 0, 1, 2


@inner_kernel
def outcome(own, other):
    """BEHIND, TIED or AHEAD."""
    return TIED + (own > other) - (own < other)


@inner_kernel
def free_cards(taken, free):
    """Cards not in the mask into free; returns how many."""
    size = 0
    for card in range(52):
        if not taken >> np.uint64(card) & np.uint64(1):
            free[size] = card
            size += 1
    return size


@inner_kernel
def _against_all(key, bits, taken, skip, points, change, now):
    """Compare a finished hand with every opponent hand off the cards taken; returns 2 x wins + ties.

    key, bits: board and own cards in `skip`'s stead; change[now, later] counts opponents by how they stood.
    """
    free = np.empty(52, np.int64)
    size = free_cards(taken, free)
    own = rank_of(key + KEY[skip[0]] + KEY[skip[1]], bits | BIT[skip[0]] | BIT[skip[1]])
    total = 0
    for j in range(size):
        high = free[j]
        high_key, high_bits = key + KEY[high], bits | BIT[high]
        for i in range(j):
            low = free[i]
            state = outcome(own, rank_of(high_key + KEY[low], high_bits | BIT[low]))
            total += state
            change[now[(high * (high - 1) >> 1) + low], state] += 1
    points[total] += 1


@kernel
def roll_out(hole, board, points, change, now):
    """Every runout of a hand on a board of 3, 4 or 5 cards.

    points[1981] counts runouts by 2 x wins + ties at the end; change[3, 3] counts (opponent, runout) by how
    the opponent stands now and at the end; now[1326] is scratch for where each opponent stands on this board.
    """
    key, bits, taken = START, np.uint64(0), np.uint64(0)
    for card in board:
        key, bits, taken = key + KEY[card], bits | BIT[card], taken | np.uint64(1) << np.uint64(card)
    for card in hole:
        taken |= np.uint64(1) << np.uint64(card)
    own = rank_of(key + KEY[hole[0]] + KEY[hole[1]], bits | BIT[hole[0]] | BIT[hole[1]])
    free = np.empty(52, np.int64)
    size = free_cards(taken, free)
    for j in range(size):
        high = free[j]
        for i in range(j):
            low = free[i]
            other = rank_of(key + KEY[high] + KEY[low], bits | BIT[high] | BIT[low])
            now[(high * (high - 1) >> 1) + low] = outcome(own, other)
    missing = 5 - len(board)
    for j in range(size if missing > 0 else 1):
        key1, bits1, taken1 = key, bits, taken
        if missing > 0:
            key1, bits1 = key + KEY[free[j]], bits | BIT[free[j]]
            taken1 = taken | np.uint64(1) << np.uint64(free[j])
        for i in range(j if missing > 1 else 1):
            key2, bits2, taken2 = key1, bits1, taken1
            if missing > 1:
                key2, bits2 = key1 + KEY[free[i]], bits1 | BIT[free[i]]
                taken2 = taken1 | np.uint64(1) << np.uint64(free[i])
            _against_all(key2, bits2, taken2, hole, points, change, now)


@kernel
def _boards_without(first, second, boards):
    """All boards of five cards without the two given, into boards[2118760, 5]."""
    cards, found, more = np.arange(5), 0, True
    while more:
        clash = False
        for card in cards:
            clash |= card == first or card == second
        if not clash:
            boards[found] = cards
            found += 1
        more = next_cards(cards)


def preflop_points(
    hole: tuple[int, int], folder: str | None, progress: Progress | None, cancel: Cancel | None
) -> np.ndarray:
    """How often each 2 x wins + ties occurs over all 2,118,760 boards, int64[1981], from the river table."""
    strength = strength_tables(folder).array("river_sums", progress, cancel)
    boards = np.empty((2_118_760, 5), np.uint8)
    _boards_without(hole[0], hole[1], boards)
    index = index_hands(np.broadcast_to(np.array(hole, np.uint8), (len(boards), 2)), boards)
    return np.bincount(strength[index], minlength=1981)
