"""The 2-to-7 ranking is pokerkit's: every class, in the same order, and every hand in its class."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from pokerkit import StandardLowHand

import solverlab as sl
from solverlab.cards.cards import parse_cards

TEXT = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
TEXT_OF = {int(parse_cards(text)[0]): text for text in TEXT}


def every_hand() -> np.ndarray:
    return np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8).reshape(-1, 5)


def shape(hands: np.ndarray) -> np.ndarray:
    """What a hand is worth can depend on: its ranks, and whether all suits are equal."""
    ranks = np.sort(hands // 4, axis=1).astype(np.int64)
    flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
    return ranks @ 13 ** np.arange(5) * 2 + flush


def test_all_hands_fall_into_pokerkits_classes_in_pokerkits_order():
    hands = every_hand()
    classes = np.asarray(sl.evaluate_lowball(hands)).astype(int)
    shapes, first, which = np.unique(shape(hands), return_index=True, return_inverse=True)
    assert len(hands) == 2_598_960 and len(shapes) == 7_462
    assert np.array_equal(classes, classes[first][which]), "hands of one shape share a class"
    assert sorted(classes[first]) == list(range(1, 7_463)), "and hands of different shapes do not"
    by_class = hands[first[np.argsort(classes[first])]]
    theirs = [StandardLowHand("".join(TEXT_OF[card] for card in hand)) for hand in by_class.tolist()]
    assert all(worse < better for worse, better in zip(theirs, theirs[1:], strict=False))
