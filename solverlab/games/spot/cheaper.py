"""A spot that does not fit is refused before it is built, with menus that would."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from solverlab.core.boards.room import bytes_text, free_bytes, instead
from solverlab.core.errors import BadValue, TooLarge, told
from solverlab.core.rows import Config
from solverlab.games.spot.menus import each_text, largest
from solverlab.games.spot.rounds import MOST_NODES

if TYPE_CHECKING:
    from solverlab.games.spot.game import Spot

SUGGESTED = 3
CAPS = (3, 2, 1)
CLEARLY = 0.8


def check_fits(spot: Spot, most_bytes: float | None) -> None:
    """Refuse a spot whose solver would take more than this (None: more than is free), or with more lines than
    are ever built."""
    room = _room(most_bytes)
    if room == math.inf:
        return
    nodes = max(one.betting.nodes for one in spot.size.rounds)
    if spot.size.fits(room) and nodes <= MOST_NODES:
        return
    where = "may be taken" if most_bytes is not None else "are free"
    problem = f"{bytes_text(spot.size.bytes)} to solve and {bytes_text(room)} {where}"
    if nodes > MOST_NODES:
        problem = f"{nodes:,} lines on one round, at most {MOST_NODES:,}, and {bytes_text(spot.size.bytes)}"
    raise TooLarge(f"this spot takes {problem}; {instead(spot.cheaper(room))}")


def _room(most_bytes: float | None) -> float:
    if most_bytes is None:
        return free_bytes()
    if isinstance(most_bytes, bool) or not isinstance(most_bytes, int | float) or not most_bytes > 0:
        raise BadValue(f"most_bytes is {told(most_bytes)}; give bytes above 0, such as 4e9")
    return most_bytes


def cheaper_spots(spot: Spot, most_bytes: float) -> list[tuple[str, int]]:
    """Three menus that fit, those nearest to what was asked for first, each clearly smaller than the last; if
    fewer fit, the smallest of the others."""
    sizes: dict[int, str] = {}
    for change in _changes(spot):
        try:
            size = spot.changed(**change, most_bytes=math.inf).size
        except TooLarge:  # still too many lines to count
            continue
        if size.bytes < spot.size.bytes and max(one.betting.nodes for one in size.rounds) <= MOST_NODES:
            told_change = ", ".join(f"{name}={value!r}" for name, value in change.items())
            sizes.setdefault(size.bytes, told_change)
    chosen: list[int] = []
    for needed in sorted((needed for needed in sizes if needed <= most_bytes), reverse=True):
        if len(chosen) < SUGGESTED and (not chosen or needed <= CLEARLY * chosen[-1]):
            chosen.append(needed)
    others = sorted(needed for needed in sizes if needed > most_bytes)
    return [(sizes[needed], needed) for needed in (*chosen, *others)[:SUGGESTED]]


def _changes(spot: Spot) -> Iterator[Config]:
    """Menus with less on them, milder ones first: fewer raises, fewer sizes, both."""
    caps = [cap for cap in CAPS if spot.cap is None or cap < spot.cap]
    longest = max(
        len(spot.betting.menu(street, player, 0))
        for street in range(len(spot.round_names))
        for player in (0, 1)
    )
    menus = [{"bets": _shorter(spot, keep)} for keep in range(longest - 1, 0, -1)]
    yield from ({"cap": cap} for cap in caps)
    yield from menus
    yield from ({**menu, "cap": cap} for menu in menus for cap in caps)
    yield {"bets": "a", "raises": ""}


def _shorter(spot: Spot, keep: int) -> object:
    return each_text(spot.bets, lambda text: largest(text, keep, spot.pot, spot.stack))
