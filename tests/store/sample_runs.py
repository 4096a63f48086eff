"""Solvers to save, and what it means that two of them are equal."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import solverlab as sl
from solverlab.proof.dying import same_state

__all__ = ["OWN_ROW", "SOLVERS", "CoinGame", "buckets", "files_of", "same_state"]

OWN_ROW = sl.Schedule("inf", positive=-math.inf, negative=math.inf, average=0.5, predictive=True)


class CoinGame(sl.SmallGame):
    """A game of somebody's own: call a coin that chance has tossed. Not in the catalogue."""

    name = "coin game"

    def __init__(self, stake: float = 1.0):
        self.stake = stake
        super().__init__()

    def children(self, state):
        from solverlab.core.tree import CHANCE, Choice

        if state == "":
            return Choice(CHANCE, {"heads": "h", "tails": "t"}, (0.75, 0.25))
        return Choice(len(state) - 1, {"h": state + "h", "t": state + "t"}) if len(state) < 3 else None

    def sees(self, state):
        return len(state)

    def payoff(self, state, *hands):
        won = self.stake * ((state[1] == state[0]) - (state[2] == state[0]))
        return won, -won


def buckets(game: sl.LimitPoker):
    """An abstraction that cannot tell the two suits of Leduc apart."""
    return sl.tie_hands(game.tree, np.arange(len(game.hands)) // 2)


def abstract() -> sl.CFR:
    game = sl.Leduc()
    return sl.CFR(game, "DCFR", tie=buckets(game))


SOLVERS = {
    **{
        f"Kuhn {row}": lambda row=row: sl.CFR(sl.Kuhn(), row)
        for row in ("CFR", "CFR+", "LCFR", "DCFR", "PCFR+")
    },
    "Leduc CFR+": lambda: sl.CFR(sl.Leduc(), "CFR+"),
    "Leduc simultaneous": lambda: sl.CFR(sl.Leduc(), "PCFR+", alternating=False),
    "own schedule": lambda: sl.CFR(sl.Kuhn(), OWN_ROW),
    "three players": lambda: sl.CFR(sl.Kuhn(3), "LCFR"),
    "hidden moves": lambda: sl.CFR(sl.RockPaperScissors(), "CFR"),
    "abstraction": abstract,
    "sampled abstraction": lambda: sl.MCCFR(sl.Leduc(), "CFR", tie=buckets(sl.Leduc()), rng=3),
    **{
        f"Leduc {row} sampling": lambda row=row: sl.MCCFR(sl.Leduc(), "PCFR+", sampling=row, rng=11)
        for row in ("chance", "external", "outcome")
    },
    "own sampling": lambda: sl.MCCFR(sl.Kuhn(), "LCFR", sl.Sampling("mine", own=False, explore=0.3), rng=5),
    "own generator": lambda: sl.MCCFR(sl.Kuhn(), "CFR+", rng=np.random.default_rng(77)),
}


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but the locks, byte for byte."""
    paths = [path for path in folder.rglob("*") if path.is_file() and ".locks" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
