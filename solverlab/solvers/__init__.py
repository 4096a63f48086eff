"""Change a policy step by step: full-width CFR and sampled MCCFR, whose variants are rows of two tables.

May import core only; never games. Start reading at `schedules.py`, then `cfr.py`.
"""

from solverlab.solvers.cfr import CFR
from solverlab.solvers.mccfr import MCCFR
from solverlab.solvers.phases import Phase
from solverlab.solvers.schedules import SCHEDULES, Schedule, schedule_named
from solverlab.solvers.walks import SAMPLINGS, Sampling, sampling_named

__all__ = [
    "CFR",
    "MCCFR",
    "SAMPLINGS",
    "SCHEDULES",
    "Phase",
    "Sampling",
    "Schedule",
    "sampling_named",
    "schedule_named",
]
