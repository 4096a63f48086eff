"""Solve push/fold at many stacks: what a Nash chart is made of."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.snapshot import Snapshot
from solverlab.games import PushFold
from solverlab.run.drive import solve
from solverlab.run.stopping import below, iterations
from solverlab.solvers import Schedule

STACKS = tuple(np.arange(1.5, 20.5, 0.5).tolist())


def pushfold_charts(
    stacks: Iterable[float] = STACKS,
    schedule: str | Schedule = "DCFR",
    target: float = 1e-6,
    most: int = 20_000,
) -> dict[float, Snapshot]:
    """The solution of heads-up push/fold at each stack, in big blinds; `sl.views.pushfold_chart` draws them.

    Every snapshot carries its exact exploitability, which is below `target` unless `most` iterations passed
    first.

    >>> charts = pushfold_charts([5, 10])
    >>> charts[10].policy.at("jam", hand="AA")["call"] > 0.99, charts[5].exploitability < 1e-6
    (True, True)
    """
    games = {game.stack: game for game in (PushFold(stack) for stack in stacks)}
    if not games:
        raise BadValue("a chart of no stacks is empty; give at least one stack in big blinds")
    until = iterations(most) | below("exploitability", target)
    return {stack: solve(games[stack], schedule, until) for stack in sorted(games)}
