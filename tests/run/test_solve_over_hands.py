"""`sl.solve` takes games without a tree as well, and solvers of trees refuse them with one sentence."""

from __future__ import annotations

import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.games.lowball.real import RealLowball


def test_a_game_without_a_tree_is_solved_over_its_hands():
    game = RealLowball(stack=3, cards=2)
    snap = sl.solve(game, "DCFR", until=sl.below("exploitability", 0.01) | sl.iterations(60))
    exact = sl.solve(sl.LowballPushFold(3, cards=2, per_rank=4, discard="free"), "DCFR")
    assert snap.exploitability <= 0.01
    assert abs(snap.value - exact.value) < snap.nash_conv + 5 * snap.metrics["value_error"]


@pytest.mark.parametrize("solver", [sl.CFR, sl.MCCFR])
def test_a_solver_of_trees_says_what_to_call(solver):
    with pytest.raises(BadValue, match="has no tree to sweep; solve it with sl.solve"):
        solver(RealLowball(stack=3, cards=2))
