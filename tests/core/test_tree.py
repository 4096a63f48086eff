"""Trees keep their two invariants, however they are made, and node ids are for ever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.tree import (
    CHANCE,
    LEAF,
    Choice,
    Tree,
    append,
    chance_reach,
    check_tree,
    depths,
    grow,
    leaf_nodes,
    n_leaves,
)

# One expansion: which of the present leaves, who acts there, how many children.
EXPANSIONS = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(CHANCE, 2), st.integers(1, 4)), max_size=25
)


def seedling() -> Tree:
    return grow("", lambda state: None)[0]


def expand(tree: Tree, which: int, player: int, children: int) -> tuple[int, Tree]:
    node = int(leaf_nodes(tree)[which % n_leaves(tree)])
    chance = np.arange(1, children + 1) / (children * (children + 1) / 2) if player == CHANCE else None
    return node, append(tree, node, player, children, chance)


@settings(deadline=None)
@given(EXPANSIONS)
def test_growth_keeps_ids_and_invariants(expansions):
    tree = seedling()
    for expansion in expansions:
        node, grown = expand(tree, *expansion)
        old = len(tree.parent)
        kept = np.arange(old) != node
        for before, after in zip(tree, grown, strict=True):
            np.testing.assert_array_equal(before[kept], after[:old][kept])
        assert grown.parent[node] == tree.parent[node] and grown.chance[node] == tree.chance[node]
        assert (grown.player[node], grown.count[node]) == expansion[1:]
        assert set(grown.parent[old:]) == {node} and set(grown.player[old:]) == {LEAF}
        check_tree(grown)
        assert sorted(grown.leaf[grown.leaf >= 0]) == list(range(n_leaves(grown)))
        tree = grown


@settings(deadline=None)
@given(EXPANSIONS)
def test_depth_and_chance_follow_the_path(expansions):
    tree = seedling()
    for expansion in expansions:
        _, tree = expand(tree, *expansion)
    for n in range(len(tree.parent)):
        path = [n]
        while tree.parent[path[-1]] >= 0:
            path.append(int(tree.parent[path[-1]]))
        assert depths(tree)[n] == len(path) - 1
        assert chance_reach(tree)[n] == pytest.approx(np.prod(tree.chance[path]))
    at_leaves = chance_reach(tree)[leaf_nodes(tree)]
    if not (tree.player >= 0).any():
        assert at_leaves.sum() == pytest.approx(1.0)


@settings(deadline=None)
@given(st.recursive(st.none(), lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=20))
def test_a_grown_tree_is_the_rules(rules):
    """Nested lists as rules: node by node the tree holds what they hold, siblings side by side."""
    tree, states, labels = grow(
        rules, lambda state: Choice(0, {str(i): below for i, below in enumerate(state)}) if state else None
    )
    check_tree(tree)
    for n, state in enumerate(states):
        below = state or []
        assert tree.count[n] == len(below)
        assert states[tree.first[n] : tree.first[n] + tree.count[n]] == below
        assert labels[tree.first[n] : tree.first[n] + tree.count[n]] == [str(i) for i in range(len(below))]


def damaged(**columns) -> Tree:
    """Matching pennies' tree with some columns replaced."""
    return sl.MatchingPennies().tree._replace(**columns)


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        (damaged(parent=np.array([-1, 2, 0, 1, 1, 2, 2])), "a node stands before its parent"),
        (damaged(parent=np.array([-1, 0, 0, 1, 2, 1, 2])), "children of node 1 are not contiguous"),
        (damaged(leaf=np.array([-1, -1, 0, 1, 2, 3, 4])), "leaf numbers and leaf nodes disagree"),
    ],
)
def test_a_damaged_tree_is_refused(tree, sentence):
    with pytest.raises(BadValue, match=sentence):
        check_tree(tree)


def test_only_leaves_can_be_expanded():
    tree = sl.Kuhn().tree
    with pytest.raises(BadValue, match="node 0 is not a leaf, so it cannot be expanded; choose a leaf"):
        append(tree, 0, player=0, children=2)
    with pytest.raises(BadValue, match="node 99 is not a leaf"):
        append(tree, 99, player=0, children=2)
    with pytest.raises(BadValue, match="0 children is not an expansion"):
        append(tree, int(leaf_nodes(tree)[0]), player=0, children=0)


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (Choice(0, {}), "offers no action; return None where the game ends"),
        (Choice(CHANCE, {"a": 1, "b": 2}, (0.5, 0.4)), "must be at least 0 and sum to 1"),
        (Choice(CHANCE, {"a": 1, "b": 2}, (1.5, -0.5)), "must be at least 0 and sum to 1"),
        (Choice(CHANCE, {"a": 1, "b": 2}, (float("nan"), 1.0)), "must be at least 0 and sum to 1"),
        (Choice(CHANCE, {"a": 1, "b": 2}, (1.0,)), "1 probabilities for 2 outcomes; give one each"),
    ],
)
def test_impossible_choices_are_refused(choice, sentence):
    with pytest.raises(BadValue, match=sentence):
        grow("", {"": choice}.get)


def test_endless_rules_are_stopped():
    with pytest.raises(TooLarge, match="more than 1,000 nodes; use fewer cards, rounds or raises"):
        grow(0, lambda depth: Choice(0, {"left": depth + 1, "right": depth + 1}), most=1000)


@pytest.mark.parametrize("make", [sl.Kuhn, sl.Leduc, sl.MatchingPennies, sl.RockPaperScissors])
def test_the_games_of_the_house_have_such_trees(make):
    check_tree(make().tree)
