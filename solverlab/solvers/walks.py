"""Random walks through a game written out deal by deal, with importance weights that keep estimates unbiased.

Three booleans decide what is walked in full and what is drawn: own nodes, others' nodes, chance (Lanctot et
al. 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.history import History
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.core.tree import Tree, depths


@dataclass(frozen=True)
class Sampling:
    """What a walk draws: True walks all branches, False draws one.

    `explore` is the share of uniform play in draws at own nodes and, with three or more players, at those of
    players whom the walk does not average. Without it a line that somebody never plays would never be walked,
    and the average of others on that line would lose its due (own play drops out of its own average).
    """

    name: str
    own: bool = True
    others: bool = True
    chance: bool = True
    explore: float = 0.6

    def __post_init__(self) -> None:
        if not 0.0 < self.explore <= 1.0:
            raise BadValue(f"exploration is {self.explore}; give a number above 0 and at most 1")


SAMPLINGS = {
    row.name: row
    for row in (
        Sampling("full"),
        Sampling("chance", chance=False),
        Sampling("external", others=False, chance=False),
        Sampling("outcome", own=False, others=False, chance=False),
    )
}


def sampling_named(sampling: str | Sampling) -> Sampling:
    """A row of the sampling table by name; a Sampling is passed through."""
    if isinstance(sampling, Sampling):
        return sampling
    if sampling not in SAMPLINGS:
        raise UnknownName("sampling", sampling, SAMPLINGS)
    return SAMPLINGS[sampling]


class Plan(NamedTuple):
    """A sampling row as a kernel reads it, and whose update and average a walk serves."""

    me: int
    averaged: int  # the player whose strategy is averaged on this walk
    own_all: bool
    others_all: bool
    chance_all: bool
    explore: float
    prediction: float
    weight: float  # of this iteration in the average


class Ground(NamedTuple):
    """Everything a walk reads or writes: M nodes, Z leaves, at most A actions; tables are flat, R = S * K."""

    tree: Tree
    row: np.ndarray  # int32[M]
    payoff: np.ndarray  # float64[Z, P]
    regret: np.ndarray  # float64[R]
    last: np.ndarray  # float64[R], the last gain of each row (what predictive schedules predict)
    total: np.ndarray  # float64[R], written: sampled own reach, for the average
    cfv: np.ndarray  # float64[R], written: sampled counterfactual values, summed over the walk
    visits: np.ndarray  # int32[M + 1], written: own nodes visited; entry 0 counts them
    sigma: np.ndarray  # float64[depth, A], scratch: probabilities at each open node
    value: np.ndarray  # float64[depth, A], scratch: values of its actions
    place: np.ndarray  # int32[depth, 3], scratch: node, action being walked, action to stop before
    odds: np.ndarray  # float64[depth, 4], scratch: reach, weight, probability of the draw, value so far


NODE, ACTION, STOP = 0, 1, 2
REACH, WEIGHT, DRAWN, RESULT = 0, 1, 2, 3


def ground_of(history: History, rows: int) -> Ground:
    """Fresh tables for walking a game."""
    tree, depth = history.tree, int(depths(history.tree).max()) + 1
    widest = max(int(tree.count.max()), 1)
    return Ground(
        tree,
        history.row,
        history.payoff,
        regret=np.zeros(rows),
        last=np.zeros(rows),
        total=np.zeros(rows),
        cfv=np.zeros(rows),
        visits=np.zeros(len(tree.parent) + 1, np.int32),
        sigma=np.zeros((depth, widest)),
        value=np.zeros((depth, widest)),
        place=np.zeros((depth, 3), np.int32),
        odds=np.zeros((depth, 4)),
    )


@inner_kernel
def match_rows(ground, node, prediction, out):
    """Regret matching at one node of the walk, out[A]."""
    first, count = ground.tree.first[node], ground.tree.count[node]
    norm = 0.0
    for a in range(count):
        row = ground.row[first + a]
        wish = ground.regret[row] + prediction * ground.last[row]
        out[a] = wish if wish > 0.0 else 0.0
        norm += out[a]
    for a in range(count):
        out[a] = out[a] / norm if norm > 0.0 else 1.0 / count


@inner_kernel
def draw(weights, count, rng):
    """The index of one of `count` weights, drawn in proportion (they sum to 1)."""
    left = rng.random()
    for a in range(count - 1):
        left -= weights[a]
        if left < 0.0:
            return a
    return count - 1


@inner_kernel
def enter(ground, node, depth, reach, weight):
    """Put a node on the stack of open nodes."""
    ground.place[depth, NODE] = node
    ground.odds[depth, REACH] = reach
    ground.odds[depth, WEIGHT] = weight
    ground.odds[depth, RESULT] = 0.0


@inner_kernel
def open_node(ground, plan, depth, rng):
    """Find the probabilities at a node and decide which of its actions this walk follows."""
    tree = ground.tree
    node, sigma, chosen = ground.place[depth, NODE], ground.sigma[depth], ground.value[depth]
    player, first, count = tree.player[node], tree.first[node], tree.count[node]
    explore = 0.0
    if player < 0:
        every = plan.chance_all
        for a in range(count):
            sigma[a] = tree.chance[first + a]
    else:
        match_rows(ground, node, plan.prediction, sigma)
        every = plan.own_all if player == plan.me else plan.others_all
        explore = 0.0 if player == plan.averaged else plan.explore
    if player == plan.averaged:
        for a in range(count):
            ground.total[ground.row[first + a]] += plan.weight * ground.odds[depth, REACH] * sigma[a]
    ground.place[depth, ACTION], ground.place[depth, STOP], ground.odds[depth, DRAWN] = 0, count, 1.0
    if not every:
        for a in range(count):
            chosen[a] = explore / count + (1.0 - explore) * sigma[a]
        a = draw(chosen, count, rng)
        ground.place[depth, ACTION], ground.place[depth, STOP], ground.odds[depth, DRAWN] = (
            a,
            a + 1,
            chosen[a],
        )
    for a in range(count):
        chosen[a] = 0.0  # from here on: the values of the actions


@inner_kernel
def enter_child(ground, plan, depth):
    """Go on to the action being walked, with reach and weight brought up to date."""
    node, action = ground.place[depth, NODE], ground.place[depth, ACTION]
    player, odds = ground.tree.player[node], ground.odds[depth]
    sigma = ground.sigma[depth, action]
    own = sigma if player == plan.averaged or player < 0 else 1.0
    theirs = 1.0 if player == plan.me else sigma
    reach, weight = odds[REACH] * own / odds[DRAWN], odds[WEIGHT] * theirs / odds[DRAWN]
    enter(ground, ground.tree.first[node] + action, depth + 1, reach, weight)


@inner_kernel
def take_back(ground, depth, value):
    """An action's walk came back with its value; True when the node has no more actions to walk."""
    action = ground.place[depth, ACTION]
    ground.value[depth, action] = value / ground.odds[depth, DRAWN]
    ground.odds[depth, RESULT] += ground.sigma[depth, action] * ground.value[depth, action]
    ground.place[depth, ACTION] += 1
    return ground.place[depth, ACTION] == ground.place[depth, STOP]


