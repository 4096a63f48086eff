"""CFR on the trees of a rebalance: the house's CFR on whole trees, and nearer than tanh on truncated ones."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.naive.cut import PlainCut
from solverlab.run import distance_inside
from solverlab.solvers import RegretRebalance
from solverlab.studies import own_gains, truncated_race


def grown(game, k, sweeps, **settings):
    solver = sl.Rebalance(game, scale=8.0, frontier=sl.MostReached(k), **settings)
    solver.step(sweeps)
    return solver


@pytest.mark.parametrize("schedule", ["CFR", "CFR+", "DCFR", "PCFR+"])
@pytest.mark.parametrize("game", [sl.Kuhn(), sl.Kuhn(3), sl.Leduc(), sl.RockPaperScissors()], ids=str)
def test_on_a_whole_tree_it_is_the_house_s_cfr(game, schedule):
    ours, house = RegretRebalance(game, schedule), sl.CFR(game, schedule, alternating=False)
    for _ in range(3):
        one, other = ours.step(20), house.step(20)
        np.testing.assert_array_equal(one.current.sigma, other.current.sigma)
        np.testing.assert_array_equal(one.policy.sigma, other.policy.sigma)
    assert one.touched == other.touched and own_gains(ours, one.policy) == sl.deviation_gains(
        game, one.policy
    )


def test_one_sweep_of_kuhn_by_hand():
    """Against uniform play the first raise wins 3/4 of a chip more than a check, whatever the card.

    A jack wins -5/4 by checking and -1/2 by raising, a queen -1/4 and 1/2, a king 3/4 and 3/2. Half of that
    is the gain beyond the mean of the two, and every card comes with probability 1/3.
    """
    solver = RegretRebalance(sl.Kuhn(), "CFR")
    solver.rebalance()
    children = {solver.game.names.actions[n]: n for n in np.flatnonzero(solver.game.tree.parent == 0)}
    for action, sign in (("check", -1), ("raise", 1)):
        assert solver.tables.regret[children[action]] == pytest.approx(np.full(3, sign / 8), abs=1e-15)
        assert (solver.ground.sigma[children[action]] == (sign > 0)).all()


@pytest.mark.parametrize("leaf", ["showdown", "rollout"])
def test_beyond_a_frontier_nothing_moves_and_new_rows_start_without_regret(leaf):
    solver = RegretRebalance(sl.Leduc(), "CFR", frontier=sl.MostReached(k=16), leaf=leaf, sweeps=5)
    solver.step(21)
    assert solver.epoch >= 4
    beyond = ~solver.ground.cut.open
    assert not solver.tables.regret[beyond].any() and not solver.ground.total[beyond].any()
    assert solver.tables.regret[solver.ground.cut.open].any()
    before, open_before = solver.tables.regret.copy(), solver.ground.cut.open.copy()
    solver.expand()
    fresh = solver.ground.cut.open & ~open_before
    assert fresh.any() and not solver.tables.regret[fresh].any()
    np.testing.assert_array_equal(solver.tables.regret, before)


@pytest.mark.parametrize("settings", [{}, {"frontier": sl.MostReached(k=8), "sweeps": 3}, {"samples": 20}])
def test_it_is_saved_copied_and_looked_into_bit_for_bit(settings):
    solver = RegretRebalance(sl.Leduc(), "PCFR+", rng=3, **settings)
    solver.step(10)
    other = solver.copy()
    assert repr(other) == repr(solver) and "RegretRebalance(Leduc hold'em, PCFR+, 10 sweeps" in repr(solver)
    last = list(other.phases())[-1]
    solver.rebalance()
    assert last.name == "update" and set(last.arrays) == {"gain", "regret", "sigma"}
    for a, b in zip(solver.state().items(), other.state().items(), strict=True):
        assert a[0] == b[0] and (a[0] == "seconds" or np.array_equal(a[1], b[1]))
    assert solver.config()["solver"] == "RegretRebalance" and solver.snapshot().metrics["saturated"] == 0.0


def test_what_it_cannot_do_is_said_at_the_door():
    with pytest.raises(BadValue, match="no setting 'scale'"):
        RegretRebalance(sl.Kuhn(), scale=2.0)
    with pytest.raises(BadValue, match="too large for exact EVs"):
        RegretRebalance(sl.Holdem(players=3))
    with pytest.raises(BadValue, match="this tree is whole"):
        truncated_race(sl.Rebalance(sl.Kuhn()), 10)
    with pytest.raises(BadValue, match="cannot race 0 sweeps"):
        truncated_race(grown(sl.Kuhn(), 2, 1), 0)


# ---- distances on a truncated tree -------------------------------------------------------------------------


def test_own_gains_are_those_of_plain_recursion_over_all_pure_strategies():
    """Kuhn, cut: every pure strategy of a seat inside its own trees, deal by deal."""
    game = sl.Kuhn()
    solver = grown(game, 2, 41)
    policy, inside = solver.snapshot().current, solver.ground.cut.inside
    plain = PlainCut(game, inside, policy.sigma)
    for me, gain in enumerate(own_gains(solver, policy)):
        best = sum(_best_of_hand(plain, game, me, hand) for hand in range(3))
        played = sum(_of_hand(plain, game, me, hand, None) for hand in range(3))
        assert gain == pytest.approx(best - played, abs=1e-12)


def _of_hand(plain, game, me, hand, pure):
    """What a seat wins with one hand, over the two hands the other may hold, each deal 1/6."""
    ends = lambda node: not plain.inside[me, node, hand]  # noqa: E731
    total = 0.0
    for other in (h for h in range(3) if h != hand):
        deal = [game.hands[other]] * 2
        deal[me] = game.hands[hand]
        total += plain.value(me, 0, tuple(deal), ends, pure) / 6
    return total


def _best_of_hand(plain, game, me, hand):
    tree = game.tree
    nodes = [int(n) for n in np.flatnonzero((tree.player == me) & plain.inside[me, :, hand])]
    choices = [range(tree.first[n], tree.first[n] + tree.count[n]) for n in nodes]
    mixes = np.array(np.meshgrid(*choices)).reshape(len(nodes), -1).T if nodes else [()]
    return max(
        _of_hand(plain, game, me, hand, {(n, hand): int(c) for n, c in zip(nodes, mix, strict=True)})
        for mix in mixes
    )


def test_everybody_comes_to_rest_in_the_own_trees_and_far_from_it_for_an_onlooker():
    """Kuhn, cut: as each position counts everybody ends near 0, tanh last; in the union of trees nobody."""
    told = truncated_race(grown(sl.Kuhn(), 2, 61), 1000, scales=(8.0,))
    last = {name: trace.rows[-1] for name, trace in told.items()}
    assert last["CFR+"]["own"] < 2e-6 < last["CFR"]["own"] < 1e-3 < last["tanh, scale 8"]["own"]
    assert min(row["inside"] for row in last.values()) > 0.2


def test_with_roll_outs_both_ways_to_count_agree_and_tanh_levels_off():
    """A roll-out makes the truncated game one of two players and sum 0: CFR's promise holds there."""
    solver = grown(sl.Kuhn(), 2, 61, leaf="rollout")
    told = truncated_race(solver, 2000, scales=(8.0,))
    for trace in told.values():
        assert trace.column("own") == pytest.approx(trace.column("inside"), abs=1e-12)
    last = {name: trace.rows[-1] for name, trace in told.items()}
    assert last["CFR+"]["own"] < 1e-3 < last["CFR"]["own"] < 3e-3 < 1e-2 < last["tanh, scale 8"]["own"]
    assert last["tanh, scale 8"]["current_own"] > 0.05


def test_on_a_leduc_cut_cfr_is_ten_times_nearer_than_tanh_in_the_own_trees():
    solver = grown(sl.Leduc(), 32, 381)
    told = truncated_race(solver, 300, scales=(8.0,))
    last = {name: trace.rows[-1] for name, trace in told.items()}
    assert last["CFR+"]["own"] < 0.01 and last["tanh, scale 8"]["own"] > 10 * last["CFR+"]["own"]
    assert min(row["inside"] for row in last.values()) > 0.5 < min(row["lifted"] for row in last.values())
    policy = told["CFR+"].last.policy
    assert last["CFR+"]["inside"] == pytest.approx(sum(distance_inside(solver, policy)) / 2, abs=1e-12)


def test_three_players_have_no_promise_and_here_cfr_is_nearer_all_the_same():
    told = truncated_race(grown(sl.Kuhn(3), 4, 141), 200, scales=(8.0,), schedules=("CFR+",))
    ends = {name: trace.column("own")[-1] for name, trace in told.items()}
    assert 0 <= ends["CFR+"] < 1e-3 < 1e-2 < ends["tanh, scale 8"]
