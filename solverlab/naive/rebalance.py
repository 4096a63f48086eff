"""The rebalancing of document 000 in plain lines: EVs, tanh, multiply, renormalise, all nodes at once.

Play the game in your head for every deal. Wherever it is somebody's turn, note what each action wins from the
start of the hand, weighted by how likely chance and the others were to bring this about; divided by those
weights it is an EV. When all EVs are known, multiply each probability by 1 + tanh(EV / scale).
"""

from __future__ import annotations

from math import tanh

from solverlab.core.tree import CHANCE
from solverlab.naive.infosets import Rules, Strategy, follow, infoset_of, shares


class PlainRebalance:
    """Rebalancing on the rules of a small game, with a dictionary for each table.

    >>> from solverlab.games import MatchingPennies
    >>> plain = PlainRebalance(MatchingPennies(), {((0, 0), ""): {"heads": 0.6, "tails": 0.4}})
    >>> strategy = plain.step()
    >>> round(strategy[(1, 1), ""]["heads"], 6)  # (1 - tanh 0.2) / 2
    0.401312
    """

    def __init__(self, game: Rules, start: Strategy | None = None, scale: float = 1.0):
        self.game, self.scale = game, scale
        self.strategy: Strategy = {infoset: dict(mix) for infoset, mix in (start or {}).items()}
        self.won: Strategy = {}  # infoset -> action -> winnings times the others' and chance's reach, summed
        self.mass: dict = {}  # infoset -> that reach, summed

    def step(self, sweeps: int = 1) -> Strategy:
        """Rebalance so many times; returns the strategy now played."""
        for _ in range(sweeps):
            self.won, self.mass = {}, {}
            for me in range(self.game.n_players):
                for deal, probability in self.game.deals().items():
                    self.value(me, self.game.root(), "", deal, probability)
            for infoset in self.won:
                self.rebalance(infoset)
        return self.strategy

    def value(self, me, state, said, deal, theirs: float) -> float:
        """What play from here wins for me in one deal; `theirs` is chance's and the others' reach so far."""
        choice = self.game.children(state)
        if choice is None:
            return self.game.payoff(state, *deal)[me]
        if choice.player == CHANCE:
            odds = self.game.odds(state, *deal)
        else:
            infoset = infoset_of(self.game, choice.player, state, said, deal)
            odds = self.strategy.setdefault(infoset, shares(dict.fromkeys(choice.following, 0.0)))
        values = {}
        for action, p in odds.items():
            reach = theirs if choice.player == me else theirs * p
            values[action] = self.value(me, choice.following[action], follow(said, action), deal, reach)
        if choice.player == me:
            won = self.won.setdefault(infoset, dict.fromkeys(odds, 0.0))
            self.mass[infoset] = self.mass.get(infoset, 0.0) + theirs
            for action in odds:
                won[action] += theirs * values[action]
        return sum(odds[action] * values[action] for action in odds)

    def rebalance(self, infoset) -> None:
        """p *= 1 + tanh(EV / scale), renormalised; where nobody else ever comes, p stays."""
        mass, mix = self.mass[infoset], self.strategy[infoset]
        if mass > 0:
            evs = {action: won / mass for action, won in self.won[infoset].items()}
            self.strategy[infoset] = shares({a: mix[a] * (1 + tanh(evs[a] / self.scale)) for a in mix})
