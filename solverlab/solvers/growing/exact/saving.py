"""An exact rebalance as arrays and back, bit for bit; a growing one with the mask of what it has grown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.solvers.growing.exact.cut import Cut
from solverlab.solvers.growing.ground import Clock
from solverlab.solvers.saved_numbers import check_sums, saved_numbers

if TYPE_CHECKING:
    from solverlab.solvers.growing.exact.ground import ExactGround


def exact_tables(ground: ExactGround) -> dict[str, np.ndarray]:
    """The live arrays: probabilities, their sums, the EVs of the last look, and what has grown."""
    tables = {"sigma": ground.sigma, "total": ground.total}
    tables |= {"value": ground.values.value, "weight": ground.values.weight}
    return tables if ground.cut is None else {**tables, "inside": ground.cut.inside}


def exact_clocks(clock: Clock) -> dict[str, np.ndarray]:
    """A clock without its seed, which is a setting."""
    pairs = {"clock": [clock.iteration, clock.touched], "epoch": [clock.epoch, clock.swept]}
    return {name: np.array(pair, np.int64) for name, pair in pairs.items()}


def restore_exact(ground: ExactGround, state: Mapping[str, np.ndarray], seed: int) -> Clock:
    """Bring a fresh ground to a saved state; whatever no run can have is refused."""
    shape = ground.tie.shape
    ground.sigma[...] = saved_numbers(state, "sigma", shape, least=0)
    _check_sigma(ground)
    ground.total[...] = saved_numbers(state, "total", shape, least=0)
    ground.values.value[...] = saved_numbers(state, "value", shape)
    ground.values.weight[...] = saved_numbers(state, "weight", shape, least=0)
    iteration, touched = saved_numbers(state, "clock", (2,), int, least=0).tolist()
    epoch, swept = saved_numbers(state, "epoch", (2,), int, least=0).tolist()
    if ground.cut is not None:
        if "inside" not in state:
            raise BadValue("the saved tree is whole and cannot grow; give frontier=None")
        mask = saved_numbers(state, "inside", ground.cut.inside.shape, bool)
        ground.cut.inside = _checked_mask(ground.cut, mask)
        ground.cut.refresh()
    return Clock(iteration, touched, epoch, swept, seed)


def _checked_mask(cut: Cut, inside: np.ndarray) -> np.ndarray:
    """A tree goes on only below where it goes on, where the hand goes on, and with cards one can hold."""
    tree = cut.game.tree
    above = np.where(tree.parent[:, None] >= 0, inside[:, np.maximum(tree.parent, 0)], True)
    if (inside & ~(above & (tree.count > 0)[:, None] & cut.possible)).any():
        raise BadValue("the saved trees have gaps, so no run has grown them; save the run again")
    return inside


def _check_sigma(ground: ExactGround) -> None:
    tie = ground.tie
    used = np.unique(tie.bucket)
    for first, count in zip(tie.first.tolist(), tie.count.tolist(), strict=True):
        check_sums("sigma", ground.sigma[first : first + count, used].sum(axis=0))
