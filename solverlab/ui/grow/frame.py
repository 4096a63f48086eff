"""One moment of growing trees as a screen shows it, and what its visitor looks at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from solverlab.core.rows import Row
from solverlab.run.growing.rows import END, LEAF, DealRow, Grew, Inspection, Pick, Rows
from solverlab.solvers.phases import Phase


@dataclass(frozen=True)
class Spot:
    """A node: seat, public node and hand by number; a hand of -1 is the likeliest one, or all to grow."""

    seat: int
    node: int
    hand: int


@dataclass(frozen=True)
class Frame:
    """What a screen shows of one moment."""

    version: int
    view: str  # changes when another tree is drawn, not when a tree grows
    rows: Rows
    measures: list[tuple[str, list[Row]]]  # by branch, the live one last
    sweeps: list[int]  # of the moments one can go back to
    place: int
    now: Row
    log: list[Grew]
    phase: Phase | None
    inspection: Inspection | None
    sizes: np.ndarray
    actions: tuple[list[str], np.ndarray]
    paths: tuple[list[float], list[float]]
    branches: list[str]
    running: bool
    seats: tuple[str, ...]
    hands: tuple[str, ...]
    unit: str
    exact: bool
    error: str = ""
    note: str = ""  # what an order did besides
    deals: tuple[DealRow, ...] | None = None  # of the node looked at, where somebody asked for them
    hands_here: int = 1  # whose trees have the node looked at; one of them is told


@dataclass
class Asked:
    """What the visitor looks at."""

    pick: Pick = field(default_factory=Pick)
    spot: Spot | None = None
    watches: tuple[int, int] = (-1, -1)
    deals: bool = False  # each deal of the node, too


def half_way(rows: Rows, phase: Phase | None, swept: bool = True) -> Rows:
    """Only EVs that are known: none before the first sweep, and between sub-steps those valued so far."""
    waits = np.full(len(rows.ev), not swept)
    if phase is not None:
        mine = (rows.seat == phase.player) | (phase.player < 0)
        if phase.name in ("leaves", "back-up"):  # seats are valued one after the other
            waits &= (rows.seat > phase.player) & ~mine
        if phase.name == "leaves":  # what is above the leaves is backed up next
            waits |= mine & (rows.kind != LEAF) & (rows.kind != END)
    return rows._replace(ev=np.where(waits, np.nan, rows.ev))


def half_known(frame: Frame) -> bool:
    """Whether only some EVs are known for a moment: no reason to change the scale of colours."""
    return frame.phase is not None and frame.phase.name == "leaves" and frame.now["sweep"] > 0


def row_of(frame: Frame, spot: Spot | None) -> int:
    """Where a node is drawn; -1 if it is not."""
    rows = frame.rows
    if spot is None:
        return -1
    here = (rows.seat == spot.seat) & (rows.node == spot.node) & (rows.hand == spot.hand)
    return int(np.flatnonzero(here)[0]) if here.any() else -1


def spots_at(frame: Frame, row: int) -> list[Spot]:
    """The node a drawn row stands for, if it stands for one; hand -1 is every hand whose tree has it."""
    rows = frame.rows
    if not 0 <= row < len(rows.parent) or rows.node[row] < 0:
        return []
    return [Spot(int(rows.seat[row]), int(rows.node[row]), int(rows.hand[row]))]
