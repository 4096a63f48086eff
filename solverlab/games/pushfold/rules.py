"""What push/fold is played for, with two players or three."""

from __future__ import annotations

from math import isfinite

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.games.betting.table import Betting, Street, Words

SMALL_BLIND, BIG_BLIND = 0.5, 1.0


def check_stack(stack: float) -> float:
    """Accept a finite number of big blinds that leaves something to jam with."""
    number = isinstance(stack, int | float | np.integer | np.floating) and not isinstance(stack, bool)
    if not number or not isfinite(stack) or stack <= BIG_BLIND:
        raise BadValue(
            f"a stack of {stack!r} big blinds leaves nothing to jam with; "
            "give a finite number above 1, the big blind"
        )
    return float(stack)


def push_or_fold(stack: float, blinds: tuple[float, ...]) -> Betting:
    """Everybody jams, calls a jam, or folds; nobody just calls the blind."""
    street = Street(raises="a", limp=False)
    return Betting((stack,) * len(blinds), (street,), blinds, words=Words(allin="jam"))
