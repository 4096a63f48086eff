"""A forest for each stack: the same cards for all, asked by stack, position and holding."""

from __future__ import annotations

import numpy as np
import pytest
from store.sample_runs import same_state

import solverlab as sl
from solverlab.games.holdem.buckets import MadeHands
from solverlab.solvers import Rebalance, deals_at

SMALL = {"samples": 12, "sweeps": 2, "buckets": MadeHands(2), "rng": 4}


@pytest.fixture(scope="module")
def grown():
    """Three seats, two equal stacks and one table of different ones, grown until hands have decisions."""
    bankrolls = sl.Bankrolls([2, 30, (5, 30, 30)], players=3, **SMALL)
    bankrolls.step(8)
    return bankrolls


def test_stacks_are_keys(grown):
    assert grown.stacks == (2.0, 30.0, (5.0, 30.0, 30.0))
    assert grown.forest(30) is grown.forest([30, 30, 30]) is grown.forests[30.0]
    assert grown.forest((5, 30, 30)).game.rules.stacks == (5.0, 30.0, 30.0)
    assert repr(grown) == "Bankrolls(3-handed no-limit hold'em, 2, 30 and 5/30/30 big blinds)"


def test_each_is_the_forest_it_would_be_alone(grown):
    for stack, forest in grown.forests.items():
        settings = {name: value for name, value in SMALL.items() if name != "buckets"}
        alone = Rebalance(
            sl.Holdem(3, stack, buckets=SMALL["buckets"]), frontier=sl.MostReached(169), **settings
        )
        alone.advance(8)
        assert same_state(forest, alone)


def test_every_stack_is_dealt_the_same_cards():
    """Ranks stand for the cards; a tree that has seen a flop sorts its deals, so they are compared sorted."""
    seen = []
    bankrolls = sl.Bankrolls([3, 100], players=2, frontier=sl.Oldest(169), **SMALL)
    for _ in range(4):
        bankrolls.step(2)
        for root in (1, 100, 338):
            one, other = (deals_at(forest, root) for forest in bankrolls.forests.values())
            ranks = [
                np.sort(deals["rank"][0].astype(int) * 10_000 + deals["rank"][1]) for deals in (one, other)
            ]
            np.testing.assert_array_equal(*ranks)
            seen.append(ranks[0].tolist())
            if bankrolls.forest(3).ground.trees.streets == bankrolls.forest(100).ground.trees.streets:
                np.testing.assert_array_equal(one["info"], other["info"])
    assert len(set(map(tuple, seen))) == len(seen)  # other cards for each tree and epoch


def test_a_generator_is_one_seed_for_all():
    rng = np.random.default_rng(8)
    seeds = {f.seed for f in sl.Bankrolls([5, 6, 7], players=2, rng=rng, samples=2).forests.values()}
    assert len(seeds) == 1


def test_a_tree_tells_what_its_forest_knows(grown):
    for stack, forest in grown.forests.items():
        snap, found = forest.snapshot(), 0
        for position in forest.game.seats:
            for hand in ("AA", "T9s", "72o"):
                tree = grown.tree(stack, position, hand)
                root = forest.ground.forest.root(forest.game.seats.index(position), forest.game.hand(hand))
                assert (tree.stack, tree.position, tree.hand) == (stack, position, hand)
                assert tree.nodes == (forest.ground.trees.nodes.tree == root - 1).sum()
                assert (tree.ev, tree.error) == (
                    forest.ground.node_ev()[root],
                    forest.ground.node_error()[root],
                )
                if tree.decision is not None:
                    found += 1
                    assert tree.strategy == pytest.approx(snap.current.at(tree.decision, hand=hand))
        assert found > 2


def test_the_first_decision_is_where_the_others_did_least(grown):
    assert grown.tree(30, "button", "AA").decision == ""
    assert grown.tree(30, "small blind", "AA").decision == "fold"  # not "call"
    assert grown.tree(30, "big blind", "AA").decision in ("fold/call", None)


def test_before_anything_there_is_nothing_but_cards():
    bankrolls = sl.Bankrolls([10], players=2, samples=5)
    tree = bankrolls.tree(10.0, 0, "AKs")
    assert (tree.position, tree.nodes, tree.decision, tree.strategy) == ("button", 1, None, {})
    assert np.isnan(tree.ev) and np.isnan(tree.error)
    assert list(bankrolls.frame().columns) == [
        "stack",
        "position",
        "hand",
        "nodes",
        "ev",
        "error",
        "decision",
    ]


