"""Timelines that a worker drives: orders go in, frames come out. The screen pulls, nobody pushes.

Everything that touches a solver runs on the worker: sweeps, growth, going back, branching, and the looks at
trees and nodes. So nothing on the screen is ever half an update.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.rows import Config, Row, Setting
from solverlab.run.growing.rows import DealRow, Inspection, Pick
from solverlab.run.growing.timeline import MOST_BYTES, Timeline
from solverlab.run.growing.watched import GrowingRun
from solverlab.ui.gate import SHARED_GATE, Gate
from solverlab.ui.grow.frame import Asked, Frame, Spot, half_way
from solverlab.ui.worker import Tell, Turn, Worker

MOST_BRANCHES = 6
REMEDY = "start over to go on"


class GrowWork:
    """Timelines, the one that is shown, and what is looked at; a turn is a sweep, or one growth."""

    def __init__(self, growing: GrowingRun, most_bytes: int):
        self._most_bytes, self._version = most_bytes, 0
        self.asked, self.note, self.resets = Asked(), "", 0
        self.halt: Callable[[str], None] = lambda error: None  # how to stop whoever drives this
        self._frame: Frame | None = None
        self._start(growing)

    def _start(self, growing: GrowingRun) -> None:
        self.line = Timeline(growing, "run 1", self._most_bytes)
        self.lines = {self.line.name: self.line}
        self.resets += 1

    def turn(self, allowed: float, tell: Tell) -> Turn:
        """Half of `Timeline.advance`: growth is a frame of its own, seen before its deals are dealt."""
        line = self.line
        if not (line.settled() and line.expand()):  # a tree that is whole grows no more, but sweeps go on
            line.rebalance()
        self.note = self._lost() or self.note
        return Turn(1)

    def obey(self, order: Callable[[GrowWork], object]) -> None:
        """An order of the visitor's; what it did besides is told."""
        order(self)
        self.note = self._lost() or self.note

    def owes(self) -> bool:
        return False

    def close(self) -> None:
        return None

    def look(self, running: bool, error: str) -> Frame:
        """The moment now; where it cannot be told the last one stays, with a sentence."""
        try:
            self._frame = self._seen(running, error)
            return self._frame
        except Exception as problem:  # what was looked at is not in this tree: look at nothing in particular
            told = str(problem) if isinstance(problem, SolverlabError) else ""
            self.asked = Asked(self.asked.pick)
        try:
            self._frame = self._seen(running, told or error)
        except Exception as problem:
            self.asked = Asked()
            self._frame = self._unseen(problem)
        return self._frame

    def _unseen(self, problem: Exception) -> Frame:
        """What was seen last: nobody can look at these trees, so nothing goes on growing unseen."""
        if self._frame is None:
            raise problem
        told = f"the trees cannot be shown: {type(problem).__name__}: {problem}; {REMEDY}"
        self.halt(told)
        return replace(self._frame, version=self._version, running=False, error=told)

    def _lost(self) -> str:
        """A step from an earlier moment threw the later ones away: that is told once."""
        line, sweep = self.line, self.line.left_at
        line.left_at = None
        if sweep is None:
            return ""
        run = line.name.partition(":")[0]
        return f"{run} goes on from sweep {sweep:,}; what came after it is gone (Branch keeps both)"

    def _seen(self, running: bool, error: str) -> Frame:
        line, asked = self.line, self.asked
        growing = line.growing
        self._version += 1
        seat = max(asked.pick.seat, asked.spot.seat if asked.spot else -1)
        node = asked.spot.node if asked.spot else -1
        none: tuple[list[str], np.ndarray] = ([], np.zeros((len(growing.hands), 0)))
        others = [(name, list(other.rows)) for name, other in self.lines.items() if other is not line]
        return Frame(
            version=self._version,
            view=f"{self.resets}.{line.name}.{line.generation}.{asked.pick}",
            rows=half_way(growing.rows(asked.pick), line.phase, growing.iteration > 0),
            measures=[*others, (line.name, list(line.rows))],
            sweeps=[moment.sweep for moment in line.moments],
            place=line.place,
            now=self._now(),
            log=list(line.log),
            phase=line.phase,
            inspection=self._inspection(growing),
            deals=None if running else self._deals(growing),
            sizes=growing.hand_sizes(seat),
            actions=growing.hand_table(seat, node) if node >= 0 and seat >= 0 else none,
            paths=(self._path(0), self._path(1)),
            branches=list(self.lines),
            running=running,
            seats=growing.seats,
            hands=growing.hands,
            unit=growing.unit,
            exact=growing.exact,
            error=error,
            note=self.note,
            hands_here=len(self._hands(asked.spot)) if asked.spot and asked.spot.hand < 0 else 1,
        )

    def _now(self) -> Row:
        """The newest measures; those of the last sweep, unless trees have grown since."""
        growing, rows = self.line.growing, self.line.rows
        key = (growing.iteration, growing.epoch, growing.size)
        fresh = bool(rows) and tuple(rows[-1][name] for name in ("sweep", "epoch", "nodes")) == key
        return rows[-1] if fresh else growing.measure()

    def _inspection(self, growing: GrowingRun) -> Inspection | None:
        spot = self._one_hand()
        return None if spot is None else growing.inspect(spot.seat, spot.node, spot.hand)

    def _deals(self, growing: GrowingRun) -> tuple[DealRow, ...] | None:
        """A look at every deal takes a walk through the tree: only at rest, and only where asked for."""
        spot = self._one_hand() if self.asked.deals else None
        return None if spot is None else growing.deals(spot.seat, spot.node, spot.hand)

    def _one_hand(self) -> Spot | None:
        """The node looked at in one hand's tree: the likeliest, where hands are drawn as one."""
        spot = self.asked.spot
        if spot is None or spot.hand >= 0:
            return spot
        hands = self._hands(spot)
        return replace(spot, hand=hands[0]) if hands else None

    def _path(self, which: int) -> list[float]:
        watch = self.asked.watches[which]
        return list(self.line.path(watch)) if watch >= 0 else []

    def grow(self, spots: list[Spot] | None) -> None:
        """By the rule, or these; drawn as one, a node grows in every hand's tree that ends there."""
        rows = None
        if spots is not None:
            rows = [(s.seat, s.node, h) for s in spots for h in (self._ready(s) if s.hand < 0 else [s.hand])]
        self.line.expand(rows)

    def _ready(self, spot: Spot) -> list[int]:
        """The hands that are looked at and whose trees end at a node where they could go on."""
        ready = set(self.line.growing.hands_ending_at(spot.seat, spot.node))
        found = [hand for hand in self._hands(spot) if hand in ready]
        if not found:
            raise BadValue("no hand's tree can grow at this node; select a leaf where the hand goes on")
        return found

    def _hands(self, spot: Spot) -> list[int]:
        """The hands that are looked at and whose trees have a node, likeliest first."""
        at, chosen = self.line.growing.hands_at(spot.seat, spot.node), self.asked.pick.hands
        return at if chosen is None else [hand for hand in at if hand in chosen]

    def switch(self, name: str) -> None:
        self.line = self.lines[name]

    def branch(self, name: str, changes: Config) -> None:
        self.line = self.line.branch(name, **changes)
        self.lines[name] = self.line
        while len(self.lines) > MOST_BRANCHES:
            oldest = next(other for other in self.lines if self.lines[other] is not self.line)
            del self.lines[oldest]

    def begin(self, growing: GrowingRun) -> None:
        self.asked.spot, self.asked.watches, self.asked.deals = None, (-1, -1), False
        if self.asked.pick.seat >= len(growing.seats) or self.asked.pick.hands is not None:
            self.asked.pick = Pick()
        self._start(growing)


