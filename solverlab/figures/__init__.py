"""Published figures that make themselves again: data, drawing and provenance from one command.

May import abstraction, run, views and below; neither solvers nor games. Start reading at `figure.py`, then
any figure's own file.
"""

from __future__ import annotations

from importlib import import_module

from solverlab.core.errors import UnknownName
from solverlab.figures.figure import Drawing, PublishedFigure

# A new figure is one file with a FIGURE in it and one line here.
FIGURES = {
    "johanson-2.2": "solverlab.figures.johanson",
    "ganzfried-2014": "solverlab.figures.ganzfried",
    "occupancy": "solverlab.figures.occupancy",
    "push-fold-chart": "solverlab.figures.pushfold",
    "two-to-seven-ev": "solverlab.figures.two_to_seven",
    "tanh-phase": "solverlab.figures.tanh_phase",
    "tanh-vs-cfr": "solverlab.figures.tanh_vs_cfr",
    "growth": "solverlab.figures.growth",
    "crn": "solverlab.figures.crn",
    "branching": "solverlab.figures.branching",
}

__all__ = ["FIGURES", "Drawing", "PublishedFigure", "figure_named"]


def figure_named(name: str) -> PublishedFigure:
    """A figure of the list.

    >>> figure_named("occupancy").parameters
    {'buckets': 10}
    """
    if name not in FIGURES:
        raise UnknownName("figure", name, FIGURES)
    return import_module(FIGURES[name]).FIGURE
