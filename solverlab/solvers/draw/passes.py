"""What every hand gets for every discard, all draws counted exactly; and the way back, from play to showdown.

Draws must avoid the hand they replace, so keeping K of the hand h is worth the sum over all hands Z that meet
h in K exactly: an alternating sum of S(U) = "sum over the hands that contain U" over the sets U between K and
h. One pass is 2**n lookups a hand. Column 0 of a table is a worth of the final hand alone; column 1 + r, if
there, is added once for each discarded card of rank r, which is how cards the two players cannot both hold
enter (`removal`). The way back (`spread_*`) is the transpose; there a last column 14 holds the mass
once more, weighed by `odds`, as are columns 1 to 13.

Shapes: H hands, n cards, M = 2**n kept masks (bit k: card k stays), U sets, C columns (1, or with removal 14
on the way to values and 15 on the way back).
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.cards.lowball_sets import HandSets
from solverlab.core.kernel import inner_kernel, kernel

WEIGHED = 14  # the last column on the way back
BITS = np.array([bin(mask).count("1") for mask in range(32)], np.int64)


class Ground(NamedTuple):
    """The arrays of a draw game that the passes walk over."""

    start: np.ndarray  # int64[n + 2], first set of each size
    subset: np.ndarray  # int32[H, M]
    wider: np.ndarray  # int32[U - H, X]
    ways: np.ndarray  # float64[U - H, X]
    ranks: np.ndarray  # uint8[H, n]
    strength: np.ndarray  # int32[H], the larger wins
    weight: np.ndarray  # float64[H], share of all deals
    chance: np.ndarray  # float64[n + 1], probability of one draw by the number of cards KEPT
    odds: np.ndarray  # float64[n + 1], by cards KEPT: 1 / chance that a card is neither held nor drawn
    copies: np.ndarray  # float64[13], cards of each rank in the deck


def ground_of(sets: HandSets) -> Ground:
    """The ground of a deck."""
    n, left = sets.cards, len(sets.deck) - sets.cards
    chance = np.array([1.0 / comb(left, n - kept) for kept in range(n + 1)])
    odds = np.array([len(sets.deck) / (left - n + kept) for kept in range(n + 1)])
    ranks = np.ascontiguousarray(sets.hands >> 2)
    tables = (sets.start, sets.subset, sets.wider, sets.ways, ranks, sets.strength, sets.weight)
    return Ground(*tables, chance, odds, sets.copies)


@kernel
def sum_up(ground, sums):
    """From hands (the last H rows of sums[U, C]) to every smaller set: sums over the hands containing it."""
    n = ground.ranks.shape[1]
    for size in range(n - 1, -1, -1):
        for u in range(ground.start[size], ground.start[size + 1]):
            for c in range(sums.shape[1]):
                sums[u, c] = 0.0
            for x in range(ground.wider.shape[1]):
                share = ground.ways[u, x] / (n - size)
                if share > 0.0:
                    v = ground.wider[u, x]
                    for c in range(sums.shape[1]):
                        sums[u, c] += share * sums[v, c]


@inner_kernel
def sum_down(ground, mass):
    """The transpose of `sum_up`: what lies on sets of mass[U, C] is handed on to the hands, in place."""
    n = ground.ranks.shape[1]
    for size in range(n):
        for u in range(ground.start[size], ground.start[size + 1]):
            for x in range(ground.wider.shape[1]):
                share = ground.ways[u, x] / (n - size)
                if share > 0.0:
                    v = ground.wider[u, x]
                    for c in range(mass.shape[1]):
                        mass[v, c] += share * mass[u, c]


@kernel
def all_draw_values(ground, sums, drawn, worth):
    """Worth of every discard of every hand into worth[H, M]; of those of `drawn` cards only, unless -1.

    What a discarded card k adds alternates over the masks without k only, so all parts join before the
    alternating sum is taken, and one is enough. No function is called for a hand: handing arrays over costs
    more than the work itself.
    """
    n, M = ground.ranks.shape[1], ground.subset.shape[1]
    subset, ranks, marked = ground.subset, ground.ranks, n if sums.shape[1] > 1 else 0
    row = np.zeros(M)
    for h in range(len(worth)):
        if drawn == 0:  # standing pat: the hand itself is the final hand
            worth[h, M - 1] = sums[subset[h, M - 1], 0]
            continue
        for mask in range(M):
            row[mask] = sums[subset[h, mask], 0]
        for k in range(marked):
            bit, column = 1 << k, 1 + ranks[h, k]
            for begin in range(0, M, 2 * bit):
                for mask in range(begin, begin + bit):
                    row[mask] += sums[subset[h, mask], column] - sums[subset[h, mask + bit], column]
        for k in range(n):
            bit = 1 << k
            for begin in range(0, M, 2 * bit):
                for mask in range(begin, begin + bit):
                    row[mask] -= row[mask + bit]
        for mask in range(M):
            if drawn < 0 or BITS[mask] == n - drawn:
                worth[h, mask] = row[mask] * ground.chance[BITS[mask]]


@kernel
def spread_draws(ground, reach, sigma, drawn, mass):
    """Outcomes of hands that come with reach[H] and discard by sigma[H, M], into mass[U, C].

    The transpose of `all_draw_values`: on return the last H rows are the final hands. Only discards of
    `drawn` cards count, unless it is -1.
    """
    n, M = ground.ranks.shape[1], ground.subset.shape[1]
    subset, ranks, marked = ground.subset, ground.ranks, n if mass.shape[1] > 1 else 0
    row, weighed = np.zeros(M), np.zeros(M)
    mass[:] = 0.0
    for h in range(len(reach)):
        some = 0.0
        for mask in range(M):
            share = reach[h] * sigma[h, mask] if drawn < 0 or BITS[mask] == n - drawn else 0.0
            some += share
            row[mask] = share * ground.chance[BITS[mask]]
            weighed[mask] = row[mask] * ground.odds[BITS[mask]]
        if not some > 0.0:
            continue
        for k in range(n):
            bit = 1 << k
            for begin in range(0, M, 2 * bit):
                for mask in range(begin, begin + bit):
                    row[mask + bit] -= row[mask]
                    weighed[mask + bit] -= weighed[mask]
        for mask in range(M):
            mass[subset[h, mask], 0] += row[mask]
            if marked:
                mass[subset[h, mask], WEIGHED] += weighed[mask]
        for k in range(marked):
            bit, column = 1 << k, 1 + ranks[h, k]
            for begin in range(0, M, 2 * bit):
                for mask in range(begin, begin + bit):
                    mass[subset[h, mask], column] += weighed[mask]
                    mass[subset[h, mask + bit], column] -= weighed[mask]
    sum_down(ground, mass)


@kernel
def meet_nothing(ground, sums, free):
    """Mean over the hands that share no card with hand h, of what sums[U, 1] adds up, into free[H]."""
    M = ground.subset.shape[1]
    for h in range(len(free)):
        total = 0.0
        for mask in range(M):
            total += (1.0 - 2.0 * (BITS[mask] & 1)) * sums[ground.subset[h, mask], 0]
        free[h] = total * ground.chance[0]


def mean_of_others(ground: Ground, values: np.ndarray) -> np.ndarray:
    """What the other player's hand is worth on average, given one's own hand; values float[H] a hand."""
    sums = np.zeros((int(ground.start[-1]), 1))
    sums[ground.start[-2] :, 0] = values
    sum_up(ground, sums)
    free = np.empty(len(values))
    meet_nothing(ground, sums, free)
    return free
