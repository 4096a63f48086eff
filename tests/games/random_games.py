"""Games nobody designed: layers of public, hidden and chance moves, private hands, random payoffs."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from solverlab.core import sweeps
from solverlab.core.policy import Policy
from solverlab.core.tree import CHANCE, Choice
from solverlab.games import SmallGame
from solverlab.naive import infoset_of


class Layer(NamedTuple):
    """One move of every history: who makes it, out of how many actions, whether others see it."""

    player: int
    actions: int
    public: bool
    may_quit: bool  # a public first action that ends the game


class RandomGame(SmallGame):
    """Layers fix who moves; deals, chance and payoffs come from a seed. Players forget nothing they saw."""

    def __init__(self, seed: int, layers: tuple[Layer, ...], players: int, hands: int, zero_sum: bool):
        rng = np.random.default_rng(seed)
        self.name, self.n_players, self.layers = f"random game {seed}", players, layers
        self.hands = tuple("abcde"[:hands]) if hands > 1 else ("",)
        every = list(product(self.hands, repeat=players))
        weight = rng.random(len(every)) * (rng.random(len(every)) < 0.8) + 1e-3
        self.weights = dict(zip(every, (weight / weight.sum()).tolist(), strict=True))
        self.seed, self.zero_sum = seed, zero_sum
        self.paid: dict[tuple[str, ...], tuple[float, ...]] = {}
        draws = [rng.random(layer.actions) + 0.1 for layer in layers]
        self.layer_odds = [tuple((draw / draw.sum()).tolist()) for draw in draws]
        super().__init__()

    def root(self) -> tuple[str, ...]:
        return ()

    def deals(self) -> dict[tuple[str, ...], float]:
        return self.weights

    def children(self, state: tuple[str, ...]) -> Choice | None:
        if len(state) == len(self.layers) or (state and state[-1] == "quit"):
            return None
        layer = self.layers[len(state)]
        labels = [f"{len(state)}.{a}" for a in range(layer.actions)]
        if layer.may_quit and layer.public and layer.player != CHANCE:
            labels[0] = "quit"
        odds = self.layer_odds[len(state)] if layer.player == CHANCE else None
        return Choice(layer.player, {label: (*state, label) for label in labels}, odds)

    def payoff(self, state: tuple[str, ...], *hands: str) -> tuple[float, ...]:
        key = (*state, *hands)
        if key not in self.paid:
            rng = np.random.default_rng((self.seed, *map(ord, "/".join(key))))
            wins = rng.normal(size=self.n_players).round(3).tolist()
            self.paid[key] = (wins[0], -wins[0]) if self.zero_sum else tuple(wins)
        return self.paid[key]

    def sees(self, state: tuple[str, ...]):
        if all(layer.public for layer in self.layers):
            return None
        me = self.layers[len(state)].player
        moves = zip(self.layers, state, strict=False)
        return tuple(label if layer.public or layer.player == me else "?" for layer, label in moves)


def layers(players: int, hidden: bool = True) -> st.SearchStrategy[tuple[Layer, ...]]:
    """Two to four moves of two or three actions."""
    layer = st.builds(
        Layer,
        player=st.integers(CHANCE, players - 1),
        actions=st.integers(2, 3),
        public=st.booleans() if hidden else st.just(True),
        may_quit=st.booleans(),
    )
    return st.lists(layer, min_size=2, max_size=4).map(tuple)


def games(players: int = 2, hidden: bool = True, zero_sum: bool = False) -> st.SearchStrategy[RandomGame]:
    return st.builds(
        RandomGame,
        seed=st.integers(0, 10**6),
        layers=layers(players, hidden),
        players=st.just(players),
        hands=st.integers(1, 3 if players == 2 else 2),
        zero_sum=st.just(zero_sum),
    )


def random_policy(game, seed: int, pure_share: float = 0.2) -> Policy:
    """Random probabilities for every infoset of the game; a share of the actions is never played."""
    rng = np.random.default_rng(seed)
    table = rng.random(game.tie.shape) * (rng.random(game.tie.shape) > pure_share)
    sweeps.normalise(game.tie, table.copy(), table)
    sigma = np.empty((len(game.tree.parent), len(game.names.hands)))
    sweeps.spread(game.tree, game.tie, table, sigma)
    return Policy(game.tree, game.names, sigma)


def strategy_of(game, policy: Policy) -> dict:
    """A policy as the dictionary that the naive twins read."""
    strategy = {}
    for n in np.flatnonzero(game.tree.player >= 0):
        for hand in game.hands:
            deal = (hand,) * game.n_players
            key = infoset_of(game, int(game.tree.player[n]), game.states[n], game.names.paths[n], deal)
            strategy[key] = policy.at(int(n), hand)
    return strategy
