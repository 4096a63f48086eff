"""The deals of every tree of a forest: one shared sample for all leaves below the same hole cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from solverlab.core.dealt_game import DealtGame, RandomEnds
from solverlab.core.errors import TooLarge
from solverlab.core.generator_words import generator_words
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.solvers.growing.sampled.rollout import NOT_PLAYING, ready_to_play
from solverlab.solvers.growing.sampled.sweep import Sample

Item = TypeVar("Item")
Done = TypeVar("Done")

MOST_BYTES = 3 * 2**30
TOGETHER = 2**17  # deals a call


def sample_bytes(game: DealtGame, deals: int) -> int:
    """What the deals of all trees take: a rank and four words of two bytes a seat and deal."""
    return game.n_players * len(game.hand_names) * deals * game.n_players * 10


def check_sample(game: DealtGame, deals: int, most: int = MOST_BYTES) -> None:
    """Refuse samples that would not fit into memory."""
    trees, size = game.n_players * len(game.hand_names), sample_bytes(game, deals)
    if size > most:
        fitting = most // sample_bytes(game, 1)
        raise TooLarge(
            f"{deals:,} deals for each of {trees:,} trees take {size / 1e9:.1f} GB; "
            f"use at most {fitting:,} deals, or 169 classes"
        )


def check_flops(game: DealtGame, trees: int, each: int) -> None:
    """Refuse deals below flops that would not fit into memory; a tree may see as many flops as there are."""
    if not trees or not each:
        return
    flops = next(len(game.names_of(s)) for s, deals in enumerate(game.rows().deals) if deals)
    size = trees * flops * each * game.n_players * 10
    if size > MOST_BYTES:
        raise TooLarge(
            f"{each:,} deals on each of {flops:,} flops for {trees:,} trees take {size / 1e9:.1f} GB; use a "
            "smaller flop_samples, fewer buckets, or flop_samples=None"
        )


def draw_trees(
    game: DealtGame,
    trees: Sequence[int],
    deals: int,
    streets: int,
    seed: tuple[int, ...],
    ends: RandomEnds | None = None,
) -> list[Sample]:
    """The samples of some trees, sorted by the own buckets of the streets; the seed decides everything.

    Every tree has a generator of its own, so that it sees the same deals whoever is dealt beside it. `ends`
    are random ends of the game's states, for leaves that are rolled out.
    """
    words = generator_words([*seed, tree] for tree in trees)
    seats, holdings = np.divmod(np.asarray(trees), len(game.hand_names))
    dealt = game.draw_groups(words, deals, seats, holdings, streets)
    info = np.empty((len(trees), game.n_players, 4, deals), np.uint16)
    rank = np.empty((len(trees), game.n_players, deals), np.uint16)
    arrange(dealt.info, dealt.rank, seats, streets, info, rank)
    playing = (
        [NOT_PLAYING] * len(trees) if ends is None else [ready_to_play(row, ends, deals) for row in words]
    )
    nothing, hands = np.empty(0), len(game.hand_names)
    return [
        Sample(info[t], rank[t], int(seats[t]), hands, nothing, playing[t], nothing)
        for t in range(len(trees))
    ]


def draw_below_flops(
    game: DealtGame,
    tree: int,
    deals: int,
    streets: int,
    seed: tuple[int, ...],
    each: int,
    ends: RandomEnds | None = None,
) -> Sample:
    """The sample of a tree that has seen flops: `each` deals below its hole cards and every flop.

    Flops then come equally often, so a deal weighs as its flop is likely; weights sum to `deals`.
    """
    seat, holding = divmod(tree, len(game.hand_names))
    dealt, odds = game.draw_flops(np.random.default_rng([*seed, tree]), each, seat, holding, streets)
    info, rank = np.empty((1, *dealt.info.shape), np.uint16), np.empty((1, *dealt.rank.shape), np.uint16)
    arrange(dealt.info, dealt.rank, np.array([seat]), streets, info, rank)  # flops keep their order, and odds
    playing = NOT_PLAYING
    if ends is not None:
        playing = ready_to_play(generator_words([[*seed, tree, each]])[0], ends, len(odds))
        playing = playing._replace(way=playing.way % deals)
    return Sample(info[0], rank[0], seat, len(game.hand_names), np.empty(0), playing, odds * deals)


def draw_tree(
    game: DealtGame,
    tree: int,
    deals: int,
    streets: int,
    seed: tuple[int, ...],
    ends: RandomEnds | None = None,
) -> Sample:
    """The sample of one tree."""
    return draw_trees(game, [tree], deals, streets, seed, ends)[0]


def batches(trees: int, deals: int) -> list[range]:
    """Trees in groups that are dealt together: large enough to cost one call, small enough to fit."""
    size = max(TOGETHER // deals, 1)
    return [range(begin, min(begin + size, trees)) for begin in range(0, trees, size)]


@inner_kernel
def _sort_by(bucket, order, spare, until):
    """Sort order[n] by bucket[order[n]], equal ones as they stand: one pass of a radix sort."""
    most = 0
    for d in range(len(order)):
        if bucket[d] > most:
            most = bucket[d]
    for b in range(most + 2):
        until[b] = 0
    for d in range(len(order)):
        until[bucket[d] + 1] += 1
        spare[d] = order[d]
    for b in range(most):
        until[b + 1] += until[b]
    for d in range(len(order)):
        b = bucket[spare[d]]
        order[until[b]] = spare[d]
        until[b] += 1


@kernel
def arrange(info, rank, seats, streets, out, out_rank):
    """Deals info[P, 4, T * n] and rank[P, T * n] tree by tree into out[T, P, 4, n], sorted by own buckets.

    Sorting is stable, so that without streets deals stay in the order in which they fell.
    """
    deals = out.shape[3]
    order, spare = np.empty(deals, np.int64), np.empty(deals, np.int64)
    until = np.empty(2**16 + 1, np.int64)
    for t in range(len(seats)):
        begin = t * deals
        for d in range(deals):
            order[d] = d
        if streets > 0:
            own = info[seats[t]]
            for street in range(3, 0, -1):  # each pass keeps the order of the one before
                _sort_by(own[street, begin : begin + deals], order, spare, until)
        for p in range(out.shape[1]):
            for d in range(deals):
                out_rank[t, p, d] = rank[p, begin + order[d]]
                for street in range(4):
                    out[t, p, street, d] = info[p, street, begin + order[d]]


def spread(work: Callable[[Item], Done], over: Iterable[Item], threads: int) -> Iterable[Done]:
    """Do the work for each item, on several threads if asked; results keep their order."""
    if threads == 1:
        return map(work, over)
    from concurrent.futures import ThreadPoolExecutor  # not a part of `import solverlab`

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, over))
