"""UCT in plain lines (Kocsis & Szepesvari 2006), a tree for each player: a cousin to compare with.

Document 000 calls its growing tree kinda-like MCTS. This is the original: deal a hand; wherever the player to
act knows the situation, try what has the best mean plus a bonus for being tried seldom; the first unknown
situation joins the tree, and the rest is played at random. What was tried most is the strategy. With hidden
cards nothing promises that this approaches an equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log, sqrt

import numpy as np

from solverlab.core.tree import CHANCE
from solverlab.naive.infosets import Infoset, Rules, Strategy, follow, infoset_of, shares
from solverlab.naive.mccfr import draw


class PlainUCT:
    """UCT on the rules of a small game; `explore` is the weight of the bonus, in the game's unit.

    >>> from solverlab.games import Kuhn
    >>> search = PlainUCT(Kuhn(), seed=1)
    >>> strategy = search.step(2000)
    >>> len(search.tries), strategy["raise", "K"]["call"] > 0.9  # all 12 infosets have joined
    (12, True)
    """

    def __init__(self, game: Rules, explore: float = 2.0, seed: int = 0):
        self.game, self.explore, self.rng = game, explore, np.random.default_rng(seed)
        self.deals = game.deals()
        self.tries: Strategy = {}  # infoset -> action -> how often it was tried
        self.won: Strategy = {}  # infoset -> action -> what the player who acts won by it, summed

    def step(self, playouts: int = 1) -> Strategy:
        """Play so many hands; returns how often each action was tried, as probabilities."""
        for _ in range(playouts):
            self.play(draw(self.deals, self.rng))
        return {infoset: shares(tries) for infoset, tries in self.tries.items()}

    def play(self, deal: tuple[str, ...]) -> None:
        """One hand: select, add one infoset, play on at random, remember who won what."""
        state, said, growing = self.game.root(), "", True
        path: list[tuple[int, Infoset, str]] = []
        while (choice := self.game.children(state)) is not None:
            if choice.player == CHANCE:
                action = draw(self.game.odds(state, *deal), self.rng)
            else:
                infoset = infoset_of(self.game, choice.player, state, said, deal)
                known = infoset in self.tries
                if known or growing:
                    action = self.select(infoset, choice.following)
                    path.append((choice.player, infoset, action))
                    growing = growing and known
                else:
                    action = list(choice.following)[self.rng.integers(len(choice.following))]
            state, said = choice.following[action], follow(said, action)
        wins = self.game.payoff(state, *deal)
        for player, infoset, action in path:
            self.tries[infoset][action] += 1
            self.won[infoset][action] += wins[player]

    def select(self, infoset: Infoset, actions: Iterable[str]) -> str:
        """The best mean plus bonus; what was never tried comes first."""
        tries = self.tries.setdefault(infoset, dict.fromkeys(actions, 0.0))
        won = self.won.setdefault(infoset, dict.fromkeys(tries, 0.0))
        whole = sum(tries.values())

        def bound(action: str) -> float:
            n = tries[action]
            return inf if n == 0 else won[action] / n + self.explore * sqrt(log(whole) / n)

        return max(tries, key=bound)
