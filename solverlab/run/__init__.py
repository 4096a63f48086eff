"""Drives solvers and records what they do: run, solve, traces and stopping rules.

May import analysis, solvers and below; it is the only place where a solver meets a measure. Start at
`drive.py`.
"""

from solverlab.run.drive import run, solve
from solverlab.run.growing.growth import distance_inside, growing, growth, growth_curves, uct_growth
from solverlab.run.growing.paths import follow_paths
from solverlab.run.measures import MEASURES, distances, measured, usual_measures
from solverlab.run.stopping import Until, below, iterations, seconds
from solverlab.run.trace import Trace

__all__ = [
    "MEASURES",
    "Trace",
    "Until",
    "below",
    "distance_inside",
    "distances",
    "follow_paths",
    "growing",
    "growth",
    "growth_curves",
    "iterations",
    "measured",
    "run",
    "seconds",
    "solve",
    "uct_growth",
    "usual_measures",
]
