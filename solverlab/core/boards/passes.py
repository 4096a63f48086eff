"""One player's pass over all rounds and boards, as a list of jobs; two passes make an iteration.

The first round has one board. Each board of the second round is a task of its own, with everything dealt
below it; what tasks find is added up in the order of boards, so results do not depend on who did which
task. One kernel does all kinds of jobs: a compiler works through everything below an entry anew for every
entry there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solverlab.core.boards.lanes import Lanes, new_lanes, value_ends
from solverlab.core.boards.shape import Boards, Round
from solverlab.core.boards.sweeps import BEST, UPDATE, best_up, learn_up, reach_down, values_up
from solverlab.core.kernel import inner_kernel, kernel

ONE, NOTHING = np.float32(1.0), np.float32(0.0)
BEGIN, ENTER, DOWN, UP, ADD, SETTLE, KEEP, COLLECT = range(8)
Job = tuple[int, int, int]  # what to do, on which round, on which board


class Level(NamedTuple):
    """A round with its boards and its tables: regret and total float32, rows of player p and board b from
    base[p, b] on."""

    betting: Round
    boards: Boards
    regret: np.ndarray
    total: np.ndarray
    base: np.ndarray


class Scratch(NamedTuple):
    """Work space of one board of a round: reach rows of both, values of nodes, play, lanes, sums over
    boards."""

    other: np.ndarray
    own: np.ndarray
    value: np.ndarray
    sigma: np.ndarray
    lanes: Lanes
    sums: np.ndarray


def new_scratch(betting: Round, boards: Boards) -> Scratch:
    """Room for any board of a round."""
    width, rows, nodes = int(boards.width.max(initial=1)), int(betting.rows.max()), len(betting.kind)
    most = int(betting.count.max(initial=1))
    return Scratch(
        other=np.zeros((rows, width), np.float32),
        own=np.zeros((rows, width), np.float32),
        value=np.zeros((nodes + 1, width), np.float32),  # the last row takes what nobody reads
        sigma=np.zeros((most + 1, width), np.float32),
        lanes=new_lanes(width),
        sums=np.zeros((len(betting.leaves), width)),
    )


def jobs_of_board(levels: Sequence[Level], number: int, b: int) -> list[Job]:
    """What makes a board of a later round known: all dealt on it, then its own values."""
    jobs: list[Job] = [(ENTER, number, b), (DOWN, number, b)]
    below = levels[number].boards.below
    for c in range(int(below[b]), int(below[b + 1])):
        jobs += [*jobs_of_board(levels, number + 1, c), (ADD, number + 1, c)]
    if below[b + 1] > below[b]:
        jobs.append((SETTLE, number, b))
    return [*jobs, (UP, number, b)]


def jobs_above(levels: Sequence[Level], number: int, b: int) -> list[Job]:
    """What brings reach to a board of a later round: the way there, without anything beside it."""
    if number == 0:
        return []
    above = int(levels[number].boards.parent[b])
    first = BEGIN if number == 1 else ENTER
    return [*jobs_above(levels, number - 1, above), (first, number - 1, above), (DOWN, number - 1, above)]


@kernel
def perform(jobs, players, what, rates, levels, scratches, ranges, slab):
    """Do jobs int64[M, 3] for each of the players, and all of it again for every row of rates[T, 4].

    slab[B, J, W] holds the values of the second round's roots, from KEEP to COLLECT.
    """
    for t in range(rates.shape[0]):
        weighted = what == UPDATE and rates[t, 3] > NOTHING
        for me in players:
            for i in range(jobs.shape[0]):
                job, number, b = jobs[i, 0], jobs[i, 1], jobs[i, 2]
                level, scratch = levels[number], scratches[number]
                above = scratches[max(number - 1, 0)]
                if job == BEGIN:
                    _begin(me, ranges, scratch)
                elif job == ENTER:
                    _enter(me, weighted, levels[number - 1].betting, above, level, b, scratch)
                elif job == DOWN:
                    _down(me, what, weighted, level, b, scratch)
                elif job == UP:
                    _up(me, what, rates[t], level, b, scratch)
                elif job == ADD:
                    _add(me, level, b, scratch.value, above.sums)
                elif job == SETTLE:
                    _settle(level.betting, scratch)
                elif job == KEEP:
                    slab[b] = scratch.value[: slab.shape[1]]
                else:
                    for kept in range(slab.shape[0]):
                        _add(me, levels[1], kept, slab[kept], scratch.sums)
                    _settle(level.betting, scratch)


@inner_kernel
def _begin(me, ranges, scratch):
    """The other's range and one's own certainty at the root."""
    other, own = scratch.other[0], scratch.own[0]
    for k in range(other.shape[0]):
        other[k], own[k] = ranges[1 - me, k], ONE


@inner_kernel
def _enter(me, weighted, betting, above, level, b, scratch):
    """Bring both reaches from the leaves of the board above to the roots of a board dealt on it."""
    boards, chance = level.boards, np.float32(level.boards.chance)
    for player in range(2):
        if player == me and not weighted:
            continue
        start, size, width = boards.start[player, b], boards.size[player, b], boards.width[player, b]
        for j in range(level.betting.roots):
            row = betting.row[player, betting.leaves[j]]
            source, out, factor = above.own[row], scratch.own[j], ONE
            if player != me:
                source, out, factor = above.other[row], scratch.other[j], chance
            for k in range(size):
                out[k] = source[boards.above[start + k]] * factor
            for k in range(size, width):
                out[k] = NOTHING


@inner_kernel
def _down(me, what, weighted, level, b, scratch):
    """Reach of every node of one board, from that of its roots."""
    table, sigma = level.regret if what == UPDATE else level.total, scratch.sigma
    for player in range(2):
        if player != me or weighted:
            reach = scratch.own if player == me else scratch.other
            base, width = level.base[player, b], level.boards.width[player, b]
            reach_down(player, level.betting, table, base, width, reach, sigma)


@inner_kernel
def _up(me, what, rates, level, b, scratch):
    """Values of every node of one board; those of NEXT leaves are there already. Rows learn if asked
    to."""
    betting, boards, value, sigma = level.betting, level.boards, scratch.value, scratch.sigma
    base, width = level.base[me, b], boards.width[me, b]
    value_ends(me, betting, boards, b, scratch.other, value, scratch.lanes)
    if what == UPDATE:
        learn_up(me, betting, rates, level.regret, level.total, base, width, scratch.own, value, sigma)
    elif what == BEST:
        best_up(me, betting, width, value)
    else:
        values_up(me, betting, level.total, base, width, value, sigma)


@inner_kernel
def _add(me, level, b, roots, sums):
    """Values of a board's roots[J, W] into the sums[J, W] of the board above, for every deal it stands
    for."""
    boards = level.boards
    size, width = boards.size[me, b], boards.width[me, b]
    for i in range(boards.images[b]):
        image = boards.image[boards.image_start[me, b] + i * width :]
        for j in range(level.betting.roots):
            into, row = sums[j], roots[j]
            for k in range(size):
                into[image[k]] += row[k]


@inner_kernel
def _settle(betting, scratch):
    """What the cards dealt at the NEXT leaves are worth, all boards added up; the sums begin anew."""
    for j in range(betting.leaves.shape[0]):
        row, out = scratch.sums[j], scratch.value[betting.leaves[j]]
        for k in range(out.shape[0]):
            out[k] = row[k]
            row[k] = 0.0
