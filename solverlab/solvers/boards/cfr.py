"""Counterfactual regret minimisation over boards: every hand of both ranges, on every board, exactly.

The tables hold one number an action, hand and board; the same rows of `schedules` as anywhere decide what
is forgotten. With the default row the average starts anew at 1, 4, 16 ... iterations and own reach is not
carried.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from solverlab.core.boards.game import BoardGame
from solverlab.core.boards.line_values import LineValues
from solverlab.core.boards.policy import BoardPolicy
from solverlab.core.boards.room import check_room
from solverlab.core.boards.sweeps import UPDATE
from solverlab.core.boards.walk import Walk, columns_walked, table_lengths
from solverlab.core.errors import BadValue, NotMeasured
from solverlab.core.rows import Config, Metrics, Setting
from solverlab.core.snapshot import NOTHING, Status
from solverlab.core.solver import Accepts, check_accepts
from solverlab.solvers.saved_numbers import saved_numbers
from solverlab.solvers.schedules import Schedule, schedule_named

if TYPE_CHECKING:
    import pandas as pd

COPIED = 4_000_000  # bytes of a table up to which a snapshot holds a copy of it
CHUNK = 200  # iterations of a spot of one round that are done in one call


@dataclass(frozen=True, eq=False)
class BoardSnapshot:
    """A solver over boards for the eye: clocks, average and current policy, what was measured."""

    iteration: int
    seconds: float
    touched: int
    policy: BoardPolicy
    current: BoardPolicy
    metrics: Metrics = field(default_factory=lambda: NOTHING)
    status: Status = Status.RUNNING

    @property
    def exploitability(self) -> float:
        """Mean best-response gain a player, in chips."""
        return self._measured("exploitability")

    @property
    def value(self) -> float:
        """What the first player wins beyond half of the pot, in chips."""
        return self._measured("value")

    def line(self, line: str = "") -> LineValues:
        """Both players' hands at a line such as `check/bet 120/call/Qc`, by the average policy."""
        return self.policy.line(line)

    def hands(self, line: str = "", player: int | None = None) -> pd.DataFrame:
        """A row a hand of a player (the one who acts, unless told): weight, share, equity, ev, and for the
        one who acts how often it does what, and the ev of that.

        >>> import solverlab as sl
        >>> spot = sl.Spot("2s3s4s5sAs", 100, 100, ("KK, QQ", "JJ"), bets="a", raises="")
        >>> snap = sl.SpotCFR(spot).step(10)
        >>> list(snap.hands("all-in").columns)
        ['hand', 'weight', 'share', 'equity', 'ev', 'fold', 'call', 'ev fold', 'ev call']
        >>> {name: round(number, 2) for name, number in snap.line("all-in").at("JcJd").items()}["equity"]
        0.5
        """
        return self.policy.line(line).frame(player)

    def cards(self, line: str) -> pd.DataFrame:
        """A row a card that can come after a line such as `check/check`: its chance, EV and equity of both,
        and how often the next to act does what."""
        return self.policy.cards(line)

    def measured(self, metrics: Metrics, status: Status | None = None) -> BoardSnapshot:
        """The same snapshot with more numbers known about it."""
        known = MappingProxyType({**self.metrics, **metrics})
        return replace(self, metrics=known, status=status or self.status)

    def _measured(self, name: str) -> float:
        if name not in self.metrics:
            raise NotMeasured(f"{name} was not measured; call sl.{name}(game, snap.policy)")
        return self.metrics[name]


