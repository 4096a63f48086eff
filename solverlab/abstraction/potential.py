"""Positive and negative potential of every flop and turn hand, exact.

Where a pair of hands stands is x now and y at the end (0 behind, 1 tied, 2 ahead). All that is needed is the
sum of max(y - x, 0) over opponents and runouts: it is the numerator of the positive potential, and because
the sum of y - x is known from E[HS] and the strength now, the negative potential follows without another
sweep.

max(y - x, 0) counts opponents that are better now and not better at the end, plus those not worse now and
worse at the end. Both depend only on kinds of cards (see `cards.showdown`), so each runout compares 91 to 351
pairs of kinds instead of 1,081 hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from solverlab.cards.board_rows import flatten
from solverlab.cards.cards import BOARD_SIZE
from solverlab.cards.evaluate_high import FLUSH, plain_rank
from solverlab.cards.isomorphism import board_table
from solverlab.cards.showdown import RANK_KEY, flush_on_board, new_order, rank_pairs
from solverlab.cards.strength_tables import HANDS
from solverlab.cards.table_cache import Shape, Step, TableCache, cache_folder
from solverlab.core.kernel import inner_kernel, kernel

VERSION = 1
# Runouts that a given opponent leaves: 45 cards choose 2 after the flop, 44 after the turn.
RUNOUTS_LEFT = {"flop": 990, "turn": 44}


@inner_kernel
def _ranks_now(board, plain):
    """Class of every pair of ranks that can be held on the board, into plain[13 * high + low]."""
    left, key = np.full(13, 4, np.int64), np.uint64(0)
    for card in board:
        left[card >> 2] -= 1
        key += RANK_KEY[card >> 2]
    for high in range(13):
        for low in range(high + 1):
            if left[low] > 0 and left[high] > (high == low):
                plain[13 * high + low] = plain_rank(key + RANK_KEY[high] + RANK_KEY[low])
                plain[13 * low + high] = plain[13 * high + low]


@inner_kernel
def _stand_now(board, plain, order, total, hands, by_kind):
    """Class now, class at the end and number of hands of each pair of kinds, twice over.

    hands int32[3, E] lists the pairs; by_kind int32[3, 32 x 26] has the pair (t, u) at 32 t + u, where the
    number is that of hands with one given card of kind t.
    """
    pair, size = order.pair, order.size
    suit, suited, mask = flush_on_board(board)
    by_kind[2] = 0
    for k in range(total):
        t, u = np.int64(pair[k] >> 5 & 31), np.int64(pair[k] & 31)
        own, other = np.int64(t >= 13), np.int64(u >= 13)
        if suit >= 0 and suited + own + other >= 5:
            now = FLUSH[mask | own << t % 13 | other << u % 13]
        else:
            now = plain[13 * (t % 13) + u % 13]
        hands[0, k], hands[1, k] = now, pair[k] >> 10
        hands[2, k] = size[t] * (size[t] - 1) >> 1 if t == u else size[t] * size[u]
        by_kind[0, 32 * t + u] = by_kind[0, 32 * u + t] = now
        by_kind[1, 32 * t + u] = by_kind[1, 32 * u + t] = pair[k] >> 10
        by_kind[2, 32 * t + u] = size[u] - (t == u)
        by_kind[2, 32 * u + t] = size[t] - (t == u)


@inner_kernel
def _gains(order, total, hands, by_kind, gain):
    """Sum of max(y - x, 0) over opponents that share no card, by pair of kinds, into gain at 32 t + u.

    The loops stand here in full: helpers that take arrays would count references in the innermost loop. Sums
    stay in 32 bits, else they are not vectorised.
    """
    now, later, weight = hands[0], hands[1], hands[2]
    now2, later2, weight2 = by_kind[0], by_kind[1], by_kind[2]
    zero = np.int32(0)
    for k in range(total):
        t, u = np.int64(order.pair[k] >> 5 & 31), np.int64(order.pair[k] & 31)
        own, end, found = now[k], later[k], zero
        for m in range(total):
            better = weight[m] if (now[m] > own) & (later[m] <= end) else zero
            level = weight[m] if (now[m] >= own) & (later[m] < end) else zero
            found = np.int32(found + np.int32(better + level))
        for m in range(32 * t, 32 * t + 32):
            better = weight2[m] if (now2[m] > own) & (later2[m] <= end) else zero
            level = weight2[m] if (now2[m] >= own) & (later2[m] < end) else zero
            found = np.int32(found - np.int32(better + level))
        for m in range(32 * u, 32 * u + 32):
            better = weight2[m] if (now2[m] > own) & (later2[m] <= end) else zero
            level = weight2[m] if (now2[m] >= own) & (later2[m] < end) else zero
            found = np.int32(found - np.int32(better + level))
        gain[32 * t + u] = gain[32 * u + t] = found


@inner_kernel
def _add_runout(board, runout, plain, order, hands, by_kind, gain, sums):
    """Add one complete board's gains to sums[1326]; gain int32[1024] is scratch, 0 for clashing kinds."""
    total, kind = rank_pairs(runout, order), order.kind
    _stand_now(board, plain, order, total, hands, by_kind)
    _gains(order, total, hands, by_kind, gain)
    place = 0
    for high in range(52):
        base = 32 * kind[high]
        for low in range(high):
            sums[place] += gain[base + kind[low]]
            place += 1