@inner_kernel
def record(ground, depth):
    """Add the sampled counterfactual values of an own node to the table, and remember the visit."""
    node = ground.place[depth, NODE]
    ground.visits[0] += 1
    ground.visits[ground.visits[0]] = node
    for a in range(ground.tree.count[node]):
        ground.cfv[ground.row[ground.tree.first[node] + a]] += (
            ground.odds[depth, WEIGHT] * ground.value[depth, a]
        )


@inner_kernel
def walk(ground, plan, rng):
    """One walk from the root for plan.me; returns the number of nodes visited.

    On the way, `reach` is the averaged player's own reach and `weight` the others' reach, both with chance
    and over the probability of having drawn the path, so that whatever is drawn, sums stay unbiased. (An
    explicit stack instead of recursion: a recursive kernel does not survive the compile cache.)
    """
    depth, visited = 0, 0
    enter(ground, 0, 0, 1.0, 1.0)
    while depth >= 0:
        visited += 1
        leaf = ground.tree.leaf[ground.place[depth, NODE]]
        if leaf < 0:
            open_node(ground, plan, depth, rng)
            enter_child(ground, plan, depth)
            depth += 1
            continue
        value = ground.payoff[leaf, plan.me]
        depth -= 1
        while depth >= 0 and take_back(ground, depth, value):
            if ground.tree.player[ground.place[depth, NODE]] == plan.me:
                record(ground, depth)
            value = ground.odds[depth, RESULT]
            depth -= 1
        if depth >= 0:
            enter_child(ground, plan, depth)
            depth += 1
    return visited


@inner_kernel
def learn_from_walk(ground, plan, keep_positive, keep_negative):
    """Turn the walk's sampled values into gains and these into regret, once an infoset; clear its marks."""
    tree = ground.tree
    sigma = ground.sigma[0]
    for visit in range(1, ground.visits[0] + 1):
        node = ground.visits[visit]
        first, count = tree.first[node], tree.count[node]
        if np.isnan(ground.cfv[ground.row[first]]):
            continue  # a tied node of an infoset already done
        match_rows(ground, node, plan.prediction, sigma)
        mean = 0.0
        for a in range(count):
            mean += sigma[a] * ground.cfv[ground.row[first + a]]
        for a in range(count):
            row = ground.row[first + a]
            gain = ground.cfv[row] - mean
            old = ground.regret[row]
            ground.regret[row] = (keep_positive if old > 0.0 else keep_negative) * old + gain
            ground.last[row] = gain
            ground.cfv[row] = np.nan
    clear_walk(ground)


@inner_kernel
def clear_walk(ground):
    for visit in range(1, ground.visits[0] + 1):
        node = ground.visits[visit]
        first = ground.tree.first[node]
        for a in range(ground.tree.count[node]):
            ground.cfv[ground.row[first + a]] = 0.0
    ground.visits[0] = 0


@inner_kernel
def discount(keep_positive, keep_negative, regret):
    for row in range(regret.shape[0]):
        regret[row] *= keep_positive if regret[row] > 0.0 else keep_negative


@kernel
def walk_iterations(ground, sampling, everywhere, rates, players, rng):
    """len(rates) iterations, one walk a player each; returns nodes visited.

    `rates[i]` is (kept positive, kept negative, weight in the average, prediction, whether the average starts
    anew); walks always weigh by own reach, which keeps the average unbiased. `everywhere` says that
    rows no walk came by are discounted too (finite exponents; keeping all or nothing needs no such sweep).
    """
    visited = 0
    own, others, chance, explore = sampling
    for i in range(rates.shape[0]):
        keep_positive, keep_negative = rates[i, 0], rates[i, 1]
        if rates[i, 4] > 0.0:
            ground.total[:] = 0.0
        if everywhere:
            discount(keep_positive, keep_negative, ground.regret)
            keep_positive, keep_negative = 1.0, 1.0
        for me in range(players):
            plan = Plan(me, (me + 1) % players, own, others, chance, explore, rates[i, 3], rates[i, 2])
            visited += walk(ground, plan, rng)
            learn_from_walk(ground, plan, keep_positive, keep_negative)
    return visited
