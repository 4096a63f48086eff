"""Every game is a row of one betting module, and every tree is, node for node, the one it was before."""

from __future__ import annotations

import json
import re
from math import inf
from pathlib import Path

import pytest

import solverlab as sl
from solverlab.games.betting.table import Betting, Street
from solverlab.games.lowball.betting import betting_row
from solverlab.games.lowball.real_betting import BettingLowball
from tests.games.trees_of_games import CONFIGURATIONS, summary

PAGE = (Path(__file__).parents[2] / "docs" / "betting.md").read_text(encoding="utf-8")
BEFORE = json.loads(Path(__file__).with_name("trees_before.json").read_text(encoding="utf-8"))
CHANGED = {  # by rules that were wrong: DEVIATIONS.md and docs/betting.md say which
    "hold'em, four short stacks",
    "hold'em, a short big blind",
}


def test_the_record_names_every_configuration():
    assert set(BEFORE) == set(CONFIGURATIONS) and len(BEFORE) - len(CHANGED) >= 20


@pytest.mark.parametrize("name", sorted(set(CONFIGURATIONS) - CHANGED))
def test_trees_are_those_of_before(name):
    assert summary(CONFIGURATIONS[name]()) == BEFORE[name]


@pytest.mark.parametrize("name", sorted(CHANGED))
def test_trees_that_a_mended_rule_changed_are_listed(name):
    now = summary(CONFIGURATIONS[name]())
    assert now["digest"] != BEFORE[name]["digest"]
    assert f"| {name} | {BEFORE[name]['rows']:,} | {now['rows']:,} |" in PAGE


def test_the_page_counts_the_configurations():
    assert f"Trees of {len(BEFORE)} configurations" in PAGE


@pytest.mark.parametrize(
    ("name", "game", "row"), re.findall(r"^\| ([^|`]+) \| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.M)
)
def test_the_page_says_every_game_as_a_row(name, game, row):
    words = {
        "sl": sl,
        "BettingLowball": BettingLowball,
        "betting_row": betting_row,
        "Betting": Betting,
        "Street": Street,
        "inf": inf,
    }
    (one, states, _), (other, said, _) = (eval(text, words).tree() for text in (game, row))
    assert one.parent.tolist() == other.parent.tolist() and one.player.tolist() == other.player.tolist()
    assert [state.paid for state in states] == [state.paid for state in said] and len(states) > 4


def test_the_page_names_every_kind_of_game():
    rows = re.findall(r"^\| ([^|`]+) \| `", PAGE, re.M)
    assert len(rows) == len(set(rows)) >= 12
