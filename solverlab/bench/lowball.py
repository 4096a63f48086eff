"""A suite on the real 2-to-7 deck: deals a second of the sampled solver, and one full-width iteration."""

from __future__ import annotations

from collections.abc import Sequence

from solverlab.bench.clock import race
from solverlab.bench.contestants import Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row
from solverlab.bench.solving import timed_rows
from solverlab.games.lowball.real import RealLowball
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw

STACK = 3.0
BATCH = 1000  # deals a unit of work: one alone is over before the clock ticks
WARM = (
    1_000_000  # deals before the clock starts: every page of the tables touched, strategies no longer uniform
)
TASK = "2-to-7, 134,459 hands"


def lowball(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Push/fold with five cards of 52, one thread; nobody else plays it, so there are only our own rows."""
    game = RealLowball(STACK)
    sampled, full = SampledDraw(game, rng=1), DrawCFR(game, threads=1)
    sampled.advance(WARM // plan.every)
    deals = race({OUR_NAME: lambda count: sampled.advance(BATCH * count)}, plan.sample_seconds, plan.repeats)
    each = {name: timing.shared(BATCH) for name, timing in deals.items()}
    iterations = race({OUR_NAME: full.advance}, plan.sample_seconds, plan.long_repeats)
    rows = timed_rows("lowball", TASK, "one sampled deal, all discards", each, "rate")
    return rows + timed_rows("lowball", TASK, "one full-width iteration", iterations)
