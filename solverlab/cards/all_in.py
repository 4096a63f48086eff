"""Two hands all in before the flop: the exact 169 x 169 table of wins and ties over every board.

The table travels with the package in `all_in.npz`, for a sweep over all boards takes seconds and the code for
it as long to compile; `cards/all_in_sweep.py` makes it, `tools/all_in_table.py` writes it, and the proof
`all-in` compares every number. One half is kept: what one hand wins the other loses, and how many deals there
are is counting.
"""

from __future__ import annotations

from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.hand_classes import CLASS_SIZE, HAND_CLASS
from solverlab.core.errors import DamagedRun

BOARDS = comb(48, 5)  # boards that two given hands leave
SHIPPED = Path(__file__).with_name("all_in.npz")
_HALF = np.triu_indices(169)


class AllIn(NamedTuple):
    """Deals (two combos and a board) in which the row's hand wins, ties, and all of them; int64[169, 169].

    >>> from solverlab.cards.hand_classes import class_number
    >>> aces, kings = class_number("AA"), class_number("KK")
    >>> round(float(all_in_matrix().equity[aces, kings]), 4), int(all_in_matrix().pairs[aces, aces])
    (0.8195, 6)
    """

    win: np.ndarray
    tie: np.ndarray
    weight: np.ndarray

    @property
    def pairs(self) -> np.ndarray:
        """How many pairs of combos share no card, int64[169, 169]: AA meets AA in 6 ordered ways, not 36."""
        return self.weight // BOARDS

    @property
    def equity(self) -> np.ndarray:
        """The row's share of the pot, float64[169, 169]: wins, and half of the ties."""
        return (2 * self.win + self.tie) / (2 * self.weight)


def class_pairs() -> np.ndarray:
    """Pairs of combos that share no card, class by class; int64[169, 169], 1326 x 1225 in all.

    All pairs, less those that share a given card; a combo and itself share two and were taken off twice.
    """
    holds = np.zeros((169, 52), np.int64)
    np.add.at(holds, (HAND_CLASS[:, None], COMBOS), 1)
    size = CLASS_SIZE.astype(np.int64)
    return np.outer(size, size) - holds @ holds.T + np.diag(size)


@cache
def all_in_matrix() -> AllIn:
    """Exact wins and ties of every starting hand against every other, read-only."""
    try:
        with np.load(SHIPPED, allow_pickle=False) as kept:
            win, tie = (_numbers(kept[name]) for name in ("win", "tie"))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as problem:
        raise DamagedRun(f"{SHIPPED} cannot be read ({problem}); install solverlab again") from problem
    return _whole(win, tie)


def write_all_in(table: AllIn, path: Path) -> None:
    """Keep one half of a table, in bytes of equal weight side by side: they pack a fifth better."""
    halves = {name: np.ascontiguousarray(getattr(table, name)[_HALF], "<u4") for name in ("win", "tie")}
    planes = {name: half.view(np.uint8).reshape(-1, 4).T.copy() for name, half in halves.items()}
    np.savez_compressed(path, allow_pickle=False, **planes)


def _numbers(planes: np.ndarray) -> np.ndarray:
    """Numbers from their bytes, uint8[4, n] -> int64[n]."""
    if planes.shape != (4, len(_HALF[0])) or planes.dtype != np.uint8:
        raise ValueError(f"{planes.dtype}{list(planes.shape)} is no half of a table")
    return np.ascontiguousarray(planes.T).view("<u4")[:, 0].astype(np.int64)


def _whole(win: np.ndarray, tie: np.ndarray) -> AllIn:
    """Both halves: the deals that nobody ties are won by one of two."""
    table = AllIn(np.zeros((169, 169), np.int64), np.zeros((169, 169), np.int64), class_pairs() * BOARDS)
    table.tie[_HALF], table.tie.T[_HALF] = tie, tie
    table.win.T[_HALF] = table.weight[_HALF] - win - tie
    table.win[_HALF] = win
    for array in table:
        array.flags.writeable = False
    return table
