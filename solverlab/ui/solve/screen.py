"""What a Solve page shows of a run: the curve, the tree, the strategy, the microscope and the score."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import log

from bokeh.events import Tap

from solverlab.core.game import Game
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.ui.runner import Runner
from solverlab.ui.solve.build import OWN
from solverlab.ui.solve.convergence import Convergence
from solverlab.ui.solve.explorer import Explorer
from solverlab.ui.solve.microscope_pane import GO_LIVE, PAUSE_TO_LOOK, looker
from solverlab.ui.solve.run_shelf import RunShelf
from solverlab.ui.solve.score import distance_name, score_html
from solverlab.ui.solve.scrub import Scrub
from solverlab.ui.solve.settings import SolveSettings
from solverlab.ui.solve.strategy_pane import StrategyPane
from solverlab.ui.tasks import Task, beside
from solverlab.ui.text import Text
from solverlab.ui.worker import Moment


class Screen:
    """The drawing half of the page; `on_choice` is called when a visitor chose a node, hand or strategy."""

    def __init__(self, shelf: RunShelf, on_choice: Callable[[], None]):
        self.shelf, self._on_choice, self._drawn = shelf, on_choice, -1
        self.runner: Runner | None = None
        self.game: Game | None = None
        self.exact: dict[str, float] = {}  # game -> value by the referee
        self._looking: Task[str] | None = None
        self._looked_at: tuple | None = None
        self.convergence = Convergence()
        self.explorer = Explorer(self._chosen)
        self.strategy = StrategyPane()
        self.scrub = Scrub(self._scrubbed)
        self.convergence.figure.on_event(Tap, lambda event: self.travel(event.x))
        self.score = Text("score-line")
        self.microscope = Text("microscope-pane", fill=True)

    def open(self, runner: Runner, game: Game, settings: SolveSettings, same_view: bool) -> list[str]:
        """Show a new run; with the same game the chosen node and hand stay. Returns what a link got wrong."""
        self.runner, self.game, self.settings = runner, game, settings
        complaints = [] if same_view else self.explorer.open(game, settings.node, settings.hand)
        self.convergence.title(distance_name(game.n_players))
        self.convergence.by(settings.clock)
        self.scrub.go_live()
        self._looked_at = None
        return complaints

    @property
    def game_key(self) -> str:
        return self.settings.own if self.settings.game == OWN else self.settings.game

    # ---- what is looked at --------------------------------------------------------------------------

    def shown(self, moment: Moment[Snapshot]) -> Snapshot:
        """The snapshot to look at: the newest, or one of the past."""
        return self.scrub.past or moment.snapshot

    def shown_policy(self) -> Policy:
        """The policy on the page."""
        return self.explorer.policy_of(self.shown(self.runner.latest()))

    def _chosen(self) -> None:
        if self.runner is not None:
            self.draw_chosen(self.runner.latest())
            self._on_choice()

    def _scrubbed(self) -> None:
        if self.runner is not None:
            self.draw_score(self.runner.latest())
            self.draw_chosen(self.runner.latest())
            past = self.scrub.past
            rows = [] if past is None else self.runner.trace.rows
            self.convergence.mark(next((row for row in rows if row["iteration"] == past.iteration), None))

    def travel(self, along: float | None) -> None:
        """Look at the recorded moment nearest to a place along the plot, whatever clock that counts."""
        rows = self.runner.trace.rows if self.runner is not None else ()
        if rows and along is not None and along > 0:
            nearest = min(rows, key=lambda row: abs(log(max(row[self.convergence.clock], 1e-6) / along)))
            self.scrub.look_near(nearest["iteration"])

    # ---- drawing ------------------------------------------------------------------------------------

    def draw(self, moment: Moment[Snapshot]) -> None:
        """Bring everything up to a moment."""
        self.shelf.grew(list(self.runner.trace.rows), resting=not moment.running)
        live = self.shelf.runs.live
        self.convergence.live(live.name, list(live.rows), live.colour)
        self.draw_others()
        self.scrub.offer(self.runner.recorded(), hurry=not moment.running)
        self.draw_score(moment)
        self.draw_chosen(moment)

    def draw_others(self) -> None:
        """The curves beside the live one, if others are to be seen than before."""
        if self.shelf.version != self._drawn:
            self._drawn = self.shelf.version
            self.convergence.kept(self.shelf.drawn())

    def draw_score(self, moment: Moment[Snapshot]) -> None:
        snap, rows, live = self.shown(moment), self.runner.trace.rows, moment.snapshot.iteration
        past_of = live if self.scrub.past is not None else None
        measured_at = rows[-1]["iteration"] if rows else 0
        self.score.write(score_html(snap, measured_at, past_of, self.exact.get(self.game_key)))
        self.scrub.tell(snap.iteration, live)

    def draw_chosen(self, moment: Moment[Snapshot]) -> None:
        """The tree, and the strategy and the next update of the chosen node."""
        snap, explorer = self.shown(moment), self.explorer
        explorer.draw(snap)
        payoff, which = explorer.payoff_at(explorer.node), explorer.strategy.value
        self.strategy.draw(explorer.policy_of(snap), explorer.node, explorer.hand_index, which, payoff)
        self._draw_microscope(moment)

    def _draw_microscope(self, moment: Moment[Snapshot]) -> None:
        if moment.running or self.scrub.past is not None:
            self._looked_at, self._looking = None, None
            self.microscope.write(PAUSE_TO_LOOK if moment.running else GO_LIVE)
            return
        key = (moment.epoch, moment.snapshot.iteration, self.explorer.node, self.explorer.hand_index)
        if key != self._looked_at:
            self._looked_at = key
            self._looking = Task(beside(looker(self.runner.solver, *key[2:]))).wait(0.05)
            self.collect()

    def close(self) -> None:
        """The visitor has gone."""
        if self._looking is not None:
            self._looking.cancel()

    def collect(self) -> None:
        """Take the microscope's numbers when they are there; the first ever are compiled for some seconds."""
        if self._looking is not None and self._looking.done:
            looking, self._looking = self._looking, None
            self.microscope.write(looking.result or f"<p>{escape(looking.error)}</p>")
