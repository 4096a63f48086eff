"""The deals of every tree of a forest: one shared sample for all leaves below the same hole cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from solverlab.core.errors import TooLarge
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


def draw_tree(game: Any, tree: int, deals: int, streets: int, seed: tuple[int, ...]) -> Sample:
    """The sample of one tree, sorted by the own buckets of the streets; the seed decides everything."""
    seat, hand = divmod(tree, len(game.hand_names))
    drawn = game.draw(np.random.default_rng([*seed, tree]), deals, (seat, hand), streets)
    if not streets:
        return Sample(drawn.info, drawn.rank, seat, len(game.hand_names), np.empty(0))
    own = drawn.info[seat]
    order = np.lexsort((own[3], own[2], own[1]))
    info, rank = np.ascontiguousarray(drawn.info[:, :, order]), np.ascontiguousarray(drawn.rank[:, order])
    return Sample(info, rank, seat, len(game.hand_names), np.empty(0))


def spread(work: Callable[[Any], Any], over: Iterable[Any], threads: int) -> Iterable[Any]:
    """Do the work for each item, on several threads if asked; results keep their order."""
    if threads == 1:
        return map(work, over)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, over))
