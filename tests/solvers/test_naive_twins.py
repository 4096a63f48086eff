"""The fast solvers say what their plain twins say: every schedule row, random games, draw by draw."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from games.random_games import games
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.naive import PlainCFR, PlainMCCFR, policy_of
from solverlab.solvers import SCHEDULES

EXPONENTS = st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, math.inf])
SCHEDULE = st.builds(
    sl.Schedule,
    name=st.just("drawn"),
    positive=EXPONENTS,
    negative=EXPONENTS,
    average=st.sampled_from([0.0, 1.0, 2.0, 3.0]),
    predictive=st.booleans(),
    restart=st.sampled_from([0, 2, 4]),
    weighted=st.booleans(),
)


class PlainFamily(PlainCFR):
    """The plain forty lines with a schedule: how much is kept follows the written formula."""

    def __init__(self, game, schedule: sl.Schedule, alternating: bool = True):
        super().__init__(game)
        self.schedule, self.alternating, self.t = schedule, alternating, 0
        self.guess, self.played = {}, {}

    def step(self, iterations: int = 1):
        for _ in range(iterations):
            if self.alternating:
                average = super().step(1)
            else:
                frozen, updates = self.update, []
                self.update = lambda *update, to=updates: to.append(update)
                average = super().step(1)
                self.update = frozen
                for update in updates:
                    self.update(*update)
            self.t += 1
        return average

    def learn(self, me: int) -> None:
        before, self.total = self.total, {}
        super().learn(me)  # leaves this iteration's play of this player's infosets in `total`
        powers = [self.schedule.restart**k for k in range(5)] if self.schedule.restart else []
        since = self.t - max((power for power in powers if power <= self.t), default=0)
        kept = (since / (since + 1)) ** self.schedule.average if since or not powers else 0.0
        for infoset, row in self.total.items():
            old = before.get(infoset, dict.fromkeys(row, 0.0))
            row = row if self.schedule.weighted else self.played[infoset]
            before[infoset] = {action: kept * old[action] + row[action] for action in row}
        self.total = before

    def strategy(self, infoset, actions):
        regret = self.regret.setdefault(infoset, dict.fromkeys(actions, 0.0))
        guess = self.guess.get(infoset, dict.fromkeys(actions, 0.0))
        if self.schedule.predictive:
            self.regret[infoset] = {a: regret[a] + guess[a] for a in regret}
        sigma = super().strategy(infoset, actions)
        self.regret[infoset] = regret
        self.played[infoset] = sigma
        return sigma

    def update(self, infoset, gain) -> None:
        for action, old in self.regret[infoset].items():
            exponent = self.schedule.positive if old > 0 else self.schedule.negative
            self.regret[infoset][action] = self.kept(exponent) * old + gain[action]
        self.guess[infoset] = dict(gain)

    def kept(self, exponent: float) -> float:
        if math.isinf(exponent):
            return 1.0 if exponent > 0 else 0.0
        return 0.0 if self.t == 0 else self.t**exponent / (self.t**exponent + 1)


def close(game, fast, plain, atol=1e-9) -> None:
    np.testing.assert_allclose(fast.policy.sigma, policy_of(game, plain).sigma, rtol=0, atol=atol)


@pytest.mark.parametrize(
    ("make", "iterations"),
    [(sl.Kuhn, 40), (lambda: sl.Kuhn(players=3), 8), (sl.RockPaperScissors, 40), (sl.MatchingPennies, 40)],
)
def test_forty_plain_lines_are_the_fast_solver(make, iterations):
    game = make()
    close(game, sl.CFR(game, "CFR").step(iterations), PlainCFR(game).step(iterations), atol=1e-12)


def test_forty_plain_lines_solve_leduc_the_same_way():
    game = sl.Leduc()
    close(game, sl.CFR(game, "CFR").step(2), PlainCFR(game).step(2), atol=1e-12)


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "together"])
@pytest.mark.parametrize("name", SCHEDULES)
def test_every_row_of_the_family_on_kuhn(name, alternating):
    game = sl.Kuhn()
    fast = sl.CFR(game, name, alternating=alternating).step(15)
    close(game, fast, PlainFamily(game, SCHEDULES[name], alternating).step(15))


@settings(max_examples=40, deadline=None)
@given(st.one_of(games(players=2), games(players=3)), SCHEDULE, st.booleans())
def test_any_row_on_any_game(game, schedule, alternating):
    """Five iterations: enough for every rate and every table to matter, too few for chaos."""
    fast = sl.CFR(game, schedule, alternating=alternating).step(5)
    close(game, fast, PlainFamily(game, schedule, alternating).step(5), atol=1e-7)


@pytest.mark.parametrize(
    ("make", "iterations"), [(sl.Kuhn, 300), (sl.Leduc, 60), (sl.RockPaperScissors, 200)]
)
def test_external_sampling_draw_by_draw(make, iterations):
    """From one seed the plain walk and the compiled one draw the same cards and moves."""
    game = make()
    fast = sl.MCCFR(game, "CFR", sampling="external", rng=11).step(iterations)
    close(game, fast, PlainMCCFR(game, seed=11).step(iterations), atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(games(players=2), st.integers(0, 1000))
def test_external_sampling_draw_by_draw_on_any_game(game, seed):
    fast = sl.MCCFR(game, "CFR", sampling="external", rng=seed).step(20)
    close(game, fast, PlainMCCFR(game, seed=seed).step(20))


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize(
    "make", [sl.Kuhn, sl.Leduc, lambda: sl.Kuhn(players=3), sl.RockPaperScissors, sl.MatchingPennies]
)
def test_a_walk_that_draws_nothing_is_a_sweep(make, name):
    """The same strategies, and the same averages of all players but the first.

    A walk averages the next player before that player learns; the first is averaged by the last walk of an
    iteration, when it has learnt already. Walks weigh by own reach, whatever the row says.
    """
    game, row = make(), replace(SCHEDULES[name], weighted=True)
    walked, swept = sl.MCCFR(game, row, "full").step(6), sl.CFR(game, row).step(6)
    np.testing.assert_allclose(walked.current.sigma, swept.current.sigma, rtol=0, atol=1e-9)
    later = np.append(game.tree.player, -1)[game.tree.parent] > 0
    np.testing.assert_allclose(walked.policy.sigma[later], swept.policy.sigma[later], rtol=0, atol=1e-9)
