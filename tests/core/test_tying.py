"""Ties say who cannot tell what apart: an identity tie changes nothing, a coarse one merges what it says."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games, random_policy
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.tying import tie_hands, tie_nodes, untied


@settings(max_examples=30, deadline=None)
@given(games(players=2, hidden=False), st.integers(0, 10**6))
def test_an_identity_tie_reads_and_sums_like_no_tie(game, seed):
    """Every node its own slot and every hand its own bucket: the gains are the same numbers."""
    plain = untied(game.tree, len(game.hands))
    same = tie_hands(game.tree, np.arange(len(game.hands)))
    acts = plain.slot >= 0
    values = np.random.default_rng(seed).normal(size=plain.shape)
    gain, tied_gain = np.zeros(plain.shape), np.zeros(same.shape)
    for player in range(2):
        sweeps.gains(game.tree, player, values, gain)
        sweeps.tied_gains(game.tree, same, player, values, tied_gain)
    np.testing.assert_array_equal(tied_gain[same.slot[acts]], gain[acts])
    assert sorted(same.slot[acts]) == list(range(same.shape[0]))


@settings(max_examples=30, deadline=None)
@given(games(players=2), st.integers(0, 10**6))
def test_tied_gains_are_sums_over_what_is_not_told_apart(game, seed):
    tie, tree = game.tie, game.tree
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(len(tree.parent), len(game.hands)))
    table, expected = np.zeros(tie.shape), np.zeros(tie.shape)
    for player in range(2):
        sweeps.tied_gains(tree, tie, player, values, table)
    for n in np.flatnonzero(tie.slot >= 0):
        for h in range(len(game.hands)):
            expected[tie.slot[n], tie.bucket[tie.texture[n], h]] += values[n, h] - values[tree.parent[n], h]
    if tie.tied:
        np.testing.assert_allclose(table, expected, atol=1e-12)
    policy = random_policy(game, seed)
    for group in range(len(tie.first)):
        rows = np.arange(tie.first[group], tie.first[group] + tie.count[group])
        nodes = [np.flatnonzero(tie.slot == row) for row in rows]
        together = sum(policy.sigma[children[0]] for children in nodes)
        np.testing.assert_allclose(together, 1.0)
        for children in nodes:  # nodes that are not told apart play alike
            assert (policy.sigma[children] == policy.sigma[children[0]]).all()


def test_matching_pennies_second_player_has_one_infoset():
    tie = sl.MatchingPennies().tie
    assert tie.tied and tie.player.tolist() == [0, 1] and tie.shape == (4, 1)
    assert tie.slot.tolist() == [-1, 0, 1, 2, 3, 2, 3]


def test_textures_choose_the_bucketing():
    """Leduc: after the public card a hand is a bucket of its own if it pairs the board, else of its rank."""
    game = sl.Leduc()
    after = [path.split("/") for path in game.names.paths]
    ranks = ["JQK".index(hand[0]) for hand in game.hands]
    bucket = [ranks] + [[3 if rank == board else rank for rank in ranks] for board in range(3)]
    texture = [
        next((1 + "JQK".index(word[0]) for word in words if word[:1] in "JQK" and word), 0) for words in after
    ]
    tie = tie_hands(game.tree, bucket, np.array(texture))
    assert tie.shape[1] == 4
    jack, queen = game.names.hand("Js"), game.names.hand("Qs")
    node = game.names.node("check/check/Jh/raise")
    assert tie.bucket[tie.texture[node], jack] == 3 and tie.bucket[tie.texture[node], queen] == 1


@pytest.mark.parametrize(
    ("tie", "sentence"),
    [
        (lambda tree: tie_nodes(tree, ["one"]), "1 labels for 9 nodes; give one label a node"),
        (lambda tree: tie_nodes(tree, range(9), 3, bucket=[[0, 1]]), r"shape \(1, 2\) do not fit 3 hands"),
        (lambda tree: tie_hands(tree, [0, -1, 0]), "bucket -1 is negative; number buckets from 0"),
        (lambda tree: tie_hands(tree, [0, 1, 2], np.full(9, 4)), "texture 4 has no row among 1 bucketings"),
        (
            lambda tree: tie_hands(tree, [0, 1, 2], np.arange(-1, 8)),
            "texture -1 has no row among 1 bucketings",
        ),
    ],
)
def test_ties_that_do_not_fit(tie, sentence):
    with pytest.raises(BadValue, match=sentence):
        tie(sl.Kuhn().tree)


def test_different_choices_cannot_be_tied():
    tree = sl.Leduc().tree
    second = [n for n in range(len(tree.parent)) if tree.player[n] == 1]
    seen = ["second" if n in second else n for n in range(len(tree.parent))]
    with pytest.raises(
        BadValue, match="nodes tied as 'second' offer . and . actions; tie equal choices only"
    ):
        tie_nodes(tree, seen, 6)
