"""What a leaf of a forest is worth: a showdown, a roll-out, or what a function of one's own says of it.

The document shows the cards wherever a tree ends and asks whether we could do better. Two answers: play on
with the strategy now played (`forest_rollout`), and a slot for anything else: a function that is asked once
an epoch about each leaf where the hand goes on, with all its deals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from solverlab.core.dealt_game import DealtGame
from solverlab.core.errors import BadValue, TooLarge, UnknownName
from solverlab.core.rows import State

MOST_BYTES = 2**30
SHOWDOWN, ROLLOUT = "showdown", "rollout"


class LeafDeals(NamedTuple):
    """One leaf and its D deals, for a function that values it.

    `state` is the public betting state (street, actor, paid, live ...), `seat` whose tree this is; info
    uint16[P, 4, D] has everybody's holding, then a bucket for every street some tree has seen (0 later); rank
    uint16[P, D] says how good each hand is on the whole board, the better the higher.
    """

    game: DealtGame
    state: State
    seat: int
    info: np.ndarray
    rank: np.ndarray


LeafValue = str | Callable[[LeafDeals], ArrayLike]


def check_leaf(leaf: object) -> LeafValue:
    """A leaf value a forest can use, or one sentence."""
    if callable(leaf) or (isinstance(leaf, str) and leaf in (SHOWDOWN, ROLLOUT)):
        return leaf
    raise UnknownName("leaf value", leaf, (SHOWDOWN, ROLLOUT, "a function of a leaf's deals"))


def leaf_words(leaf: LeafValue) -> str:
    """What happens where a tree ends, for people.

    >>> leaf_words("showdown")
    'Cards are shown where a tree ends'
    """
    if callable(leaf):
        return "A function of one's own values the deals where a tree ends"
    return {SHOWDOWN: "Cards are shown", ROLLOUT: "Everybody plays on"}[leaf] + " where a tree ends"


def check_room(leaf: LeafValue, leaves: int, deals: int) -> None:
    """Refuse values of leaves that would not fit into memory."""
    size = 8 * leaves * deals
    if callable(leaf) and size > MOST_BYTES:
        raise TooLarge(
            f"values of {deals:,} deals at {leaves:,} leaves take {size / 1e9:.1f} GB; use fewer samples, or "
            "leaf='showdown'"
        )


def asked(leaf: Callable[[LeafDeals], ArrayLike], deals: LeafDeals) -> np.ndarray:
    """What a function says of a leaf: net big blinds of its seat from the start of the hand, float64[D]."""
    told, shape = leaf(deals), deals.rank.shape[1:]
    try:
        worth = np.asarray(told, np.float64)
    except (TypeError, ValueError):
        raise BadValue(
            f"the leaf function gave {told!r} for {shape[0]} deals; give a finite number for each"
        ) from None
    if worth.shape != shape or not np.isfinite(worth).all():
        raise BadValue(
            f"the leaf function gave shape {worth.shape} for {shape[0]} deals; give a finite number for each"
        )
    return worth
