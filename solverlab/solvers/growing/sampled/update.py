"""What the sums of a sweep say, and the update: p *= factor, renormalised, all own actions at once."""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.solvers.growing.sampled.nodes import Nodes
from solverlab.solvers.growing.sampled.sweep import BOTH, MASS, MASS_SQUARED, WORTH, WORTH_SQUARED


def conditional_ev(sums: np.ndarray) -> np.ndarray:
    """EV given that the others play to a node; 0 where nobody ever does."""
    mass = sums[:, MASS]
    return np.divide(sums[:, WORTH], mass, out=np.zeros(len(sums)), where=mass > 0)


def standard_error(sums: np.ndarray) -> np.ndarray:
    """The standard error of that ratio of two means; 0 where nobody ever comes.

    With x = w v and r = sum(x) / sum(w), it is the root of sum((x - r w)^2), over sum(w).
    """
    ev, mass = conditional_ev(sums), sums[:, MASS]
    squares = sums[:, WORTH_SQUARED] - 2 * ev * sums[:, BOTH] + ev**2 * sums[:, MASS_SQUARED]
    return np.divide(np.sqrt(squares.clip(0)), mass, out=np.zeros(len(sums)), where=mass > 0)


def own_reach(nodes: Nodes, owned: np.ndarray) -> np.ndarray:
    """The own probability of playing to each node, float64[N]; `owned` marks where own actions lead."""
    reach = np.where(owned, nodes.sigma, 1.0)
    _multiply_down(nodes.parent, reach)
    return reach


@kernel
def _multiply_down(parent, reach):
    for n in range(parent.shape[0]):
        if parent[n] >= 0:
            reach[n] *= reach[parent[n]]


@kernel
def rebalance_nodes(nodes, owners, factor, mass, floor, change):
    """sigma *= factor[N] below each of these own decisions; change[2] gets the largest changes of any.

    A decision that nobody else ever brings about, and one whose factors are all 0, stay as they are.
    """
    sigma = nodes.sigma
    for owner in owners:
        first, last = nodes.first[owner], nodes.first[owner] + nodes.count[owner]
        total, excess = 0.0, 0.0
        for n in range(first, last):
            total += sigma[n] * factor[n]
        if mass[owner] <= 0.0 or total <= 0.0:
            continue
        for n in range(first, last):
            excess += max(sigma[n] * factor[n] / total - floor, 0.0)
        room = 1.0 - nodes.count[owner] * floor
        for n in range(first, last):
            p = sigma[n] * factor[n] / total
            if floor > 0.0:
                p = floor + max(p - floor, 0.0) * room / excess
            moved = abs(p - sigma[n])
            change[0] = max(change[0], moved)
            if sigma[n] > 0.0:
                change[1] = max(change[1], moved / sigma[n])
            sigma[n] = p
