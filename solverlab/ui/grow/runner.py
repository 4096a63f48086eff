"""A timeline with a thread of its own: orders go in, frames come out. The screen pulls, nobody pushes.

Everything that touches a solver runs on the worker: sweeps, growth, going back, branching, and the looks at
trees and nodes. So nothing on the screen is ever half an update.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Thread
from time import perf_counter
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.run.orchard import Inspection, Orchard, Pick
from solverlab.run.timeline import MOST_BYTES, Timeline
from solverlab.ui.gate import SHARED_GATE, Gate
from solverlab.ui.grow.frame import Asked, Frame, Spot, half_way

SHOW_SECONDS = 0.09  # at full speed a frame at most so often
MOST_BRANCHES = 6


Order = Callable[["GrowRunner"], None]


class GrowRunner:
    """Owns timelines and one worker thread; every public method may be called from any thread.

    >>> import solverlab as sl
    >>> from solverlab.run.orchard_exact import ExactOrchard
    >>> runner = GrowRunner(lambda: ExactOrchard(sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1))))
    >>> runner.rebalance(3)
    >>> runner.wait().now["sweep"]
    3
    >>> runner.close()
    """

    def __init__(self, make: Callable[[], Orchard], gate: Gate = SHARED_GATE, most_bytes: int = MOST_BYTES):
        self._gate, self._most_bytes = gate, most_bytes
        self._changed = Condition()
        self._orders: deque[Order] = deque()
        self._playing = self._busy = self._closed = False
        self._paced = False
        self._version = self._taken = 0
        self._error = self._note = ""
        self.asked = Asked()
        self.resets = 0
        self._start(make())
        self._frame = self._look(running=False)
        self._shown_at = 0.0
        self._thread = Thread(target=self._work, name="grower", daemon=True)
        self._thread.start()

    def _start(self, orchard: Orchard) -> None:
        self.line = Timeline(orchard, "run 1", self._most_bytes)
        self.lines = {self.line.name: self.line}
        self.resets += 1

    # ---- orders ------------------------------------------------------------------------------------------

    def rebalance(self, n: int = 1) -> None:
        """So many sweeps, then rest."""
        self._do(*[lambda me: me.line.rebalance()] * n)

    def expand(self) -> None:
        """Let the rule grow the trees by one level."""
        self._do(lambda me: me._grow(None))

    def expand_spots(self, spots: list[Spot]) -> None:
        """Grow these nodes."""
        self._do(lambda me: me._grow(spots))

    def sub_step(self) -> None:
        """The next sub-step of a sweep."""
        self._do(lambda me: me.line.sub_step())

    def play(self, paced: bool = False) -> None:
        """Rebalance and expand in turns until paused; `paced` waits for the screen to take each frame."""
        with self._changed:
            self._playing, self._paced, self._error, self._note = True, paced, "", ""
            self._changed.notify_all()

    def take(self, version: int) -> None:
        """This frame is on its way to the screen: a paced worker may make the next."""
        with self._changed:
            if version > self._taken:
                self._taken = version
                self._changed.notify_all()

    def pause(self) -> None:
        """Rest after the sweep in flight."""
        with self._changed:
            self._playing = False
            self._orders.clear()
        self._do(lambda me: None, noted=True)

    def go_to(self, place: int) -> None:
        """Scrub to a kept moment; play stops."""
        with self._changed:
            self._playing = False
        self._do(lambda me: me.line.go_to(place))

    def move(self, moments: int) -> None:
        """So many kept moments back (below 0) or forth, from wherever the timeline then is."""
        with self._changed:
            self._playing = False
        self._do(lambda me: me.line.go_to(min(max(me.line.place + moments, 0), len(me.line.moments) - 1)))

    def branch(self, name: str, **changes: Any) -> None:
        """Go another way from the moment shown, with other settings."""
        with self._changed:
            self._playing = False
        self._do(lambda me: me._branch(name, changes))

    def switch(self, name: str) -> None:
        """Show another branch."""
        with self._changed:
            self._playing = False
        self._do(lambda me: setattr(me, "line", me.lines[name]))

    def look(self, **asked: Any) -> None:
        """Look at other trees, another node, other probabilities."""

        def change(me: GrowRunner) -> None:
            for name, value in asked.items():
                setattr(me.asked, name, value)

        self._do(change, noted=True)

    def reset(self, make: Callable[[], Orchard]) -> None:
        """Start over with another orchard; if it cannot be made its error is told and the old one stays."""
        with self._changed:
            self._playing = False
            self._orders.clear()
        self._do(lambda me: me._replace(make()))

    def close(self) -> None:
        """Stop for good; the worker ends after the sweep in flight."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # ---- looking -----------------------------------------------------------------------------------------

    def latest(self) -> Frame:
        with self._changed:
            return self._frame

    @property
    def playing(self) -> bool:
        with self._changed:
            return self._playing

    @property
    def silent(self) -> float:
        """For how many seconds the worker has been at it without a new frame."""
        with self._changed:
            at_work = self._playing or self._busy or bool(self._orders)
            return perf_counter() - self._shown_at if at_work and self._shown_at else 0.0

    @property
    def busy(self) -> bool:
        with self._changed:
            return self._playing or self._busy or bool(self._orders)

    def wait(self, timeout: float = 120.0) -> Frame:
        """Wait until the worker rests (for scripts and tests; a screen uses `latest`)."""
        with self._changed:
            rests = lambda: self._closed or not (self._orders or self._busy or self._playing)  # noqa: E731
            self._changed.wait_for(rests, timeout)
            return self._frame

    # ---- the worker --------------------------------------------------------------------------------------

    def _do(self, *orders: Order, noted: bool = False) -> None:
        """Orders for the worker; what the last step did besides stays told while one only looks (`noted`)."""
        with self._changed:
            self._error, self._note = "", self._note if noted else ""
            # without orders, too, a new frame is made: the last may tell an error
            self._orders.extend(orders or [lambda me: None])
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._orders or self._may_play())
                if self._closed:
                    return
                order = self._orders.popleft() if self._orders else _play_on
                self._busy = True
            self._tell(self._obeyed(order))

    def _may_play(self) -> bool:
        """Paced by a screen, the worker makes a frame once the last one was taken: none is left out."""
        return self._playing and (not self._paced or self._taken >= self._frame.version)

    def _tell(self, error: str) -> None:
        """Publish a frame when the worker rests, and now and then while it works."""
        with self._changed:
            self._error = error or self._error
            if error:
                self._playing = False
                self._orders.clear()
            resting = not (self._playing or self._orders)
        due = resting or self._paced or perf_counter() - self._shown_at > SHOW_SECONDS
        frame = self._looked(not resting) if due else None
        with self._changed:
            if frame is not None:
                self._frame, self._shown_at = frame, perf_counter()
            self._busy = False
            self._changed.notify_all()

    def _obeyed(self, order: Order) -> str:
        try:
            with self._gate.turn():
                order(self)
            self._note = self._lost() or self._note
        except SolverlabError as problem:
            return str(problem)
        except Exception as problem:  # whatever it is, the thread goes on and the page can say so
            return _unexpected("the forest stopped", problem)
        return ""

    def _lost(self) -> str:
        """A step from an earlier moment threw the later ones away: that is told once."""
        line, sweep = self.line, self.line.left_at
        line.left_at = None
        if sweep is None:
            return ""
        run = line.name.partition(":")[0]
        return f"{run} goes on from sweep {sweep:,}; what came after it is gone (Branch keeps both)"

    def _looked(self, running: bool) -> Frame:
        """The moment now; where it cannot be told the last one stays, with a sentence."""
        try:
            return self._look(running)
        except Exception as problem:  # what was looked at is not in this tree: look at nothing in particular
            told = str(problem) if isinstance(problem, SolverlabError) else ""
            self.asked, self._error = Asked(self.asked.pick), told or self._error
        try:
            return self._look(running)
        except Exception as problem:
            self.asked = Asked()
            return self._unseen(problem)

    def _unseen(self, problem: Exception) -> Frame:
        """What was seen last: nobody can look at these trees, so nothing goes on growing unseen."""
        with self._changed:
            self._playing = False
            self._orders.clear()
            self._error = _unexpected("the trees cannot be shown", problem)
        return replace(self._frame, version=self._version, running=False, error=self._error)

    def _look(self, running: bool) -> Frame:
        line, asked = self.line, self.asked
        orchard = line.orchard
        self._version += 1
        seat = max(asked.pick.seat, asked.spot.seat if asked.spot else -1)
        node = asked.spot.node if asked.spot else -1
        none: tuple[list[str], np.ndarray] = ([], np.zeros((len(orchard.hands), 0)))
        others = [(name, list(other.rows)) for name, other in self.lines.items() if other is not line]
        return Frame(
            version=self._version,
            view=f"{self.resets}.{line.name}.{line.generation}.{asked.pick}",
            rows=half_way(orchard.rows(asked.pick), line.phase, orchard.iteration > 0),
            measures=[*others, (line.name, list(line.rows))],
            sweeps=[moment.sweep for moment in line.moments],
            place=line.place,
            now=self._now(),
            log=list(line.log),
            phase=line.phase,
            inspection=self._inspection(orchard),
            sizes=orchard.hand_sizes(seat),
            actions=orchard.hand_table(seat, node) if node >= 0 and seat >= 0 else none,
            paths=(self._path(0), self._path(1)),
            branches=list(self.lines),
            running=running,
            seats=orchard.seats,
            hands=orchard.hands,
            unit=orchard.unit,
            exact=orchard.exact,
            error=self._error,
            note=self._note,
            hands_here=len(self._hands(asked.spot)) if asked.spot and asked.spot.hand < 0 else 1,
        )

    def _now(self) -> dict[str, Any]:
        """The newest measures; those of the last sweep, unless trees have grown since."""
        orchard, rows = self.line.orchard, self.line.rows
        key = (orchard.iteration, orchard.epoch, orchard.size)
        fresh = bool(rows) and tuple(rows[-1][name] for name in ("sweep", "epoch", "nodes")) == key
        return rows[-1] if fresh else orchard.measure()

    def _inspection(self, orchard: Orchard) -> Inspection | None:
        spot = self.asked.spot
        if spot is None:
            return None
        hands = self._hands(spot) if spot.hand < 0 else [spot.hand]
        return orchard.inspect(spot.seat, spot.node, hands[0]) if hands else None

    def _path(self, which: int) -> list[float]:
        watch = self.asked.watches[which]
        return list(self.line.path(watch)) if watch >= 0 else []

    # ---- orders on the worker ----------------------------------------------------------------------------

    def _grow(self, spots: list[Spot] | None) -> None:
        """By the rule, or these; drawn as one, a node grows in every hand's tree that ends there."""
        rows = None
        if spots is not None:
            rows = [(s.seat, s.node, h) for s in spots for h in (self._ready(s) if s.hand < 0 else [s.hand])]
        self.line.expand(rows)

    def _ready(self, spot: Spot) -> list[int]:
        """The hands that are looked at and whose trees end at a node where they could go on."""
        ready = set(self.line.orchard.hands_ending_at(spot.seat, spot.node))
        found = [hand for hand in self._hands(spot) if hand in ready]
        if not found:
            raise BadValue("no hand's tree can grow at this node; select a leaf where the hand goes on")
        return found

    def _hands(self, spot: Spot) -> list[int]:
        """The hands that are looked at and whose trees have a node, likeliest first."""
        at, chosen = self.line.orchard.hands_at(spot.seat, spot.node), self.asked.pick.hands
        return at if chosen is None else [hand for hand in at if hand in chosen]

    def _branch(self, name: str, changes: dict[str, Any]) -> None:
        self.line = self.line.branch(name, **changes)
        self.lines[name] = self.line
        while len(self.lines) > MOST_BRANCHES:
            oldest = next(other for other in self.lines if self.lines[other] is not self.line)
            del self.lines[oldest]

    def _replace(self, orchard: Orchard) -> None:
        self.asked.spot, self.asked.watches = None, (-1, -1)
        if self.asked.pick.seat >= len(orchard.seats) or self.asked.pick.hands is not None:
            self.asked.pick = Pick()
        self._start(orchard)


def _play_on(runner: GrowRunner) -> None:
    """Half of `Timeline.advance`: growth is a frame of its own, seen before its deals are dealt."""
    line = runner.line
    if not (line.settled() and line.expand()):  # a tree that is whole grows no more, but sweeps go on
        line.rebalance()


def _unexpected(what: str, problem: Exception) -> str:
    return f"{what}: {type(problem).__name__}: {problem}; start over to go on"
