"""Random play as a leaf value of forests."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.games.betting.pots import payoffs, pots
from solverlab.games.betting.states import following
from solverlab.run.growing.random_play import RandomPlay
from solverlab.solvers.growing.sampled.leaves import LeafDeals


def asked(game: Holdem, seat: int, state: int = 0, deals: int = 40) -> LeafDeals:
    drawn = game.draw(np.random.default_rng(3), deals, None, 0)
    return LeafDeals(game, game.state(state), seat, drawn.info, drawn.rank)


def exact(game: Holdem, state, ranks: list[int]) -> np.ndarray:
    """What every seat wins on average when all actions are alike, by walking through all of them."""
    after = following(game.rules.row, state).values()
    if not after:
        return np.array(payoffs(pots(game.rules.row, state), ranks))
    return sum(exact(game, one, ranks) for one in after) / len(after)


def test_many_playouts_come_near_the_exact_mean():
    game = Holdem(2, stack=3.0, betting="limit", max_raises=2)
    few = asked(game, 0, deals=4)
    worth, true = RandomPlay(8_000)(few), [exact(game, few.state, r)[0] for r in few.rank.T.tolist()]
    assert worth == pytest.approx(true, abs=5 * 3.0 / np.sqrt(8_000))


@pytest.mark.parametrize("stack", [20.0, (3.0, 6.0, 12.0)], ids=["equal", "side pots"])
def test_playouts_pay_every_deal_as_the_rules_do(stack):
    game, play = Holdem(3, stack=stack), RandomPlay(16, rng=4)
    worth = np.array([play(asked(game, seat)) for seat in range(3)])
    assert np.allclose(worth.sum(0), 0)
    deals = asked(game, 0)
    for d in range(0, 40, 9):
        ranks = deals.rank[:, d].tolist()
        ends = zip(*play.ends(game, deals.state), strict=True)
        won = [payoffs(pots(game.rules.row, _state(deals.state, *end)), ranks) for end in ends]
        assert len(won) == 16 and worth[:, d] == pytest.approx(np.mean(won, axis=0))


def _state(start, chips: np.ndarray, who: int):
    """An end as a betting state, for the pots."""
    live = tuple(bool(int(who) >> p & 1) for p in range(len(chips)))
    level = max(paid for paid, alive in zip(chips.tolist(), live, strict=True) if alive)
    return start._replace(paid=tuple(chips.tolist()), live=live, level=level)


def test_a_state_is_played_out_alike_whenever_it_is_asked():
    deals = asked(Holdem(3, stack=20.0), 1)
    assert (RandomPlay(8, rng=1)(deals) == RandomPlay(8, rng=1)(deals)).all()
    assert (RandomPlay(8, rng=1)(deals) != RandomPlay(8, rng=2)(deals)).any()


def test_a_forest_grows_on_random_play():
    table = Holdem(2, stack=10.0)
    solver = sl.Rebalance(table, frontier=sl.MostReached(5), samples=20, sweeps=2, leaf=RandomPlay(8))
    shown = sl.Rebalance(table, frontier=sl.MostReached(5), samples=20, sweeps=2)
    assert solver.step(6).metrics["nodes"] > 2 * 169
    shown.step(6)
    assert (solver.ground.node_ev()[1:300] != shown.ground.node_ev()[1:300]).any()
    with pytest.raises(sl.SolverlabError, match="cannot be saved"):
        sl.save(solver, "random")


@pytest.mark.parametrize("settings", [{"playouts": 0}, {"playouts": 2.5}, {"rng": -1}])
def test_settings_that_cannot_work_are_refused(settings):
    with pytest.raises(sl.SolverlabError, match="give a whole number of at least"):
        RandomPlay(**settings)
