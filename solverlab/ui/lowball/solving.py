"""A rung under way: its game, its runner, and its strategy as charts and tables read it."""

from __future__ import annotations

from typing import Any

from solverlab.games.lowball.game import Lowball
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.run import Until, below, iterations, seconds
from solverlab.solvers.draw.full_width import full_width
from solverlab.ui.lowball.exact import ExactShape, ExactStrategy
from solverlab.ui.lowball.rung import check, check_room, exact_solver, whole_game
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.lowball.table import LowballStrategy
from solverlab.ui.lowball.whole import WholeShape, WholeStrategy
from solverlab.ui.lowball.whole_betting import BettingShape, BettingStrategy
from solverlab.ui.lowball.whole_runner import WholeRunner
from solverlab.ui.runner import Runner

EXACT_UNTIL = below("exploitability", 1e-6) | iterations(100_000) | seconds(60)
WHOLE_UNTIL = below("nash_conv", 0.003) | iterations(300)


class Solving:
    """A rung that is built; `runner` steps it."""

    def __init__(
        self,
        choice: LowballSettings,
        runner: Runner | WholeRunner,
        shape: ExactShape | WholeShape | BettingShape,
        game: Lowball | RealLowball,
    ):
        self.choice, self.runner, self.shape, self.game = choice, runner, shape, game

    def close(self) -> None:
        self.runner.close()

    @property
    def until(self) -> Until:
        """Where running pauses by itself."""
        return EXACT_UNTIL if self.choice.exact else WHOLE_UNTIL

    def strategy(self, snap: Any) -> LowballStrategy:
        if self.choice.exact:
            return ExactStrategy(self.shape, snap.policy)
        if isinstance(self.shape, BettingShape):
            return BettingStrategy(self.shape, snap)
        return WholeStrategy(self.shape, snap)


def begin(choice: LowballSettings, memory_cap: int) -> Solving:
    """Build what a rung needs; of a whole deck the hands only, its solver waits for the first step."""
    check(choice)
    if choice.exact:
        runner = Runner(lambda: exact_solver(choice), memory_cap=memory_cap)
        game = runner.solver.game
        return Solving(choice, runner, ExactShape(game), game)
    game = whole_game(choice)
    check_room(choice, game, memory_cap)
    real = choice.deck == "real"
    whole = WholeRunner(lambda: full_width(game, threads=1), real)
    shape = BettingShape(game) if isinstance(game, BettingLowball) else WholeShape(game.sets, real)
    return Solving(choice, whole, shape, game)
