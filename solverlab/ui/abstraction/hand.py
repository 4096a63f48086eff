"""Who shares a bucket with a hand, and how hands are called."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.abstraction.strength import StreetStrength
from solverlab.cards.cards import cards_text
from solverlab.ui.abstraction.streets import Labelled


class Mate(NamedTuple):
    """A hand of the same bucket, and why it is shown."""

    index: int
    why: str


def mates(labelled: Labelled, index: int, some: int = 5) -> tuple[int, list[Mate]]:
    """How many other hands share a hand's bucket, and the most telling of them."""
    part = labelled.cloud.code == labelled.code[index]
    if labelled.prefix is not None and not labelled.choice.prefix and labelled.choice.history:
        part &= labelled.prefix[labelled.cloud.index] == labelled.prefix[index]
    cloud = labelled.cloud.take(np.flatnonzero(part))
    others = cloud.take(np.flatnonzero(cloud.index != index))
    if not others.size:
        return 0, []
    spread = others.y - others.x**2
    picks = [
        (int(np.argmin(others.x)), "weakest on average"),
        (int(np.argmax(others.x)), "strongest on average"),
        (int(np.argmin(spread)), "most settled"),
        (int(np.argmax(spread)), "most potential"),
    ]
    draws = np.random.default_rng(index).choice(others.size, min(some, others.size), replace=False)
    picks += [(int(draw), "drawn at random") for draw in draws]
    return others.size, [Mate(int(others.index[place]), why) for place, why in picks]


def cards_of(strength: StreetStrength, index: int) -> tuple[str, str]:
    """Hole cards and board of a hand by its number, high cards first."""
    hole, board = strength.cards(np.array([index]))
    return cards_text(sorted(hole[0].tolist(), reverse=True)), cards_text(board[0][::-1].tolist())
