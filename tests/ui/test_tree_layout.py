"""The drawn tree is tidy, compact and true: laws on random trees, and a slow twin of the fast layout."""

from __future__ import annotations

import json
import xml.etree.ElementTree as XML
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui.tree_samples import everything, leduc, random_policy, random_tree

from solverlab.core.tree import Tree, check_tree
from solverlab.views import tree_fold, tree_svg
from solverlab.views.tree_layout import (
    COUSIN_GAP,
    SIBLING_GAP,
    layout,
    repaint,
    same_outline,
    visible_tree,
)

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def opened_trees(draw):
    """A random tree and a random set of expanded nodes."""
    tree, names = random_tree(draw(st.integers(1, 60)), draw(st.integers(0, 10_000)))
    inner = sorted(everything(tree))
    keep = draw(st.lists(st.booleans(), min_size=len(inner), max_size=len(inner)))
    return tree, names, {n for n, kept in zip(inner, keep, strict=True) if kept}


def placed(tree: Tree, expanded: set[int]) -> tuple[np.ndarray, np.ndarray]:
    return layout(tree.parent, tree.first, tree.count, expanded)


def children(tree: Tree, n: int) -> range:
    return range(tree.first[n], tree.first[n] + tree.count[n])


def naive(tree: Tree, expanded: set[int], n: int = 0, column: int = 0) -> list[tuple[int, int, float, float]]:
    """All marks of the subtree at n as (node, column, row, slack), n itself at row 0; compares every pair."""
    kids = children(tree, n) if n in expanded else ()
    if not kids:
        return [(n, column, 0.0, 0.0), (-1, column + 1, 0.0, COUSIN_GAP - SIBLING_GAP)]
    marks, rows = [], []
    for kid in kids:
        own = naive(tree, expanded, kid, column + 1)
        pairs = [(a, b) for a in marks for b in own if a[1] == b[1]]
        gaps = [
            a[2] - a[3] - b[2] - b[3] + (SIBLING_GAP if a[1] == column + 1 else COUSIN_GAP) for a, b in pairs
        ]
        rows.append(max(gaps, default=0.0))
        marks += [(node, at, row + rows[-1], slack) for node, at, row, slack in own]
    middle = (rows[0] + rows[-1]) / 2
    return [(n, column, 0.0, 0.0)] + [(node, at, row - middle, slack) for node, at, row, slack in marks]


def test_the_sample_has_leducs_size():
    tree, _ = leduc()
    check_tree(tree)
    assert len(tree.parent) == 465


@given(opened_trees())
def test_the_layout_equals_its_naive_twin(drawn):
    tree, _, expanded = drawn
    x, y = placed(tree, expanded)
    marks = {node: (column, row) for node, column, row, _ in naive(tree, expanded) if node >= 0}
    top = min(row for _, row in marks.values())
    assert {n: x[n] for n in marks} == {n: column for n, (column, _) in marks.items()}
    assert [y[n] for n in marks] == pytest.approx([row - top for _, row in marks.values()], abs=1e-5)


@given(opened_trees())
def test_visible_are_the_nodes_whose_ancestors_are_all_expanded(drawn):
    tree, _, expanded = drawn
    x, y = placed(tree, expanded)
    for n in range(1, len(tree.parent)):
        above = tree.parent[n]
        assert np.isfinite(x[n]) == (np.isfinite(x[above]) and above in expanded)
    assert (np.isfinite(x) == np.isfinite(y)).all()
    assert (
        sorted(tree_fold.visible(tree.parent, tree.first, tree.count, expanded))
        == np.flatnonzero(np.isfinite(x)).tolist()
    )


@given(opened_trees())
def test_parents_stand_midway_and_neighbours_keep_their_distance(drawn):
    tree, _, expanded = drawn
    x, y = placed(tree, expanded)
    for n in np.flatnonzero(np.isfinite(x)):
        if n in expanded:
            kids = children(tree, n)
            assert y[n] == pytest.approx((y[kids[0]] + y[kids[-1]]) / 2, abs=1e-5)
    for column in np.unique(x[np.isfinite(x)]):
        rows = [
            y[n] for n in tree_fold.visible(tree.parent, tree.first, tree.count, expanded) if x[n] == column
        ]
        assert (np.diff(rows) >= SIBLING_GAP - 1e-5).all()  # in reading order, and one row apart at least
    assert np.nanmin(y) == 0


