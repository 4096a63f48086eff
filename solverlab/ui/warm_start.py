"""What a first click would wait for, page by page: errands that have it compiled and built ahead.

Each errand does what its page does first, in small: the same kernels for the same types, fewer deals. Machine
code lands in the compile cache and tables in the table cache, whoever runs it. That a page then compiles
nothing is tested, so a page that comes to need another kernel is noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Errand:
    """One piece of work: the page that needs it, its name on the screen, the work, about how long it takes.

    The seconds are of one core with nothing compiled; what a machine needed is remembered and told instead.
    """

    page: str
    words: str
    run: Callable[[], object]
    seconds: float
    large: bool = False  # hundreds of megabytes, so a server leaves them to the page that shows them

    @property
    def name(self) -> str:
        """What it is known by between processes and sessions."""
        return f"{self.page}: {self.words}"


def _iterate() -> None:
    from solverlab.ui.solve.build import game_of, solver_maker
    from solverlab.ui.solve.settings import SolveSettings

    settings = SolveSettings()
    solver = solver_maker(settings, game_of(settings))()
    solver.step(1)
    for _ in solver.phases():  # the microscope replays them
        pass


def _measure() -> None:
    from solverlab.ui.runner import Runner
    from solverlab.ui.solve.build import game_of, solver_maker
    from solverlab.ui.solve.settings import SolveSettings

    settings = SolveSettings()
    runner = Runner(solver_maker(settings, game_of(settings)))
    runner.step(1)
    runner.wait()
    runner.close()


def _grow(game: str) -> None:
    from solverlab.ui.grow.runner import GrowRunner
    from solverlab.ui.grow.settings import GrowSettings

    settings = replace(GrowSettings(), game=game, deals=20)
    runner = GrowRunner(settings.growing)
    runner.rebalance(2)
    runner.expand()
    runner.rebalance(2)
    runner.wait()
    runner.close()


def _deal() -> None:
    """What deals the hands of a forest, apart from what plays them."""
    from solverlab.solvers.growing.sampled.sample import draw_trees
    from solverlab.ui.grow.settings import GrowSettings

    draw_trees(GrowSettings().table(), range(2), 20, 0, (0,))


def _push_or_fold() -> None:
    from solverlab.ui.pushfold.settings import PushFoldSettings
    from solverlab.ui.pushfold.solving import solved

    settings = PushFoldSettings()
    solved(settings.players, settings.stack, lambda share, words: None, lambda: False)


def _draw_one() -> None:
    from solverlab.ui.lowball.settings import LowballSettings
    from solverlab.ui.lowball.solving import begin
    from solverlab.ui.worker import MEMORY_CAP

    solving = begin(LowballSettings(), MEMORY_CAP)
    solving.runner.step(1)
    solving.runner.wait()
    solving.close()


def _strength() -> None:
    from solverlab.ui.abstraction.settings import AbstractionSettings
    from solverlab.ui.abstraction.streets import labelled

    labelled(AbstractionSettings())


def _sums() -> None:
    """The kernels that add strength up street by street, on no boards at all."""
    from solverlab.cards.street_strength import compile_sums

    compile_sums()


ERRANDS = (
    Errand("solve", "compiling the solver", _iterate, 4),
    Errand("solve", "compiling the measures", _measure, 4),
    Errand("grow", "compiling small games", lambda: _grow("kuhn"), 4),
    Errand("grow", "compiling the forest", lambda: _grow("holdem"), 7),
    Errand("grow", "compiling the deals", _deal, 2),
    Errand("push-fold", "solving the first stack", _push_or_fold, 3),
    Errand("two-to-seven", "solving the first rung", _draw_one, 8),
    Errand("abstraction", "compiling the strength of hands", _sums, 3),
    Errand("abstraction", "building the exact strength of every hand", _strength, 12, large=True),
)
PAGES = tuple(dict.fromkeys(errand.page for errand in ERRANDS))
BY_NAME = {errand.name: errand for errand in ERRANDS}


def errands_of(page: str) -> list[Errand]:
    """What one page's first click needs.

    >>> [errand.words for errand in errands_of("push-fold")]
    ['solving the first stack']
    """
    return [errand for errand in ERRANDS if errand.page == page]
