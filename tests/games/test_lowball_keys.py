"""Information sets of 2-to-7 are printed and read as `[cards]_[history]`."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.games.lowball.keys import (
    History,
    history_text,
    infoset_text,
    infosets,
    parse_infoset,
    split_history,
    terminals,
)

GAMES = [
    sl.LowballPushFold(3),
    sl.LowballPushFold(3, cards=2, per_rank=2, ranks=5, discard="free"),
    sl.Lowball(6, limp=True, raises=(2, 4), ranks=6),
    sl.Lowball(6, ranks=5, limp=True, after_draw=(0.5, 1)),
    sl.Lowball(4, 2, 2, 5, "free", limp=True, after_draw=(1,)),
]


@pytest.mark.parametrize(("cards", "rule"), [(1, "original"), (2, "original"), (2, "free"), (3, "free")])
def test_push_fold_ends_in_exactly_these_histories(cards, rule):
    game = sl.LowballPushFold(3, cards, 2, 6, rule)
    counts = range(cards + 1)
    assert terminals(game) == {"rrf", "rraf"} | {
        f"rraa{theirs}{mine}" for theirs in counts for mine in counts
    }


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("rr", ("", "", "")),
        ("rraf", ("af", "", "")),
        ("rrf", ("f", "", "")),
        ("rraa", ("aa", "", "")),
        ("rraa00", ("aa", "00", "")),
        ("rraa10", ("aa", "10", "")),
        ("rraa1", ("aa", "1", "")),
        ("rrck11xf", ("ck", "11", "xf")),
    ],
)
def test_the_grammar_of_histories(text, parts):
    assert split_history(text) == History("rr", *parts)


@pytest.mark.parametrize("text", ["", "r", "aa", "rrq", "rraa1x", "rraa123", "rr a"])
def test_what_is_no_history_is_told(text):
    with pytest.raises(BadValue, match="is no history; write rr, then letters"):
        split_history(text)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_infoset_round_trips(game):
    """Text to node and hand and back; equal texts are exactly the rows the game ties together."""
    rows: dict[str, set] = {}
    for node in map(int, np.flatnonzero(game.tree.player >= 0)):
        split_history(history_text(game, node))
        child = game.tree.first[node]
        for hand in range(len(game.hands)):
            row = (int(game.tie.slot[child]), int(game.tie.bucket[game.tie.texture[child], hand]))
            rows.setdefault(infoset_text(game, node, hand), set()).add(row)
    # Of a pair either card may go: two actions with one meaning, so two rows for one text.
    twice = {text for text, found in rows.items() if len(found) > 1}
    assert all("-" in text and text[0] == text[1] for text in twice)
    assert len({row for found in rows.values() for row in found}) == len(rows) + len(twice)
    assert set(infosets(game)) == set(rows)
    for text in list(rows)[:: max(1, len(rows) // 100)]:
        assert infoset_text(game, *parse_infoset(game, text)) == text


def test_the_documents_examples():
    one, two = sl.LowballPushFold(3), sl.LowballPushFold(3, cards=2)
    assert one.names.path(parse_infoset(one, "7_rraa1")[0]) == "all-in/all-in/draw 1"
    assert parse_infoset(two, "A5_rr") == parse_infoset(two, "5A_rr") == (0, two.hands.index("A5"))


def test_discards_and_new_cards_are_part_of_what_a_player_knows():
    game = sl.Lowball(4, 2, 2, 5, "free", limp=True, after_draw=(1,))
    node, hand = parse_infoset(game, "63-6+2_rrck01k")
    assert game.names.path(node) == "limp/check/draw 0/draw 1 x-/check"
    assert game.hands[hand].startswith("63+2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("7", "'7' is no information set; write cards, an underscore and a history"),
        ("1_rr", "'1_rr' is no information set"),
        (7, "7 is no information set"),
        ("7_", "'' is no history"),
        ("7_rrb", "'rrb' is no history"),
        ("7_rrf", "nobody acts after 'rrf'"),
        ("7_rrck", "nobody acts after 'rrck'"),
        ("77_rr", "'77_rr' holds cards that nobody can hold"),
        ("7-7+2_rraa1", "holds cards that nobody can hold"),
    ],
)
def test_what_is_no_infoset_is_told_in_one_sentence(text, sentence):
    with pytest.raises(BadValue, match=sentence) as caught:
        parse_infoset(GAMES[0], text)
    assert "\n" not in str(caught.value)
