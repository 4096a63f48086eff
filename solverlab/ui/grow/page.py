"""The Grow page: rebalance strategy trees, expand them down popular paths, and see whether it works.

The page pulls: a worker beside it rebalances and grows, and `tick` puts up its newest frame.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import numpy as np
import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.run.growing.rows import Pick
from solverlab.run.growing.watched import GrowingRun
from solverlab.ui.grow.alarm import alarm_html, last_alarm
from solverlab.ui.grow.charts import ChangeChart
from solverlab.ui.grow.controls import Controls, is_rule
from solverlab.ui.grow.exports import Exports
from solverlab.ui.grow.forest_canvas import ForestCanvas
from solverlab.ui.grow.frame import half_known, row_of, spots_at
from solverlab.ui.grow.hands import HandPicker
from solverlab.ui.grow.inspector import log_html
from solverlab.ui.grow.layout import arrange
from solverlab.ui.grow.node_pane import NodePane
from solverlab.ui.grow.phase_chart import PhaseChart
from solverlab.ui.grow.runner import Frame, GrowRunner
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.grow.tree_size import TreeSize
from solverlab.ui.grow.view import Looks, Sides, TimeTravel, Watched
from solverlab.ui.grow.words import WAITING, score_html
from solverlab.ui.notice import sentence
from solverlab.ui.page import Page
from solverlab.ui.parts.chart import round_up
from solverlab.ui.tasks import TaskQueue, beside
from solverlab.ui.text import Text

MOST_NODES = 30_000  # a page that draws more is slow; a notebook may grow further
KEYS = {" ": "toggle", "b": "rebalance", "e": "expand", "u": "sub_step", "r": "start_over", "g": "grow_node",
        "n": "branch", "[": "back", "]": "forth"}  # fmt: skip
KEY_WORDS = {" ": "play or pause", "b": "rebalance", "e": "expand", "u": "one sub-step", "r": "start over",
             "g": "grow the chosen node", "n": "branch off here", "[": "one moment back",
             "]": "one moment on"}  # fmt: skip
HANDS, NODE, LOG = range(3)
PATIENCE = 2.0  # seconds
LATE = 1.5  # seconds after which a screen that has not answered is sent more all the same
AROUND = 0.8  # seconds between two drawings of the panes around the tree, while trees grow


class GrowPage(Page[GrowSettings]):
    """One visitor's page: a forest that grows beside it, and the settings it grows by."""

    settings_type, period, keys, key_words = GrowSettings, 40, tuple(KEYS), KEY_WORDS

    def make_controls(self) -> Controls:
        """Trees come first: words of a link that make no game are left out, and named."""
        self.making = self.owned(TaskQueue())
        self.runner = self.owned(GrowRunner(self._first_growing, most_bytes=self.memory_cap // 4))
        return Controls(self.settings, self._moved)

    def make_parts(self) -> None:
        self._wanted, self._anew = self.settings, False  # what is being made, and whether it starts over
        self.frame: Frame = self.runner.latest()
        self.score, self.alarm = Text("grow-score"), Text("grow-alarm")
        self._drawn, self._view = -1, ""
        self._around_at = self._drawn_at = 0.0
        self._noted, self._after = "", []  # what was pressed while trees were made
        self._make_panes()
        self._make_buttons()
        self.hand = ""
        self._welcome()

    def _make_panes(self) -> None:
        self.canvas = ForestCanvas()
        self.canvas.param.watch(lambda event: self._select(event.new), "selected")
        self.view = Looks(self._repick, self._redraw)
        self.view.paced.param.watch(lambda event: self._repace(), "value")
        self.watched = Watched(self._rewatch)
        self.time = TimeTravel(self.go_to, lambda: self._once_made(self.branch), self.switch)
        self.chart, self.phase = ChangeChart(beside=True), PhaseChart()
        self.hands = HandPicker(self._pick_hand)
        self.node, self.log = NodePane(self._ask_deals), Text("grow-log", fill=True)
        sides = {"Hands": self.hands.pane, "Node": self.node.pane, "Log": self.log.pane}
        self.sides = Sides(sides, self._redraw)
        self.alarm_place = pn.Column(self.alarm.pane, visible=False, sizing_mode="stretch_width", margin=0)
        self.exports, self.tree_size = Exports(self), TreeSize()

    def _make_buttons(self) -> None:
        controls = self.controls
        buttons = {
            controls.play: self.toggle,
            controls.rebalance: self.rebalance,
            controls.expand: self.expand,
            controls.sub_step: self.sub_step,
            controls.reset: self.start_over,
            controls.grow: self.grow_node,
        }
        for one, act in buttons.items():
            one.on_click(lambda event, act=act: self._once_made(act))

    # ---- choosing ----------------------------------------------------------------------------------------

    @property
    def growing(self) -> GrowingRun:
        return self.runner.line.growing

    def _first_growing(self) -> GrowingRun:
        """What the link asks for; words that make no game are left out, and named."""
        try:
            self.settings, made, complaints = self.settings.usable(self.memory_cap)
        except SolverlabError as problem:
            complaints = [f"The link makes no game: {sentence(problem)}"]
            self.settings = GrowSettings()
            made = self.settings.growing(self.memory_cap)
        self.notice.say(" ".join([self.notice.text, *complaints]).strip())
        self.applied = self.settings  # what the trees now grow by
        return made

    def _moved(self, name: str, value: object) -> None:
        """A control moved: a rule waits for a branch, anything else starts over; nonsense is told."""
        try:
            wanted = self._wanted.with_word(name, value)
        except SolverlabError as problem:
            self._refused = True
            self.complain(problem)
            return
        self._make(wanted, anew=not is_rule(name))

    def choose(self, settings: GrowSettings) -> None:
        """Start over with these settings."""
        self._make(settings, anew=True)

    def _make(self, wanted: GrowSettings, anew: bool) -> None:
        """Have the trees made beside the page, also for a rule that waits: what cannot be is told."""
        self._wanted, self._anew = wanted, self._anew or anew
        self.making.order(
            beside(lambda: wanted.growing(self.memory_cap)), lambda made: self._put_up(wanted, made)
        )

    def _put_up(self, wanted: GrowSettings, made: GrowingRun) -> None:
        """The trees are there: show them, unless only a rule changed midway."""
        anew, self._anew = self._anew, False
        self.settings = wanted
        self.notice.clear()
        self.show_settings()
        if anew or (self.frame.now["sweep"] == 0 and not self.runner.busy):
            self._replace(made)  # a rule before the first sweep, too: nothing would be lost
        self.controls.tell(self.applied.differences(self.settings))

    def _look_at_making(self) -> None:
        """Put up trees that are finished; where they cannot be, everything stays as it was."""
        problem = self.making.look()
        if problem:
            self.complain(problem)
            self._refused = True
            if not self.making.busy:
                self._wanted, self._anew = self.settings, False
        while self._after and not self.making.busy:
            self._after.pop(0)()

    def _once_made(self, act: Callable[[], None]) -> None:
        """Do what a button says, after the trees a control asked for just before it."""
        if self.making.busy:
            self._after.append(act)
        else:
            act()

    def _replace(self, growing: GrowingRun) -> None:
        self.applied = self.settings
        self.runner.reset(lambda: growing)
        self.hand = ""
        self._welcome(growing)

    def _welcome(self, growing: GrowingRun | None = None) -> None:
        """Seats, hands and watched probabilities of another game."""
        growing = growing or self.growing
        self._runs, self._made = {"run 1": self.applied}, 1
        self.alarm_place.visible = False
        self.canvas.selected = -1  # a row of the trees before
        self.view.offer(growing.seats, growing.exact)
        self.watched.offer(dict(growing.watches()))
        self.runner.look(pick=Pick(), spot=None, watches=self.watched.two)
        self.sides.active = HANDS if len(growing.hands) > 1 else NODE

    # ---- commands ----------------------------------------------------------------------------------------

    def toggle(self) -> None:
        if self.runner.playing:
            self.runner.pause()
        else:
            self.notice.clear()
            self.runner.play(paced=self.view.paced.value)

    def rebalance(self) -> None:
        self.runner.rebalance()

    def expand(self) -> None:
        self.runner.expand()

    def sub_step(self) -> None:
        self.runner.sub_step()
        self.sides.active = NODE

    def start_over(self) -> None:
        self.choose(self._wanted)

    def grow_node(self) -> None:
        """Expand the selected node; drawn as one, in every hand's tree that ends there."""
        spots = spots_at(self.frame, self.canvas.selected)
        if not spots:
            self.complain("no node is selected; click a leaf of the tree first")
            return
        self.runner.expand_spots(spots)

    def go_to(self, place: int) -> None:
        self.runner.go_to(place)

    def back(self) -> None:
        self.runner.move(-1)

    def forth(self) -> None:
        self.runner.move(1)

    def branch(self) -> None:
        """Another way from the moment shown, with the settings on the left."""
        self._made += 1
        differs = ", ".join(self.applied.differences(self.settings))
        name = f"run {self._made}" + (f": {differs}" if differs else "")
        self.applied = self._runs[name] = self.settings
        self.controls.tell([])
        self.runner.branch(name, **self.settings.rule())

    def switch(self, name: str) -> None:
        """Another way gone before, with the settings it goes by."""
        self.settings = self.applied = self._wanted = self._runs[name]
        self.controls.show(self.settings)
        self.controls.tell([])
        self.runner.switch(name)

    def press(self, key: str) -> None:
        self._once_made(getattr(self, KEYS[key]))

    # ---- looking -----------------------------------------------------------------------------------------

    def _repick(self) -> None:
        hands = self.hands.members(self.hand) if self.hand else None
        self.runner.look(pick=Pick(self.view.seat.value, hands, self.view.apart.value))

    def _pick_hand(self, hand: str) -> None:
        self.hand = hand
        self._repick()

    def _repace(self) -> None:
        if self.runner.playing:
            self.runner.play(paced=self.view.paced.value)

    def _ask_deals(self, wanted: bool) -> None:
        self.runner.look(deals=wanted)

    def _rewatch(self) -> None:
        self.runner.look(watches=self.watched.two)

    def _redraw(self) -> None:
        self._drawn = -1

    def _select(self, row: int) -> None:
        spots = spots_at(self.frame, row)
        if spots and spots[0] != self.runner.asked.spot:
            self.runner.look(spot=spots[0])
            self.sides.active = NODE

    # ---- the clock ---------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Put up the newest frame."""
        self._look_at_making()
        super().tick()
        frame = self.runner.latest()
        late = self.canvas.behind and monotonic() - self._drawn_at < LATE
        self._show_play()
        if frame.version == self._drawn:
            self._show_patience()
            return
        if frame.running and late:
            return  # a slow screen is sent less, so that clicks do not queue behind pictures
        self._drawn, self._drawn_at, self.frame = frame.version, monotonic(), frame
        if frame.error:
            self.complain(frame.error)
        elif frame.note:
            self._noted = sentence(frame.note)
            self.notice.say(self._noted, "note")
        elif self.notice.text in (WAITING, self._noted):
            self.notice.clear()
        if self.runner.playing and frame.now["nodes"] >= MOST_NODES:
            self.runner.pause()
            self.notice.say(
                f"{frame.now['nodes']:,} nodes: a page draws no more; go on in a notebook.", "note"
            )
        with pn.io.hold():  # all that changes travels as one message
            self._draw(frame)
        self.runner.take(frame.version)  # while the page paints this one, the next may be made

    def _show_play(self) -> None:
        label = "❚❚  Pause" if self.runner.playing else "▶  Play"
        if self.controls.play.label != label:
            self.controls.play.label = label

    def _show_patience(self) -> None:
        """A first sweep is compiled, a first flop needs tables: say so instead of seeming dead."""
        if self.runner.silent > PATIENCE and not self.notice.text:
            self.notice.say(WAITING, "note")

    def _draw(self, frame: Frame) -> None:
        """The tree with every frame; what stands around it a few times a second while trees grow."""
        rows, now = frame.rows, frame.now
        self.canvas.show(frame.view, rows.parent, rows.kind, rows.who, rows.label)
        self.canvas.update(rows.kind, rows.reach, rows.ev, now["epoch"], now["sweep"])
        self._look(rows.ev)
        if frame.view != self._view:  # another tree: the node looked at has another row, or none
            self._view, self.canvas.selected = frame.view, row_of(frame, self.runner.asked.spot)
        if not frame.running or monotonic() - self._around_at > AROUND:
            self._around_at = monotonic()
            self._draw_around(frame)

    def _draw_around(self, frame: Frame) -> None:
        """Words, plots, and of the side only what is in front: each change makes a browser lay out anew."""
        self.score.write(score_html(frame, self.applied.test))
        self._sound_alarm(frame)
        self.chart.draw(
            list(reversed(frame.measures)),
            frame.sweeps[frame.place],
            self.view.measure.value,
            frame.unit,
            self.applied.tolerance,
            self.applied.test,
        )
        self._draw_phase(frame)
        self._draw_side()
        self.time.show(frame.sweeps, frame.place, frame.running, frame.branches, frame.measures[-1][0])

    def _draw_side(self) -> None:
        frame = self.frame
        if self.sides.active == HANDS:
            self._draw_hands(frame)
        elif self.sides.active == NODE:
            self.node.draw(frame, self.applied)
        else:
            self.log.write(log_html(frame.log))

    def _sound_alarm(self, frame: Frame) -> None:
        """The last false rest up to the moment shown keeps standing."""
        found = last_alarm(frame.measures[-1][1], frame.now["sweep"])
        if found is not None:
            self.alarm.write(alarm_html(found, frame.unit, self.applied.test))
        if self.alarm_place.visible != (found is not None):
            self.alarm_place.visible = found is not None

    def _draw_phase(self, frame: Frame) -> None:
        seen = frame.inspection
        if seen is not None and seen.actions:
            at = f" at {seen.path}" if seen.path != "hole cards" else ""
            whose = f"{seen.seat}, {seen.hand}" if seen.hand else seen.seat
            self.watched.learn({f"{whose}: {row.action}{at}": row.watch for row in seen.actions})
        x, y = frame.paths
        colour = self.chart.colours.of(frame.branches)[frame.measures[-1][0]]
        drawn = frame.paths if len(x) == len(y) else ([], [])
        self.phase.draw(*drawn, *self.watched.names, colour=colour)

    def _draw_hands(self, frame: Frame) -> None:
        (actions, table), hands = frame.actions, frame.hands
        if actions:
            self.hands.show_actions(hands, actions, table)
        else:
            self.hands.show_sizes(hands, frame.sizes)

    def _look(self, ev: np.ndarray) -> None:
        known = np.abs(ev[np.isfinite(ev)])
        most = round_up(float(np.quantile(known, 0.98))) if known.size and known.max() > 0 else 1.0
        if half_known(self.frame):
            most = self.canvas.look["high"]
        look = {
            "colour": self.view.colour.value, "players": list(self.frame.seats), "unit": self.frame.unit,
            "low": -most, "high": most,
        }  # fmt: skip
        if self.canvas.look != look:
            self.canvas.look = look

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        return arrange(self)

    def wait(self) -> None:
        """Wait until whatever was asked for is done and drawn (for scripts and tests)."""
        while self.making.task is not None:
            self.making.task.wait()
            self._look_at_making()
        self.runner.wait()
        self.tick()
