"""Tables of hands in their two layouts: rows of 1,326 combos a board, and flat without repetition.

Rows are for computing (any board reads its canonical row through a renaming of suits), flat arrays are for
keeping (`flat[canonical_index]`, a third smaller) and for statistics. Combos that clash with the board are 0.
"""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import BOARD_SIZE
from solverlab.cards.indexing import (
    ONE_GROUP,
    PATTERNS,
    SUITED,
    HandTable,
    hand_in_board,
    hand_table,
)
from solverlab.cards.isomorphism import suit_masks
from solverlab.core.kernel import inner_kernel, kernel

_START, _KIND, _FREE, _FIRST, _KINDS, _GROUP, _TOTAL = PATTERNS


@inner_kernel
def _free_cards(masks, cards, place):
    """Cards of each suit that are not on the board into cards[4, 13], and their places into place[52]."""
    for suit in range(4):
        found = 0
        for rank in range(13):
            place[4 * rank + suit] = -1
            if not masks[suit] >> rank & 1:
                place[4 * rank + suit] = found
                cards[suit, found] = 4 * rank + suit
                found += 1


@inner_kernel
def _list_combos(cards, pattern, combos):
    """One combo for each hand of a canonical board, in numbering order, into combos[total]."""
    at = 0
    for k in range(_KINDS[pattern]):
        s, t = _FIRST[pattern, k, 0], _FIRST[pattern, k, 1]
        kind = _KIND[pattern, s, t]
        for r in range(_FREE[pattern, s]):
            end = r if kind == SUITED else r + 1 if kind == ONE_GROUP else _FREE[pattern, t]
            first = cards[s, r]
            for q in range(end):
                low, high = min(first, cards[t, q]), max(first, cards[t, q])
                combos[at] = (high * (high - 1) >> 1) + low
                at += 1


@inner_kernel
def hands_of_board(board, pattern, combos):
    """One combo for each hand of a canonical board with this pattern, in numbering order, into combos."""
    masks, cards, place = np.empty(4, np.int64), np.empty((4, 13), np.int32), np.empty(52, np.int32)
    suit_masks(board, masks)
    _free_cards(masks, cards, place)
    _list_combos(cards, pattern, combos)


@kernel
def _flatten(rows, boards, pattern, offset, flat):
    """flat[offset[b] + j] = the row's value of hand j, for every board."""
    combos = np.empty(1326, np.int32)
    for b in range(len(boards)):
        hands_of_board(boards[b], pattern[b], combos)
        for j in range(offset[b + 1] - offset[b]):
            flat[offset[b] + j] = rows[b, combos[j]]


@inner_kernel
def _list_numbers(place, pattern, numbers):
    """Number on the board of each of the 1,326 combos into numbers[1326]; -1 where it clashes."""
    combo = 0
    for high in range(52):
        for low in range(high):
            clash = place[low] < 0 or place[high] < 0
            numbers[combo] = (
                -1 if clash else hand_in_board(pattern, low & 3, place[low], high & 3, place[high])
            )
            combo += 1


@kernel
def _spread(flat, boards, pattern, offset, rows):
    """The inverse of `_flatten`: every combo of every row, clashing combos 0."""
    numbers, masks = np.empty(1326, np.int32), np.empty(4, np.int64)
    cards, place = np.empty((4, 13), np.int32), np.empty(52, np.int32)
    for b in range(len(boards)):
        suit_masks(boards[b], masks)
        _free_cards(masks, cards, place)
        _list_numbers(place, pattern[b], numbers)
        for combo in range(1326):
            rows[b, combo] = flat[offset[b] + numbers[combo]] if numbers[combo] >= 0 else 0


@kernel
def _weigh(pattern, board_weight, offset, weight):
    """How many deals (hole, board) each hand stands for, into weight[hands]."""
    for b in range(len(pattern)):
        at, p = offset[b], pattern[b]
        for k in range(_KINDS[p]):
            s, t = _FIRST[p, k, 0], _FIRST[p, k, 1]
            kind, size = _KIND[p, s, t], np.int64(_GROUP[p, s])
            for r in range(_FREE[p, s]):
                end = r if kind == SUITED else r + 1 if kind == ONE_GROUP else _FREE[p, t]
                for q in range(end):
                    if kind == SUITED:
                        ways = size
                    elif kind == ONE_GROUP:
                        ways = size * (size - 1) // (2 if r == q else 1)
                    else:
                        ways = size * _GROUP[p, t]
                    weight[at] = ways * board_weight[b]
                    at += 1


def flatten(rows: np.ndarray, street: str, out: np.ndarray | None = None) -> np.ndarray:
    """Values by canonical number, from rows[B, 1326]; into `out` (a file in memory, say) if given."""
    table = hand_table(street)
    flat = np.empty(table.offset[-1], rows.dtype) if out is None else out
    _flatten(rows, table.boards.boards, table.pattern, table.offset, flat)
    return flat


def spread(flat: np.ndarray, street: str) -> np.ndarray:
    """Rows[B, 1326] from values by canonical number; combos that clash with the board are 0."""
    table = hand_table(street)
    rows = np.empty((len(table.pattern), 1326), flat.dtype)
    _spread(flat, table.boards.boards, table.pattern, table.offset, rows)
    return rows


def hand_weights(street: str) -> np.ndarray:
    """How many of the deals (hole, board) each canonical hand stands for; uint8 by canonical number.

    >>> int(hand_weights("preflop").sum()), int(hand_weights("flop").sum())
    (1326, 25989600)
    """
    table: HandTable = hand_table(street)
    weight = np.empty(table.offset[-1], np.uint8)
    _weigh(table.pattern, table.boards.weight, table.offset, weight)
    return weight


def boards_of(street: str) -> np.ndarray:
    """Canonical boards of a street, uint8[B, n]."""
    return hand_table(street).boards.boards[:, : BOARD_SIZE[street]]
