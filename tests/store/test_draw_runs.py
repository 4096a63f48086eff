"""Runs of the whole 2-to-7 deck are runs like any other: saved, opened, exported, imported, continued."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab import store
from solverlab.core.errors import BadValue, DamagedRun
from solverlab.games import from_config
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.store.draw_runs import is_draw_run, load_draw

STACK = 3.0
SOLVERS = {
    "full width": lambda: DrawCFR(RealLowball(STACK, cards=2), "CFR+", threads=1),
    "sampled": lambda: SampledDraw(RealLowball(STACK, cards=2), rng=5),
    "with bets": lambda: DrawBetting(
        BettingLowball(4.0, limp=True, bets=(1,), reraise=True, cards=2), "CFR+", threads=1
    ),
    "a generator of one's own": lambda: SampledDraw(RealLowball(STACK, cards=2), np.random.default_rng(6)),
}
EACH = pytest.mark.parametrize("make", SOLVERS.values(), ids=SOLVERS.keys())


def same(one, other) -> bool:
    mine, theirs = one.state(), other.state()
    return all(np.array_equal(mine[name], theirs[name]) for name in mine if name != "seconds")


@EACH
def test_a_run_is_opened_by_its_name_and_goes_on_bit_for_bit(make):
    solver, straight = make(), make()
    solver.advance(7)
    straight.advance(12)
    sl.save(solver, "deck")
    saved = sl.load("deck")
    assert is_draw_run("deck") and saved.game.config() == solver.game.config()
    again = saved.solver()
    assert same(again, solver) and again.config() == solver.config()
    again.advance(5)
    assert same(again, straight)
    sl.save(again, "deck")  # a later state of the same run
    assert [run.iteration for run in sl.runs()] == [12]


@EACH
def test_a_run_travels_as_a_file(make, tmp_path):
    solver = make()
    trace = sl.Trace(sl.run(solver, every=5, until=sl.iterations(10), deals=1000))
    sl.save(solver, "deck", trace)
    file = store.export("deck", tmp_path)
    sl.delete("deck")
    back = store.import_run(file, "there")
    assert same(back.solver(), solver) and back.trace.rows == trace.rows
    assert same(load_draw("there").solver, solver)
    unsaved = tmp_path / "unsaved.zip"
    unsaved.write_bytes(store.to_zip(solver, "never saved"))
    assert same(store.import_run(unsaved).solver(), solver)


def test_an_opened_run_shows_what_was_measured():
    solver = SOLVERS["full width"]()
    trace = sl.Trace(sl.run(solver, every=5, until=sl.iterations(10), deals=1000))
    sl.save(solver, "deck", trace)
    snap = sl.load("deck").snapshot()
    assert (snap.value, snap.nash_conv) == (trace.last.value, trace.last.nash_conv)
    assert snap.metrics["lower"] == trace.last.metrics["lower"]
    assert snap.plan("7s2c").hand == "7s2c"
    solver.advance(1)
    sl.save(solver, "deck")
    assert "lower" not in sl.load("deck").snapshot().metrics  # nothing was measured at this iteration


@pytest.mark.parametrize(
    "game",
    [
        RealLowball(STACK, cards=3, ranks="23456789JQKA", per_rank=2),
        BettingLowball(4.0, limp=True, raises=[2.5], bets=[0.5, 1.0], cards=1),
    ],
)
def test_a_game_is_made_again_from_its_configuration(game):
    again = from_config(game.config())
    assert type(again) is type(game) and again.name == game.name and again.config() == game.config()


def test_another_game_is_not_taken_for_the_saved_one():
    solver = SOLVERS["full width"]()
    sl.save(solver, "deck")
    with pytest.raises(DamagedRun, match=r"another tree or other payoffs.*sl.load\('deck', game=...\)"):
        sl.load("deck", game=RealLowball(STACK + 1, cards=2))
    with pytest.raises(BadValue, match="would replace; choose another name or save with replace=True"):
        sl.save(DrawCFR(RealLowball(STACK + 1, cards=2), threads=1), "deck")


def test_the_same_deck_with_other_bets_is_another_game():
    def solver(**bets):
        return DrawBetting(BettingLowball(STACK, cards=1, **bets), threads=1)

    sl.save(solver(limp=True), "bets")
    with pytest.raises(BadValue, match="would replace; choose another name or save with replace=True"):
        sl.save(solver(raises=(2,)), "bets")
    with pytest.raises(DamagedRun, match="another tree or other payoffs"):
        sl.load("bets", game=BettingLowball(STACK, cards=1, limp=True, bets=(1,)))
