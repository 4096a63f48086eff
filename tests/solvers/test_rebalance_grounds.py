"""One solver on two grounds: a small game is rebalanced exactly, a table of hold'em on sampled deals."""

from __future__ import annotations

import pytest
from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.core.check_solver import check_solver
from solverlab.solvers import RegretRebalance
from solverlab.solvers.growing.sampled.ground import SampledGround


def test_the_newcomers_lines_grow_a_forest():
    table = Holdem(players=3, stack=20)
    solver = sl.Rebalance(
        table, squash="tanh", scale=1.0, frontier=sl.MostReached(k=4), samples=50, rng=7, sweeps=2
    )
    assert type(solver) is sl.Rebalance and isinstance(solver.ground, SampledGround) and solver.samples == 50
    snaps = list(sl.run(solver, every=2, until=sl.iterations(4)))
    assert [snap.iteration for snap in snaps] == [2, 4]
    assert all(len(snap.events) == 12 for snap in snaps)  # four leaves for each of three positions


def test_settings_without_names_keep_their_order():
    solver = sl.Rebalance(Holdem(), "arctan", 2.0, "centred", sl.HighestEV(2), 20, None, 5)
    assert (solver.squash.name, solver.scale, solver.ev, solver.samples, solver.seed) == (
        "arctan", 2.0, "centred", 20, 5,
    )  # fmt: skip
    assert isinstance(sl.Rebalance(sl.Kuhn(), "arctan", 2.0, "centred"), sl.Rebalance)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"start": 0.6}, "a forest starts every node alike; use start=None"),
        ({"leaf": "guess"}, "there is no leaf value 'guess'"),
        ({"returned": True}, "returned is a setting of small games; give the table match=False"),
        ({"scale": 0}, "a scale of 0 cannot be used"),
        ({"squash": "sinh"}, "there is no squash 'sinh'"),
        ({"sampels": 5}, "there is no setting of sl.Rebalance 'sampels'; known: .*samples"),
    ],
)
def test_what_a_forest_cannot_do(settings, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        sl.Rebalance(Holdem(), **settings)


GROWN = {"frontier": sl.MostReached(k=4), "sweeps": 2, "samples": 20, "rng": 3}


@pytest.mark.parametrize(
    ("make", "game", "settings"),
    [
        (sl.Rebalance, sl.Kuhn, {"scale": 2.0}),
        (sl.Rebalance, sl.Kuhn, GROWN),
        (sl.Rebalance, lambda: Holdem(2, stack=6.0), GROWN),
        (RegretRebalance, sl.Kuhn, {"schedule": "DCFR", "frontier": sl.MostReached(2), "sweeps": 2}),
    ],
)
def test_it_keeps_the_contract_of_solvers_on_both_grounds(make, game, settings):
    check_solver(make(game(), **settings), **settings)
