"""Rules travel as ACPC `.game` texts, there and back, and a text that is none is told what it lacks."""

from __future__ import annotations

import pytest
from games.some_limit_games import SOME
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.games import from_config
from solverlab.games.limit.acpc import read_acpc, write_acpc
from solverlab.games.limit.game import count_nodes
from solverlab.games.limit.rules import RANKS, LimitRules

LEDUC = """\
# three ranks, two suits
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""

AMOUNTS = st.floats(0.001, 1e9)


@st.composite
def rules(draw) -> LimitRules:
    players, rounds = draw(st.integers(2, 4)), draw(st.integers(1, 3))

    def column(of):
        return draw(st.lists(of, min_size=rounds, max_size=rounds))

    blinds = draw(st.lists(AMOUNTS, min_size=players, max_size=players))
    return LimitRules.checked(
        players=players,
        ranks="".join(draw(st.lists(st.sampled_from(RANKS), min_size=6, unique=True))),
        suits=draw(st.integers(3, 4)),
        hole_cards=draw(st.integers(1, 2)),
        board_cards=column(st.integers(0, 3)),
        raise_sizes=column(AMOUNTS),
        max_raises=column(st.integers(0, 8)),
        blinds=blinds,
        first_to_act=column(st.integers(0, players - 1)),
        stack=draw(st.none() | st.just(max(blinds) * 3)),
    )


@settings(deadline=None)
@given(rules())
def test_any_rules_survive_the_round_trip(before):
    assert LimitRules.checked(**read_acpc(write_acpc(before))) == before


@pytest.mark.parametrize("name", SOME)
def test_games_survive_the_round_trip(name, tmp_path):
    game = sl.LimitPoker(**SOME[name])
    file = tmp_path / "some.game"
    file.write_text(game.to_acpc())
    assert sl.LimitPoker.from_acpc(file).rules == game.rules
    assert from_config(game.config()).rules == game.rules


def test_a_published_style_file_is_read():
    game = sl.LimitPoker.from_acpc(LEDUC, name="Leduc from a file")
    assert len(game.tree.parent) == 465 and game.name == "Leduc from a file"
    assert game.hands[0] == "2s"  # a file without rank names counts from the deuce
    assert sl.solve_lp(game).value == pytest.approx(-0.0856064, abs=1e-7)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            LEDUC.replace("limit", "nolimit"),
            "line 3 of the game file says nolimit; this reads limit games only",
        ),
        (LEDUC.replace("numSuits = 2\n", ""), "the game file has no line 'numSuits = ...'; add it"),
        (
            LEDUC.replace("= 2 4", "= two four"),
            "'raiseSize = two four' in the game file is not a list of numbers",
        ),
        (LEDUC.replace("= 2 4", "="), "'raiseSize = ' in the game file is not a list of numbers"),
        (LEDUC.replace("= 2 4", "= 2"), "raise_sizes .* is not one number for each of the 2 rounds"),
        (LEDUC + "stack = 10 20\n", "stacks '10 20' differ; this reads games with equal stacks only"),
        (
            LEDUC.replace("firstPlayer = 1 1", "firstPlayer = 3 1"),
            "first_to_act is 2; give a whole number from 0",
        ),
        ("", "the game file has no line 'numRanks = ...'; add it"),
    ],
)
def test_a_text_that_is_no_limit_game(text, sentence):
    with pytest.raises(BadValue, match=sentence):
        sl.LimitPoker.from_acpc(text)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(BadValue, match="is not a text file that can be read; name a .game file"):
        sl.LimitPoker.from_acpc(tmp_path / "missing.game")
    (tmp_path / "bytes.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadValue, match="is not a text file that can be read"):
        sl.LimitPoker.from_acpc(tmp_path / "bytes.game")


def test_a_limit_game_with_a_menu_is_counted_kept_and_refused_by_the_format():
    game = sl.LimitPoker(suits=2, board_cards=(0, 1), raise_sizes=("1c,2c", 4), max_raises=(2, 1), stack=4)
    assert game.rules.raise_sizes == ("1c, 2c", 4.0)
    assert len(game.tree.parent) == count_nodes(game)
    assert from_config(game.config()).rules == game.rules
    with pytest.raises(BadValue, match="one raise size a round, not the menu '1c, 2c'; give a number"):
        game.to_acpc()


def test_a_menu_of_one_size_is_the_game_of_that_size():
    one, menu = (sl.LimitPoker(raise_sizes=(size,), max_raises=(2,)) for size in (2, "2c"))
    assert one.tree.parent.tolist() == menu.tree.parent.tolist()
    assert [state.paid for state in one.states] == [state.paid for state in menu.states]
