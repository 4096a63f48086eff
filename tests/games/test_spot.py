"""Postflop spots: what is bet, what is dealt, lines as people write them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.spot_boards import renamings
from solverlab.core.boards.shape import FOLD, NEXT, SHOW

SMALL = ("66+, AJs+", "QQ-22, KJs+")


def test_every_round_has_a_root_for_each_leaf_of_the_one_before():
    spot = sl.Spot("Td9d6h", 200, 900, SMALL, bets="60%, a", raises="2.5x")
    for above, below in zip(spot.rounds, spot.rounds[1:], strict=False):
        assert below.roots == len(above.leaves) == int((above.kind == NEXT).sum())
    assert not (spot.rounds[0].kind == SHOW).any() and not (spot.rounds[-1].kind == NEXT).any()
    for betting in spot.rounds:
        inner = np.flatnonzero(betting.parent >= 0)
        assert (betting.parent[inner] < inner).all()
        assert (
            betting.worth[:, betting.kind == FOLD].sum(0) == 0
        ).all()  # without rake what one wins the other loses


def test_an_all_in_is_dealt_out_without_a_decision():
    spot = sl.Spot("Td9d6h", 200, 900, SMALL, bets="a", raises="")
    place = spot.place("all-in/call/2c/3c")
    assert spot.rounds[place.round].kind[place.node] == SHOW and spot.actions(place) == []


def test_lines_are_read_and_hands_are_named_as_they_were_asked_for():
    spot = sl.Spot("Td9d6h", 200, 900, SMALL, bets="60%", raises="2.5x")
    assert spot.actions(spot.place("bet 120")) == ["fold", "call", "raise 300"]
    clubs, spades = (spot.place(f"check/check/2{suit}") for suit in "cs")
    assert clubs.board == spades.board and clubs.renaming != spades.renaming
    assert "AsJs" in spot.columns(spades, 0) and "AcJc" in spot.columns(spades, 0)
    assert sorted(spot.columns(clubs, 0)) == sorted(spot.columns(spades, 0))
    river = spot.place("check/check/2s/check/check/3s")
    assert not [hand for hand in spot.columns(river, 1) if "2s" in hand or "3s" in hand]


def test_suits_are_renamed_only_where_board_and_ranges_allow():
    even = np.stack([sl.cards.Range("66+, AKs").weight] * 2)
    assert len(renamings(sl.cards.parse_cards("Td9d6h"), even)) == 2
    assert len(renamings(sl.cards.parse_cards("Td9d6d"), even)) == 6
    assert (
        len(renamings(sl.cards.parse_cards("Td9d6d"), np.stack([even[0], sl.cards.Range("AhKh").weight])))
        == 2
    )


def test_rake_is_taken_once_and_no_more_than_its_cap():
    spot = sl.Spot("Td9d6hQc3s", 200, 900, SMALL, bets="a", raises="", rake=0.05, rake_cap=30)
    shows = spot.rounds[0].pays[:, spot.rounds[0].kind == SHOW].T.tolist()
    assert shows == [[95.0, 100.0, 5.0], [985.0, 1000.0, 15.0], [985.0, 1000.0, 15.0]]


def test_a_spot_is_built_again_from_its_config():
    spot = sl.Spot("Td9d6hQc", 200, 900, SMALL, bets={"turn": "50%", "river": ("75%", "a")}, raises="a")
    config = spot.config()
    assert config.pop("game") == "spot"
    again = sl.Spot(**config)
    assert [betting.kind.tolist() for betting in again.rounds] == [one.kind.tolist() for one in spot.rounds]
    assert np.array_equal(again.ranges, spot.ranges)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"board": "Td9d"}, "has 2 cards, but a board here has 3 or 4 or 5"),
        ({"board": "TdTd6h"}, "Td occurs twice"),
        ({"pot": 0}, "a pot of 0 cannot be played"),
        ({"pot": "much"}, "a pot of 'much' cannot be played"),
        ({"stack": float("nan")}, "a stack of nan cannot be played"),
        ({"stack": 10**400}, "a stack of about 10.400 cannot be played"),
        ({"ranges": ("TdTh", "AA")}, "the range of the player out of position is empty on Td9d6h"),
        ({"ranges": ("AsAh", "AsAh")}, "no deal is left"),
        ({"ranges": ("66+, QX", "AA")}, "'QX' is no hand"),
        ({"bets": "60"}, "'60' is no size of a bet"),
        ({"bets": "50%, 6x0%"}, "'6x0%' is no size of a bet.*position 6 of the menu '50%, 6x0%'"),
        ({"bets": ","}, "there is no size in the bets ','; write such as '60%, a', or '' for none"),
        ({"bets": "to 50"}, "nothing is left of the bets 'to 50' of the player out of position"),
        ({"bets": ("50%", "to 50")}, "nothing is left of the bets 'to 50' of the player in position"),
        ({"bets": (60, "a")}, "60 is no menu of bets"),
        ({"stack": 0}, "a stack of 0 cannot be played"),
        ({"ranges": "AA"}, "'AA' is not two ranges"),
        ({"ranges": ("AA", "KK", "QQ")}, "is not two ranges"),
        ({"bets": {"preflop": "60%"}}, "there is no round of bets 'preflop'; known: flop, turn, river"),
        ({"bets": ("60%", "a", "a")}, "3 menus for 2 seats"),
        ({"rake": 2}, "a rake of 2 up to 0.0 chips is none"),
    ],
)
def test_what_makes_no_spot_is_told_in_a_sentence(change, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        sl.Spot(**{"board": "Td9d6h", "pot": 200, "stack": 900, "ranges": SMALL, **change})


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("bet 121", "there is no action 'bet 121'; known: check, bet 120"),
        ("check/check/Td", "Td is on the board already"),
        ("check/check/QcQd", "is no card; here one is dealt"),
        ("check/check/check", "is no card"),
    ],
)
def test_a_line_that_leads_nowhere_is_told_in_a_sentence(line, sentence):
    spot = sl.Spot("Td9d6h", 200, 900, SMALL, bets="60%", raises="2.5x")
    with pytest.raises(sl.SolverlabError, match=sentence):
        spot.place(line)
