"""One face for every tree that is rebalanced and grown: what to draw, what to say of a node, how far it is.

`Forest` grows hold'em on sampled deals, `Rebalance` works exactly on small games. A page or a notebook that
shows one shows both: it asks an orchard for rows to draw, for the inspection of a node and for measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from solverlab.core.errors import UnknownName
from solverlab.solvers.phases import Phase

LEAF, ACTION, PASSIVE, DEAL, END = range(5)
KINDS = ("leaf", "own decision", "an opponent acts", "cards come", "the hand is over")


class Rows(NamedTuple):
    """A tree to draw, M rows; rows keep their places as the tree grows.

    parent int32[M] (-1: a root); kind uint8[M] (see KINDS); who int8[M], the seat that acts, or -1; label,
    how one comes there; seat int8[M], whose tree; node int32[M], the public node; hand int32[M], or -1 where
    hands are drawn as one; reach and ev float64[M].
    """

    parent: np.ndarray
    kind: np.ndarray
    who: np.ndarray
    label: list[str]
    seat: np.ndarray
    node: np.ndarray
    hand: np.ndarray
    reach: np.ndarray
    ev: np.ndarray


@dataclass(frozen=True)
class ActionRow:
    """One action under the microscope: the last update, number by number."""

    action: str
    before: float  # probability before the update
    ev: float  # in the game's unit, given that play comes there
    error: float  # standard error of the EV; 0 where EVs are exact
    squeezed: float  # what the squash is applied to
    squashed: float  # what comes out, from -1 to 1
    after: float  # probability after the update, once all sum to 1 again
    watch: int  # where this probability is kept: a name for phase portraits


@dataclass(frozen=True)
class Inspection:
    """Everything about one node of one (seat, hand) tree."""

    seat: str
    hand: str
    path: str
    kind: str
    reach: float
    others: float  # the same without own choices
    ev: float
    error: float
    deals: int  # sampled deals that come there; 0 where EVs are exact or older than the last growth
    actions: tuple[ActionRow, ...]
    grown: str  # why it was expanded, or what it waits for


class Pick(NamedTuple):
    """Which trees are looked at: a seat (-1: all of them) and hands (None: all of them).

    Drawn `apart`, a seat's root branches into the hands whose trees have grown; otherwise hands are drawn as
    one, weighted by how likely they are.
    """

    seat: int = -1
    hands: tuple[int, ...] | None = None
    apart: bool = True


class Grew(NamedTuple):
    """One line of the log of growth."""

    epoch: int
    seat: str
    hand: str
    path: str
    reason: str


class Orchard(Protocol):
    """What a timeline and a page need from a solver that rebalances and grows."""

    seats: tuple[str, ...]
    hands: tuple[str, ...]
    unit: str
    exact: bool  # EVs and distances are exact, not sampled
    grows: bool

    @property
    def iteration(self) -> int: ...

    @property
    def epoch(self) -> int: ...

    @property
    def size(self) -> int:
        """Nodes of all trees together."""

    def rebalance(self) -> None: ...

    def expand(self, rows: list[tuple[int, int, int]] | None = None) -> list[Grew]:
        """Grow what the rule chooses, or these (seat, public node, hand)."""

    def settled(self) -> bool:
        """Whether the epoch is over."""

    def phases(self) -> Iterator[Phase]: ...

    def rows(self, pick: Pick) -> Rows: ...

    def inspect(self, seat: int, node: int, hand: int) -> Inspection: ...

    def measure(self) -> dict[str, Any]:
        """change, gains (one a seat), and what else is known now."""

    def state(self) -> dict[str, np.ndarray]: ...

    def restored(self, state: Mapping[str, np.ndarray], **changes: Any) -> Orchard:
        """An orchard that goes on from a state, perhaps with other settings."""

    def probability(self, state: Mapping[str, np.ndarray], watch: int) -> float:
        """A probability of an earlier state, or not a number if it was not there yet."""

    def hand_table(self, seat: int, node: int) -> tuple[list[str], np.ndarray]:
        """Actions and probabilities float64[H, actions] at a public node; NaN where a tree ends before."""

    def hand_sizes(self, seat: int) -> np.ndarray:
        """Nodes in each hand's tree, int64[H]."""

    def hands_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees have a public node, likeliest first."""

    def hands_ending_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees end at a public node and could grow there."""

    def watches(self) -> list[tuple[str, int]]:
        """Probabilities worth following from the start, by name; none where trees begin empty."""


class RowBook:
    """Gives (seat, public node, hand) rows in the order in which they appear, and never moves them.

    A hand of -1 stands for all hands as one; with hands apart, a seat's own root is (seat, -1, -1).
    """

    def __init__(self, seats: tuple[str, ...], pick: Pick):
        if pick.seat >= len(seats):
            raise UnknownName("seat", pick.seat, seats)
        self.pick = pick
        self.at: dict[tuple[int, int, int], int] = {}
        self.parent: list[int] = []
        self.label: list[str] = []
        self.seat: list[int] = []
        self.node: list[int] = []
        self.hand: list[int] = []
        self.seats = range(len(seats)) if pick.seat < 0 else [pick.seat]
        for seat in self.seats:
            self._put((seat, -1 if pick.apart else 0, -1), -1, seats[seat])

    def add(self, seat: int, node: int, hand: int, above: int, label: str) -> int:
        """The row of a node whose parent's public node is `above`; it is made if it is new."""
        if not self.pick.apart:
            hand = -1
        elif node == 0:
            above = -1
        key = (seat, node, hand)
        if key not in self.at:
            self._put(key, self.at[seat, above, hand if above >= 0 else -1], label)
        return self.at[key]

    def _put(self, key: tuple[int, int, int], parent: int, label: str) -> None:
        self.at[key] = len(self.parent)
        self.parent.append(parent)
        self.label.append(label)
        for column, value in zip((self.seat, self.node, self.hand), key, strict=True):
            column.append(value)

    def rows(self, kind: np.ndarray, who: np.ndarray, reach: np.ndarray, ev: np.ndarray) -> Rows:
        """The rows with their numbers."""
        seat, node, hand = np.array(self.seat, np.int8), np.array(self.node, np.int32), np.array(self.hand)
        return Rows(np.array(self.parent, np.int32), kind, who, list(self.label), seat, node, hand, reach, ev)
