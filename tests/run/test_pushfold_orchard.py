"""Push/fold trees as they are watched: rows, inspections, measures, saved moments and the notebook's lab."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.run.orchard import Pick
from solverlab.run.orchard_exact import ExactOrchard


@pytest.fixture(scope="module", params=[2, 3])
def game(request):
    return sl.PushFold(10, players=request.param)


def grown(game, **settings):
    orchard = ExactOrchard(sl.Rebalance(game, frontier=sl.MostReached(3), **settings))
    for _ in range(2):
        orchard.rebalance()
        orchard.expand()
    orchard.rebalance()
    return orchard


@pytest.mark.parametrize("returned", [False, True], ids=["matched", "returned"])
def test_an_orchard_grows_and_measures_push_fold(game, returned):
    orchard = grown(game, returned=returned)
    row = orchard.measure()
    assert orchard.exact and orchard.unit == "big blinds" and row["epoch"] == 2
    assert len(row["gains"]) == game.n_players and min(row["gains"]) > -1e-12
    policy = orchard.solver.snapshot().policy
    assert row["lifted"] == pytest.approx(np.mean(sl.deviation_gains(game, policy)), abs=1e-12)
    assert orchard.size == game.n_players * (169 + 2 * 6)  # a root each, and two actions for six hands


def test_aces_can_be_looked_at(game):
    orchard = grown(game)
    looked = orchard.inspect(0, 0, game.names.hand("AA"))
    assert looked.kind == "action" and looked.grown.startswith("number 1 of its position")
    assert {action.action for action in looked.actions} == {"fold", "jam"}
    fold, jam = looked.actions  # a jam counts as called; folding costs the button nothing
    assert jam.ev > 5 > 0 >= fold.ev and jam.after > jam.before > 0.6
    rows = orchard.rows(Pick(seat=0))
    assert np.isfinite(rows.ev[rows.reach > 0]).all() and rows.reach.max() <= 1 + 1e-9


def test_a_moment_is_restored_and_played_on_bit_for_bit(game):
    orchard = grown(game)
    twin = orchard.restored(orchard.state())
    orchard.rebalance(), twin.rebalance()
    assert orchard.solver.sigma.tobytes() == twin.solver.sigma.tobytes()
    assert orchard.measure() == twin.measure()


def test_a_lab_grows_push_fold_with_showdowns(game):
    lab = sl.ui.GrowLab(game, frontier=sl.MostReached(1), sweeps=2)
    lab.rebalance(2)
    grew = lab.expand()
    assert [(one.seat, one.hand) for one in grew] == [(seat, "AA") for seat in game.names.players]
    assert lab.inspect(game.names.players[0], hand="AA").kind == "action"
    lab.close()
