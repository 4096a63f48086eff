"""Build in a task, then run it: the part of every page that has a game to build and a solver to drive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from solverlab.cards.table_cache import BuildCancelled
from solverlab.run import Until
from solverlab.ui.buttons import RunButtons
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.tasks import Cancel, Report, TaskQueue, Work
from solverlab.ui.worker import Moment

CANCELLED = "building was cancelled; the page goes on with what it had"
QUICK = 0.4  # seconds before a build is worth a progress bar


class Driven(Protocol):
    """What steps, plays and pauses: a `Runner`, or whatever has its manners."""

    def step(self, n: int = 1) -> None: ...

    def play(self, until: Until | None = None) -> None: ...

    def pause(self) -> None: ...

    def latest(self) -> Moment: ...

    def close(self) -> None: ...


class Built(Protocol):
    """What a task makes: a runner, and whatever the page needs to draw it."""

    @property
    def runner(self) -> Driven: ...


B = TypeVar("B", bound=Built)


class BuiltRun(Generic[B]):
    """A run with its buttons and keys: the old one stays until the new one is built; none is left behind.

    `build(work)` has work(report, cancel) done beside the page. `look`, in the page's `tick`, hands what it
    made to `installed`, or the sentence about what went wrong to `refused`, and returns the newest moment;
    once that is drawn, `show_buttons`: whoever reads "Run" reads final numbers above it. `left` hears of a
    run that has made way for another; a page that keeps it closes it itself.
    """

    def __init__(
        self,
        refused: Callable[[str], object],
        installed: Callable[[B], object] = lambda built: None,
        buttons: RunButtons | None = None,
        left: Callable[[B], object] = lambda built: built.runner.close(),
    ):
        self.built: B | None = None
        self.queue, self.buttons = TaskQueue(), buttons or RunButtons()
        self.bar = TaskBar(self.queue.cancel, "Stop building; the old run stays.", QUICK, inline=True)
        self._refused, self._installed, self._left = refused, installed, left
        self._made: list[B] = []  # also what came too late to be shown
        self._work: Work[B] | None = None  # what made the run that is shown
        self.buttons.obey(self)

    @property
    def ready(self) -> bool:
        """Whether there is a run, and no other is being built."""
        return self.built is not None and not self.queue.busy

    @property
    def runner(self) -> Driven | None:
        return None if self.built is None else self.built.runner

    # ---- building ------------------------------------------------------------------------------------

    def build(self, work: Work[B]) -> None:
        """Have another run built; until it is there the old one rests and can be looked at."""
        if self.built is not None:
            self.built.runner.pause()
        self.queue.order(
            lambda report, cancel: self._kept(work, report, cancel), lambda built: self._install(work, built)
        )
        self.buttons.show(running=False, ready=False)

    def _kept(self, work: Work[B], report: Report, cancel: Cancel) -> B:
        built = work(report, cancel)
        self._made.append(built)  # before asking: whoever closes cancels first, and then closes what is here
        if cancel():
            built.runner.close()
            raise BuildCancelled(CANCELLED)
        return built

    def _install(self, work: Work[B] | None, built: B) -> None:
        for other in self._made:
            if other is not built and other is not self.built:
                other.runner.close()
        old, self._made, self.built, self._work = self.built, [built], built, work
        if old is not None and old is not built:
            self._left(old)
        self._installed(built)

    def put_back(self, built: B) -> None:
        """Show a run that was left and kept, giving up what is being built; its keeper can start it over."""
        self.queue.cancel()
        if self.built is not None:
            self.built.runner.pause()
        self._install(None, built)

    def look(self) -> Moment | None:
        """Take what is finished, show how far the rest is, and return the newest moment, if there is one."""
        problem = self.queue.look()
        if problem:
            self._refused(problem)
        self.bar.show(self.queue.task)
        return None if self.built is None else self.built.runner.latest()

    def show_buttons(self, moment: Moment) -> None:
        """What can be pressed at this moment."""
        self.buttons.show(moment.running, self.ready)

    def close(self) -> None:
        """The visitor has gone."""
        self.queue.close()
        for built in self._made:
            built.runner.close()

    # ---- what buttons and keys do; a page with more to do obeys them itself ----------------------------

    def step(self, n: int) -> None:
        """Do some iterations and rest."""
        if self.ready and not self.built.runner.latest().running:
            self.built.runner.step(n)

    def run_or_pause(self) -> None:
        """The one button that starts and always stops."""
        if self.ready:
            runner = self.built.runner
            runner.pause() if runner.latest().running else runner.play()

    def reset(self) -> None:
        """Build the run that is shown anew, whatever was refused since."""
        if self.ready and self._work is not None:
            self.build(self._work)
