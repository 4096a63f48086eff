"""What folds and showdowns are worth, for eight rows of the other player's reach at once.

Hands of the last round stand in order of strength, so running sums answer every question: what a hand
beats is a prefix, less the prefixes of the hands that hold one of its cards. Eight rows lie side by side
(lanes), so that one look-up serves eight. The lanes are written out because nothing else vectorises: load
all, compute all, store all; a store between two loads might change what the second reads, and the
compiler then does one lane after the other.

With a hand's weaker sum A, not-stronger sum B and the sum F of all hands that share no card (its own two
cards counted apart, as S), a pot of which a player wins `half`, and `rake` taken from it::

    showdown = (half - rake / 2) (A + B) - half F - rake / 2 S        fold = worth (F + S)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.boards.shape import LANES
from solverlab.core.kernel import inner_kernel

NOTHING = np.float32(0.0)
HALF = np.float32(0.5)


class Lanes(NamedTuple):
    """Scratch for W columns: eight rows side by side [W + 1, 8] (the last is nothing), their running sums
    over all hands [W + 1, 8] and over the hands with each card [2 W + 52, 8], the sum of each card [53,
    8] (the last: of all hands), what the ends of a batch pay [3, 8], and what own hands get [W, 8]."""

    side: np.ndarray
    sums: np.ndarray
    card_sums: np.ndarray
    totals: np.ndarray
    pay: np.ndarray
    out: np.ndarray


def new_lanes(width: int) -> Lanes:
    """Room for boards of at most so many columns."""
    rows = width + 1, width + 1, 2 * width + 52, 53, 3, width
    return Lanes(*(np.zeros((n, LANES), np.float32) for n in rows))


@inner_kernel
def value_ends(me, betting, boards, b, reach, value, lanes):
    """Fill value[N, W] of all folds and showdowns of one board, from the other's reach[rows, W]."""
    plan = betting.lanes[me]
    for m in range(plan.shape[0]):
        folds = shows = 0
        for lane in range(LANES):
            folds += plan[m, lane, 1] >= 0
            shows += plan[m, lane, 2] >= 0
        if folds + shows == 0:
            continue
        _load(plan[m], boards.size[1 - me, b], boards.width[1 - me, b], reach, lanes.side)
        _sum_cards(1 - me, boards, b, lanes, shows > 0)
        size, width = boards.size[me, b], boards.width[me, b]
        if folds > 0:
            _fold(me, plan[m], betting, boards, b, lanes)
            _write(1, plan[m], size, width, lanes, value)
        if shows > 0:
            _show(me, plan[m], betting, boards, b, lanes)
            _write(2, plan[m], size, width, lanes, value)


@inner_kernel
def _load(batch, size, width, reach, side):
    """Eight rows side by side; the row behind the last column is nothing."""
    r0, r1, r2, r3 = reach[batch[0, 0]], reach[batch[1, 0]], reach[batch[2, 0]], reach[batch[3, 0]]
    r4, r5, r6, r7 = reach[batch[4, 0]], reach[batch[5, 0]], reach[batch[6, 0]], reach[batch[7, 0]]
    for k in range(size):
        x0, x1, x2, x3, x4, x5, x6, x7 = r0[k], r1[k], r2[k], r3[k], r4[k], r5[k], r6[k], r7[k]
        side[k, 0], side[k, 1], side[k, 2], side[k, 3] = x0, x1, x2, x3
        side[k, 4], side[k, 5], side[k, 6], side[k, 7] = x4, x5, x6, x7
    for lane in range(LANES):
        side[width, lane] = NOTHING


@inner_kernel
def _sum_cards(other, boards, b, lanes, running):
    """Sums of the hands with each card, and of all; `running`: every partial sum on the way is kept,
    too."""
    side, sums, card_sums, totals = lanes.side, lanes.sums, lanes.card_sums, lanes.totals
    with_card, in_hand = boards.with_card[other, b], boards.in_hand[boards.with_start[other, b] :]
    t0 = t1 = t2 = t3 = t4 = t5 = t6 = t7 = NOTHING
    for card in range(52):
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = NOTHING
        at = with_card[card] + card
        if running:
            for lane in range(LANES):
                card_sums[at, lane] = NOTHING
        for i in range(with_card[card], with_card[card + 1]):
            k = in_hand[i]
            x0, x1, x2, x3 = side[k, 0], side[k, 1], side[k, 2], side[k, 3]
            x4, x5, x6, x7 = side[k, 4], side[k, 5], side[k, 6], side[k, 7]
            a0, a1, a2, a3, a4, a5, a6, a7 = (
                a0 + x0,
                a1 + x1,
                a2 + x2,
                a3 + x3,
                a4 + x4,
                a5 + x5,
                a6 + x6,
                a7 + x7,
            )
            if running:
                at += 1
                card_sums[at, 0], card_sums[at, 1], card_sums[at, 2], card_sums[at, 3] = a0, a1, a2, a3
                card_sums[at, 4], card_sums[at, 5], card_sums[at, 6], card_sums[at, 7] = a4, a5, a6, a7
        totals[card, 0], totals[card, 1], totals[card, 2], totals[card, 3] = a0, a1, a2, a3
        totals[card, 4], totals[card, 5], totals[card, 6], totals[card, 7] = a4, a5, a6, a7
        t0, t1, t2, t3, t4, t5, t6, t7 = (
            t0 + a0,
            t1 + a1,
            t2 + a2,
            t3 + a3,
            t4 + a4,
            t5 + a5,
            t6 + a6,
            t7 + a7,
        )
    total = totals[52]
    total[0], total[1], total[2], total[3] = HALF * t0, HALF * t1, HALF * t2, HALF * t3
    total[4], total[5], total[6], total[7] = HALF * t4, HALF * t5, HALF * t6, HALF * t7
    if running:
        _run_sums(boards.size[other, b], side, sums)


