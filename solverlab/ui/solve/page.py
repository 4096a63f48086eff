"""The Solve page: choose a game and a solver, step it, and watch strategy, tree and distance change.

The page pulls: `tick` asks the runner for its newest moment and draws what changed. Whatever takes long,
reading rules, building a game or compiling a solver, is a task beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import panel as pn

from solverlab.analysis import solve_lp
from solverlab.cards.table_cache import BuildCancelled
from solverlab.core.errors import SolverlabError
from solverlab.core.game import Game
from solverlab.core.snapshot import Snapshot, Status
from solverlab.games import LimitPoker
from solverlab.store import SavedRun
from solverlab.ui.built_run import CANCELLED, BuiltRun
from solverlab.ui.gate import SHARED_GATE, Gate
from solverlab.ui.keyboard import SHORTCUTS
from solverlab.ui.page import Page
from solverlab.ui.runner import COMPILING, Runner
from solverlab.ui.runs import Run
from solverlab.ui.setting_widgets import Ask
from solverlab.ui.solve.build import OWN, check_fits, game_of, schedule_of, solver_maker, until_of
from solverlab.ui.solve.controls import Controls
from solverlab.ui.solve.exports import Exports
from solverlab.ui.solve.layout import Parts, arrange
from solverlab.ui.solve.own_game import EXAMPLE_RULES, OwnGame
from solverlab.ui.solve.run_shelf import Built, RunShelf, settings_of_run
from solverlab.ui.solve.saved_settings import settings_of
from solverlab.ui.solve.screen import Screen
from solverlab.ui.solve.settings import CLOCK_NAMES, CUSTOM, LONGEST_RUN, SPEEDS, SolveSettings
from solverlab.ui.tasks import Cancel, Report, TaskQueue
from solverlab.ui.worker import MEMORY_CAP, Moment


class SolvePage(Page[SolveSettings]):
    """One visitor's page: a run with its curve, tree, strategy and microscope."""

    settings_type, period, keys, width = SolveSettings, 200, tuple(SHORTCUTS), "300px"

    def __init__(
        self,
        settings: SolveSettings | None = None,
        complaints: Sequence[str] = (),
        memory_cap: int = MEMORY_CAP,
        gate: Gate = SHARED_GATE,
    ):
        super().__init__(settings, complaints, memory_cap)
        self.game: Game | None = None
        self.solved: SolveSettings | None = None  # what the runner solves
        self._gate, self._seen = gate, -1
        self.shelf = self.owned(RunShelf(memory_cap, self.open_again, self.complain))
        self.run = self.owned(
            BuiltRun[Built](self._go_back, self._install, self.controls.buttons, left=lambda built: None)
        )
        self.run.buttons.obey(self)
        self.reading, self.referee = (self.owned(TaskQueue()) for _ in range(2))
        self.own = OwnGame(self.reading, self._own_rules, self.complain)
        if self.settings.own:
            self.own.fill_from(self.settings.own)
        self.screen = self.owned(Screen(self.shelf, self._chosen))
        self.screen.explorer.strategy.value = self.settings.show
        self.exports = Exports(self, self.complain)
        self.parts = Parts(self)
        self._wire()
        self.start(self.settings)

    def make_controls(self) -> Controls:
        return Controls(self.settings, self.asked)

    def _wire(self) -> None:
        self.parts.keep.on_click(lambda event: self.keep())
        self.parts.exact.on_click(lambda event: self.ask_referee())

    def layout(self) -> pn.viewable.Viewable:
        return arrange(self)

    # ---- building -----------------------------------------------------------------------------------

    def start(self, settings: SolveSettings, saved: SavedRun | None = None, again: str = "") -> None:
        """Build the game and the solver beside the page; until that is done the old run stays.

        `again` is the run of the list that is solved anew.
        """
        self.settings = settings
        cap, gate = self.memory_cap, self._gate

        def build(report: Report, cancel: Cancel) -> Built:
            report(0.0, "1 of 2: building the game")
            wanted = settings if saved is None else settings_of(saved, settings)
            game = game_of(settings) if saved is None else saved.game
            maker = solver_maker(settings, game) if saved is None else saved.solver
            check_fits(wanted, game, cap)
            if cancel():
                raise BuildCancelled(CANCELLED)
            report(0.0, "2 of 2: preparing the solver, which is compiled the first time")
            rows = saved.trace.rows if saved is not None else ()
            return Built(wanted, game, Runner(maker, gate, cap, rows), again)

        self.run.build(build)

    def _install(self, built: Built) -> None:
        """A game and its solver are ready: show them; with the same game the chosen node and hand stay."""
        old, self.game = self.solved, built.game
        if not self.settings.solves_like(built.settings):  # a saved run tells what it is only once it is read
            self.settings = built.settings
        self.solved = self.settings
        same_view = old is not None and (old.game, old.own) == (self.settings.game, self.settings.own)
        self.show_settings()
        if isinstance(built.game, LimitPoker) and self.settings.game == OWN:
            self.own.fill(built.game.rules.config())
        told = [self.notice.text, *self.screen.open(self.runner, self.game, self.settings, same_view)]
        self.notice.say(" ".join(sentence for sentence in told if sentence))
        self._seen = -1
        self.shelf.begin(built, self.settings)
        behind = self.settings.to - self.runner.latest().snapshot.iteration
        if behind > 0:
            self.runner.step(behind)

    def _go_back(self, problem: str) -> None:
        """What was asked for could not be made: the old run stays, or the page opens as without a link.

        A game of one's own stays in the form as it was typed, to be mended.
        """
        self.own.wanted = self.settings.game == OWN
        self.complain(f"This game cannot be built: {problem}" if self.own.wanted else problem)
        self._seen = -1
        if self.solved is not None:
            self.settings = self.solved
            self.show_settings()
        elif not self.settings.solves_like(SolveSettings()):
            self.start(SolveSettings())
            self.show_settings()

    # ---- orders -------------------------------------------------------------------------------------

    def step(self, n: int) -> None:
        """Do some iterations and rest."""
        if self._ready():
            self.notice.clear()
            self.screen.scrub.go_live()
            self.runner.step(n)

    def run_or_pause(self) -> None:
        """The one button that starts and always stops."""
        if not self._ready():
            return
        self.notice.clear()
        moment = self.runner.latest()
        if moment.running:
            self.runner.pause()
            return
        until = until_of(self.settings, self.game)
        if until.reason(moment.snapshot) is not None:
            self.complain(
                "the run is already at its target or limit; change “Pause below” or “Pause after”, or reset"
            )
            return
        self.screen.scrub.go_live()
        self.runner.speed(SPEEDS[self.settings.speed])
        self.runner.play(until)

    def reset(self) -> None:
        """Start the same run over; what there is stays in the list."""
        if self._ready():
            self.notice.clear()
            self._can_undo("starting over")
            self.start(replace(self.settings, to=0))

    def keep(self) -> None:
        """Keep a copy of the live run as it is now."""
        if self._ready():
            try:
                self.shelf.freeze()
            except SolverlabError as problem:
                self.complain(problem)

    def open_again(self, run: Run[Built]) -> None:
        """Put a run of the list back on the page: its solver if that is still there, or solved anew."""
        if run is self.shelf.runs.live or self.solved is None:
            return
        self.notice.clear()
        self.settings = settings_of_run(run, self.settings, LONGEST_RUN)
        self.show_settings()
        if run.parked is None:
            self.start(self.settings, again=run.id)
        else:
            run.parked.settings, run.parked.again = self.settings, run.id
            self.run.put_back(run.parked)

    def _can_undo(self, what: str) -> None:
        """Remember the run on the page, to come back to it."""
        old, before = self.shelf.runs.live, self.solved

        def back() -> None:
            if old is not None and self.shelf.runs.find(old.id) is not None:
                self.open_again(old)
            elif before is not None:
                self.choose(replace(before, to=0))
                self.shelf.runs.forget()

        if old is not None and self.solved is not None:
            self.shelf.runs.remember(what, back)

    def press(self, key: str) -> None:
        """Answer a key."""
        if self.run.buttons.press(key):
            return
        acts = {
            "k": self.keep,
            "u": lambda: self.shelf.order("undo"),
            "l": self.screen.scrub.go_live,
            "[": lambda: self.screen.scrub.move(-1),
            "]": lambda: self.screen.scrub.move(1),
            "h": self.screen.explorer.next_hand,
            "a": self.screen.explorer.other_strategy,
            "x": self._next_clock,
        }
        acts.get(key, lambda: None)()

    def open_run(self, saved: SavedRun) -> None:
        """Go on with a saved run."""
        self.start(self.settings, saved)

    def ask_referee(self) -> None:
        """Solve the game exactly by linear programming, beside the page, and show its value."""
        if self._ready() and not self.referee.busy:
            game, key = self.game, self.screen.game_key
            self.referee.order(lambda *_: (key, solve_lp(game).value), self._show_value)
            self.notice.say("The referee is solving the game by linear programming ...", "note")

    def _show_value(self, found: tuple[str, float]) -> None:
        self.notice.clear()
        self.screen.exact |= dict([found])
        self.screen.draw_score(self.runner.latest())

    # ---- settings -----------------------------------------------------------------------------------

    def asked(self, ask: Ask[SolveSettings]) -> None:
        super().asked(lambda old: self._completed(ask(old)))

    def _completed(self, wanted: SolveSettings) -> SolveSettings:
        """What was chosen with what belongs to it; exponents that are none are refused."""
        if wanted.solves_like(self.settings):
            return wanted
        if wanted.schedule != CUSTOM:
            wanted = replace(wanted, exponents="")
        if wanted.game == OWN and not wanted.own:
            wanted = replace(wanted, own=EXAMPLE_RULES)
        schedule_of(wanted)
        return wanted

    def choose(self, settings: SolveSettings) -> None:
        """Show other settings: another run is built, anything else is changed in the one there is."""
        before, self.settings = self.settings, settings
        self.own.wanted &= settings.game == before.game  # who chooses another game is done with the form
        self.show_settings()
        if not settings.solves_like(before):
            self._can_undo("changing the settings")
            self.start(settings)
        elif self._ready():
            self._steer(before)

    def go_to(self, query: dict[str, str]) -> None:
        wanted, _ = SolveSettings.from_query(query)
        if self._ready() and self.solved is not None and wanted.solves_like(self.solved):
            self.screen.explorer.open(self.game, wanted.node, wanted.hand)  # the address is written from it
            self.screen.explorer.strategy.value = wanted.show
        left = self.shelf.left_behind(wanted)
        if left is None:
            super().go_to(query)
        else:
            self.open_again(left)

    def _steer(self, before: SolveSettings) -> None:
        """Another speed, target, limit or clock for the run there is."""
        settings = self.screen.settings = self.settings
        if settings.clock != before.clock:
            self.screen.convergence.by(settings.clock)
        self.runner.speed(SPEEDS[settings.speed])
        stops = (before.target, before.limit) != (settings.target, settings.limit)
        if stops and self.runner.latest().running:
            self.runner.play(until_of(settings, self.game))
        self._write_address()

    def show_settings(self) -> None:
        super().show_settings()
        self.parts.own_card.visible = self.own.wanted or self.settings.game == OWN

    def _own_rules(self, rules: str) -> None:
        self.asked(lambda old: replace(old, game=OWN, own=rules, node="", hand="", to=0))

    def _next_clock(self) -> None:
        clocks = list(CLOCK_NAMES.values())
        here = clocks.index(self.settings.clock)
        self.asked(lambda old: replace(old, clock=clocks[(here + 1) % len(clocks)]))

    def _chosen(self) -> None:
        if self._ready():
            self._write_address()

    def _write_address(self) -> None:
        """The address bar always holds what is on the page, so that a copied link shows it again."""
        moment, names, explorer = self.runner.latest(), self.game.names, self.screen.explorer
        to = self.settings.to if moment.running else min(moment.snapshot.iteration, LONGEST_RUN)
        hand = names.hands[explorer.hand_index] if explorer.hand_index else ""
        node, show = names.path(explorer.node), explorer.strategy.value
        self.settings = replace(self.settings, to=to, node=node, hand=hand, show=show)
        self.keyboard.address = self.settings.query()

    def _ready(self) -> bool:
        return self.run.ready

    @property
    def runner(self) -> Runner | None:
        """What is solved now; None until the first game is built."""
        return None if self.run.built is None else self.run.built.runner

    # ---- the pulling clock --------------------------------------------------------------------------

    def tick(self) -> None:
        """Draw what changed since the last look."""
        super().tick()
        try:
            moment = self._collect()
            if moment is not None and self._ready():
                if moment.version != self._seen:
                    self._seen = moment.version
                    self._draw(moment)
                self.screen.draw_others()  # ticked or kept while the run rests
        except SolverlabError as problem:
            self.complain(problem)

    def _collect(self) -> Moment[Snapshot] | None:
        """Take what finished beside the page: a new run, rules, the microscope's numbers, the exact value."""
        moment = self.run.look()
        for queue in (self.reading, self.referee):
            problem = queue.look()
            if problem:
                self.complain(problem)
        self.screen.collect()
        return moment

    def _draw(self, moment: Moment[Snapshot]) -> None:
        if moment.error:
            self.complain(moment.error)
        elif moment.note and not self.notice.text:
            self.notice.say(COMPILING, "note")
        elif not moment.note and self.notice.text == COMPILING:
            self.notice.clear()
        self.screen.draw(moment)
        # Last: whoever reads "Run" reads final numbers above it.
        self.run.show_buttons(moment)
        if not moment.running:
            self._tell_end(moment.snapshot.status)
            self._write_address()

    def _tell_end(self, status: Status) -> None:
        if status in (Status.REACHED, Status.STOPPED) and not self.notice.text:
            self.notice.say(f"Paused: {status.sentence[0].lower()}{status.sentence[1:]}", "note")
