"""Limit poker trees are what a dealer would allow: known sizes, betting order, caps, blinds, all-ins."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import numpy as np
import pytest
from games.some_limit_games import LEDUC, SOME

import solverlab as sl
from solverlab.core.errors import TooLarge
from solverlab.core.game import check_game
from solverlab.core.tree import leaf_nodes
from solverlab.games.betting.raising import raises_made
from solverlab.games.limit.game import count_leaf_tables, count_nodes


@pytest.fixture(scope="module", params=SOME)
def game(request) -> sl.LimitPoker:
    return sl.LimitPoker(**SOME[request.param])


def test_contract_and_counts_before_building(game):
    check_game(game)
    assert count_nodes(game) == len(game.tree.parent)
    assert count_leaf_tables(game) >= game.leaves.matrix.shape[1]


def test_nobody_pays_more_than_allowed_and_everybody_left_has_paid_alike(game):
    rules = game.rules
    most = max(rules.blinds) + sum(
        size * cap for size, cap in zip(rules.raise_sizes, rules.max_raises, strict=True)
    )
    for node in leaf_nodes(game.tree):
        state = game.states[node]
        live = [paid for seat, paid in enumerate(state.paid) if seat not in state.folded]
        assert max(state.paid) <= min(most, rules.stack or most)
        assert len(live) == 1 or len(set(live)) == 1
        assert len(live) == 1 or state.round == len(rules.board_cards) - 1
        assert len(set(state.board)) == len(state.board)


def test_raises_go_up_by_the_size_of_the_round(game):
    tree, rules = game.tree, game.rules
    for n in range(1, len(tree.parent)):
        before, after = game.states[tree.parent[n]], game.states[n]
        if game.names.actions[n] == "raise":
            size = max(after.paid) - max(before.paid)
            short = rules.stack is not None and max(after.paid) == rules.stack
            assert size == rules.raise_sizes[before.round] or (short and size > 0)
            made = raises_made(rules.row, after.betting)
            assert made == raises_made(rules.row, before.betting) + 1 <= rules.max_raises[before.round]


def test_kuhn_and_leduc_have_their_known_sizes():
    kuhn, leduc, three = sl.Kuhn(), sl.Leduc(), sl.Kuhn(players=3)
    assert (len(kuhn.tree.parent), len(leaf_nodes(kuhn.tree)), len(kuhn.hands)) == (9, 5, 3)
    assert (len(leduc.tree.parent), int((leduc.tree.player >= 0).sum())) == (465, 186)
    assert (len(three.tree.parent), len(three.hands)) == (25, 4)
    assert kuhn.hands == ("J", "Q", "K") and leduc.hands == ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")


def test_kuhn_and_leduc_are_instances():
    ours = sl.LimitPoker(**LEDUC)
    assert ours.rules == sl.Leduc().rules and sl.LimitPoker().rules == sl.Kuhn().rules
    np.testing.assert_array_equal(ours.leaves.matrix, sl.Leduc().leaves.matrix)


def line(game: sl.LimitPoker, path: str) -> list[int]:
    """Who acts along a path, the node itself included."""
    words = path.split("/") if path else []
    nodes = [game.names.node("/".join(words[:i])) for i in range(len(words) + 1)]
    return [int(game.tree.player[n]) for n in nodes]


def test_three_players_speak_in_order():
    game = sl.Kuhn(players=3)
    assert line(game, "check/check/raise") == [0, 1, 2, 0]
    assert line(game, "check/raise/fold") == [0, 1, 2, 0]
    assert line(game, "check/raise/fold/call") == [0, 1, 2, 0, -2]
    assert line(game, "raise/fold/fold")[-1] == -2
    assert "check/check/check" in game.names.paths and "check/check/check/check" not in game.names.paths
    assert all(label != "raise" for label in actions(game, "raise"))


def actions(game: sl.LimitPoker, path: str) -> list[str]:
    n = game.names.node(path)
    return list(game.names.actions[game.tree.first[n] : game.tree.first[n] + game.tree.count[n]])


def test_a_reraise_gives_everybody_another_turn():
    game = sl.LimitPoker(players=3, ranks="TJQK", max_raises=(2,))
    assert line(game, "check/raise/raise") == [0, 1, 2, 0]
    assert line(game, "check/raise/raise/call/call")[-1] == -2
    assert actions(game, "check/raise/raise") == ["fold", "call"]


def test_the_big_blind_has_the_last_word():
    game = sl.LimitPoker(ranks="JQK", suits=2, blinds=(0.5, 1), max_raises=(1,))
    assert actions(game, "") == ["fold", "call", "raise"]
    assert actions(game, "call") == ["check", "raise"]
    fold = game.states[game.names.node("fold")]
    assert game.payoff(fold, "Ks", "Js") == (-0.5, 0.5)


def test_first_to_act_is_by_round():
    game = sl.LimitPoker(
        suits=2,
        blinds=(0.5, 1),
        board_cards=(0, 1),
        raise_sizes=(1, 2),
        max_raises=(1, 1),
        first_to_act=(0, 1),
    )
    assert line(game, "call/check/Js")[-1] == 1
    assert line(game, "call/check/Js/check")[-1] == 0


def test_with_everything_in_the_cards_are_dealt_out_and_nobody_speaks():
    game = sl.LimitPoker(**LEDUC, stack=3)
    after = game.states[game.names.node("raise/call")]
    assert game.dealing(after) and line(game, "raise/call/Js")[-1] == -2
    assert actions(game, "raise") == ["fold", "call"]  # nothing left to raise with
    assert line(game, "check/check/Js")[-1] == 0


def test_a_blind_that_is_all_in_must_still_be_called():
    game = sl.LimitPoker(ranks="JQK", suits=2, blinds=(1, 2), stack=2)
    assert actions(game, "") == ["fold", "call"] and line(game, "call")[-1] == -2
    assert sl.LimitPoker(blinds=(1, 1), stack=1).tree.count.tolist() == [0]


def test_paths_never_repeat(game):
    assert len(set(game.names.paths)) == len(game.names.paths)
    for one, other in pairwise(sorted(game.names.paths)):
        assert one != other


HOLDEM = {
    "ranks": 13,
    "suits": 4,
    "hole_cards": 2,
    "board_cards": (0, 3, 1, 1),
    "raise_sizes": (2, 2, 4, 4),
    "max_raises": (4, 4, 4, 4),
}


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            HOLDEM,
            r"would have [\d,]{15,} nodes; use fewer ranks, suits, rounds, board cards or raises to stay",
        ),
        ({"ranks": 13, "suits": 4, "hole_cards": 4}, r"would take [\d,.]+ GB \(270,725 hands, 2 players"),
        (
            {"players": 8, "ranks": 9},
            r"leaf tables of limit poker would take [\d,.]+ GB \(9 hands, 8 players",
        ),
    ],
)
def test_a_game_that_does_not_fit_is_refused_with_its_size_before_it_is_built(rules, sentence):
    with pytest.raises(TooLarge, match=sentence):
        sl.LimitPoker(**rules)


def test_a_forgotten_game_frees_its_memory():
    game = sl.Leduc()
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None


def test_a_size_of_a_menu_offered_only_at_first_keeps_its_limit():
    game = sl.LimitPoker(raise_sizes=("1c1r, 2c",), max_raises=(3,))
    assert game.config()["raise_sizes"] == ["1c1r, 2c"]
    assert "raise 1c/raise 1c" in game.names.paths and "raise 1c/raise 2c/raise 1c" not in game.names.paths
    assert "raise 1c/raise 2c/raise 2c" in game.names.paths
