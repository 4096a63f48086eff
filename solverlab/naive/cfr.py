"""Counterfactual regret minimisation in forty plain lines (Zinkevich et al. 2007), players taking turns.

Play the game in your head for every deal. Where it is your turn, ask of each action: how much better would it
have been than what I do on average, weighted by how likely chance and the others were to bring me here? Add
that up: it is regret. Next time play in proportion to positive regret. What you did on average is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from solverlab.core.tree import CHANCE
from solverlab.naive.infosets import Infoset, Rules, Strategy, follow, infoset_of, shares


class PlainCFR:
    """CFR on the rules of a small game, with a dictionary for each table.

    >>> from solverlab.games import Kuhn
    >>> average = PlainCFR(Kuhn()).step(100)
    >>> average["raise", "K"]["call"] > 0.99
    True
    """

    def __init__(self, game: Rules):
        self.game = game
        self.regret: Strategy = {}  # infoset -> action -> how much better it would have been, summed up
        self.total: Strategy = {}  # infoset -> action -> how much it was played, summed up

    def step(self, iterations: int = 1) -> Strategy:
        """Let each player in turn learn from all deals; returns the average strategy."""
        for _ in range(iterations):
            for me in range(self.game.n_players):
                self.learn(me)
        return {infoset: shares(total) for infoset, total in self.total.items()}

    def learn(self, me: int) -> None:
        """One player's update: gains of all deals first, then regret, so that nothing changes on the way."""
        gains: Strategy = {}
        for deal, probability in self.game.deals().items():
            self.value(me, self.game.root(), "", deal, 1.0, probability, gains)
        for infoset, gain in gains.items():
            self.update(infoset, gain)

    def value(self, me, state, said, deal, mine, theirs, gains: Strategy) -> float:
        """What play from here is worth to me in one deal; `mine` and `theirs` are the reach so far."""
        choice = self.game.children(state)
        if choice is None:
            return self.game.payoff(state, *deal)[me]
        if choice.player == CHANCE:
            sigma = self.game.odds(state, *deal)
        else:
            infoset = infoset_of(self.game, choice.player, state, said, deal)
            sigma = self.strategy(infoset, choice.following)
        values = {}
        for action, p in sigma.items():
            reach = (mine * p, theirs) if choice.player == me else (mine, theirs * p)
            after, path = choice.following[action], follow(said, action)
            values[action] = self.value(me, after, path, deal, *reach, gains)
        mean = sum(sigma[action] * values[action] for action in sigma)
        if choice.player == me:
            gain = gains.setdefault(infoset, dict.fromkeys(sigma, 0.0))
            total = self.total.setdefault(infoset, dict.fromkeys(sigma, 0.0))
            for action in sigma:
                gain[action] += theirs * (values[action] - mean)
                total[action] += mine * sigma[action]
        return mean

    def strategy(self, infoset: Infoset, actions: Iterable[str]) -> dict[str, float]:
        """Regret matching: play each action in proportion to its positive regret."""
        regret = self.regret.setdefault(infoset, dict.fromkeys(actions, 0.0))
        return shares({action: max(regret[action], 0.0) for action in regret})

    def update(self, infoset: Infoset, gain: dict[str, float]) -> None:
        for action in gain:
            self.regret[infoset][action] += gain[action]
