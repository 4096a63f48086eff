"""Exact hand strength of every hand on every street, as integers, from the river backwards.

On the river HS = (2 x wins + ties) / 1,980. The strength of an earlier hand is the mean over the boards to
come, so the integer sums of HS x 1,980 and of its square are kept, and equality can be tested to the last
digit:

    street    boards to come    sum of HS up to       sum of squares up to
    river              1                 1,980                          -
    turn              46                91,080                180,338,400
    flop           1,081             2,140,380              4,237,952,400   (just fits 32 bits)
    preflop    2,118,760         4,195,144,800          8,306,386,704,000

Rows are gathered, never scattered: the row of a turn board is the sum of the river rows of its 48 rivers,
each read through the renaming of suits that makes that river canonical. Clashing hands are 0 in every row, so
no masks are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from solverlab.cards.isomorphism import CHOOSE, HOLE_PERM, BoardTable, board_table
from solverlab.cards.showdown import fill_strength, new_order
from solverlab.core.kernel import inner_kernel, kernel

FULL = 1980  # 2 x 990 opponents
RUNOUTS = {"preflop": 2_118_760, "flop": 1081, "turn": 46, "river": 1}

Report = Callable[[float], None]


@inner_kernel
def board_with(board, card):
    """Colex number of ascending board cards with one more card."""
    number, place = 0, 0
    while place < len(board) and board[place] < card:
        number += CHOOSE[board[place], place + 1]
        place += 1
    number += CHOOSE[card, place + 1]
    while place < len(board):
        number += CHOOSE[board[place], place + 2]
        place += 1
    return number


@kernel
def _sum_rivers(turns, rivers, strength, sums, squares):
    """Sums over 48 rivers of HS and HS^2 for turn boards turns[B, 4], into sums and squares [B, 1326]."""
    for b in range(len(turns)):
        total, square = sums[b], squares[b]
        total[:] = 0
        square[:] = 0
        taken = np.int64(0)
        for card in turns[b]:
            taken |= np.int64(1) << card
        for card in range(52):
            if not taken >> card & 1:
                number = board_with(turns[b], card)
                row, renamed = strength[rivers.number[number]], HOLE_PERM[rivers.perm[number]]
                for combo in range(1326):
                    value = np.uint32(row[renamed[combo]])
                    total[combo] += value
                    square[combo] += value * value


@kernel
def _sum_turns(flops, turns, turn_sums, turn_squares, sums, squares):
    """The same for flop boards over 49 turns; every runout comes in two orders, so the sums are halved."""
    total, square = np.empty(1326, np.int64), np.empty(1326, np.int64)
    for b in range(len(flops)):
        total[:] = 0
        square[:] = 0
        taken = np.int64(0)
        for card in flops[b]:
            taken |= np.int64(1) << card
        for card in range(52):
            if not taken >> card & 1:
                number = board_with(flops[b], card)
                renamed = HOLE_PERM[turns.perm[number]]
                row, row2 = turn_sums[turns.number[number]], turn_squares[turns.number[number]]
                for combo in range(1326):
                    total[combo] += row[renamed[combo]]
                    square[combo] += row2[renamed[combo]]
        for combo in range(1326):
            sums[b, combo] = total[combo] >> 1
            squares[b, combo] = square[combo] >> 1


@kernel
def _sum_flops(flops, flop_sums, flop_squares, sums, squares):
    """Sums over all 22,100 flops for each of the 1,326 combos; every board of five is seen as 10 flops."""
    for number in range(len(flops.number)):
        renamed = HOLE_PERM[flops.perm[number]]
        row, row2 = flop_sums[flops.number[number]], flop_squares[flops.number[number]]
        for combo in range(1326):
            sums[combo] += row[renamed[combo]]
            squares[combo] += row2[renamed[combo]]
    for combo in range(1326):
        sums[combo] //= 10
        squares[combo] //= 10


def _chunks(size: int, step: int, report: Report) -> Iterator[slice]:
    """Slices of boards.

    The report is called before each, so that a build can show progress and be stopped.
    """
    for begin in range(0, size, step):
        report(begin / size)
        yield slice(begin, min(begin + step, size))


def river_rows(report: Report) -> np.ndarray:
    """HS x 1,980 of every hand on every canonical river, uint16[134459, 1326]."""
    boards = board_table(5).boards
    rows, order = np.empty((len(boards), 1326), np.uint16), new_order()
    for part in _chunks(len(boards), 8192, report):
        fill_strength(boards[part], order, rows[part])
    return rows


def turn_rows(rivers: np.ndarray, report: Report) -> tuple[np.ndarray, np.ndarray]:
    """Sums of HS and of HS^2 over 46 rivers, uint32[16432, 1326] each."""
    boards = board_table(4).boards
    sums, squares = (np.empty((len(boards), 1326), np.uint32) for _ in range(2))
    for part in _chunks(len(boards), 512, report):
        _sum_rivers(boards[part], board_table(5), rivers, sums[part], squares[part])
    return sums, squares


def flop_rows(turns: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sums of HS and of HS^2 over 1,081 runouts, uint32[1755, 1326] each."""
    boards = board_table(3).boards
    sums, squares = (np.empty((len(boards), 1326), np.uint32) for _ in range(2))
    _sum_turns(boards, board_table(4), *turns, sums, squares)
    return sums, squares


def preflop_row(flops: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Sums of HS and of HS^2 over 2,118,760 boards, int64[1, 1326] each."""
    sums, squares = np.zeros(1326, np.int64), np.zeros(1326, np.int64)
    _sum_flops(board_table(3), *flops, sums, squares)
    return sums[None], squares[None]


def current_rows(size: int) -> np.ndarray:
    """2 x wins + ties on the board as it lies, uint16[B, 1326], for boards of 3 or 4 cards."""
    table: BoardTable = board_table(size)
    rows = np.empty((len(table.boards), 1326), np.uint16)
    fill_strength(table.boards, new_order(), rows)
    return rows


def compile_sums() -> None:
    """Have the kernels that fill and add up streets compiled, on no boards: ahead of the build."""
    rivers, sums = np.empty((0, 1326), np.uint16), np.empty((0, 1326), np.uint32)
    flops, totals = board_table(3), np.zeros(1326, np.int64)
    fill_strength(board_table(5).boards[:0], new_order(), rivers)
    _sum_rivers(board_table(4).boards[:0], board_table(5), rivers, sums, sums)
    _sum_turns(flops.boards[:0], board_table(4), sums, sums, sums, sums)
    _sum_flops(flops._replace(number=flops.number[:0]), sums, sums, totals, totals)
