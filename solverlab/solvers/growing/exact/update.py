"""The update itself: every probability of a decision times its factor, then they sum to 1 again."""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.solvers.growing.exact.values import NOBODY_COMES


@kernel
def rebalance_rows(tie, factor, weight, floor, sigma, change):
    """sigma[S, K] *= factor, renormalised; change[2] becomes the largest absolute and relative change.

    A decision that nobody else ever brings about, and one whose factors are all 0, stay as they are.
    """
    for g in range(tie.first.shape[0]):
        first, last = tie.first[g], tie.first[g] + tie.count[g]
        for k in range(sigma.shape[1]):
            total, excess = 0.0, 0.0
            for s in range(first, last):
                total += sigma[s, k] * factor[s, k]
            if weight[first, k] <= NOBODY_COMES or total <= 0.0:
                continue
            for s in range(first, last):
                excess += max(sigma[s, k] * factor[s, k] / total - floor, 0.0)
            room = 1.0 - tie.count[g] * floor
            for s in range(first, last):
                p = sigma[s, k] * factor[s, k] / total
                if floor > 0.0:
                    p = floor + max(p - floor, 0.0) * room / excess
                moved = abs(p - sigma[s, k])
                change[0] = max(change[0], moved)
                if sigma[s, k] > 0.0:
                    change[1] = max(change[1], moved / sigma[s, k])
                sigma[s, k] = p


@kernel
def node_means(tie, sigma, ev):
    """The EV of each decision, written beside each of its actions: mean[S, K]."""
    mean = np.zeros_like(ev)
    for g in range(tie.first.shape[0]):
        first, last = tie.first[g], tie.first[g] + tie.count[g]
        for k in range(ev.shape[1]):
            total = 0.0
            for s in range(first, last):
                total += sigma[s, k] * ev[s, k]
            for s in range(first, last):
                mean[s, k] = total
    return mean
