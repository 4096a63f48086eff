"""Change a policy step by step: full-width CFR and sampled MCCFR, and the rebalancing of document 000.

May import core only; never games. Start reading at `schedules.py`, then `cfr.py`.
"""

from solverlab.solvers.cfr import CFR
from solverlab.solvers.frontier import Expanded, FrontierRule, HighestEV, MostAtStake, MostReached, Oldest
from solverlab.solvers.mccfr import MCCFR
from solverlab.solvers.phases import Phase
from solverlab.solvers.rebalance import Rebalance
from solverlab.solvers.rebalance_regret import RegretRebalance
from solverlab.solvers.schedules import SCHEDULES, Schedule, schedule_named
from solverlab.solvers.squash import SQUASHES, Squash, squash_named
from solverlab.solvers.walks import SAMPLINGS, Sampling, sampling_named

__all__ = [
    "CFR",
    "MCCFR",
    "SAMPLINGS",
    "SCHEDULES",
    "SQUASHES",
    "Expanded",
    "FrontierRule",
    "HighestEV",
    "MostAtStake",
    "MostReached",
    "Oldest",
    "Phase",
    "Rebalance",
    "RegretRebalance",
    "Sampling",
    "Schedule",
    "Squash",
    "sampling_named",
    "schedule_named",
    "squash_named",
]
