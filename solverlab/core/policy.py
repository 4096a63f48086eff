"""A policy: what to do at every node with every hand, frozen.

`RowPolicy` is the contract: rows are read on demand, so a policy may live in tables too large to copy. The
`Policy` of games with a tree holds all of its rows in one array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

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
    array.setflags(write=False)  # a third of the time that its flags take
    return array


@runtime_checkable
class RowPolicy(Protocol):
    """A policy that is read row by row: what run, pages and views ask of one unless they need all of it."""

    @property
    def nbytes(self) -> int:
        """Bytes that this policy keeps alive."""

    def at(self, node: str | int, hand: str | int | None = None) -> dict[str, float]:
        """The mixed strategy at a node with a hand: action -> probability."""

    def rows(self, node: str | int) -> np.ndarray:
        """The same for every hand, float64[A, H]."""

    def reach(self, player: int, node: str | int | None = None) -> np.ndarray:
        """The player's own probability of playing to a node with each hand, float64[H]."""

    def frame(self, node: str | int | None = None) -> pd.DataFrame:
        """A table with one row an infoset and action of a node."""

    def distance(self, other: Self) -> float:
        """The largest difference of a probability from another policy of the same game."""


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
        children, h = self._children(node), self.names.hand(hand)
        return {self.names.actions[child]: float(self.sigma[child, h]) for child in children}

    def rows(self, node: str | int) -> np.ndarray:
        """The mixed strategies at a node with every hand, float64[A, H].

        >>> import solverlab as sl
        >>> sl.uniform_policy(sl.Kuhn()).rows("raise").tolist()
        [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
        """
        children = self._children(node)
        return self.sigma[children.start : children.stop]

    def reach(self, player: int, node: str | int | None = None) -> np.ndarray:
        """The player's own probability of playing to each node with each hand, float64[N, H], or to one."""
        reach = np.empty_like(self.sigma)
        reach_down(self.tree, player, self.sigma, reach, np.empty((n_leaves(self.tree), self.sigma.shape[1])))
        return reach if node is None else reach[self.names.node(node)]

    @property
    def nbytes(self) -> int:
        """Bytes of the probabilities."""
        return self.sigma.nbytes

    def distance(self, other: Policy) -> float:
        """The largest difference of a probability from another policy of the same game.

        >>> import solverlab as sl
        >>> solver = sl.CFR(sl.Kuhn())
        >>> before, after = solver.step(5), solver.step(5)
        >>> before.policy.distance(before.policy), before.policy.distance(after.policy) > 0.01
        (0.0, True)
        """
        if other.sigma.shape != self.sigma.shape:
            raise BadValue(f"{self} and {other} are of different games; compare policies of the same game")
        return float(np.abs(self.sigma - other.sigma).max(initial=0.0))

    def frame(self, node: str | int | None = None) -> pd.DataFrame:
        """One row an infoset and action: player, node, hand, action, probability, own reach as `reach`."""
        reaches = np.stack([self.reach(p) for p in range(len(self.names.players))])
        parent = self.tree.parent
        shown = np.flatnonzero(np.append(self.tree.player, -1)[parent] >= 0)
        shown = shown if node is None else np.array(self._children(node))
        child, hand = (grid.ravel() for grid in np.meshgrid(shown, self._hands(), indexing="ij"))
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

    def _children(self, node: str | int) -> range:
        n = self.names.node(node)
        if self.tree.player[n] < 0:
            raise BadValue(f"nobody acts at node {self.names.path(n)!r}; choose a node where a player acts")
        return range(int(self.tree.first[n]), int(self.tree.first[n] + self.tree.count[n]))

    def _hands(self) -> np.ndarray:
        return np.arange(len(self.names.hands))

    def __repr__(self) -> str:
        return f"Policy({self.sigma.shape[0]:,} nodes, {self.sigma.shape[1]} hands)"

    def _repr_html_(self) -> str:
        return self.frame().head(60)._repr_html_()


class LatePolicy(Policy):
    """A policy worked out when somebody first looks at it: a solver that steps on need not wait for it."""

    def __init__(self, tree: Tree, names: Names, work: Callable[[], np.ndarray]):
        """`work` returns sigma[N, H] and must not depend on anything that changes."""
        self.__dict__.update(tree=tree, names=names, _work=work)

    @cached_property
    def sigma(self) -> np.ndarray:
        """Probabilities, as in `Policy`."""
        work = self.__dict__.get("_work")
        if (
            work is not None
        ):  # None: another thread was faster, and has stored sigma before it let go of the work
            self.__dict__["sigma"] = read_only(work())
            self.__dict__.pop("_work", None)
        return self.__dict__["sigma"]


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
