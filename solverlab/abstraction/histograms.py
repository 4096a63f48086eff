"""Strength histograms of every hand of a street: how often it ends in each range of strength.

Each river row becomes a row of bin numbers once; a flop or turn hand then counts, over its runouts, the bins
its combo meets. Counts are exact integers: 1,081 runouts a flop hand, 46 a turn hand, 2,118,760 a preflop
hand.
"""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.one_hand import bin_of_points, check_bins
from solverlab.cards.board_rows import hands_of_board
from solverlab.cards.cards import check_street
from solverlab.cards.indexing import hand_table, index_hands, unindex_hands
from solverlab.cards.isomorphism import HOLE_PERM, board_table
from solverlab.cards.showdown import fill_strength, new_order
from solverlab.cards.street_strength import FULL, board_with
from solverlab.cards.table_cache import Cancel, Progress, Step
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel


@kernel
def _bin_rows(boards, strength, lookup, nowhere, rows):
    """Bin of every hand of boards[B, 5] into rows[B, 1326]; hands that clash with the board get `nowhere`."""
    for b in range(len(boards)):
        for combo in range(1326):
            rows[b, combo] = lookup[strength[b, combo]]
        for card in boards[b]:
            for other in range(52):
                low, high = min(card, other), max(card, other)
                if low != high:
                    rows[b, (high * (high - 1) >> 1) + low] = nowhere


def _river_bins(bins: int, step: Step) -> np.ndarray:
    """Bin of every hand on every canonical river, uint8 or uint16 [134459, 1326]; `bins` marks a clash."""
    boards, order = board_table(5).boards, new_order()
    lookup = bin_of_points(np.arange(FULL + 1), bins).astype(np.uint16)
    rows = np.empty((len(boards), 1326), np.uint8 if bins < 255 else np.uint16)
    strength = np.empty((4096, 1326), np.uint16)
    for begin in range(0, len(boards), 4096):
        step(0.2 * begin / len(boards), "river: 134,459 boards")
        part = boards[begin : begin + 4096]
        fill_strength(part, order, strength[: len(part)])
        _bin_rows(part, strength, lookup, bins, rows[begin : begin + 4096])
    return rows


@inner_kernel
def _count_river(board, rivers, rows, count):
    """Add the bins met over all rivers of a turn board to count[1326, bins + 1]; clashes go to the last."""
    taken = np.int64(0)
    for card in board:
        taken |= np.int64(1) << card
    for card in range(52):
        if not taken >> card & 1:
            number = board_with(board, card)
            row, renamed = rows[rivers.number[number]], HOLE_PERM[rivers.perm[number]]
            for combo in range(1326):
                count[combo, row[renamed[combo]]] += 1


@inner_kernel
def _count_board(board, rivers, rows, count):
    """The same for a flop or turn board; two cards to come are taken in ascending order."""
    count[:] = 0
    if len(board) == 4:
        _count_river(board, rivers, rows, count)
        return
    four = np.zeros(4, np.int64)
    for high in range(52):
        if high != board[0] and high != board[1] and high != board[2]:
            _insert(board, high, four)
            for low in range(high):
                if low != board[0] and low != board[1] and low != board[2]:
                    number = board_with(four, low)
                    row, renamed = rows[rivers.number[number]], HOLE_PERM[rivers.perm[number]]
                    for combo in range(1326):
                        count[combo, row[renamed[combo]]] += 1


@inner_kernel
def _insert(board, card, longer):
    """Ascending board cards with one more card, into longer."""
    place = 0
    while place < len(board) and board[place] < card:
        longer[place] = board[place]
        place += 1
    longer[place] = card
    while place < len(board):
        longer[place + 1] = board[place]
        place += 1


@kernel
def _fill_histograms(boards, pattern, offset, rivers, rows, out):
    """Histogram of every hand of boards[B, 3 or 4], by number from offset[0], into out[hands, bins]."""
    bins = out.shape[1]
    count, combos = np.zeros((1326, bins + 1), np.uint16), np.zeros(1326, np.int32)
    for b in range(len(boards)):
        _count_board(boards[b], rivers, rows, count)
        hands_of_board(boards[b], pattern[b], combos)
        for j in range(offset[b + 1] - offset[b]):
            for k in range(bins):
                out[offset[b] - offset[0] + j, k] = count[combos[j], k]


def _preflop(flops: np.ndarray) -> np.ndarray:
    """Histograms of the 169 hands from those of the flop; every board of five is seen as ten flops."""
    hole, _ = unindex_hands("preflop", np.arange(169))
    boards = np.array([(a, b, c) for c in range(52) for b in range(c) for a in range(b)], np.uint8)
    out = np.zeros((169, flops.shape[1]), np.int64)
    for number, own in enumerate(hole):
        free = boards[~np.isin(boards, own).any(axis=1)]
        index = index_hands(np.broadcast_to(own, (len(free), 2)), free)
        out[number] = flops[index].sum(axis=0, dtype=np.int64) // 10
    return out


def street_histograms(
    street: str, bins: int = 10, progress: Progress | None = None, cancel: Cancel | None = None
) -> np.ndarray:
    """How many boards to come lead each hand into each of `bins` equal ranges of strength.

    Integers [hands, bins] by canonical number: uint16 on the flop, uint8 on the turn, int64 before the flop.
    """
    if check_street(street) == "river":
        raise BadValue("a river hand has one strength and no histogram; read .ehs")
    check_bins(bins)
    if street == "preflop":
        return _preflop(street_histograms("flop", bins, progress, cancel))
    step = Step(progress, cancel)
    rows, table = _river_bins(bins, step), hand_table(street)
    boards = table.boards.boards
    out = np.empty((table.offset[-1], bins), np.uint16 if street == "flop" else np.uint8)
    chunk = 64 if street == "flop" else 512
    for begin in range(0, len(boards), chunk):
        step(0.2 + 0.8 * begin / len(boards), f"{street}: {len(boards):,} boards")
        part, offset = slice(begin, begin + chunk), table.offset[begin : begin + chunk + 1]
        _fill_histograms(
            boards[part], table.pattern[part], offset, board_table(5), rows, out[offset[0] : offset[-1]]
        )
    step(1.0, "done")
    return out
