"""How much a seat of a forest could still win by choosing better: best responses on sampled deals.

The game they are best in is the truncated one, with the leaf values of the forest, and everybody else plays
as swept. A tree knows its own cards, buckets and all bets, so each of its nodes is one decision, and the best
response is one pass from the leaves: an own node is worth its best child, any other the sum of its children.

Learned and scored on the same deals a best response also exploits their luck, so its gain is too high; scored
on fresh deals it plays on as it learned, so its gain is, but for noise, too low. Truth lies between the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import kernel
from solverlab.solvers.forest_ground import Ground
from solverlab.solvers.forest_sample import draw_tree, spread
from solverlab.solvers.forest_sweep import (
    MASS,
    WORTH,
    Scratch,
    fresh_scratch,
    sweep_tree,
)

HELD_OUT = 2**40  # added to the seed of fresh deals, so that they are never those of an epoch
AS_NOW = -1  # nothing was learned here: nobody came


class Gains(NamedTuple):
    """What each seat could gain, in big blinds a hand: an estimate that is too low, one that is too high."""

    low: tuple[float, ...]
    high: tuple[float, ...]


def best_responses(ground: Ground, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What every node is worth to a best response, float64[N], and which child it chooses, int32[N]."""
    best, choice = np.zeros(len(sums)), np.full(len(sums), AS_NOW, np.int32)
    _choose_best(ground.nodes, ground.owned, sums, best, choice)
    return best, choice


def gains_of(ground: Ground, better: np.ndarray, sums: np.ndarray, samples: int) -> tuple[float, ...]:
    """What each seat gains on average over its cards, when its trees are worth `better` at their roots."""
    trees = slice(1, 1 + ground.trees)
    gain = (better[trees] - sums[trees, WORTH]).reshape(-1, ground.hands) / samples
    combos = ground.game.hand_combos
    return tuple((gain @ combos / combos.sum()).tolist())


def fresh_sums(ground: Ground, samples: int, seed: tuple[int, ...], threads: int) -> np.ndarray:
    """The sums of a sweep over deals that were never seen, sums[N, 5]; one tree's deals at a time."""
    sums, most = np.zeros((len(ground.nodes.parent), 5)), int(np.diff(ground.start).max())
    rooms = [fresh_scratch(most, ground.game.n_players) for _ in range(threads)]
    ranges, waiting = ground.fresh_ranges(), iter(range(ground.trees))
    ends = ground.random_ends(samples, seed)

    def work(room: Scratch) -> None:
        counts = np.zeros(3, np.int64)
        for tree in waiting:
            members = ground.members(tree)
            drawn = draw_tree(ground.game, tree, samples, ground.streets, seed, ends)
            sample = ground.ready(drawn, members, ranges)
            sweep_tree(ground.nodes, ground.rows, sample, members, ranges, room, sums, counts)

    list(spread(work, rooms, threads))
    return sums


def held_out(ground: Ground, choice: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """What every node is worth on these deals to somebody who chooses as learned elsewhere, float64[N]."""
    worth = np.zeros(len(sums))
    _follow(ground.nodes, ground.owned, choice, sums, worth)
    return worth


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
