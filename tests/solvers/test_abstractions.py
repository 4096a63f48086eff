"""A coarser tie changes what is played, never the game: its price is measured in the real one."""

from __future__ import annotations

import numpy as np
import pytest
from games.random_games import games
from hypothesis import given, settings

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.core.tying import tie_hands


def ranks_only() -> np.ndarray:
    """Leduc's hands by rank: suits never matter, so nothing is lost."""
    return np.array([0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize("schedule", ["CFR", "CFR+", "LCFR", "DCFR", "PCFR+"])
def test_an_identity_tie_changes_nothing(schedule):
    game = sl.Leduc()
    plain, tied = sl.CFR(game, schedule), sl.CFR(game, schedule, tie=tie_hands(game.tree, np.arange(6)))
    one, other = plain.step(20), tied.step(20)
    np.testing.assert_array_equal(one.policy.sigma, other.policy.sigma)
    np.testing.assert_array_equal(one.current.sigma, other.current.sigma)


@settings(max_examples=20, deadline=None)
@given(games(players=2, hidden=False))
def test_an_identity_tie_changes_nothing_in_any_game(game):
    same = tie_hands(game.tree, np.arange(len(game.hands)))
    one, other = sl.CFR(game, "DCFR").step(10), sl.CFR(game, "DCFR", tie=same).step(10)
    np.testing.assert_array_equal(one.policy.sigma, other.policy.sigma)


@pytest.mark.parametrize("sampling", ["full", "chance", "external", "outcome"])
def test_an_identity_tie_changes_nothing_for_sampling(sampling):
    game = sl.Kuhn()
    same = tie_hands(game.tree, np.arange(3))
    one = sl.MCCFR(game, "CFR", sampling, rng=3).step(200)
    other = sl.MCCFR(game, "CFR", sampling, rng=3, tie=same).step(200)
    np.testing.assert_array_equal(one.policy.sigma, other.policy.sigma)


def test_forgetting_suits_costs_nothing_in_leduc():
    """A lossless abstraction: boards keep their suit, hands do not, and the real game is still solved."""
    game = sl.Leduc()
    solver = sl.CFR(game, "CFR+", tie=tie_hands(game.tree, ranks_only()))
    policy = solver.step(3000).policy
    assert solver.tables.regret.shape[1] == 3
    assert sl.exploitability(game, policy) < 1e-3
    assert sl.value(game, policy) == pytest.approx(-0.0856064, abs=1e-4)
    np.testing.assert_array_equal(policy.sigma[:, 0], policy.sigma[:, 1])


def test_merging_queens_with_jacks_has_a_price():
    """A lossy one converges, but not to an equilibrium; exact exploitability says how far it stays."""
    game = sl.Leduc()
    coarse = sl.CFR(game, "CFR+", tie=tie_hands(game.tree, [0, 0, 0, 0, 1, 1]))
    early, late = (sl.exploitability(game, coarse.step(n).policy) for n in (3000, 3000))
    fine = sl.exploitability(game, sl.CFR(game, "CFR+").step(3000).policy)
    assert early > 0.05 and late == pytest.approx(early, rel=0.05) and fine < 1e-3
    snap = coarse.snapshot()
    np.testing.assert_array_equal(snap.policy.sigma[:, 0], snap.policy.sigma[:, 3])


def test_one_bucket_for_all_is_playing_blind():
    """Kuhn without looking at the card: whatever is played, hands are played alike, and it costs a lot."""
    game = sl.Kuhn()
    blind = sl.CFR(game, "CFR+", tie=tie_hands(game.tree, [0, 0, 0])).step(1000).policy
    assert (blind.sigma == blind.sigma[:, :1]).all()
    assert sl.exploitability(game, blind) > 0.2


def test_sampling_under_an_abstraction():
    game = sl.Leduc()
    tie = tie_hands(game.tree, ranks_only())
    tied = sl.MCCFR(game, "CFR", "external", rng=1, tie=tie).step(20_000)
    assert sl.exploitability(game, tied.policy) < 0.2
    np.testing.assert_array_equal(tied.policy.sigma[:, 4], tied.policy.sigma[:, 5])


def test_buckets_in_the_place_of_a_tie_are_refused_and_solve_takes_the_tie():
    game, strength = sl.PushFold(10), sl.hand_strength("preflop")
    buckets = sl.Percentile(3).fit(strength.ehs, weights=strength.weight)
    for mistake in (lambda: sl.CFR(game, tie=buckets), lambda: sl.MCCFR(game, tie=buckets)):
        with pytest.raises(BadValue, match=r"Percentile is no tie; write tie=buckets.tie\(game\)"):
            mistake()
    with pytest.raises(BadValue, match="alternating is True or False, not Percentile"):
        sl.CFR(game, "DCFR", buckets)
    snap = sl.solve(game, "DCFR", until=sl.iterations(200), tie=buckets.tie(game))
    assert len(np.unique(snap.policy.sigma.round(9), axis=1).T) <= 3
    assert snap.exploitability > 1e-3  # what the abstraction costs in the real game
