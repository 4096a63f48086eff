"""Equity by hand: all cards to come are dealt and nobody bets.

It is the game itself with no betting in it: a round is one node where a card comes, the last a showdown
for one chip. So the kernel that solves also runs out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.boards.passes import (
    ADD,
    BEGIN,
    SETTLE,
    UP,
    Job,
    Level,
    jobs_of_board,
    new_scratch,
    perform,
)
from solverlab.core.boards.shape import NEXT, SHOW, Round, both_players, laned
from solverlab.core.boards.sweeps import AVERAGE

if TYPE_CHECKING:
    from solverlab.core.boards.game import BoardGame, Place

ONCE = np.zeros((1, 4), np.float32)
NO_SLAB = np.zeros((0, 1, 1), np.float32)
MOST_ROUNDS = 3


class RunOut:
    """Showdowns from any board of a game on, against any weights of the other's hands."""

    def __init__(self, game: BoardGame):
        last = len(game.boards) - 1
        levels = [
            Level(
                _without_betting(SHOW if number == last else NEXT),
                boards,
                np.zeros(0, np.float32),
                np.zeros(0, np.float32),
                np.zeros((2, boards.number + 1), np.int64),
            )
            for number, boards in enumerate(game.boards)
        ]
        scratches = [new_scratch(level.betting, level.boards) for level in levels]
        self.levels = (*levels, *levels[-1:] * 2)[:MOST_ROUNDS]
        self.scratches = (*scratches, *scratches[-1:] * 2)[:MOST_ROUNDS]
        self._jobs: dict[tuple[int, int], np.ndarray] = {}

    def equity(self, place: Place, me: int, other: np.ndarray, met: np.ndarray) -> np.ndarray:
        """The part of a pot that each hand wins, float64[H], against weights `other` of which a hand meets
        `met`."""
        scratch, total = self.scratches[place.round], other.sum()
        if total <= 0:
            return np.full(len(met), np.nan)
        ranges = np.zeros((2, scratch.other.shape[1]), np.float32)
        ranges[1 - me, : len(other)] = other / total
        jobs = self._jobs_of(place.round, place.board)
        perform(jobs, np.array([me]), AVERAGE, ONCE, self.levels, self.scratches, ranges, NO_SLAB)
        return scratch.value[0, : len(met)] * total / met + 0.5

    def _jobs_of(self, number: int, b: int) -> np.ndarray:
        """A board of the last round is shown down; on any other everything below is dealt first."""
        if (number, b) not in self._jobs:
            jobs: list[Job] = [(BEGIN, number, b)]
            below = self.levels[number].boards.below
            for c in range(int(below[b]), int(below[b + 1])):
                jobs += [*jobs_of_board(self.levels, number + 1, c), (ADD, number + 1, c)]
            jobs.append((SETTLE, number, b) if below[b + 1] > below[b] else (UP, number, b))
            self._jobs = {(number, b): np.array(jobs, np.int64)}
        return self._jobs[number, b]


def _without_betting(kind: int) -> Round:
    """A round of one node. A showdown pays half a chip either way, so that a tie is worth nothing."""
    kinds, row = np.array([kind], np.int8), np.zeros((2, 1), np.int32)
    return Round(
        kinds,
        parent=np.array([-1], np.int32),
        first=np.array([1], np.int32),
        count=np.array([0], np.int32),
        edge=np.array([-1], np.int32),
        row=row,
        rows=np.ones(2, np.int64),
        edges=np.zeros(2, np.int64),
        roots=1,
        leaves=np.flatnonzero(kinds == NEXT).astype(np.int32),
        worth=np.zeros((2, 1), np.float32),
        pays=np.array([[0.5], [0.5], [0.0]], np.float32),
        lanes=both_players([laned(kinds, row[1 - me]) for me in range(2)]),
    )
