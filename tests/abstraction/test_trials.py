"""Strength by random trials: unbiased, with honest standard errors, and refused where it makes no sense."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.abstraction.trials import MOST_TRIALS, TRIALS, sampled_strength
from solverlab.core.errors import BadValue

HANDS = [("AhKh", "Td9d6h"), ("2c7d", "2h2s9c"), ("QsJs", "Ts9s2d4c"), ("AhAd", "KhKdKs2c2d")]


@pytest.mark.parametrize(("hole", "board"), HANDS)
def test_trials_find_the_exact_strength(hole, board):
    exact, found = sl.hand_strength(hole, board), sl.hand_strength(hole, board, trials=400_000, rng=5)
    assert abs(found.ehs - exact.ehs) < 5 * found.ehs_error
    assert abs(found.ehs2 - exact.ehs2) < 5 * found.ehs2_error


def test_ten_thousand_trials_are_good_to_half_a_percent():
    """Document 004's number of trials: the standard error is at most 0.005, whatever the hand."""
    assert TRIALS == 10_000
    assert all(sampled_strength(*hand).ehs_error <= 0.005 for hand in HANDS)


def test_standard_errors_are_the_spread_over_many_streams():
    found = [sampled_strength("QsJs", "Ts9s2d4c", 2_000, rng=seed) for seed in range(400)]
    for value, error in (("ehs", "ehs_error"), ("ehs2", "ehs2_error")):
        spread = np.std([getattr(one, value) for one in found], ddof=1)
        told = np.mean([getattr(one, error) for one in found])
        # the standard deviation of 400 numbers is known to 1 / sqrt(800) = 3.5 %
        assert spread / told == pytest.approx(1, abs=5 / np.sqrt(800))


def test_one_stream_gives_one_answer():
    assert sampled_strength("AhKh", "Td9d6h", rng=3) == sampled_strength("AhKh", "Td9d6h", rng=3)
    assert sampled_strength("AhKh", "Td9d6h", rng=3) != sampled_strength("AhKh", "Td9d6h", rng=4)


@pytest.mark.parametrize("trials", [1, 0, -5, 2.5, "many", True, MOST_TRIALS + 1])
def test_a_number_of_trials_that_makes_no_sense_is_refused(trials):
    with pytest.raises(BadValue, match="take a whole number from 2 to 10,000,000"):
        sampled_strength("AhKh", "Td9d6h", trials)


def test_whole_streets_are_not_sampled():
    with pytest.raises(BadValue, match="every hand of the flop is known exactly"):
        sl.hand_strength("flop", trials=100)