def test_the_layout_is_compact():
    """Never taller than a row a tip, and shorter where a deep branch leaves room above a shallow one."""
    tree, _ = leduc()
    _, y = placed(tree, everything(tree))
    tips = int((tree.count == 0).sum())
    assert np.nanmax(y) < 1.3 * tips
    deep = Tree(
        *np.array([[-1, 0, 0, 2, 3, 3, 3], [0] * 7, [1, 0, 3, 4, 0, 0, 0], [2, 0, 1, 3, 0, 0, 0]]), None, None
    )
    _, y = placed(deep, {0, 2, 3})
    assert np.nanmax(y) == pytest.approx(2.0)  # the shallow leaf stands beside the fan, not above it


def test_deep_and_wide_trees_are_laid_out():
    chain = np.arange(-1, 4_999)
    x, y = layout(chain, np.arange(1, 5_001), np.r_[np.ones(4_999, int), 0], set(range(4_999)))
    assert x[-1] == 4_999 and (y == 0).all()
    x, y = layout(
        np.r_[-1, np.zeros(3_000, int)], np.r_[1, np.zeros(3_000, int)], np.r_[3_000, [0] * 3_000], {0}
    )
    assert y[1:].tolist() == list(range(3_000))


def test_a_forest_stacks_its_roots():
    x, y = layout(np.array([-1, -1, 1, 1]), np.array([0, 2, 0, 0]), np.array([0, 2, 0, 0]), {1})
    assert x.tolist() == [0, 0, 1, 1]
    assert y[0] < y[1] and y[2] < y[1] < y[3] and y[2] - y[0] >= SIBLING_GAP


@given(opened_trees())
def test_descendants_are_counted(drawn):
    tree, _, _ = drawn
    below = np.zeros(len(tree.parent), int)
    for n in range(1, len(tree.parent)):
        above = n
        while (above := tree.parent[above]) >= 0:
            below[above] += 1
    assert tree_fold.descendants(tree).tolist() == below.tolist()


@given(opened_trees())
def test_the_hidden_and_the_visible_make_the_whole_tree(drawn):
    tree, names, expanded = drawn
    nodes = visible_tree(tree, names, None, 0, expanded)
    assert len(nodes["id"]) + sum(nodes["n_hidden"]) == len(tree.parent)


@given(opened_trees(), st.integers(0, 59))
def test_opening_and_closing(drawn, at):
    tree, _, expanded = drawn
    node = at % len(tree.parent)
    twice = tree_fold.toggle(tree, tree_fold.toggle(tree, expanded, node), node)
    assert twice == expanded
    assert node in tree_fold.visible(
        tree.parent, tree.first, tree.count, tree_fold.open_path(tree, expanded, node)
    )
    seen = tree_fold.shown(tree, expanded, node)
    assert seen in tree_fold.visible(tree.parent, tree.first, tree.count, expanded)
    opened = tree_fold.toggle(tree, expanded - {0}, 0, deep=True)
    assert opened == everything(tree)
    assert tree_fold.toggle(tree, opened | {0}, 0, deep=True) == set() or len(tree.parent) == 1


def test_a_first_picture_has_room():
    tree, _ = leduc()
    opened = tree_fold.open_some(tree, at_most=40)
    shown = tree_fold.visible(tree.parent, tree.first, tree.count, opened)
    assert 30 < len(shown) <= 40


def test_what_stands_beside_a_node():
    tree, names = leduc()
    sigma = random_policy(tree, hands=6, seed=1)
    payoffs = [f"{leaf:+d}" for leaf in range(tree.leaf.max() + 1)]
    nodes = visible_tree(tree, names, sigma, 4, {0, 2}, selected=50, payoffs=payoffs)
    assert nodes["id"] == [0, 1, 2, 5, 6, 7]
    assert nodes["parent"] == [-1, 0, 0, 2, 2, 2]
    assert nodes["label"] == ["", "check", "raise", "fold", "call", "raise"]
    assert nodes["kind"] == ["player 0", "player 1", "player 1", "leaf", "chance", "player 0"]
    assert nodes["probability"][0] is None
    assert nodes["probability"][1:3] == np.round(sigma[[1, 2], 4], 4).tolist()
    assert nodes["reach"][3] == pytest.approx(sigma[2, 4] * sigma[5, 4], abs=1e-4)
    assert nodes["payoff"][3] == payoffs[tree.leaf[5]] and nodes["payoff"][4] == ""
    assert nodes["n_hidden"] == [
        0,
        *tree_fold.descendants(tree)[[1]],
        0,
        0,
        *tree_fold.descendants(tree)[[6, 7]],
    ]
    assert nodes["tooltip"][0] == "the start\nfirst to act"
    assert nodes["tooltip"][3] == f"raise › fold\nthe end: {payoffs[tree.leaf[5]]}"
    assert nodes["selected"] == [tree_fold.shown(tree, {0, 2}, 50)]
    assert json.loads(json.dumps(nodes)) == nodes


