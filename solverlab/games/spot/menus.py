"""Menus as spots take them: one for all, a pair, or by round; read, checked, and made shorter."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue, UnknownName, told
from solverlab.games.betting.raising import OPEN, raise_targets
from solverlab.games.betting.sizes import (
    ALL_IN,
    BET,
    GEOMETRIC,
    POT,
    TO,
    Size,
    grown_geometrically,
    parse_menu,
)
from solverlab.games.betting.states import act, first_state

if TYPE_CHECKING:
    from solverlab.games.betting.table import Menu
    from solverlab.games.spot.game import Spot

ROUNDS = {3: ("flop", "turn", "river"), 4: ("turn", "river"), 5: ("river",)}
PLAYERS = ("out of position", "in position")
Menus = str | Mapping[str, str | Sequence[str]] | Sequence[str]  # for all; by round; for each player


def menu_of_round(menus: Menus, name: str, label: str) -> Menu | list[Menu]:
    """A round's menu as `Street` takes it."""
    if isinstance(menus, Mapping):
        unknown = set(menus) - set(ROUNDS[3])
        if unknown:
            raise UnknownName(f"round of {label}", sorted(unknown)[0], ROUNDS[3])
        menus = menus.get(name, "")
    texts: list[Menu] = [menus] if isinstance(menus, str) else list(menus)
    for text in texts:
        if not isinstance(text, str):
            raise BadValue(f"{told(text)} is no menu of {label}; write a text such as '60%, a'")
        if text.strip() and not parse_menu(text):
            raise BadValue(
                f"there is no size in the {label} {text!r}; write such as '60%, a', or '' for none"
            )
    return menus if isinstance(menus, str) else texts


def check_bets(spot: Spot) -> None:
    """Refuse bets of which none can be made: the player would only ever check, and nobody would know why."""
    row, first = spot.betting, first_state(spot.betting)
    for player, state in enumerate((first, act(row, first, first.level))):
        menu = row.menu(0, player, OPEN)
        if menu and row.streets[0].cap != 0 and not raise_targets(row, state):
            raise BadValue(
                f"nothing is left of the bets {', '.join(map(_written, menu))!r} of the player "
                f"{PLAYERS[player]}: with {spot.pot:g} in the pot and {spot.stack:g} behind none can be "
                "made; give a size such as '50%', or '' for no bets"
            )


def _written(size: Size) -> str:
    return f"to {size.word}" if size.kind == TO else size.word


def each_text(menus: Menus, change: Callable[[str], str]) -> Menus:
    """The same menus with every text changed."""
    if isinstance(menus, str):
        return change(menus)
    if isinstance(menus, Mapping):
        return {name: each_text(menu, change) for name, menu in menus.items()}  # type: ignore[misc]
    return tuple(change(text) for text in menus)


def largest(text: str, number: int, pot: float, stack: float) -> str:
    """A menu without all but its largest sizes, in the order they were written.

    >>> largest("a, 33%, 75%", 2, pot=200, stack=900)
    'a, 75%'
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    order = sorted(words, key=lambda word: _amount(parse_menu(word)[0], pot, stack), reverse=True)
    return ", ".join(word for word in words if word in order[:number])


def _amount(size: Size, pot: float, stack: float) -> float:
    """About what a size comes to, enough to tell which is larger."""
    if size.kind == ALL_IN:
        return math.inf
    if size.kind == GEOMETRIC:
        return min(grown_geometrically(stack, pot, int(size.value) or 2), size.most * pot)
    return size.value * pot if size.kind in (POT, BET) else size.value
