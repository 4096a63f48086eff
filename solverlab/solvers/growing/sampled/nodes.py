"""A strategy tree for every position and every holding, all in one set of columns that only ever grow.

Node 0 is nowhere: where an actor stands once play has left its tree. Node 1 + position * H + hand is the root
of a (position, holding) tree: hole cards, and nothing else. Children are contiguous and follow their parent,
so node ids are for ever.

What the trees have in common is the public tree: the same bets and the same own buckets on the way. Each node
knows its public node, and `expanded[public node, position, holding]` says which trees reach beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from solverlab.core.dealt_game import DealtGame
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.names import Names
from solverlab.core.tree import CHANCE, LEAF, Tree

NOWHERE = 0
MOST_NODES = 20_000_000
KINDS = ("leaf", "action", "passive", "deal")


class Nodes(NamedTuple):
    """The columns of a forest for kernels (N nodes); `first` is 0 where a tree ends.

    parent, first, count, state (of the betting), tree (position * H + hand), public: int32[N]; sigma
    float64[N], the probability of the own action into a node, 1 elsewhere.
    """

    parent: np.ndarray
    first: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # (not tuple's method)
    state: np.ndarray
    tree: np.ndarray
    public: np.ndarray
    sigma: np.ndarray


Which = TypeVar("Which", int, np.ndarray)  # one node, or many at once


class Columns:
    """Arrays of equal length with room to grow."""

    def __init__(self, **kinds: type):
        self.size = 0
        self._held: dict[str, np.ndarray] = {name: np.zeros(1024, kind) for name, kind in kinds.items()}

    def extend(self, count: int, **values: ArrayLike) -> int:
        """Append rows; columns that are not named are 0. Returns the first new row."""
        begin, self.size = self.size, self.size + count
        for name, array in self._held.items():
            if self.size > len(array):
                self._held[name] = array = np.concatenate([array, np.zeros(self.size, array.dtype)])
            if name in values:
                array[begin : self.size] = values[name]
        return begin

    def __getattr__(self, name: str) -> np.ndarray:
        held = self.__dict__.get("_held", {})
        if name not in held:
            raise AttributeError(name)
        return held[name][: self.size]


class ForestNodes:
    """The forest of a game: one tree for each position and holding, at first nothing but roots."""

    def __init__(self, game: DealtGame, most: int = MOST_NODES):
        self.game, self.most = game, most
        self.hands, self.trees = len(game.hand_names), game.n_players * len(game.hand_names)
        self.columns = Columns(
            parent=np.int32, first=np.int32, count=np.int32, state=np.int32, tree=np.int32, public=np.int32,
            sigma=np.float64,
        )  # fmt: skip
        self.columns.extend(1, parent=-1, tree=-1, sigma=1.0)
        self._fits(self.trees)
        self.columns.extend(self.trees, parent=-1, tree=np.arange(self.trees), sigma=1.0)
        self.common = Columns(parent=np.int32, player=np.int32, first=np.int32, count=np.int32)
        self.common.extend(1, parent=-1, player=LEAF)
        self.labels = [""]
        self.log: list[int] = []  # expanded nodes in order: all there is to know about the shape

    def __len__(self) -> int:
        """Nodes of all trees; nowhere is none."""
        return self.columns.size - 1

    def arrays(self) -> Nodes:
        """The columns as they are now; expanding makes new ones."""
        return Nodes(*(getattr(self.columns, name) for name in Nodes._fields))

    def root(self, position: int, hand: int) -> int:
        return 1 + position * self.hands + hand

    def position(self, node: Which) -> Which:
        return self.columns.tree[node] // self.hands

    def hand(self, node: Which) -> Which:
        return self.columns.tree[node] % self.hands

    def kind(self, node: int) -> str:
        """leaf, action (its own position acts), passive (another acts) or deal."""
        if not self.columns.first[node]:
            return "leaf"
        actor = self.game.rows().actor[self.columns.state[node]]
        return "deal" if actor < 0 else "action" if actor == self.position(node) else "passive"

    def frontier(self) -> np.ndarray:
        """The leaves that could be expanded: the hand goes on, and this position is still in it."""
        rows, state = self.game.rows(), self.columns.state
        goes_on = (rows.actor[state] >= 0) | rows.deals[state]
        inside = rows.live[state] >> (self.columns.tree // self.hands).clip(0).astype(np.uint32) & 1
        ready = goes_on & (inside == 1) & (self.columns.first == 0)
        ready[NOWHERE] = False
        return np.flatnonzero(ready)

    def expand(self, nodes: Iterable[int]) -> None:
        """Give each of these leaves its children, one level of whatever comes next: all of them, or none."""
        chosen = list(nodes)
        for node in chosen:
            if not self.can_grow(node):
                raise BadValue(f"node {node!r} is not on the frontier; choose a leaf where the hand goes on")
        if len(set(chosen)) < len(chosen):
            raise BadValue("a node can grow only once; name each leaf once")
        self._fits(sum(len(self.game.names_of(int(self.columns.state[node]))) for node in chosen))
        for node in chosen:
            self._expand(node)

    def grow_again(self, log: Iterable[int]) -> None:
        """Grow as a log says, one leaf after the other: later ones may be children of earlier ones."""
        for node in map(int, log):
            self.expand([node])

    def can_grow(self, node: object) -> bool:
        """Whether a node is on the frontier."""
        if not isinstance(node, int | np.integer) or isinstance(node, bool):
            return False
        if not NOWHERE < node < self.columns.size or self.columns.first[node]:
            return False
        state = self.game.state(int(self.columns.state[node]))
        return state.live[self.position(int(node))] and (state.actor >= 0 or state.deals)

    def _expand(self, node: int) -> None:
        columns, state = self.columns, int(self.columns.state[node])
        labels, after = self.game.names_of(state), self.game.open(state)
        actor = self.game.state(state).actor
        own = actor == self.position(node)
        common = self._common_children(int(columns.public[node]), actor, labels)
        begin = columns.extend(
            len(labels),
            parent=node,
            state=np.asarray(after) if len(after) == len(labels) else after[0],
            tree=columns.tree[node],
            public=np.arange(common, common + len(labels)),
            sigma=1.0 / len(labels) if own else 1.0,
        )
        columns.first[node], columns.count[node] = begin, len(labels)
        self.log.append(node)

    def _common_children(self, public: int, actor: int, labels: list[str]) -> int:
        """Where the children of a public node are; the first tree to go there makes them."""
        common = self.common
        if not common.first[public]:
            begin = common.extend(len(labels), parent=public, player=LEAF)
            common.first[public], common.count[public] = begin, len(labels)
            common.player[public] = actor if actor >= 0 else CHANCE
            self.labels += labels
        return int(common.first[public])

    def _fits(self, more: int) -> None:
        if self.columns.size + more > self.most:
            raise TooLarge(
                f"the forest would have more than {self.most:,} nodes; use 169 classes, fewer buckets or "
                "bets, or expand fewer leaves"
            )

    # ---- for the eye ---------------------------------------------------------------------------------------

    def way_to(self, public: int) -> list[str]:
        """How one comes to a public node: the labels from the root on."""
        labels: list[str] = []
        while public > 0:
            labels.append(self.labels[public])
            public = int(self.common.parent[public])
        return labels[::-1]

    def public_tree(self) -> Tree:
        """What the trees have in common; the children of a deal are own buckets, equally likely."""
        common = self.common
        player, parent = common.player.copy(), common.parent.copy()
        leaf = np.where(player == LEAF, np.cumsum(player == LEAF) - 1, -1).astype(np.int32)
        dealt = np.append(player, LEAF)[parent] == CHANCE
        chance = np.where(dealt, 1.0 / np.append(common.count, 1)[parent].clip(1), 1.0)
        return Tree(parent, player, common.first.copy(), common.count.copy(), leaf, chance)

    def public_names(self, tree: Tree) -> Names:
        return Names(tree, tuple(self.labels), tuple(self.game.hand_names), tuple(self.game.seats))

    def expanded(self) -> np.ndarray:
        """Which trees reach beyond which public node, bool[public nodes, positions, holdings]."""
        mask = np.zeros((self.common.size, self.game.n_players, self.hands), bool)
        inner = np.flatnonzero(self.columns.first)
        mask[self.columns.public[inner], self.position(inner), self.hand(inner)] = True
        return mask
