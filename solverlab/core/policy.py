"""A policy: what to do at every node with every hand, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.names import Names
from solverlab.core.sweeps import reach_down
from solverlab.core.tree import Tree, n_leaves

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.core.game import Game


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Policy:
    """Probabilities ``sigma[n, h]`` of the action into node n with hand h (1 where n is no action)."""

    tree: Tree
    names: Names
    sigma: np.ndarray

    def at(self, node: str | int, hand: str | int | None = None) -> dict[str, float]:
        """The mixed strategy at a node with a hand: action -> probability.

        >>> import solverlab as sl
        >>> sl.uniform_policy(sl.Kuhn()).at("raise", hand="K")
        {'fold': 0.5, 'call': 0.5}
        """
        n, h = self.names.node(node), self.names.hand(hand)
        if self.tree.player[n] < 0:
            raise BadValue(f"nobody acts at node {self.names.path(n)!r}; choose a node where a player acts")
        children = range(self.tree.first[n], self.tree.first[n] + self.tree.count[n])
        return {self.names.actions[child]: float(self.sigma[child, h]) for child in children}

    def reach(self, player: int) -> np.ndarray:
        """The player's own probability of playing to each node with each hand, float64[N, H]."""
        reach = np.empty_like(self.sigma)
        reach_down(self.tree, player, self.sigma, reach, np.empty((n_leaves(self.tree), self.sigma.shape[1])))
        return reach

    def frame(self) -> pd.DataFrame:
        """One row an infoset and action: player, node, hand, action, probability, own reach as `reach`."""
        reaches = np.stack([self.reach(p) for p in range(len(self.names.players))])
        parent = self.tree.parent
        acts = np.append(self.tree.player, -1)[parent] >= 0
        child, hand = (
            grid.ravel() for grid in np.meshgrid(np.flatnonzero(acts), self._hands(), indexing="ij")
        )
        player = self.tree.player[parent[child]]
        return frame(
            {
                "player": [self.names.player(p) for p in player],
                "node": [self.names.paths[n] for n in parent[child]],
                "hand": [self.names.hands[h] for h in hand],
                "action": [self.names.actions[n] for n in child],
                "probability": self.sigma[child, hand],
                "reach": reaches[player, parent[child], hand],
            }
        )

    def _hands(self) -> np.ndarray:
        return np.arange(len(self.names.hands))

    def __repr__(self) -> str:
        return f"Policy({self.sigma.shape[0]:,} nodes, {self.sigma.shape[1]} hands)"

    def _repr_html_(self) -> str:
        return self.frame().head(60)._repr_html_()


def check_policy(tree: Tree, hands: int, policy: Policy) -> None:
    """Raise unless a policy belongs to this tree and is a probability everywhere somebody acts."""
    if policy.sigma.shape != (len(tree.parent), hands):
        raise BadValue(
            f"this policy is for {policy.sigma.shape[0]} nodes and {policy.sigma.shape[1]} hands but the "
            f"game has {len(tree.parent)} and {hands}; use a policy of the same game"
        )
    for n in map(int, np.flatnonzero(tree.player >= 0)):
        total = policy.sigma[tree.first[n] : tree.first[n] + tree.count[n]].sum(0)
        if not np.allclose(total, 1.0, atol=1e-9):
            raise BadValue(
                f"the probabilities at node {policy.names.path(n)!r} sum to {total.min()}; they must sum to 1"
            )


def uniform_policy(game: Game) -> Policy:
    """The policy that mixes all actions equally: where every solver starts."""
    tree = game.tree
    count = np.append(tree.count, 1)[tree.parent]
    acts = np.append(tree.player, -1)[tree.parent] >= 0
    sigma = np.where(acts, 1.0 / np.maximum(count, 1), 1.0)[:, None].repeat(len(game.names.hands), 1)
    return Policy(tree, game.names, read_only(np.ascontiguousarray(sigma)))
