"""A forest as arrays and back, bit for bit: the order in which it grew, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.solvers.forest_ground import Ground
from solverlab.solvers.saved_numbers import check_sums, saved_numbers

if TYPE_CHECKING:
    from solverlab.solvers.forest import Forest


def forest_state(forest: Forest) -> dict[str, np.ndarray]:
    """Everything needed to go on."""
    clock = [forest.iteration, forest.touched, forest.epoch, forest.swept, forest.seed]
    return {
        "expanded": np.array(forest.nodes.log, np.int32),
        "sigma": forest.ground.nodes.sigma.copy(),
        "total": forest.total.copy(),
        "sums": forest.sums.copy(),
        "change": forest.change.copy(),
        "counts": forest.counts.copy(),
        "clock": np.array(clock, np.int64),
        "seconds": np.array(forest.seconds),
    }


def restore(forest: Forest, state: Mapping[str, np.ndarray]) -> None:
    """Bring a fresh forest to a saved state; whatever no forest can have is refused."""
    grown = np.asarray(state["expanded"])
    forest.nodes.grow_again(saved_numbers(state, "expanded", (grown.size,), int))
    size = forest.nodes.columns.size
    if state["sigma"].shape != (size,):
        raise BadValue(f"the saved forest has {len(state['sigma'])} nodes but this game grows {size}")
    forest.nodes.columns.sigma[:] = saved_numbers(state, "sigma", (size,), least=0)
    forest.total = saved_numbers(state, "total", (size,), least=0)
    forest.sums = saved_numbers(state, "sums", (size, 5))
    forest.change = saved_numbers(state, "change", (2,), least=0, finite=False)
    forest.counts = saved_numbers(state, "counts", (3,), int, least=0)
    clock = saved_numbers(state, "clock", (5,), int, least=0).tolist()
    forest.iteration, forest.touched, forest.epoch, forest.swept, forest.seed = clock
    forest.seconds = float(saved_numbers(state, "seconds", (), least=0))
    forest.ground = Ground(forest.game, forest.nodes, forest.leaf)
    _check_sigma(forest.ground)


def _check_sigma(ground: Ground) -> None:
    """Own probabilities sum to 1; what others and chance do weighs 1 in a tree."""
    sigma, parent = ground.nodes.sigma, ground.nodes.parent[ground.actions]
    check_sums("sigma", np.bincount(parent, sigma[ground.actions], len(sigma))[ground.owners])
    check_sums("sigma", sigma[~ground.owned])
