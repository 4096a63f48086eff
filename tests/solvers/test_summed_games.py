"""A game that sums its deals instead of listing them grows the same trees as it does from tables."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.analysis import truncated_gains
from solverlab.analysis.truncated import ROLLOUT
from solverlab.core.node_values import values_at
from solverlab.run import distance_inside
from solverlab.solvers.growing.exact.cut import played_out
from solverlab.solvers.growing.exact.values import mass_table


class Summed:
    """A tabulated game with its tables hidden: no deal_mass, no leaves, only sums."""

    def __init__(self, game):
        self.hidden, self.leaf_cfv, self.config, self.hands = game, game.leaf_cfv, game.config, game.hands
        for name in ("name", "n_players", "tree", "names", "tie"):
            setattr(self, name, getattr(game, name))

    def node_mass(self, me, reach):
        return values_at(mass_table(self.hidden), me, reach)

    def pair_mass(self, one, other):
        rest = tuple({*range(self.n_players)} - {one, other})
        pairs = self.hidden.deal_mass(0).sum(axis=rest)
        return pairs if one < other else pairs.T

    def showdown_table(self, returned=False):
        table = self.hidden.showdown_table(returned)
        return lambda me, reach: values_at(table, me, reach)


@pytest.fixture(scope="module", params=[2, 3])
def kuhn(request):
    return sl.Kuhn(players=request.param)


@pytest.mark.parametrize("settings", [{}, {"returned": True}, {"leaf": "rollout"}], ids=str)
def test_the_same_trees_grow_to_the_last_bit(kuhn, settings):
    asked = {"frontier": sl.MostReached(2), "sweeps": 3, "scale": 3.0, **settings}
    tabled, summed = sl.Rebalance(kuhn, **asked), sl.Rebalance(Summed(kuhn), **asked)
    assert tabled.step(20).events == summed.step(20).events
    mine, theirs = tabled.state(), summed.state()
    for name in mine.keys() - {"seconds"}:
        assert mine[name].tobytes() == theirs[name].tobytes(), name
    assert tabled.snapshot().metrics == summed.snapshot().metrics  # misses among them
    policy = tabled.snapshot().current
    distances = distance_inside(tabled, policy), distance_inside(summed, policy)
    np.testing.assert_allclose(*distances, rtol=0, atol=1e-14)
    if not settings:
        inside = tabled.ground.cut.inside
        assert truncated_gains(Summed(kuhn), inside, policy) == truncated_gains(kuhn, inside, policy)


def test_a_whole_tree_is_rebalanced_alike(kuhn):
    one, other = sl.Rebalance(kuhn, start=0.3).step(10), sl.Rebalance(Summed(kuhn), start=0.3).step(10)
    assert one.current.sigma.tobytes() == other.current.sigma.tobytes()


@pytest.mark.parametrize(
    "make", [sl.Kuhn, sl.Leduc, lambda: sl.Kuhn(players=3)], ids=["Kuhn", "Leduc", "three"]
)
def test_a_policy_played_on_pays_what_its_table_says(make):
    game = make()
    policy = sl.Rebalance(game, scale=4.0).step(3).current
    reach = np.random.default_rng(1).random((game.n_players, *policy.sigma.shape))
    table, summed = played_out(game, policy), played_out(Summed(game), policy)
    for me in range(game.n_players):
        exact = values_at(table, me, reach)
        np.testing.assert_allclose(values_at(summed, me, reach), exact, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda g: sl.Rebalance(g, samples=10).step(1), "no table of deals to draw from; use samples=None"),
        (
            lambda g: sl.Rebalance(g, frontier=sl.MostReached(1), leaf=lambda n: 0.0),
            "too many deals for a leaf function; use 'showdown'",
        ),
    ],
)
def test_what_needs_every_deal_is_refused(ask, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        ask(Summed(sl.Kuhn()))


def test_a_game_that_says_nothing_of_its_deals_is_refused():
    silent = type("Silent", (), vars(Summed(sl.Kuhn())))()
    with pytest.raises(sl.SolverlabError, match="Kuhn poker does not say how likely its deals are"):
        sl.Rebalance(silent)


@pytest.mark.parametrize("game", [sl.Leduc(), sl.Kuhn(players=3)], ids=["Leduc", "three"])
def test_rolled_out_gains_are_those_of_ends_played_out_deal_by_deal(game):
    solver = sl.Rebalance(game, frontier=sl.HighestEV(9), leaf="rollout", scale=5.0, sweeps=3)
    snap = solver.step(14)
    mask = solver.ground.cut.inside
    gains = truncated_gains(game, mask, snap.current, ROLLOUT)
    assert gains == pytest.approx(truncated_gains(game, mask, snap.current, played_out(game, snap.current)))
    assert min(gains) > 1e-3
    with pytest.raises(sl.SolverlabError, match="no value of ends 'guess'"):
        truncated_gains(game, mask, snap.current, "guess")
