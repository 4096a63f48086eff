"""From where one player ends up to what the other's final hands are worth, shared cards taken into account.

If I hold, draw and throw away the cards M, the other's final hand has exactly the distribution
f(M) = (mass of the other's play that avoids M) / (chance that so many random cards avoid M). The order says
how much of it is kept: 0 takes f(nothing), as if both drew from decks of their own; 1 adds, for every card of
M, the exact change f(card) - f(nothing); 2 is in `second`. Suits are interchangeable, so a card's change
depends on its rank.
"""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.solvers.draw.passes import WEIGHED, Ground, sum_up


@kernel
def _by_strength(ground, mass, table):
    """Mass by showdown class into table[R, C]; column 1 + r gathers the cards of rank r in play."""
    n, first = ground.ranks.shape[1], ground.start[-2]
    table[:] = 0.0
    for h in range(len(ground.strength)):
        row = table[ground.strength[h]]
        for c in range(table.shape[1]):
            row[c] += mass[first + h, c]
        if table.shape[1] > 1:
            for k in range(n):
                row[1 + ground.ranks[h, k]] += mass[first + h, WEIGHED]


@kernel
def _worth_of_hands(ground, margin, sums):
    """Worth of final hands from margin[R, C] into the last H rows of sums[U, C]."""
    n, first = ground.ranks.shape[1], ground.start[-2]
    for h in range(len(ground.strength)):
        row = margin[ground.strength[h]]
        for c in range(sums.shape[1]):
            sums[first + h, c] = row[c]
        if sums.shape[1] > 1:
            for k in range(n):
                sums[first + h, 0] += row[1 + ground.ranks[h, k]]


def shifts(ground: Ground, mass: np.ndarray) -> np.ndarray:
    """Where the other ends up, by showdown class: float64[R, 1 or 14] from mass[U, C].

    Column 0 is order 0, column 1 + r what each card of rank r of mine changes in it.
    """
    table = np.empty((int(ground.strength.max()) + 1, mass.shape[1]))
    _by_strength(ground, mass, table)
    if mass.shape[1] == 1:
        return table
    holding = table[:, 1:WEIGHED] / np.maximum(ground.copies, 1.0)
    table[:, 1:WEIGHED] = table[:, WEIGHED:] - holding - table[:, :1]
    return table[:, :WEIGHED]


def margins(ground: Ground, mass: np.ndarray) -> np.ndarray:
    """Wins minus losses of a final hand of mine by its showdown class; columns as in `shifts`."""
    return wins_minus_losses(shifts(ground, mass))


def wins_minus_losses(table: np.ndarray) -> np.ndarray:
    """What each showdown class wins minus loses against table[R, C] of the other's.

    >>> wins_minus_losses(np.array([[0.5], [0.0], [0.25]])).ravel().tolist()
    [-0.25, 0.25, 0.5]
    """
    below = np.cumsum(table, axis=0)
    return 2.0 * below - table - below[-1]


def worth_sums(ground: Ground, margin: np.ndarray, sums: np.ndarray) -> None:
    """Fill sums[U, C] so that `all_draw_values` reads off discards whose final hands get margin[R, C]."""
    _worth_of_hands(ground, margin, sums)
    sum_up(ground, sums)
