"""The 2-to-7 figure: its roots are those of the root finder, its values those of the linear programme."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.table_cache import BuildCancelled
from solverlab.figures import kept
from solverlab.figures.kept import reproduce
from solverlab.run.lowball_real import crossing
from solverlab.studies.lowball import VARIANTS, lowball_root
from solverlab.studies.two_to_seven import RUNGS, WITHOUT_THE_TEN, Effort, root_of

NAME = "two-to-seven-ev"


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.cards < 3], ids=lambda rung: rung.name)
def test_the_cheap_roots_are_those_of_the_root_finder(made, rung):
    """It looks only so far on either side, and refuses a range in which the value keeps its sign."""
    found = made[NAME].facts[f"edge ends, {rung.name}"]
    deck = {"cards": rung.cards, "per_rank": rung.per_rank, "ranks": rung.ranks}
    assert lowball_root(found - 2e-3, found + 2e-3, **deck) == pytest.approx(found, abs=2e-3)


def test_the_claim_of_three_point_nine(made):
    """Document 001: above 3.9 BB the button loses. Its deck lacked the ten; the truth is near either way."""
    facts = made[NAME].facts
    assert facts["edge ends, 1 card, 13 ranks x 1"] == pytest.approx(3.940, abs=1e-3)
    assert facts["edge ends, 1 card, 12 ranks x 1"] == pytest.approx(3.893, abs=1e-3)


def test_more_cards_move_the_end_of_the_edge(made):
    facts = made[NAME].facts
    ends = [facts[f"edge ends, {n}, 13 ranks x 4"] for n in ("1 card", "2 cards", "3 cards")]
    assert 4 < ends[0] < ends[2] < ends[1] < 8


def test_the_tables_hold_every_rung_and_every_variant(made):
    values, bets = made[NAME].table("ladder"), made[NAME].table("bets")
    assert (
        list(values["rung"].unique())
        == [rung.name for rung in RUNGS]
        == list(made[NAME].table("roots")["rung"])
    )
    assert set(zip(values["cards"], values["ranks"], values["per_rank"], strict=True)) == {
        (rung.cards, len(rung.ranks), rung.per_rank) for rung in RUNGS
    }
    assert {(cards, name) for cards in (1, 2) for name in VARIANTS} == set(
        zip(bets["cards"], bets["variant"], strict=True)
    )


def test_values_are_those_of_the_linear_programme(made):
    values = made[NAME].table("ladder").set_index(["rung", "stack"])["value"]
    for ranks, name in ((13, "1 card, 13 ranks x 1"), (WITHOUT_THE_TEN, "1 card, 12 ranks x 1")):
        exact = sl.solve_lp(sl.LowballPushFold(4, ranks=ranks)).value
        assert values[name, 4.0] == pytest.approx(exact, abs=1e-9)


def test_every_number_says_how_exact_it_is(made):
    values, bets, facts = made[NAME].table("ladder"), made[NAME].table("bets"), made[NAME].facts
    assert values["exploitability"].max() <= Effort().target
    assert bets["exploitability"].max() <= max(Effort().after_targets)
    assert facts["exploitability of the worst rung"] == values["exploitability"].max()


def test_more_choices_never_cost_the_button_a_thing_here(made):
    """What a variant adds is the difference to push/fold, and no less than nothing but for the distance."""
    bets = made[NAME].table("bets")
    plain = bets[bets["variant"] == "push/fold"].set_index(["cards", "stack"])["value"]
    adds = bets["value"] - [plain[key] for key in zip(bets["cards"], bets["stack"], strict=True)]
    assert np.allclose(bets["adds"], adds, atol=1e-12)
    assert (bets["adds"] > -bets["adds_error"] - 1e-9).all()
    assert (bets["adds_error"] >= 2 * bets["exploitability"]).all()


def test_the_deck_comes_with_an_interval(made):
    real = made[NAME].table("real")
    assert (real["low"] < real["value"]).all() and (real["value"] < real["high"]).all()
    assert (real["lower"] <= real["upper"]).all() and (real["value_error"] > 0).all()
    rows = real.to_dict("records")
    found, fact = crossing(rows), made[NAME].facts["edge ends, real deck: from, best guess, to"]
    assert fact == (None if found is None else pytest.approx(list(found)))


def test_a_root_that_is_not_there():
    assert root_of([{"stack": 1.0, "value": 0.2}, {"stack": 2.0, "value": 0.1}], lambda stack: 0.0) is None


def test_it_is_cancelled_between_two_steps_and_asks_for_no_strength_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "strength_tables", lambda: pytest.fail("nobody needs them here"))
    heard = []
    with pytest.raises(BuildCancelled, match="nothing was kept"):
        reproduce(NAME, tmp_path, lambda share, words: heard.append(words), cancel=lambda: len(heard) > 3)
    assert len(heard) == 4 and list(tmp_path.iterdir()) == []
