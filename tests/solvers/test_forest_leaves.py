"""Leaves of a forest that are worth what a function says (the slot for a learned value), or a roll-out."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.naive_forest import naive_values
from solvers.test_forest import grown

import solverlab as sl
from solverlab.core.errors import SolverlabError
from solverlab.games.holdem import Holdem
from solverlab.games.holdem_betting import following
from solverlab.games.holdem_buckets import MadeHands
from solverlab.games.holdem_pots import payoffs, pots
from solverlab.solvers import forest_leaves, forest_rollout
from solverlab.solvers.forest import Forest
from solverlab.solvers.forest_rollout import chance
from solverlab.solvers.forest_sweep import MASS, WORTH
from solverlab.solvers.frontier import MostReached


def shown(deals) -> np.ndarray:
    """A showdown, worked out once more by hand."""
    layers = pots(deals.game.rules, deals.state, deals.game.match)
    return np.array([payoffs(layers, rank)[deals.seat] for rank in deals.rank.T.tolist()])


def bucketed(deals) -> np.ndarray:
    """Something that looks at everything a function is told."""
    return deals.info[deals.seat].sum(0) / 50 - sum(deals.state.paid) + deals.rank[0] / 7462


def deep(leaf, samples=270, players=2) -> Forest:
    """Trees of a few hands that see the turn, with more deals than a block."""
    forest = Forest(Holdem(players, stack=8.0, buckets=MadeHands(2)), samples=samples, leaf=leaf)
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


@pytest.mark.parametrize(
    ("leaf", "players"), [(bucketed, 2), ("rollout", 2), ("rollout", 4)], ids=["given", "rolled out", "four"]
)
def test_leaves_agree_with_one_deal_at_a_time(leaf, players):
    forest = deep(leaf, players=players)
    for tree in np.argsort(np.diff(forest.ground.start))[-2:].tolist():
        reach, worth, _ = naive_values(forest, tree)
        members = forest.ground.members(tree)
        assert np.allclose(forest.sums[members, MASS], reach.sum(1)[members], rtol=1e-12, atol=1e-12)
        assert np.allclose(forest.sums[members, WORTH], worth.sum(1)[members], rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("leaf", [bucketed, "rollout"], ids=["given", "rolled out"])
def test_the_deals_of_a_node_add_up_whatever_its_leaves_are_worth(leaf):
    forest = deep(leaf)
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


@pytest.mark.parametrize("leaf", [bucketed, "rollout"], ids=["given", "rolled out"])
def test_threads_and_fresh_deals_change_nothing(leaf):
    one, two = (grown(2, epochs=4, leaf=leaf, rng=3, threads=threads) for threads in (1, 2))
    assert (one.ground.nodes.sigma == two.ground.nodes.sigma).all()
    assert one.gains_bracket(1) == two.gains_bracket(1) and one.copy().leaf is leaf


# ---- roll-outs ---------------------------------------------------------------------------------------------


def small() -> Holdem:
    return Holdem(2, stack=3.0, betting="limit", max_raises=2, buckets=MadeHands(1))


def exactly(game: Holdem, state, ranks: list[int]) -> np.ndarray:
    """What everybody wins on average when all choose blindly, by walking through all of it."""
    after = following(game.rules, state).values()
    if not after:
        return np.array(payoffs(pots(game.rules, state), ranks))
    return sum(exactly(game, one, ranks) for one in after) / len(after)


def mean_worth(forest: Forest, seat: int, hand: int, worth) -> float:
    """The mean over a root's deals of worth(ranks)[seat], which only looks at who is ahead."""
    deals = [(int(mine > theirs), int(mine < theirs)) for mine, theirs in ranks_of(forest, seat, hand)]
    known = {ahead: worth(list(ahead))[seat] for ahead in set(deals)}
    return float(np.mean([known[ahead] for ahead in deals]))


def ranks_of(forest: Forest, seat: int, hand: int) -> list[list[int]]:
    return forest.ground.samples[seat * 169 + hand].rank.T.tolist()


def test_nobody_has_a_strategy_yet_so_a_rollout_is_random_play():
    forest = Forest(small(), samples=3000, leaf="rollout")
    forest.rebalance()
    for seat, hand in ((0, 168), (1, 20)):
        root = forest.nodes.root(seat, hand)
        true = mean_worth(forest, seat, hand, lambda ranks: exactly(forest.game, forest.game.state(0), ranks))
        assert abs(forest.node_ev()[root] - true) < 5 * forest.node_error()[root]


@pytest.mark.parametrize("choice", ["check", "raise"])
def test_a_rollout_follows_the_trees_that_reach_further(choice):
    """The big blind's trees say what to do after a call; the button's have not grown: it plays blindly."""
    forest, hands = Forest(small(), samples=6_000, leaf="rollout"), range(169)
    forest.expand([forest.nodes.root(1, h) for h in hands])
    called = [int(forest.nodes.columns.first[forest.nodes.root(1, h)]) + 1 for h in hands]
    forest.expand(called)
    nodes, game = forest.ground.nodes, forest.game
    for first in nodes.first[called]:
        nodes.sigma[first : first + 2] = [choice == "check", choice == "raise"]
    forest._sweep()

    def worth(ranks: list[int]) -> np.ndarray:
        after = following(game.rules, game.state(0))
        forced = following(game.rules, after["call"])[choice]
        ends = [exactly(game, state, ranks) for state in (after["fold"], forced, after["raise"])]
        return np.mean(ends, axis=0)

    root, true = forest.nodes.root(0, 168), mean_worth(forest, 0, 168, worth)
    blind = mean_worth(forest, 0, 168, lambda ranks: exactly(game, game.state(0), ranks))
    assert abs(forest.node_ev()[root] - true) < 5 * forest.node_error()[root] < abs(true - blind)


def test_a_forest_that_rolls_out_is_saved_and_resumed_bit_for_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    forest = Forest(
        Holdem(3, stack=8.0, buckets=MadeHands(2)), frontier=MostReached(9), samples=30, sweeps=2,
        leaf="rollout",
    )  # fmt: skip
    forest.advance(5)
    sl.save(forest, "rolled")
    again = sl.load("rolled").solver()
    forest.advance(4)
    again.advance(4)
    assert again.leaf == "rollout" and (again.ground.nodes.sigma == forest.ground.nodes.sigma).all()


def test_rollouts_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(forest_rollout, "MOST_BYTES", 1000)
    with pytest.raises(SolverlabError, match="roll-outs of 100 deals take .* use fewer samples"):
        Forest(Holdem(2), samples=100, leaf="rollout").rebalance()


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
        Forest(Holdem(2), samples=10, leaf=leaf).rebalance()


def test_values_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(forest_leaves, "MOST_BYTES", 10**5)
    Forest(Holdem(2), samples=100).rebalance()
    with pytest.raises(SolverlabError, match="values of 100 deals at 338 leaves take"):
        Forest(Holdem(2), samples=100, leaf=shown).rebalance()
