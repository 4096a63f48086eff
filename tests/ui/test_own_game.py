"""Your own limit poker on the Solve page: the form, its menus, links, and what happens to a refused game."""

from __future__ import annotations

import pytest
from ui.solve_visit import settle, visits

from solverlab.ui.solve.build import own_game
from solverlab.ui.solve.own_game import EXAMPLE_RULES


@pytest.fixture
def open_page():
    yield from visits()


def test_your_own_game_from_the_form_and_from_a_file(open_page):
    page = open_page()
    page.own.fields["suits"].value = "many"
    page.own.build.clicks += 1
    assert "Suits is 'many'" in page.notice.text
    page.own.fields["suits"].value = "1"
    page.own.build.clicks += 1
    settle(page, lambda page: page.settings.game == "own")
    assert len(page.game.names.hands) == 4 and page.controls.game.value == "own"
    page.own.text.value = "GAMEDEF\nlimit\nEND GAMEDEF"
    page.own.read.clicks += 1
    settle(page, lambda page: "the game file has no line" in page.notice.text)
    page.own.text.value = page.own.acpc().replace("numSuits = 1", "numSuits = 2")
    page.own.read.clicks += 1
    settle(page, lambda page: len(page.game.names.hands) == 8)


def test_a_form_of_rules_says_what_is_played(open_page):
    page = open_page(
        game="own", own='{"ranks": 4, "raise_sizes": ["1c,2c"], "first_to_act": [1], "stack": 9}'
    )
    shown = {name: field.value for name, field in page.own.fields.items()}
    assert shown == {
        "players": "2", "ranks": "JQKA", "suits": "1", "hole_cards": "1", "board_cards": "0",
        "raise_sizes": "1c, 2c", "max_raises": "1", "blinds": "1 1", "first_to_act": "2", "stack": "9",
    }  # fmt: skip
    assert "raise 2c" in page.game.names.actions
    page.own.build.clicks += 1  # the form alone makes the same game
    settle(page, lambda page: '"hole_cards": 1' in page.settings.own)
    assert (
        page.game.rules
        == own_game('{"ranks": 4, "raise_sizes": ["1c,2c"], "first_to_act": [1], "stack": 9}').rules
    )


def test_the_form_takes_menus_of_chips_and_of_the_pot(open_page):
    page = open_page(game="own", own=EXAMPLE_RULES)
    page.own.fields["raise_sizes"].value = "1c, 2c; 50%, pot"
    page.own.build.clicks += 1
    settle(page, lambda page: page.game.rules.raise_sizes == ("1c, 2c", "50%, 100%"))
    assert {"raise 1c", "raise 2c", "raise 50%", "raise 100%"} <= set(page.game.names.actions)
    assert page.own.fields["raise_sizes"].value == "1c, 2c; 50%, 100%"
    page.own.fields["raise_sizes"].value = "1c, 2x; 4"
    page.own.build.clicks += 1
    settle(page, lambda page: "raise size of '1c, 2x' is no menu" in page.notice.text)
    assert page.own.fields["raise_sizes"].value == "1c, 2x; 4" and page.parts.own_card.visible


@pytest.mark.parametrize(
    ("field", "typed", "told"), [("max_raises", "9 9", "max_raises is 9"), ("stack", "0.5", "a stack of 0.5")]
)
def test_a_refused_game_stays_in_the_form_to_be_mended(open_page, field, typed, told):
    page = open_page()
    page.controls.game.value = "own"
    settle(page, lambda page: page.settings.game == "own")
    page.controls.game.value = "kuhn"
    settle(page, lambda page: page.settings.game == "kuhn")
    assert not page.parts.own_card.visible
    page.own.fields[field].value = typed
    page.own.build.clicks += 1
    settle(page, lambda page: told in page.notice.text)
    assert page.settings.game == "kuhn" and page.parts.own_card.visible
    assert page.own.fields[field].value == typed
    page.controls.game.value = "leduc"
    settle(page, lambda page: page.settings.game == "leduc")
    assert not page.parts.own_card.visible


@pytest.mark.parametrize("rules", ['{"suits": 9, "ranks": "QKA"}', '["a"]', "{", '{"raise_sizes": {"a": 1}}'])
def test_rules_of_a_link_that_make_no_game_open_the_form(open_page, rules):
    page = open_page(game="own", own=rules)
    settle(page, lambda page: page.settings.game == "leduc")
    assert "This game cannot be built" in page.notice.text and page.parts.own_card.visible
    if "suits" in rules:
        assert (page.own.fields["suits"].value, page.own.fields["ranks"].value) == ("9", "QKA")
