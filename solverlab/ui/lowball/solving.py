"""A rung under way: its game, its runner, and its strategy as charts and tables read it."""

from __future__ import annotations

from typing import Any

from solverlab.run import Until, below, iterations, seconds
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.ui.lowball.choice import Choice
from solverlab.ui.lowball.exact import ExactShape, ExactStrategy
from solverlab.ui.lowball.rung import check, exact_solver, whole_game
from solverlab.ui.lowball.table import LowballStrategy
from solverlab.ui.lowball.whole import WholeShape, WholeStrategy
from solverlab.ui.lowball.whole_runner import WholeRunner
from solverlab.ui.runner import Runner

EXACT_UNTIL = below("exploitability", 1e-6) | iterations(100_000) | seconds(60)
WHOLE_UNTIL = below("nash_conv", 0.003) | iterations(300)


class Solving:
    """A rung that is built; `runner` steps it."""

    def __init__(self, choice: Choice, runner: Any, shape: Any, game: Any):
        self.choice, self.runner, self.shape, self.game = choice, runner, shape, game

    @property
    def until(self) -> Until:
        """Where running pauses by itself."""
        return EXACT_UNTIL if self.choice.exact else WHOLE_UNTIL

    def strategy(self, snap: Any) -> LowballStrategy:
        if self.choice.exact:
            return ExactStrategy(self.shape, snap.policy)
        return WholeStrategy(self.shape, snap)


def begin(choice: Choice, memory_cap: int) -> Solving:
    """Build what a rung needs; of a whole deck the hands only, its solver waits for the first step."""
    check(choice)
    if choice.exact:
        runner = Runner(lambda: exact_solver(choice), memory_cap=memory_cap)
        game = runner.solver.game
        return Solving(choice, runner, ExactShape(game), game)
    game = whole_game(choice)
    real = choice.deck == "real"
    whole = WholeRunner(lambda: DrawCFR(game, threads=1), real)
    return Solving(choice, whole, WholeShape(game.sets, real), game)
