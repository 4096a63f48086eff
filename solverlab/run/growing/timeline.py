"""The way a growing run took, to scrub back along and to branch from.

Every sweep and every growth is a moment. Moments keep whole states, so going back costs one restoration and
playing on from there repeats what happened bit for bit, or goes another way with another setting. When states
outgrow their share of memory, every other one of the older half is dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row, Setting
from solverlab.run.growing.rows import Grew
from solverlab.run.growing.watched import GrowingRun
from solverlab.solvers.phases import Phase

MOST_BYTES = 48_000_000
MOST_MOMENTS, MOST_ROWS, LOGGED = 1200, 4000, 5000


class Moment(NamedTuple):
    """A state to go back to."""

    sweep: int
    epoch: int
    nodes: int
    state: dict[str, np.ndarray]

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for array in self.state.values())


class Timeline:
    """A growing run and its past.

    >>> import solverlab as sl
    >>> from solverlab.run.growing.watched import watched
    >>> line = Timeline(watched(sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1), sweeps=2)))
    >>> for _ in range(5): line.advance()
    >>> line.go_to(1)
    >>> line.growing.iteration, line.growing.epoch
    (1, 0)
    """

    def __init__(self, growing: GrowingRun, name: str = "first", most_bytes: int = MOST_BYTES):
        self.growing, self.name, self.most_bytes = growing, name, most_bytes
        self.generation = 0  # grows whenever the tree was exchanged for another one
        self.moments: list[Moment] = []
        self.rows: list[Row] = []
        self.log: deque[Grew] = deque(maxlen=LOGGED)
        self._pending: Iterator[Phase] | None = None
        self.phase: Phase | None = None  # the sub-step last taken, while a sweep is under way
        self.left_at: int | None = None  # the sweep from which a step last went on and lost what came after
        self._keep()

    # ---- forwards ------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """One sweep; where an epoch has ended, growth first."""
        if self.settled():
            self.expand()
        self.rebalance()

    def settled(self) -> bool:
        """Whether an epoch has ended, so that trees grow next."""
        return bool(self.growing.grows and self.growing.iteration and self.growing.settled())

    def rebalance(self) -> None:
        """One sweep, or the rest of one that is under way."""
        if self._pending is not None:
            for _ in self._pending:
                pass
            self._pending = None
        else:
            self.growing.rebalance()
        self.phase = None
        self._record()

    def sub_step(self) -> Phase:
        """The next sub-step of a sweep: leaves, back-up, update."""
        if self._pending is None:
            self._pending = self.growing.phases()
        self.phase = next(self._pending)
        done = self.phase
        if done.name == "update":
            for _ in self._pending:
                pass
            self._pending = None
            self._record()
        return done

    def expand(self, rows: list[tuple[int, int, int]] | None = None) -> list[Grew]:
        """Grow by the rule, or these (seat, public node, hand); a sweep under way is finished first."""
        if self._pending is not None:
            self.rebalance()
        self.phase = None
        grown = self.growing.expand(rows)
        if grown:
            self._forget_the_future()
            self.log.extend(grown)
            self._keep()
        return grown

    # ---- backwards and sideways ----------------------------------------------------------------------------

    def go_to(self, place: int) -> None:
        """Go to the moment at a place of `moments`; what came after it is kept until the next step."""
        moment = self._moment(place)
        self._pending = self.phase = None
        self.growing = self.growing.restored(moment.state)
        self.generation += 1
        self.place = place % len(self.moments)

    def branch(self, name: str, most_bytes: int | None = None, **changes: Setting) -> Timeline:
        """Another timeline from the moment now shown, with other settings; this one stays as it is."""
        place = self.place
        twin = Timeline.__new__(Timeline)
        twin.__dict__.update(self.__dict__)
        twin.name, twin.most_bytes = name, most_bytes or self.most_bytes
        twin.growing = self.growing.restored(self.growing.state(), **changes)
        twin.moments = self.moments[: place + 1]
        twin.rows = [row for row in self.rows if row["sweep"] <= twin.growing.iteration]
        twin.log = deque((line for line in self.log if line.epoch <= twin.growing.epoch), maxlen=LOGGED)
        twin._pending = twin.phase = twin.left_at = None
        twin.generation += 1
        return twin

    def _moment(self, place: int) -> Moment:
        kept = isinstance(place, int | np.integer) and -len(self.moments) <= place < len(self.moments)
        if not kept:
            raise BadValue(f"there is no moment {place!r}; {len(self.moments)} are kept, from 0 on")
        return self.moments[place]

    # ---- looking -------------------------------------------------------------------------------------------

    def path(self, watch: int) -> Sequence[float]:
        """One probability at every kept moment up to the one shown."""
        kept = self.moments[: self.place + 1]
        return [self.growing.probability(moment.state, watch) for moment in kept]

    # ---- keeping -------------------------------------------------------------------------------------------

    def _record(self) -> None:
        self._forget_the_future()
        self.rows.append(self.growing.measure())
        if len(self.rows) > MOST_ROWS:
            half = len(self.rows) // 4 * 2
            self.rows = thinned(self.rows[:half]) + self.rows[half:]
        self._keep()

    def _forget_the_future(self) -> None:
        """A step from an earlier moment goes a way of its own: what came after it is gone."""
        here = self.moments[self.place]
        if here is self.moments[-1]:
            return
        self.left_at = here.sweep
        del self.moments[self.place + 1 :]
        self.rows = [row for row in self.rows if row["sweep"] <= here.sweep]
        self.log = deque((line for line in self.log if line.epoch <= here.epoch), maxlen=LOGGED)

    def _keep(self) -> None:
        one = self.growing
        self.moments.append(Moment(one.iteration, one.epoch, one.size, one.state()))
        while len(self.moments) > 3 and self._too_many():
            half = len(self.moments) // 2
            self.moments = self.moments[: half + half % 2 : 2] + self.moments[half + half % 2 :]
        self.place = len(self.moments) - 1

    def _too_many(self) -> bool:
        return len(self.moments) > MOST_MOMENTS or sum(m.bytes for m in self.moments) > self.most_bytes


def thinned(rows: list[Row]) -> list[Row]:
    """One row of every two: the earlier, or the one with an alarm, which must not be lost.

    >>> thinned([{"sweep": 1}, {"sweep": 2, "alarm": True}, {"sweep": 3}, {"sweep": 4}])
    [{'sweep': 2, 'alarm': True}, {'sweep': 3}]
    """
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [late if late.get("alarm") and not early.get("alarm") else early for early, late in pairs]
