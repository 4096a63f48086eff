"""Questions answered by many runs: curves over stacks, prices of abstractions, races of update rules.

May import run and below, as a user's own script would; nothing below imports it. Each file is one question
and returns tables. Start reading at `price.py`.
"""

from solverlab.studies.lowball import lowball_curve, lowball_root, lowball_variants
from solverlab.studies.truncated_race import own_gains, truncated_race

__all__ = ["lowball_curve", "lowball_root", "lowball_variants", "own_gains", "truncated_race"]
