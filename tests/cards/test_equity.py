"""Equity equals brute force, the all-in matrix equals equity, and suits do not matter."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from cards.deals import random_deals
from hypothesis import given, settings
from hypothesis import strategies as st

from solverlab.cards.all_in import AllIn, all_in_matrix
from solverlab.cards.cards import COMBOS, cards_text, parse_cards
from solverlab.cards.equity import equity
from solverlab.cards.evaluate_high import evaluate
from solverlab.cards.hand_classes import class_number
from solverlab.cards.ranges import Range
from solverlab.cards.showdown import wins_and_ties
from solverlab.core.errors import BadValue
from solverlab.naive.suits import rename


def naive_equity(first: np.ndarray, second: np.ndarray, board: list[int]) -> tuple[float, float, float]:
    """Won, tied and lost mass by comparing every pair of hands on every runout."""
    left = [card for card in range(52) if card not in board]
    result = np.zeros(3)
    for runout in combinations(left, 5 - len(board)):
        full = [*board, *runout]
        free = ~np.isin(COMBOS, full).any(axis=1)
        mine, theirs = np.flatnonzero(free & (first > 0)), np.flatnonzero(free & (second > 0))
        if len(mine) and len(theirs):
            rank = [
                evaluate(np.column_stack([COMBOS[h], np.tile(full, (len(h), 1))])) for h in (mine, theirs)
            ]
            shared = (COMBOS[mine][:, None, :, None] == COMBOS[theirs][None, :, None, :]).any(axis=(2, 3))
            weight = np.where(shared, 0, first[mine][:, None] * second[theirs])
            order = np.sign(rank[0][:, None].astype(int) - rank[1].astype(int))
            result += [weight[order == sign].sum() for sign in (1, 0, -1)]
    return tuple(result)


@pytest.mark.parametrize(
    ("a", "b", "board"),
    [
        ("AhKh", "QdQc", "Td9d6h"),
        ("AhKh", "66+, AJs+", "Td9d6h2c"),
        ("22+, A2s+:0.25, KhQh:0.5", "random", "2h7h9hJsKc"),
        ("random", "22+, KTo+", "2h7h9hTh"),
        ("random", "random", "2h7h9hThJh"),
        ("88+, AhTh:0.125", "88+, QTs+, AhTh", "8d8h2c"),
    ],
)
def test_equity_equals_brute_force(a, b, board):
    won, tied, lost = naive_equity(Range(a).weight, Range(b).weight, list(parse_cards(board)))
    found, total = equity(a, b, board), won + tied + lost
    assert (found.win, found.tie, found.lose) == pytest.approx((won / total, tied / total, lost / total))
    assert found == pytest.approx((won + tied / 2) / total) and found.weight == pytest.approx(total)


@settings(max_examples=15)
@given(st.lists(st.integers(0, 51), unique=True, min_size=7, max_size=7), st.permutations(range(4)))
def test_renaming_suits_changes_nothing(deal, suits):
    renamed = rename(deal, suits)
    assert equity(deal[:2], deal[2:4], deal[4:]) == equity(renamed[:2], renamed[2:4], renamed[4:])
    assert equity(deal[:2], deal[2:4], deal[4:]) + equity(deal[2:4], deal[:2], deal[4:]) == pytest.approx(1)


def test_wins_and_ties_on_random_boards():
    for board in (board for size in (3, 4, 5) for board in random_deals(size, 4, size).tolist()):
        wins, ties = wins_and_ties(board)
        free = np.flatnonzero(~np.isin(COMBOS, board).any(axis=1))
        rank = evaluate(np.column_stack([COMBOS[free], np.tile(board, (len(free), 1))])).astype(int)
        apart = ~(COMBOS[free][:, None, :, None] == COMBOS[free][None, :, None, :]).any(axis=(2, 3))
        assert np.array_equal(wins[free], ((rank[:, None] > rank) & apart).sum(axis=1))
        assert np.array_equal(ties[free], ((rank[:, None] == rank) & apart).sum(axis=1))
        assert wins.sum() == wins[free].sum() and ties.sum() == ties[free].sum()


def test_known_preflop_equities():
    assert equity("AhAs", "KdKc") == pytest.approx(0.812555, abs=1e-6)
    assert equity("AhAs", "KhKs").tie == pytest.approx(equity("KhKs", "AhAs").tie)
    assert equity("AhKh", "QdQc").weight == 1_712_304


@pytest.fixture(scope="module")
def matrix() -> AllIn:
    return all_in_matrix()


def test_the_matrix_equals_equity(matrix):
    for a, b in (("AA", "KK"), ("AKs", "AKs"), ("72o", "AKo"), ("22", "JTs"), ("22", "22")):
        i, j = class_number(a), class_number(b)
        found = equity(a, b)
        assert matrix.equity[i, j] == pytest.approx(float(found), abs=1e-12)
        assert matrix.win[i, j] == round(found.win * found.weight) and matrix.weight[i, j] == found.weight


def test_the_matrix_is_whole(matrix):
    assert (matrix.tie >= 0).all() and np.array_equal(matrix.tie, matrix.tie.T)
    assert np.array_equal(matrix.win + matrix.win.T + matrix.tie, matrix.weight)
    assert matrix.pairs.sum() == 1326 * 1225
    aces = class_number("AA")
    assert matrix.pairs[aces, aces] == 6


@pytest.mark.parametrize(
    ("a", "b", "board", "words"),
    [
        ("AhKh", "AhQd", "", "share a card"),
        ("AhKh", "", "", "no hand"),
        ("AhKh", "22", "AhTd9d", "no hand of 'AhKh'"),
        ("AhKh", "22", "Td9d", "2 cards"),
        ("AhK", "22", "", "position 1"),
    ],
)
def test_impossible_meetings_are_refused(a, b, board, words):
    with pytest.raises(BadValue, match=words):
        equity(a, b, board)


def test_hands_may_be_integers():
    assert equity([50, 46], "QdQc", "Td9d6h") == equity("AhKh", "QdQc", "Td9d6h")
    assert cards_text([50, 46]) == "AhKh"
