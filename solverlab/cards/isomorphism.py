"""Boards that differ only in the names of the suits are one board.

A board is canonical when its four 13-bit suit masks descend from clubs to spades; there are 1,755 canonical
flops, 16,432 turns and 134,459 rivers. `BoardTable` maps the colex number of any board to its canonical
number and to the renaming of suits that leads there, so tables can hold one row of 1,326 combos per canonical
board and any other board reads that row through `HOLE_PERM[perm]`: one lookup a board, none a hand.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS, Cards, parse_board
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

# PERMS[p, s] is the new name of suit s; PERMS[0] changes nothing.
PERMS = np.array(list(permutations(range(4))), np.uint8)


def _hole_perm() -> np.ndarray:
    """HOLE_PERM[p, combo]: the combo after its suits were renamed by PERMS[p]; uint16[24, 1326]."""
    renamed = COMBOS // 4 * 4 + PERMS[:, COMBOS % 4]
    low, high = renamed.min(axis=2).astype(np.int64), renamed.max(axis=2).astype(np.int64)
    return (high * (high - 1) // 2 + low).astype(np.uint16)


def _inverse() -> np.ndarray:
    """INVERSE[p]: the renaming that undoes PERMS[p]."""
    place = {tuple(perm): number for number, perm in enumerate(PERMS.tolist())}
    return np.array([place[tuple(np.argsort(perm).tolist())] for perm in PERMS], np.uint8)


def _perm_of_comparisons() -> np.ndarray:
    """The sorting renaming from six answers `mask[s] >= mask[t]`, s < t; equal masks keep their order."""
    place = {tuple(perm): number for number, perm in enumerate(PERMS.tolist())}
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    table = np.zeros(64, np.uint8)
    for answers in range(64):
        position = [0, 0, 0, 0]
        for bit, (first, second) in enumerate(pairs):
            position[second if answers >> bit & 1 else first] += 1
        table[answers] = place.get(tuple(position), 0)  # contradictory answers never occur
    return table


HOLE_PERM = _hole_perm()
INVERSE = _inverse()
SORTING_PERM = _perm_of_comparisons()
# CHOOSE[n, k]; row 52 is zero so that the padding card 52 adds nothing to a colex number.
CHOOSE = np.array([[comb(n, k) if n < 52 else 0 for k in range(8)] for n in range(53)], np.int64)


class BoardTable(NamedTuple):
    """All boards of n cards and their canonical ones (B of them).

    number int32[C(52, n)] and perm uint8[C(52, n)] by colex number; boards uint8[B, n], cards ascending;
    weight uint8[B], the number of boards each stands for; stabiliser uint8[B], whose bit i says that the
    masks of suits i and i + 1 are equal, so that renaming them changes nothing.
    """

    number: np.ndarray
    perm: np.ndarray
    boards: np.ndarray
    weight: np.ndarray
    stabiliser: np.ndarray


@inner_kernel
def sorting_perm(a, b, c, d):
    """The renaming of suits that puts four masks in descending order."""
    code = (a >= b) | (a >= c) << 1 | (a >= d) << 2 | (b >= c) << 3 | (b >= d) << 4 | (c >= d) << 5
    return SORTING_PERM[code]


@inner_kernel
def colex(cards):
    """Colex number of ascending cards."""
    number = 0
    for k in range(len(cards)):
        number += CHOOSE[cards[k], k + 1]
    return number


@inner_kernel
def next_cards(cards):
    """Advance ascending cards to the next set in colex order; False after the last one."""
    last = len(cards) - 1
    for k in range(last + 1):
        limit = cards[k + 1] if k < last else 52
        if cards[k] + 1 < limit:
            cards[k] += 1
            for j in range(k):
                cards[j] = j
            return True
    return False


@inner_kernel
def suit_masks(cards, masks):
    """The ranks of each suit among the cards, into masks[4]."""
    masks[:] = 0
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)


@kernel
def _number_canonical(cards, perm, boards):
    """Walk all boards from cards = 0, 1, ..: the renaming that sorts it, and the canonical ones in order."""
    masks = np.zeros(4, np.int64)
    found = number = 0
    more = True
    while more:
        suit_masks(cards, masks)
        perm[number] = sorting_perm(masks[0], masks[1], masks[2], masks[3])
        if perm[number] == 0:
            for k in range(len(cards)):  # assigning the row would compile numba's sentence about shapes
                boards[found, k] = cards[k]
            found += 1
        number += 1
        more = next_cards(cards)
    return found


@kernel
def _link_boards(cards, perm, boards, index):
    """Canonical number of every board: canonical boards first, then all others through their renaming."""
    renamed = np.zeros(len(cards), np.int64)
    for b in range(len(boards)):
        index[colex(boards[b])] = b
    for number in range(len(perm)):
        if perm[number] != 0:
            for k in range(len(cards)):
                card = (cards[k] >> 2 << 2) + PERMS[perm[number], cards[k] & 3]
                place = k
                while place > 0 and renamed[place - 1] > card:
                    renamed[place] = renamed[place - 1]
                    place -= 1
                renamed[place] = card
            index[number] = index[colex(renamed)]
        next_cards(cards)


@kernel
def _first_impossible(deals):
    """First row in which a card is above 51 or occurs twice; -1 if there is none."""
    for n in range(len(deals)):
        total = union = np.uint64(0)
        worst = np.uint8(0)
        for k in range(deals.shape[1]):
            bit = np.uint64(1) << np.uint64(deals[n, k])
            total += bit
            union |= bit
            worst = max(worst, deals[n, k])
        if worst > 51 or total != union:  # the sum is the union exactly when no bit was added twice
            return n
    return -1


def check_deals(deals: np.ndarray) -> np.ndarray:
    """Accept integers [n, k] that are different cards in every row, as uint8.

    The error names the first bad row.
    """
    small = deals
    if deals.dtype != np.uint8:
        small = np.where((deals < 0) | (deals > 51), 63, deals).astype(np.uint8)
    bad = _first_impossible(small)
    if bad >= 0:
        raise BadValue(f"row {bad} is no deal: {deals[bad].tolist()} are not different integers 0 to 51")
    return small


def _stabilisers(boards: np.ndarray) -> np.ndarray:
    """Which neighbouring suits hold the same ranks, as three bits."""
    masks = np.zeros((len(boards), 4), np.int64)
    for card in boards.T:
        np.bitwise_or.at(masks, (np.arange(len(boards)), card & 3), 1 << (card >> 2).astype(np.int64))
    equal = masks[:, :-1] == masks[:, 1:]
    return (equal @ np.array([1, 2, 4])).astype(np.uint8)


@cache
def board_table(n: int) -> BoardTable:
    """Canonical boards of n = 0 to 5 cards; built once, 0.2 s for n = 5.

    >>> [len(board_table(n).boards) for n in (3, 4)]
    [1755, 16432]
    """
    if n not in range(6):
        raise BadValue(f"a board has 0 to 5 cards, not {n!r}")
    if n == 0:
        one = np.zeros(1, np.uint8)
        return BoardTable(one.astype(np.int32), one, np.zeros((1, 0), np.uint8), one + 1, one + 7)
    perm = np.empty(comb(52, n), np.uint8)
    boards = np.empty((comb(52, n), n), np.uint8)
    boards = boards[: _number_canonical(np.arange(n), perm, boards)].copy()
    number = np.empty(len(perm), np.int32)
    _link_boards(np.arange(n), perm, boards, number)
    weight = np.bincount(number).astype(np.uint8)
    table = BoardTable(number, perm, boards, weight, _stabilisers(boards))
    for array in table:
        array.flags.writeable = False
    return table


def canonical_board(board: Cards) -> tuple[int, int]:
    """The canonical number of a board and the renaming of suits (a row of PERMS) that leads there.

    >>> canonical_board("Td9d6h")[0] == canonical_board("Ts9s6c")[0]
    True
    """
    cards = sorted(parse_board(board))
    table, number = board_table(len(cards)), sum(comb(card, k + 1) for k, card in enumerate(cards))
    return int(table.number[number]), int(table.perm[number])
