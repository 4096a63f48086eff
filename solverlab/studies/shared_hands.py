"""What it is worth to value all leaves of a tree on the same hands (common random numbers), measured.

Document 000 deals one set of hands for all leaves with the same fixed cards. An update compares the EVs of
sibling actions; on the same deals good and bad luck cancel in their difference. Here many samples are drawn
for one (position, holding) tree; the EV difference of two leaves varies between samples, once with both on
the same sample and once with each on its own. The ratio of the variances says how many times more deals
samples apart would need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.rows import Row
from solverlab.games.holdem.buckets import MadeHands
from solverlab.games.holdem.game import Holdem
from solverlab.solvers import Rebalance
from solverlab.solvers.growing.frontier import MostReached
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.sampled.sample import draw_tree
from solverlab.solvers.growing.sampled.sweep import find_ranges, fresh_scratch, sweep_tree
from solverlab.solvers.growing.sampled.update import conditional_ev

KNOWN = 1e-9  # big blinds: an EV that varies less needs no deals
CALL, RAISE = "call", "raise 100%"


class Hand(NamedTuple):
    """A position, by seat, and its holding."""

    seat: int
    holding: str


class Ratio(NamedTuple):
    """Variance of a difference with hands apart over that with shared hands, and its standard error."""

    ratio: float
    error: float
    shared: float  # variance of the difference, in big blinds squared
    apart: float


def six_handed(epochs: int = 0, k: int = 20, samples: int = 100, rng: int = 7) -> Rebalance:
    """A forest of six-handed no-limit hold'em, pot-sized raises, that has grown so many epochs."""
    table = Holdem(players=6, stack=100, allin=False, buckets=MadeHands(5))
    forest = Rebalance(table, frontier=MostReached(k), samples=samples, sweeps=3, rng=rng)
    forest.advance(3 * epochs)
    return forest


def deepened(forest: Rebalance, hand: Hand, levels: int) -> int:
    """Let the tree of one hand go on everywhere below its first own decision; returns that decision's node.

    The others fold until then.
    """
    node = ground_of(forest).forest.root(hand.seat, forest.game.hand(hand.holding))
    _open(forest, node)
    while ground_of(forest).trees.rows.actor[ground_of(forest).trees.nodes.state[node]] != hand.seat:
        node = int(ground_of(forest).trees.nodes.first[node])
        _open(forest, node)
    level = [node]
    for _ in range(levels):
        nodes = ground_of(forest).trees.nodes
        level = [int(nodes.first[n]) + j for n in level for j in range(nodes.count[n])]
        forest.expand([n for n in level if ground_of(forest).forest.can_grow(n)])
    return node


def _open(forest: Rebalance, node: int) -> None:
    if ground_of(forest).forest.can_grow(node):
        forest.expand([node])


def sampled_evs(forest: Rebalance, tree: int, deals: int, samples: int, seed: int = 0) -> np.ndarray:
    """EV of every node of one tree on each of many samples of its deals, float64[samples, members].

    All nodes see the same deals of a sample: column against column they are shared, and a column against
    another's next row they are apart.
    """
    trees = ground_of(forest).trees
    members = trees.members(tree)
    room, counts = fresh_scratch(len(members), forest.game.n_players), np.zeros(3, np.int64)
    sums, evs = np.zeros((len(trees.nodes.parent), 5)), np.empty((samples, len(members)))
    for row in range(samples):
        sample = draw_tree(ground_of(forest).game, tree, deals, trees.streets, (seed, row))
        find_ranges(trees.nodes, trees.rows, sample, members, trees.ranges)
        sweep_tree(trees.nodes, trees.rows, sample, members, trees.ranges, room, sums, counts)
        evs[row] = conditional_ev(sums[members])
    return evs


