"""Sampled numbers are right on average: values of every infoset, and the averages that come out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.history import unroll
from solverlab.core.kernel import kernel
from solverlab.games import game_named
from solverlab.proof.sampling import compare, fixed_strategy
from solverlab.solvers import SAMPLINGS
from solverlab.solvers.walks import Ground, Plan, ground_of, walk

# A full walk draws nothing: any two are equal, and a few show it.
WALKS = {"full": 50, "chance": 20_000, "external": 60_000, "outcome": 300_000}
NAMES = ["kuhn", "leduc", "kuhn-3", "rock-paper-scissors"]


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("name", NAMES)
def test_sampled_values_average_to_the_exact_sweep_for_every_infoset(name, sampling):
    """Within five standard errors, for every player and every row of the tables, all of them visited."""
    game = game_named(name)
    sigma = fixed_strategy(game)
    for me in range(game.n_players):
        found = compare(game, sigma, SAMPLINGS[sampling], me, WALKS[sampling])
        assert found["fewest_visits"] > 0 and found["rows_worth_something"] == found["rows"]
        assert found["standard_errors"] < 5.0 and found["rounding"] < 1e-12
        assert (found["standard_errors"] == 0.0) == nothing_is_drawn(name, sampling)


def nothing_is_drawn(name: str, sampling: str) -> bool:
    return sampling == "full" or (sampling == "chance" and name == "rock-paper-scissors")


def ground_with(game, regret: np.ndarray) -> Ground:
    ground = ground_of(unroll(game), math.prod(game.tie.shape))
    ground.regret[:] = regret
    return ground


@kernel
def walk_often(ground, plan, walks, rng):
    for _ in range(walks):
        walk(ground, plan, rng)
        ground.visits[0] = 0


def averaged(game, regret: np.ndarray, plan: Plan, walks: int, rng) -> np.ndarray:
    """What `walks` walks add to the average, by row and walk."""
    ground = ground_with(game, regret)
    walk_often(ground, plan, walks, rng)
    return ground.total / walks


@pytest.mark.parametrize("sampling", ["chance", "external", "outcome"])
@pytest.mark.parametrize("name", ["kuhn", "kuhn-3"])
def test_sampled_averages_are_unbiased_even_where_somebody_never_goes(name, sampling):
    """A fifth of all actions is never played: what the others' averages gain must not depend on that."""
    game, row = game_named(name), SAMPLINGS[sampling]
    rng = np.random.default_rng(12)
    size = math.prod(game.tie.shape)
    regret = rng.random(size) * (rng.random(size) > 0.2)
    for me in range(game.n_players):
        drawn = (row.own, row.others, row.chance, row.explore)
        plan = Plan(me, (me + 1) % game.n_players, *drawn, prediction=0.0, weight=1.0)
        everything = Plan(me, plan.averaged, True, True, True, 0.6, prediction=0.0, weight=1.0)
        exact = averaged(game, regret, everything, 1, rng)
        batches = np.array([averaged(game, regret, plan, 1000, rng) for _ in range(50)])
        error = batches.std(axis=0, ddof=1) / math.sqrt(len(batches))
        off = np.abs(batches.mean(axis=0) - exact)
        assert exact.max() > 0 and (off[error < 1e-12] < 1e-12).all()
        assert (off[error >= 1e-12] < 5 * error[error >= 1e-12]).all()


@pytest.mark.parametrize(
    ("schedule", "sampling", "iterations", "target"),
    [
        ("CFR", "chance", 20_000, 0.01),
        ("CFR", "external", 20_000, 0.012),
        ("CFR", "outcome", 60_000, 0.02),
        ("CFR+", "external", 20_000, 0.02),
        ("LCFR", "external", 20_000, 0.012),
        ("DCFR", "external", 20_000, 0.02),
        ("PCFR+", "chance", 20_000, 0.02),
    ],
)
def test_sampled_kuhn_comes_near_equilibrium(schedule, sampling, iterations, target):
    game = sl.Kuhn()
    snap = sl.MCCFR(game, schedule, sampling, rng=1).step(iterations)
    assert sl.exploitability(game, snap.policy) < target < sl.exploitability(game, snap.current) + 1


@pytest.mark.parametrize(
    ("sampling", "iterations"),
    [("full", 300), ("chance", 60_000), ("external", 150_000), ("outcome", 200_000)],
)
def test_three_player_kuhn_comes_to_rest_with_every_sampling_row(sampling, iterations):
    """No seat gains more than a hundredth of a chip by deviating alone."""
    game = sl.Kuhn(players=3)
    snap = sl.MCCFR(game, "CFR", sampling, rng=1).step(iterations)
    gains = sl.deviation_gains(game, snap.policy)
    assert len(gains) == 3 and 0.0 <= min(gains) and max(gains) < 1e-2


@pytest.mark.parametrize("schedule", ["CFR", "CFR+", "LCFR", "DCFR", "PCFR+"])
def test_three_player_kuhn_comes_to_rest_with_every_schedule(schedule):
    game = sl.Kuhn(players=3)
    assert max(sl.deviation_gains(game, sl.CFR(game, schedule).step(1000).policy)) < 1e-2


def test_a_sampling_row_of_ones_own():
    """Own moves drawn, the others' walked in full: no textbook row, and it converges all the same."""
    game = sl.Kuhn()
    mine = sl.Sampling("mine", own=False, others=True, chance=False, explore=0.5)
    snap = sl.MCCFR(game, "CFR", mine, rng=2).step(30_000)
    assert sl.exploitability(game, snap.policy) < 0.02


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: sl.MCCFR(sl.Kuhn(), sampling="externel"),
            "no sampling 'externel'; known: full, chance, external",
        ),
        (lambda: sl.Sampling("none", explore=0.0), "exploration is 0.0; give a number above 0 and at most 1"),
        (lambda: sl.Sampling("none", explore=math.nan), "exploration is nan; give a number above 0"),
        (lambda: sl.MCCFR(sl.Kuhn(), rng=-1), "the seed is -1; give a whole number of at least 0"),
        (lambda: sl.MCCFR(sl.Kuhn(), rng="seven"), "the seed is 'seven'; give a whole number"),
        (lambda: sl.MCCFR(sl.Kuhn()).step(-3), "cannot run -3 iterations; give a whole number of at least 0"),
        (lambda: sl.MCCFR(sl.Kuhn()).step(2.5), "cannot run 2.5 iterations"),
    ],
)
def test_bad_sampling_is_refused(make, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        make()


def test_only_generators_that_can_be_saved_are_saved():
    solver = sl.MCCFR(sl.Kuhn(), rng=np.random.Generator(np.random.Philox(1)))
    solver.step(2)
    with pytest.raises(
        sl.SolverlabError, match="a Philox generator cannot be saved; use numpy.random.default_rng"
    ):
        solver.state()
    saved = sl.MCCFR(sl.Leduc()).state()
    with pytest.raises(sl.SolverlabError, match="the saved regret has shape .* but this game needs"):
        sl.MCCFR.from_state(sl.Kuhn(), saved)
