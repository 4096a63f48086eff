"""The Push/fold page: the Nash chart of short stacks, live for any stack, heads-up or with three players.

The page pulls: games are solved beside it, once for all visitors, and `tick` puts up what is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import panel as pn
from bokeh.models import Div, InlineStyleSheet

from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.games import PushFold
from solverlab.studies.action_values import action_values
from solverlab.studies.exploit_caller import Answer, answer_to_caller
from solverlab.ui.look import TEXT
from solverlab.ui.page import MEMORY_CAP, Page
from solverlab.ui.parts.hand_grid import HandGrid
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.pushfold.controls import SLIDER, Controls
from solverlab.ui.pushfold.curve import HandCurve
from solverlab.ui.pushfold.exploit import ExploitCard
from solverlab.ui.pushfold.exports import Exports
from solverlab.ui.pushfold.hand_card import hand_html
from solverlab.ui.pushfold.layout import arrange
from solverlab.ui.pushfold.range_line import RangeLine
from solverlab.ui.pushfold.score import score_html
from solverlab.ui.pushfold.settings import NODES, PushFoldSettings
from solverlab.ui.pushfold.solving import known, known_charts, solved, solved_charts
from solverlab.ui.tasks import TaskQueue
from solverlab.ui.text import Text
from solverlab.views.hand_grid import HANDS, Cells, neighbour
from solverlab.views.pushfold_cells import chart_cells, node_title, probability_cells, value_cells
from solverlab.views.pushfold_chart import combos_of, jam_frame

QUICK = 0.4  # seconds before work is worth a progress bar
COMBOS = np.array([combos_of(hand) for hand in HANDS])
STEPS = {  # an arrow key: where it leads, rows down and columns to the right
    "ArrowLeft": ("to the left", (0, -1)),
    "ArrowRight": ("to the right", (0, 1)),
    "ArrowUp": ("above", (-1, 0)),
    "ArrowDown": ("below", (1, 0)),
}
HINT = "Click a hand to see how often it goes in at every stack."


@dataclass(frozen=True)
class Shown:
    """What the grids show: a solution or the answer to a caller, and the decisions left and right."""

    players: int
    stack: float
    nodes: tuple[str, str]
    snap: Snapshot
    answer: Answer | None = None

    @property
    def policy(self) -> Policy:
        return self.snap.policy if self.answer is None else self.answer.policy

    @property
    def every_node(self) -> list[str]:
        return list(NODES[self.players])


ANSWER_TITLES = {"": "small blind's best answer", "jam": "this big blind calls"}
WAITING = {
    2: "<b>Solving heads-up ...</b> the grids below are still those of three players.",
    3: "<b>Solving for three players ...</b> the grids below are still those of two.",
}


class PushFoldPage(Page[PushFoldSettings]):
    """One visitor's page: two grids, a curve, and the games that are solved for them beside it."""

    settings_type, period, keys = PushFoldSettings, 100, ("[", "]", "c", *STEPS)
    key_words = {"[": "half a big blind less", "]": "half a big blind more", "c": "this stack or the chart"}
    key_words |= {key: f"the hand {where}" for key, (where, _) in STEPS.items()}

    def __init__(
        self,
        settings: PushFoldSettings | None = None,
        complaints: Sequence[str] = (),
        memory_cap: int = MEMORY_CAP,
    ):
        super().__init__(settings, complaints, memory_cap)
        self.shown: Shown | None = None
        self.charts: dict[float, Snapshot] | None = None  # of the players that are shown
        self._by_stack: dict[str, tuple[Cells, np.ndarray]] = {}  # node -> chart and probabilities
        self.solving, self.charting = self.owned(TaskQueue()), self.owned(TaskQueue())
        self._stale = True
        self._charting_for = self._charts_of = 0  # players of the stacks being solved, and of those shown
        self.score = Text("pushfold-score")
        self.hand = Text("pushfold-hand")
        sheet = InlineStyleSheet(css=TEXT + ":host { min-height: 1.5em; }")
        self.teller = Div(
            text="", stylesheets=[sheet], css_classes=["told"], sizing_mode="stretch_width", margin=0
        )
        self.grids = [HandGrid(f"grid-{side}", self.tap, teller=self.teller) for side in ("left", "right")]
        self.lines = [RangeLine("range-left"), RangeLine("range-right", self.ask_caller)]
        self.exploit = ExploitCard(self.controls.caller, self.ask_caller)
        self._answers: dict[tuple[float, str], Answer] = {}
        self.curve = HandCurve()
        self.progress = TaskBar(self.cancel, "Stop solving; what is solved stays.", QUICK)
        self.exports = Exports(self)
        self.choose(self.settings)

    def make_controls(self) -> Controls:
        return Controls(self.settings, self.asked)

    def layout(self) -> pn.viewable.Viewable:
        return arrange(self)

    def cancel(self) -> None:
        """Stop what is under way; what is solved stays."""
        self.solving.cancel()
        self.charting.cancel()

    # ---- choosing ------------------------------------------------------------------------------------

    def choose(self, settings: PushFoldSettings) -> None:
        """Show other settings: solve what is missing; until then the old grids stay."""
        self._stale = True
        super().choose(settings)
        players, stack = settings.players, settings.stack
        if known(players, stack) is None:

            def stale() -> bool:
                return (self.settings.players, self.settings.stack) != (players, stack)

            self.solving.order(lambda *hooks: solved(players, stack, *hooks, stale), lambda snap: None)
        self._order_charts()

    def _order_charts(self) -> None:
        """The list of stacks: a second's work heads-up; for three players it waits to be asked for."""
        players = self.settings.players
        asked = players == 2 or self.settings.show == "chart" or bool(self.settings.hand)
        if self._charting_for != players:
            self.charting.cancel()
        if (
            asked
            and known_charts(players) is None
            and not (self.charting.busy and self._charting_for == players)
        ):
            self._charting_for = players
            self.charting.order(lambda *hooks: solved_charts(players, *hooks), lambda charts: None)

    def tap(self, hand: str) -> None:
        """A click on a cell: choose its hand, or none when it was chosen already."""
        self.asked(lambda old: replace(old, hand="" if old.hand == hand else hand))

    def ask_caller(self, words: str) -> None:
        """Show the best answer to a caller's range; none asks for the equilibrium."""
        self.asked(lambda old: old.typed("caller", words))

    def press(self, key: str) -> None:
        """A key: half a big blind less or more, the next view, or a neighbour of the chosen hand."""
        if key == "c":
            self.asked(lambda old: replace(old, show="stack" if old.show == "chart" else "chart"))
        elif key in STEPS:
            self.asked(lambda old: replace(old, hand=neighbour(old.hand, *STEPS[key][1])))
        else:
            least, most, step = SLIDER
            change = step if key == "]" else -step
            self.asked(lambda old: replace(old, stack=min(max(old.stack + change, least), most)))

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Put up what is finished."""
        for queue in (self.solving, self.charting):
            before = queue.task
            problem = queue.look()
            self._stale |= before is not queue.task
            # A chart for other players than those on the page was stopped by the page itself.
            if problem and not (queue is self.charting and self._charting_for != self.settings.players):
                self.complain(problem)
                self._go_back()
        super().tick()
        if self._stale:
            self._stale = False
            self._draw()
        self.progress.show(self.solving.task or self.charting.task)

    def _go_back(self) -> None:
        """What was chosen could not be solved, or was cancelled: the controls say again what is shown."""
        shown = self.shown
        if shown is not None and known(self.settings.players, self.settings.stack) is None:
            if shown.players != self.settings.players:
                self.settings = replace(self.settings.with_players(shown.players), show="stack")
            self.settings = replace(self.settings, stack=shown.stack)
            self.show_settings()

    def _draw(self) -> None:
        choice = self.settings
        snap = known(choice.players, choice.stack)
        if snap is not None:
            self.shown = Shown(choice.players, choice.stack, choice.nodes, snap)
        if self.shown is None:
            return
        if self.shown.players != choice.players:
            self.score.write(WAITING[choice.players])
            return
        self.shown = replace(self.shown, nodes=choice.nodes, answer=self._answer())
        self._take_charts()
        values = self._values() if choice.hand or choice.show == "ev" else {}
        for grid, line, node in zip(self.grids, self.lines, choice.nodes, strict=True):
            cells = self._cells(node, values)
            grid.show(cells)
            grid.choose(choice.hand)
            line.show(cells, node == "jam" and choice.players == 2)
        self.score.write(
            score_html(self.shown.snap, self.shown.stack, choice.nodes, choice.hand, self.shown.answer)
        )
        self.hand.write(hand_html(self.shown.policy, choice.nodes, choice.hand, values))
        self.exploit.show(self.shown.answer, self.shown.players == 2)
        self._draw_curve()

    def _answer(self) -> Answer | None:
        """The best answer to the caller that is asked for, made once a stack and range."""
        caller, stack = self.settings.caller, self.shown.stack
        if not caller or self.shown.players != 2:
            return None
        key = stack, caller
        if key not in self._answers:
            self._answers = {key: answer_to_caller(stack, caller, self.shown.snap.policy)}
        return self._answers[key]

    def _values(self) -> dict[str, np.ndarray]:
        """The EV of each action at both decisions, as the grids are played."""
        game = PushFold(self.shown.stack, players=self.shown.players)
        return {
            node: action_values(game, self.shown.policy, node) for node in dict.fromkeys(self.shown.nodes)
        }

    def _cells(self, node: str, values: dict[str, np.ndarray]) -> Cells:
        """What a grid shows in the chosen view."""
        if self.settings.show == "chart" and self.charts is not None:
            return self._chart(node)[0]
        if self.settings.show == "ev":
            return value_cells(self.shown.policy, node, values[node])
        title = "" if self.shown.answer is None else ANSWER_TITLES[node]
        return probability_cells(self.shown.policy, node, title)

    def _take_charts(self) -> None:
        """The list of stacks, once all of it is solved for these players."""
        if self._charts_of != self.shown.players or self.charts is None:
            self._charts_of, self._by_stack = self.shown.players, {}
            self.charts = known_charts(self.shown.players)

    def _chart(self, node: str) -> tuple[Cells, np.ndarray]:
        """The chart of a decision, and how often each hand goes in at each stack, float64[stacks, 169]."""
        if node not in self._by_stack:
            chances = np.array([jam_frame(snap, node)["probability"] for snap in self.charts.values()])
            self._by_stack[node] = chart_cells(self.charts, node), chances
        return self._by_stack[node]

    def _draw_curve(self) -> None:
        shown, hand = self.shown, self.settings.hand
        names = [node_title(shown.snap.names, node) for node in shown.nodes]
        self.curve.at(shown.stack)
        if self.charts is None:
            waiting = "The curve comes with the chart by stack, which is being solved ..."
            self.curve.say(waiting if self.charting.busy else HINT)
            self.curve.show(f"{hand or 'All hands'} by stack", [], [[], []], names)
            return
        self.curve.say("")
        chances = [self._chart(node)[1] for node in shown.nodes]
        lines = [part[:, HANDS.index(hand)] if hand else part @ COMBOS / 1326 for part in chances]
        title = f"{hand or 'All hands'} by stack"
        self.curve.show(title, list(self.charts), lines, names)
