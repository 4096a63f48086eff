"""The 169 starting hands by name, in the order of `canonical_index` before the flop."""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import COMBOS, RANKS
from solverlab.cards.indexing import index_hands, unindex_hands
from solverlab.core.errors import UnknownName


def _name(hole: np.ndarray) -> str:
    """AA, AKs or AKo."""
    high, low = sorted((int(card) for card in hole), reverse=True)
    if high // 4 == low // 4:
        return RANKS[high // 4] * 2
    return RANKS[high // 4] + RANKS[low // 4] + ("s" if high % 4 == low % 4 else "o")


HAND_CLASS = index_hands(COMBOS, np.empty((1326, 0), np.uint8)).astype(np.uint8)
HAND_CLASS.flags.writeable = False
CLASS_NAMES: tuple[str, ...] = tuple(_name(hole) for hole in unindex_hands("preflop", np.arange(169))[0])
CLASS_SIZE = np.bincount(HAND_CLASS, minlength=169)
_NUMBER = {name: number for number, name in enumerate(CLASS_NAMES)}


def class_number(name: str) -> int:
    """The number of a starting hand such as AA, AKs, AKo.

    >>> int(CLASS_SIZE[class_number("AKs")]), int(CLASS_SIZE[class_number("AKo")])
    (4, 12)
    """
    if name not in _NUMBER:
        raise UnknownName("starting hand", name, ("AA", "AKs", "AKo", "72o"))
    return _NUMBER[name]


def grid_place(number: int) -> tuple[int, int]:
    """Row and column of a starting hand in the usual 13 x 13 grid: aces first, suited above the diagonal.

    >>> grid_place(class_number("AKs")), grid_place(class_number("AKo")), grid_place(class_number("22"))
    ((0, 1), (1, 0), (12, 12))
    """
    name = CLASS_NAMES[number]
    high, low = 12 - RANKS.index(name[0]), 12 - RANKS.index(name[1])
    return (high, low) if name.endswith("s") or high == low else (low, high)
