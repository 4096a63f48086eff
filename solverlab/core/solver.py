"""What a solver promises: to step, to show itself, to be saved, copied and driven like any other.

`sl.run` and `sl.solve`, the store and the pages know solvers by this contract alone; `check_solver` (in
`core/check_solver.py`) tests its laws on any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.rows import Config, Metrics, Setting
from solverlab.core.snapshot import Status


@runtime_checkable
class NamedGame(Protocol):
    """What every game can say, whoever solves it."""

    @property
    def name(self) -> str: ...
    @property
    def n_players(self) -> int: ...

    def config(self) -> Config:
        """What builds this game again, as JSON values."""


@runtime_checkable
class SolverSnapshot(Protocol):
    """What every solver shows: three clocks, what was measured, and where it stands; frozen."""

    @property
    def iteration(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def touched(self) -> int: ...
    @property
    def metrics(self) -> Metrics: ...
    @property
    def status(self) -> Status: ...

    def measured(self, metrics: Metrics, status: Status | None = None) -> Self:
        """The same snapshot with more numbers known about it."""


Accepts = type | UnionType  # what `isinstance` takes: a Protocol, or several of them
Shown = TypeVar("Shown", bound=SolverSnapshot, covariant=True)


@runtime_checkable
class Solver(Protocol[Shown]):
    """Anything that improves strategies step by step.

    `step(a)` then `step(b)` equals `step(a + b)` bit for bit; `state`, `snapshot`, `copy` and `config` change
    nothing and are asked between iterations only.
    """

    accepts: ClassVar[Accepts]  # the Protocol of the games it takes, such as RangeGame
    iteration: int
    seconds: float  # of solving
    touched: int  # node visits; a node swept with H hands counts H times

    @property
    def game(self) -> NamedGame: ...

    @property
    def nbytes(self) -> int:
        """Bytes of everything `state` holds, known without a copy."""

    @classmethod
    def bytes_needed(cls, game: Any, **settings: Setting) -> int:
        """Bytes that a solver of this game takes at least, known before any is taken."""

    def step(self, n: int = 1) -> Shown:
        """Run `n` iterations and show the result."""

    def slices(self) -> Iterator[None]:
        """One iteration in parts, so that others get their turn; run to the end it equals `step(1)`."""

    def snapshot(self) -> Shown:
        """The state for the eye, copied and frozen."""

    def state(self, copy: bool = True) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit; without `copy` the live arrays, to be read at once."""

    @classmethod
    def from_state(cls, game: Any, state: Mapping[str, np.ndarray], **settings: Setting) -> Self:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""

    def copy(self) -> Self:
        """An independent solver in the same state."""

    def config(self) -> Config:
        """Its name under "solver", and its settings, as JSON values (infinite exponents aside)."""


@runtime_checkable
class MeasuringSolver(Protocol):
    """A solver that measures its own snapshots, because nobody else could: its game has no tree to sweep."""

    batch: ClassVar[int]  # iterations it does at once

    def advance(self, n: int = 1) -> None:
        """Run `n` iterations without a look at them."""

    def measure(self, snap: Any, deals: int = 4_000_000) -> Any:
        """The snapshot with its distance from equilibrium and its value, by this many sampled deals."""


@runtime_checkable
class SeededSolver(Protocol):
    """A solver that draws at random, from a seed; None where it was given a generator of somebody's own."""

    seed: int | None


def accepted(maker: type[Solver], game: object) -> bool:
    """Whether a kind of solver takes a game: by contract, not by name.

    >>> import solverlab as sl
    >>> accepted(sl.CFR, sl.Kuhn()), accepted(sl.CFR, "Kuhn")
    (True, False)
    """
    return not isinstance(game, type) and isinstance(game, maker.accepts)


def check_accepts(maker: type[Solver], game: object, fix: str) -> None:
    """Raise, in one sentence, unless a kind of solver takes a game."""
    if not accepted(maker, game):
        name = game.name if isinstance(game, NamedGame) else repr(game)
        raise BadValue(f"{maker.__name__} does not take {name}; {fix}")
