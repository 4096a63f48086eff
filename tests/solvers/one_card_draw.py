"""A draw game so small that a referee sees all of it."""

from __future__ import annotations

from solverlab.core.tree import Choice
from solverlab.games.small import SmallGame
from solverlab.naive.draw import sign


class OneCard(SmallGame):
    """Push/fold with one card and one draw, every replacement counted: small enough for the referee."""

    name = "one-card draw"

    def __init__(self, ranks: int, copies: int, stack: float, limp: bool = False):
        self.copies, self.stack, self.limp = copies, stack, limp
        self.hands = tuple(str(rank) for rank in range(ranks))
        super().__init__()

    def children(self, state: str) -> Choice | None:
        drawn = len(state) - len(state.rstrip("01"))
        if state[len(state) - drawn - 1 : len(state) - drawn] in ("c", "k"):  # both are in: draw, draw, end
            return Choice(1 - drawn, {move: state + move for move in "01"}) if drawn < 2 else None
        moves = {"": "flp" if self.limp else "fp", "p": "fc", "l": "kp", "lp": "fc"}.get(state)
        return None if moves is None else Choice(len(state) % 2, {move: state + move for move in moves})

    def deals(self):
        size = len(self.hands) * self.copies
        return {
            (mine, other): self.copies * (self.copies - (mine == other)) / (size * (size - 1))
            for mine in self.hands
            for other in self.hands
            if self.copies > 1 or mine != other
        }

    def payoff(self, state: str, mine: str, other: str) -> tuple[float, float]:
        if state.endswith("f"):
            won = {"f": -0.5, "pf": 1.0, "lpf": -1.0}[state]
            return won, -won
        stake = self.stack if "c" in state else 1.0
        left = [self.copies] * len(self.hands)
        left[int(mine)] -= 1
        left[int(other)] -= 1
        total, ways = 0.0, 0.0
        for new, chance in _outcomes(int(other), state[-2] == "1", left):
            rest = [count - (rank == new) if state[-2] == "1" else count for rank, count in enumerate(left)]
            for late, again in _outcomes(int(mine), state[-1] == "1", rest):
                total += chance * again * sign(-late, -new)
                ways += chance * again
        return stake * total / ways, -stake * total / ways


def _outcomes(rank: int, draws: bool, left: list[int]) -> list[tuple[int, float]]:
    if not draws:
        return [(rank, 1.0)]
    return [(new, count / sum(left)) for new, count in enumerate(left) if count]
