"""The evaluators know every hand: class and category counts, another evaluator, and the laws of poker."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solverlab.cards.cards import parse_cards
from solverlab.cards.evaluate_high import (
    BIT,
    CATEGORIES,
    FLUSH_BITS,
    KEY,
    START,
    best_five,
    category,
    evaluate,
    flush_rank,
    plain_rank,
)
from solverlab.cards.evaluate_lowball import evaluate_lowball
from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel


def random_hands(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    return rng.random((n, 52)).argpartition(size, axis=1)[:, :size].astype(np.uint8)


def all_fives() -> np.ndarray:
    cards = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8)
    return cards.reshape(-1, 5)


@kernel
def _count_sevens(count):
    for a in range(52):
        for b in range(a):
            for c in range(b):
                key3 = START + KEY[a] + KEY[b] + KEY[c]
                for d in range(c):
                    for e in range(d):
                        key5 = key3 + KEY[d] + KEY[e]
                        bits = BIT[a] | BIT[b] | BIT[c] | BIT[d] | BIT[e]
                        for f in range(e):
                            for g in range(f):
                                key = key5 + KEY[f] + KEY[g]
                                if key & FLUSH_BITS:
                                    count[flush_rank(key, bits | BIT[f] | BIT[g])] += 1
                                else:
                                    count[plain_rank(key)] += 1


def test_all_seven_card_hands_fall_into_the_known_categories():
    count = np.zeros(7463, np.int64)
    _count_sevens(count)
    assert count.sum() == 133_784_560
    assert np.count_nonzero(count) == 4824
    expected = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
    assert np.bincount(category(np.arange(7463)), count).astype(int).tolist() == expected


def test_all_five_card_hands_high_and_low():
    fives = all_fives()
    high = np.bincount(evaluate(fives), minlength=7463)
    assert high[0] == 0 and np.count_nonzero(high) == 7462
    low = np.bincount(evaluate_lowball(fives), minlength=7463)
    assert low[0] == 0 and np.count_nonzero(low) == 7462
    assert low[7462] == 1020
    assert Counter(low[1:].tolist()) == {4: 1443, 24: 156, 64: 858, 144: 858, 384: 2860, 1020: 1287}


@pytest.mark.parametrize(("size", "n"), [(5, 200_000), (6, 200_000), (7, 600_000)])
def test_a_million_hands_agree_with_phevaluator(size, n):
    hands = random_hands(np.random.default_rng(size), n, size)
    theirs = [phevaluator.evaluate_cards(*hand) for hand in hands.tolist()]
    assert np.array_equal(evaluate(hands), 7463 - np.array(theirs))


@given(st.lists(st.integers(0, 51), unique=True, min_size=5, max_size=7), st.permutations(range(4)))
def test_renaming_suits_and_reordering_cards_change_nothing(hand, suits):
    renamed = [4 * (card // 4) + suits[card % 4] for card in hand]
    assert evaluate(hand) == evaluate(renamed) == evaluate(hand[::-1])


@given(st.lists(st.integers(0, 51), unique=True, min_size=6, max_size=7))
def test_a_hand_is_as_good_as_its_best_five(hand):
    assert evaluate(hand) == max(evaluate(five) for five in combinations(hand, 5))
    assert evaluate(best_five(hand)) == evaluate(hand)


def test_known_orders():
    ladder = ["7c5d4h3s2c", "AcKdQhJs9c", "2c2d3h4s5c", "2c2d3h3s4c", "2c2d2h3s4c", "Ac2d3h4s5c",
              "2c3d4h5s6c", "2c3c4c5c7c", "2c2d2h3s3c", "2c2d2h2s3c", "Ac2c3c4c5c", "AhKhQhJhTh"]  # fmt: skip
    ranks = [evaluate(hand) for hand in ladder]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)
    assert category(ranks[-1]) == "straight flush" and category(ranks[0]) == CATEGORIES[0]


def test_lowball_treats_the_wheel_as_ace_high():
    assert evaluate_lowball("Ac2d3h4s5c") > evaluate_lowball("Ac2d3h4s6c")
    assert evaluate_lowball("KcQdJh9s8c") > evaluate_lowball("Ac2d3h4s5c") > evaluate_lowball("2c2d3h4s5c")
    assert evaluate_lowball("2c3c4c5c7c") < evaluate_lowball("2c3d4h5s6c")


@pytest.mark.parametrize("function", [evaluate, evaluate_lowball])
@pytest.mark.parametrize(
    "bad", [[[0, 1, 2, 3, 3]], [[0, 1, 2, 3, 52]], [[0, 1, 2, 3, -1]], [[0, 1, 2, 3, 300]], [[0, 1, 2]]]
)
def test_no_batch_is_evaluated_wrongly(function, bad):
    with pytest.raises(BadValue):
        function(np.array(bad))


def test_scalar_errors():
    for wrong in ("AhKd", "AhAhKdQdJd"):
        with pytest.raises(BadValue):
            evaluate(wrong)
    with pytest.raises(BadValue, match="has 7"):
        evaluate_lowball("2c3d4h5s7c8d9h")
    assert evaluate(parse_cards("AhKhQhJhTh")) == 7462
