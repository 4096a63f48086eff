"""Solvers whose iteration can be stopped after each named part, to look at its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, Self, runtime_checkable

import numpy as np

from solverlab.core.game import RangeGame
from solverlab.core.tying import Tying


class Phase(Protocol):
    """A named part of one player's update, with the arrays it read or wrote."""

    @property
    def name(self) -> str: ...
    @property
    def player(self) -> int: ...
    @property
    def arrays(self) -> Mapping[str, np.ndarray]: ...


@runtime_checkable
class PhasedSolver(Protocol):
    """A solver that shows its iteration part by part, over the rows of one tie."""

    tie: Tying

    @property
    def game(self) -> RangeGame: ...

    def copy(self) -> Self:
        """An independent solver in the same state."""

    def phases(self) -> Iterator[Phase]:
        """One iteration in named parts; run to the end it equals a step."""
