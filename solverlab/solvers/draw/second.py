"""Shared cards to the second order: for every two of my cards, what both together change beyond each alone.

With f as in `removal`, a pair adds f(both) - f(one) - f(other) + f(nothing). A pair counts by its ranks;
with one card a hand I hold at most two, so there the second order is the exact game. Ten times the work of
the first order: for measuring, not for every step.

Columns of sums[U, C2] and mass[U, C2]: 0 the hand alone, 1 + r a discarded card of rank r, PAIR[r, s] two.
"""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.solvers.draw.passes import BITS, Ground, sum_down, sum_up
from solverlab.solvers.draw.removal import shifts, wins_minus_losses


def _pairs() -> np.ndarray:
    """PAIR[r, s]: the column of two ranks in either order; the singles end at 13."""
    table = np.zeros((13, 13), np.int64)
    for column, (low, high) in enumerate(zip(*np.triu_indices(13), strict=True)):
        table[low, high] = table[high, low] = 14 + column
    return table


PAIR = _pairs()
COLUMNS = 105


def pair_odds(ground: Ground) -> np.ndarray:
    """By cards kept: 1 / chance that two given cards are neither held nor drawn; float64[n + 1]."""
    n, deck = ground.ranks.shape[1], ground.copies.sum()
    free = deck - 2 * n + np.arange(n + 1)
    return deck * (deck - 1) / (free * (free - 1))


@kernel
def second_values(ground, sums, drawn, worth):
    """Worth of every discard of every hand into worth[H, M]; of those of `drawn` cards only, unless -1."""
    n, M = ground.ranks.shape[1], ground.subset.shape[1]
    subset, ranks = ground.subset, ground.ranks
    row = np.zeros(M)
    for h in range(len(worth)):
        for mask in range(M):
            row[mask] = sums[subset[h, mask], 0]
        for k in range(n):
            one, column = 1 << k, 1 + ranks[h, k]
            for mask in range(M):
                if not mask & one:
                    row[mask] += sums[subset[h, mask], column] - sums[subset[h, mask | one], column]
            for j in range(k):
                two, column = 1 << j, PAIR[ranks[h, k], ranks[h, j]]
                for mask in range(M):
                    if not mask & (one | two):
                        row[mask] += sums[subset[h, mask], column] - sums[subset[h, mask | one], column]
                        row[mask] += sums[subset[h, mask | one | two], column]
                        row[mask] -= sums[subset[h, mask | two], column]
        for k in range(n):
            for mask in range(M):
                if not mask >> k & 1:
                    row[mask] -= row[mask | 1 << k]
        for mask in range(M):
            if drawn < 0 or BITS[mask] == n - drawn:
                worth[h, mask] = row[mask] * ground.chance[BITS[mask]]


@kernel
def second_spread(ground, odds, reach, sigma, drawn, mass):
    """Outcomes of reach[H] and sigma[H, M], weighed by odds[n + 1], into mass[U, C2]: the transpose."""
    n, M = ground.ranks.shape[1], ground.subset.shape[1]
    subset, ranks = ground.subset, ground.ranks
    row = np.zeros(M)
    mass[:] = 0.0
    for h in range(len(reach)):
        for mask in range(M):
            counts = drawn < 0 or BITS[mask] == n - drawn
            share = ground.chance[BITS[mask]] * odds[BITS[mask]]
            row[mask] = share * reach[h] * sigma[h, mask] if counts else 0.0
        for k in range(n):
            for mask in range(M):
                if not mask >> k & 1:
                    row[mask | 1 << k] -= row[mask]
        for mask in range(M):
            mass[subset[h, mask], 0] += row[mask]
        for k in range(n):
            one, column = 1 << k, 1 + ranks[h, k]
            for mask in range(M):
                if not mask & one:
                    mass[subset[h, mask], column] += row[mask]
                    mass[subset[h, mask | one], column] -= row[mask]
            for j in range(k):
                two, column = 1 << j, PAIR[ranks[h, k], ranks[h, j]]
                for mask in range(M):
                    if not mask & (one | two):
                        mass[subset[h, mask], column] += row[mask]
                        mass[subset[h, mask | one], column] -= row[mask]
                        mass[subset[h, mask | two], column] -= row[mask]
                        mass[subset[h, mask | one | two], column] += row[mask]
    sum_down(ground, mass)


@kernel
def _by_strength(ground, mass, table):
    """Mass by showdown class into table[R, C2], final cards and discards counted alike."""
    n, first = ground.ranks.shape[1], ground.start[-2]
    table[:] = 0.0
    for h in range(len(ground.strength)):
        row, here = table[ground.strength[h]], mass[first + h]
        for c in range(len(row)):
            row[c] += here[c]
        for k in range(n):
            mine = ground.ranks[h, k]
            row[1 + mine] += here[0]
            for rank in range(13):
                row[PAIR[mine, rank]] += here[1 + rank]
            for j in range(k):
                row[PAIR[mine, ground.ranks[h, j]]] += here[0]


@kernel
def _worth_of_hands(ground, margin, sums):
    """Worth of final hands from margin[R, C2] into the last H rows of sums[U, C2]."""
    n, first = ground.ranks.shape[1], ground.start[-2]
    for h in range(len(ground.strength)):
        row, here = margin[ground.strength[h]], sums[first + h]
        for c in range(len(row)):
            here[c] = row[c]
        for k in range(n):
            mine = ground.ranks[h, k]
            here[0] += row[1 + mine]
            for rank in range(13):
                here[1 + rank] += row[PAIR[mine, rank]]
            for j in range(k):
                here[0] += row[PAIR[mine, ground.ranks[h, j]]]


def second_sums(ground: Ground, mass: np.ndarray, paired: np.ndarray, sums: np.ndarray) -> None:
    """Fill sums[U, C2] for `second_values` from mass[U, 15] (first order) and paired[U, C2]."""
    first = shifts(ground, mass)
    table = np.empty((len(first), COLUMNS))
    _by_strength(ground, paired, table)
    copies = np.maximum(ground.copies, 1.0)
    table[:, 1:14] /= copies
    low, high = np.triu_indices(13)
    ways = np.where(low == high, copies[low] * (copies[low] - 1) / 2, copies[low] * copies[high])
    both = table[:, 14:] / np.maximum(ways, 1.0)
    both += table[:, :1] - table[:, 1 + low] - table[:, 1 + high]
    both -= first[:, :1] + first[:, 1 + low] + first[:, 1 + high]
    every = np.concatenate([first, both], axis=1)
    _worth_of_hands(ground, wins_minus_losses(every), sums)
    sum_up(ground, sums)
