"""Which nodes of a game tree are on the page: opening and closing, as sets of node ids.

A node is visible when all its ancestors are in the *expanded* set. Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import numpy as np


class Arrays(Protocol):
    """The columns of a game tree that drawing needs (``solverlab.core.tree.Tree`` has them)."""

    @property
    def parent(self) -> np.ndarray: ...
    @property
    def player(self) -> np.ndarray: ...
    @property
    def first(self) -> np.ndarray: ...
    @property
    def count(self) -> np.ndarray: ...
    @property
    def leaf(self) -> np.ndarray: ...
    @property
    def chance(self) -> np.ndarray: ...


def visible(parent: np.ndarray, first: np.ndarray, count: np.ndarray, expanded: Collection[int]) -> list[int]:
    """The nodes on the page, from top to bottom, parents first: those whose ancestors are all expanded."""
    order: list[int] = []
    waiting = np.flatnonzero(np.asarray(parent) < 0)[::-1].tolist()
    while waiting:
        n = waiting.pop()
        order.append(n)
        if n in expanded:
            waiting.extend(range(int(first[n] + count[n]) - 1, int(first[n]) - 1, -1))
    return order


def descendants(tree: Arrays) -> np.ndarray:
    """How many nodes stand below each node, int64[N]; level by level, so a million nodes take a moment."""
    first, count = np.asarray(tree.first, np.int64), np.asarray(tree.count, np.int64)
    level, levels = np.flatnonzero(np.asarray(tree.parent) < 0), []
    while len(level):
        levels.append(level)
        inner = level[count[level] > 0]
        starts, sizes = first[inner], count[inner]
        level = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    below = np.zeros(len(first), np.int64)
    for level in reversed(levels[1:]):
        np.add.at(below, np.asarray(tree.parent)[level], below[level] + 1)
    return below


def toggle(tree: Arrays, expanded: Collection[int], node: int, deep: bool = False) -> set[int]:
    """The expanded set after opening or closing one node; `deep` opens or closes everything below it as well.

    A shallow close keeps what is open further down, so that opening again brings the old picture back.
    """
    opening = node not in expanded
    touched, waiting = set(), [node]
    while waiting:
        n = waiting.pop()
        if tree.count[n]:
            touched.add(n)
            waiting.extend(_children(tree, n) if deep else ())
    return set(expanded) | touched if opening else set(expanded) - touched


def open_some(tree: Arrays, at_most: int = 40) -> set[int]:
    """A first picture: open nodes level by level while no more than `at_most` nodes are on the page."""
    opened, shown = set(), np.flatnonzero(np.asarray(tree.parent) < 0).tolist()
    for n in shown:  # grows while we walk it: breadth first
        if len(shown) + tree.count[n] > at_most:
            break
        if tree.count[n]:
            opened.add(n)
            shown.extend(_children(tree, n))
    return opened


def open_path(tree: Arrays, expanded: Collection[int], node: int) -> set[int]:
    """The expanded set with every ancestor of `node` opened, so that it stands on the page."""
    opened = set(expanded)
    while (node := int(tree.parent[node])) >= 0:
        opened.add(node)
    return opened


def shown(tree: Arrays, expanded: Collection[int], node: int) -> int:
    """The node itself where it is visible, else the closed ancestor it is folded into."""
    visible_one, n = node, node
    while (n := int(tree.parent[n])) >= 0:
        visible_one = visible_one if n in expanded else n
    return visible_one


def _children(tree: Arrays, node: int) -> range:
    return range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))
