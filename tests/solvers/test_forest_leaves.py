"""Leaves of a forest that are worth what a function says (the slot for a learned value), or a roll-out."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem
from solvers.test_forest import grown

import solverlab as sl
from solverlab.core.errors import SolverlabError
from solverlab.games.betting.pots import payoffs, pots
from solverlab.games.betting.states import following
from solverlab.games.holdem.buckets import MadeHands
from solverlab.naive.forest import naive_values
from solverlab.solvers import Rebalance, deals_at, gains_bracket
from solverlab.solvers.growing.frontier import MostReached
from solverlab.solvers.growing.sampled import leaves, rollout
from solverlab.solvers.growing.sampled.rollout import chance
from solverlab.solvers.growing.sampled.sweep import MASS, WORTH


def shown(deals) -> np.ndarray:
    """A showdown, worked out once more by hand."""
    layers = pots(deals.game.rules.row, deals.state, deals.game.match)
    return np.array([payoffs(layers, rank)[deals.seat] for rank in deals.rank.T.tolist()])


def bucketed(deals) -> np.ndarray:
    """Something that looks at everything a function is told."""
    return deals.info[deals.seat].sum(0) / 50 - sum(deals.state.paid) + deals.rank[0] / 7462


def deep(leaf, samples=270, players=2) -> Rebalance:
    """Trees of a few hands that see the turn, with more deals than a block."""
    forest = Rebalance(Holdem(players, stack=8.0, buckets=MadeHands(2)), samples=samples, leaf=leaf)
    for _ in range(8):
        leaves = forest.ground.forest.frontier()
        forest.expand(leaves[np.isin(forest.ground.forest.hand(leaves), [168, 5])][:150])
    rng = np.random.default_rng(1)
    for owner in forest.ground.trees.owners:
        below = slice(forest.ground.trees.nodes.first[owner], None)
        mix = rng.dirichlet(np.ones(forest.ground.trees.nodes.count[owner]))
        forest.ground.trees.nodes.sigma[below][: len(mix)] = mix
    forest.ground.look(forest.clock)
    return forest


def test_a_function_that_shows_the_cards_changes_nothing():
    own, plain = deep(shown), deep("showdown")
    assert own.ground.trees.streets >= 2
    assert own.ground.forest.log == plain.ground.forest.log
    assert np.allclose(own.ground.sums, plain.ground.sums, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("leaf", "players"), [(bucketed, 2), ("rollout", 2), ("rollout", 4)], ids=["given", "rolled out", "four"]
)
def test_leaves_agree_with_one_deal_at_a_time(leaf, players):
    forest = deep(leaf, players=players)
    for tree in np.argsort(np.diff(forest.ground.trees.start))[-2:].tolist():
        reach, worth, _ = naive_values(forest, tree)
        members = forest.ground.trees.members(tree)
        assert np.allclose(forest.ground.sums[members, MASS], reach.sum(1)[members], rtol=1e-12, atol=1e-12)
        assert np.allclose(forest.ground.sums[members, WORTH], worth.sum(1)[members], rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("leaf", [bucketed, "rollout"], ids=["given", "rolled out"])
def test_the_deals_of_a_node_add_up_whatever_its_leaves_are_worth(leaf):
    forest = deep(leaf)
    members = forest.ground.trees.members(int(np.argmax(np.diff(forest.ground.trees.start))))
    for node in members[:: max(len(members) // 6, 1)].tolist():
        seen = deals_at(forest, node)
        worth = seen["reach"] @ np.nan_to_num(seen["worth"])
        assert forest.ground.sums[node, WORTH] == pytest.approx(worth, rel=1e-9, abs=1e-9)


def test_a_function_is_asked_once_an_epoch_and_only_where_the_hand_goes_on():
    calls = []

    def noted(deals):
        calls.append((deals.seat, deals.state))
        return np.zeros(deals.rank.shape[1])

    forest = Rebalance(Holdem(3, stack=5.0), frontier=MostReached(20), samples=10, sweeps=3, leaf=noted)
    forest.rebalance()
    forest.rebalance()
    assert len(calls) == 3 * 169
    forest.expand()
    calls.clear()
    forest.rebalance()
    forest.rebalance()
    leaves = forest.ground.forest.frontier()
    assert len(calls) == len(leaves)
    assert all(state.live[seat] and (state.actor >= 0 or state.deals) for seat, state in calls)


@pytest.mark.parametrize("leaf", [bucketed, "rollout"], ids=["given", "rolled out"])
def test_threads_and_fresh_deals_change_nothing(leaf):
    one, two = (grown(2, epochs=4, leaf=leaf, rng=3, threads=threads) for threads in (1, 2))
    assert (one.ground.trees.nodes.sigma == two.ground.trees.nodes.sigma).all()
    assert gains_bracket(one, 1) == gains_bracket(two, 1) and one.copy().leaf is leaf


# ---- roll-outs ---------------------------------------------------------------------------------------------


def small() -> Holdem:
    return Holdem(2, stack=3.0, betting="limit", max_raises=2, buckets=MadeHands(1))


def exactly(game: Holdem, state, ranks: list[int]) -> np.ndarray:
    """What everybody wins on average when all choose blindly, by walking through all of it."""
    after = following(game.rules.row, state).values()
    if not after:
        return np.array(payoffs(pots(game.rules.row, state), ranks))
    return sum(exactly(game, one, ranks) for one in after) / len(after)


def mean_worth(forest: Rebalance, seat: int, hand: int, worth) -> float:
    """The mean over a root's deals of worth(ranks)[seat], which only looks at who is ahead."""
    deals = [(int(mine > theirs), int(mine < theirs)) for mine, theirs in ranks_of(forest, seat, hand)]
    known = {ahead: worth(list(ahead))[seat] for ahead in set(deals)}
    return float(np.mean([known[ahead] for ahead in deals]))


