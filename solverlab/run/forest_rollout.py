"""A leaf value for forests besides the showdown: what a hand wins if everybody plays on at random.

Beyond its leaves a forest knows no strategy; a new node begins with all actions alike, and so does this
roll-out. Random play does not look at cards, so a few ways to play on are drawn for a public state, and every
deal is settled at the end of each.
"""

from __future__ import annotations

from collections import Counter
from typing import Any
from zlib import crc32

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.games.holdem_betting import BettingState, following
from solverlab.games.holdem_pots import Pots, pots
from solverlab.solvers.forest_leaves import LeafDeals


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
        self._known: dict[tuple[Any, BettingState], Counter[Pots]] = {}

    def __call__(self, deals: LeafDeals) -> np.ndarray:
        worth = np.zeros(deals.rank.shape[1])
        for end, times in self.ends(deals.game, deals.state).items():
            worth += times * _settled(end, deals.seat, deals.rank)
        return worth / self.playouts

    def ends(self, game: Any, state: BettingState) -> Counter[Pots]:
        """Who plays for how much at the ends of the playouts, and how often each end came."""
        key = (game.rules, state)
        if key not in self._known:
            plain = str([sorted(part) if isinstance(part, frozenset) else part for part in state])
            rng = np.random.default_rng([self.seed, crc32(plain.encode())])
            self._known[key] = Counter(self._played(game, state, rng) for _ in range(self.playouts))
        return self._known[key]

    def _played(self, game: Any, state: BettingState, rng: np.random.Generator) -> Pots:
        while after := list(following(game.rules, state).values()):
            state = after[rng.integers(len(after))]
        return pots(game.rules, state)


def _settled(end: Pots, seat: int, rank: np.ndarray) -> np.ndarray:
    """What a seat wins at one end, deal by deal, given rank[P, D]; ties split a layer."""
    worth = np.full(rank.shape[1], -end.paid[seat])
    for amount, seats in zip(end.amounts, end.seats, strict=True):
        if seat in seats:
            among = rank[sorted(seats)]
            best = among.max(axis=0)
            worth += np.where(rank[seat] == best, amount / (among == best).sum(axis=0), 0.0)
    return worth
