"""Measures a policy on a game: exact best responses, values, an LP referee, comparisons and sizes.

May import core and cards (and takes any game that keeps the contract). Start reading at `best_response.py`.
"""

from solverlab.analysis.best_response import (
    BestResponse,
    best_response,
    deviation_gains,
    exploitability,
    nash_conv,
    value,
)
from solverlab.analysis.oscillation import Oscillation, Paths, Watch, oscillation, paths, probability
from solverlab.analysis.referee import Equilibrium, solve_lp
from solverlab.analysis.truncated import truncated_exploitability, truncated_gains

__all__ = [
    "BestResponse",
    "Equilibrium",
    "Oscillation",
    "Paths",
    "Watch",
    "best_response",
    "deviation_gains",
    "exploitability",
    "nash_conv",
    "oscillation",
    "paths",
    "probability",
    "solve_lp",
    "truncated_exploitability",
    "truncated_gains",
    "value",
]
