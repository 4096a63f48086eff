"""Hands and kept sets of draw games: counts, names, and the same class whatever the suits are called."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from solverlab.cards.evaluate_lowball import evaluate_lowball
from solverlab.cards.isomorphism import PERMS
from solverlab.cards.lowball_sets import class_of, lowball_sets, rank_order
from solverlab.core.errors import BadValue


def named(sets, cards):
    places = np.empty(len(cards), np.int64)
    number = int(class_of(np.asarray(cards, np.int64), sets.number, sets.renaming, places))
    return number, places


def test_the_real_deck_has_its_known_sizes():
    sets = lowball_sets()
    assert np.diff(sets.start).tolist() == [1, 13, 169, 1755, 16432, 134459]
    assert sets.strength.max() + 1 == 7462
    assert sets.weight.sum() == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(evaluate_lowball(sets.hands)[np.argsort(sets.strength)].astype(int)) >= 0).all()


@pytest.mark.parametrize(("cards", "hands"), [(1, 13), (2, 91), (3, 455), (4, 1820), (5, 6175)])
def test_without_suits_hands_are_multisets_of_ranks(cards, hands):
    sets = lowball_sets(cards, suits=False)
    assert len(sets.hands) == hands
    assert sets.weight.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    "deck", [{"cards": 2, "ranks": 4, "per_rank": 3, "suits": False}, {"cards": 5, "ranks": 7, "per_rank": 3}]
)
def test_every_set_has_as_many_wider_ones_as_cards_are_left(deck):
    sets = lowball_sets(**deck)
    sizes = np.repeat(np.arange(sets.cards), np.diff(sets.start)[:-1])
    assert (sets.ways.sum(axis=1) == len(sets.deck) - sizes).all()


def test_a_small_deck_counts_its_own_hands():
    sets = lowball_sets(5, ranks="2345679", per_rank=3)
    number = [named(sets, hand)[0] for hand in combinations(sets.deck.tolist(), 5)]
    share = np.bincount(number, minlength=len(sets.hands)) / comb(21, 5)
    assert np.allclose(share, sets.weight, atol=1e-15)


def test_renaming_suits_changes_neither_class_nor_the_rank_at_a_place():
    sets, rng = lowball_sets(), np.random.default_rng(4)
    for _ in range(200):
        hand = rng.permutation(52)[:5]
        number, places = named(sets, hand)
        assert sorted(places.tolist()) == [0, 1, 2, 3, 4]
        assert (sets.hands[number][places] >> 2 == hand >> 2).all()
        other = rng.permutation(hand // 4 * 4 + PERMS[rng.integers(24)][hand % 4])
        assert named(sets, other)[0] == number


def test_subsets_are_those_of_the_hand():
    sets = lowball_sets(3, ranks=6, per_rank=2, suits=False)
    pairs = {tuple(hand >> 2): row for row, hand in enumerate(lowball_sets(2, 6, 2, suits=False).hands)}
    for h, hand in enumerate(sets.hands):
        for mask in (0b011, 0b101, 0b110):
            kept = tuple(card >> 2 for k, card in enumerate(hand) if mask >> k & 1)
            assert sets.subset[h, mask] == sets.start[2] + pairs[kept]


def test_ranks_alone_order_hands_as_lowball_does_without_straights():
    def order(text):
        return rank_order(np.array([["23456789TJQKA".index(c) * 4 for c in hand] for hand in text.split()]))

    best_first = order("23457 23456 2345A 22345 AA234 22334 22234 22233 22223")
    expected = order("23456 23457 2345A 22345 AA234 22334 22234 22233 22223")
    assert (np.diff(expected) < 0).all()
    assert best_first[0] < best_first[1]


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        ({"cards": 6}, "1 to 5"),
        ({"cards": 4}, "suits=False"),
        ({"cards": 5, "ranks": 4}, "need 20 cards"),
        ({"cards": 5, "per_rank": 5}, "1 to 4"),
        ({"cards": 1, "suits": False, "ranks": "22"}, "different ranks"),
        ({"cards": 1, "suits": False, "ranks": 14}, "1 to 13"),
    ],
)
def test_impossible_decks_are_refused_in_one_sentence(deck, words):
    with pytest.raises(BadValue, match=words):
        lowball_sets(**deck)
