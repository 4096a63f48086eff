"""Hold'em tables with buckets by exact strength: every bucket holds its share, and strong hands sit high."""

from __future__ import annotations

import numpy as np

from solverlab.cards.dealing import deal_hands
from solverlab.run.forest import strength_buckets, strength_holdem
from solverlab.solvers.forest import Forest
from solverlab.solvers.frontier import MostReached


def test_every_bucket_of_every_street_holds_its_share():
    game = strength_holdem(2, buckets=4)
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
    forest = Forest(
        strength_holdem(2, stack=20.0, max_raises=2), frontier=MostReached(60), samples=50, sweeps=1
    )
    forest.advance(16)
    assert forest.ground.streets >= 1 and forest.snapshot().names.actions.count("flop 5/5") > 0
