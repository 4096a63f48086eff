"""The game tree of a snapshot as a still picture, for notebooks, papers and viewers that run no scripts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.core.tree import Tree, depths
from solverlab.views.tree_fold import open_path, open_some
from solverlab.views.tree_layout import visible_tree
from solverlab.views.tree_svg import svg


@dataclass(frozen=True)
class TreePicture:
    """A drawn tree: it shows itself in a notebook, and `save` writes it to a file."""

    svg: str

    def save(self, path: str | Path) -> None:
        """Write the picture as an SVG file."""
        Path(path).write_text(self.svg, "utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'

    def __repr__(self) -> str:
        return f"TreePicture({len(self.svg):,} characters of SVG)"


def tree(
    snap: Snapshot | Policy,
    hand: str | int | None = None,
    depth: int | None = None,
    node: str | int | None = None,
) -> TreePicture:
    """The tree with the probability of each action for one hand, which lines also show by their width.

    `depth` opens that many levels (by default as many as fit about 40 nodes); `node` marks one and opens the
    path to it. Without a hand the first one is shown.

    >>> import solverlab as sl
    >>> "check" in sl.views.tree(sl.uniform_policy(sl.Kuhn()), hand="Q", depth=2).svg
    True
    """
    policy = snap if isinstance(snap, Policy) else snap.policy
    names, arrays = policy.names, policy.tree
    expanded = opened(arrays, depth)
    selected = None if node is None else names.node(node)
    if selected is not None:
        expanded = open_path(arrays, expanded, selected)
    h = names.hand(0 if hand is None else hand)
    return TreePicture(svg(visible_tree(arrays, names, policy.sigma, h, expanded, selected)))


def opened(arrays: Tree, depth: int | None = None, at_most: int = 40) -> set[int]:
    """The nodes whose children are drawn: all above `depth`, or as many levels as fit."""
    if depth is None:
        return open_some(arrays, at_most)
    if not isinstance(depth, int) or depth < 0:
        raise BadValue(f"a tree cannot be opened to depth {depth!r}; give a whole number of at least 0")
    return set(np.flatnonzero((depths(arrays) < depth) & (arrays.count > 0)).tolist())
