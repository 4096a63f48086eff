"""`check_game` passes every game of the house and names what is wrong with any other."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from games.random_games import games, random_policy
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.analysis.referee import MOST_SEQUENCES, sequences
from solverlab.core.abilities import ShowdownGame
from solverlab.core.errors import BadValue
from solverlab.core.game import Game, TabulatedGame, check_game
from solverlab.games import GAMES, from_config, game_named


@pytest.mark.parametrize("name", GAMES)
def test_the_menu_keeps_the_contract_and_its_row_says_what_the_game_is(name):
    game, row = game_named(name), GAMES[name]
    check_game(game)
    assert isinstance(game, Game) and isinstance(game, TabulatedGame)
    assert from_config(game.config()).config() == game.config()
    assert row.players == game.n_players
    assert row.hidden == game.tie.tied
    assert row.players != 2 or row.refereed == (sequences(game) <= MOST_SEQUENCES)
    if row.grows and not row.hidden:  # Grow opens with showdowns at its leaves
        assert isinstance(game, ShowdownGame)


def broken(**parts) -> SimpleNamespace:
    """Kuhn with some parts replaced."""
    game = sl.Kuhn()
    whole = {name: getattr(game, name) for name in ("name", "n_players", "tree", "names", "tie", "leaf_cfv")}
    return SimpleNamespace(**(whole | parts))


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (broken(names=sl.MatchingPennies().names), "7 action names for 9 nodes; name every node"),
        (broken(n_players=1), "player 1 acts in a game of 1; number players from 0"),
        (broken(n_players=3), "2 player names for 3 players; name every player"),
        (broken(leaf_cfv=lambda me, reach: np.zeros((2, 2))), r"leaf values of player 0 have shape \(2, 2\)"),
        (
            broken(leaf_cfv=lambda me, reach: np.full((5, 3), np.nan)),
            "the payoff at leaf 0 is nan; .* finite",
        ),
    ],
)
def test_a_broken_contract_is_named(game, sentence):
    with pytest.raises(BadValue, match=sentence):
        check_game(game)


@settings(max_examples=30, deadline=None)
@given(st.one_of(games(players=2), games(players=3)), st.integers(0, 10**6))
def test_leaf_values_are_payoffs_weighted_by_the_others_reach(game, seed):
    """The one array function against its definition, deal by deal."""
    rng = np.random.default_rng(seed)
    leaves = [n for n in range(len(game.tree.parent)) if game.tree.leaf[n] >= 0]
    hands, index = game.hands, {hand: h for h, hand in enumerate(game.hands)}
    reach = rng.random((game.n_players, len(leaves), len(hands)))
    for me in range(game.n_players):
        expected = np.zeros((len(leaves), len(hands)))
        for node in leaves:
            leaf = game.tree.leaf[node]
            for deal, mass in game.deals().items():
                others = [reach[p, leaf, index[deal[p]]] for p in range(game.n_players) if p != me]
                pays = game.payoff(game.states[node], *deal)[me]
                expected[leaf, index[deal[me]]] += mass * np.prod(others) * pays
        np.testing.assert_allclose(game.leaf_cfv(me, reach), expected, rtol=1e-10, atol=1e-13)


@settings(max_examples=20, deadline=None)
@given(games(players=2, zero_sum=True), st.integers(0, 10**6))
def test_zero_sum_games_stay_zero_sum(game, seed):
    policy = random_policy(game, seed)
    assert sl.value(game, policy, 0) + sl.value(game, policy, 1) == pytest.approx(0.0, abs=1e-12)
