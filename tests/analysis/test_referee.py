"""An independent referee: linear programmes give the values, and every schedule comes to them."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games
from games.some_limit_games import SOME
from hypothesis import given, settings

import solverlab as sl
from solverlab.analysis.referee import MOST_SEQUENCES
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.tree import Choice
from solverlab.run.growing.growth import growing
from solverlab.solvers import SCHEDULES

SLOW = ("CFR", "LCFR")  # plain and linear CFR creep; every other schedule comes closer
TARGETS = {schedule: 2e-3 if schedule in SLOW else 1e-5 for schedule in SCHEDULES}
# How many iterations each needs on Kuhn and on Leduc to be within its target.
ITERATIONS = {"Kuhn": 50_000, "Leduc": 20_000}
VALUES = {"Kuhn": -1 / 18, "Leduc": -0.0856064}
PLACES = {"Kuhn": 1e-9, "Leduc": 1e-7}
MAKERS = {"Kuhn": sl.Kuhn, "Leduc": sl.Leduc}


@pytest.fixture(scope="module", params=MAKERS)
def name(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def equilibrium(name):
    return sl.solve_lp(MAKERS[name]())


def test_known_values(name, equilibrium):
    assert equilibrium.value == pytest.approx(VALUES[name], abs=PLACES[name])
    game = MAKERS[name]()
    assert sl.exploitability(game, equilibrium.policy) == pytest.approx(0.0, abs=1e-9)
    assert sl.value(game, equilibrium.policy) == pytest.approx(equilibrium.value, abs=1e-9)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_comes_to_the_referees_value(name, schedule, equilibrium):
    solver = sl.CFR(MAKERS[name](), schedule)
    policy = solver.step(ITERATIONS[name]).policy
    assert sl.value(solver.game, policy) == pytest.approx(equilibrium.value, abs=TARGETS[schedule])
    assert 0.0 <= sl.exploitability(solver.game, policy) < TARGETS[schedule]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_simultaneous_updates_converge_too(schedule):
    solver = sl.CFR(sl.Kuhn(), schedule, alternating=False)
    start = sl.exploitability(solver.game, solver.snapshot().policy)
    assert sl.exploitability(solver.game, solver.step(3000).policy) < 0.01 < start


def test_kuhn_equilibria_are_kuhns_family():
    """Kuhn 1950: bluff the jack with probability a <= 1/3, raise the king three times as often."""
    game = sl.Kuhn()
    for schedule in ("CFR", "CFR+", "DCFR", "PCFR+"):
        policy = sl.CFR(game, schedule).step(20_000).policy
        bluff = policy.at("", "J")["raise"]
        assert 0.0 <= bluff < 1 / 3 + 0.02
        assert policy.at("", "K")["raise"] == pytest.approx(3 * bluff, abs=0.03)
        assert policy.at("", "Q")["raise"] < 0.01
        assert policy.at("check/raise", "Q")["call"] == pytest.approx(bluff + 1 / 3, abs=0.02)
        assert policy.at("raise", "Q")["call"] == pytest.approx(1 / 3, abs=0.01)
        assert policy.at("check", "J")["raise"] == pytest.approx(1 / 3, abs=0.01)


@settings(max_examples=25, deadline=None)
@given(games(players=2, zero_sum=True))
def test_random_games_end_at_the_referees_value(game):
    """Hidden moves, correlated deals, chance: the two players' programmes meet, and PCFR+ comes there."""
    found = sl.solve_lp(game)
    assert sl.exploitability(game, found.policy) == pytest.approx(0.0, abs=1e-8)
    assert sl.value(game, found.policy) == pytest.approx(found.value, abs=1e-8)
    assert sl.value(game, sl.CFR(game, "PCFR+").step(2000).policy) == pytest.approx(found.value, abs=2e-3)


@pytest.mark.parametrize(
    "rules", ["blinds", "two hole cards", "board first", "short stacks", "five cards in all"]
)
def test_limit_pokers_of_all_kinds_are_refereed(rules):
    game = sl.LimitPoker(**SOME[rules])
    found = sl.solve_lp(game)
    assert sl.exploitability(game, found.policy) == pytest.approx(0.0, abs=1e-8)
    assert sl.value(game, sl.CFR(game, "PCFR+").step(1000).policy) == pytest.approx(found.value, abs=5e-3)


def test_matrix_games():
    assert sl.solve_lp(sl.RockPaperScissors()).value == pytest.approx(0.0, abs=1e-12)
    third = sl.solve_lp(sl.RockPaperScissors()).policy
    np.testing.assert_allclose(third.sigma[1:], 1 / 3)
    uneven = sl.HiddenMoves("uneven pennies", {"h": {"h": 3, "t": -1}, "t": {"h": -1, "t": 1}})
    found = sl.solve_lp(uneven)
    assert found.value == pytest.approx(1 / 3) and found.policy.at("")["h"] == pytest.approx(1 / 3)


class Prisoners(sl.HiddenMoves):
    """Two players, but not zero-sum."""

    def payoff(self, state, *hands):
        mine, theirs = state
        return self.wins[mine][theirs], self.wins[theirs][mine]


def test_what_the_referee_does_not_judge():
    with pytest.raises(BadValue, match="needs two players, 3-player Kuhn poker has 3; use deviation_gains"):
        sl.solve_lp(sl.Kuhn(players=3))
    dilemma = Prisoners("dilemma", {"c": {"c": 3, "d": 0}, "d": {"c": 5, "d": 1}})
    with pytest.raises(BadValue, match="dilemma is not zero-sum; the linear programme is exact for zero-sum"):
        sl.solve_lp(dilemma)
    policy = sl.CFR(dilemma, "CFR+").step(2000).policy
    assert policy.at("")["d"] > 0.99 and max(sl.deviation_gains(dilemma, policy)) < 0.01


class Menu(sl.SmallGame):
    """One choice among more dishes than the referee tastes."""

    name = "a long menu"

    def children(self, state):
        return None if state else Choice(0, {f"dish {n}": f"{n}" for n in range(MOST_SEQUENCES)})

    def payoff(self, state, *hands):
        return (0, 0)


def test_too_many_sequences_are_refused_with_their_number_before_anything_is_written():
    with pytest.raises(TooLarge, match="Leduc hold'em has 1,303 sequences, more than the referee's 100"):
        sl.solve_lp(sl.Leduc(), most_sequences=100)
    assert sl.solve_lp(sl.Leduc(), most_sequences=1303).value == pytest.approx(VALUES["Leduc"], abs=1e-7)
    with pytest.raises(TooLarge, match="a long menu has 20,001 sequences, more than the referee's 20,000"):
        growing(Menu(), sl.MostReached(k=1), leaf="solved")
