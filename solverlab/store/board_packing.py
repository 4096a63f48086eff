"""Runs of postflop spots: whether a solver is one of them, and how a spot is told from another.

A spot has no tree of hands to take a fingerprint of; its betting, its boards and its ranges are the
fingerprint.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.boards.game import BoardGame

if TYPE_CHECKING:
    from solverlab.solvers.boards.cfr import SpotCFR

BOARD_SOLVER = "SpotCFR"


def board_solver() -> type[SpotCFR]:
    """The solver of spots, loaded when asked for."""
    from solverlab.solvers.boards.cfr import SpotCFR

    return SpotCFR


def solves_boards(solver: object) -> bool:
    """Whether this is a solver of spots."""
    return isinstance(solver, board_solver())


def board_fingerprint(game: BoardGame) -> str:
    """A text that spots share when betting, payoffs, boards and ranges are the same: every number that a
    table's rows and columns stand for."""
    digest = hashlib.sha256(repr([game.mass, game.pot]).encode())
    for betting, boards in zip(game.rounds, game.boards, strict=True):
        parts = (betting.kind, betting.parent, betting.edge, betting.worth, betting.pays)
        for array in (*parts, boards.cards, boards.parent, boards.combo, boards.images, boards.image):
            digest.update(np.ascontiguousarray(array).data)
    digest.update(np.ascontiguousarray(game.ranges).data)
    return digest.hexdigest()