def ranks_of(forest: Rebalance, seat: int, hand: int) -> list[list[int]]:
    return forest.ground.trees.samples[seat * 169 + hand].rank.T.tolist()


def test_nobody_has_a_strategy_yet_so_a_rollout_is_random_play():
    forest = Rebalance(small(), samples=3000, leaf="rollout")
    forest.rebalance()
    for seat, hand in ((0, 168), (1, 20)):
        root = forest.ground.forest.root(seat, hand)
        true = mean_worth(forest, seat, hand, lambda ranks: exactly(forest.game, forest.game.state(0), ranks))
        assert abs(forest.ground.node_ev()[root] - true) < 5 * forest.ground.node_error()[root]


@pytest.mark.parametrize("choice", ["check", "raise"])
def test_a_rollout_follows_the_trees_that_reach_further(choice):
    """The big blind's trees say what to do after a call; the button's have not grown: it plays blindly."""
    forest, hands = Rebalance(small(), samples=6_000, leaf="rollout"), range(169)
    forest.expand([forest.ground.forest.root(1, h) for h in hands])
    called = [int(forest.ground.forest.columns.first[forest.ground.forest.root(1, h)]) + 1 for h in hands]
    forest.expand(called)
    nodes, game = forest.ground.trees.nodes, forest.game
    for first in nodes.first[called]:
        nodes.sigma[first : first + 2] = [choice == "check", choice == "raise"]
    forest.ground.look(forest.clock)

    def worth(ranks: list[int]) -> np.ndarray:
        after = following(game.rules.row, game.state(0))
        forced = following(game.rules.row, after["call"])[choice]
        ends = [exactly(game, state, ranks) for state in (after["fold"], forced, after["raise"])]
        return np.mean(ends, axis=0)

    root, true = forest.ground.forest.root(0, 168), mean_worth(forest, 0, 168, worth)
    blind = mean_worth(forest, 0, 168, lambda ranks: exactly(game, game.state(0), ranks))
    assert (
        abs(forest.ground.node_ev()[root] - true) < 5 * forest.ground.node_error()[root] < abs(true - blind)
    )


def test_a_forest_that_rolls_out_is_saved_and_resumed_bit_for_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    forest = Rebalance(
        Holdem(3, stack=8.0, buckets=MadeHands(2)), frontier=MostReached(9), samples=30, sweeps=2,
        leaf="rollout",
    )  # fmt: skip
    forest.advance(5)
    sl.save(forest, "rolled")
    again = sl.load("rolled").solver()
    forest.advance(4)
    again.advance(4)
    assert (
        again.leaf == "rollout" and (again.ground.trees.nodes.sigma == forest.ground.trees.nodes.sigma).all()
    )


def test_rollouts_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(rollout, "MOST_BYTES", 1000)
    with pytest.raises(SolverlabError, match="roll-outs of 100 deals take .* use fewer samples"):
        Rebalance(Holdem(2), samples=100, leaf="rollout").rebalance()


def test_chances_are_spread_evenly():
    drawn = np.array([chance(np.uint64(seed), step) for seed in range(2000) for step in range(5)])
    counts = np.bincount((drawn * 10).astype(int), minlength=10)
    assert 0 <= drawn.min() and drawn.max() < 1 and counts == pytest.approx(1000, abs=5 * np.sqrt(900))
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 5 / np.sqrt(len(drawn))


@pytest.mark.parametrize(
    ("leaf", "sentence"),
    [
        (lambda deals: 0.0, r"the leaf function gave shape \(\) for 10 deals"),
        (lambda deals: np.full(deals.rank.shape[1], np.nan), "give a finite number for each"),
        ("best", "there is no leaf value 'best'"),
        (7, "there is no leaf value 7"),
    ],
)
def test_leaf_values_that_cannot_be_used_are_refused(leaf, sentence):
    with pytest.raises(SolverlabError, match=sentence):
        Rebalance(Holdem(2), samples=10, leaf=leaf).rebalance()


def test_values_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(leaves, "MOST_BYTES", 10**5)
    Rebalance(Holdem(2), samples=100).rebalance()
    with pytest.raises(SolverlabError, match="values of 100 deals at 338 leaves take"):
        Rebalance(Holdem(2), samples=100, leaf=shown).rebalance()
