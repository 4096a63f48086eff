"""The 169 starting hands by name, in the order of `canonical_index` before the flop."""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import COMBOS, RANKS
from solverlab.core.errors import UnknownName


def _classes() -> np.ndarray:
    """The class of every combo: the 78 suited hands by ranks, then pairs and offsuit hands by ranks.

    Written out so that nothing compiles at import; the ranks are 0 to 12, the higher one first.
    """
    rank, suit = np.sort(COMBOS // 4, axis=1).astype(np.int64), COMBOS % 4
    low, high = rank[:, 0], rank[:, 1]
    suited = suit[:, 0] == suit[:, 1]
    return np.where(suited, high * (high - 1) // 2 + low, 78 + high * (high + 1) // 2 + low).astype(np.uint8)


def _names() -> tuple[str, ...]:
    """AA, AKs or AKo, by class."""
    suited = [RANKS[high] + RANKS[low] + "s" for high in range(13) for low in range(high)]
    others = [RANKS[high] + RANKS[low] + "o" for high in range(13) for low in range(high + 1)]
    return *suited, *(name[:2] if name[0] == name[1] else name for name in others)


HAND_CLASS = _classes()
HAND_CLASS.flags.writeable = False
CLASS_NAMES: tuple[str, ...] = _names()
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
