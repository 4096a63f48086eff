"""Whoever learns from a game over boards or measures a policy of it walks all rounds: here, on one or
several threads.

A task is a few boards of the second round with all that is dealt below. Workers hold scratch of their own
and release the interpreter, so tasks run side by side; sums are made afterwards, in the order of boards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache

import numpy as np

from solverlab.core.abilities import Measured
from solverlab.core.boards.game import BoardGame
from solverlab.core.boards.passes import (
    BEGIN,
    COLLECT,
    DOWN,
    KEEP,
    UP,
    Job,
    Level,
    Scratch,
    jobs_above,
    jobs_of_board,
    new_scratch,
    perform,
)
from solverlab.core.boards.shape import bases
from solverlab.core.boards.sweeps import AVERAGE, BEST, UPDATE

NO_RATES = np.zeros(4, np.float32)
MOST_ROUNDS = 3
BOTH = np.arange(2)
TASK_COLUMNS = 500_000  # columns of nodes that a task walks through: a few milliseconds


@cache
def workers() -> ThreadPoolExecutor:
    """The threads of this process, one a core, shared by everybody who walks."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="boards")


def table_bases(game: BoardGame) -> list[np.ndarray]:
    """Where rows begin in the tables of each round: first all of one player, then all of the other."""
    found = []
    for betting, boards in zip(game.rounds, game.boards, strict=True):
        base = bases(betting, boards)
        base[1] += base[0, -1]
        found.append(base)
    return found


def table_lengths(game: BoardGame) -> list[int]:
    """Numbers in a table of each round."""
    pairs = zip(game.rounds, game.boards, strict=True)
    return [int((boards.width * betting.edges[:, None]).sum()) for betting, boards in pairs]


def columns_walked(game: BoardGame) -> int:
    """Nodes times columns of one pass of both players."""
    pairs = zip(game.rounds, game.boards, strict=True)
    return sum(len(betting.kind) * int(boards.width.sum()) for betting, boards in pairs)


class Walk:
    """The tables of a game over boards, ready to be walked: `regret` and `total` are one array a
    round."""

    def __init__(
        self, game: BoardGame, regret: Sequence[np.ndarray], total: Sequence[np.ndarray], threads: int = 1
    ):
        self.game, self.threads = game, threads
        parts = zip(game.rounds, game.boards, regret, total, table_bases(game), strict=True)
        levels = [Level(*part) for part in parts]
        self.rounds = len(levels)
        self.levels = (*levels, *levels[-1:] * 2)[:MOST_ROUNDS]  # the kernel is compiled for all there can be
        self.top = new_scratch(levels[0].betting, levels[0].boards)
        self.later = [self._scratch() for _ in range(threads)]
        self.slab = self._slab()
        self.start, self.end = _table([(BEGIN, 0, 0), (DOWN, 0, 0)]), _table([(COLLECT, 0, 0), (UP, 0, 0)])
        self.alone = _table([(BEGIN, 0, 0), (DOWN, 0, 0), (UP, 0, 0)])
        self.tasks = self._tasks(TASK_COLUMNS)

    def _scratch(self) -> tuple[Scratch, Scratch]:
        """Scratch of one worker for the later rounds."""
        if self.rounds == 1:
            return self.top, self.top
        middle, low = (new_scratch(level.betting, level.boards) for level in self.levels[1:])
        return middle, low

    def _slab(self) -> np.ndarray:
        """Room for what all tasks find."""
        level, width = self.levels[1], self.later[0][0].value.shape[1]
        boards = level.boards.number if self.rounds > 1 else 0
        return np.zeros((boards, level.betting.roots, width), np.float32)

    def _tasks(self, columns: int) -> list[np.ndarray]:
        """Jobs of the second round's boards, a task each, or several small ones together."""
        if self.rounds == 1:
            return []
        number = self.levels[1].boards.number
        size = max(1, columns * number // max(columns_walked(self.game), 1))
        found = []
        for first in range(0, number, size):
            jobs: list[Job] = []
            for b in range(first, min(first + size, number)):
                jobs += [*jobs_of_board(self.levels, 1, b), (KEEP, 1, b)]
            found.append(_table(jobs))
        return found

    # ---- walking -------------------------------------------------------------------------------------------

    def iterate(self, rates: np.ndarray) -> None:
        """len(rates) iterations of a game of one round, without leaving compiled code."""
        self._perform(self.alone, BOTH, UPDATE, rates, self.later[0])

    def parts(self, me: int, what: int, rates: np.ndarray) -> Iterator[None]:
        """One player's pass, with a stop after every task; the values of the first node are left in
        `top`."""
        once, player = rates[None], BOTH[me : me + 1]
        if self.rounds == 1:
            self._perform(self.alone, player, what, once, self.later[0])
            return
        self._perform(self.start, player, what, once, self.later[0])
        yield from self._side_by_side(player, what, once)
        self._perform(self.end, player, what, once, self.later[0])

    def _perform(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        what: int,
        rates: np.ndarray,
        later: tuple[Scratch, Scratch],
    ) -> None:
        perform(jobs, players, what, rates, self.levels, (self.top, *later), self.game.ranges, self.slab)

    def _side_by_side(self, player: np.ndarray, what: int, rates: np.ndarray) -> Iterator[None]:
        if self.threads == 1:
            for jobs in self.tasks:
                self._perform(jobs, player, what, rates, self.later[0])
                yield
            return
        free, busy = list(self.later), dict[Future[None], tuple[Scratch, Scratch]]()
        try:
            for jobs in self.tasks:
                if not free:
                    for ended in wait(busy, return_when=FIRST_COMPLETED).done:
                        free.append(busy.pop(ended))
                        ended.result()
                    yield
                scratch = free.pop()
                busy[workers().submit(self._perform, jobs, player, what, rates, scratch)] = scratch
        finally:  # nobody may touch the tables while a task still writes them
            wait(busy)
        for ended in busy:
            ended.result()

    # ---- measuring -----------------------------------------------------------------------------------------

    def values(self, me: int, what: int) -> np.ndarray:
        """What every hand of the first board is worth against the average, float64[W], a pair of hands
        counted as often as it is dealt."""
        for _ in self.parts(me, what, NO_RATES):
            pass
        return self.top.value[0].astype(np.float64)

    def values_on(self, me: int, number: int, b: int) -> np.ndarray:
        """Values of all nodes of a board of round `number` against the average, float64[N, W]; only what
        lies below the board is walked."""
        if number == 0:
            self.values(me, AVERAGE)
            return self.top.value.astype(np.float64)
        jobs = [*jobs_above(self.levels, number, b), *jobs_of_board(self.levels, number, b)]
        self._perform(_table(jobs), BOTH[me : me + 1], AVERAGE, NO_RATES[None], self.later[0])
        return self.later[0][number - 1].value.astype(np.float64)

    def measured(self) -> Measured:
        """Values and best responses of both players against the policy that `total` holds."""
        found = {what: tuple(self._mean(me, what) for me in range(2)) for what in (AVERAGE, BEST)}
        return Measured(found[AVERAGE], found[BEST])

    def _mean(self, me: int, what: int) -> float:
        weights = self.game.ranges[me].astype(np.float64)
        return float(self.values(me, what)[: len(weights)] @ weights / self.game.mass)


def _table(jobs: Sequence[Job]) -> np.ndarray:
    return np.array(jobs, np.int64).reshape(-1, 3)