def test_chance_shows_its_probability_only_where_the_tree_knows_it():
    tree, names = leduc()
    chance = int(np.flatnonzero(tree.player == -1)[0])
    opened = tree_fold.open_path(tree, {chance}, chance)
    nodes = visible_tree(tree, names, random_policy(tree, 1, 0), 0, opened)
    dealt = [i for i, above in enumerate(nodes["parent"]) if above == chance]
    assert [nodes["probability"][i] for i in dealt] == [None] * 6
    odds = tree.chance.copy()
    odds[list(children(tree, chance))] = [0.1, 0.1, 0.2, 0.2, 0.2, 0.2]
    known = visible_tree(tree._replace(chance=odds), names, random_policy(tree, 1, 0), 0, opened)
    assert [known["probability"][i] for i in dealt] == [0.1, 0.1, 0.2, 0.2, 0.2, 0.2]


def test_given_reach_sets_the_widths():
    tree, names = leduc()
    reach = np.linspace(1, 0, len(tree.parent))
    nodes = visible_tree(tree, names, random_policy(tree, 2, 0), 1, {0}, reach=reach)
    assert nodes["reach"] == np.round(reach[:3], 4).tolist()


def test_repainting_changes_numbers_alone():
    tree, names = leduc()
    before = visible_tree(tree, names, random_policy(tree, 2, 0), 1, everything(tree), 0)
    after = repaint(before, tree, random_policy(tree, 2, 5), 1)
    assert same_outline(before, after) and before["probability"] != after["probability"]
    assert after == visible_tree(tree, names, random_policy(tree, 2, 5), 1, everything(tree), 0)
    assert not same_outline(before, visible_tree(tree, names, None, 1, {0}, 0))
    assert not same_outline({}, before)


def test_columns_are_wide_enough_for_labels_and_payoffs():
    tree, names = leduc()
    long = SimpleNamespace(actions=[f"{a} to 123 chips" for a in names.actions], players=names.players)
    payoffs = ["-123.5 for the first"] * (tree.leaf.max() + 1)
    nodes = visible_tree(tree, long, random_policy(tree, 1, 0), 0, everything(tree), payoffs=payoffs)
    at = {n: i for i, n in enumerate(nodes["id"])}
    for i, above in enumerate(nodes["parent"]):
        if above >= 0:
            assert nodes["x"][i] - nodes["x"][at[above]] >= 44 + 7 * len(nodes["label"][i] + " 0.00")
    cut = visible_tree(tree, SimpleNamespace(actions=["x" * 80] * 465, players=names.players), None, 0, {0})
    assert max(len(label) for label in cut["label"]) == 22


def test_the_still_picture_is_well_formed_and_complete():
    tree, names = leduc()
    odd = SimpleNamespace(actions=[f'<{a}> & "so"' for a in names.actions], players=("A<B", "C&D"))
    nodes = visible_tree(tree, odd, random_policy(tree, 1, 0), 0, everything(tree), selected=9)
    picture = XML.fromstring(tree_svg.svg(nodes))
    paths = [p for p in picture.iter(f"{SVG}path") if p.get("fill") == "none"]
    marked = [p for p in paths if p.get("stroke") == tree_svg.LIGHT["halo"]]
    assert len(paths) - len(marked) == len(nodes["id"]) - 1
    assert len(marked) == len(tree_svg.path(nodes, 9)) - 1 > 0
    assert len(list(picture.iter(f"{SVG}title"))) == len(nodes["id"])
    words = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert "A<B" in words and any(word.startswith('<check> & "so" 0.') for word in words)
