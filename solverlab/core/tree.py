"""The game tree as six parallel arrays: an action *is* the node it leads to.

Two invariants carry everything: ``parent[n] < n`` and siblings are contiguous. So a sweep towards the leaves
is a forward loop, a sweep towards the root a backward loop, and a tree that grows only appends rows: node ids
are for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.kernel import kernel
from solverlab.core.rows import State

CHANCE = -1
LEAF = -2
MOST_NODES = 1_000_000


class Tree(NamedTuple):
    """Who acts where, and what follows; kernels take it whole.

    Shapes: N nodes. ``leaf[n]`` numbers the leaves 0..L-1 (-1 elsewhere); ``chance[n]`` is the probability of
    a chance node's child (1 elsewhere, and where the game keeps card-dependent chance in its leaf values).
    """

    parent: np.ndarray  # int32[N], -1 at a root
    player: np.ndarray  # int32[N], who acts; CHANCE or LEAF
    first: np.ndarray  # int32[N], first child
    count: np.ndarray  # type: ignore[assignment]  # int32[N], number of children (not tuple's method)
    leaf: np.ndarray  # int32[N]
    chance: np.ndarray  # float64[N]


class Choice(NamedTuple):
    """What can happen in a state: who moves, the labelled states that follow, and chance's probabilities."""

    player: int
    following: dict[str, State]
    probabilities: tuple[float, ...] | None = None


def grow(
    root: State, children: Callable[[State], Choice | None], most: int = MOST_NODES
) -> tuple[Tree, list[State], list[str]]:
    """Build a whole tree from rules: the tree, the state of every node, the label of the edge into it.

    >>> halves = {"": Choice(0, {"left": "l", "right": "r"})}
    >>> tree, states, labels = grow("", halves.get)
    >>> states, labels, tree.leaf.tolist()
    (['', 'l', 'r'], ['', 'left', 'right'], [-1, 0, 1])
    """
    states, labels = [root], [""]
    parent, player, first, count, chance = [-1], [LEAF], [0], [0], [1.0]
    n = 0
    while n < len(states):
        choice = children(states[n])
        if choice is not None:
            _check_choice(choice, labels[n])
            player[n], first[n], count[n] = choice.player, len(states), len(choice.following)
            for label, state in choice.following.items():
                states.append(state)
                labels.append(label)
            added = count[n]
            parent += [n] * added
            player += [LEAF] * added
            first += [0] * added
            count += [0] * added
            chance += list(choice.probabilities or [1.0] * added)
            if len(states) > most:
                raise TooLarge(
                    f"this tree has more than {most:,} nodes; "
                    "use fewer cards, rounds or raises so that it stays below"
                )
        n += 1
    return _tree(parent, player, first, count, chance), states, labels


def append(tree: Tree, node: int, player: int, children: int, chance: np.ndarray | None = None) -> Tree:
    """Expand one leaf by `children` new leaves: only its own row changes, the new rows follow the old ones.

    The first new leaf takes over the expanded leaf's number, so leaf numbers stay dense.
    """
    if not 0 <= node < len(tree.parent) or tree.leaf[node] < 0:
        raise BadValue(f"node {node} is not a leaf, so it cannot be expanded; choose a leaf")
    if children < 1:
        raise BadValue(f"{children} children is not an expansion; add at least one")
    old, leaves = len(tree.parent), int(tree.leaf.max()) + 1
    grown = Tree(*(np.concatenate([column, np.zeros(children, column.dtype)]) for column in tree))
    grown.parent[old:], grown.player[old:] = node, LEAF
    grown.chance[old:] = 1.0 if chance is None else chance
    grown.leaf[old:] = np.r_[tree.leaf[node], np.arange(leaves, leaves + children - 1)]
    grown.player[node], grown.first[node], grown.count[node], grown.leaf[node] = player, old, children, -1
    return grown


def check_tree(tree: Tree) -> None:
    """Raise unless the invariants hold; every game's tree passes through here once."""
    nodes = np.arange(len(tree.parent))
    inner = tree.count > 0
    if not (tree.parent < nodes).all():
        raise BadValue("a node stands before its parent; number parents first")
    for n in np.flatnonzero(inner):
        if (tree.parent[tree.first[n] : tree.first[n] + tree.count[n]] != n).any():
            raise BadValue(f"the children of node {n} are not contiguous; append siblings together")
    if not ((tree.player == LEAF) == (tree.leaf >= 0)).all() or (inner == (tree.leaf >= 0)).any():
        raise BadValue("leaf numbers and leaf nodes disagree; a leaf has a number and no children")


def n_leaves(tree: Tree) -> int:
    return int((tree.leaf >= 0).sum())


def leaf_nodes(tree: Tree) -> np.ndarray:
    """The node of each leaf number, int64[L]."""
    nodes = np.flatnonzero(tree.leaf >= 0)
    return nodes[np.argsort(tree.leaf[nodes])]


def depths(tree: Tree) -> np.ndarray:
    """Distance from the root, int32[N]."""
    depth = np.zeros(len(tree.parent), np.int32)
    for n in range(len(depth)):
        if tree.parent[n] >= 0:
            depth[n] = depth[tree.parent[n]] + 1
    return depth


def chance_reach(tree: Tree) -> np.ndarray:
    """Product of chance's probabilities from the root, float64[N]: fixed as long as the tree is."""
    reach = tree.chance.copy()
    multiply_down(tree.parent, reach)
    return reach


@kernel
def multiply_down(parent, reach):
    """From the roots on, every node's number times its parent's, in place."""
    for n in range(parent.shape[0]):
        if parent[n] >= 0:
            reach[n] *= reach[parent[n]]


def _check_choice(choice: Choice, label: Hashable) -> None:
    if not choice.following:
        raise BadValue(f"the state after {label!r} offers no action; return None where the game ends")
    if choice.probabilities is None:
        return
    if len(choice.probabilities) != len(choice.following):
        raise BadValue(
            f"chance after {label!r} has {len(choice.probabilities)} probabilities for "
            f"{len(choice.following)} outcomes; give one each"
        )
    if min(choice.probabilities) < 0 or not np.isclose(sum(choice.probabilities), 1.0):
        raise BadValue(
            f"chance after {label!r} has probabilities {choice.probabilities}; "
            "they must be at least 0 and sum to 1"
        )


def _tree(parent: list, player: list, first: list, count: list, chance: list) -> Tree:
    players = np.array(player, np.int32)
    leaf = np.where(players == LEAF, np.cumsum(players == LEAF) - 1, -1).astype(np.int32)
    parents, firsts, counts = (np.array(column, np.int32) for column in (parent, first, count))
    return Tree(parents, players, firsts, counts, leaf, np.array(chance, np.float64))
