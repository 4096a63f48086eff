"""Driving the draw game: measured snapshots, the value from stack to stack, where it falls through zero."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Status
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.proof import lowball_betting, lowball_real
from solverlab.run.lowball_real import crossing, real_curve, value_interval
from solverlab.run.stopping import Until, below, iterations
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw


def test_a_run_stops_at_its_target_and_says_so():
    solver = DrawCFR(RealLowball(3, cards=2), threads=1)
    snaps = list(sl.run(solver, every=10, until=iterations(200) | below("nash_conv", 0.01), deals=40_000))
    assert snaps[-1].status is Status.REACHED
    assert snaps[-1].nash_conv <= 0.01 < snaps[0].nash_conv
    assert [snap.iteration for snap in snaps] == list(range(10, 10 * len(snaps) + 1, 10))


def test_a_sampled_run_is_driven_the_same_way():
    solver = SampledDraw(RealLowball(3, cards=1), rng=2)
    snap = list(sl.run(solver, every=20_000, until=iterations(50_000), deals=10_000))[-1]
    assert (snap.iteration, snap.status) == (50_000, Status.STOPPED)


@pytest.mark.parametrize(
    ("settings", "words"), [({"until": Until()}, "never ends"), ({"every": 0}, "at least 1")]
)
def test_runs_without_end_are_refused(settings, words):
    with pytest.raises(BadValue, match=words):
        sl.run(DrawCFR(RealLowball(3, cards=1)), **settings)


def test_the_curve_goes_from_stack_to_stack_and_agrees_with_a_fresh_solve():
    rows = real_curve([2.0, 3.0, 12.0], n=30, deals=60_000, cards=2)
    fresh = DrawCFR(RealLowball(12.0, cards=2), threads=1)
    alone = fresh.measure(fresh.step(60), deals=1000).metrics["model_value"]
    assert rows[2]["model_value"] == pytest.approx(alone, abs=0.003)
    assert all(row["model_nash_conv"] < 0.01 for row in rows)
    assert all(value_interval(row)[0] < row["model_value"] < value_interval(row)[1] for row in rows)
    low, middle, high = crossing(rows)
    assert 3.0 < low < middle < high < 12.0
    assert crossing(rows[:2]) is None


def test_a_solver_moves_to_another_stack_of_its_own_deck_only():
    solver = DrawCFR(RealLowball(3, cards=2), threads=1)
    solver.step(5)
    moved = solver.moved(RealLowball(4, cards=2))
    assert moved.model.stack == 4.0 and not np.any(moved.tables["first"].total)
    with pytest.raises(BadValue, match="another deck"):
        moved.moved(RealLowball(4, cards=1))


@pytest.mark.parametrize("prove", [lowball_real.prove, lowball_betting.prove])
def test_the_quick_proofs_hold(prove):
    verdict = prove(quick=True)
    assert verdict.holds, [claim.record() for claim in verdict.claims if not claim.holds]


def test_solve_finds_the_solver_that_knows_every_bet():
    game = BettingLowball(4.0, limp=True, bets=(1.0,), reraise=True, cards=1)
    snap = sl.solve(game, "DCFR", until=iterations(5))
    assert set(snap.policy) > {"limp", "limp/check|", "limp/check|bet 2/push"}
    assert snap.value == pytest.approx(snap.metrics["model_value"], abs=5 * snap.metrics["value_error"])
