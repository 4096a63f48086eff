"""Policies and games for other programs: nothing is lost on the way, and they read the same game."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pygambit
import pyspiel
import pytest
from store.sample_runs import CoinGame

import solverlab as sl
from solverlab import store
from solverlab.core.errors import BadValue
from solverlab.store.efg import exact_odds

GAMES = {
    "kuhn": sl.Kuhn,
    "leduc": sl.Leduc,
    "three": lambda: sl.Kuhn(3),
    "pennies": sl.MatchingPennies,
    "coins": CoinGame,
    "numbers": lambda: sl.LimitPoker(ranks="23T", suits=2, blinds=(1, 2), raise_sizes=(0.5,)),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_a_policy_comes_back_bit_for_bit(game, suffix, tmp_path):
    solver = sl.CFR(GAMES[game](), "CFR+")
    policy = solver.step(37).policy
    path = store.write_policy(policy, tmp_path / f"p.{suffix}")
    back = store.read_policy(path, solver.game)
    assert np.array_equal(back.sigma, policy.sigma)
    assert not back.sigma.flags.writeable


def test_the_table_is_the_frame(tmp_path):
    policy = sl.uniform_policy(sl.Kuhn())
    pd.testing.assert_frame_equal(
        pd.read_parquet(store.write_policy(policy, tmp_path / "p.parquet")), policy.frame()
    )
    nested = json.loads(store.write_policy(policy, tmp_path / "p.json").read_text())
    assert nested["policy"]["raise"]["K"] == {"fold": 0.5, "call": 0.5}


def edited(tmp_path, edit) -> str:
    table = sl.uniform_policy(sl.Kuhn()).frame()
    edit(table).to_csv(tmp_path / "p.csv", index=False)
    return tmp_path / "p.csv"


def put(column: str, value):
    def edit(table):
        table = table.astype({column: object})
        table.loc[4, column] = value
        return table

    return edit


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (put("node", "raise/raise"), "row 5 of p.csv: in Kuhn poker there is no node 'raise/raise'"),
        (put("hand", "A"), "row 5 of p.csv: in Kuhn poker there is no hand 'A'; known: J, Q, K"),
        (put("action", "fly"), "row 5 of p.csv: nobody can 'fly' at node"),
        (put("node", "raise/call"), "row 5 of p.csv: nobody can 'raise' at node 'raise/call'"),
        (put("probability", "much"), "row 5 of p.csv: 'much' is no probability; give a number from 0 to 1"),
        (put("probability", -0.5), "row 5 of p.csv: '-0.5' is no probability"),
        (put("probability", float("nan")), "row 5 of p.csv: '' is no probability"),
        (put("probability", 0.4), "p.csv sums to 0.9 instead of 1 at node '' with hand 'Q'"),
        (lambda table: table.drop(index=4), "p.csv does not tell all actions at node '' with hand 'Q'"),
        (lambda table: pd.concat([table, table[4:5]]), "tells '' with 'Q' and 'raise' twice; keep one row"),
        (lambda table: table.drop(columns="hand"), "p.csv has no column 'hand'; a policy needs node, hand,"),
        (lambda table: table[:0], "p.csv does not tell all actions at node"),
    ],
)
def test_a_wrong_policy_is_told_with_its_row(edit, sentence, tmp_path):
    with pytest.raises(BadValue) as error:
        store.read_policy(edited(tmp_path, edit), sl.Kuhn())
    assert sentence in str(error.value)


def test_typed_probabilities_may_be_rounded(tmp_path):
    third = put("probability", 0.49999961)
    policy = store.read_policy(edited(tmp_path, third), sl.Kuhn())
    assert sum(policy.at("", hand="Q").values()) == pytest.approx(1.0, abs=1e-15)


def test_nobody_may_act_on_what_they_cannot_see(tmp_path):
    game = sl.MatchingPennies()
    table = sl.uniform_policy(game).frame()
    table["probability"] = [0.5, 0.5, 0.9, 0.1, 0.5, 0.5]
    table.to_csv(tmp_path / "p.csv", index=False)
    with pytest.raises(BadValue, match="plays 'heads' and 'tails' differently, but in matching pennies"):
        store.read_policy(tmp_path / "p.csv", game)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00nonsense", b"[1, 2]"])
def test_a_file_of_another_kind_is_told(suffix, content, tmp_path):
    path = tmp_path / f"p.{suffix}"
    path.write_bytes(content)
    with pytest.raises(BadValue, match=f"p.{suffix} (cannot be read as a .{suffix} table|has no column)"):
        store.read_policy(path, sl.Kuhn())


def test_names_of_files_are_checked(tmp_path):
    policy = sl.uniform_policy(sl.Kuhn())
    with pytest.raises(
        BadValue, match="cannot tell the format of the policy 'p.xls'; let it end in .csv, .parquet"
    ):
        store.write_policy(policy, tmp_path / "p.xls")
    with pytest.raises(
        BadValue, match="could not read .*nope.csv.*No such file.*give the name of a file that exists"
    ):
        store.read_policy(tmp_path / "nope.csv", sl.Kuhn())
    with pytest.raises(BadValue, match="could not write .*No such file"):
        store.write_policy(policy, tmp_path / "nowhere" / "p.csv")
    assert list(tmp_path.iterdir()) == []


# ---- games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["game", "json"])
def test_rules_come_back(suffix, tmp_path):
    game = GAMES["numbers"]()
    back = store.read_game(store.write_game(game, tmp_path / f"mine.{suffix}"))
    assert back.rules == game.rules
    assert np.array_equal(back.leaves.matrix, game.leaves.matrix)
    assert back.name == ("mine" if suffix == "game" else game.name)


def test_hidden_moves_come_back_as_json(tmp_path):
    game = store.read_game(store.write_game(sl.RockPaperScissors(), tmp_path / "rps.json"))
    assert game.config() == sl.RockPaperScissors().config()


def test_games_that_a_format_cannot_tell(tmp_path):
    with pytest.raises(
        BadValue, match="matching pennies is no limit poker, which is all an ACPC file can tell"
    ):
        store.write_game(sl.MatchingPennies(), tmp_path / "x.game")
    with pytest.raises(
        BadValue, match="cannot tell the format of the game 'x.txt'; let it end in .game, .efg, .json"
    ):
        store.write_game(sl.Kuhn(), tmp_path / "x.txt")
    with pytest.raises(
        BadValue, match="cannot tell the format of the game 'x.efg'; let it end in .game, .json"
    ):
        store.read_game(tmp_path / "x.efg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("x.game", b"", "x.game: the game file has no line 'numRanks = ...'; add it"),
        ("x.game", b"\xff\xfe", "x.game: the game file has no line"),
        ("x.game", b"GAMEDEF\nnolimit\n", "x.game: line 2 of the game file says nolimit"),
        ("x.json", b"{", "x.json is not readable JSON"),
        ("x.json", b"[]", "x.json holds no configuration of a game"),
        ("x.json", b'{"game": "Chess"}', "there is no kind of game 'Chess'"),
        ("x.json", b'{"game": "LimitPoker", "wings": 2}', "does not fit this version"),
    ],
)
def test_a_wrong_game_file_is_told(file, content, sentence, tmp_path):
    (tmp_path / file).write_bytes(content)
    with pytest.raises(sl.SolverlabError) as error:
        store.read_game(tmp_path / file)
    assert sentence in str(error.value)


def other_programs(game, tmp_path):
    """The game as OpenSpiel reads it from our file."""
    path = store.write_game(game, tmp_path / "game.efg")
    return pyspiel.load_game(f"efg_game(filename={path})")


def infosets(theirs) -> dict[str, list[tuple[int, str]]]:
    """Every infoset of OpenSpiel's game, with its actions by number and name."""
    found, todo = {}, [theirs.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            actions = [(action, state.action_to_string(action)) for action in state.legal_actions()]
            assert found.setdefault(state.information_state_string(), actions) == actions
        todo += [state.child(action) for action in state.legal_actions()]
    return found


def translated(policy, theirs) -> pyspiel.TabularPolicy:
    """Our policy on OpenSpiel's infosets: their names end in ours, 'hand: node or node'."""
    table = {}
    for key, actions in infosets(theirs).items():
        title = key.split("-", 3)[3]
        hand, found, nodes = title.rpartition(": ")
        node = nodes.split(" or ")[0]
        chances = policy.at("" if node == "start" else node, hand if found else None)
        table[key] = [(action, chances[name]) for action, name in actions]
    return pyspiel.TabularPolicy(table)


@pytest.mark.parametrize(
    ("name", "count"), [("kuhn", 12), ("leduc", 936), ("pennies", 2), ("coins", 2), ("three", 48)]
)
def test_openspiel_finds_the_same_infosets(name, count, tmp_path):
    assert len(infosets(other_programs(GAMES[name](), tmp_path))) == count


@pytest.mark.parametrize("name", ["kuhn", "leduc", "pennies", "coins", "numbers"])
def test_openspiel_measures_the_same_value_and_nash_conv(name, tmp_path):
    game = GAMES[name]()
    theirs = other_programs(game, tmp_path)
    for policy in (sl.CFR(game, "LCFR").step(7).policy, sl.solve_lp(game).policy):
        table = translated(policy, theirs)
        values = pyspiel.expected_returns(theirs.new_initial_state(), table, -1, True)
        assert values[0] == pytest.approx(sl.value(game, policy), abs=1e-10)
        assert pyspiel.nash_conv(theirs, table) == pytest.approx(sl.nash_conv(game, policy), abs=1e-9)


def test_openspiel_solves_our_kuhn_to_the_referees_value(tmp_path):
    theirs = other_programs(sl.Kuhn(), tmp_path)
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(1000):
        solver.evaluate_and_update_policy()
    values = pyspiel.expected_returns(theirs.new_initial_state(), solver.average_policy(), -1, True)
    assert values[0] == pytest.approx(sl.solve_lp(sl.Kuhn()).value, abs=1e-4)


def two_rounds() -> sl.LimitPoker:
    """Board cards and two rounds as in Leduc, which takes Gambit twelve seconds to read."""
    return sl.LimitPoker(ranks="QK", suits=2, board_cards=(0, 1), raise_sizes=(1, 2), max_raises=(1, 1))


@pytest.mark.parametrize("name", ["kuhn", "pennies", "coins", "three", "board"])
def test_gambit_reads_the_same_game(name, tmp_path):
    """Gambit refuses a file in which two nodes have one label; and its value of our policy is ours."""
    game = (GAMES | {"board": two_rounds})[name]()
    theirs = pygambit.read_efg(store.write_game(game, tmp_path / "game.efg"))
    policy = sl.CFR(game, "LCFR").step(7).policy
    profile = theirs.mixed_behavior_profile()
    dealt = len(game.names.hands) > 1
    for seat, player in enumerate(theirs.players):
        for member in theirs.get_infosets(player):
            said = member.actions[dealt:]
            hand = member.actions[0].split()[seat] if dealt else None
            profile.set_mixed_action(pygambit.H.path(*member.actions), policy.at("/".join(said), hand))
    values = [profile.payoffs[player] for player in theirs.players]
    assert values == pytest.approx(
        [sl.value(game, policy, seat) for seat in range(game.n_players)], abs=1e-10
    )


def test_three_players_are_written_out_too(tmp_path):
    game = sl.Kuhn(3)
    theirs = other_programs(game, tmp_path)
    policy = sl.CFR(game, "CFR").step(20).policy
    values = pyspiel.expected_returns(theirs.new_initial_state(), translated(policy, theirs), -1, True)
    assert values == pytest.approx([sl.value(game, policy, seat) for seat in range(3)], abs=1e-10)


def test_quotes_in_names_do_not_break_the_file(tmp_path):
    wins = {'say "a"': {"x\\y": 1}, "b": {"x\\y": -1}}
    game = sl.HiddenMoves('the "quoted" game', wins)
    assert store.write_efg(game).startswith('EFG 2 R "the \\"quoted\\" game" { "first" "second" }')


@pytest.mark.parametrize(
    "odds", [[0.1] * 10, [1 / 3] * 3, [0.2000000001, 0.7999999999], [2**-40, 1 - 2**-40]]
)
def test_chances_sum_to_one_exactly(odds):
    fractions = exact_odds(np.array(odds))
    assert sum(fractions) == 1
    assert [float(fraction) for fraction in fractions] == pytest.approx(odds, abs=1e-12)


def test_a_game_without_deals_written_out_is_refused():
    class Bare:
        name = "bare game"

    with pytest.raises(BadValue, match="bare game cannot be written out deal by deal"):
        store.write_efg(Bare())
