"""Another implementation says the same, iteration by iteration: exploitability equals OpenSpiel's to 1e-8."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import discounted_cfr

import solverlab as sl

ITERATIONS = 50
GAMES = {"kuhn_poker": sl.Kuhn, "leduc_poker": sl.Leduc}
SOLVERS = {
    "CFR": pyspiel.CFRSolver,
    "CFR+": pyspiel.CFRPlusSolver,
    "LCFR": discounted_cfr.LCFRSolver,
    "DCFR": discounted_cfr.DCFRSolver,
}


def theirs(solver, iterations: int, measure) -> list[float]:
    """OpenSpiel's own number after each of its iterations, always with its compiled best response."""
    numbers = []
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        if not isinstance(policy, pyspiel.Policy):  # the solvers written in Python
            policy = pairs(policy)
        numbers.append(measure(policy))
    return numbers


class Measured:
    """OpenSpiel's exploitability of one policy after another: best responses keep the tree they made."""

    def __init__(self, game: pyspiel.Game):
        uniform = pyspiel.UniformRandomPolicy(game)
        self.start = game.new_initial_state()
        self.responses = [pyspiel.TabularBestResponse(game, player, uniform) for player in range(2)]

    def __call__(self, policy) -> float:
        for response in self.responses:
            response.set_policy(policy)
        return sum(response.value_from_state(self.start) for response in self.responses) / 2


def pairs(policy) -> dict:
    """A tabular policy as OpenSpiel's compiled side reads it: infostate to (action, probability) pairs."""
    legal = policy.legal_actions_mask
    return {
        state: [(int(a), float(policy.action_probability_array[row, a])) for a in np.flatnonzero(legal[row])]
        for state, row in policy.state_lookup.items()
    }


@pytest.mark.parametrize("name", GAMES)
def test_kept_best_responses_say_what_openspiels_exploitability_says(name):
    game = pyspiel.load_game(name)
    solver, measured = pyspiel.CFRSolver(game), Measured(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        assert measured(policy) == pytest.approx(pyspiel.exploitability(game, policy), abs=1e-12)


@pytest.mark.parametrize("schedule", SOLVERS)
@pytest.mark.parametrize("name", GAMES)
def test_exploitability_equals_openspiels_for_50_iterations(name, schedule):
    game = pyspiel.load_game(name)
    peer = theirs(SOLVERS[schedule](game), ITERATIONS, Measured(game))
    solver = sl.CFR(GAMES[name](), schedule)
    ours = [sl.exploitability(solver.game, solver.step(1).policy) for _ in range(ITERATIONS)]
    assert len(set(ours)) > ITERATIONS / 2, "a constant would prove nothing"
    np.testing.assert_allclose(ours, peer, rtol=0, atol=1e-8)


def test_three_player_deviation_gains_sum_to_openspiels_nash_conv():
    """Three-player Kuhn, for the uniform policy and along 20 iterations of CFR."""
    game, solver = pyspiel.load_game("kuhn_poker(players=3)"), sl.CFR(sl.Kuhn(players=3), "CFR")
    uniform = sum(sl.deviation_gains(solver.game, sl.uniform_policy(solver.game)))
    assert uniform == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)), abs=1e-12)
    peer = theirs(pyspiel.CFRSolver(game), 20, lambda policy: pyspiel.nash_conv(game, policy))
    ours = [sum(sl.deviation_gains(solver.game, solver.step(1).policy)) for _ in range(20)]
    np.testing.assert_allclose(ours, peer, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", GAMES)
def test_value_of_play_equals_openspiels(name):
    """What each player wins with the average policy of 20 iterations, by OpenSpiel's own walk."""
    game, solver = pyspiel.load_game(name), pyspiel.CFRSolver(pyspiel.load_game(name))
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    peer = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    mine = sl.CFR(GAMES[name](), "CFR")
    snap = mine.step(20)
    ours = [sl.value(mine.game, snap.policy, player) for player in range(2)]
    np.testing.assert_allclose(ours, peer, rtol=0, atol=1e-9)
    assert sum(ours) == pytest.approx(0.0, abs=1e-12)
