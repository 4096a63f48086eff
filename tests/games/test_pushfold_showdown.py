"""Push/fold cut short: what a node is worth if cards are shown there, and trees that grow from hands."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.analysis import truncated_exploitability, truncated_gains
from solverlab.cards.all_in import all_in_matrix
from solverlab.core.leaves import tabulated_cfv
from solverlab.run import distance_inside
from solverlab.solvers import RegretRebalance

# What both play for at a node: the largest bet matched, or, after uncalled chips went back, the smallest.
STAKES = {
    False: {"": 1.0, "fold": 0.5, "jam": 10.0, "jam/fold": 1.0, "jam/call": 10.0},
    True: {"": 0.5, "fold": 0.5, "jam": 1.0, "jam/fold": 1.0, "jam/call": 10.0},
}


@pytest.fixture(scope="module")
def game():
    return sl.PushFold(10)


def plain_worth(game, path, stake, me, reach):
    """One node to one player with every hand, by straight sums over the pairs of hands; [169]."""
    table = all_in_matrix()
    win, tie, weight = (array.tolist() for array in (table.win, table.tie, table.weight))
    whole, theirs = sum(map(sum, weight)), reach[1 - me].tolist()
    worth = []
    for mine in range(169):
        total = 0.0
        for other in range(169):
            lost = weight[mine][other] - win[mine][other] - tie[mine][other]
            won = (win[mine][other] - lost) / weight[mine][other]
            if path in ("fold", "jam/fold"):
                won = 1.0 if (path == "fold") == (me == 1) else -1.0
            total += weight[mine][other] / whole * stake * won * theirs[other]
        worth.append(total)
    return worth


@pytest.mark.parametrize("returned", [False, True], ids=["matched", "returned"])
def test_a_showdown_anywhere_is_the_plain_sum_over_pairs(game, returned):
    table, reach = game.showdown_table(returned), np.random.default_rng(3).random((2, 5, 169))
    for me in range(2):
        fast = tabulated_cfv(me, table, reach)
        for path, stake in STAKES[returned].items():
            node = game.names.node(path)
            plain = plain_worth(game, path, stake, me, reach[:, node])
            np.testing.assert_allclose(fast[node], plain, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("returned", [False, True], ids=["matched", "returned"])
def test_where_the_hand_ends_a_showdown_pays_as_the_game_does(game, returned):
    ends = np.flatnonzero(game.tree.leaf >= 0)
    reach = np.random.default_rng(4).random((2, 5, 169))
    for me in range(2):
        shown = tabulated_cfv(me, game.showdown_table(returned), reach)[ends]
        np.testing.assert_allclose(shown, game.leaf_cfv(me, reach[:, ends]), rtol=1e-13)


# ---- growth ------------------------------------------------------------------------------------------------


def test_aces_grow_first_in_both_positions(game):
    events = sl.Rebalance(game, frontier=sl.MostReached(1)).step(20).events
    assert [(event.position, event.hand, event.node) for event in events] == [
        ("small blind", "AA", 0),
        ("big blind", "AA", 0),
    ]
    assert "then EV +0.704" in events[0].reason  # 85.2 % of the pot against any two cards


@pytest.mark.parametrize("rule", [sl.Rebalance, RegretRebalance], ids=["tanh", "CFR+"])
def test_a_tree_grown_to_the_end_has_the_evs_of_the_whole_one(game, rule):
    grown, whole = rule(game, frontier=sl.MostReached(200)), rule(game)
    while grown.expand():
        pass
    assert grown.cut.inside.sum() == 2 * 2 * 169 and grown.cut.missed == 0 < grown.cut.lookups
    for _ in range(5):
        grown.rebalance(), whole.rebalance()
        for player in range(2):
            np.testing.assert_allclose(grown.node_ev(player), whole.node_ev(player), rtol=0, atol=1e-12)
    policy = grown.snapshot().current
    np.testing.assert_allclose(policy.sigma, whole.snapshot().current.sigma, atol=1e-12)
    gains = sl.deviation_gains(game, policy)
    np.testing.assert_allclose(truncated_gains(game, grown.cut.inside, policy), gains, atol=1e-12)
    np.testing.assert_allclose(distance_inside(grown, policy), gains, atol=1e-12)


def test_distances_inside_a_cut_tree_by_hand(game):
    """Only aces decide: they jam, which is worth a showdown for the stack, rather than fold."""
    solver = sl.Rebalance(game, frontier=sl.MostReached(1))
    solver.expand([("small blind", "", "AA")])
    policy, aces = solver.snapshot().current, game.names.hand("AA")
    mass = game.deal_mass(0)[aces]
    jam = float(mass @ (10 * (2 * game.all_in.equity[aces] - 1)))
    fold = -0.5 * float(mass.sum())
    gains = truncated_gains(game, solver.cut.inside, policy)
    assert gains == pytest.approx(((jam - fold) / 2, 0.0), abs=1e-12)
    assert truncated_exploitability(game, solver.cut.inside, policy) == pytest.approx(sum(gains) / 2)
