"""Best responses are exact: equal to plain recursion on random policies, hidden moves and chance included."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games, random_policy, strategy_of
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.naive import BestResponder

ANY = st.one_of(games(players=2), games(players=3))
SEEDS = st.integers(0, 10**6)


@settings(max_examples=60, deadline=None)
@given(ANY, SEEDS)
def test_best_responses_are_those_of_plain_recursion(game, seed):
    policy = random_policy(game, seed)
    strategy = strategy_of(game, policy)
    for me in range(game.n_players):
        plain = BestResponder(game, strategy, me).value()
        assert sl.best_response(game, policy, me).value == pytest.approx(plain, abs=1e-12)
    gains = sl.deviation_gains(game, policy)
    for me, gain in enumerate(gains):
        best = BestResponder(game, strategy, me).value()
        assert gain == pytest.approx(best - sl.value(game, policy, me), abs=1e-12)


@pytest.mark.parametrize(
    "make", [sl.Kuhn, sl.Leduc, lambda: sl.Kuhn(players=3), sl.MatchingPennies, sl.RockPaperScissors]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_games_of_the_house(make, seed):
    game = make()
    policy = random_policy(game, seed)
    strategy = strategy_of(game, policy)
    for me in range(game.n_players):
        plain = BestResponder(game, strategy, me).value()
        assert sl.best_response(game, policy, me).value == pytest.approx(plain, abs=1e-10)


@settings(max_examples=40, deadline=None)
@given(ANY, SEEDS, SEEDS)
def test_the_response_wins_what_it_says_and_nothing_wins_more(game, seed, other_seed):
    policy = random_policy(game, seed)
    for me in range(game.n_players):
        answer = sl.best_response(game, policy, me)
        mine = np.append(game.tree.player, -1)[game.tree.parent] == me
        assert sl.value(game, answer.policy, me) == pytest.approx(answer.value, abs=1e-12)
        assert (answer.policy.sigma[~mine] == policy.sigma[~mine]).all()
        assert set(np.unique(answer.policy.sigma[mine])) <= {0.0, 1.0}
        rival = random_policy(game, other_seed).sigma
        attempt = sl.Policy(game.tree, game.names, np.where(mine[:, None], rival, policy.sigma))
        assert sl.value(game, attempt, me) <= answer.value + 1e-12


@settings(max_examples=40, deadline=None)
@given(ANY, SEEDS)
def test_gains_are_never_negative_and_vanish_after_responding(game, seed):
    policy = random_policy(game, seed)
    assert min(sl.deviation_gains(game, policy)) >= -1e-12
    answer = sl.best_response(game, policy, 0)
    assert sl.deviation_gains(game, answer.policy)[0] == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(games(players=2, zero_sum=True), SEEDS)
def test_two_player_measures_agree_with_each_other(game, seed):
    policy = random_policy(game, seed)
    gains = sl.deviation_gains(game, policy)
    responses = [sl.best_response(game, policy, player) for player in range(2)]
    assert sl.nash_conv(game, policy) == pytest.approx(sum(gains), abs=1e-12)
    assert sl.exploitability(game, policy) == pytest.approx(sum(gains) / 2, abs=1e-12)
    assert [answer.gain for answer in responses] == pytest.approx(list(gains), abs=1e-12)
    assert sl.nash_conv(game, policy) == pytest.approx(responses[0].value + responses[1].value, abs=1e-12)


def test_known_exploitabilities():
    kuhn, pennies = sl.Kuhn(), sl.MatchingPennies()
    assert sl.exploitability(kuhn, sl.uniform_policy(kuhn)) == pytest.approx(11 / 24)
    assert sl.exploitability(pennies, sl.uniform_policy(pennies)) == 0.0
    always = sl.Policy(pennies.tree, pennies.names, np.array([[1, 1, 0, 1, 0, 1, 0]], float).T)
    assert sl.deviation_gains(pennies, always) == (0.0, 2.0) and sl.value(pennies, always) == 1.0


def test_the_second_player_of_matching_pennies_may_not_peek():
    """Best response under the game's own tie: against a fair coin nothing wins, seeing it would win 1."""
    pennies = sl.MatchingPennies()
    answer = sl.best_response(pennies, sl.uniform_policy(pennies), 1)
    assert answer.value == 0.0
    heads, tails = (answer.policy.at(move) for move in ("heads", "tails"))
    assert heads == tails


def test_frames_of_a_best_response():
    game = sl.Leduc()
    table = sl.best_response(game, sl.uniform_policy(game), 1).frame()
    assert list(table.columns) == ["player", "node", "hand", "action", "probability", "reach"]
    assert set(table.player) == {"second"} and set(table.probability) == {1.0}
    assert len(table) == (game.tree.player == 1).sum() * 6  # one choice a node and hand


def test_wrong_questions_are_answered_with_a_sentence():
    game = sl.Kuhn()
    with pytest.raises(BadValue, match="there is no player 2 in Kuhn poker; players are 0 to 1"):
        sl.best_response(game, sl.uniform_policy(game), 2)
    with pytest.raises(BadValue, match="there is no player -1 in Kuhn poker; players are 0 to 1"):
        sl.value(game, sl.uniform_policy(game), -1)
    with pytest.raises(
        BadValue, match="465 nodes and 6 hands but Kuhn poker has 9 and 3; measure it on its own"
    ):
        sl.exploitability(game, sl.uniform_policy(sl.Leduc()))
    three = sl.Kuhn(players=3)
    with pytest.raises(BadValue, match="say little with 3 players; use sl.deviation_gains for each seat"):
        sl.exploitability(three, sl.uniform_policy(three))
