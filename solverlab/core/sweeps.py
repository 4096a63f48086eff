"""Forward and backward loops over a tree: reach flows to the leaves, values flow back.

Shapes: N nodes, L leaves, P players, H hands. `sigma[n, h]` is the probability of the action that leads to n.
Loops over hands are written out: with six hands a call to a helper for each row costs more than the row (the
slices are counted references), and with 1,326 they vectorise just as well.
"""

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel


@kernel
def reach_down(tree, player, sigma, reach, leaf_reach):
    """One player's own reach: reach[N, H] everywhere and leaf_reach[L, H] by leaf number."""
    H = sigma.shape[1]
    for n in range(tree.parent.shape[0]):
        parent, leaf = tree.parent[n], tree.leaf[n]
        if parent < 0:
            for h in range(H):
                reach[n, h] = 1.0
        elif tree.player[parent] == player:
            for h in range(H):
                reach[n, h] = sigma[n, h] * reach[parent, h]
        else:
            for h in range(H):
                reach[n, h] = reach[parent, h]
        if leaf >= 0:
            for h in range(H):
                leaf_reach[leaf, h] = reach[n, h]


@kernel
def values_up(tree, player, sigma, chance, leaf_cfv, cfv):
    """Counterfactual values cfv[N, H] of one player; chance[N] is chance's reach of each node."""
    H = cfv.shape[1]
    for n in range(tree.parent.shape[0] - 1, -1, -1):
        leaf, first, last = tree.leaf[n], tree.first[n], tree.first[n] + tree.count[n]
        if leaf >= 0:
            for h in range(H):
                cfv[n, h] = chance[n] * leaf_cfv[leaf, h]
        elif tree.player[n] == player:
            for h in range(H):
                cfv[n, h] = sigma[first, h] * cfv[first, h]
            for child in range(first + 1, last):
                for h in range(H):
                    cfv[n, h] += sigma[child, h] * cfv[child, h]
        else:
            for h in range(H):
                cfv[n, h] = cfv[first, h]
            for child in range(first + 1, last):
                for h in range(H):
                    cfv[n, h] += cfv[child, h]


@kernel
def best_values_up(tree, player, chance, leaf_cfv, cfv):
    """As `values_up`, but the player takes the best action for each hand (every node is told apart)."""
    H = cfv.shape[1]
    for n in range(tree.parent.shape[0] - 1, -1, -1):
        leaf, first, last = tree.leaf[n], tree.first[n], tree.first[n] + tree.count[n]
        if leaf >= 0:
            for h in range(H):
                cfv[n, h] = chance[n] * leaf_cfv[leaf, h]
            continue
        for h in range(H):
            cfv[n, h] = cfv[first, h]
        for child in range(first + 1, last):
            if tree.player[n] == player:
                for h in range(H):
                    cfv[n, h] = max(cfv[n, h], cfv[child, h])
            else:
                for h in range(H):
                    cfv[n, h] += cfv[child, h]


@inner_kernel
def gains(tree, player, cfv, gain):
    """gain[child, h] = cfv[child, h] - cfv[node, h] at the player's own nodes (tables without ties)."""
    for n in range(tree.parent.shape[0]):
        if tree.player[n] == player:
            for child in range(tree.first[n], tree.first[n] + tree.count[n]):
                for h in range(cfv.shape[1]):
                    gain[child, h] = cfv[child, h] - cfv[n, h]


@inner_kernel
def tied_gains(tree, tie, player, cfv, gain):
    """Gains summed over everything the player cannot tell apart, gain[S, K]."""
    _clear(tie, player, gain)
    for n in range(tree.parent.shape[0]):
        if tree.player[n] == player:
            for child in range(tree.first[n], tree.first[n] + tree.count[n]):
                row = gain[tie.slot[child]]
                bucket = tie.bucket[tie.texture[child]]
                for h in range(cfv.shape[1]):
                    row[bucket[h]] += cfv[child, h] - cfv[n, h]


@kernel
def tied_reach(tree, tie, player, reach, share):
    """The player's own reach summed into table rows, share[S, K]."""
    _clear(tie, player, share)
    for n in range(tree.parent.shape[0]):
        if tree.player[n] == player:
            for child in range(tree.first[n], tree.first[n] + tree.count[n]):
                row = share[tie.slot[child]]
                bucket = tie.bucket[tie.texture[child]]
                for h in range(reach.shape[1]):
                    row[bucket[h]] += reach[child, h]


@inner_kernel
def _clear(tie, player, table):
    for g in range(tie.first.shape[0]):
        if tie.player[g] == player:
            for s in range(tie.first[g], tie.first[g] + tie.count[g]):
                table[s] = 0.0


@kernel
def spread(tree, tie, table, out):
    """Read a table [S, K] at every action and hand, out[N, H]; rows that are no action become 1."""
    for n in range(tree.parent.shape[0]):
        if tie.slot[n] < 0:
            out[n] = 1.0
        else:
            row = table[tie.slot[n]]
            bucket = tie.bucket[tie.texture[n]]
            for h in range(out.shape[1]):
                out[n, h] = row[bucket[h]]


@kernel
def normalise(tie, total, out):
    """Turn accumulated strategies total[S, K] into probabilities out[S, K]; never reached means uniform."""
    K = total.shape[1]
    norm = np.empty(K)
    for g in range(tie.first.shape[0]):
        first, last = tie.first[g], tie.first[g] + tie.count[g]
        norm[:] = 0.0
        for s in range(first, last):
            for k in range(K):
                norm[k] += total[s, k]
        for s in range(first, last):
            for k in range(K):
                out[s, k] = total[s, k] / norm[k] if norm[k] > 0.0 else 1.0 / tie.count[g]
