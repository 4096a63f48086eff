"""The order of poker hands: categories by name, and thousands of random hands against other evaluators."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand

import solverlab as sl
from solverlab.games.limit.rules import RANKS, SUITS
from solverlab.games.showdown import strength

DECK = [rank + suit for rank in RANKS for suit in SUITS]

# From the best to the worst, two of a category where a kicker or a rank decides.
LADDER = [
    "AsKsQsJsTs", "5h4h3h2hAh",  # straight flushes, the wheel lowest
    "9s9h9d9cAs", "9s9h9d9cKs",  # four of a kind
    "KsKhKd2s2h", "QsQhQdAsAh",  # full houses: the three decide
    "AsQsTs8s2s", "AsQsTs7s6s",  # flushes
    "AsKhQdJcTs", "5s4h3d2cAs",  # straights
    "7s7h7dAs2h", "7s7h7dKsQh",  # three of a kind
    "AsAh2s2hKd", "AsAh2s2hQd",  # two pairs
    "2s2hAsKhQd", "2s2hAsKhJd",  # one pair
    "AsKhQdJc9s", "AsKhQdJc8s",  # high card
]  # fmt: skip


def cards(text: str) -> list[tuple[int, int]]:
    return [(RANKS.index(text[i]), SUITS.index(text[i + 1])) for i in range(0, len(text), 2)]


def test_categories_stand_in_order():
    strengths = [strength(cards(hand), ace_low=True) for hand in LADDER]
    assert strengths == sorted(strengths, reverse=True) and len(set(strengths)) == len(LADDER)
    assert [hand[0] for hand in strengths[::2]] == list(range(8, -1, -1))


def test_suits_and_order_of_cards_do_not_matter():
    assert strength(cards("AsKhQdJc9s")) == strength(cards("9hJsAcQhKd"))
    assert strength(cards("2s2hAsKhQd")) == strength(cards("2d2cAhKsQc"))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_stand_in_the_order_of_another_evaluator(size):
    """Sorting by our strength is sorting by phevaluator's, whose best is the lowest number."""
    rng = np.random.default_rng(size)
    hands = [[DECK[c] for c in rng.choice(52, size, replace=False)] for _ in range(3000 // (size - 4) ** 2)]
    ours = [strength(cards("".join(hand)), ace_low=True) for hand in hands]
    theirs = [-evaluate_cards(*hand) for hand in hands]
    order = np.argsort(theirs, kind="stable")
    for one, other in zip(order[:-1], order[1:], strict=True):
        assert (ours[one] < ours[other]) == (theirs[one] < theirs[other])
        assert (ours[one] == ours[other]) == (theirs[one] == theirs[other])


@settings(deadline=None)
@given(st.permutations(range(52)).map(lambda deck: (deck[:5], deck[5:10])))
def test_two_hands_compare_as_in_pokerkit(pair):
    texts = ["".join(DECK[card] for card in hand) for hand in pair]
    ours, theirs = (
        [strength(cards(text), ace_low=True) for text in texts],
        [StandardHighHand(text) for text in texts],
    )
    assert (ours[0] < ours[1]) == (theirs[0] < theirs[1]) and (ours[0] == ours[1]) == (theirs[0] == theirs[1])


@settings(deadline=None)
@given(st.lists(st.sampled_from(range(52)), min_size=6, max_size=7, unique=True))
def test_more_than_five_cards_are_the_best_five(hand):
    held = [divmod(card, 4) for card in hand]
    assert strength(held, True) == max(strength(five, True) for five in combinations(held, 5))


def test_below_five_cards_straights_and_flushes_do_not_count():
    flush, pair, straight = cards("AsKsQsJs"), cards("2s2hAsKh"), cards("5s4h3d2c")
    assert strength(pair) > strength(flush) and strength(pair) > strength(straight)
    assert strength(cards("2s2h")) > strength(cards("AsKs"))
    assert strength(cards("2s2h3d3c")) > strength(cards("AsAhKdQc"))
    assert strength(cards("2s2h2d3c")) > strength(cards("AsAhKdKc"))
    assert strength(cards("As")) > strength(cards("Ks"))


def test_the_ace_is_low_only_in_a_deck_that_has_the_deuce():
    wheel = [(12, 0), (3, 1), (2, 2), (1, 3), (0, 0)]
    assert strength(wheel, ace_low=True)[0] == 4 and strength(wheel)[0] == 0


def test_five_card_games_know_straights_and_flushes():
    """A deck of six ranks and two suits, two cards in the hand and three on the board."""
    game = sl.LimitPoker(ranks="9TJQKA", suits=2, hole_cards=2, board_cards=(3,), max_raises=(0,))
    end = game.states[game.names.node("TsJsQs/check/check")]
    assert game.payoff(end, "KsAs", "ThJh") == (1.0, -1.0)  # royal flush over two pairs
    assert game.payoff(end, "9sKh", "ThJh") == (1.0, -1.0)  # straight over two pairs
    assert game.payoff(end, "KsAs", "9hKh") == (1.0, -1.0)  # over the straight
    assert game.payoff(end, "9hKh", "9sAs") == (-1.0, 1.0)  # a straight under a flush
    assert game.payoff(end, "9hKh", "9sKs")[0] == -1.0  # and under a straight flush
    assert game.payoff(end, "9sKh", "9hAh") == (1.0, -1.0)  # a straight over ace high
