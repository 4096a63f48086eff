"""Oscillation: known periods are found, rest is called rest, and rebalanced pennies go round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.analysis import oscillation
from solverlab.run import follow_paths

HEADS = (("", "heads"), ("heads", "heads"))


@settings(max_examples=60, deadline=None)
@given(st.floats(6, 60), st.floats(0.01, 0.5), st.floats(0, 6), st.integers(0, 99))
def test_a_known_period_and_amplitude_are_found(period, amplitude, shift, seed):
    t = np.arange(600)
    noise = np.random.default_rng(seed).normal(0, amplitude / 200, len(t))
    found = oscillation(0.5 + amplitude * np.sin(2 * np.pi * t / period + shift) + noise)
    assert found.period == pytest.approx(period, rel=0.03)
    assert found.amplitude == pytest.approx(amplitude, rel=0.15)
    assert found.turns >= 300 / period - 3


@pytest.mark.parametrize(
    ("series", "words"),
    [
        (np.full(40, 0.3), "Lately it moves by less than 0.001."),
        (0.5 + 0.5 * 0.8 ** np.arange(200), "Lately it moves by less than 0.001."),
        (np.linspace(0, 1, 100), "Lately it moved by 0.495 and did not come round."),
        (0.5 + 0.3 * np.sin(np.arange(300)), "every 6.28 sweeps by 0.3 either way, steady"),
        (0.5 + 0.001 * 1.02 ** np.arange(300) * np.sin(np.arange(300)), "growing"),
        (0.5 + 0.4 * 0.99 ** np.arange(300) * np.sin(np.arange(300)), "dying down"),
    ],
)
def test_the_finding_in_words(series, words):
    assert words in oscillation(series).sentence


def test_two_states_in_turn_have_period_two():
    found = oscillation(np.tile([0.2, 0.8], 20))
    assert found.period == 2 and found.amplitude == pytest.approx(0.3)


def test_rebalanced_pennies_go_round_and_outwards():
    went = follow_paths(sl.Rebalance(sl.MatchingPennies(), start=0.51, scale=4.0), *HEADS, steps=160)
    first, second = (oscillation(went.series(i)) for i in range(2))
    assert first.turns >= 2 and first.growth > 1.2 and second.growth > 1.2
    assert first.period == pytest.approx(second.period, rel=0.1)
    phase = went.phase()
    radius = np.hypot(phase["x"] - 0.5, phase["y"] - 0.5)
    assert list(phase.columns) == ["iteration", "x", "y"] and len(phase) == 161
    assert radius.iloc[-1] > 3 * radius.iloc[0]
    assert list(went.frame().columns) == ["iteration", "root: heads", "heads: heads"]


def test_regret_matching_plus_comes_to_rest_where_rebalancing_does_not():
    game = sl.MatchingPennies()
    rest = follow_paths(sl.CFR(game, "PCFR+"), HEADS[0], steps=2000, every=10, average=True)
    round_about = follow_paths(sl.Rebalance(game, start=0.6, scale=2.0), HEADS[0], steps=400)
    assert oscillation(rest.series()).amplitude < 0.01 < 0.4 < oscillation(round_about.series()).amplitude


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda s: follow_paths(s, steps=5), "nothing is watched; name at least one"),
        (
            lambda s: follow_paths(s, ("", "jam"), steps=5),
            "no action 'jam' at node ''; it offers heads, tails",
        ),
        (lambda s: follow_paths(s, ("left", "heads"), steps=5), "there is no node 'left'"),
        (lambda s: follow_paths(s, HEADS[0], steps=0), "steps is 0; give a whole number"),
        (lambda s: follow_paths(s, HEADS[0], steps=4, every=1.5), "every is 1.5; give a whole number"),
        (lambda s: oscillation([0.1, 0.2]), "cannot be judged; give at least 8 finite numbers"),
        (lambda s: oscillation([np.nan] * 20), "cannot be judged"),
    ],
)
def test_what_cannot_be_followed(ask, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        ask(sl.Rebalance(sl.MatchingPennies()))
