"""A suite on the hold'em forest, one thread: six-handed deals a second, and node-deals of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solverlab.bench.clock import race
from solverlab.bench.contestants import Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row
from solverlab.bench.solving import timed_rows
from solverlab.cards.dealing import deal_hands
from solverlab.games.holdem.game import Holdem
from solverlab.solvers.growing.frontier import MostReached
from solverlab.solvers.growing.rebalance import Rebalance

BATCH = 1000  # deals a unit of work: one alone is over before the clock ticks
SAMPLES, EPOCHS = 512, 4
TASK = "six-handed no-limit hold'em"


def forest(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Nobody else grows such a forest, so there are only our own rows."""
    rng = np.random.default_rng(0)
    grown = Rebalance(Holdem(players=6, buckets=None), frontier=MostReached(50), samples=SAMPLES, sweeps=1)
    grown.advance(EPOCHS)
    grown.rebalance()
    before = grown.touched
    grown.rebalance()
    millions = (grown.touched - before) / 1e6  # node-deals of one sweep

    def sweep(count: int) -> None:
        for _ in range(count):
            grown.rebalance()

    dealing = race(
        {OUR_NAME: lambda count: deal_hands(rng, BATCH * count, 6)}, plan.sample_seconds, plan.repeats
    )
    sweeping = race({OUR_NAME: sweep}, plan.sample_seconds, plan.repeats)
    deals = {name: timing.shared(BATCH) for name, timing in dealing.items()}
    visits = {name: timing.shared(1e6 * millions) for name, timing in sweeping.items()}
    rows = timed_rows("forest", TASK, "one six-handed deal, ranked", deals, "rate")
    return rows + timed_rows("forest", TASK, "one node-deal", visits, "rate")
