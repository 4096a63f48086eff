"""What a game over boards offers: betting forests, boards, and the ranges it starts with."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from solverlab.core.boards.shape import Boards, Round
from solverlab.core.rows import Config


class Place(NamedTuple):
    """A node on a board: which round, which stored board, which node, and the renaming of suits from the
    cards as they were named to those that are stored."""

    round: int
    board: int
    node: int
    renaming: int


@runtime_checkable
class BoardGame(Protocol):
    """Two players, one to three rounds of betting with a card between them, hands that are two cards.

    ranges float32[2, W] are the weights of the columns of the first board; pot is what lies in the middle
    at first, mass is the weight of all pairs of hands that can be dealt together.
    """

    name: str
    n_players: int
    mass: float
    pot: float

    @property
    def rounds(self) -> tuple[Round, ...]: ...
    @property
    def boards(self) -> tuple[Boards, ...]: ...
    @property
    def ranges(self) -> np.ndarray: ...

    def config(self) -> Config:
        """What builds this game again, as JSON values."""

    def place(self, path: str) -> Place:
        """The node that a line such as `check/bet 120/call/Qc` leads to."""

    def actions(self, place: Place) -> list[str]:
        """What can be done there, in the order of rows; nothing where nobody acts."""

    def columns(self, place: Place, player: int) -> list[str]:
        """The hands of a player's columns there, as they were named."""

    def cards_left(self, place: Place) -> list[str]:
        """The cards that can be dealt on the board there, as they were named."""

    def paid(self, place: Place) -> tuple[float, ...]:
        """Chips that each player has put in by then, half of the first pot included."""


@runtime_checkable
class ThriftyGame(Protocol):
    """It knows what to leave out where it does not fit."""

    def cheaper(self, most_bytes: float) -> list[tuple[str, int]]:
        """Settings that make its solver smaller, and the bytes that each takes; those that fit first."""
