"""A leaf value for forests: what a hand wins if everybody plays on at random, whatever the trees say.

Random play does not look at cards, so a few ways to play on are drawn for a public state, and every deal is
settled at the end of each. (A forest with leaf="rollout" plays by the strategies now played as far as they
go.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel
from solverlab.games.betting.numbers import menu_of
from solverlab.games.betting.playing import random_ends
from solverlab.games.betting.states import State
from solverlab.solvers.growing.sampled.leaves import LeafDeals
from solverlab.solvers.growing.sampled.rollout import settled


class RandomPlay:
    """The mean over `playouts` random ways to play a hand to its end, the same for all deals of a state.

    >>> import solverlab as sl
    >>> forest = sl.Rebalance(sl.Holdem(players=3, stack=20), samples=20, leaf=RandomPlay(playouts=8))
    >>> forest.step(1).metrics["nodes"]
    507
    """

    def __init__(self, playouts: int = 32, rng: int = 0):
        for label, value, least in (("playouts", playouts, 1), ("rng", rng, 0)):
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise BadValue(f"{label} is {value!r}; give a whole number of at least {least}")
        self.playouts, self.seed = playouts, rng
        self._known: dict[tuple[Any, State], tuple[np.ndarray, np.ndarray]] = {}

    def __call__(self, deals: LeafDeals) -> np.ndarray:
        worth = np.empty(deals.rank.shape[1])
        average(*self.ends(deals.game, deals.state), deals.rank, deals.seat, worth)
        return worth

    def ends(self, game: Any, state: State) -> tuple[np.ndarray, np.ndarray]:
        """Chips put in float64[playouts, P] and who is left uint32[playouts] where random play ends."""
        key = (game.rules, state)
        if key not in self._known:
            self._known[key] = random_ends(menu_of(game.rules.row), state, self.playouts, (self.seed,))
        return self._known[key]


@kernel
def average(paid, live, rank, seat, worth):
    """What a seat wins in each deal of rank[P, D], on average over the ends, into worth[D]."""
    for d in range(len(worth)):
        total = 0.0
        for way in range(len(live)):
            total += settled(paid[way], live[way], rank, d, seat)
        worth[d] = total / len(live)
