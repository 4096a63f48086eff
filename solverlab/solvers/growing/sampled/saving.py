"""A sampled rebalance as arrays and back, bit for bit: the order in which it grew, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.solvers.growing.ground import Clock
from solverlab.solvers.growing.sampled.trees import Trees
from solverlab.solvers.saved_numbers import check_sums, saved_numbers

if TYPE_CHECKING:
    from solverlab.solvers.growing.sampled.ground import SampledGround


def sampled_tables(ground: SampledGround) -> dict[str, np.ndarray]:
    """The live arrays; the order of growth says everything about the shape of the trees."""
    return {
        "expanded": np.array(ground.forest.log, np.int32),
        "sigma": ground.sigma,
        "total": ground.total,
        "sums": ground.sums,
        "counts": ground.counts,
    }


def sampled_clocks(clock: Clock) -> dict[str, np.ndarray]:
    """A clock with its seed: it may have come from a generator."""
    return {"clock": np.array(clock, np.int64)}


def restore_sampled(ground: SampledGround, state: Mapping[str, np.ndarray]) -> Clock:
    """Bring a fresh forest to a saved state; whatever no forest can have is refused."""
    grown = np.asarray(state["expanded"])
    ground.forest.grow_again(saved_numbers(state, "expanded", (grown.size,), int))
    size = ground.forest.columns.size
    if state["sigma"].shape != (size,):
        raise BadValue(f"the saved forest has {len(state['sigma'])} nodes but this game grows {size}")
    ground.forest.columns.sigma[:] = saved_numbers(state, "sigma", (size,), least=0)
    ground.total = saved_numbers(state, "total", (size,), least=0)
    ground.sums = saved_numbers(state, "sums", (size, 5))
    ground.counts = saved_numbers(state, "counts", (3,), int, least=0)
    clock = Clock(*saved_numbers(state, "clock", (5,), int, least=0).tolist())
    ground.plant()
    _check_sigma(ground.trees)
    return clock


def _check_sigma(trees: Trees) -> None:
    """Own probabilities sum to 1; what others and chance do weighs 1 in a tree."""
    sigma, parent = trees.nodes.sigma, trees.nodes.parent[trees.actions]
    check_sums("sigma", np.bincount(parent, sigma[trees.actions], len(sigma))[trees.owners])
    check_sums("sigma", sigma[~trees.owned])
