"""Runs of the whole 2-to-7 deck: which solvers they are of, and how their game is told from another.

The game has no tree of hands to take a fingerprint of; its hands, their strengths, their weights, the stack
and the betting are the fingerprint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.rows import Row
from solverlab.store.files import checksum

if TYPE_CHECKING:
    from solverlab.solvers.draw.solver import DrawSolver


DECK_SOLVERS = ("DrawCFR", "SampledDraw", "DrawBetting")
CLOCKS = ("iteration", "seconds", "touched", "status")


def deck_solvers() -> dict[str, type[DrawSolver]]:
    """The solvers of the whole deck by name, loaded when asked for: their tables of cards take a moment."""
    from solverlab.solvers import draw

    return {name: getattr(draw, name) for name in DECK_SOLVERS}


def is_deck(game: object) -> bool:
    """Whether a game is a whole deck: hands, but no tree of them."""
    return isinstance(game, DrawGame)


def solves_deck(solver: object) -> bool:
    """Whether this is a solver of the whole deck."""
    from solverlab.solvers.draw.solver import DrawSolver

    return isinstance(solver, DrawSolver)


def deck_fingerprint(game: DrawGame) -> str:
    """A text that games of a whole deck share when hands, strengths, weights, stack and bets are the same."""
    sets = game.sets
    arrays = (sets.hands, sets.strength, np.round(sets.weight, 12), np.array([game.stack]))
    bets = repr(game.root).encode() if isinstance(game, BettingDrawGame) else b""
    return checksum(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays) + bets)


def deck_metrics(row: Row) -> Row:
    """What was measured in a row of a trace: everything but the clocks.

    >>> deck_metrics({"iteration": 5, "seconds": 1.0, "value": 0.5, "upper": 0.1})
    {'value': 0.5, 'upper': 0.1}
    """
    return {name: value for name, value in row.items() if name not in CLOCKS}