def test_the_table_has_every_tree_and_a_column_an_action(grown):
    table = grown.frame()
    assert len(table) == 3 * 3 * 169
    assert table.groupby(table["stack"].map(str))["nodes"].sum().to_dict() == {
        str(stack): len(forest.ground.forest) for stack, forest in grown.forests.items()
    }
    actions = list(table.columns[7:])
    assert {"fold", "call", "raise 100%", "all-in"} <= set(actions)
    decided = table["decision"].notna()
    assert decided.any() and not decided.all()
    np.testing.assert_allclose(table.loc[decided, actions].sum(axis=1), 1.0)
    assert table.loc[~decided, actions].isna().all(axis=None)
    short = table[(table["stack"] == 2.0) & decided]
    assert short["raise 100%"].isna().all()  # two big blinds have nothing between a call and all-in
    for row in table.iloc[[0, 300, 700, -1]].itertuples():
        tree = grown.tree(row.stack, row.position, row.hand)
        assert (tree.nodes, tree.ev, tree.error) == (row.nodes, row.ev, row.error)
        assert tree.decision == (row.decision if isinstance(row.decision, str) else None)


def test_a_step_shows_every_stack():
    bankrolls = sl.Bankrolls([4, 8], players=2, samples=4, sweeps=1)
    shown = bankrolls.step(3)
    assert {stack: (snap.iteration, snap.metrics["epoch"]) for stack, snap in shown.items()} == {
        4.0: (3, 3),
        8.0: (3, 3),
    }
    assert len(shown[4.0].events) == 3 * 2 * 169


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: sl.Bankrolls([]), "there are no stacks; give at least one"),
        (lambda: sl.Bankrolls(20), r"20 is no list of stacks; write \[20\]"),
        (lambda: sl.Bankrolls("20"), "is no list of stacks"),
        (lambda: sl.Bankrolls([10, 20, 10.0]), "the stack 10 is there twice; give every stack once"),
        (lambda: sl.Bankrolls([10, (10, 10)], players=2), "the stack 10 is there twice"),
        (lambda: sl.Bankrolls([(5, 9), (5, 9)], players=2), "the stack 5/9 is there twice"),
        (lambda: sl.Bankrolls([10, -3]), "a stack of -3 cannot play"),
        (lambda: sl.Bankrolls([10, 1]), "leave nobody to bet against"),
        (lambda: sl.Bankrolls([(10, 20)]), "2 stacks for 6 players"),
        (lambda: sl.Bankrolls(["deep"]), "a stack of 'deep' is not an amount"),
        (lambda: sl.Bankrolls([10], speed=3), "there is no setting 'speed'; known: allin"),
        (lambda: sl.Bankrolls([10], samples=0), "deals a tree is 0"),
        (lambda: sl.Bankrolls([10], frontier=3), "3 is no frontier rule"),
        (
            lambda: sl.Bankrolls([10, 20], samples=40_000),
            "2 forests share 3.2 GB, and 40,000 deals for each of 1,014 trees take 2.4 GB; use at most "
            "26,472 deals, or 169 classes, or fewer stacks",
        ),
        (lambda: sl.Bankrolls([10, 20], samples=4).tree(15, 0, 0), "there is no stack 15; known: 10, 20"),
        (lambda: sl.Bankrolls([10], samples=4).tree("x", 0, 0), "there is no stack 'x'; known: 10"),
        (lambda: sl.Bankrolls([10], samples=4).tree(10, "dealer", 0), "there is no position 'dealer'; known"),
        (lambda: sl.Bankrolls([10], samples=4).tree(10, 6, 0), "there is no position 6"),
        (lambda: sl.Bankrolls([10], samples=4).tree(10, 0, "AKx"), "there is no holding 'AKx'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_sentence(ask, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        ask()


def test_together_they_have_the_nodes_of_one():
    shares = {f.ground.forest.most for f in sl.Bankrolls([5, 6, 7, 8], players=2, samples=2).forests.values()}
    assert shares == {5_000_000}