Order = Callable[[GrowWork], object]


class GrowRunner(Worker[Frame]):
    """Owns timelines and one worker thread; every public method may be called from any thread.

    >>> import solverlab as sl
    >>> from solverlab.run.growing.watched import watched
    >>> runner = GrowRunner(lambda: watched(sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1))))
    >>> runner.rebalance(3)
    >>> runner.wait().now["sweep"]
    3
    >>> runner.close()
    """

    failed, remedy, show_seconds = "the forest stopped", REMEDY, 0.09

    def __init__(
        self, make: Callable[[], GrowingRun], gate: Gate = SHARED_GATE, most_bytes: int = MOST_BYTES
    ):
        self._growing, self._taken = GrowWork(make(), most_bytes), 0
        self._growing.halt = self.halt
        super().__init__(self._growing, gate)

    @property
    def line(self) -> Timeline:
        """The timeline that is shown; ask for it only while the worker rests."""
        return self._growing.line

    @property
    def asked(self) -> Asked:
        """What is looked at."""
        return self._growing.asked

    # ---- orders ------------------------------------------------------------------------------------------

    def rebalance(self, n: int = 1) -> None:
        """So many sweeps, then rest."""
        self._do(*[lambda me: me.line.rebalance()] * n)

    def expand(self) -> None:
        """Let the rule grow the trees by one level."""
        self._do(lambda me: me.grow(None))

    def expand_spots(self, spots: list[Spot]) -> None:
        """Grow these nodes."""
        self._do(lambda me: me.grow(spots))

    def sub_step(self) -> None:
        """The next sub-step of a sweep."""
        self._do(lambda me: me.line.sub_step())

    def play(self, paced: bool = False) -> None:
        """Rebalance and expand in turns until paused; `paced` waits for the screen to take each frame."""
        self._growing.note = ""
        self.speed(1 if paced else None)
        self.go_on()

    def take(self, version: int) -> None:
        """This frame is on its way to the screen: a paced worker may make the next."""
        if version > self._taken:
            self._taken = version
            self.grant()

    def pause(self) -> None:
        """Rest after the sweep in flight."""
        super().pause()
        self._do(lambda me: None, noted=True)

    def go_to(self, place: int) -> None:
        """Scrub to a kept moment; play stops."""
        self.stop_playing()
        self._do(lambda me: me.line.go_to(place))

    def move(self, moments: int) -> None:
        """So many kept moments back (below 0) or forth, from wherever the timeline then is."""
        self.stop_playing()
        self._do(lambda me: me.line.go_to(min(max(me.line.place + moments, 0), len(me.line.moments) - 1)))

    def branch(self, name: str, **changes: Setting) -> None:
        """Go another way from the moment shown, with other settings."""
        self.stop_playing()
        self._do(lambda me: me.branch(name, changes))

    def switch(self, name: str) -> None:
        """Show another branch."""
        self.stop_playing()
        self._do(lambda me: me.switch(name))

    def look(self, **asked: Setting) -> None:
        """Look at other trees, another node, other probabilities."""

        def change(me: GrowWork) -> None:
            for name, value in asked.items():
                setattr(me.asked, name, value)

        self._do(change, noted=True)

    def reset(self, make: Callable[[], GrowingRun]) -> None:
        """Start over with other trees; if they cannot be made their error is told and the old ones stay."""
        super().pause()
        self._do(lambda me: me.begin(make()))

    # ---- looking -----------------------------------------------------------------------------------------

    def latest(self) -> Frame:  # type: ignore[override]  # a frame says itself whether it runs
        """The newest frame."""
        return super().latest().snapshot

    def wait(self, timeout: float = 120.0) -> Frame:  # type: ignore[override]
        """Wait until the worker rests (for scripts and tests; a screen uses `latest`)."""
        super().wait(timeout)
        return self.latest()

    def _do(self, *orders: Order, noted: bool = False) -> None:
        """Orders for the worker; what the last step did besides stays told while one only looks (`noted`)."""
        work = self._growing
        if not noted:
            work.note = ""
        # without orders, too, a new frame is made: the last may tell an error
        self.order(*[lambda order=order: work.obey(order) for order in orders or [lambda me: None]])
