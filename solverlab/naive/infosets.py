"""What the naive twins share: what a player can tell, and strategies as dictionaries."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

import numpy as np

from solverlab.core.names import SEPARATOR, Names
from solverlab.core.policy import Policy, read_only
from solverlab.core.rows import State
from solverlab.core.tree import Choice, Tree

Infoset = tuple[Hashable, str]  # what was said (or seen), and the own hand
Strategy = dict[Infoset, dict[str, float]]


class Rules(Protocol):
    """What a small game writes, and all that the naive twins read."""

    n_players: int
    hands: tuple[str, ...]
    tree: Tree
    names: Names
    states: list[State]

    def root(self) -> State: ...
    def children(self, state: State) -> Choice | None: ...
    def payoff(self, state: State, *hands: str) -> tuple[float, ...]: ...
    def deals(self) -> dict[tuple[str, ...], float]: ...
    def odds(self, state: State, *hands: str) -> dict[str, float]: ...
    def sees(self, state: State) -> Hashable: ...


def infoset_of(game: Rules, player: int, state: State, said: str, deal: tuple[str, ...]) -> Infoset:
    """What the player to act can tell: all that was said and the own hand, less whatever the game hides."""
    seen = game.sees(state)
    return (said if seen is None else (player, seen)), deal[player]


def follow(said: str, action: str) -> str:
    """The path one action further: 'check' and then 'raise' is 'check/raise'."""
    return said + SEPARATOR + action if said else action


def shares(amounts: dict[str, float]) -> dict[str, float]:
    """Amounts as probabilities; nothing at all means everything alike."""
    whole = sum(amounts.values())
    return {name: amount / whole if whole > 0 else 1 / len(amounts) for name, amount in amounts.items()}


def policy_of(game: Rules, strategy: Strategy) -> Policy:
    """A dictionary as the policy that the fast rooms measure; infosets it lacks play uniformly.

    >>> from solverlab.games import Kuhn
    >>> policy_of(Kuhn(), {("raise", "Q"): {"fold": 1.0, "call": 0.0}}).at("raise", hand="Q")
    {'fold': 1.0, 'call': 0.0}
    """
    tree = game.tree
    sigma = np.ones((len(tree.parent), len(game.hands)))
    for n in np.flatnonzero(tree.player >= 0):
        for h, hand in enumerate(game.hands):
            deal = (hand,) * game.n_players
            infoset = infoset_of(game, int(tree.player[n]), game.states[n], game.names.paths[n], deal)
            for child in range(tree.first[n], tree.first[n] + tree.count[n]):
                played = strategy.get(infoset)
                sigma[child, h] = played[game.names.actions[child]] if played else 1 / tree.count[n]
    return Policy(tree, game.names, read_only(sigma))
