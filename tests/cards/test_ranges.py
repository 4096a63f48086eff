"""Ranges read as players write them, and the error says where it went wrong."""

from __future__ import annotations

import numpy as np
import pytest

from solverlab.cards.cards import COMBOS, RANKS
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE, HAND_CLASS, class_number, grid_place
from solverlab.cards.indexing import index_hands, unindex_hands
from solverlab.cards.ranges import Range
from solverlab.cards.written_ranges import range_text
from solverlab.core.errors import BadValue, UnknownName


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("66+", 54), ("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AJs+", 12), ("KTo+", 36), ("A2s+", 48),
        ("99-66", 24), ("66-99", 24), ("QQ-22", 66), ("A5s-A2s", 16), ("K6s-KTs", 20), ("T9s-76s", 16),
        ("AhKh", 1), ("Ah Kh", 1), ("KhAh", 1), ("random", 1326), ("100%", 1326), ("", 0),
        ("22+:0.5", 39), ("22+, 66:0.25", 73.5), ("66+, AJs+, KQo, AhKh:0.5", 77.5), ("aks, tjo", 16),
    ],
)  # fmt: skip
def test_combos_of_a_range(text, combos):
    assert Range(text).combos == combos


def test_every_class_by_its_name():
    for number, name in enumerate(CLASS_NAMES):
        chosen = Range(name)
        assert chosen.combos == CLASS_SIZE[number] and chosen.classes[number] == 1 and chosen[name] == 1
        assert class_number(name) == number
    assert len({grid_place(number) for number in range(169)}) == 169


def test_weights_of_combos_and_classes():
    hands = Range("AKs, AhKh:0.5")
    assert (hands["AhKh"], hands["AcKc"], hands["AKs"], hands["QQ"]) == (0.5, 1.0, 0.875, 0.0)
    assert hands.without("Ah").combos == 3 and Range(hands.weight) == hands
    assert "3.5 combos" in repr(hands)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("66+, AJz+", ["'AJz+'", "position 6"]),
        ("66+,,AK", ["nothing between", "position 5"]),
        ("AK, AhAh", ["Ah occurs twice", "position 5"]),
        ("77s", ["pair", "position 1"]),
        ("A5s-K2s", ["no span"]),
        ("A5s-A2o", ["no span"]),
        ("99-A2s", ["no span"]),
        ("AK:1.5", ["'1.5'", "position 4"]),
        ("AK:x", ["'x'", "position 4"]),
        ("AK:nan", ["'nan'"]),
        ("AhKhQh", ["no hand"]),
    ],
)
def test_the_error_points_at_the_place(text, words):
    with pytest.raises(BadValue) as caught:
        Range(text)
    assert all(word in str(caught.value) for word in words), caught.value


def test_weights_must_be_a_range():
    for wrong in (np.ones(169), np.full(1326, 1.5), np.full(1326, np.nan)):
        with pytest.raises(BadValue, match="1326 weights"):
            Range(wrong)
    with pytest.raises(BadValue):
        _ = Range("AA")["Ah"]
    with pytest.raises(UnknownName, match="AKx"):
        class_number("AKx")


def test_the_closed_form_of_the_starting_hands_is_the_canonical_index():
    assert np.array_equal(HAND_CLASS, index_hands(COMBOS, np.empty((1326, 0), np.uint8)))
    first, second = unindex_hands("preflop", np.arange(169))[0].T
    for number, name in enumerate(CLASS_NAMES):
        low, high = sorted((int(first[number]), int(second[number])))
        suits = "" if low // 4 == high // 4 else "s" if low % 4 == high % 4 else "o"
        assert name == RANKS[high // 4] + RANKS[low // 4] + suits


def test_a_written_range_reads_back():
    """Whatever mix of hands, in hundredths: what is written means the same hands again."""
    rng = np.random.default_rng(4)
    for sometimes in (0.0, 0.1, 0.9):
        classes = np.where(rng.random(169) < 0.5, 1.0, 0.0)
        mixed = rng.random(169) < sometimes
        classes[mixed] = rng.integers(0, 101, mixed.sum()) / 100
        again = Range(range_text(classes)).classes
        np.testing.assert_allclose(again, classes, atol=1e-12)


@pytest.mark.parametrize("text", ["22+, A2s+, KTo+", "99-66, A5s-A2s", "100%", "T9s, 98s, 72o:0.33", ""])
def test_a_range_is_written_as_players_do(text):
    assert range_text(Range(text).classes) == text
