"""External-sampling MCCFR in plain lines (Lanctot et al. 2009): learn from one deal and one line of play.

Each player in turn draws a deal, tries all own actions, and draws one action wherever chance or somebody else
moves. The weights of CFR are gone: what is likely is drawn often, and that is the weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from solverlab.core.tree import CHANCE
from solverlab.naive.infosets import Rules, State, Strategy, follow, infoset_of, shares

Thing = TypeVar("Thing")


class PlainMCCFR:
    """External sampling for two players, with a dictionary for each table.

    >>> from solverlab.games import Kuhn
    >>> strategy = PlainMCCFR(Kuhn(), seed=1).step(2000)
    >>> strategy["raise", "K"]["call"] > 0.9 and strategy["raise", "J"]["fold"] > 0.9
    True
    """

    def __init__(self, game: Rules, seed: int = 0):
        self.game, self.rng = game, np.random.default_rng(seed)
        self.deals = game.deals()
        self.regret: Strategy = {}
        self.total: Strategy = {}

    def step(self, iterations: int = 1) -> Strategy:
        """Let each player in turn learn from one walk; returns the average strategy."""
        for _ in range(iterations):
            for me in range(self.game.n_players):
                self.walk(me, self.game.root(), "", draw(self.deals, self.rng))
        return {infoset: shares(total) for infoset, total in self.total.items()}

    def walk(self, me: int, state: State, said: str, deal: tuple[str, ...]) -> float:
        """What this line of play was worth to me; my regrets and the other's average learn from it."""
        choice = self.game.children(state)
        if choice is None:
            return self.game.payoff(state, *deal)[me]
        actions = choice.following
        if choice.player == CHANCE:
            card = draw(self.game.odds(state, *deal), self.rng)
            return self.walk(me, actions[card], follow(said, card), deal)
        infoset = infoset_of(self.game, choice.player, state, said, deal)
        regret = self.regret.setdefault(infoset, dict.fromkeys(actions, 0.0))
        sigma = shares({action: max(regret[action], 0.0) for action in actions})
        if choice.player != me:
            total = self.total.setdefault(infoset, dict.fromkeys(actions, 0.0))
            for action in actions:
                total[action] += sigma[action]
            action = draw(sigma, self.rng)
            return self.walk(me, actions[action], follow(said, action), deal)
        values = {action: self.walk(me, actions[action], follow(said, action), deal) for action in actions}
        mean = sum(sigma[action] * values[action] for action in actions)
        for action in actions:
            regret[action] += values[action] - mean
        return mean


def draw(probabilities: Mapping[Thing, float], rng: np.random.Generator) -> Thing:
    """One of the things, each with its probability."""
    left = rng.random()
    for thing in probabilities:
        left -= probabilities[thing]
        if left < 0:
            return thing
    return thing  # sums of floating numbers may fall short of 1 by a hair
