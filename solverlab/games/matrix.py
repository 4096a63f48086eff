"""Games of one hidden move each: the second player chooses without seeing what the first chose."""

from __future__ import annotations

from collections.abc import Mapping

from solverlab.core.errors import BadValue
from solverlab.core.tree import Choice
from solverlab.games.small import SmallGame


class HiddenMoves(SmallGame):
    """Both players choose at once. As a tree the second moves later, but cannot see: the game's own tie.

    `wins[a][b]` is what the first player wins when a meets b; the second loses it.
    """

    def __init__(self, name: str, wins: Mapping[str, Mapping[str, float]]):
        self.name = name
        self.wins = {mine: dict(row) for mine, row in wins.items()}
        for mine, row in self.wins.items():
            if list(row) != list(next(iter(self.wins.values()))):
                raise BadValue(
                    f"the answers to {mine!r} in {name} are {list(row)}; list the same answers for every move"
                )
        super().__init__()

    def root(self) -> tuple[str, ...]:
        return ()

    def children(self, state: tuple[str, ...]) -> Choice | None:
        if len(state) == 2:
            return None
        moves = self.wins if not state else self.wins[state[0]]
        return Choice(len(state), {move: (*state, move) for move in moves})

    def payoff(self, state: tuple[str, ...], *hands: str) -> tuple[float, float]:
        mine, theirs = state
        return self.wins[mine][theirs], -self.wins[mine][theirs]

    def sees(self, state: tuple[str, ...]) -> int:
        return len(state)

    def config(self) -> dict:
        return {"game": "HiddenMoves", "name": self.name, "wins": self.wins}


def MatchingPennies() -> HiddenMoves:
    """Two coins: the first player wins when they match, the second when they differ."""
    return HiddenMoves(
        "matching pennies", {"heads": {"heads": 1, "tails": -1}, "tails": {"heads": -1, "tails": 1}}
    )


def RockPaperScissors() -> HiddenMoves:
    """Rock breaks scissors, scissors cut paper, paper wraps rock."""
    return HiddenMoves(
        "rock-paper-scissors",
        {
            "rock": {"rock": 0, "paper": -1, "scissors": 1},
            "paper": {"rock": 1, "paper": 0, "scissors": -1},
            "scissors": {"rock": -1, "paper": 1, "scissors": 0},
        },
    )