@inner_kernel
def _run_sums(size, side, sums):
    """sums[k] = the sum of the first k rows of side."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = NOTHING
    for k in range(size + 1):
        x0, x1, x2, x3 = side[k, 0], side[k, 1], side[k, 2], side[k, 3]
        x4, x5, x6, x7 = side[k, 4], side[k, 5], side[k, 6], side[k, 7]
        sums[k, 0], sums[k, 1], sums[k, 2], sums[k, 3] = a0, a1, a2, a3
        sums[k, 4], sums[k, 5], sums[k, 6], sums[k, 7] = a4, a5, a6, a7
        a0, a1, a2, a3, a4, a5, a6, a7 = (
            a0 + x0,
            a1 + x1,
            a2 + x2,
            a3 + x3,
            a4 + x4,
            a5 + x5,
            a6 + x6,
            a7 + x7,
        )


@inner_kernel
def _fold(me, batch, betting, boards, b, lanes):
    """worth (F + S) of every own hand, eight lanes a hand."""
    side, totals, hole, same, out = lanes.side, lanes.totals, boards.hole, boards.same, lanes.out
    t, w = totals[52], lanes.pay[0]
    for lane in range(LANES):
        w[lane] = betting.worth[me, batch[lane, 1]]
    w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
    t0, t1, t2, t3, t4, t5, t6, t7 = t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]
    start = boards.start[me, b]
    for k in range(boards.size[me, b]):
        c, d, s = hole[start + k, 0], hole[start + k, 1], same[start + k]
        f0 = w0 * (t0 - totals[c, 0] - totals[d, 0] + side[s, 0])
        f1 = w1 * (t1 - totals[c, 1] - totals[d, 1] + side[s, 1])
        f2 = w2 * (t2 - totals[c, 2] - totals[d, 2] + side[s, 2])
        f3 = w3 * (t3 - totals[c, 3] - totals[d, 3] + side[s, 3])
        f4 = w4 * (t4 - totals[c, 4] - totals[d, 4] + side[s, 4])
        f5 = w5 * (t5 - totals[c, 5] - totals[d, 5] + side[s, 5])
        f6 = w6 * (t6 - totals[c, 6] - totals[d, 6] + side[s, 6])
        f7 = w7 * (t7 - totals[c, 7] - totals[d, 7] + side[s, 7])
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = f0, f1, f2, f3
        out[k, 4], out[k, 5], out[k, 6], out[k, 7] = f4, f5, f6, f7


@inner_kernel
def _show(me, batch, betting, boards, b, lanes):
    """(half - rake / 2) (A + B) - half F - rake / 2 S of every own hand, eight lanes a hand."""
    look, hole, same, pay, out = boards.look, boards.hole, boards.same, lanes.pay, lanes.out
    for lane in range(LANES):
        for part in range(3):
            pay[part, lane] = betting.pays[part, batch[lane, 2]]
    start = boards.start[me, b]
    for k in range(start, start + boards.size[me, b]):
        at = (
            look[k, 0],
            look[k, 1],
            look[k, 2],
            look[k, 3],
            look[k, 4],
            look[k, 5],
            hole[k, 0],
            hole[k, 1],
            same[k],
        )
        f0, f1, f2, f3 = (
            _shown(0, at, lanes),
            _shown(1, at, lanes),
            _shown(2, at, lanes),
            _shown(3, at, lanes),
        )
        f4, f5, f6, f7 = (
            _shown(4, at, lanes),
            _shown(5, at, lanes),
            _shown(6, at, lanes),
            _shown(7, at, lanes),
        )
        i = k - start
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = f0, f1, f2, f3
        out[i, 4], out[i, 5], out[i, 6], out[i, 7] = f4, f5, f6, f7


@inner_kernel
def _shown(lane, at, lanes):
    """One lane of one hand; `at` says where its sums lie: weaker, not stronger, of each card, its cards,
    itself."""
    sums, cards, totals, pay = lanes.sums, lanes.card_sums, lanes.totals, lanes.pay
    low = cards[at[2], lane] + cards[at[3], lane]
    high = cards[at[4], lane] + cards[at[5], lane]
    both = (sums[at[0], lane] + sums[at[1], lane]) - low - high
    every = totals[52, lane] - totals[at[6], lane] - totals[at[7], lane]
    return pay[0, lane] * both - pay[1, lane] * every - pay[2, lane] * lanes.side[at[8], lane]


@inner_kernel
def _write(which, batch, size, width, lanes, value):
    """The lanes of a batch into the rows of its nodes; a lane without a node into the row that nobody
    reads."""
    out = lanes.out
    for lane in range(LANES):
        node = batch[lane, which]
        if node >= 0:
            row = value[node]
            for k in range(size):
                row[k] = out[k, lane]
            for k in range(size, width):
                row[k] = NOTHING
