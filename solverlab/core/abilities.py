"""What some games can tell besides their tree: small contracts, asked for where they are needed.

A solver that needs more than `RangeGame` says so with `isinstance(game, ShowdownGame)` and the like, never by
looking for a name. Each contract here is one method, so a game takes on what it can answer and nothing else.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.node_values import NodeValues

if TYPE_CHECKING:
    from solverlab.core.policy import RowPolicy


Ability = TypeVar("Ability")


@runtime_checkable
class DealtMassGame(Protocol):
    """It can write down how likely every joint deal is, so it can be unrolled, sampled and refereed."""

    def deal_mass(self, node: int) -> np.ndarray:
        """Probability of each joint deal and of chance's public cards up to the node, float64[H] * P."""


@runtime_checkable
class NodeMassGame(Protocol):
    """Its deals are too many to write down, but it sums them: how likely play comes to every node."""

    def node_mass(self, me: int, reach: np.ndarray) -> np.ndarray:
        """The others' probability of every node [N, H], given everybody's own reach[P, N, H]."""


@runtime_checkable
class PairMassGame(Protocol):
    """It knows which hands two of its players can hold at the same time."""

    def pair_mass(self, one: int, other: int) -> np.ndarray:
        """How likely two players hold each pair of hands, float64[H, H]; the first player's hand is a row."""


@runtime_checkable
class ShowdownGame(Protocol):
    """It can stop anywhere: every node is worth the showdown of the chips that are in."""

    def showdown_table(self, returned: bool = False) -> NodeValues:
        """What every node pays as a leaf; `returned`: chips that nobody called go back first."""


@runtime_checkable
class ChipGame(Protocol):
    """It counts chips: what everybody has put in before a node."""

    def paid_at(self, node: int) -> tuple[float, ...]:
        """Chips put in so far by each player."""


class Measured(NamedTuple):
    """What a policy is worth, a number for every player: as it is played, and if one alone did the best."""

    values: tuple[float, ...]
    best: tuple[float, ...]


@runtime_checkable
class MeasuredGame(Protocol):
    """It measures policies itself, because no array could hold all of one.

    `sl.exploitability`, `sl.deviation_gains` and `sl.value` ask here before they build anything.
    """

    def measure(self, policy: RowPolicy) -> Measured:
        """Values and best responses of everybody against a policy of this game."""


@cache
def measures_itself(kind: type) -> bool:
    """Whether games of a class measure policies themselves; asked once a class, for it is asked often."""
    return issubclass(kind, MeasuredGame)


def able(game: object, ability: type[Ability], sentence: str) -> Ability:
    """The game, known to have an ability; or one sentence of what to do instead.

    >>> able(3, ChipGame, "the number 3 does not count chips; use a game that does")
    Traceback (most recent call last):
    ...
    solverlab.core.errors.BadValue: the number 3 does not count chips; use a game that does
    """
    if not isinstance(game, ability):
        raise BadValue(sentence)
    return game
