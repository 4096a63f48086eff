"""The 2-to-7 page: climb from one card and push/fold to the real deck, and watch each rung being solved.

The page pulls: games are built and solved beside it, and `tick` puts up what is new. What a control does may
touch Panel's widgets only: plots and texts are Bokeh's own and belong to the clock, which holds their lock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.ui.built_run import BuiltRun
from solverlab.ui.buttons import RUN_KEYS
from solverlab.ui.lowball.cells import pieces_of
from solverlab.ui.lowball.compare import compare, comparison_html
from solverlab.ui.lowball.controls import SLIDER, Controls
from solverlab.ui.lowball.curve_tasks import CurveTasks
from solverlab.ui.lowball.exports import Exports
from solverlab.ui.lowball.handplot import HandPlot
from solverlab.ui.lowball.hands import plan_html, table_html
from solverlab.ui.lowball.layout import arrange, views_of
from solverlab.ui.lowball.lines import GapPlot
from solverlab.ui.lowball.rung import check, size_words
from solverlab.ui.lowball.score import score_html
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.lowball.solving import Solving, begin
from solverlab.ui.lowball.table import LowballStrategy
from solverlab.ui.page import Page
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.setting_widgets import Ask
from solverlab.ui.tasks import TaskQueue
from solverlab.ui.text import Text
from solverlab.ui.worker import Moment

if TYPE_CHECKING:
    from param.parameterized import Event

    from solverlab.core.solver import SolverSnapshot


QUICK = 0.4  # seconds before work is worth a progress bar
TABLE_SECONDS = 0.6  # the table of hands is written anew at most so often while a solver runs
EMPTY_PLAN = "<p class='quiet'>Type a hand above to see its plan: when it goes in, and what it throws.</p>"


class LowballPage(Page[LowballSettings]):
    """One visitor's page: a rung of the ladder with its charts, hands and curves."""

    settings_type, period = LowballSettings, 150
    keys = (*RUN_KEYS, "[", "]")

    def make_parts(self) -> None:
        self.snap: SolverSnapshot | None = None
        self.strategy: LowballStrategy | None = None
        self.comparing = self.owned(TaskQueue())
        self.run = self.owned(BuiltRun[Solving](self._go_back, self._install, self.controls.buttons))
        self.run.buttons.obey(self)
        self.going = True  # whether a new rung runs at once
        self._seen = -1
        self._table_at = 0.0
        self._stale = True
        self._make_views()
        self.choose(self.settings)
        if self.settings.cards == 1 and self.settings.betting == "push":
            self.add_curve()  # a second's work; larger rungs wait to be asked for

    def make_controls(self) -> Controls:
        return Controls(self.settings, self.asked)

    def _make_views(self) -> None:
        self.score = Text("lowball-score")
        self.plots = [HandPlot(f"hands-{side}") for side in ("left", "right")]
        self.gap, self.curves = GapPlot(), self.owned(CurveTasks())
        self.table, self.plan, self.compared = Text("table"), Text("plan"), Text("compared")
        self.plan.write(EMPTY_PLAN)
        self.upload = pn.widgets.FileInput(accept=".json,application/json", margin=(6, 4), width=380)
        self.upload.param.watch(self._uploaded, "value")
        help = "Stop the work beside the page; what is solved stays."
        self.progress = TaskBar(self.cancel, help, QUICK)
        self._wire_buttons()
        self.exports = Exports(self)
        self.views = views_of(self)

    def _wire_buttons(self) -> None:
        controls = self.controls
        controls.add.on_click(lambda event: (self.notice.clear(), self.add_curve()))
        controls.remove.on_click(lambda event: self.curves.remove(controls.curves.value))
        controls.clear.on_click(lambda event: self.curves.clear())

    def layout(self) -> pn.viewable.Viewable:
        return arrange(self)

    def cancel(self) -> None:
        """Stop what is under way beside the page; what is solved stays."""
        for queue in (self.run.queue, self.curves, self.comparing):
            queue.cancel()

    # ---- choosing ------------------------------------------------------------------------------------

    def asked(self, ask: Ask[LowballSettings]) -> None:
        super().asked(lambda old: self._possible(ask(old)))

    def _possible(self, wanted: LowballSettings) -> LowballSettings:
        """What was chosen, if it can be solved and its hands exist; a hand of another rung is forgotten."""
        check(wanted)
        if self.strategy is not None and wanted.hand:
            if wanted.rung == self.settings.rung:
                self.strategy.plan(wanted.hand, next(iter(self.strategy.lines)))
            else:
                wanted = replace(wanted, hand="")
        if self.strategy is not None:
            self.strategy.matching(wanted.only)
        return wanted

    def choose(self, choice: LowballSettings) -> None:
        """Show another choice; a new rung, stack or schedule is built beside the page."""
        try:
            check(choice)
        except SolverlabError as problem:
            self.complain(f"{problem}. The page shows its first rung instead")
            choice = LowballSettings(stack=choice.stack, show=choice.show)
        old, self.settings, self._stale = self.settings, choice, True
        self.show_settings()
        self._show_view()
        same = (old.rung, old.stack, old.schedule) == (choice.rung, choice.stack, choice.schedule)
        if not same or (self.solving is None and not self.run.queue.busy):
            self._build(choice)

    def _build(self, choice: LowballSettings) -> None:
        size = f"<b>{choice.name}</b>: {size_words(choice)}"
        if self.controls.size.object != size:
            self.controls.size.object = size

        def work(report: Callable[[float, str], None], cancel: Callable[[], bool]) -> Solving:
            report(0.0, f"building {choice.name}")
            return begin(choice, self.memory_cap)

        self.run.build(work)

    def _install(self, solving: Solving) -> None:
        """A rung is built: it takes the place of the old one, and runs if the old one ran."""
        self._seen, self._stale = -1, True
        self.snap = self.strategy = None
        self.controls.size.object = self._size(solving)
        if self.going and solving.choice.deck != "real":
            solving.runner.play(solving.until)

    @property
    def solving(self) -> Solving | None:
        """The rung that is on the screen."""
        return self.run.built

    def _go_back(self, problem: str) -> None:
        """The rung asked for did not come to be: what is on the screen is chosen again."""
        self._stale = True
        self.complain(problem)
        if self.solving is not None:
            old = self.solving.choice
            names = ("cards", "deck", "each", "betting", "discard", "schedule", "stack")
            self.settings = replace(self.settings, **{name: getattr(old, name) for name in names})
            self.controls.size.object = self._size(self.solving)
            self.keyboard.address = self.settings.query()
            self._refused = True

    def _size(self, solving: Solving) -> str:
        game = solving.game if solving.choice.exact else None
        return f"<b>{solving.choice.name}</b>: {size_words(solving.choice, game)}"

    def _show_view(self) -> None:
        self.exports.png.disabled = self.settings.show != "solve"  # hidden charts have no picture
        for name, view in self.views.items():
            if view.visible != (name == self.settings.show):
                view.visible = name == self.settings.show

    # ---- running -------------------------------------------------------------------------------------

    def run_or_pause(self) -> None:
        """The run button and the space bar."""
        if self.solving is None:
            return
        runner = self.solving.runner
        self.going = not runner.latest().running
        if not self.going:
            runner.pause()
        elif self.snap is not None and self.solving.until.reason(self.snap) is not None:
            runner.play()  # past the target only when asked for
        else:
            runner.play(self.solving.until)

    def step(self, n: int) -> None:
        if self.solving is not None and not self.solving.runner.latest().running:
            self.going = False
            self.solving.runner.step(n)

    def reset(self) -> None:
        """Start this rung over, at rest."""
        self.going = False
        self.notice.clear()
        self._build(self.settings)

    def press(self, key: str) -> None:
        """A key: run or pause, step, reset, or a tenth of a big blind less or more."""
        if not self.run.buttons.press(key):
            least, most, step = SLIDER
            change = step if key == "]" else -step
            self.asked(lambda old: replace(old, stack=round(min(max(old.stack + change, least), most), 2)))

    # ---- curves and files ----------------------------------------------------------------------------

    def add_curve(self) -> None:
        """Solve the chosen rung at every stack, beside the page."""
        try:
            self.curves.add(self.settings)
        except SolverlabError as problem:
            self.complain(problem)

    def _uploaded(self, event: Event) -> None:
        if event.new:
            content, name = bytes(event.new), str(self.upload.filename or "the file")
            self.notice.clear()
            self.comparing.order(
                lambda report, cancel: comparison_html(compare(content, name)), self.compared.write
            )

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Put up what is new."""
        moment = self.run.look()
        for queue in (self.curves, self.comparing):
            problem = queue.look()
            if problem:
                self._stale = True
                self.compared.write("" if queue is self.comparing else self.compared.html)
                self.complain(problem)
        if self.comparing.busy:
            self.compared.write("<p class='quiet'>Measuring the file ...</p>")
        self.controls.list_curves(self.curves.names)
        self._mark_stack()
        super().tick()
        if moment is not None:
            self._look(moment)
        task = self.run.queue.task or self.curves.tasks.task or self.comparing.task
        self.progress.show(task, self._note())

    def _look(self, moment: Moment) -> None:
        self.run.show_buttons(moment)
        if (
            moment.version == self._seen and not self._stale
        ) or self.solving.choice.rung != self.settings.rung:
            return  # nothing new, or another rung is being built: the old one stays on the screen
        if moment.error and moment.version != self._seen:
            self.complain(moment.error)
        self._seen, self._stale = moment.version, False
        self.gap.show(list(self.solving.runner.trace.rows))
        metrics = moment.snapshot.metrics if moment.snapshot is not None else {}
        reached = moment.snapshot.iteration if moment.snapshot is not None else 0
        self.score.write(score_html(self.solving.choice, reached, metrics))
        if moment.snapshot is not None:
            fresh = moment.snapshot is not self.snap
            self.snap = moment.snapshot
            if fresh:
                self.strategy = self.solving.strategy(self.snap)
            self._draw_strategy(moment.running)

    def _mark_stack(self) -> None:
        """The chosen stack on the curves, with its value once it is solved."""
        here, known = self.settings, None
        if self.solving is not None and self.snap is not None:
            solved = self.solving.choice
            if (solved.rung, solved.stack) == (here.rung, here.stack):
                known = self.snap.metrics.get("value")
        self.curves.plot.at(here.stack, known)

    def _draw_strategy(self, running: bool) -> None:
        strategy, choice = self.strategy, self._fitted()
        self.controls.offer(strategy, choice)
        if choice.show == "solve":
            for plot, key in zip(self.plots, (choice.left, choice.right), strict=True):
                plot.show(pieces_of(strategy.table(key)))
        elif choice.show == "hands":
            if running and monotonic() - self._table_at < TABLE_SECONDS:
                self._stale = True
                return
            self._table_at = monotonic()
            self._draw_hands(strategy, choice)

    def _draw_hands(self, strategy: LowballStrategy, choice: LowballSettings) -> None:
        number = -1
        try:
            if choice.hand:
                number = strategy.find(choice.hand)
                self.plan.write(plan_html(strategy, choice.hand, choice.line))
            else:
                self.plan.write(EMPTY_PLAN)
            self.table.write(table_html(strategy, choice.line, choice.only, choice.sort, number))
        except SolverlabError as problem:  # a link may name a hand that this rung does not deal
            self.settings = replace(self.settings, hand="", only="")
            self._refused = self._stale = True
            self.complain(problem)

    def _fitted(self) -> LowballSettings:
        """The choice with decisions that this rung has."""
        choice, strategy = self.settings, self.strategy
        usual = {"left": "", "right": "a", "line": "aa"}
        for name, key in usual.items():
            known = strategy.lines if name == "line" else strategy.decisions
            if getattr(choice, name) not in known:
                choice = replace(choice, **{name: key})
        return choice

    def _note(self) -> str:
        if self.solving is None:
            return ""
        moment = self.solving.runner.latest()
        if moment.snapshot is None and not moment.running and not moment.error:
            return "Press Run. The real deck takes seconds an iteration; a few dozen come close."
        return moment.note
