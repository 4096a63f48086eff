"""Cards read as people write them, and a clear sentence when they cannot be read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solverlab.cards.cards import (
    COMBOS,
    cards_text,
    combo,
    parse_board,
    parse_cards,
    parse_deal,
    parse_hole,
    street_of,
)
from solverlab.core.errors import BadValue


@given(st.lists(st.integers(0, 51), unique=True, max_size=9))
def test_text_round_trips(cards):
    assert parse_cards(cards_text(cards)) == tuple(cards)
    assert parse_cards(np.array(cards, np.uint8)) == tuple(cards)


def test_spelling_is_forgiving():
    assert parse_cards("td 9D, 6♥ 10s") == parse_cards("Td9d6hTs")
    assert parse_cards("") == ()


def test_combos_are_numbered_in_colex_order():
    assert len(COMBOS) == 1326
    assert [combo(low, high) for low, high in COMBOS] == list(range(1326))
    assert combo(51, 0) == combo(0, 51)


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (lambda: parse_cards("AhXd"), ["'Xd'", "position 3"]),
        (lambda: parse_cards("AhK"), ["'K'", "position 3"]),
        (lambda: parse_cards("AhKdAh"), ["Ah occurs twice"]),
        (lambda: parse_cards([3, 52]), ["52 is no card"]),
        (lambda: parse_cards([-1]), ["-1 is no card"]),
        (lambda: parse_cards([1.5]), ["neither"]),
        (lambda: parse_hole("AhKdQc"), ["3 cards", "two cards"]),
        (lambda: parse_hole("Ah"), ["1 card,", "two cards"]),
        (lambda: parse_board("Td9d"), ["2 cards", "0 or 3 or 4 or 5"]),
        (lambda: parse_board("Td9d6h2c", sizes=(3,)), ["4 cards", "has 3"]),
        (lambda: parse_deal("AhKd", "AhTd9d"), ["Ah is both in the hand"]),
    ],
)
def test_the_error_names_the_value(read, words):
    with pytest.raises(BadValue) as caught:
        read()
    assert all(word in str(caught.value) for word in words), caught.value


def test_street_of_board():
    assert [street_of(range(n)) for n in (0, 3, 4, 5)] == ["preflop", "flop", "turn", "river"]
