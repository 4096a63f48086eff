"""Strategy trees to grow in a notebook: rebalance, expand, play, look at any node, go back and branch."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import RangeGame
from solverlab.core.rows import Config, Row, Setting
from solverlab.games import game_named
from solverlab.run.growing.rows import Grew, Inspection, Pick
from solverlab.run.growing.watched import GrowingRun, watched
from solverlab.solvers import MostReached, Rebalance
from solverlab.solvers.growing.settings import check_whole
from solverlab.ui.grow.alarm import alarm_html, last_alarm
from solverlab.ui.grow.colours import RunColours
from solverlab.ui.grow.frame import half_known, row_of
from solverlab.ui.grow.inspector import inspection_html, phase_html
from solverlab.ui.grow.lab_controls import PAUSE, PLAY, GrowControls
from solverlab.ui.grow.lab_words import read_changes, read_hands, sweep_lines
from solverlab.ui.grow.runner import Frame, GrowRunner, Spot
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.grow.words import score_html, short
from solverlab.ui.notebook.cell import NotebookCell

if TYPE_CHECKING:
    from solverlab.core.dealt_game import DealtGame
    from solverlab.solvers import FrontierRule, Squash


USUAL = "usual"  # the frontier of whoever names none
MOST_DRAWN = 30_000  # nodes; trees may grow further, a drawing of more is slow
SETTINGS = ("squash", "scale", "frontier", "test", "leaf")  # what the screen tells of a way


class GrowLab(NotebookCell):
    """Trees that rebalance and grow, with their controls and plots, as the value of a notebook cell.

    `game` is a table of hold'em (sampled, `samples` deals a tree) or a small game (exact EVs). `frontier`
    says which leaves grow after an epoch of `sweeps` sweeps: without a word the four most reached of every
    position, None for a tree that is whole from the start. All other settings are those of `sl.Rebalance`.

    `lab.widget` is a plain ipywidgets box to put into any other layout; `lab.frame` is what the screen shows.

    >>> import solverlab as sl
    >>> lab = sl.ui.GrowLab(sl.Kuhn(), frontier=sl.MostReached(1))
    >>> lab.rebalance(3)["sweep"]
    3
    >>> [(grew.seat, grew.hand) for grew in lab.expand()]
    [('first', 'K'), ('second', 'K')]
    >>> lab.inspect("first", hand="K").kind
    'action'
    >>> lab.close()
    """

    def __init__(
        self,
        game: str | RangeGame | DealtGame,
        squash: str | Squash = "tanh",
        scale: float = 1.0,
        ev: str = "as written",
        frontier: FrontierRule | str | None = USUAL,
        samples: int | None = None,
        sweeps: int = GrowSettings.sweeps,
        **settings: Setting,
    ):
        self.game = game_named(game) if isinstance(game, str) else game
        given = {"squash": squash, "scale": scale, "ev": ev, "samples": samples, "sweeps": sweeps}
        self._settings = given | settings | {"frontier": self._frontier(frontier)}
        runner = GrowRunner(self._make)
        self.growing = runner.line.growing  # its seats, hands and unit stay the same on every way
        self._made, self._view, self._colours = 1, "", RunColours()
        self._spot: Spot | None = None  # the node looked at
        self.runner = runner
        self._ways = {"run 1": {name: getattr(self._solver(), name) for name in SETTINGS}}
        super().__init__(runner, GrowControls(self.growing.seats, self.growing.hands, self.growing.grows))

    # ---- for people who type -----------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """What the screen shows now: trees, measures, the log of growth and the node looked at."""
        return self.runner.latest()

    def rebalance(self, n: int = 1) -> Row:
        """Do `n` sweeps, wait for them, and tell how far it is: change, gains, sizes."""
        self.runner.rebalance(check_whole("the number of sweeps", n, 0))
        return self._rested().now

    def expand(self) -> list[Grew]:
        """Let the rule grow the trees by one level, and tell what grew and why."""
        self.runner.expand()
        frame = self._rested()
        return [line for line in frame.log if line.epoch == frame.now["epoch"]]

    def inspect(self, seat: str | int, path: str = "", hand: str = "") -> Inspection:
        """A node of one tree and its last update; a path such as ``"call / raise"``, empty is the root.

        Without a hand the likeliest one that comes there is told.
        """
        goes_on = self.runner.playing
        self.runner.pause()
        self._rested()
        for label, word in (("path", path), ("hand", hand)):
            if not isinstance(word, str):
                raise BadValue(
                    f"a {label} of {word!r} cannot be read; write it, as in inspect('button', 'call')"
                )
        found = read_hands(hand, self.growing.hands) or (-1,)
        self._look_at(Spot(self._seat(seat), self._node(path), found[0]))
        seen = self._rested().inspection
        if seen is None:
            raise BadValue(f"no tree of this seat comes to {path!r}; grow it first")
        if goes_on:
            self.runner.play()
        return seen

    def branch(self, **changes: Setting) -> None:
        """Go another way from the sweep shown, as in ``lab.branch(scale=2.0)``."""
        made = self._made
        self._branch(changes)
        try:
            self._rested()
        except BadValue:
            self._made = made  # no such way was gone: the next one has its number
            raise

    def go_to(self, place: int) -> Row:
        """Go back to a kept moment, counted from 0; its numbers."""
        self.runner.go_to(place)
        return self._rested().now

    def _rested(self) -> Frame:
        frame, self._problem = self.runner.wait(), ""  # what a button was told before is over
        self.refresh()
        if frame.error:
            raise BadValue(frame.error)
        return frame

    def _seat(self, seat: str | int) -> int:
        known = self.growing.seats
        place = seat if isinstance(seat, int) else known.index(seat) if seat in known else -1
        if not 0 <= place < len(known):
            raise UnknownName("seat", seat, known)
        return place

    def _node(self, path: str) -> int:
        """The public node at the end of a path; the worker rests meanwhile."""
        growing = self.runner.line.growing
        names = growing.solver.snapshot().names
        return names.node("/".join(step.strip() for step in path.replace("›", "/").split("/")))

    # ---- the solver --------------------------------------------------------------------------------------

    def _frontier(self, frontier: FrontierRule | str | None) -> FrontierRule | str | None:
        """The rule given, or the usual one where trees can grow at all."""
        if not (isinstance(frontier, str) and frontier == USUAL):
            return frontier
        hides = isinstance(self.game, RangeGame) and self.game.tie.tied
        return None if hides else MostReached(GrowSettings.k)

    def _make(self) -> GrowingRun:
        settings = dict(self._settings)
        if not isinstance(self.game, RangeGame) and settings["samples"] is None:
            settings["samples"] = GrowSettings.deals
        return watched(Rebalance(self.game, **settings))

    def _solver(self) -> Rebalance:
        return self.runner.line.growing.solver

    # ---- drawing -----------------------------------------------------------------------------------------

    def _draw(self, moment: Frame) -> None:
        controls, now, unit = self.controls, moment.now, self.growing.unit
        controls.play.description = PAUSE if self.runner.playing else PLAY
        controls.status.value = self._status(moment)
        test = self._way(moment)["test"]
        alarm = last_alarm(moment.measures[-1][1], now["sweep"])
        controls.alarm.value = alarm_html(alarm, unit, test) if alarm else ""
        self._draw_tree(moment)
        controls.node.value = _framed(self._node_html(moment))
        with controls.curve.hold_sync():
            controls.curve.lines = sweep_lines(moment.measures, self._colours.of(moment.branches), test)
            controls.curve.marker = float(now["sweep"]) if moment.place < len(moment.sweeps) - 1 else 0.0
            controls.curve.x_label, controls.curve.y_label = "sweeps", f"gain ({short(unit)}), change"
        with controls.scrub.hold_sync():
            controls.scrub.moments, controls.scrub.index = len(moment.sweeps), moment.place
            controls.scrub.spoken = f"sweep {now['sweep']:,}"
        self._draw_ways(moment)

    def _draw_ways(self, frame: Frame) -> None:
        runs, way = self.controls.runs, frame.measures[-1][0]
        if list(dict(runs.options)) != frame.branches:
            runs.options = [(name, name) for name in frame.branches]
        runs.value = way

    def _status(self, frame: Frame) -> str:
        problem = self._problem or frame.error
        rows = len(frame.rows.parent)
        if not problem and rows > MOST_DRAWN:
            problem = f"{rows:,} nodes are too many to draw; choose a seat or a hand, or draw hands as one"
        told = f"<span>{escape(frame.note)}</span>" if frame.note else ""
        if problem:
            told = f'<span class="wrong" role="alert">{escape(problem)}</span>'
        head = f"<b>{escape(self.game.name)}</b>"
        score = score_html(frame, self._way(frame)["test"])
        return f'<div class="sl-lab-status sl-grow-status" role="status">{head}{score}{told}</div>'

    def _draw_tree(self, frame: Frame) -> None:
        forest, rows, now = self.controls.forest, frame.rows, frame.now
        if len(rows.parent) > MOST_DRAWN:
            return
        forest.show(frame.view, rows.parent, rows.kind, rows.who, rows.label)
        forest.update(rows.kind, rows.reach, rows.ev, now["epoch"], now["sweep"])
        known = np.abs(rows.ev[np.isfinite(rows.ev)])
        most = float(f"{np.quantile(known, 0.98) if known.size else 0.0:.1g}") or 1.0
        if half_known(frame):
            most = forest.look["high"]
        players, unit = list(self.growing.seats), self.growing.unit
        colour = self.controls.colour.value
        forest.look = {"colour": colour, "players": players, "unit": unit, "low": -most, "high": most}
        if frame.view != self._view:  # another tree: the node looked at has another row, or none
            self._view = frame.view
            forest.selected = row_of(frame, self._spot)

    def _node_html(self, frame: Frame) -> str:
        way, unit, exact = self._way(frame), self.growing.unit, self.growing.exact
        squash = getattr(way["squash"], "name", way["squash"])
        leaf = way["leaf"] if isinstance(way["leaf"], str) else "given"
        phase = phase_html(frame.phase.name, frame.phase.sentence) if frame.phase else ""
        return phase + inspection_html(
            frame.inspection, unit, squash, way["scale"], exact, leaf, frame.hands_here
        )

    def _way(self, frame: Frame) -> Row:
        """The settings of the way that is shown."""
        return self._ways.get(frame.measures[-1][0]) or self._ways["run 1"]

    # ---- answering ---------------------------------------------------------------------------------------

    def _connect(self) -> None:
        controls, runner = self.controls, self.runner
        orders = {
            controls.play: lambda: runner.pause() if runner.playing else runner.play(),
            controls.rebalance: runner.rebalance,
            controls.expand: runner.expand,
            controls.sub_step: runner.sub_step,
            controls.grow: self._grow_node,
            controls.reset: self._start_over,
            controls.branch: lambda: self._branch(self._typed()),
        }
        for one, act in orders.items():
            one.on_click(lambda _, act=act: self._answer(act))
        for one in (controls.seat, controls.hand, controls.apart):
            one.observe(lambda _: self._answer(self._repick), "value")
        controls.colour.observe(lambda _: self._answer(lambda: None), "value")
        controls.runs.observe(lambda change: self._answer(lambda: runner.switch(change["new"])), "value")
        controls.scrub.observe(
            lambda change: self._answer(lambda: runner.go_to(int(change["new"]["index"]))), "asked"
        )
        controls.forest.observe(lambda change: self._answer(lambda: self._select(change["new"])), "selected")
        controls.forest.on_msg(lambda _, content, buffers: self._count_views(content))

    def _repick(self) -> None:
        hands = read_hands(self.controls.hand.value, self.growing.hands)
        self.runner.look(pick=Pick(self.controls.seat.value, hands, self.controls.apart.value))

    def _select(self, row: int) -> None:
        rows = self.frame.rows
        if 0 <= row < len(rows.parent) and rows.node[row] >= 0:
            self._look_at(Spot(int(rows.seat[row]), int(rows.node[row]), int(rows.hand[row])))

    def _look_at(self, spot: Spot) -> None:
        self._spot = spot
        self.runner.look(spot=spot)

    def _grow_node(self) -> None:
        if self._spot is None:
            raise BadValue("no node is selected; click a leaf of the tree first")
        self.runner.expand_spots([self._spot])

    def _typed(self) -> Config:
        return read_changes(self.controls.changes.value, self._way(self.frame)["frontier"])

    def _branch(self, changes: Config) -> None:
        now, known = self._way(self.frame), list(self._solver().settings())
        unknown = next((name for name in changes if name not in known), None)
        if unknown is not None:
            raise UnknownName("setting of a branch", unknown, known)
        self._made += 1
        words = ", ".join(f"{name}={_word(value)}" for name, value in changes.items())
        name = f"run {self._made}" + (f": {words}" if words else "")
        self._ways[name] = now | {key: changes[key] for key in SETTINGS if key in changes}
        self.runner.branch(name, **changes)

    def _start_over(self) -> None:
        self._made, self._spot = 1, None
        self.runner.reset(self._make)


def _framed(inside: str) -> str:
    return f'<div class="sl-lab-table sl-grow-node">{inside}</div>'


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
