"""Rules become trees and leaf values: Kuhn, Leduc, any small limit poker, games of hidden moves.

May import core and cards; never solvers. Start reading at `small.py`, then `matrix.py` for the shortest game.
"""

from solverlab.games.catalogue import GAMES, from_config, game_named
from solverlab.games.limit.game import Kuhn, Leduc, LimitPoker
from solverlab.games.lowball.game import Lowball, LowballPushFold
from solverlab.games.matrix import HiddenMoves, MatchingPennies, RockPaperScissors
from solverlab.games.pushfold.game import PushFold
from solverlab.games.small import SmallGame

__all__ = [
    "GAMES",
    "HiddenMoves",
    "Kuhn",
    "Leduc",
    "LimitPoker",
    "Lowball",
    "LowballPushFold",
    "MatchingPennies",
    "PushFold",
    "RockPaperScissors",
    "SmallGame",
    "from_config",
    "game_named",
]
