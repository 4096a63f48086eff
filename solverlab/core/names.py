"""What people call the nodes, hands and players of a game; kernels never need it, views always do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from solverlab.core.errors import UnknownName
from solverlab.core.tree import Tree

SEPARATOR = "/"


@dataclass(frozen=True)
class Names:
    """The labels of a game: `actions[n]` is the edge into node n, a node is named by the labels on its path.

    >>> from solverlab.core.tree import Choice, grow
    >>> tree, _, labels = grow("", {"": Choice(0, {"check": "c", "raise": "r"})}.get)
    >>> names = Names(tree, tuple(labels), hands=("J", "Q"), players=("first", "second"))
    >>> names.path(2), names.node("raise"), names.hand("Q")
    ('raise', 2, 1)
    >>> names
    Names(3 nodes, 2 hands, 2 players)
    """

    tree: Tree
    actions: tuple[str, ...]
    hands: tuple[str, ...] = ("",)
    players: tuple[str, ...] = ("first", "second")

    def __repr__(self) -> str:
        counts = {"nodes": len(self.actions), "hands": len(self.hands), "players": len(self.players)}
        return f"Names({', '.join(f'{count:,} {what}' for what, count in counts.items())})"

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The labels from the root to each node, joined by '/'; the root is the empty text."""
        paths = [""]
        for n in range(1, len(self.actions)):
            parent = self.tree.parent[n]
            above = paths[parent] if parent >= 0 else ""
            paths.append(above + SEPARATOR + self.actions[n] if above else self.actions[n])
        return tuple(paths)

    @cached_property
    def _node_of(self) -> dict[str, int]:
        return {path: n for n, path in enumerate(self.paths)}

    @cached_property
    def _hand_of(self) -> dict[str, int]:
        return {name: h for h, name in enumerate(self.hands)}

    def path(self, node: int) -> str:
        return self.paths[node]

    def node(self, node: str | int) -> int:
        """The id of a node given by its path (or by its id)."""
        if isinstance(node, str):
            if node.strip(SEPARATOR) not in self._node_of:
                raise UnknownName("node", node, self._near(node))
            return self._node_of[node.strip(SEPARATOR)]
        if not 0 <= node < len(self.actions):
            raise UnknownName("node", node, [f"0 to {len(self.actions) - 1}"])
        return int(node)

    def hand(self, hand: str | int | None) -> int:
        """The index of a hand given by name (or by index); None is fine where there is only one."""
        if hand is None and len(self.hands) == 1:
            return 0
        if isinstance(hand, str) and hand in self._hand_of:
            return self._hand_of[hand]
        if isinstance(hand, int) and 0 <= hand < len(self.hands):
            return hand
        raise UnknownName("hand", hand, self.hands)

    def player(self, player: int) -> str:
        return self.players[player] if player >= 0 else "chance" if player == -1 else ""

    def _near(self, node: str) -> list[str]:
        """Paths that share the longest beginning with what was asked for."""
        parts = node.strip(SEPARATOR).split(SEPARATOR)
        while parts:
            parts.pop()
            known = self._node_of.get(SEPARATOR.join(parts))
            if known is not None:
                first = self.tree.first[known]
                return [repr(self.paths[first + i]) for i in range(self.tree.count[known])]
        return []
