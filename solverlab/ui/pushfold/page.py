"""The Push/fold page: the Nash chart of short stacks, live for any stack, heads-up or with three players.

The page pulls: games are solved beside it, once for all visitors, and `tick` puts up what is finished.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np
import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.core.snapshot import Snapshot
from solverlab.ui.desk import Desk
from solverlab.ui.keyboard import Keyboard
from solverlab.ui.notice import Notice, sentence
from solverlab.ui.page_frame import ticking
from solverlab.ui.pushfold.choice import NODES, Choice
from solverlab.ui.pushfold.controls import SLIDER, Controls
from solverlab.ui.pushfold.exports import Exports
from solverlab.ui.pushfold.grid import HANDS, HandCurve, HandGrid
from solverlab.ui.pushfold.layout import arrange
from solverlab.ui.pushfold.score import score_html
from solverlab.ui.pushfold.solving import known, known_charts, solved, solved_charts
from solverlab.ui.text import Text
from solverlab.views.pushfold_cells import Cells, chart_cells, node_title, probability_cells
from solverlab.views.pushfold_chart import combos_of, jam_frame

PERIOD = 100  # milliseconds between two looks
QUICK = 0.4  # seconds before work is worth a progress bar
COMBOS = np.array([combos_of(hand) for hand in HANDS])
HINT = "Click a hand to see how often it goes in at every stack."


@dataclass(frozen=True)
class Shown:
    """What the grids show: a solution, and the decisions on the left and on the right."""

    players: int
    stack: float
    nodes: tuple[str, str]
    snap: Snapshot

    @property
    def every_node(self) -> list[str]:
        return list(NODES[self.players])


WAITING = {
    2: "<b>Solving heads-up ...</b> the grids below are still those of three players.",
    3: "<b>Solving for three players ...</b> the grids below are still those of two.",
}


class PushFoldPage:
    """One visitor's page. `tick` is called ten times a second, `close` when the visitor has gone."""

    def __init__(self, choice: Choice | None = None, complaints: list[str] | None = None):
        self.choice = choice or Choice()
        self.shown: Shown | None = None
        self.charts: dict[float, Snapshot] | None = None  # of the players that are shown
        self._by_stack: dict[str, tuple[Cells, np.ndarray]] = {}  # node -> chart and probabilities
        self.solving, self.charting = Desk(), Desk()
        self._began, self._stale, self._refused = 0.0, True, False
        self._charting_for = self._charts_of = 0  # players of the stacks being solved, and of those shown
        self.notice = Notice()
        self.score = Text("pushfold-score")
        self.grids = [HandGrid(f"grid-{side}", self.tap) for side in ("left", "right")]
        self.curve = HandCurve()
        self.controls = Controls(self.choice, self._asked)
        self.controls.stop.on_click(lambda event: self.cancel())
        self.exports = Exports(self)
        self.keyboard = Keyboard(self.press, keys=["[", "]", "c"])
        self.notice.say(" ".join(complaints or []))
        self.choose(self.choice)

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        return arrange(self)

    def close(self) -> None:
        """The visitor has gone."""
        self.cancel()

    def cancel(self) -> None:
        """Stop what is under way; what is solved stays."""
        self.solving.cancel()
        self.charting.cancel()

    def complain(self, problem: object) -> None:
        self.notice.say(sentence(problem))

    # ---- choosing ------------------------------------------------------------------------------------

    def _asked(self, ask: Callable[[Choice], Choice]) -> None:
        """A visitor moved a control; what cannot be is told, and everything stays as it was."""
        try:
            wanted = ask(self.choice)
        except SolverlabError as problem:
            self.complain(problem)
            self._refused = True  # the next tick puts the old words back into the box
            return
        self.notice.clear()
        self.choose(wanted)

    def choose(self, choice: Choice) -> None:
        """Show another choice: solve what is missing; until then the old grids stay."""
        self.choice, self._stale, self._began = choice, True, monotonic()
        self.controls.show(choice)
        self.keyboard.address = choice.query()
        players, stack = choice.players, choice.stack
        if known(players, stack) is None:

            def stale() -> bool:
                return (self.choice.players, self.choice.stack) != (players, stack)

            self.solving.order(lambda *hooks: solved(players, stack, *hooks, stale), lambda snap: None)
        self._order_charts()

    def _order_charts(self) -> None:
        """The list of stacks: a second's work heads-up; for three players it waits to be asked for."""
        players = self.choice.players
        asked = players == 2 or self.choice.show == "chart" or bool(self.choice.hand)
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
        self._asked(lambda old: replace(old, hand="" if old.hand == hand else hand))

    def press(self, key: str) -> None:
        """A key: half a big blind less or more, or the other view."""
        if key == "c":
            other = {"stack": "chart", "chart": "stack"}
            self._asked(lambda old: replace(old, show=other[old.show]))
        else:
            least, most, step = SLIDER
            change = step if key == "]" else -step
            self._asked(lambda old: replace(old, stack=min(max(old.stack + change, least), most)))

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Put up what is finished."""
        for desk in (self.solving, self.charting):
            before = desk.job
            problem = desk.look()
            self._stale |= before is not desk.job
            # A chart for other players than those on the page was stopped by the page itself.
            if problem and not (desk is self.charting and self._charting_for != self.choice.players):
                self.complain(problem)
                self._go_back()
        if self._refused:
            self._refused = False
            self.controls.show(self.choice)
        if self._stale:
            self._stale = False
            self._draw()
        self._show_progress()

    def _go_back(self) -> None:
        """What was chosen could not be solved, or was cancelled: the controls say again what is shown."""
        shown = self.shown
        if shown is not None and known(self.choice.players, self.choice.stack) is None:
            if shown.players != self.choice.players:
                self.choice = replace(self.choice.with_players(shown.players), show="stack")
            self.choice = replace(self.choice, stack=shown.stack)
            self.controls.show(self.choice)
            self.keyboard.address = self.choice.query()

    def _draw(self) -> None:
        choice = self.choice
        snap = known(choice.players, choice.stack)
        if snap is not None:
            self.shown = Shown(choice.players, choice.stack, choice.nodes, snap)
        if self.shown is None:
            return
        if self.shown.players != choice.players:
            self.score.write(WAITING[choice.players])
            return
        self.shown = replace(self.shown, nodes=choice.nodes)
        self._take_charts()
        by_stack = choice.show == "chart" and self.charts is not None
        for grid, node in zip(self.grids, choice.nodes, strict=True):
            cells = self._chart(node)[0] if by_stack else probability_cells(self.shown.snap, node)
            grid.show(cells)
            grid.choose(choice.hand)
        self.score.write(score_html(self.shown.snap, self.shown.stack, choice.nodes))
        self._draw_curve()

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
        shown, hand = self.shown, self.choice.hand
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
        title = f"{hand} by stack" if hand else "All hands by stack (click a hand to see its own curve)"
        self.curve.show(title, list(self.charts), lines, names)

    def _show_progress(self) -> None:
        job = self.solving.job or self.charting.job
        late = job is not None and monotonic() - self._began > QUICK
        words = f"<small>{job.words or 'starting'} ...</small>" if late else ""
        controls = self.controls
        if controls.doing.object != words:
            controls.doing.object = words
        if controls.bar.visible != late:
            controls.bar.visible = controls.stop.visible = late
        if late and controls.bar.value != int(100 * job.done_share):
            controls.bar.value = int(100 * job.done_share)


def pushfold_page(visit: object = None) -> pn.viewable.Viewable:
    """The Push/fold page with its pulling clock; it ends with the visit."""
    page = PushFoldPage(*Choice.from_query(getattr(visit, "query", {})))
    return ticking(page, PERIOD)
