"""Sums over the hands of an opponent that share no card with one's own, without looking at pairs of hands.

Own cards and an opponent's must be disjoint. As [disjoint] = sum over S within both of (-1)^|S|, it is enough
to know, for every small multiset S of ranks, how much of the opponent's reach holds S and shows down each
hand: one table filled by a walk over the opponent's hands and read by a walk over one's own. That is H x 2^k
steps for k cards a hand instead of H x H.
"""

from __future__ import annotations

from itertools import product
from math import comb, perm, prod
from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel


class Ground(NamedTuple):
    """What the sums need of the hands. Shapes: H hands, K subsets a hand, S different subsets, C choices."""

    subset: np.ndarray  # int32[H, K], number of each multiset within a hand; -1 fills up
    holds: np.ndarray  # float64[H, K], part of the hand's deals that hold certain cards of these ranks
    avoid: np.ndarray  # float64[H, K], signed number of ways to choose these ranks among the hand's cards
    ways: np.ndarray  # float64[H], deals of the hand alone
    deals: float  # of both hands together, all equally likely
    final: np.ndarray  # int32[C, H]
    subsets: int


class Ends(NamedTuple):
    """How leaves pay. Shapes: L leaves."""

    choice: np.ndarray  # int32[2, L], discard of button and big blind; -1 where somebody folded
    chips: np.ndarray  # float64[L], the button's


def ground_of(
    dealt: np.ndarray, replaced: np.ndarray, final: np.ndarray, per_rank: int, deals: float
) -> Ground:
    """Number the subsets of every hand's cards (dealt and replaced counts, int64[H, R])."""
    held = dealt + replaced
    number: dict[tuple[tuple[int, int], ...], int] = {}
    same, which = np.unique(held, axis=0, return_inverse=True)  # many hands hold the same cards
    rows = []
    for cards in same.tolist():
        ranks = [rank for rank, times in enumerate(cards) if times]
        row = []
        for times in product(*(range(cards[rank] + 1) for rank in ranks)):
            key = tuple((r, t) for r, t in zip(ranks, times, strict=True) if t)
            share = prod(perm(cards[r], t) / perm(per_rank, t) for r, t in key)
            among = prod(comb(cards[r], t) for r, t in key) * (-1) ** sum(times)
            row.append((number.setdefault(key, len(number)), share, among))
        rows.append(row)
    most = max(map(len, rows))
    filled = np.array([row + [(-1, 0.0, 0.0)] * (most - len(row)) for row in rows])[which.ravel()]
    each = np.array([[comb(per_rank, k) for k in range(6)]], float)[0]
    orders = np.array([[perm(n, k) for k in range(6)] for n in range(per_rank + 1)], float)
    ways = (each[dealt] * orders[per_rank - dealt, replaced]).prod(axis=1)
    return Ground(
        subset=filled[:, :, 0].astype(np.int32),
        holds=filled[:, :, 1].copy(),
        avoid=filled[:, :, 2].copy(),
        ways=ways,
        deals=deals,
        final=final,
        subsets=len(number),
    )


@kernel
def summed_cfv(me, ground, ends, reach):
    """Counterfactual values out[L, H] of player `me` from both players' reach[2, L, H]."""
    L, H = reach.shape[1], reach.shape[2]
    out = np.zeros((L, H))
    table = np.empty((ground.subsets, ground.final.max() + 2))
    folded = np.zeros(H, np.int32)
    for leaf in range(L):
        stake = ends.chips[leaf] / ground.deals
        shown, own = ends.choice[1 - me, leaf], ends.choice[me, leaf]
        if shown < 0:
            stake *= 1.0 if me == 0 else -1.0
            _fill(ground, reach[1 - me, leaf], folded, 1, table)
            _read(ground, folded, 1, True, table, out[leaf])
        else:
            width = table.shape[1] - 1
            _fill(ground, reach[1 - me, leaf], ground.final[shown], width, table)
            _read(ground, ground.final[own], width, False, table, out[leaf])
        for h in range(H):
            out[leaf, h] *= stake
    return out


@inner_kernel
def _fill(ground, reach, final, width, table):
    """table[S, f]: deals of the other that hold S and show down better than f, weighted by reach."""
    for s in range(ground.subsets):
        for f in range(width + 1):
            table[s, f] = 0.0
    for h in range(reach.shape[0]):
        if reach[h] > 0.0:
            weight = reach[h] * ground.ways[h]
            for k in range(ground.subset.shape[1]):
                s = ground.subset[h, k]
                if s < 0:
                    break
                table[s, final[h] + 1] += weight * ground.holds[h, k]
    for s in range(ground.subsets):
        for f in range(1, width):
            table[s, f + 1] += table[s, f]


@inner_kernel
def _read(ground, final, width, folded, table, out):
    """out[H]: deals of the other that avoid the own cards; those that lose less those that win, or all."""
    for h in range(out.shape[0]):
        total, f = 0.0, final[h]
        for k in range(ground.subset.shape[1]):
            s = ground.subset[h, k]
            if s < 0:
                break
            whole = table[s, width]
            met = whole if folded else whole - table[s, f + 1] - table[s, f]
            total += ground.avoid[h, k] * met
        out[h] = total * ground.ways[h]
