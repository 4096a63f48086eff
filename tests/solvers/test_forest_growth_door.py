"""What a forest refuses, it refuses whole: nothing has grown, nothing has moved."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.games.holdem.buckets import MadeHands
from solverlab.solvers import deals_at


def forest(**settings):
    table = sl.Holdem(players=2, stack=5, buckets=MadeHands(2))
    return sl.Rebalance(table, samples=20, frontier=sl.MostReached(2), **settings)


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        ([5, 99_999], "node 99999 is not on the frontier"),
        ([5, 0], "node 0 is not on the frontier"),
        ([5, "x"], "node 'x' is not on the frontier"),
        ([5, 1.7], "node 1.7 is not on the frontier"),
        ([None], "node None is not on the frontier"),
        ([5, 5], "name each leaf once"),
        (5, "nodes are 5; give a list"),
        ("abc", "nodes are 'abc'; give a list"),
    ],
)
def test_one_wrong_leaf_and_none_grows(nodes, sentence):
    solver = forest()
    solver.rebalance()
    before = {name: array.copy() for name, array in solver.state().items()}
    with pytest.raises(sl.SolverlabError, match=sentence):
        solver.expand(nodes)
    after = solver.state()
    assert all((before[name] == after[name]).all() for name in before)
    assert (
        len(solver.ground.forest) == 2 * 169 and len(solver.ground.sums) == solver.ground.forest.columns.size
    )
    solver.step(30)
    assert np.isfinite(solver.ground.node_ev()).all()


def test_a_growth_that_does_not_fit_leaves_the_forest_as_it_was():
    solver = forest()
    solver.rebalance()
    solver.ground.forest.most = solver.ground.forest.columns.size + 4
    with pytest.raises(sl.SolverlabError, match="the forest would have more than"):
        solver.expand([5, 6])
    assert len(solver.ground.forest) == 2 * 169 and solver.epoch == 0
    assert [one.node for one in solver.expand([5])] == [5]


def test_nothing_to_grow_begins_no_epoch():
    solver = forest()
    assert solver.expand([]) == [] and solver.epoch == 0


@pytest.mark.parametrize("floor", [0.25, 0.4, 0.9, -0.1, "x", True])
def test_a_floor_leaves_room_for_every_action(floor):
    with pytest.raises(sl.SolverlabError, match="give a number from 0 to below 0.25"):
        forest(floor=floor)


def test_the_largest_floor_keeps_every_action_alive():
    solver = forest(floor=0.2499)
    solver.frontier = sl.MostReached(169)
    solver.step(60)
    sigma = solver.ground.trees.nodes.sigma[solver.ground.trees.actions]
    assert np.isfinite(sigma).all() and sigma.min() >= 0.2499 - 1e-12


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: sl.Rebalance(None), "None is no game to rebalance"),
        (lambda: sl.Rebalance("kuhn"), "'kuhn' is no game to rebalance; build one"),
        (lambda: sl.Rebalance(sl.Kuhn), "Kuhn is no game to rebalance"),
        (lambda: sl.Rebalance(sl.Kuhn(), start="x"), "a start of 'x' is no strategy"),
        (lambda: sl.Rebalance(sl.Kuhn(), leaf="x"), "there is no leaf value 'x'"),
        (lambda: sl.Rebalance(sl.Kuhn(), returned="no"), "returned is 'no'; write True or False"),
        (lambda: sl.Rebalance(sl.Kuhn(), scale=1e-320), "a scale of 1e-320 cannot be used"),
        (lambda: sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1)).expand([1]), "1 names no leaf"),
        (lambda: sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1)).expand("abc"), "give a list"),
        (lambda: deals_at(forest(), 1.5), "there is no node 1.5"),
        (lambda: deals_at(forest(), "x"), "there is no node 'x'"),
        (lambda: forest(leaf=lambda deals: "dear").rebalance(), "the leaf function gave 'dear'"),
        (lambda: sl.Holdem().hand(1.5), "there is no holding 1.5"),
        (lambda: sl.Holdem().hand(None), "there is no holding None"),
        (lambda: sl.Holdem(bet=(1.0,)), "there is no setting of sl.Holdem 'bet'; known: allin"),
        (lambda: sl.Holdem(match="no"), "match is 'no'; write True or False"),
        (lambda: sl.Holdem(allin="no"), "allin is 'no'; write True or False"),
        (lambda: sl.Holdem(stack=1e300), "a stack of 1e[+]300 is too large"),
        (lambda: sl.Holdem(stack=10**400), r"a stack of about 10\^400 is too large"),
        (lambda: sl.Holdem(buckets={"kind": "strength"}), "counts of strength buckets are None; give three"),
        (lambda: sl.Holdem(buckets={"kind": "strength", "counts": 5}), "counts of strength buckets are 5"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(act, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        act()


def test_a_forest_that_grows_too_large_is_refused():
    forest = sl.Rebalance(sl.Holdem(2), samples=10)
    forest.ground.forest.most = 400
    with pytest.raises(sl.SolverlabError, match="more than 400 nodes"):
        forest.expand(range(1, 339))


def test_expanding_needs_a_rule_or_nodes():
    with pytest.raises(sl.SolverlabError, match="nothing says which leaves to expand"):
        sl.Rebalance(sl.Holdem(2), samples=10).expand()
