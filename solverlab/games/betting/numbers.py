"""A row and a state as plain numbers, for kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solverlab.games.betting.raising import DONK, OPEN, RAISE
from solverlab.games.betting.states import State

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

STREET, ACTOR, LIVE, OWED, CLOSED, RAISES, TOTAL, LEADER = range(8)
LEVEL, LEAST_RAISE, LAST, BASE = range(4)
NO_CAP = 1 << 30
CLIP, DROP = 0, 1
BEYOND_DROP, BEYOND_ALL_IN, BEYOND_ONLY = range(3)


class Menu(NamedTuple):
    """A row for kernels. Shapes: S streets, P seats, three menus (bets, raises, donks) of up to K sizes.

    stacks float64[P]; kind int8[S, P, 3, K] (-1 behind the last), value, until and share float64 alike; cap
    and first int64[S]; limp bool[S]; small int8[S]; switches float64[3] (add, force, merge); least, unit and
    dead are amounts; the rest as in the row.
    """

    stacks: np.ndarray
    kind: np.ndarray
    value: np.ndarray
    until: np.ndarray
    share: np.ndarray
    cap: np.ndarray
    first: np.ndarray
    limp: np.ndarray
    small: np.ndarray
    least: float
    unit: float
    total: int
    forced: int
    opening_counts: bool
    allin_at_cap: bool
    pot_limit: bool
    remembers_base: bool
    remembers_leader: bool
    beyond: int
    dead: float
    switches: np.ndarray


class Hand(NamedTuple):
    """A hand in play: paid float64[P]; level, least raise, last raise, base; street, actor, bits, counts."""

    paid: np.ndarray
    chips: np.ndarray
    now: np.ndarray


def menu_of(row: Betting) -> Menu:
    """A row as numbers."""
    menus = [
        [[row.menu(street, seat, which) for which in (OPEN, RAISE, DONK)] for seat in range(row.seats)]
        for street in range(len(row.streets))
    ]
    longest = max(1, *(len(menu) for street in menus for seat in street for menu in seat))
    kind = np.full((len(menus), row.seats, 3, longest), -1, np.int8)
    value, until, share = np.zeros((3, *kind.shape))
    for place in np.ndindex(kind.shape[:3]):
        sizes = menus[place[0]][place[1]][place[2]]
        kind[place][: len(sizes)] = [size.kind for size in sizes]
        value[place][: len(sizes)] = [size.value for size in sizes]
        until[place][: len(sizes)] = [size.until or math.inf for size in sizes]
        share[place][: len(sizes)] = [size.most for size in sizes]
    return Menu(
        np.array(row.stacks, np.float64),
        kind,
        value,
        until,
        share,
        np.array([NO_CAP if street.cap is None else street.cap for street in row.streets], np.int64),
        np.array([street.first for street in row.streets], np.int64),
        np.array([street.limp for street in row.streets]),
        np.array([("clip", "drop", "free").index(street.small) for street in row.streets], np.int8),
        float(row.least),
        float(row.unit),
        NO_CAP if row.total is None else row.total,
        row.forced,
        row.opening_counts,
        row.allin_at_cap,
        row.structure == "pot-limit",
        row.remembers_base,
        row.remembers_leader,
        ("drop", "all-in", "only").index(row.beyond),
        float(sum(row.dead)),
        np.array([row.add_allin, row.force_allin, row.merge], np.float64),
    )


def hand_of(state: State) -> Hand:
    """A public state as numbers."""
    seats = (
        (p for p, alive in enumerate(state.live) if alive),
        state.owed,
        state.closed,
    )
    live, owed, closed = (sum(1 << p for p in who) for who in seats)
    counts = state.street, state.actor, live, owed, closed, state.raises, state.total, state.leader
    now = np.array(counts, np.int64)
    chips = np.array([state.level, state.least_raise, state.last, state.base], np.float64)
    return Hand(np.array(state.paid, np.float64), chips, now)
