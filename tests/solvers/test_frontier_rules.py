"""Rules of growth: what grows first, alike on exact trees and in a forest, and how a rule is written down."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.core.tree import depths
from solverlab.solvers import Rebalance
from solverlab.solvers.growing.frontier import RULES, rule_config, rule_from

GAMES = {"Kuhn": sl.Kuhn, "Leduc": sl.Leduc, "three": lambda: sl.Kuhn(players=3)}


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return GAMES[request.param]()


def test_the_oldest_leaves_are_the_shallowest(game):
    """Breadth first: nothing grows while a leaf of the same position waits on a higher level."""
    solver, level = sl.Rebalance(game, frontier=sl.Oldest(5), scale=4.0), depths(game.tree)
    for _ in range(12):
        waiting = [np.nonzero(solver.ground.cut.frontier(p))[0] for p in range(game.n_players)]
        solver.rebalance()
        events = solver.expand()
        for player, name in enumerate(game.names.players):
            grew = [level[event.node] for event in events if event.position == name]
            assert grew == np.sort(level[waiting[player]])[:5].tolist()
        assert all(" of its position by age; reach" in event.reason for event in events)


def test_most_at_stake_is_reach_times_ev(game):
    """The leaves that grow have the largest |what they add to the EV of their position|, written out here."""
    solver = sl.Rebalance(game, frontier=sl.MostAtStake(2), scale=2.0, sweeps=3)
    solver.step(9)
    solver.ground.look(solver.clock)
    sizes = []
    for player in range(game.n_players):
        nodes, hands = np.nonzero(solver.ground.cut.frontier(player))
        dealt = solver.ground.values.mass[player, 0, hands]
        own = solver.ground.values.reach[player, nodes, hands]
        stake = np.abs(
            solver.ground.node_ev(player)[nodes, hands]
            * own
            * solver.ground.values.mass[player, nodes, hands]
        )
        sizes.append(dict(zip(zip(nodes.tolist(), hands.tolist(), strict=True), stake / dealt, strict=True)))
    for event in solver.expand():
        player, hand = game.names.players.index(event.position), game.names.hand(event.hand)
        best = sorted(sizes[player].values())[-2:]
        assert sizes[player][event.node, hand] >= best[0] - 1e-12 and "at stake, reach" in event.reason


@pytest.mark.parametrize("name", RULES)
def test_every_rule_comes_back_from_its_two_values(name):
    rule = RULES[name](3)
    assert rule_from(rule_config(rule)) == rule == getattr(sl, name)(k=3) and repr(rule) == f"{name}(k=3)"
    assert rule != sl.MostReached(4) and len({type(kind(3)) for kind in RULES.values()}) == len(RULES)
    with pytest.raises(sl.SolverlabError, match="cannot expand 0 leaves a position"):
        rule_from([name, 0])


def test_the_oldest_leaves_of_a_forest_have_waited_longest():
    """Breadth first from the hole cards: all 169 of a position before anything below, level after level."""
    forest = Rebalance(Holdem(2, stack=6.0), frontier=sl.Oldest(150), samples=5, sweeps=1)
    forest.advance(8)
    columns, log = forest.ground.forest.columns, np.array(forest.ground.forest.log)
    level = np.zeros(columns.size, int)
    for n in range(1, columns.size):
        level[n] = level[columns.parent[n]] + 1 if columns.parent[n] > 0 else 0
    for seat in range(2):
        own = log[forest.ground.forest.position(log) == seat]
        assert len(own) == 1200 and (np.diff(own) > 0).all() and (np.diff(level[own]) >= 0).all()
        assert (level[own] == 0).sum() == 169 and level[own].max() > 1


def test_the_error_of_a_sampled_ev_follows_it():
    for rule in (kind(1) for kind in RULES.values()):
        forest = Rebalance(Holdem(2), frontier=rule, samples=20, sweeps=1)
        [event, _] = forest.step(1).events
        assert "EV" in event.reason.split(" ± ")[0].split()[-2], event.reason
