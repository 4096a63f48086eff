"""Nodes, hands and policies answer by name, and a wrong name is told with the right ones."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games, random_policy
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.core.names import Names
from solverlab.core.policy import Policy, check_policy
from solverlab.core.tree import Tree

COLUMNS = ["player", "node", "hand", "action", "probability", "reach"]


def test_every_node_is_found_by_its_path():
    names = sl.Leduc().names
    assert [names.node(path) for path in names.paths] == list(range(len(names.actions)))
    assert names.node("check/raise/") == names.node("check/raise")
    assert names.path(0) == "" and names.node(7) == 7
    assert [names.hand(hand) for hand in names.hands] == [0, 1, 2, 3, 4, 5]


def test_several_roots_have_their_own_paths():
    forest = Tree(
        parent=np.array([-1, -1, 0, 0, 1]),
        player=np.array([0, 0, -2, -2, -2]),
        first=np.array([2, 4, 0, 0, 0]),
        count=np.array([2, 1, 0, 0, 0]),
        leaf=np.array([-1, -1, 0, 1, 2]),
        chance=np.ones(5),
    )
    assert Names(forest, ("", "deuce", "fold", "push", "fold")).paths == (
        "", "deuce", "fold", "push", "deuce/fold",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda names: names.node("raise/rasie"),
            "there is no node 'raise/rasie'; known: 'raise/fold', 'raise/",
        ),
        (lambda names: names.node("bet"), "there is no node 'bet'; known: 'check', 'raise'"),
        (lambda names: names.node(9), "there is no node 9; known: 0 to 8"),
        (lambda names: names.hand("A"), "there is no hand 'A'; known: J, Q, K"),
        (lambda names: names.hand(3), "there is no hand 3; known: J, Q, K"),
        (lambda names: names.hand(None), "there is no hand None; known: J, Q, K"),
    ],
)
def test_unknown_nodes_and_hands(ask, sentence):
    with pytest.raises(UnknownName, match=sentence):
        ask(sl.Kuhn().names)


def test_nobody_acts_at_a_leaf():
    policy = sl.uniform_policy(sl.Kuhn())
    with pytest.raises(
        BadValue, match="nobody acts at node 'check/check'; choose a node where a player acts"
    ):
        policy.at("check/check", hand="J")


@settings(max_examples=30, deadline=None)
@given(games(players=2), st.integers(0, 10**6))
def test_reach_is_the_product_of_own_probabilities(game, seed):
    policy, tree = random_policy(game, seed), game.tree
    for player in range(2):
        reach = policy.reach(player)
        for n in range(len(tree.parent)):
            product, above = np.ones(len(game.hands)), n
            while tree.parent[above] >= 0:
                if tree.player[tree.parent[above]] == player:
                    product *= policy.sigma[above]
                above = tree.parent[above]
            np.testing.assert_allclose(reach[n], product, rtol=1e-12)


def test_a_policy_frame_has_one_row_an_infoset_and_action():
    game = sl.Leduc()
    snap = sl.CFR(game, "DCFR").step(20)
    table = snap.policy.frame()
    assert list(table.columns) == COLUMNS
    decisions = game.tree.player >= 0
    assert len(table) == game.tree.count[decisions].sum() * 6
    together = table.groupby(["player", "node", "hand"])["probability"].sum()
    np.testing.assert_allclose(together, 1.0)
    row = table[(table.node == "raise") & (table.hand == "Qs") & (table.action == "raise")].iloc[0]
    assert row.player == "second" and row.reach == 1.0
    assert row.probability == snap.policy.at("raise", hand="Qs")["raise"]
    later = table[(table.node == "check/raise") & (table.hand == "Ks")].iloc[0]
    assert later.reach == pytest.approx(snap.policy.at("", hand="Ks")["check"])
    assert repr(snap.policy) == "Policy(465 nodes, 6 hands)" and "<table" in snap.policy._repr_html_()


def test_policies_that_are_none_are_refused():
    game = sl.Kuhn()
    sigma = sl.uniform_policy(game).sigma.copy()
    sigma[1] = 0.7
    with pytest.raises(BadValue, match="probabilities at node '' sum to 1.2; they must sum to 1"):
        check_policy(game.tree, 3, Policy(game.tree, game.names, sigma))
    with pytest.raises(BadValue, match="465 nodes and 6 hands but the game has 9 and 3"):
        check_policy(game.tree, 3, sl.uniform_policy(sl.Leduc()))


def test_a_snapshot_is_frozen_and_says_how_to_measure():
    snap = sl.CFR(sl.Kuhn()).step(3)
    with pytest.raises(ValueError, match="read-only"):
        snap.policy.sigma[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        snap.current.sigma[0] = 0.0
    with pytest.raises(AttributeError):
        snap.iteration = 4
    with pytest.raises(TypeError):
        snap.metrics["exploitability"] = 0.0
    with pytest.raises(NotMeasured, match=r"exploitability was not measured; call sl.exploitability\(game"):
        _ = snap.exploitability
    with pytest.raises(NotMeasured, match="not defined for 3 players; measure 'deviation_gains'"):
        _ = sl.CFR(sl.Kuhn(players=3)).step(1).exploitability


def test_a_snapshot_does_not_change_when_the_solver_goes_on():
    solver = sl.CFR(sl.Leduc(), "CFR+")
    snap = solver.step(10)
    before = snap.policy.sigma.copy(), snap.current.sigma.copy()
    solver.step(10)
    np.testing.assert_array_equal(snap.policy.sigma, before[0])
    np.testing.assert_array_equal(snap.current.sigma, before[1])
    assert snap.status.sentence == "Stepping." and solver.copy().snapshot().iteration == 20
