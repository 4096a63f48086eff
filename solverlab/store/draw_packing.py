"""Runs of the whole 2-to-7 deck: which solvers they are of, and how their game is told from another.

The game has no tree to take a fingerprint of; its hands, their strengths, their weights and the stack are the
fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.store.files import checksum

DECK_SOLVERS = ("DrawCFR", "SampledDraw")
CLOCKS = ("iteration", "seconds", "touched", "status")


def deck_solvers() -> dict[str, Any]:
    """The solvers of the whole deck by name, loaded when asked for: their tables of cards take a moment."""
    from solverlab.solvers.draw.cfr import DrawCFR
    from solverlab.solvers.draw.sampled import SampledDraw

    return {"DrawCFR": DrawCFR, "SampledDraw": SampledDraw}


def is_deck(game: Any) -> bool:
    """Whether a game is a whole deck: hands, but no tree."""
    return hasattr(game, "sets") and not hasattr(game, "tree")


def solves_deck(solver: Any) -> bool:
    """Whether a solver of the whole deck can be saved; one that keeps no state is refused in a sentence."""
    if not is_deck(getattr(solver, "game", None)):
        return False
    if not hasattr(solver, "state"):
        raise BadValue(
            f"a {type(solver).__name__} keeps no state that could go on; keep its strategy with "
            "numpy.savez(file, **solver.policy())"
        )
    return isinstance(solver, tuple(deck_solvers().values()))


def deck_fingerprint(game: Any) -> str:
    """A text that games of a whole deck share when hands, strengths, weights and stack are the same."""
    sets = game.sets
    arrays = (sets.hands, sets.strength, np.round(sets.weight, 12), np.array([game.stack]))
    return checksum(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))


def deck_metrics(row: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured in a row of a trace: everything but the clocks.

    >>> deck_metrics({"iteration": 5, "seconds": 1.0, "value": 0.5, "upper": 0.1})
    {'value': 0.5, 'upper': 0.1}
    """
    return {name: value for name, value in row.items() if name not in CLOCKS}
