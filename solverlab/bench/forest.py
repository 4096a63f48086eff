"""A suite on the hold'em forest, one thread: six-handed deals a second, and node-deals of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solverlab.bench.clock import race
from solverlab.bench.contestants import Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row
from solverlab.bench.solving import timed_rows
from solverlab.cards.dealing import deal_hands
from solverlab.games.holdem import Holdem
from solverlab.solvers.forest import Forest
from solverlab.solvers.frontier import MostReached

BATCH = 1000  # deals a unit of work: one alone is over before the clock ticks
SAMPLES, EPOCHS = 200, 5


def forest(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Nobody else grows such a forest, so there are only our own rows."""
    rng = np.random.default_rng(0)
    grown = Forest(Holdem(players=6), frontier=MostReached(50), samples=SAMPLES, sweeps=1)
    grown.advance(EPOCHS)
    grown.rebalance()
    before = grown.touched
    grown.rebalance()
    million = 1e6 / (grown.touched - before)  # sweeps that make a million node-deals

    def sweep(count: int) -> None:
        for _ in range(max(1, round(count * million))):
            grown.rebalance()

    works: dict[str, Callable[[int], object]] = {
        f"{BATCH:,} six-handed deals, ranked": lambda count: deal_hands(rng, BATCH * count, 6),
        "a million node-deals": sweep,
    }
    rows = []
    for measure, work in works.items():
        timing = race({OUR_NAME: work}, plan.sample_seconds, plan.repeats)
        rows += timed_rows("forest", "six-handed no-limit hold'em", measure, timing, "rate")
    return rows
