"""Leaf values looked up in tables: all a small game needs to tell a solver.

A leaf is a `kind` (a matrix of payoffs times the probability of the deal) and a `scale` (how many chips), so
leaves that differ only in the size of the pot share one matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import kernel


class LeafTable(NamedTuple):
    """Shapes: P players, K kinds, H hands, J = H^(P-1) joint hands of the others in seat order, L leaves."""

    matrix: np.ndarray  # float64[P, K, J, H], payoff x probability of the deal; the own hand is the last axis
    kind: np.ndarray  # int32[L]
    scale: np.ndarray  # float64[L]


@kernel
def tabulated_cfv(me, table, reach):
    """Counterfactual values out[L, H] of player `me` from everybody's reach[P, L, H]."""
    L, H = reach.shape[1], reach.shape[2]
    J = table.matrix.shape[2]
    out = np.zeros((L, H))
    joint = np.empty(J)
    for leaf in range(L):
        _joint_reach(me, reach, leaf, joint)
        kind, scale = table.kind[leaf], table.scale[leaf]
        for j in range(J):
            weight = scale * joint[j]
            for h in range(H):
                out[leaf, h] += weight * table.matrix[me, kind, j, h]
    return out


@kernel
def _joint_reach(me, reach, leaf, joint):
    """The product of the others' reach for every combination of their hands, joint[J]."""
    P, _, H = reach.shape
    width = 1
    joint[0] = 1.0
    for p in range(P):
        if p == me:
            continue
        for j in range(width - 1, -1, -1):
            above = joint[j]
            for h in range(H):
                joint[j * H + h] = above * reach[p, leaf, h]
        width *= H
