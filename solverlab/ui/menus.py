"""Menus that several pages offer: the games of the catalogue, and the members of the CFR family."""

from __future__ import annotations

from solverlab.games.catalogue import GAMES
from solverlab.solvers import SCHEDULES

SCHEDULE_MENU = {name: name for name in SCHEDULES}


def game_menu() -> dict[str, str]:
    """What a menu shows of every game -> the word of a link; asked anew, since a game may join.

    >>> game_menu()["Kuhn poker"]
    'kuhn'
    """
    return {game.title: name for name, game in GAMES.items()}
