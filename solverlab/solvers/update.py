"""One player's update: a backward sweep, an update of rows, a forward sweep; the kernels CFR is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core import sweeps
from solverlab.core.game import Game
from solverlab.core.kernel import inlined_kernel, kernel
from solverlab.core.leaves import fill_cfv, leaf_plan
from solverlab.core.tree import chance_reach, n_leaves
from solverlab.core.tying import Tying
from solverlab.solvers.schedules import Rates
from solverlab.solvers.tables import Tables, accumulate_and_match


class Work(NamedTuple):
    """Scratch of the sweeps; `sigma` is the table's own array where nothing is tied."""

    sigma: np.ndarray  # float64[N, H]
    reach: np.ndarray  # float64[P, N, H], always that of sigma
    leaf_reach: np.ndarray  # float64[P, L, H]
    cfv: np.ndarray  # float64[N, H]
    share: np.ndarray  # float64[S, K]
    norm: np.ndarray  # float64[K]
    chance: np.ndarray  # float64[N]


@inlined_kernel
def refresh(tree, tie, player, tables, work):
    """Bring one player's sigma and reach up to date with the tables."""
    if tie.tied:
        sweeps.spread(tree, tie, tables.sigma, work.sigma)
    sweeps.reach_down(tree, player, work.sigma, work.reach[player], work.leaf_reach[player])


@inlined_kernel
def gather(tree, tie, player, leaf_cfv, tables, work):
    """Values from the leaves to the root, then gains into the rows of the table."""
    sweeps.values_up(tree, player, work.sigma, work.chance, leaf_cfv, work.cfv)
    if tie.tied:
        sweeps.tied_gains(tree, tie, player, work.cfv, tables.gain)
    else:
        sweeps.gains(tree, player, work.cfv, tables.gain)


@inlined_kernel
def learn(tree, tie, player, rates, tables, work):
    """Gains into regret, own reach (or play as it is) into the average, and the next strategy by matching."""
    if rates.weighted == 0.0:
        accumulate_and_match(tie, player, rates, tables.sigma, tables, work.norm)
    elif tie.tied:
        sweeps.tied_reach(tree, tie, player, work.reach[player], work.share)
        accumulate_and_match(tie, player, rates, work.share, tables, work.norm)
    else:
        accumulate_and_match(tie, player, rates, work.reach[player], tables, work.norm)


@inlined_kernel
def improve(tree, tie, player, rates, leaf_cfv, tables, work):
    """One player's whole update in one call."""
    gather(tree, tie, player, leaf_cfv, tables, work)
    learn(tree, tie, player, rates, tables, work)
    refresh(tree, tie, player, tables, work)


@kernel
def improve_often(tree, tie, leaves, tables, work, rates):
    """len(rates) alternating iterations of a game whose leaves are a table, without leaving compiled code."""
    plan = leaf_plan(leaves)
    leaf_cfv = np.empty((work.leaf_reach.shape[1], work.leaf_reach.shape[2]))
    for i in range(rates.shape[0]):
        kept = Rates(rates[i, 0], rates[i, 1], rates[i, 2], rates[i, 3], rates[i, 4])
        for player in range(work.reach.shape[0]):
            fill_cfv(player, leaves, plan, work.leaf_reach, leaf_cfv)
            improve(tree, tie, player, kept, leaf_cfv, tables, work)


def fresh_work(game: Game, tie: Tying, tables: Tables) -> Work:
    nodes, hands, players = len(game.tree.parent), len(game.names.hands), game.n_players
    return Work(
        sigma=np.ones((nodes, hands)) if tie.tied else tables.sigma,
        reach=np.ones((players, nodes, hands)),
        leaf_reach=np.ones((players, n_leaves(game.tree), hands)),
        cfv=np.zeros((nodes, hands)),
        share=np.zeros(tie.shape),
        norm=np.zeros(tie.shape[1]),
        chance=chance_reach(game.tree),
    )
