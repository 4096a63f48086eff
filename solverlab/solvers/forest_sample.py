"""The deals of every tree of a forest: one shared sample for all leaves below the same hole cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.solvers.forest_rollout import NOT_PLAYING, ready_to_play
from solverlab.solvers.forest_sweep import Sample

MOST_BYTES = 3 * 2**30


def check_sample(game: Any, deals: int, most: int = MOST_BYTES) -> None:
    """Refuse samples that would not fit into memory."""
    trees = game.n_players * len(game.hand_names)
    size = trees * deals * game.n_players * 10
    if size > most:
        fitting = most // (trees * game.n_players * 10)
        raise TooLarge(
            f"{deals:,} deals for each of {trees:,} trees take {size / 1e9:.1f} GB; "
            f"use at most {fitting:,} deals, or 169 classes"
        )


def draw_tree(
    game: Any, tree: int, deals: int, streets: int, seed: tuple[int, ...], ends: Any = None
) -> Sample:
    """The sample of one tree, sorted by the own buckets of the streets; the seed decides everything.

    `ends` are random ends of the game's states, for leaves that are rolled out.
    """
    seat, hand = divmod(tree, len(game.hand_names))
    rng = np.random.default_rng([*seed, tree])
    info, rank = game.draw(rng, deals, (seat, hand), streets)
    if streets:
        order = np.lexsort((info[seat, 3], info[seat, 2], info[seat, 1]))
        info, rank = np.ascontiguousarray(info[:, :, order]), np.ascontiguousarray(rank[:, order])
    playing = NOT_PLAYING if ends is None else ready_to_play(rng, ends, deals)
    return Sample(info, rank, seat, len(game.hand_names), np.empty(0), playing)


def spread(work: Callable[[Any], Any], over: Iterable[Any], threads: int) -> Iterable[Any]:
    """Do the work for each item, on several threads if asked; results keep their order."""
    if threads == 1:
        return map(work, over)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, over))
