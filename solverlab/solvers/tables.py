"""The tables a solver keeps, and the step from this iteration's gains to the next strategy.

Shapes: S slots, K buckets; without ties these are nodes and hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import kernel


class Tables(NamedTuple):
    regret: np.ndarray  # float64[S, K], accumulated gains
    total: np.ndarray  # float64[S, K], accumulated strategies, weighted by own reach
    gain: np.ndarray  # float64[S, K], this iteration's regret (the prediction of predictive schedules)
    sigma: np.ndarray  # float64[S, K], played now


def fresh_tables(shape: tuple[int, int]) -> Tables:
    return Tables(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.ones(shape))


@kernel
def match(tie, player, prediction, tables, norm):
    """Regret matching for one player: play in proportion to positive regret; norm[K] is scratch.

    A predictive schedule matches what the regret would be if the last gain came again.
    """
    regret, gain, sigma = tables.regret, tables.gain, tables.sigma
    K = regret.shape[1]
    for g in range(tie.first.shape[0]):
        if tie.player[g] != player:
            continue
        first, last, uniform = tie.first[g], tie.first[g] + tie.count[g], 1.0 / tie.count[g]
        for k in range(K):
            norm[k] = 0.0
        for s in range(first, last):
            for k in range(K):
                sigma[s, k] = max(regret[s, k] + prediction * gain[s, k], 0.0)
                norm[k] += sigma[s, k]
        for s in range(first, last):
            for k in range(K):
                sigma[s, k] = sigma[s, k] / norm[k] if norm[k] > 0.0 else uniform


@kernel
def accumulate_and_match(tie, player, rates, share, tables, norm):
    """Forget a little, then add: gains into regret, the player's reach share[S, K] into the average.

    Each group is matched as by `match` while its rows are at hand: one way through the tables, not two. The
    share may be sigma itself: a row is added before it is overwritten.
    """
    regret, gain, total, sigma = tables.regret, tables.gain, tables.total, tables.sigma
    K = regret.shape[1]
    for g in range(tie.first.shape[0]):
        if tie.player[g] != player:
            continue
        first, last, uniform = tie.first[g], tie.first[g] + tie.count[g], 1.0 / tie.count[g]
        for k in range(K):
            norm[k] = 0.0
        for s in range(first, last):
            for k in range(K):
                kept = rates.positive if regret[s, k] > 0.0 else rates.negative
                regret[s, k] = kept * regret[s, k] + gain[s, k]
                total[s, k] = rates.average * total[s, k] + share[s, k]
            for k in range(K):
                sigma[s, k] = max(regret[s, k] + rates.prediction * gain[s, k], 0.0)
                norm[k] += sigma[s, k]
        for s in range(first, last):
            for k in range(K):
                sigma[s, k] = sigma[s, k] / norm[k] if norm[k] > 0.0 else uniform
