"""The 2-to-7 page: climb from one card and push/fold to the real deck, and watch each rung being solved.

The page pulls: games are built and solved beside it, and `tick` puts up what is new. What a control does may
touch Panel's widgets only: plots and texts are Bokeh's own and belong to the clock, which holds their lock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any

import panel as pn

from solverlab.cards.kept_tables import BuildCancelled
from solverlab.core.errors import SolverlabError
from solverlab.ui.desk import Desk
from solverlab.ui.keyboard import Keyboard
from solverlab.ui.lowball.cells import pieces_of
from solverlab.ui.lowball.choice import Choice
from solverlab.ui.lowball.compare import compare, comparison_html
from solverlab.ui.lowball.controls import SLIDER, Controls
from solverlab.ui.lowball.curve_desk import CurveDesk
from solverlab.ui.lowball.exports import Exports
from solverlab.ui.lowball.handplot import HandPlot
from solverlab.ui.lowball.hands import plan_html, table_html
from solverlab.ui.lowball.layout import arrange
from solverlab.ui.lowball.lines import GapPlot
from solverlab.ui.lowball.rung import check, size_words
from solverlab.ui.lowball.score import score_html
from solverlab.ui.lowball.solving import Solving, begin
from solverlab.ui.lowball.table import LowballStrategy
from solverlab.ui.notice import Notice, sentence
from solverlab.ui.page_frame import ticking
from solverlab.ui.runner import MEMORY_CAP, Moment
from solverlab.ui.text import Text

PERIOD = 150  # milliseconds between two looks
QUICK = 0.4  # seconds before work is worth a progress bar
TABLE_SECONDS = 0.6  # the table of hands is written anew at most so often while a solver runs
EMPTY_PLAN = "<p class='quiet'>Type a hand above to see its plan: when it goes in, and what it throws.</p>"


class LowballPage:
    """One visitor's page. `tick` is called a few times a second, `close` when the visitor has gone."""

    views: dict[str, pn.viewable.Viewable]

    def __init__(
        self,
        choice: Choice | None = None,
        complaints: list[str] | None = None,
        memory_cap: int = MEMORY_CAP,
    ):
        self.choice, self._cap = choice or Choice(), memory_cap
        self.solving: Solving | None = None
        self.snap: Any = None
        self.strategy: LowballStrategy | None = None
        self.building, self.comparing = Desk(), Desk()
        self._built: list[Solving] = []  # also rungs that came too late to be shown
        self.going = True  # whether a new rung runs at once
        self._seen = -1
        self._table_at = self._began = 0.0
        self._stale, self._refused, self._closed = True, False, False
        self._make_views()
        self.notice.say(" ".join(complaints or []))
        self.choose(self.choice)
        if self.choice.cards == 1 and self.choice.betting == "push":
            self.add_curve()  # a second's work; larger rungs wait to be asked for

    def _make_views(self) -> None:
        self.notice, self.score = Notice(), Text("lowball-score")
        self.plots = [HandPlot(f"hands-{side}") for side in ("left", "right")]
        self.gap, self.curves = GapPlot(), CurveDesk()
        self.table, self.plan, self.compared = Text("table"), Text("plan"), Text("compared")
        self.plan.write(EMPTY_PLAN)
        self.upload = pn.widgets.FileInput(accept=".json,application/json", margin=(6, 4), width=380)
        self.upload.param.watch(self._uploaded, "value")
        self.controls = Controls(self.choice, self._asked)
        self.controls.stop.on_click(lambda event: self.cancel())
        self._wire_buttons()
        self.exports = Exports(self)
        self.views = {}
        self.keyboard = Keyboard(self.press, keys=[" ", "s", "d", "f", "r", "[", "]"])

    def _wire_buttons(self) -> None:
        controls, buttons = self.controls, self.controls.buttons
        buttons.run.on_click(lambda event: self.run_or_pause())
        buttons.reset.on_click(lambda event: self.reset())
        for n, step in buttons.steps.items():
            step.on_click(lambda event, n=n: self.step(n))
        controls.add.on_click(lambda event: (self.notice.clear(), self.add_curve()))
        controls.remove.on_click(lambda event: self.curves.remove(controls.curves.value))
        controls.clear.on_click(lambda event: self.curves.clear())

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        body = arrange(self)
        self._show_view()
        return body

    def close(self) -> None:
        """The visitor has gone."""
        self._closed = True
        self.cancel()
        for built in self._built:
            built.runner.close()

    def cancel(self) -> None:
        """Stop what is under way beside the page; what is solved stays."""
        for desk in (self.building, self.curves.desk, self.comparing):
            desk.cancel()

    def complain(self, problem: object) -> None:
        self.notice.say(sentence(problem))

    # ---- choosing ------------------------------------------------------------------------------------

    def _asked(self, ask: Callable[[Choice], Choice]) -> None:
        """A visitor moved a control; what cannot be is told, and everything stays as it was."""
        try:
            wanted = ask(self.choice).settled()
            check(wanted)
            if self.strategy is not None and wanted.hand:
                if wanted.rung == self.choice.rung:
                    self.strategy.plan(wanted.hand, next(iter(self.strategy.lines)))
                else:
                    wanted = replace(wanted, hand="")
            if self.strategy is not None:
                self.strategy.matching(wanted.only)
        except SolverlabError as problem:
            self.complain(problem)
            self._refused = True  # the next tick puts the old words back
            return
        self.notice.clear()
        self.choose(wanted)

    def choose(self, choice: Choice) -> None:
        """Show another choice; a new rung, stack or schedule is built beside the page."""
        try:
            check(choice)
        except SolverlabError as problem:
            self.complain(f"{problem}. The page shows its first rung instead")
            choice = Choice(stack=choice.stack, show=choice.show)
        old, self.choice, self._stale = self.choice, choice, True
        self.controls.show(choice)
        self.keyboard.address = choice.query()
        self._show_view()
        same = (old.rung, old.stack, old.schedule) == (choice.rung, choice.stack, choice.schedule)
        if not same or (self.solving is None and not self.building.busy):
            self._build(choice)

    def _build(self, choice: Choice) -> None:
        self._began = monotonic()
        if self.solving is not None:
            self.solving.runner.pause()
        size = f"<b>{choice.name}</b>: {size_words(choice)}"
        if self.controls.size.object != size:
            self.controls.size.object = size

        def work(report: Callable[[float, str], None], cancel: Callable[[], bool]) -> Solving:
            report(0.0, f"building {choice.name}")
            built = begin(choice, self._cap)
            self._built.append(built)
            if self._closed or cancel():
                built.runner.close()
                raise BuildCancelled(f"building {choice.name} was cancelled; choose a rung to go on")
            return built

        self.building.order(work, self._install)

    def _install(self, solving: Solving) -> None:
        """A rung is built: it takes the place of the old one, and runs if the old one ran."""
        for other in self._built:
            if other is not solving:
                other.runner.close()
        self._built = [solving]
        self.solving, self._seen, self._stale = solving, -1, True
        self.snap = self.strategy = None
        self.controls.size.object = self._size(solving)
        if self.going and solving.choice.deck != "real":
            solving.runner.play(solving.until)

    def _go_back(self) -> None:
        """The rung asked for did not come to be: what is on the screen is chosen again."""
        if self.solving is not None:
            old = self.solving.choice
            names = ("cards", "deck", "each", "betting", "discard", "schedule", "stack")
            self.choice = replace(self.choice, **{name: getattr(old, name) for name in names})
            self.controls.size.object = self._size(self.solving)
            self.keyboard.address = self.choice.query()
            self._refused = True

    def _size(self, solving: Solving) -> str:
        game = solving.game if solving.choice.exact else None
        return f"<b>{solving.choice.name}</b>: {size_words(solving.choice, game)}"

    def _show_view(self) -> None:
        self.exports.png.disabled = self.choice.show != "solve"  # hidden charts have no picture
        for name, view in self.views.items():
            if view.visible != (name == self.choice.show):
                view.visible = name == self.choice.show

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
        self._build(self.choice)

    def press(self, key: str) -> None:
        """A key: run or pause, step, reset, or a tenth of a big blind less or more."""
        if key == " ":
            self.run_or_pause()
        elif key == "r":
            self.reset()
        elif key in "sdf":
            self.step({"s": 1, "d": 10, "f": 100}[key])
        else:
            least, most, step = SLIDER
            change = step if key == "]" else -step
            self._asked(lambda old: replace(old, stack=round(min(max(old.stack + change, least), most), 2)))

    # ---- curves and files ----------------------------------------------------------------------------

    def add_curve(self) -> None:
        """Solve the chosen rung at every stack, beside the page."""
        self._began = monotonic()
        try:
            self.curves.add(self.choice)
        except SolverlabError as problem:
            self.complain(problem)

    def _uploaded(self, event: Any) -> None:
        if event.new:
            content, name = bytes(event.new), str(self.upload.filename or "the file")
            self.notice.clear()
            self.comparing.order(
                lambda report, cancel: comparison_html(compare(content, name)), self.compared.write
            )

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Put up what is new."""
        for desk in (self.building, self.curves, self.comparing):
            problem = desk.look()
            if problem:
                self._stale = True
                if desk is self.building:
                    self._go_back()
                self.compared.write("" if desk is self.comparing else self.compared.html)
                self.complain(problem)
        if self.comparing.busy:
            self.compared.write("<p class='quiet'>Measuring the file ...</p>")
        self.controls.list_curves(self.curves.names)
        self._mark_stack()
        if self._refused:
            self._refused = False
            self.controls.show(self.choice)
        if self.solving is not None:
            self._look(self.solving.runner.latest())
        self._show_progress()

    def _look(self, moment: Moment) -> None:
        self.controls.buttons.show(moment.running, ready=not self.building.busy)
        if (moment.version == self._seen and not self._stale) or self.solving.choice.rung != self.choice.rung:
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
        here, known = self.choice, None
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

    def _draw_hands(self, strategy: LowballStrategy, choice: Choice) -> None:
        number = -1
        try:
            if choice.hand:
                number = strategy.find(choice.hand)
                self.plan.write(plan_html(strategy, choice.hand, choice.line))
            else:
                self.plan.write(EMPTY_PLAN)
            self.table.write(table_html(strategy, choice.line, choice.only, choice.sort, number))
        except SolverlabError as problem:  # a link may name a hand that this rung does not deal
            self.choice = replace(self.choice, hand="", only="")
            self._refused = self._stale = True
            self.complain(problem)

    def _fitted(self) -> Choice:
        """The choice with decisions that this rung has."""
        choice, strategy = self.choice, self.strategy
        usual = {"left": "", "right": "a", "line": "aa"}
        for name, key in usual.items():
            known = strategy.lines if name == "line" else strategy.decisions
            if getattr(choice, name) not in known:
                choice = replace(choice, **{name: key})
        return choice

    def _show_progress(self) -> None:
        job = self.building.job or self.curves.desk.job or self.comparing.job
        late = job is not None and monotonic() - self._began > QUICK
        words = f"{job.words or 'working'} ..." if late else self._note()
        controls = self.controls
        if controls.doing.object != words:
            controls.doing.object = words
        if controls.bar.visible != late:
            controls.bar.visible = controls.stop.visible = late
        if late and controls.bar.value != int(100 * job.done_share):
            controls.bar.value = int(100 * job.done_share)

    def _note(self) -> str:
        if self.solving is None:
            return ""
        moment = self.solving.runner.latest()
        if moment.snapshot is None and not moment.running and not moment.error:
            return "Press Run. The real deck takes seconds an iteration; a few dozen come close."
        return moment.note


def lowball_page(visit: Any = None) -> pn.viewable.Viewable:
    """The 2-to-7 page with its pulling clock; it ends with the visit."""
    cap = getattr(visit, "memory_cap", MEMORY_CAP)
    page = LowballPage(*Choice.from_query(getattr(visit, "query", {})), memory_cap=cap)
    return ticking(page, PERIOD)
