"""What all solvers of the draw game share: clocks, steps, slices, states, copies, and the bytes they take.

A kind of solver says how an iteration is done (`_work`), what it shows (`snapshot`) and what it keeps besides
its tables (`_extras`); the rest is here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np

from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.errors import BadValue
from solverlab.core.rows import Config, Row, Setting
from solverlab.core.snapshot import Status
from solverlab.core.solver import Accepts
from solverlab.solvers.draw.snapshot import MeasuredSnapshot
from solverlab.solvers.draw.tables import DrawTables, restore_tables

Shown = TypeVar("Shown", bound=MeasuredSnapshot)
KEPT = ("regret", "total")  # of a table; the strategy played now follows from the regret


class DrawSolver(ABC, Generic[Shown]):
    """A solver of a deck too large for a tree: tables over hands and discards, by name of the decision."""

    accepts: ClassVar[Accepts] = DrawGame
    unit: ClassVar[str] = "iterations"
    batch: ClassVar[int] = 1  # iterations that are done without a look at the clock
    game: DrawGame
    tables: dict[str, DrawTables]
    touches: int  # entries of the tables that an iteration reads and writes

    def __init__(self, game: DrawGame):
        if isinstance(game, BettingDrawGame) and self.accepts is not BettingDrawGame:
            raise BadValue(
                f"{type(self).__name__} knows push and fold only, not all of {game.name}; take DrawBetting"
            )
        self.game = game
        self.iteration, self.seconds, self.touched = 0, 0.0, 0

    # ---- stepping ------------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> Shown:
        """Run `n` iterations and show the result."""
        self.advance(n)
        return self.snapshot()

    def advance(self, n: int = 1) -> None:
        """Run `n` iterations without a look at them."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} {self.unit}; give a whole number of at least 0")
        for done in range(0, n, self.batch):
            for _ in self._timed(min(self.batch, n - done)):
                pass

    def slices(self) -> Iterator[None]:
        """One iteration in parts, so that others get their turn; run to the end it equals `step(1)`."""
        return self._timed(1)

    def _timed(self, n: int) -> Iterator[None]:
        began = perf_counter()
        for _ in self._work(n):
            self.seconds += perf_counter() - began
            yield
            began = perf_counter()
        self.iteration += n
        self.touched += n * self.touches
        self.seconds += perf_counter() - began

    @abstractmethod
    def _work(self, n: int) -> Iterator[None]:
        """Do `n` iterations, at most `batch`, pausing where others may have their turn."""

    # ---- looking -------------------------------------------------------------------------------------------

    @abstractmethod
    def snapshot(self) -> Shown:
        """The state for the eye, copied and frozen."""

    def _clocks(self) -> Row:
        """The clocks and where the solver stands, as a snapshot takes them."""
        status = Status.RUNNING if self.iteration else Status.STARTED
        clocks = {"iteration": self.iteration, "seconds": self.seconds, "touched": self.touched}
        return {**clocks, "status": status}

    @abstractmethod
    def measure(
        self, snap: Shown, deals: int = 4_000_000, rng: int = 12345, order: int | None = None
    ) -> Shown:
        """The snapshot with its value and the bracket of its NashConv in the exact game."""

    @abstractmethod
    def config(self) -> Config:
        """Its name under "solver", and its settings, as JSON values."""

    # ---- saving --------------------------------------------------------------------------------------------

    @abstractmethod
    def _settings(self) -> Config:
        """What the constructor was given besides the game."""

    @abstractmethod
    def _extras(self) -> dict[str, np.ndarray]:
        """Arrays of the state besides the tables and the clocks; `_take_extras` reads them back."""

    @abstractmethod
    def _take_extras(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on from the extras of a saved state."""

    def _label(self, name: str) -> str:
        """What a decision is called in a saved state, where it is the name of a file."""
        return name

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live arrays, to be read at once."""
        rows = {
            f"{self._label(name)}_{kind}": getattr(table, kind)
            for name, table in self.tables.items()
            for kind in KEPT
        }
        clock = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        live = {**rows, **clock, **self._extras()}
        return {name: array.copy() for name, array in live.items()} if copy else live

    @classmethod
    def from_state(cls, game: DrawGame, state: Mapping[str, np.ndarray], **settings: Setting) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        restore_tables({solver._label(name): table for name, table in solver.tables.items()}, state)
        solver.iteration, solver.touched = (int(number) for number in state["clock"])
        solver.seconds = float(state["seconds"])
        solver._take_extras(state)
        return solver

    def copy(self) -> Self:
        """An independent solver in the same state."""
        return self.from_state(self.game, self.state(copy=False), **self._settings())

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds, known without a copy."""
        return sum(array.nbytes for array in self.state(copy=False).values())
