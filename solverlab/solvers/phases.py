"""One update under the microscope: the procedures of a step, stopped after each to show the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.solvers.update import gather, learn, refresh

if TYPE_CHECKING:
    from solverlab.solvers.cfr import CFR


@dataclass(frozen=True, eq=False)
class Phase:
    """A named sub-step of one player's update, with copies of the arrays it read or wrote.

    Arrays are [N, H] (by node and hand) for `cfv` and `sigma`, [P, N, H] for `reach`, [S, K] for the tables'
    rows.
    """

    name: str
    player: int
    sentence: str
    arrays: dict[str, np.ndarray]


def looking(solver: CFR, player: int) -> Iterator[Phase]:
    """Reach, values, gains: what one player sees before learning from it."""
    game, tables, work = solver.game, solver.tables, solver.work
    who = game.names.players[player]
    told = f"How likely everybody is to play to each node; the {who} player is updated."
    yield _phase("reach", player, told, reach=work.reach, sigma=work.sigma)
    gather(game.tree, solver.tie, player, game.leaf_cfv(player, work.leaf_reach), tables, work)
    yield _phase(
        "values",
        player,
        f"What each node is worth to the {who} player, times the others' reach.",
        cfv=work.cfv,
    )
    told = "How much better each action would have been than the mix."
    yield _phase("gains", player, told, gain=tables.gain, regret=tables.regret)


def learning(solver: CFR, player: int) -> Iterator[Phase]:
    """Regrets, matching: the tables take the gains in, and the next strategy follows."""
    tree, tables, work = solver.game.tree, solver.tables, solver.work
    rates = solver.schedule.rates(solver.iteration)
    learn(tree, solver.tie, player, rates, tables, work)
    told = f"Old regret, as much as {solver.schedule.name} keeps of it, plus the gain."
    yield _phase("regrets", player, told, regret=tables.regret, total=tables.total)
    refresh(tree, solver.tie, player, tables, work)
    yield _phase("matching", player, "The next strategy, in proportion to positive regret.", sigma=work.sigma)


def _phase(name: str, player: int, sentence: str, **arrays: np.ndarray) -> Phase:
    return Phase(name, player, sentence, {label: array.copy() for label, array in arrays.items()})
