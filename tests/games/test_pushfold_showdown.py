"""Push/fold cut short: what a node is worth if cards are shown there, and trees that grow from hands."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import solverlab as sl
from solverlab.analysis import truncated_exploitability, truncated_gains
from solverlab.cards.all_in import all_in_matrix
from solverlab.cards.all_in_three import three_way
from solverlab.cards.hand_classes import CLASS_SIZE
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
    assert (
        grown.ground.cut.inside.sum() == 2 * 2 * 169
        and grown.ground.cut.missed == 0 < grown.ground.cut.lookups
    )
    for _ in range(5):
        grown.rebalance(), whole.rebalance()
        for player in range(2):
            np.testing.assert_allclose(
                grown.ground.node_ev(player), whole.ground.node_ev(player), rtol=0, atol=1e-12
            )
    policy = grown.snapshot().current
    np.testing.assert_allclose(policy.sigma, whole.snapshot().current.sigma, atol=1e-12)
    gains = sl.deviation_gains(game, policy)
    np.testing.assert_allclose(truncated_gains(game, grown.ground.cut.inside, policy), gains, atol=1e-12)
    np.testing.assert_allclose(distance_inside(grown, policy), gains, atol=1e-12)


def test_distances_inside_a_cut_tree_by_hand(game):
    """Only aces decide: they jam, which is worth a showdown for the stack, rather than fold."""
    solver = sl.Rebalance(game, frontier=sl.MostReached(1))
    solver.expand([("small blind", "", "AA")])
    policy, aces = solver.snapshot().current, game.names.hand("AA")
    mass = game.deal_mass(0)[aces]
    jam = float(mass @ (10 * (2 * game.all_in.equity[aces] - 1)))
    fold = -0.5 * float(mass.sum())
    gains = truncated_gains(game, solver.ground.cut.inside, policy)
    assert gains == pytest.approx(((jam - fold) / 2, 0.0), abs=1e-12)
    assert truncated_exploitability(game, solver.ground.cut.inside, policy) == pytest.approx(sum(gains) / 2)


# ---- three players -----------------------------------------------------------------------------------------

# Pots at every node: what button, small blind and big blind have in them, and who can win them.
ENDS = {
    "fold/fold": [((0, 0.5, 1), (2,))],
    "fold/jam/fold": [((0, 1, 1), (1,))],
    "fold/jam/call": [((0, 10, 10), (1, 2))],
    "jam/fold/fold": [((1, 0.5, 1), (0,))],
    "jam/fold/call": [((10, 0.5, 10), (0, 2))],
    "jam/call/fold": [((10, 10, 1), (0, 1))],
    "jam/call/call": [((10, 10, 10), (0, 1, 2))],
}
MATCHED = {
    "": [((1, 1, 1), (0, 1, 2))],
    "fold": [((0, 1, 1), (1, 2))],
    "jam": [((10, 10, 10), (0, 1, 2))],
    "fold/jam": [((0, 10, 10), (1, 2))],
    "jam/fold": [((10, 0.5, 10), (0, 2))],
    "jam/call": [((10, 10, 10), (0, 1, 2))],
}
RETURNED = {
    "": [((0, 0.5, 0.5), (1, 2))],
    "fold": [((0, 0.5, 0.5), (1, 2))],
    "jam": [((0.5, 0.5, 0.5), (0, 1, 2)), ((0.5, 0, 0.5), (0, 2))],
    "fold/jam": [((0, 1, 1), (1, 2))],
    "jam/fold": [((1, 0.5, 1), (0, 2))],
    "jam/call": [((1, 1, 1), (0, 1, 2)), ((9, 9, 0), (0, 1))],
}
FEW = ("AA", "KK", "A2s", "AKo", "T9s", "72o", "32o", "55")


@pytest.fixture(scope="module")
def three():
    return sl.PushFold(10, players=3)


@pytest.fixture(scope="module")
def few(three):
    """Random reach of a few hands at every node, nothing of the others, and the numbers of those hands."""
    places = [three.names.hand(hand) for hand in FEW]
    reach = np.zeros((3, 13, 169))
    reach[:, :, places] = np.random.default_rng(6).random((3, 13, len(FEW)))
    return reach, places


def plain_three(pots, me, reach, places):
    """Value and mass of one node to one seat by straight sums over triples of a few hands."""
    tables, equity = three_way(), all_in_matrix().equity
    won, came = dict.fromkeys(places, 0.0), dict.fromkeys(places, 0.0)
    for deal in product(places, repeat=3):
        others = [seat for seat in range(3) if seat != me]
        chance = float(tables.deals[deal]) / (1326 * 1225 * 1128)
        weight = chance * reach[others[0], deal[others[0]]] * reach[others[1], deal[others[1]]]
        came[deal[me]] += weight
        for paid, live in pots:
            part = 1.0 if live == (me,) else 0.0
            if me in live and len(live) == 2:
                part = equity[deal[me], deal[sum(live) - me]]
            if len(live) == 3:
                part = float(tables.share[deal[others[0]], deal[others[1]], deal[me]])
            won[deal[me]] += weight * (part * sum(paid) - paid[me])
    return [won[place] for place in places], [came[place] for place in places]


@pytest.mark.parametrize(
    ("returned", "pots"), [(False, MATCHED), (True, RETURNED)], ids=["matched", "returned"]
)
def test_three_way_showdowns_are_plain_sums_over_triples(three, few, returned, pots):
    reach, places = few
    showdown = three.showdown_table(returned)
    assert pots.keys() | ENDS.keys() == set(three.names.paths) and len(three.names.paths) == 13
    for me in range(3):
        worth, mass = showdown(me, reach), three.node_mass(me, reach)
        for path, here in {**pots, **ENDS}.items():
            node = three.names.node(path)
            won, came = plain_three(here, me, reach[:, node], places)
            np.testing.assert_allclose(worth[node, places], won, rtol=1e-6, atol=1e-12)
            np.testing.assert_allclose(mass[node, places], came, rtol=1e-12)


def test_three_way_masses_are_those_of_the_deal(three):
    dealt = CLASS_SIZE / 1326
    ones = np.ones((3, 13, 169))
    for me in range(3):
        np.testing.assert_allclose(three.node_mass(me, ones), np.tile(dealt, (13, 1)), rtol=1e-12)
    np.testing.assert_allclose(three.pair_mass(0, 2), sl.PushFold(10).deal_mass(0), rtol=1e-12)
    assert three.paid_at(three.names.node("jam/fold")) == (10, 0.5, 1)


def test_three_way_trees_grow_and_the_whole_one_is_the_game(three):
    grown = sl.Rebalance(three, frontier=sl.MostReached(1))
    assert [(event.position, event.hand) for event in grown.step(20).events] == [
        ("button", "AA"),
        ("small blind", "AA"),
        ("big blind", "AA"),
    ]
    aces = three.names.hand("AA")
    jam, fold = (grown.ground.node_ev(0)[three.names.node(path), aces] for path in ("jam", "fold"))
    assert jam == pytest.approx(30 * 0.734 - 10, abs=0.1)  # aces win 73.4 % of a pot against two random hands
    assert fold == pytest.approx(0, abs=1e-9)
    gains = distance_inside(grown, grown.snapshot().policy)
    assert gains[0] > 0 == gains[1] == gains[2]  # only the button's aces decide anything yet
    grown = sl.Rebalance(three, frontier=sl.MostReached(1000))
    while grown.expand():
        pass
    assert (
        grown.ground.cut.inside.sum() == 3 * 6 * 169
        and grown.ground.cut.missed == 0 < grown.ground.cut.lookups
    )
    whole = sl.Rebalance(three)
    for _ in range(3):
        grown.rebalance(), whole.rebalance()
    for player in range(3):
        np.testing.assert_allclose(
            grown.ground.node_ev(player), whole.ground.node_ev(player), rtol=0, atol=1e-12
        )
    policy = grown.snapshot().current
    gains = sl.deviation_gains(three, policy)
    np.testing.assert_allclose(truncated_gains(three, grown.ground.cut.inside, policy), gains, atol=1e-12)
    with pytest.raises(sl.SolverlabError, match="use truncated_gains for each seat"):
        truncated_exploitability(three, grown.ground.cut.inside, policy)


def test_three_way_leaves_may_be_rolled_out(three):
    solver = sl.Rebalance(three, frontier=sl.MostReached(20), leaf="rollout", sweeps=2)
    solver.step(4)
    solver.ground.look(solver.clock)
    policy = solver.snapshot().current
    for player in range(3):
        at_root = float((solver.ground.node_ev(player)[0] * solver.ground.values.mass[player, 0]).sum())
        assert at_root == pytest.approx(sl.value(three, policy, player), abs=1e-10)
    assert min(distance_inside(solver, policy)) >= -1e-12
    twin = sl.Rebalance.from_state(three, solver.state(), **solver.settings())
    assert twin.step(1).current.sigma.tobytes() == solver.step(1).current.sigma.tobytes()
