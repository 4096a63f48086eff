"""The same iterations as `update.improve_often`, bit for bit, where every node has rows of its own.

A game of 52 hands keeps more than a processor's cache holds, so what an iteration costs is how often it goes
through its arrays. Here it does so twice: once from the leaves to the root (values), once back (regret,
average, strategy and reach of a decision while its rows are at hand). Reach is kept only in the rows of a
player's own actions, other nodes look it up there, and leaf values go straight into the rows of the nodes.
"""

from __future__ import annotations

import numpy as np

from solverlab.core import sweeps
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.core.leaves import LeafPlan, LeafTable, fill_cfv
from solverlab.core.tree import Tree, leaf_nodes
from solverlab.solvers.schedules import Rates


@kernel
def improve_untied(tree, tie, leaves, plan, tables, work, rates):
    """len(rates) alternating iterations; at the end every array of `work` is what `improve` leaves behind."""
    iterations, players = rates.shape[0], work.reach.shape[0]
    for i in range(iterations):
        kept = Rates(rates[i, 0], rates[i, 1], rates[i, 2], rates[i, 3], rates[i, 4])
        for player in range(players):
            fill_cfv(player, leaves, plan, work.reach, work.cfv)
            values_above(tree, player, tables.sigma, work.cfv)
            learn_rows(tree, tie, player, kept, plan.reach, tables, work)
            if i == iterations - 1:
                sweeps.gains(tree, player, work.cfv, tables.gain)
    for player in range(players):
        sweeps.reach_down(tree, player, tables.sigma, work.reach[player], work.leaf_reach[player])


@inner_kernel
def values_above(tree, player, sigma, cfv):
    """As `sweeps.values_up` for cfv[N, H] whose leaves have their values."""
    H = cfv.shape[1]
    for n in range(tree.parent.shape[0] - 1, -1, -1):
        first, last = tree.first[n], tree.first[n] + tree.count[n]
        if tree.player[n] == player:
            for h in range(H):
                cfv[n, h] = sigma[first, h] * cfv[first, h]
            for child in range(first + 1, last):
                for h in range(H):
                    cfv[n, h] += sigma[child, h] * cfv[child, h]
        elif first < last:
            for h in range(H):
                cfv[n, h] = cfv[first, h]
            for child in range(first + 1, last):
                for h in range(H):
                    cfv[n, h] += cfv[child, h]


@inner_kernel
def learn_rows(tree, tie, player, rates, held, tables, work):
    """As `tables.accumulate_and_match`, with gains from cfv and the reach of the next strategy on the way."""
    regret, total, sigma = tables.regret, tables.total, tables.sigma
    cfv, norm, reach = work.cfv, work.norm, work.reach[player]
    share = sigma if rates.weighted == 0.0 else reach
    H = cfv.shape[1]
    for g in range(tie.first.shape[0]):
        if tie.player[g] != player:
            continue
        first, last, uniform = tie.first[g], tie.first[g] + tie.count[g], 1.0 / tie.count[g]
        n = tree.parent[first]
        above = held[player, n]
        for h in range(H):
            norm[h] = 0.0
        for s in range(first, last):
            for h in range(H):
                total[s, h] = rates.average * total[s, h] + share[s, h]
            for h in range(H):
                kept = rates.positive if regret[s, h] > 0.0 else rates.negative
                regret[s, h] = kept * regret[s, h] + (cfv[s, h] - cfv[n, h])
            for h in range(H):
                sigma[s, h] = max(regret[s, h] + rates.prediction * (cfv[s, h] - cfv[n, h]), 0.0)
                norm[h] += sigma[s, h]
        for s in range(first, last):
            for h in range(H):
                sigma[s, h] = sigma[s, h] / norm[h] if norm[h] > 0.0 else uniform
                reach[s, h] = sigma[s, h] * reach[above, h]


def plan_of_nodes(tree: Tree, leaves: LeafTable, chance: np.ndarray) -> LeafPlan:
    """Rows of leaves and reach are those of nodes; chance[N] is chance's reach of them."""
    players, kinds, joint, _ = leaves.matrix.shape
    held = np.empty((players, len(tree.parent)), np.int64)
    own_rows(tree, held)
    scratch = (np.empty(joint), np.empty(joint), np.empty(joint, np.uint64))
    order = np.argsort(leaves.kind, kind="stable")
    return LeafPlan(order, leaf_nodes(tree), held, chance, *scratch)


@kernel
def own_rows(tree, held):
    """held[p, n]: the last action of player p on the way to n, or the root: where the reach of n stands."""
    for n in range(tree.parent.shape[0]):
        parent = tree.parent[n]
        for p in range(held.shape[0]):
            held[p, n] = n if parent < 0 or tree.player[parent] == p else held[p, parent]
