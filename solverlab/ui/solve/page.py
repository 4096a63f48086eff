"""The Solve page: choose a game and a solver, step it, and watch strategy, tree and distance change.

The page pulls: `tick` asks the runner for its newest moment and draws what changed. Whatever takes long,
building a game or compiling a solver, happens in a thread beside it.
"""

from __future__ import annotations

from dataclasses import replace

import panel as pn

from solverlab.analysis import solve_lp
from solverlab.core.errors import SolverlabError
from solverlab.core.game import Game
from solverlab.core.snapshot import Status
from solverlab.store import SavedRun
from solverlab.ui.gate import SHARED_GATE, Gate
from solverlab.ui.keyboard import Keyboard
from solverlab.ui.making import Making
from solverlab.ui.notice import Notice, sentence
from solverlab.ui.runner import MEMORY_CAP, Moment, Runner
from solverlab.ui.solve.controls import CLOCK_NAMES, Controls
from solverlab.ui.solve.exports import Exports
from solverlab.ui.solve.layout import arrange
from solverlab.ui.solve.own_game import EXAMPLE_RULES, OwnGame
from solverlab.ui.solve.saved_settings import settings_of
from solverlab.ui.solve.screen import Screen
from solverlab.ui.solve.settings import (
    LONGEST_RUN,
    OWN,
    SPEEDS,
    Settings,
    game_of,
    own_game,
    solver_maker,
    until_of,
)

PREPARING = (
    "Preparing the game and the solver (the first time they are compiled, which takes some seconds) ..."
)
COMPILING = "Compiling the solver (first time only) ..."


