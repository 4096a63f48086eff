"""Numbers printed in tables of docs/ are those the proofs measured, or add up as they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import solverlab as sl
from solverlab.studies.lowball import solve_lowball

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "two-to-seven-page.md").read_text(encoding="utf-8")


def table(title: str) -> list[list[str]]:
    """The cells of the first table below a title, without its head."""
    rows = re.search(rf"^## {title}$.*?((?:^\|[^\n]*\n)+)", PAGE, re.M | re.S)[1].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def numbers(cell: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+\.?\d*", cell)]


def proof(name: str) -> dict:
    return json.loads((ROOT / "proof" / f"{name}.json").read_text(encoding="utf-8"))


def test_what_more_bets_add_with_five_cards():
    measured = [
        {row["variant"]: row for row in deck["variants"]} for deck in proof("lowball-betting")["decks"]
    ]
    for variant, *cells in table("What more bets add with five cards"):
        told = [deck[f"with {variant}"] for deck in measured]
        assert [cell.replace("−", "-") for cell in cells] == [
            f"{row['adds']:+.3f} ± {row['adds_error']:.3f}" for row in told
        ]


def test_what_a_bet_adds_with_two_cards_adds_up():
    """The last column is the difference of the two before it; up to six blinds no bet helps the button."""
    for stack, push_fold, limp, bet, adds in table("What a bet after the draw adds with two cards"):
        (low, high), (least, most) = numbers(bet), numbers(adds)
        step = 10.0 ** -len(adds.split(".")[-1])  # as many digits as are printed
        assert low < high and float(limp) >= float(push_fold)
        assert least == pytest.approx(low - float(limp), abs=step + 1e-6)
        assert most == pytest.approx(high - float(limp), abs=step + 1e-6)
        assert adds.startswith("nothing") == (least <= 0.0 <= most) == (int(stack) <= 6)


def test_the_bet_with_two_cards_lies_where_the_proof_found_it():
    (found,) = proof("lowball")["two cards with bets after the draw"]
    (row,) = (row for row in table("What a bet after the draw adds with two cards") if row[0] == "4")
    low, high = numbers(row[3])
    assert found["stack"] == 4.0 and found["limp"]
    assert found["value"] - found["exploitability"] < low < high < found["value"] + found["exploitability"]


def test_push_or_fold_with_two_cards_is_what_the_solver_finds():
    told = {row[0]: row[1] for row in table("What a bet after the draw adds with two cards")}
    assert f"{solve_lowball(sl.Lowball(8, 2), target=2e-7).value:.6f}" == told["8"]
