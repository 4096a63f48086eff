"""Deals below hole cards and a flop: every flop sees as many, and what they say together is unbiased."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.core.check_solver import check_solver
from solverlab.games.holdem.buckets import MadeHands, SuitClasses
from solverlab.naive.forest import naive_values
from solverlab.solvers.growing.sampled.sweep import MASS, WORTH


def jack_ten(samples: int, flop_samples: int | None, buckets=None) -> tuple[sl.Rebalance, int]:
    """Heads-up limit where the button calls with JTs and the big blind checks: the node where flops fall."""
    table = Holdem(2, stack=8.0, betting="limit", max_raises=2, buckets=buckets or MadeHands(4))
    solver = sl.Rebalance(table, samples=samples, flop_samples=flop_samples, rng=3)
    forest = solver.ground.forest
    node = forest.root(0, table.hand("JTs"))
    for label in ("call", "check"):
        solver.expand([node])
        names = table.names_of(int(forest.columns.state[node]))
        node = int(forest.columns.first[node]) + names.index(label)
    solver.expand([node])
    solver.rebalance()
    return solver, node


def below(solver: sl.Rebalance, node: int) -> slice:
    nodes = solver.ground.trees.nodes
    return slice(int(nodes.first[node]), int(nodes.first[node] + nodes.count[node]))


def test_every_flop_class_sees_the_same_number_of_deals():
    """1,755 classes: 200 deals as they fall leave most without one; below each flop there are as many."""
    seen = []
    for each in (None, 2):
        solver, node = jack_ten(200, each, SuitClasses(1))
        ranges, flops = solver.ground.trees.ranges, below(solver, node)
        seen.append((ranges.high - ranges.low)[flops])
    assert len(seen[0]) == 1755 and (seen[0] == 0).mean() > 0.85
    assert set(seen[1]) == {2}


def test_odds_are_those_of_the_deck():
    """Weights sum to the deals of a tree, and a flop's share is how many of all 19,600 belong to it."""
    solver, node = jack_ten(100, 40)
    sums, flops = solver.ground.sums, below(solver, node)
    _, odds = solver.game.draw_flops(np.random.default_rng(0), 1, 0, solver.game.hand("JTs"))
    assert odds.sum() == pytest.approx(1.0, abs=1e-12) and sums[1, MASS] >= 0
    tree = int(solver.ground.trees.nodes.tree[node])
    assert solver.ground.trees.samples[tree].weight.sum() == pytest.approx(100, abs=1e-9)
    assert (np.round(odds * 19600, 6) % 1 == 0).all()
    assert sums[flops, MASS].sum() == pytest.approx(sums[node, MASS], rel=1e-12)


def test_what_flops_say_together_is_what_deals_as_they_fall_say():
    falls, node = jack_ten(2000, None)
    fixed, _ = jack_ten(100, 2000)
    for n in (node, *range(below(falls, node).start, below(falls, node).stop)):
        one, other = (solver.ground.node_ev()[n] for solver in (falls, fixed))
        error = np.hypot(falls.ground.node_error()[n], fixed.ground.node_error()[n])
        assert abs(one - other) <= 5 * error


def test_the_slow_twin_agrees_deal_by_deal():
    solver, node = jack_ten(50, 25)
    solver.ground.look(solver.clock)
    tree = int(solver.ground.trees.nodes.tree[node])
    weight = solver.ground.trees.samples[tree].weight
    reach, worth, _ = naive_values(solver, tree)
    for n in solver.ground.trees.members(tree):
        assert solver.ground.sums[n, MASS] == pytest.approx(reach[n] @ weight, abs=1e-9)
        assert solver.ground.sums[n, WORTH] == pytest.approx(worth[n] @ weight, abs=1e-9)
    assert sl.deals_at(solver, node)["reach"] == pytest.approx(reach[node], abs=1e-12)


def test_it_is_a_setting_like_any_other():
    solver, _ = jack_ten(10, 3)
    assert solver.ground.trees.seen_flops and solver.config()["flop_samples"] == 3
    check_solver(solver, samples=10, flop_samples=3, rng=3)
    with pytest.raises(sl.SolverlabError, match="flop_samples is 0; give a whole number"):
        sl.Rebalance(Holdem(2), flop_samples=0)
    with pytest.raises(sl.SolverlabError, match="settings of sampled tables"):
        sl.Rebalance(sl.Kuhn(), flop_samples=5)
    with pytest.raises(sl.SolverlabError, match="use a smaller flop_samples"):
        jack_ten(10, 10**6, SuitClasses(1))
