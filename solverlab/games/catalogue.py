"""Games by name, for menus, links and command lines, and games from the configuration of a saved run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import Game
from solverlab.games.limit import Kuhn, Leduc, LimitPoker
from solverlab.games.lowball import Lowball, LowballPushFold
from solverlab.games.lowball_real import RealLowball
from solverlab.games.lowball_real_betting import BettingLowball
from solverlab.games.matrix import HiddenMoves, MatchingPennies, RockPaperScissors
from solverlab.games.pushfold import PushFold

GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": Kuhn,
    "leduc": Leduc,
    "kuhn-3": lambda: Kuhn(players=3),
    "matching-pennies": MatchingPennies,
    "rock-paper-scissors": RockPaperScissors,
    "push-fold": PushFold,
    "lowball": LowballPushFold,
}

MAKERS: dict[str, Callable[..., Any]] = {  # the last two have hands, but no tree
    "LimitPoker": LimitPoker,
    "HiddenMoves": HiddenMoves,
    "PushFold": PushFold,
    "Lowball": Lowball,
    "RealLowball": RealLowball,
    "BettingLowball": BettingLowball,
}


def game_named(name: str) -> Game:
    """A game of the menu.

    >>> game_named("leduc").name
    "Leduc hold'em"
    """
    if name not in GAMES:
        raise UnknownName("game", name, GAMES)
    return GAMES[name]()


def from_config(config: Mapping[str, Any]) -> Game:
    """Build a game again from `game.config()`."""
    settings = dict(config)
    maker = settings.pop("game", None)
    if maker not in MAKERS:
        raise UnknownName("kind of game", maker, MAKERS)
    try:
        return MAKERS[maker](**settings)
    except TypeError as error:
        raise BadValue(f"the configuration of a {maker} does not fit this version: {error}") from None
