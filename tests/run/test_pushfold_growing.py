"""Push/fold trees as they are watched: rows, inspections, measures, saved moments and the notebook's lab."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.run.growing.exact import ExactRun
from solverlab.run.growing.rows import Pick


@pytest.fixture(scope="module", params=[2, 3])
def game(request):
    return sl.PushFold(10, players=request.param)


def grown(game, **settings):
    growing = ExactRun(sl.Rebalance(game, frontier=sl.MostReached(3), **settings))
    for _ in range(2):
        growing.rebalance()
        growing.expand()
    growing.rebalance()
    return growing


@pytest.mark.parametrize("returned", [False, True], ids=["matched", "returned"])
def test_an_growing_grows_and_measures_push_fold(game, returned):
    growing = grown(game, returned=returned)
    row = growing.measure()
    assert growing.exact and growing.unit == "big blinds" and row["epoch"] == 2
    assert len(row["gains"]) == game.n_players and min(row["gains"]) > -1e-12
    policy = growing.solver.snapshot().policy
    assert row["lifted"] == pytest.approx(np.mean(sl.deviation_gains(game, policy)), abs=1e-12)
    assert growing.size == game.n_players * (169 + 2 * 6)  # a root each, and two actions for six hands


def test_aces_can_be_looked_at(game):
    growing = grown(game)
    looked = growing.inspect(0, 0, game.names.hand("AA"))
    assert looked.kind == "action" and looked.grown.startswith("number 1 of its position")
    assert {action.action for action in looked.actions} == {"fold", "jam"}
    fold, jam = looked.actions  # a jam counts as called; folding costs the button nothing
    assert jam.ev > 5 > 0 >= fold.ev and jam.after > jam.before > 0.6
    rows = growing.rows(Pick(seat=0))
    assert np.isfinite(rows.ev[rows.reach > 0]).all() and rows.reach.max() <= 1 + 1e-9


def test_a_moment_is_restored_and_played_on_bit_for_bit(game):
    growing = grown(game)
    twin = growing.restored(growing.state())
    growing.rebalance(), twin.rebalance()
    assert growing.solver.ground.sigma.tobytes() == twin.solver.ground.sigma.tobytes()
    assert growing.measure() == twin.measure()


def test_a_lab_grows_push_fold_with_showdowns(game):
    lab = sl.ui.GrowLab(game, frontier=sl.MostReached(1), sweeps=2)
    lab.rebalance(2)
    grew = lab.expand()
    assert [(one.seat, one.hand) for one in grew] == [(seat, "AA") for seat in game.names.players]
    assert lab.inspect(game.names.players[0], hand="AA").kind == "action"
    lab.close()
