"""Values and best responses of a game whose leaves are a table, in one compiled call.

A small game takes less time to measure than to ask: what `best_response.Measure` does in a dozen calls is
done here without leaving compiled code, with the same sums in the same order.
"""

from __future__ import annotations

import numpy as np

from solverlab.core import sweeps
from solverlab.core.kernel import kernel
from solverlab.core.leaves import LeafTable, fill_cfv, leaf_plan
from solverlab.core.tree import Tree, multiply_down


def root_values(tree: Tree, leaves: LeafTable, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a policy sigma[N, H] wins for each player, and what best responses win; each float64[P]."""
    roots = np.flatnonzero(tree.parent < 0)
    out = np.empty((2, leaves.matrix.shape[0], len(roots), sigma.shape[1]))
    _root_values(tree, leaves, sigma, roots, out)
    values, best = out.reshape(2, out.shape[1], -1).sum(axis=2)
    return values, best


@kernel
def _root_values(tree, leaves, sigma, roots, out):
    """Counterfactual values at the roots R of the policy, out[0, P, R, H], and of best responses, out[1]."""
    N, H = sigma.shape
    L, P = leaves.kind.shape[0], leaves.matrix.shape[0]
    cfv, leaf_reach, leaf_cfv = np.empty((N, H)), np.empty((P, L, H)), np.empty((L, H))
    plan = leaf_plan(leaves)
    chance = tree.chance.copy()
    multiply_down(tree.parent, chance)
    for player in range(P):
        sweeps.reach_down(tree, player, sigma, cfv, leaf_reach[player])
    for player in range(P):
        fill_cfv(player, leaves, plan, leaf_reach, leaf_cfv)
        for best in range(2):
            if best:
                sweeps.best_values_up(tree, player, chance, leaf_cfv, cfv)
            else:
                sweeps.values_up(tree, player, sigma, chance, leaf_cfv, cfv)
            for r in range(roots.shape[0]):
                for h in range(H):
                    out[best, player, r, h] = cfv[roots[r], h]