class SpotCFR:
    """CFR on a postflop spot, stepped by hand or by `run`; `threads` share the boards, with equal
    results.

    >>> import solverlab as sl
    >>> spot = sl.Spot("Td9d6hQc3s", 200, 900, ("QQ+, A5s", "JJ-66"), bets="50%", raises="a")
    >>> snap = SpotCFR(spot).step(30)
    >>> sl.exploitability(spot, snap.policy) < 3
    True
    """

    accepts: ClassVar[Accepts] = BoardGame

    def __init__(self, game: BoardGame, schedule: str | Schedule = "DCFR-R", threads: int = 1):
        check_accepts(type(self), game, "give a postflop spot, such as sl.Spot('Td9d6h', 200, 900)")
        self.game, self.schedule = game, schedule_named(schedule)
        if self.schedule.predictive:
            raise BadValue(
                f"{self.schedule.name} predicts, which spots do not keep room for; take 'DCFR-R' or 'CFR+'"
            )
        if (
            isinstance(threads, bool)
            or not isinstance(threads, int)
            or not 1 <= threads <= (os.cpu_count() or 1)
        ):
            raise BadValue(f"cannot use {threads!r} threads; give 1 to {os.cpu_count()}")
        check_room(game, self.bytes_needed(game))
        lengths = table_lengths(game)
        self.regret = [np.zeros(length, np.float32) for length in lengths]
        self.total = [np.zeros(length, np.float32) for length in lengths]
        self.walk = Walk(game, self.regret, self.total, threads)
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        self._columns = columns_walked(game)
        self._halfway: Iterator[None] | None = None  # an iteration whose slices are not all done
        self._version = 0  # grows whenever tables change, in the middle of an iteration too

    # ---- stepping ------------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> BoardSnapshot:
        """Run `n` iterations (each updates both players once) and show the result.

        An iteration that `slices` left halfway is finished first.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        self._finish()
        if len(self.game.rounds) == 1:
            for done in range(0, int(n), CHUNK):
                self._at_once(min(CHUNK, int(n) - done))
        else:
            for _ in range(n):
                for _ in self.slices():
                    pass
        return self.snapshot()

    def slices(self) -> Iterator[None]:
        """One iteration in parts, so that others get their turn; run to the end it equals `step(1)`.

        Whoever leaves halfway goes on from there with the next call.
        """
        if self._halfway is None:
            self._halfway = self._parts()
        yield from _undisturbed(self._halfway)
        self._halfway = None

    def _finish(self) -> None:
        if self._halfway is not None:
            for _ in self.slices():
                pass

    def _parts(self) -> Iterator[None]:
        began, rates = perf_counter(), self._rates(self.iteration)
        for me in range(2):
            for _ in self.walk.parts(me, UPDATE, rates):
                self._version += 1
                self.seconds += perf_counter() - began
                yield
                began = perf_counter()
        self._tick(1, began)

    def _at_once(self, n: int) -> None:
        began = perf_counter()
        self.walk.iterate(np.stack([self._rates(self.iteration + i) for i in range(n)]))
        self._tick(n, began)

    def _tick(self, n: int, began: float) -> None:
        self.iteration += n
        self._version += 1
        self.touched += n * self._columns
        self.seconds += perf_counter() - began

    def _rates(self, t: int) -> np.ndarray:
        """Kept fractions of positive and negative regret and of the average, and whether own reach
        weighs."""
        rates = self.schedule.rates(t)
        return np.array([rates.positive, rates.negative, rates.average, rates.weighted], np.float32)

    # ---- looking and saving --------------------------------------------------------------------------------

    def snapshot(self) -> BoardSnapshot:
        """Clocks and policies; large tables are not copied, so their policies end with the next step."""
        status = Status.RUNNING if self.iteration else Status.STARTED
        average, current = (self._shown(tables) for tables in (self.total, self.regret))
        return BoardSnapshot(self.iteration, self.seconds, self.touched, average, current, status=status)

    def _shown(self, tables: list[np.ndarray]) -> BoardPolicy:
        if sum(table.nbytes for table in tables) <= COPIED:
            return BoardPolicy(self.game, [table.copy() for table in tables])
        shown_at = self._version
        return BoardPolicy(self.game, tables, lambda: self._version == shown_at)

    def config(self) -> Config:
        return {"solver": "SpotCFR", "schedule": self.schedule.row()}

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live tables, to be read at once.

        An iteration that `slices` left halfway is finished first.
        """
        self._finish()
        tables = {f"regret_{number}": table for number, table in enumerate(self.regret)}
        tables |= {f"total_{number}": table for number, table in enumerate(self.total)}
        clocks = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        return {**({name: table.copy() for name, table in tables.items()} if copy else tables), **clocks}

    @classmethod
    def from_state(cls, game: BoardGame, state: Mapping[str, np.ndarray], **settings: Setting) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        for name, table in solver.state(copy=False).items():
            if name not in ("clock", "seconds"):
                _restore(name, table, state)
        clock = saved_numbers(state, "clock", (2,), int, least=0)
        solver.iteration, solver.touched = (int(number) for number in clock)
        solver.seconds = float(saved_numbers(state, "seconds", (), least=0))
        return solver

    def copy(self) -> Self:
        """An independent solver in the same state."""
        settings = {"schedule": self.schedule, "threads": self.walk.threads}
        return type(self).from_state(self.game, self.state(), **settings)

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds."""
        return sum(array.nbytes for array in self.state(copy=False).values())

    @classmethod
    def bytes_needed(cls, game: BoardGame, **settings: Setting) -> int:
        """Bytes of the tables, known before any is taken."""
        return 8 * sum(table_lengths(game)) + 24


def _restore(name: str, table: np.ndarray, state: Mapping[str, np.ndarray]) -> None:
    """Fill a table from a saved one, which may be a stranger's; nothing as large is taken besides."""
    if name not in state:
        raise BadValue(f"the saved state holds no {name}; save the run again")
    saved = state[name]
    if saved.shape != table.shape or saved.dtype != table.dtype:
        raise BadValue(
            f"the saved {name} has {saved.size:,} numbers ({saved.dtype}), this spot needs {table.size:,} "
            f"({table.dtype}); open it with the spot and the version that saved it"
        )
    if not np.isfinite(saved.sum(dtype=np.float64)):  # one nan or inf is enough
        raise BadValue(f"the saved {name} holds numbers that no run can have; save the run again")
    table[...] = saved


def _undisturbed(parts: Iterator[None]) -> Iterator[None]:
    """The same parts; who stops asking leaves the rest for the next one (`yield from` would close them)."""
    for _ in parts:
        yield