@kernel
def _fill_gains(boards, order, rows):
    """Sum of max(y - x, 0) over opponents and runouts, for boards[B, 3 or 4] into rows[B, 1326]."""
    plain, gain, runout = np.zeros(169, np.int32), np.zeros(1024, np.int32), np.zeros(5, np.int64)
    hands, by_kind = np.zeros((3, 351), np.int32), np.zeros((3, 1024), np.int32)
    size = boards.shape[1]
    for b in range(len(boards)):
        rows[b] = 0
        _ranks_now(boards[b], plain)
        taken = np.int64(0)
        for k in range(size):
            runout[k] = boards[b, k]
            taken |= np.int64(1) << runout[k]
        for turn in range(52):
            if not taken >> turn & 1:
                runout[size] = turn
                for river in range(turn if size == 3 else 1):
                    if size == 3 and taken >> river & 1:
                        continue
                    if size == 3:
                        runout[4] = river
                    _add_runout(boards[b], runout, plain, order, hands, by_kind, gain, rows[b])


def gain_rows(boards: np.ndarray) -> np.ndarray:
    """Sum of max(y - x, 0) over opponents and runouts, for boards[B, 3 or 4]; uint32[B, 1326]."""
    rows = np.empty((len(boards), 1326), np.uint32)
    _fill_gains(boards, new_order(), rows)
    return rows


def _build(street: str, step: Step) -> Iterator[tuple[str, np.ndarray]]:
    """All boards of the street, few at a time."""
    boards, chunk = board_table(BOARD_SIZE[street]).boards, 8 if street == "flop" else 256
    rows = np.empty((len(boards), 1326), np.uint32)
    for begin in range(0, len(boards), chunk):
        step(begin / len(boards), f"potential of the {street}: {len(boards):,} boards")
        rows[begin : begin + chunk] = gain_rows(boards[begin : begin + chunk])
    yield "gained", flatten(rows, street)


@cache
def _tables_in(street: str, folder: Path) -> TableCache:
    shapes = {"gained": Shape((HANDS[street],), "<u4")}
    return TableCache(f"potential-{street}", VERSION, shapes, lambda step: _build(street, step), folder)


def potential_tables(street: str, folder: str | Path | None = None) -> TableCache:
    """The kept sum of max(y - x, 0) of every hand of the flop or the turn."""
    return _tables_in(street, cache_folder() if folder is None else Path(folder))
