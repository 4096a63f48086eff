"""Betting before and after the draw: push/fold is its smallest case, the referee knows the next."""

from __future__ import annotations

import numpy as np
import pytest
from solvers.naive_draw import OneCard

from solverlab.analysis import solve_lp
from solverlab.core.errors import BadValue
from solverlab.games.lowball_real import RealLowball
from solverlab.games.lowball_real_betting import BettingLowball
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.betting_score import score_betting
from solverlab.solvers.draw.cfr import DrawCFR

STACK = 3.0


def gap(solver: DrawBetting) -> tuple[float, float]:
    """The button's value of the average policy and both best responses' gains together, in the model."""
    policy = solver.policy()
    values = [solver.value_of(me, policy) for me in (0, 1)]
    best = [solver.answer(me, policy)[0] for me in (0, 1)]
    return (values[0] - values[1]) / 2, sum(best) - sum(values)


def test_without_more_actions_it_is_push_fold():
    tree = DrawBetting(BettingLowball(STACK, cards=2), order=1, threads=1)
    plain = DrawCFR(RealLowball(STACK, cards=2), order=1, threads=1)
    tree.advance(12)
    plain.advance(12)
    policy, same = tree.policy(), plain.policy()
    assert np.allclose(policy[""][:, 1], same.push, atol=1e-4)
    assert np.allclose(policy["push/call:first"], same.first, atol=1e-4)
    assert np.allclose(policy["push/call:second"], same.second, atol=1e-4)


@pytest.mark.parametrize("stack", [3.0, 8.0])
def test_a_limp_is_worth_what_the_linear_programme_says(stack):
    exact = [solve_lp(OneCard(13, 4, stack, limp)).value for limp in (False, True)]
    found = []
    for limp in (False, True):
        solver = DrawBetting(BettingLowball(stack, limp=limp, cards=1), order=1, threads=1)
        solver.advance(150)
        found.append(gap(solver)[0])
    assert found == pytest.approx(exact, abs=0.004)
    assert found[1] - found[0] == pytest.approx(exact[1] - exact[0], abs=0.002)


def test_betting_after_the_draw_comes_to_rest_and_is_zero_sum():
    solver = DrawBetting(BettingLowball(8.0, limp=True, bets=(1,), cards=2), order=0, threads=1)
    solver.advance(20)
    early = gap(solver)[1]
    solver.advance(60)
    policy = solver.policy()
    assert solver.value_of(0, policy) == pytest.approx(-solver.value_of(1, policy), abs=1e-9)
    assert 0 <= gap(solver)[1] < min(early, 0.02)


def test_fresh_deals_agree_with_the_model():
    solver = DrawBetting(BettingLowball(6.0, limp=True, raises=(2,), bets=(1,), cards=2), order=1, threads=1)
    solver.advance(25)
    policy = solver.policy()
    answers = [solver.answer(me, policy)[1] for me in (0, 1)]
    found = score_betting(solver, policy, answers, 60_000, rng=3)
    value, distance = gap(solver)
    assert found.value == pytest.approx(value, abs=5 * found.value_error + 0.005)
    assert found.nash_conv == pytest.approx(distance, abs=5 * found.nash_conv_error + 0.005)


@pytest.mark.parametrize(
    ("options", "words"), [({"raises": (5,)}, "all in"), ({"raises": (1,)}, "limp"), ({"bets": (0,)}, "pot")]
)
def test_impossible_sizes_are_refused(options, words):
    with pytest.raises(BadValue, match=words):
        BettingLowball(STACK, cards=2, **options)