class SolvePage:
    """One visitor's page. `tick` is called a few times a second, `close` when the visitor has gone."""

    def __init__(
        self,
        settings: Settings | None = None,
        complaints: list[str] | None = None,
        gate: Gate = SHARED_GATE,
        memory_cap: int = MEMORY_CAP,
    ):
        self.settings = settings or Settings()
        self.runner: Runner | None = None
        self.game: Game | None = None
        self._gate, self._cap, self._closed = gate, memory_cap, False
        self._making: Making | None = None
        self._referee: Making | None = None
        self._seen, self._quiet, self._again = -1, False, False
        self._build()
        self._wire()
        self.notice.say(" ".join(complaints or []))
        self.start(self.settings)

    # ---- building -----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.notice = Notice()
        self.controls = Controls(self.settings)
        self.own = OwnGame(self._own_rules, self.complain)
        self.screen = Screen(self._chosen)
        self.screen.explorer.strategy.value = self.settings.show
        self.exports = Exports(self, self.complain)
        self.keyboard = Keyboard(self.press)

    def _wire(self) -> None:
        controls = self.controls
        for widget in (
            controls.game,
            controls.schedule,
            controls.exponents,
            controls.sampling,
            controls.updates,
            controls.seed,
        ):
            widget.param.watch(self._choice_changed, "value")
        for widget in (controls.speed, controls.target, controls.limit, controls.clock):
            widget.param.watch(self._running_changed, "value")
        for n, step in controls.buttons.steps.items():
            step.on_click(lambda event, n=n: self.step(n))
        controls.buttons.run.on_click(lambda event: self.run_or_pause())
        controls.buttons.reset.on_click(lambda event: self.reset())
        self.screen.race.keep.on_click(lambda event: self.keep())

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        return arrange(self)

    # ---- orders -------------------------------------------------------------------------------------

    def start(self, settings: Settings, saved: SavedRun | None = None) -> None:
        """Build the game and the solver beside the page; until that is done the old run stays."""
        runner, gate, cap = self.runner, self._gate, self._cap
        if runner is not None:
            runner.pause()

        def make() -> tuple[Settings, Game, Runner]:
            game = game_of(settings) if saved is None else saved.game
            maker = solver_maker(settings, game) if saved is None else saved.solver
            if runner is None:
                return settings, game, Runner(maker, gate, cap)
            runner.reset(maker, saved.trace.rows if saved is not None else ())
            return settings, game, runner

        self._making = Making(make)
        self.controls.buttons.show(running=False, ready=False)

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
        """Start the same run over."""
        if self._ready():
            self.notice.clear()
            self.settings = replace(self.settings, to=0)
            self.start(self.settings)

    def keep(self) -> None:
        """Freeze the live curve into the race."""
        if self._ready():
            try:
                self.screen.race.add(
                    self.screen.game_key, self.settings.run_name, list(self.runner.trace.rows)
                )
            except SolverlabError as problem:
                self.complain(problem)

    def press(self, key: str) -> None:
        """Answer a key."""
        steps = {"s": 1, "d": 10, "f": 100}
        if key in steps and self._ready() and not self.runner.latest().running:
            self.step(steps[key])
        acts = {
            " ": self.run_or_pause,
            "r": self.reset,
            "k": self.keep,
            "l": self.screen.scrub.go_live,
            "[": lambda: self.screen.scrub.move(-1),
            "]": lambda: self.screen.scrub.move(1),
            "h": self.screen.explorer.next_hand,
            "a": self.screen.explorer.other_strategy,
            "x": self._next_clock,
            "?": self._toggle_help,
        }
        acts.get(key, lambda: None)()

    def open_run(self, saved: SavedRun) -> None:
        """Go on with a saved run."""
        self.start(settings_of(saved, self.settings), saved)

    def ask_referee(self) -> None:
        """Solve the game exactly by linear programming, beside the page, and show its value."""
        if self._ready() and self._referee is None:
            game, key = self.game, self.screen.game_key
            self._referee = Making(lambda: (key, solve_lp(game).value))
            self.notice.say("The referee is solving the game by linear programming ...", "note")

    def complain(self, problem: object) -> None:
        """Say in one sentence what went wrong; nothing said clears the notice."""
        self.notice.say(sentence(problem) if str(problem) else "")

    def close(self) -> None:
        """The visitor has gone: the worker ends."""
        self._closed = True
        if self.runner is not None:
            self.runner.close()

    # ---- what widgets say ---------------------------------------------------------------------------

    def _choice_changed(self, event) -> None:
        self.controls.show_needed()
        if self._quiet:
            return
        self.notice.clear()
        try:
            settings = replace(self.controls.solving(self.settings), node="", hand="", to=0)
        except SolverlabError as problem:
            self.complain(problem)
            return
        if settings.game == OWN and not settings.own:
            settings = replace(settings, own=EXAMPLE_RULES)
        if self._making is None:
            self.start(settings)
        else:
            self._again = True

    def _running_changed(self, event) -> None:
        if self._quiet:
            return
        self.settings = self.controls.running(self.settings, self.complain)
        self.screen.settings = self.settings
        if self.screen.convergence.clock != self.settings.clock:
            self.screen.convergence.by(self.settings.clock)
        if self.runner is not None:
            self.runner.speed(SPEEDS[self.settings.speed])
            if self.runner.latest().running and event.obj in (self.controls.target, self.controls.limit):
                self.runner.play(until_of(self.settings, self.game))
        self._write_address()

    def _own_rules(self, rules: str) -> None:
        own_game(rules)
        self.notice.clear()
        self.start(replace(self.controls.solving(self.settings), game=OWN, own=rules, node="", hand="", to=0))

    def _next_clock(self) -> None:
        clocks = list(CLOCK_NAMES.values())
        self.controls.clock.value = clocks[(clocks.index(self.controls.clock.value) + 1) % len(clocks)]

    def _toggle_help(self) -> None:
        self.help.collapsed = not self.help.collapsed

    def _chosen(self) -> None:
        if self._ready():
            self._write_address()

    # ---- the pulling clock --------------------------------------------------------------------------

    def tick(self) -> None:
        """Draw what changed since the last look."""
        try:
            if self._making is not None and self._making.done:
                self._take_over()
            elif self._making is not None and not self.notice.text:
                self.notice.say(PREPARING, "note")
            elif self.runner is not None and self._making is None:
                self._collect()
                moment = self.runner.latest()
                if moment.version != self._seen:
                    self._seen = moment.version
                    self._draw(moment)
        except SolverlabError as problem:
            self.complain(problem)

    def _take_over(self) -> None:
        """A game and its solver are ready, or could not be made: then the old ones stay."""
        making, self._making = self._making, None
        if self.notice.text == PREPARING:
            self.notice.clear()
        if making.error:
            self.complain(making.error)
            self._restore_controls()
            if self.runner is None and not self.settings.solves_like(Settings()):
                self.settings = Settings()
                self.start(self.settings)
            self._seen = -1
            return
        fresh = self.settings if self.runner is not None else None
        wanted, self.game, self.runner = making.result
        if self._closed:
            self.runner.close()
        self._open(
            wanted, same_view=fresh is not None and wanted.game == fresh.game and wanted.own == fresh.own
        )
        if self._again:
            self._again = False
            self._choice_changed(None)

    def _open(self, wanted: Settings, same_view: bool) -> None:
        """Show a new run; with the same game the chosen node and hand stay."""
        view = self.settings if same_view else wanted
        self.settings = replace(wanted, node=view.node, hand=view.hand)
        self._restore_controls()
        told = [self.notice.text, *self.screen.open(self.runner, self.game, self.settings, same_view)]
        self.notice.say(" ".join(sentence for sentence in told if sentence))
        self._seen = -1
        if self.settings.to:
            self.runner.step(self.settings.to)

    def _restore_controls(self) -> None:
        self._quiet = True
        self.controls.show(self.settings)
        if self.settings.own:
            self.own.fill(self.settings.own)
        self.own_card.visible = self.settings.game == OWN
        self._quiet = False

    def _collect(self) -> None:
        """Take what finished beside the page: the microscope's numbers, the referee's value."""
        self.screen.collect()
        if self._referee is not None and self._referee.done:
            referee, self._referee = self._referee, None
            self.notice.clear()
            if referee.error:
                self.complain(referee.error)
            else:
                self.screen.exact |= dict([referee.result])
                self.screen.draw_score(self.runner.latest())

    # ---- drawing ------------------------------------------------------------------------------------

    def _draw(self, moment: Moment) -> None:
        if moment.error:
            self.complain(moment.error)
        elif moment.note and not self.notice.text:
            self.notice.say(COMPILING, "note")
        elif not moment.note and self.notice.text == COMPILING:
            self.notice.clear()
        self.screen.draw(moment)
        # Last: whoever reads "Run" reads final numbers above it.
        self.controls.buttons.show(moment.running, ready=True)
        if not moment.running:
            self._tell_end(moment.snapshot.status)
            self._write_address()

    def _tell_end(self, status: Status) -> None:
        if status in (Status.REACHED, Status.STOPPED) and not self.notice.text:
            self.notice.say(f"Paused: {status.sentence[0].lower()}{status.sentence[1:]}", "note")

    def _write_address(self) -> None:
        """The address bar always holds what is on the page, so that a copied link shows it again."""
        moment, names, explorer = self.runner.latest(), self.game.names, self.screen.explorer
        to = self.settings.to if moment.running else min(moment.snapshot.iteration, LONGEST_RUN)
        hand = names.hands[explorer.hand_index] if explorer.hand_index else ""
        node, show = names.path(explorer.node), explorer.strategy.value
        self.settings = replace(self.settings, to=to, node=node, hand=hand, show=show)
        self.keyboard.address = self.settings.query()

    def _ready(self) -> bool:
        return self.runner is not None and self._making is None
