"""Change a policy step by step: full-width CFR and sampled MCCFR, and the rebalancing of document 000.

May import core only; never games. Start reading at `schedules.py`, then `cfr.py`.
"""

from solverlab.solvers.cfr import CFR
from solverlab.solvers.growing.frontier import (
    Expanded,
    FrontierRule,
    HighestEV,
    MostAtStake,
    MostReached,
    Oldest,
)
from solverlab.solvers.growing.rebalance import Rebalance
from solverlab.solvers.growing.regret import RegretRebalance
from solverlab.solvers.growing.sampled.gains import Gains, deals_at, gains, gains_bracket
from solverlab.solvers.growing.squash import SQUASHES, Squash, squash_named
from solverlab.solvers.mccfr import MCCFR
from solverlab.solvers.phases import Phase
from solverlab.solvers.schedules import SCHEDULES, Schedule, schedule_named
from solverlab.solvers.walks import SAMPLINGS, Sampling, sampling_named

__all__ = [
    "CFR",
    "MCCFR",
    "SAMPLINGS",
    "SCHEDULES",
    "SQUASHES",
    "Expanded",
    "Gains",
    "FrontierRule",
    "HighestEV",
    "MostAtStake",
    "MostReached",
    "Oldest",
    "Phase",
    "Rebalance",
    "RegretRebalance",
    "deals_at",
    "gains",
    "gains_bracket",
    "Sampling",
    "Schedule",
    "Squash",
    "sampling_named",
    "schedule_named",
    "squash_named",
]
