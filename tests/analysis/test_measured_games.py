"""A game that measures policies itself is asked before any array is built, and policies are read by rows."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.abilities import Measured
from solverlab.core.errors import BadValue
from solverlab.core.policy import RowPolicy
from solverlab.run.measures import usual_measures


class GuessingGame:
    """Guess a coin: made up, with a policy that is one number and never an array."""

    name, n_players = "guessing game", 2

    def measure(self, policy: Coin) -> Measured:
        won = (2 * policy.heads - 1) * 0.5
        return Measured((won, -won), (0.5, -won))

    def config(self):
        return {"game": "GuessingGame"}


class Coin:
    nbytes = 8

    def __init__(self, heads: float):
        self.heads = heads

    def at(self, node, hand=None):
        return {"heads": self.heads, "tails": 1 - self.heads}

    def rows(self, node):
        return np.array([[self.heads], [1 - self.heads]])

    def reach(self, player, node=None):
        return np.ones(1)

    def frame(self, node=None):
        raise NotImplementedError

    def distance(self, other):
        return abs(self.heads - other.heads)


def test_the_game_is_asked_first():
    game, policy = GuessingGame(), Coin(0.75)
    assert isinstance(policy, RowPolicy)
    assert sl.value(game, policy) == 0.25 and sl.value(game, policy, 1) == -0.25
    assert sl.deviation_gains(game, policy) == (0.25, 0.0)
    assert sl.exploitability(game, policy) == 0.125 and sl.nash_conv(game, policy) == 0.25
    with pytest.raises(BadValue, match="guessing game has no tree to sweep"):
        sl.best_response(game, policy, 0)
    assert usual_measures(game) == ("exploitability", "value")


def test_an_array_is_one_way_to_hold_a_policy():
    policy = sl.CFR(sl.Kuhn(), "DCFR").step(20).policy
    assert isinstance(policy, RowPolicy)
    for hand, row in zip(policy.names.hands, policy.rows("raise").T, strict=True):
        assert list(policy.at("raise", hand).values()) == row.tolist()
    whole = policy.frame()
    part = policy.frame("raise")
    assert part.equals(whole[whole["node"] == "raise"].reset_index(drop=True))
    assert np.array_equal(policy.reach(1, "raise"), policy.reach(1)[policy.names.node("raise")])
    assert policy.nbytes == policy.sigma.nbytes and policy.distance(policy) == 0.0
    with pytest.raises(BadValue, match="different games"):
        policy.distance(sl.uniform_policy(sl.Leduc()))
