"""What a game over boards takes in memory, from numbers of nodes, boards and hands alone: nothing is built.

The formulas say what `shape.py`, `passes.py` and `walk.py` allocate; a test builds spots and compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import psutil

from solverlab.core.boards.game import BoardGame, ThriftyGame
from solverlab.core.boards.shape import LANES, padded
from solverlab.core.errors import TooLarge

NUMBER = 4  # bytes of a float32
SCALE = 4  # bytes of the scale that the 16-bit numbers of a decision share
TABLES = 2  # regret and total
KILO = 1000


class RoundRoom(NamedTuple):
    """What decides the room of a round: its nodes, roots, leaves, actions of each player and the most of a
    decision; size int64[2, B] are the hands of both on every board, images int64[B] the deals it stands for,
    cards those of a board."""

    nodes: int
    roots: int
    leaves: int
    edges: tuple[int, int]
    widest: int
    size: np.ndarray
    images: np.ndarray
    cards: int
    last: bool

    @property
    def width(self) -> np.ndarray:
        """Columns of both on every board, int64[2, B]."""
        return np.asarray(padded(self.size))


def table_numbers(room: RoundRoom) -> int:
    """Numbers in one table of a round: actions times columns, over all boards."""
    return int((room.width.sum(1) * np.array(room.edges)).sum())


def boards_bytes(room: RoundRoom) -> int:
    """Bytes of `Boards`: cards and places of every hand on every board."""
    boards, columns = room.size.shape[1], int(room.width.sum())
    each = room.cards + 4 + 4 + 4 + 2 * 8 * 5 + 2 * 53 * 8  # cards, parent, below, images; places; with_card
    column = 2 + 2 + 2 + 2 + (12 if room.last else 0)  # combo, above, same, hole; look
    listed = 2 * 2 * int(room.size.sum())
    imaged = 2 * int((room.images * room.width).sum())
    return each * boards + 4 + column * columns + listed + imaged


def scratch_bytes(room: RoundRoom) -> int:
    """Bytes of the work space for any board of a round."""
    width, rows = int(room.width.max(initial=1)), room.roots + max(room.edges)
    lanes = LANES * (5 * width + 2 + 52 + 53 + 3)
    float32 = (2 * rows + room.nodes + 1 + room.widest + 1) * width + lanes
    return NUMBER * float32 + 8 * room.leaves * width


def work_bytes(rounds: Sequence[RoundRoom], threads: int = 1) -> int:
    """Bytes of all work space while rounds are walked: one set a thread, and what tasks hand over."""
    top = scratch_bytes(rounds[0])
    if len(rounds) == 1:
        return top
    second = rounds[1]
    below = scratch_bytes(second) + scratch_bytes(rounds[-1])
    slab = second.size.shape[1] * second.roots * int(second.width.max(initial=1))
    return top + threads * below + NUMBER * slab


def bytes_text(number: float) -> str:
    """Bytes as people say them.

    >>> bytes_text(640), bytes_text(621_728_832), bytes_text(2.5e13)
    ('640 bytes', '622 MB', '25 TB')
    """
    units = ("bytes", "kB", "MB", "GB", "TB", "PB")
    for unit in units:
        if number < 999.5 or unit == units[-1]:
            return f"{number:,.3g} {unit}" if number < 1000 else f"{number:,.0f} {unit}"
        number /= KILO
    raise AssertionError("the last unit takes everything")


# ---- refusing what does not fit ----------------------------------------------------------------------------


def free_bytes() -> int:
    """Bytes of memory that this machine has free."""
    return int(psutil.virtual_memory().available)


def instead(menus: Sequence[tuple[str, int]]) -> str:
    """What would fit, in one clause: settings and the bytes that each takes."""
    told = ", or ".join(f"{settings} ({bytes_text(size)})" for settings, size in menus)
    return f"take {told}" if menus else "take narrower ranges, or begin on a later round"


def check_room(game: BoardGame, needed: int) -> None:
    """Refuse tables, before they are taken, that this machine has no room for."""
    free = free_bytes()
    if needed > free:
        menus = game.cheaper(free) if isinstance(game, ThriftyGame) else []
        raise TooLarge(
            f"the tables of this {game.name} take {bytes_text(needed)} and {bytes_text(free)} are free; "
            f"{instead(menus)}"
        )
