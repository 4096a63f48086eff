"""A rebalance as arrays and back, bit for bit; a growing one with the mask of what it has grown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.solvers.rebalance_cut import CutGround
from solverlab.solvers.saved_numbers import check_sums, saved_numbers

if TYPE_CHECKING:
    from solverlab.solvers.rebalance import Rebalance


def rebalance_state(solver: Rebalance) -> dict[str, np.ndarray]:
    """Everything needed to go on."""
    tables = {"sigma": solver.sigma, "total": solver.total, "change": solver.change}
    tables |= {"value": solver.values.value, "weight": solver.values.weight}
    if solver.cut is not None:
        tables["inside"] = solver.cut.inside
    clocks = {"clock": [solver.iteration, solver.touched], "epoch": [solver.epoch, solver.swept]}
    numbers = {name: np.array(clock, np.int64) for name, clock in clocks.items()}
    copies = {name: array.copy() for name, array in tables.items()}
    return {**copies, **numbers, "seconds": np.array(solver.seconds)}


def restore(solver: Rebalance, state: Mapping[str, np.ndarray]) -> None:
    """Bring a fresh rebalance to a saved state; whatever no run can have is refused."""
    shape = solver.tie.shape
    solver.sigma[...] = saved_numbers(state, "sigma", shape, least=0)
    _check_sigma(solver)
    solver.total[...] = saved_numbers(state, "total", shape, least=0)
    solver.change[...] = saved_numbers(state, "change", (2,), least=0, finite=False)
    solver.values.value[...] = saved_numbers(state, "value", shape)
    solver.values.weight[...] = saved_numbers(state, "weight", shape, least=0)
    solver.iteration, solver.touched = saved_numbers(state, "clock", (2,), int, least=0).tolist()
    solver.epoch, solver.swept = saved_numbers(state, "epoch", (2,), int, least=0).tolist()
    solver.seconds = float(saved_numbers(state, "seconds", (), least=0))
    if solver.cut is None:
        return
    if "inside" not in state:
        raise BadValue("the saved tree is whole and cannot grow; give frontier=None")
    solver.cut.inside = _checked_mask(
        solver.cut, saved_numbers(state, "inside", solver.cut.inside.shape, bool)
    )
    solver.cut.refresh()


def _checked_mask(cut: CutGround, inside: np.ndarray) -> np.ndarray:
    """A tree goes on only below where it goes on, where the hand goes on, and with cards one can hold."""
    tree = cut.game.tree
    above = np.where(tree.parent[:, None] >= 0, inside[:, np.maximum(tree.parent, 0)], True)
    if (inside & ~(above & (tree.count > 0)[:, None] & cut.possible)).any():
        raise BadValue("the saved trees have gaps, so no run has grown them; save the run again")
    return inside


def _check_sigma(solver: Rebalance) -> None:
    tie = solver.tie
    used = np.unique(tie.bucket)
    for first, count in zip(tie.first.tolist(), tie.count.tolist(), strict=True):
        check_sums("sigma", solver.sigma[first : first + count, used].sum(axis=0))
