"""A game written out deal by deal is the same game: same values for every policy."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games, random_policy
from games.some_limit_games import SOME
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core.errors import TooLarge
from solverlab.core.history import History, unroll
from solverlab.core.tree import CHANCE, chance_reach, check_tree, leaf_nodes

POKERS = (
    "blinds",
    "three players with blinds",
    "two hole cards",
    "board first",
    "three rounds",
    "short stacks",
)
HOUSE = {
    "Kuhn": sl.Kuhn,
    "Leduc": sl.Leduc,
    "three-player Kuhn": lambda: sl.Kuhn(players=3),
    "matching pennies": sl.MatchingPennies,
    "rock-paper-scissors": sl.RockPaperScissors,
    **{name: lambda name=name: sl.LimitPoker(**SOME[name]) for name in POKERS},
}


def played(history: History, sigma: np.ndarray) -> np.ndarray:
    """Every player's value when each history is played out, float64[P]."""
    tree = history.tree
    reach = chance_reach(tree)
    for m in range(1, len(tree.parent)):
        parent, public, deal = tree.parent[m], history.public[m], history.deal[m]
        probability = 1.0
        if tree.player[parent] >= 0:
            probability = sigma[public, history.deals[deal, tree.player[parent]]]
        own = tree.chance[m] if tree.player[parent] == CHANCE else 1.0
        reach[m] = reach[parent] * probability * own
    return reach[leaf_nodes(tree)] @ history.payoff


@settings(max_examples=40, deadline=None)
@given(st.one_of(games(players=2), games(players=3)), st.integers(0, 10**6))
def test_values_agree_with_the_range_form(game, seed):
    policy = random_policy(game, seed)
    ranges = [sl.value(game, policy, player) for player in range(game.n_players)]
    np.testing.assert_allclose(played(unroll(game), policy.sigma), ranges, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", HOUSE)
def test_the_games_of_the_house_written_out(name):
    game = HOUSE[name]()
    history = unroll(game)
    check_tree(history.tree)
    for node in np.flatnonzero(history.tree.player == CHANCE):
        following = slice(history.tree.first[node], history.tree.first[node] + history.tree.count[node])
        assert history.tree.chance[following].sum() == pytest.approx(1.0)
    np.testing.assert_allclose(history.payoff.sum(axis=1), 0.0, atol=1e-9)
    policy = random_policy(game, seed=5)
    ranges = [sl.value(game, policy, player) for player in range(game.n_players)]
    np.testing.assert_allclose(played(history, policy.sigma), ranges, rtol=0, atol=1e-12)


def test_leduc_written_out_has_9451_nodes_and_936_infosets():
    """Six betting nodes with six cards before the board, thirty after each of six boards with five cards."""
    history = unroll(sl.Leduc())
    acting = history.tree.player >= 0
    first_rows = history.row[history.tree.first[acting]]
    assert len(history.tree.parent) == 9451 and len(history.deals) == 30
    assert len(np.unique(first_rows)) == 6 * 6 + 6 * 30 * 5 == 936
    assert history.payoff.max() == 13.0 and history.payoff.min() == -13.0


def test_a_game_too_large_to_write_out_is_refused():
    with pytest.raises(TooLarge, match="more than 1,000 nodes; use a smaller deck or full-width CFR"):
        unroll(sl.Leduc(), most=1000)
