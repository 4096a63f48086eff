"""Which solver looks at every hand of a draw game each iteration: it depends on what may be bet."""

from __future__ import annotations

from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.rows import Setting
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.schedules import Schedule


def full_width(
    game: DrawGame, schedule: str | Schedule = "DCFR", **settings: Setting
) -> DrawCFR | DrawBetting:
    """A solver of a draw game without sampling: push/fold, or with a tree of betting."""
    if isinstance(game, BettingDrawGame):
        return DrawBetting(game, schedule, **settings)
    return DrawCFR(game, schedule, **settings)
