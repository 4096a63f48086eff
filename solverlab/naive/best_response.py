"""The best answer to a fixed strategy, by plain recursion over what a player can tell apart.

A best response may not peek: at an infoset it chooses one action for all histories it cannot tell apart,
weighing each by how likely chance and the others were to bring it about.
"""

from __future__ import annotations

from solverlab.core.tree import CHANCE, Choice
from solverlab.naive.infosets import Infoset, Rules, State, Strategy, follow, infoset_of, shares


class BestResponder:
    """One player's best response to everybody else's strategy (infosets it lacks play uniformly).

    >>> from solverlab.games import Kuhn
    >>> round(BestResponder(Kuhn(), {}, me=1).value(), 6)
    0.416667
    """

    def __init__(self, game: Rules, strategy: Strategy, me: int):
        self.game, self.strategy, self.me = game, strategy, me
        self.chosen: dict[Infoset, str] = {}
        self.histories: dict[Infoset, list[tuple[float, dict[str, State], str, tuple[str, ...]]]] = {}
        for deal, probability in game.deals().items():
            self._collect(game.root(), "", deal, probability)

    def value(self) -> float:
        """What the best response wins on average."""
        return sum(p * self._worth(self.game.root(), "", deal) for deal, p in self.game.deals().items())

    def choose(self, infoset: Infoset, actions: dict[str, State]) -> str:
        """The one action that is best over all histories of an infoset, weighted by their reach."""
        if infoset not in self.chosen:
            worth = dict.fromkeys(actions, 0.0)
            for reach, following, said, deal in self.histories[infoset]:
                for action, after in following.items():
                    worth[action] += reach * self._worth(after, follow(said, action), deal)
            self.chosen[infoset] = max(worth, key=worth.__getitem__)
        return self.chosen[infoset]

    def _collect(self, state: State, said: str, deal: tuple[str, ...], reach: float) -> None:
        """Note every history of my infosets with chance's and the others' probability of it."""
        choice = self.game.children(state)
        if choice is None:
            return
        if choice.player == self.me:
            infoset = infoset_of(self.game, self.me, state, said, deal)
            self.histories.setdefault(infoset, []).append((reach, choice.following, said, deal))
        for action, p in self._odds(choice, state, said, deal).items():
            self._collect(choice.following[action], follow(said, action), deal, reach * p)

    def _worth(self, state: State, said: str, deal: tuple[str, ...]) -> float:
        """What play from here wins for me in one deal, choosing best wherever it is my turn."""
        choice = self.game.children(state)
        if choice is None:
            return self.game.payoff(state, *deal)[self.me]
        if choice.player == self.me:
            best = self.choose(infoset_of(self.game, self.me, state, said, deal), choice.following)
            return self._worth(choice.following[best], follow(said, best), deal)
        odds = self._odds(choice, state, said, deal).items()
        return sum(
            p * self._worth(choice.following[action], follow(said, action), deal) for action, p in odds
        )

    def _odds(self, choice: Choice, state: State, said: str, deal: tuple[str, ...]) -> dict[str, float]:
        """The probability of every action (1 where it is mine to choose)."""
        if choice.player == CHANCE:
            return self.game.odds(state, *deal)
        if choice.player == self.me:
            return dict.fromkeys(choice.following, 1.0)
        infoset = infoset_of(self.game, choice.player, state, said, deal)
        return self.strategy.get(infoset) or shares(dict.fromkeys(choice.following, 0.0))
