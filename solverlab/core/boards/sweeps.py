"""One board of one round: reach flows down its betting, values flow back up, rows are updated on the way.

A pass is one player's (`me`): only the other's reach goes down (and one's own, where averages are
weighted by it), only one's own values come up. Rows hold the columns of one board; see `shape.py`.
"""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import inner_kernel

ONE, NOTHING = np.float32(1.0), np.float32(0.0)
DUST = np.float32(
    1e-30
)  # regrets that only fade would become denormal numbers, which cost twenty times as much
UPDATE, BEST, AVERAGE = 0, 1, 2  # what a pass does: learn, respond as well as possible, play the average


@inner_kernel
def play(table, at, width, actions, sigma):
    """Regret matching, or an average: sigma[A, W] in proportion to the positive numbers of the table's
    rows.

    The last row of sigma is scratch. Short loops over columns, which vectorise (`max` does not).
    """
    norm, row = sigma[sigma.shape[0] - 1], table[at : at + width]
    for k in range(width):
        norm[k] = row[k] if row[k] > NOTHING else NOTHING
    for a in range(1, actions):
        row = table[at + a * width : at + (a + 1) * width]
        for k in range(width):
            norm[k] += row[k] if row[k] > NOTHING else NOTHING
    even = ONE / np.float32(actions)
    for a in range(actions):
        row, out = table[at + a * width : at + (a + 1) * width], sigma[a]
        for k in range(width):
            share = (row[k] if row[k] > NOTHING else NOTHING) / norm[k]
            out[k] = share if norm[k] > NOTHING else even


@inner_kernel
def reach_down(player, betting, table, base, width, reach, sigma):
    """One player's reach[rows, W] below the roots, whose rows are filled; play is read from `table`."""
    row = betting.row[player]
    for n in range(betting.kind.shape[0]):
        if betting.kind[n] != player:
            continue
        first, actions, from_row = betting.first[n], betting.count[n], reach[row[n]]
        at = base + betting.edge[first] * width
        play(table, at, width, actions, sigma)
        for a in range(actions):
            to_row, share = reach[row[first + a]], sigma[a]
            for k in range(width):
                to_row[k] = from_row[k] * share[k]


@inner_kernel
def add_children(first, count, width, value, out):
    """Where the other acts, values add up: his reach is in them already."""
    for k in range(width):
        out[k] = value[first, k]
    for child in range(first + 1, first + count):
        below = value[child]
        for k in range(width):
            out[k] += below[k]


@inner_kernel
def mean_of_children(first, count, width, sigma, value, out):
    """Where oneself acts: what the actions are worth, each as often as it is played."""
    below, share = value[first], sigma[0]
    for k in range(width):
        out[k] = share[k] * below[k]
    for a in range(1, count):
        below, share = value[first + a], sigma[a]
        for k in range(width):
            out[k] += share[k] * below[k]


@inner_kernel
def best_up(me, betting, width, value):
    """Values of a best response: at one's own nodes the best action of every hand."""
    for n in range(betting.kind.shape[0] - 1, -1, -1):
        if betting.kind[n] >= 2:
            continue
        first, count, out = betting.first[n], betting.count[n], value[n]
        if betting.kind[n] != me:
            add_children(first, count, width, value, out)
            continue
        for k in range(width):
            out[k] = value[first, k]
        for child in range(first + 1, first + count):
            below = value[child]
            for k in range(width):
                out[k] = max(out[k], below[k])


@inner_kernel
def values_up(me, betting, table, base, width, value, sigma):
    """Values of playing as `table` says."""
    for n in range(betting.kind.shape[0] - 1, -1, -1):
        if betting.kind[n] >= 2:
            continue
        first, count, out = betting.first[n], betting.count[n], value[n]
        if betting.kind[n] != me:
            add_children(first, count, width, value, out)
            continue
        play(table, base + betting.edge[first] * width, width, count, sigma)
        mean_of_children(first, count, width, sigma, value, out)


@inner_kernel
def learn_up(me, betting, rates, regret, total, base, width, own, value, sigma):
    """Values of the current play, and on the way every own row learns: regret, average.

    own[rows, W] is one's own reach, read only where the average is weighted by it.
    """
    for n in range(betting.kind.shape[0] - 1, -1, -1):
        if betting.kind[n] >= 2:
            continue
        first, count, out = betting.first[n], betting.count[n], value[n]
        if betting.kind[n] != me:
            add_children(first, count, width, value, out)
            continue
        at, weight = base + betting.edge[first] * width, own[betting.row[me, n]]
        play(regret, at, width, count, sigma)
        learn(rates, regret, total, at, width, count, weight, value, first, out, sigma)


@inner_kernel
def learn(rates, regret, total, at, width, count, weight, value, first, out, sigma):
    """The update of one decision: what it is worth, then regret and average of each of its actions.

    sigma[A, W] is what is played; an action that is never played weighs exactly nothing.
    """
    positive, negative, kept, weighted = rates[0], rates[1], rates[2], rates[3] > NOTHING
    mean_of_children(first, count, width, sigma, value, out)
    for a in range(count):
        below, share = value[first + a], sigma[a]
        row = regret[at + a * width : at + (a + 1) * width]
        for k in range(width):
            r = row[k]
            r = (positive if r > NOTHING else negative) * r + (below[k] - out[k])
            row[k] = r if abs(r) > DUST else NOTHING
        row = total[at + a * width : at + (a + 1) * width]
        if weighted:
            for k in range(width):
                row[k] = kept * row[k] + weight[k] * share[k]
        else:
            for k in range(width):
                row[k] = kept * row[k] + share[k]
