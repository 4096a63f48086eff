"""The tables of docs/two-to-seven-page.md are what the code computes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import solverlab as sl
from solverlab.analysis import solve_lp, value
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.studies.lowball import solve_lowball

ROOT = Path(__file__).parents[2]


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, header and rule left out."""
    text = (ROOT / "docs" / "two-to-seven-page.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def numbers(cell: str) -> list[float]:
    return [float(word) for word in re.findall(r"[-+−]?\d+\.\d+", cell.replace("−", "-"))]


TWO_CARDS = table("What a bet after the draw adds with two cards")


@pytest.mark.parametrize("row", TWO_CARDS, ids=[row[0] for row in TWO_CARDS])
def test_two_cards_push_fold_and_what_the_bet_adds(row):
    stack, (plain,), (limp,), (low, high) = float(row[0]), *map(numbers, row[1:4])
    assert solve_lp(sl.Lowball(stack, 2)).value == pytest.approx(plain, abs=6e-7)
    assert numbers(row[4]) == pytest.approx([low - limp, high - limp], abs=5.1e-5)
    assert low < high and (limp == plain) == (stack <= 6)


@pytest.mark.parametrize("row", [TWO_CARDS[3], TWO_CARDS[5]], ids=lambda row: row[0])
def test_two_cards_with_a_limp(row):
    solved = solve_lowball(sl.Lowball(float(row[0]), 2, limp=True), target=3e-6)
    assert numbers(row[2]) == [pytest.approx(solved.value, abs=6.5e-6)]


def test_one_card_exact_and_counted():
    rules = {"stack": 4.0, "cards": 1, "limp": True}
    exact = sl.Lowball(per_rank=4, discard="free", after_draw=(1.0,), **rules)
    found = [
        solve_lp(sl.Lowball(4.0, 1, 4, discard="free")).value,
        value(exact, sl.CFR(exact, "PCFR+").step(150).policy),
    ]
    for order in (1, 0):
        solver = DrawBetting(BettingLowball(bets=(1.0,), reraise=True, **rules), order=order, threads=1)
        policy = solver.step(150).policy
        found.append((solver.value_of(0, policy) - solver.value_of(1, policy)) / 2)
    assert [numbers(row[-1])[0] for row in table("How exact the counted game is")] == [
        round(number, 3) for number in found
    ]


def test_five_cards_are_what_was_measured():
    proof = json.loads((ROOT / "proof" / "lowball-betting.json").read_text(encoding="utf-8"))
    rows = [deck["variants"][1:] for deck in proof["decks"]]
    measured = [[[round(row["adds"], 3), round(row["adds_error"], 3)] for row in deck] for deck in rows]
    told = [[numbers(cell) for cell in row[1:]] for row in table("What more bets add with five cards")]
    assert told == [list(pair) for pair in zip(*measured, strict=True)]
