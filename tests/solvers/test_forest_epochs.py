"""When an epoch of the forest ends: after its sweeps, or earlier once the strategy hardly changes."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.solvers import Rebalance
from solverlab.solvers.growing.frontier import MostReached


def table() -> Holdem:
    return Holdem(2, stack=10.0, betting="limit", max_raises=2)


def test_an_epoch_lasts_its_sweeps():
    forest = Rebalance(table(), frontier=MostReached(3), samples=20, sweeps=4)
    epochs = [forest.step(1).metrics["epoch"] for _ in range(9)]
    assert epochs == [1, 1, 1, 1, 2, 2, 2, 2, 3]  # without an action node nothing moves: one sweep is enough


def test_a_steady_strategy_ends_an_epoch_early():
    """Without an action node nothing can change, so that the first epoch is one sweep long."""
    forest = Rebalance(table(), frontier=MostReached(3), samples=20, sweeps=50, tolerance=0.01)
    assert forest.step(1).metrics["epoch"] == 1
    forest.advance(1)
    assert forest.epoch == 1 and forest.change[0] > 0.01


def test_events_are_those_of_the_last_step():
    forest = Rebalance(table(), frontier=MostReached(3), samples=20, sweeps=2)
    assert [len(forest.step(n).events) for n in (1, 1, 1, 3)] == [6, 0, 6, 6]


def test_without_a_rule_nothing_grows_by_itself():
    forest = Rebalance(table(), samples=20, sweeps=1)
    assert forest.step(5).metrics["nodes"] == 2 * 169 and forest.iteration == 5


def test_trees_stand_still_while_they_are_rebalanced():
    forest = Rebalance(table(), frontier=MostReached(169), samples=20, sweeps=3)
    forest.advance(4)
    shape = [column.copy() for column in forest.ground.trees.nodes[:6]]
    sigma = forest.ground.trees.nodes.sigma.copy()
    forest.advance(2)
    assert all((a == b).all() for a, b in zip(shape, forest.ground.trees.nodes[:6], strict=True))
    moved = np.flatnonzero(forest.ground.trees.nodes.sigma != sigma)
    assert set(forest.ground.trees.nodes.parent[moved]) == set(forest.ground.trees.owners)


@pytest.mark.parametrize(("test", "number"), [("absolute", 0.02), ("relative", 0.3)])
def test_the_tolerance_is_held_against_the_change_one_chooses(test, number):
    for solver in (Rebalance(table(), samples=20, test=test), sl.Rebalance(sl.Kuhn(), test=test)):
        solver.rebalance()
        solver.change[:] = 0.02, 0.3
        assert solver.tested == number and not solver.settled()
        solver.tolerance = number * 1.01
        assert solver.settled()
        assert type(solver).from_state(solver.game, solver.state(), **solver.settings()).test == test


def test_a_small_probability_moves_little_and_much():
    """By less than a thousandth, and by more than a hundredth of itself: only one of the two tests is met."""
    solver = sl.Rebalance(sl.MatchingPennies(), start=0.6, tolerance=1e-3, sweeps=10**9)
    while not solver.settled():
        solver.rebalance()
    assert solver.change[0] <= 1e-3 and solver.change[1] > 1e-2
    strict = sl.Rebalance.from_state(solver.game, solver.state(), **solver.settings() | {"test": "relative"})
    assert not strict.settled()


def test_an_unknown_test_of_convergence_is_told():
    for make in (lambda: Rebalance(table(), test="loose"), lambda: sl.Rebalance(sl.Kuhn(), test="loose")):
        with pytest.raises(sl.SolverlabError, match="test of convergence 'loose'.*absolute, relative"):
            make()