def variance_ratio(one: np.ndarray, other: np.ndarray, rng: np.random.Generator, draws: int = 200) -> Ratio:
    """How much more the difference of two EVs [samples] varies with hands apart, with a bootstrap error.

    With hands apart the variance is the sum of both, which needs no pairing of rows.

    >>> rng = np.random.default_rng(0)
    >>> luck = rng.normal(size=4000)
    >>> one, other = luck + rng.normal(size=4000), luck + rng.normal(size=4000)
    >>> found = variance_ratio(one, other, rng)  # (2 + 2) over (1 + 1)
    >>> abs(found.ratio - 2) < 4 * found.error < 0.4
    True
    """
    shared, apart = _variances(one, other)
    picks = rng.integers(len(one), size=(draws, len(one)))
    again = _variances(one[picks], other[picks])
    return Ratio(float(apart / shared), float((again[1] / again[0]).std()), float(shared), float(apart))


def _variances(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the difference on shared and on separate hands, over the last axis."""
    apart = one.var(axis=-1, ddof=1) + other.var(axis=-1, ddof=1)
    return (one - other).var(axis=-1, ddof=1), apart


def at_first_decision(
    forest: Rebalance, hand: Hand, node: int, sizes: tuple[int, ...], samples: int, seed: int = 0
) -> list[Row]:
    """Call against raise at an own decision: variances, their ratio and its error, at several sample sizes.

    >>> forest = six_handed()
    >>> node = deepened(forest, Hand(2, "JTs"), levels=0)
    >>> [row] = at_first_decision(forest, Hand(2, "JTs"), node, (100,), samples=50)
    >>> round(row["ratio"], 6), (1 + 3.5**2) / (3.5 - 1) ** 2  # bare leaves differ by their stakes alone
    (2.12, 2.12)
    """
    tree, rng, rows = node_tree(forest, node), np.random.default_rng(seed), []
    names = forest.game.names_of(int(ground_of(forest).trees.nodes.state[node]))
    first = np.searchsorted(ground_of(forest).trees.members(tree), ground_of(forest).trees.nodes.first[node])
    one, other = (int(first) + names.index(name) for name in (CALL, RAISE))
    for deals in sizes:
        evs = sampled_evs(forest, tree, deals, samples, seed)
        found = variance_ratio(evs[:, one], evs[:, other], rng)
        about = {"seat": forest.game.seats[hand.seat], "hand": hand.holding, "deals": deals}
        rows.append({**about, "samples": samples, **found._asdict()})
    return rows


def leaf_pairs(
    forest: Rebalance, hand: Hand, node: int, deals: int, samples: int, pairs: int, seed: int = 0
) -> list[Row]:
    """The ratio for random pairs of leaves of one tree; leaves whose EV is known without a deal left out.

    Such are one's own folds: nothing is to be won there, and the ratio is 1 whatever the hands.
    """
    tree, rng = node_tree(forest, node), np.random.default_rng(seed)
    members, evs = ground_of(forest).trees.members(tree), sampled_evs(forest, tree, deals, samples, seed)
    leaves = np.flatnonzero((ground_of(forest).trees.nodes.first[members] == 0) & (evs.std(axis=0) > KNOWN))
    rows = []
    for _ in range(pairs):
        one, other = rng.choice(leaves, 2, replace=False)
        if np.ptp(evs[:, one] - evs[:, other]) > KNOWN:
            found = variance_ratio(evs[:, one], evs[:, other], rng, draws=50)
            about = {"seat": forest.game.seats[hand.seat], "hand": hand.holding}
            nodes = {"one": int(members[one]), "other": int(members[other])}
            rows.append({**about, **nodes, "deals": deals, "samples": samples, **found._asdict()})
    return rows


def node_tree(forest: Rebalance, node: int) -> int:
    """Which tree of the forest a node belongs to."""
    return int(ground_of(forest).trees.nodes.tree[node])


def ground_of(forest: Rebalance) -> SampledGround:
    """The trees and deals of a sampled rebalance."""
    assert isinstance(forest.ground, SampledGround)
    return forest.ground
