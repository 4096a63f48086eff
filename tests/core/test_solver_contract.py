"""Every solver keeps the contract, by one line each; a solver that breaks a law is told which."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.check_solver import check_solver
from solverlab.core.errors import BadValue
from solverlab.games.holdem.buckets import MadeHands
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.run.drive import paced
from solverlab.solvers import RegretRebalance
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw

LEDUC = sl.Leduc()
SUITS_ALIKE = sl.tie_hands(LEDUC.tree, np.arange(len(LEDUC.hands)) // 2)
ONE_CARD = {"stack": 3.0, "cards": 1}


def heads_up():
    return sl.Holdem(2, stack=6.0, buckets=MadeHands(2), bets=(1.0,), max_raises=2)


SOLVERS = [
    (sl.CFR, sl.Kuhn, {"schedule": "DCFR"}),
    (sl.CFR, lambda: LEDUC, {"schedule": "PCFR+", "alternating": False}),
    (sl.CFR, lambda: LEDUC, {"schedule": "DCFR-R", "tie": SUITS_ALIKE}),
    (sl.MCCFR, sl.Kuhn, {"sampling": "outcome", "rng": 5}),
    (sl.MCCFR, lambda: sl.Kuhn(3), {"schedule": "DCFR-R", "rng": 5}),
    (sl.Rebalance, sl.Kuhn, {"frontier": sl.MostReached(1), "sweeps": 2}),
    (sl.Rebalance, sl.Kuhn, {"start": 0.6, "samples": 20, "rng": 3}),
    (sl.Rebalance, heads_up, {"frontier": sl.MostReached(3), "samples": 4, "sweeps": 2, "rng": 5}),
    (RegretRebalance, sl.Kuhn, {"schedule": "DCFR-R"}),
    (DrawCFR, lambda: RealLowball(**ONE_CARD), {"threads": 1}),
    (SampledDraw, lambda: RealLowball(**ONE_CARD), {"rng": 5}),
    (DrawBetting, lambda: BettingLowball(limp=True, bets=(1.0,), **ONE_CARD), {"threads": 1}),
]


@pytest.mark.parametrize(
    ("maker", "game", "settings"), SOLVERS, ids=lambda part: getattr(part, "__name__", "")
)
def test_a_solver_keeps_its_contract(maker, game, settings):
    solver = maker(game(), **settings)
    solver.step(2)
    check_solver(solver, **settings)


class Careless(sl.CFR):
    """Forgets to copy its regrets into a state."""

    def state(self, copy=True):
        return super().state(copy=False)


class Boastful(sl.CFR):
    nbytes = 7


class Drifting(sl.CFR):
    def step(self, n=1):
        return super().step(n + (n == 3))


@pytest.mark.parametrize(
    ("maker", "broken"),
    [
        (Careless, "a state it gave changes"),
        (Boastful, "it tells 7 bytes"),
        (Drifting, "differ from step"),
    ],
)
def test_a_broken_law_is_named(maker, broken):
    with pytest.raises(BadValue, match=f"breaks its contract: .*{broken}"):
        check_solver(maker(sl.Kuhn()))


# ---- who solves what ---------------------------------------------------------------------------------------


def test_solve_chooses_by_what_a_game_offers():
    betting = BettingLowball(stack=4, cards=1, limp=True, bets=(1.0,))
    snap = sl.solve(betting, "DCFR", until=sl.iterations(40))
    plain = sl.solve(RealLowball(4, cards=1), "DCFR", until=sl.iterations(40))
    assert snap.iteration == plain.iteration == 40
    assert snap.value > plain.value + 0.005  # not the push/fold answer: limps and bets are worth something
    sampled = sl.solve(RealLowball(3, cards=1), until=sl.iterations(1000), sampling="chance", rng=3)
    assert sampled.iteration == 1000 and "met_value" in sampled.metrics


class Alien:
    """Neither a tree nor deals nor hands of a deck."""

    name, n_players = "a game from elsewhere", 2

    def config(self):
        return {}


@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        (3, {}, "no solver takes 3; give a game"),
        (Alien(), {}, "no solver takes a game from elsewhere; give a game"),
        ("kuhn", {}, "no solver takes 'kuhn'; give a game"),
        (sl.Kuhn, {}, "no solver takes <function Kuhn|no solver takes"),
        (sl.Holdem(players=3), {}, "no solver takes all of 3-handed no-limit hold'em; grow part of it"),
        (RealLowball(3, cards=1), {"sampling": "outcome"}, "sampled deal by deal, not by 'outcome'"),
        (RealLowball(3, cards=1), {"sampling": "chance", "schedule": "DCFR"}, "one schedule, CFR\\+"),
        (BettingLowball(3, cards=1, limp=True), {"sampling": "chance"}, "every hand is followed"),
    ],
)
def test_a_game_that_no_solver_takes_is_refused(game, settings, sentence):
    with pytest.raises(BadValue, match=sentence):
        sl.solve(game, **settings)


def test_a_resumed_run_looks_where_one_that_never_stopped_would():
    solver = sl.CFR(sl.Kuhn())
    solver.step(15)
    looks = [snap.iteration for snap in paced(solver, 10, sl.iterations(45)) if snap is not None]
    assert looks == [20, 30, 40, 45]


def test_only_solvers_are_run():
    with pytest.raises(BadValue, match="'CFR' is no solver; make one, such as sl.CFR"):
        sl.run("CFR")
