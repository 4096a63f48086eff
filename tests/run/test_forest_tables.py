"""Hold'em tables with buckets by exact strength: every bucket holds its share, and strong hands sit high."""

from __future__ import annotations

import json
from inspect import signature

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.dealing import deal_hands
from solverlab.core.errors import SolverlabError
from solverlab.games.holdem.buckets import MadeHands, SuitClasses
from solverlab.games.holdem.game import KNOWN, Holdem
from solverlab.games.holdem.strength import strength_buckets
from solverlab.solvers import Rebalance
from solverlab.solvers.growing.frontier import MostReached


def test_every_bucket_of_every_street_holds_its_share():
    game = Holdem(2, buckets=4)
    info = game.draw(np.random.default_rng(1), 8000).info
    for street in (1, 2, 3):
        share = np.bincount(info[0, street], minlength=4) / 8000
        assert np.abs(share - 0.25).max() < 0.035  # 5 sigma, and ties on the river


def test_a_stronger_hand_is_in_no_lower_bucket():
    """On the river strength is nearly rank: who clearly beats the other is hardly ever in a lower bucket."""
    hands, buckets = deal_hands(np.random.default_rng(2), 2000, 2), strength_buckets(5)
    first, second = (
        buckets.labels(3, np.ascontiguousarray(hands.hole[:, p]), hands.board).astype(int) for p in (0, 1)
    )
    better = hands.rank[:, 0] > hands.rank[:, 1] + 600
    assert better.sum() > 500 and (first >= second)[better].mean() > 0.99


def test_a_forest_sees_the_flop_through_them():
    forest = Rebalance(Holdem(2, stack=20.0, max_raises=2), frontier=MostReached(60), samples=50, sweeps=1)
    forest.advance(16)
    assert forest.ground.trees.streets >= 1 and forest.snapshot().names.actions.count("flop 5/5") > 0


def test_buckets_may_be_chosen():
    assert (
        Holdem(2, buckets=MadeHands(3)).buckets.count(2) == 3 and Holdem(2, buckets=7).buckets.count(3) == 7
    )
    with pytest.raises(SolverlabError, match="the number of buckets"):
        Holdem(2, buckets=0)


def test_the_newcomers_lines_grow_a_forest():
    solver = sl.Rebalance(
        Holdem(players=3, stack=20), squash="tanh", scale=1.0, frontier=sl.MostReached(k=4), rng=7, samples=50
    )
    assert isinstance(solver, Rebalance)
    snaps = list(sl.run(solver, every=25, until=sl.iterations(50), measure=[]))
    assert [snap.iteration for snap in snaps] == [25, 50] and len(snaps[0].events) == 2 * 3 * 4
    assert sl.views.tree(snaps[-1]) is not None


@pytest.mark.parametrize(
    "buckets", [3, MadeHands(4), SuitClasses(1, MadeHands(2))], ids=["3", "made", "suits"]
)
def test_a_table_is_built_again_from_its_configuration(buckets):
    table = Holdem(3, stack=(10, 20, 30), buckets=buckets, holdings="combos", match=False)
    config = json.loads(json.dumps(table.config()))
    assert config.pop("game") == "Holdem"
    again = Holdem(**config)
    assert again.config() == table.config() and again.rules == table.rules
    assert [again.buckets.count(street) for street in (1, 2)] == [table.buckets.count(s) for s in (1, 2)]


def test_unknown_buckets_are_not_replaced_in_silence():
    with pytest.raises(SolverlabError, match="buckets of the kind 'tea leaves' cannot be built here"):
        Holdem(2, buckets={"kind": "tea leaves"})


def test_settings_are_told_by_their_names():
    assert {"players", "stack", *KNOWN, "unknown"} == set(signature(Holdem).parameters)
