"""Games by name, for menus, links and command lines, and games from the configuration of a saved run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import Game
from solverlab.core.rows import Config
from solverlab.core.solver import NamedGame
from solverlab.games.limit.game import Kuhn, Leduc, LimitPoker
from solverlab.games.lowball.game import Lowball, LowballPushFold
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.games.matrix import HiddenMoves, MatchingPennies, RockPaperScissors
from solverlab.games.pushfold.game import PushFold


@dataclass(frozen=True)
class MenuGame:
    """A game of the menus: its title, how it is made, and what pages must know before they make it.

    `hidden`: moves are hidden, so that its tree is whole from the start; `grows`: whether Grow offers it;
    `refereed`: whether it is small enough for `solve_lp`, so that Grow can value leaves by the solved game.
    """

    title: str
    make: Callable[[], Game]
    players: int = 2
    hidden: bool = False
    grows: bool = True
    refereed: bool = True

    def __call__(self) -> Game:
        return self.make()


# By the word of links and command lines. A game joins every menu by one line here (docs/adding-a-game.md).
GAMES: dict[str, MenuGame] = {
    "kuhn": MenuGame("Kuhn poker", Kuhn),
    "leduc": MenuGame("Leduc hold'em", Leduc),
    "kuhn-3": MenuGame("Kuhn poker, three players", lambda: Kuhn(players=3), players=3),
    "matching-pennies": MenuGame("matching pennies", MatchingPennies, hidden=True),
    "rock-paper-scissors": MenuGame("rock-paper-scissors", RockPaperScissors, hidden=True),
    "push-fold": MenuGame("push or fold, 10 big blinds", PushFold),
    "lowball": MenuGame("2-to-7 push or fold, one card", LowballPushFold, grows=False),
}

MAKERS: dict[str, Callable[..., NamedGame]] = {  # the last two have hands, but no tree
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


def from_config(config: Config) -> Game:
    """Build a game again from `game.config()`."""
    settings = dict(config)
    maker = settings.pop("game", None)
    known = MAKERS | {one.make.__name__: one.make for one in GAMES.values() if isinstance(one.make, type)}
    if maker not in known:
        raise UnknownName("kind of game", maker, known)
    try:
        return cast(Game, known[maker](**settings))
    except TypeError as error:
        raise BadValue(f"the configuration of a {maker} does not fit this version: {error}") from None
