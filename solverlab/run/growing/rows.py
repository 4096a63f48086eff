"""A growing tree for the eye: rows to draw that never move, and one node under the microscope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import UnknownName

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


class DealRow(NamedTuple):
    """One sampled deal at a node: what the other seats hold, its reach (all choices on the way), worth."""

    others: tuple[str, ...]
    reach: float
    worth: float  # what the hand wins from there on this deal; NaN where nobody comes


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
