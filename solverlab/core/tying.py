"""Ties say who cannot tell what apart.

A table row is ``(slot[n], bucket[texture[n], h])`` for the action that leads to node n with hand h. The
game's own tie is its information partition (hidden moves); an abstraction is a coarser tie on top, and never
changes the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.tree import Tree


class Tying(NamedTuple):
    """Shapes: N nodes, T textures, H hands, G groups of rows that are one decision, S slots, K buckets."""

    slot: np.ndarray  # int32[N], -1 where n is no action
    texture: np.ndarray  # int32[N]
    bucket: np.ndarray  # int32[T, H]
    player: np.ndarray  # int32[G]
    first: np.ndarray  # int32[G], first slot of the group
    count: np.ndarray  # type: ignore[assignment]  # int32[G] (not tuple's method)
    shape: tuple[int, int]  # (S, K)
    tied: bool  # False: slots are nodes and buckets are hands, so tables are [N, H]


def check_tie(tie: object) -> None:
    """Raise unless this is a tie; buckets are not one yet."""
    if isinstance(tie, Tying):
        return
    advice = "write tie=buckets.tie(game)" if hasattr(tie, "tie") else "give what buckets.tie(game) returns"
    raise BadValue(f"{type(tie).__name__} is no tie; {advice}")


def untied(tree: Tree, hands: int) -> Tying:
    """Every node and hand on its own row: the partition of a game in which all moves are seen."""
    acts = tree.player >= 0
    parent_acts = np.append(acts, False)[tree.parent]
    nodes = np.arange(len(acts), dtype=np.int32)
    return Tying(
        slot=np.where(parent_acts, nodes, -1).astype(np.int32),
        texture=np.zeros(len(acts), np.int32),
        bucket=np.arange(hands, dtype=np.int32)[None],
        player=tree.player[acts],
        first=tree.first[acts],
        count=tree.count[acts],
        shape=(len(acts), hands),
        tied=False,
    )


def tie_nodes(
    tree: Tree,
    seen: Sequence[Hashable],
    hands: int = 1,
    texture: np.ndarray | None = None,
    bucket: np.ndarray | None = None,
) -> Tying:
    """Tie decision nodes with equal `seen[n]` (one entry a node), and hands with equal bucket.

    `texture[n]` of an action says which row of `bucket[T, H]` applies to it.

    >>> from solverlab.core.tree import Choice, grow
    >>> rules = {"": Choice(0, {"H": "H", "T": "T"})}
    >>> rules |= {"H": Choice(1, {"h": 1, "t": 2}), "T": Choice(1, {"h": 3, "t": 4})}
    >>> tree, states, _ = grow("", rules.get)
    >>> tie_nodes(tree, ["first", "second", "second", *"...."]).slot.tolist()
    [-1, 0, 1, 2, 3, 2, 3]
    """
    if len(seen) != len(tree.parent):
        raise BadValue(f"{len(seen)} labels for {len(tree.parent)} nodes; give one label a node")
    buckets = np.arange(hands, dtype=np.int32)[None] if bucket is None else np.asarray(bucket, np.int32)
    slot = np.full(len(seen), -1, np.int32)
    start: dict[Hashable, int] = {}
    groups: list[tuple[int, int, int]] = []
    slots = 0
    for n in map(int, np.flatnonzero(tree.player >= 0)):
        key = (int(tree.player[n]), seen[n])
        count = int(tree.count[n])
        if key not in start:
            start[key] = len(groups)
            groups.append((int(tree.player[n]), slots, count))
            slots += count
        first, expected = groups[start[key]][1:]
        if expected != count:
            raise BadValue(
                f"nodes tied as {seen[n]!r} offer {expected} and {count} actions; tie equal choices only"
            )
        slot[tree.first[n] : tree.first[n] + count] = np.arange(first, first + count)
    player, first_slot, size = np.array(groups, np.int32).reshape(-1, 3).T.copy()
    textures = np.zeros(len(seen), np.int32) if texture is None else np.asarray(texture, np.int32)
    _check_buckets(textures, buckets, hands)
    shape = (slots, int(buckets.max()) + 1)
    return Tying(slot, textures, buckets, player, first_slot, size, shape, tied=True)


def tie_hands(tree: Tree, bucket: np.ndarray, texture: np.ndarray | None = None) -> Tying:
    """Tie hands only: hands of one bucket act alike at every node of the texture, nodes stay apart."""
    buckets = np.atleast_2d(np.asarray(bucket, np.int32))
    return tie_nodes(tree, range(len(tree.parent)), buckets.shape[1], texture, buckets)


def _check_buckets(texture: np.ndarray, bucket: np.ndarray, hands: int) -> None:
    if bucket.ndim != 2 or bucket.shape[1] != hands:
        raise BadValue(
            f"buckets of shape {bucket.shape} do not fit {hands} hands; give one bucket a texture and hand"
        )
    if bucket.min() < 0:
        raise BadValue(f"bucket {bucket.min()} is negative; number buckets from 0")
    wrong = texture[(texture < 0) | (texture >= len(bucket))]
    if len(wrong):
        raise BadValue(f"texture {wrong[0]} has no row among {len(bucket)} bucketings; add one row a texture")
