"""Leaves of a forest that are worth what a function says: the slot for a learned value."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.naive_forest import naive_values
from solvers.test_forest import grown

from solverlab.core.errors import SolverlabError
from solverlab.games.holdem import Holdem
from solverlab.games.holdem_buckets import MadeHands
from solverlab.games.holdem_pots import payoffs, pots
from solverlab.solvers import forest_leaves
from solverlab.solvers.forest import Forest
from solverlab.solvers.forest_sweep import MASS, WORTH
from solverlab.solvers.frontier import MostReached


def shown(deals) -> np.ndarray:
    """A showdown, worked out once more by hand."""
    layers = pots(deals.game.rules, deals.state, deals.game.match)
    return np.array([payoffs(layers, rank)[deals.seat] for rank in deals.rank.T.tolist()])


def bucketed(deals) -> np.ndarray:
    """Something that looks at everything a function is told."""
    return deals.info[deals.seat].sum(0) / 50 - sum(deals.state.paid) + deals.rank[0] / 7462


def deep(leaf, samples=270) -> Forest:
    """Heads-up trees of a few hands that see the turn, with more deals than a block."""
    forest = Forest(Holdem(2, stack=8.0, buckets=MadeHands(2)), samples=samples, leaf=leaf)
    for _ in range(8):
        leaves = forest.nodes.frontier()
        forest.expand(leaves[np.isin(forest.nodes.hand(leaves), [168, 5])][:150])
    rng = np.random.default_rng(1)
    for owner in forest.ground.owners:
        below = slice(forest.ground.nodes.first[owner], None)
        mix = rng.dirichlet(np.ones(forest.ground.nodes.count[owner]))
        forest.ground.nodes.sigma[below][: len(mix)] = mix
    forest._sweep()
    return forest


def test_a_function_that_shows_the_cards_changes_nothing():
    own, plain = deep(shown), deep("showdown")
    assert own.ground.streets >= 2
    assert own.nodes.log == plain.nodes.log
    assert np.allclose(own.sums, plain.sums, rtol=1e-12, atol=1e-12)


def test_given_leaves_agree_with_one_deal_at_a_time():
    forest = deep(bucketed)
    for tree in np.argsort(np.diff(forest.ground.start))[-2:].tolist():
        reach, worth, _ = naive_values(forest, tree)
        members = forest.ground.members(tree)
        assert np.allclose(forest.sums[members, MASS], reach.sum(1)[members], rtol=1e-12, atol=1e-12)
        assert np.allclose(forest.sums[members, WORTH], worth.sum(1)[members], rtol=1e-12, atol=1e-9)


def test_the_deals_of_a_node_add_up_whatever_its_leaves_are_worth():
    forest = deep(bucketed)
    members = forest.ground.members(int(np.argmax(np.diff(forest.ground.start))))
    for node in members[:: max(len(members) // 6, 1)].tolist():
        seen = forest.deals_at(node)
        worth = seen["reach"] @ np.nan_to_num(seen["worth"])
        assert forest.sums[node, WORTH] == pytest.approx(worth, rel=1e-9, abs=1e-9)


def test_a_function_is_asked_once_an_epoch_and_only_where_the_hand_goes_on():
    calls = []

    def noted(deals):
        calls.append((deals.seat, deals.state))
        return np.zeros(deals.rank.shape[1])

    forest = Forest(Holdem(3, stack=5.0), frontier=MostReached(20), samples=10, sweeps=3, leaf=noted)
    forest.advance(3)
    assert len(calls) == 3 * 169
    calls.clear()
    forest.advance(2)
    leaves = forest.nodes.frontier()
    assert len(calls) == len(leaves)
    assert all(state.live[seat] and (state.actor >= 0 or state.deals) for seat, state in calls)


def test_threads_and_fresh_deals_change_nothing():
    one, two = (grown(2, epochs=4, leaf=bucketed, rng=3, threads=threads) for threads in (1, 2))
    assert (one.ground.nodes.sigma == two.ground.nodes.sigma).all()
    assert one.gains_bracket(1) == two.gains_bracket(1) and one.copy().leaf is bucketed


@pytest.mark.parametrize(
    ("leaf", "sentence"),
    [
        (lambda deals: 0.0, r"the leaf function gave shape \(\) for 10 deals"),
        (lambda deals: np.full(deals.rank.shape[1], np.nan), "give a finite number for each"),
        ("rollout", "a forest knows no strategy beyond its leaves"),
        ("best", "there is no leaf value 'best'"),
        (7, "there is no leaf value 7"),
    ],
)
def test_leaf_values_that_cannot_be_used_are_refused(leaf, sentence):
    with pytest.raises(SolverlabError, match=sentence):
        Forest(Holdem(2), samples=10, leaf=leaf).rebalance()


def test_values_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(forest_leaves, "MOST_BYTES", 10**5)
    Forest(Holdem(2), samples=100).rebalance()
    with pytest.raises(SolverlabError, match="values of 100 deals at 338 leaves take"):
        Forest(Holdem(2), samples=100, leaf=shown).rebalance()
