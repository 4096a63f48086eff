"""How much a seat of a forest could still win by choosing better: best responses on sampled deals.

The game they are best in is the truncated one, with the leaf values of the forest, and everybody else plays
as swept. A tree knows its own cards, buckets and all bets, so each of its nodes is one decision, and the best
response is one pass from the leaves: an own node is worth its best child, any other the sum of its children.

Learned and scored on the same deals a best response also exploits their luck, so its gain is too high; scored
on fresh deals it plays on as it learned, so its gain is, but for noise, too low. Truth lies between the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.kernel import kernel
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.sampled.sample import batches, spread
from solverlab.solvers.growing.sampled.sweep import (
    MASS,
    WORTH,
    Scratch,
    fresh_scratch,
    sweep_tree,
)
from solverlab.solvers.growing.sampled.trees import Trees
from solverlab.solvers.growing.settings import FAR, check_whole

if TYPE_CHECKING:
    from solverlab.solvers.growing.rebalance import Rebalance

CALM = 1e-6  # a smaller change is none
HELD_OUT = 2**40  # added to the seed of fresh deals, so that they are never those of an epoch
AS_NOW = -1  # nothing was learned here: nobody came


class Gains(NamedTuple):
    """What each seat could gain, in big blinds a hand: an estimate that is too low, one that is too high."""

    low: tuple[float, ...]
    high: tuple[float, ...]


def best_responses(trees: Trees, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What every node is worth to a best response, float64[N], and which child it chooses, int32[N]."""
    best, choice = np.zeros(len(sums)), np.full(len(sums), AS_NOW, np.int32)
    _choose_best(trees.nodes, trees.owned, sums, best, choice)
    return best, choice


def gains_of(trees: Trees, better: np.ndarray, sums: np.ndarray, samples: int) -> tuple[float, ...]:
    """What each seat gains on average over its cards, when its trees are worth `better` at their roots."""
    roots = slice(1, 1 + trees.number)
    gain = (better[roots] - sums[roots, WORTH]).reshape(-1, trees.hands) / samples
    combos = trees.game.hand_combos
    return tuple((gain @ combos / combos.sum()).tolist())


def fresh_sums(trees: Trees, samples: int, seed: tuple[int, ...], threads: int) -> np.ndarray:
    """The sums of a sweep over deals that were never seen, sums[N, 5]; some trees' deals at a time."""
    sums, most = np.zeros((len(trees.nodes.parent), 5)), int(np.diff(trees.start).max())
    rooms = [fresh_scratch(most, trees.game.n_players) for _ in range(threads)]
    ranges, waiting = trees.fresh_ranges(), iter(batches(trees.number, samples))
    ends = trees.random_ends(samples, seed)

    def work(room: Scratch) -> None:
        counts = np.zeros(3, np.int64)
        for part in waiting:
            drawn = trees.drawn(part, samples, seed, ends)
            for tree, dealt in zip(part, drawn, strict=True):
                members = trees.members(tree)
                sample = trees.ready(dealt, members, ranges)
                sweep_tree(trees.nodes, trees.rows, sample, members, ranges, room, sums, counts)

    list(spread(work, rooms, threads))
    return sums


def held_out(trees: Trees, choice: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """What every node is worth on these deals to somebody who chooses as learned elsewhere, float64[N]."""
    worth = np.zeros(len(sums))
    _follow(trees.nodes, trees.owned, choice, sums, worth)
    return worth


# ---- of a solver -------------------------------------------------------------------------------------------


def gains(solver: Rebalance) -> tuple[float, ...]:
    """What each seat could still gain inside the trees by its best response, big blinds a hand.

    The others play as the last sweep valued them (one update ago); trees grown since are looked at as they
    are. Learned and scored on the same sampled deals, so these numbers are biased upwards: 0 only if nobody
    could do better on exactly these deals. `gains_bracket` also gives numbers that are too low.
    """
    ground = _sampled(solver)
    sums = ground.sums if solver.swept else ground.looked(solver.clock)
    return gains_of(ground.trees, best_responses(ground.trees, sums)[0], sums, ground.samples)


def gains_bracket(solver: Rebalance, seed: int = 0) -> Gains:
    """Gains of the strategy now played, too low (on fresh deals) and too high (on the epoch's own).

    What is learned on the epoch's deals is one particular deviation; on fresh deals it gains on average no
    more than the best one does.
    """
    ground = _sampled(solver)
    trees, sums = ground.trees, ground.looked(solver.clock)
    best, choice = best_responses(trees, sums)
    deals = (solver.seed, solver.epoch, HELD_OUT + check_whole("seed", seed, 0))
    fresh = fresh_sums(trees, ground.samples, deals, ground.threads)
    low = gains_of(trees, held_out(trees, choice, fresh), fresh, ground.samples)
    return Gains(low, gains_of(trees, best, sums, ground.samples))


def is_stalled(solver: Rebalance) -> bool:
    """Whether a sampled strategy hardly changes although some seat could gain much: no convergence at all.

    Small games are measured exactly, by whoever runs them.
    """
    calm = solver.swept > 0 and solver.tested < max(solver.tolerance, CALM)
    return isinstance(solver.ground, SampledGround) and calm and max(gains(solver)) > FAR


def deals_at(solver: Rebalance, node: int) -> dict[str, np.ndarray]:
    """Every deal of a node's sample: holdings and buckets [P, 4, D], ranks [P, D], reach and worth [D].

    `reach` is the product of the others' choices on the way, `worth` what the hand then wins.
    """
    ground = _sampled(solver)
    if not isinstance(node, int | np.integer) or not 0 < node < ground.forest.columns.size:
        raise UnknownName("node", node, [f"1 to {ground.forest.columns.size - 1}"])
    ground.deal(solver.clock)
    sample = ground.trees.samples[int(ground.trees.nodes.tree[node])]
    reach, worth = ground.trees.per_deal(node)
    return {"info": sample.info.copy(), "rank": sample.rank.copy(), "reach": reach, "worth": worth}


def _sampled(solver: Rebalance) -> SampledGround:
    if not isinstance(solver.ground, SampledGround):
        raise BadValue(f"{solver.game.name} is not sampled; use sl.deviation_gains, which is exact")
    return solver.ground


# ---- kernels -----------------------------------------------------------------------------------------------


@kernel
def _choose_best(nodes, owned, sums, best, choice):
    """From the leaves: best[N] of children at own decisions, where choice[N] says which, else their sum."""
    for n in range(len(best) - 1, 0, -1):
        first, last = nodes.first[n], nodes.first[n] + nodes.count[n]
        if first == 0:
            best[n] = sums[n, WORTH]
        elif not owned[first]:
            for child in range(first, last):
                best[n] += best[child]
        elif sums[n, MASS] > 0.0:
            choice[n] = first
            for child in range(first + 1, last):
                if best[child] > best[choice[n]]:
                    choice[n] = child
            best[n] = best[choice[n]]


@kernel
def _follow(nodes, owned, choice, sums, worth):
    """From the leaves: worth[N] when own decisions are choice[N], or as now where nothing was learned."""
    for n in range(len(worth) - 1, 0, -1):
        first, last = nodes.first[n], nodes.first[n] + nodes.count[n]
        if first == 0:
            worth[n] = sums[n, WORTH]
        elif owned[first] and choice[n] >= 0:
            worth[n] = worth[choice[n]]
        else:
            for child in range(first, last):
                worth[n] += worth[child] * nodes.sigma[child]  # which is 1 where others act
