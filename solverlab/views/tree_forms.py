"""The tree of one seat in two forms: with a passive node for each opponent who acts, and without.

Document 000 calls the second one standard: its nodes are the own decisions and deals, so what all others do
in between is one branch. `kept` leaves out what a growing tree, or a search, has not opened yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.frame import frame
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.core.tree import CHANCE, Choice, Tree, grow
from solverlab.views.tree import TreePicture, opened
from solverlab.views.tree_layout import visible_tree
from solverlab.views.tree_svg import EDGE, FONT, LIGHT, svg

if TYPE_CHECKING:
    import pandas as pd

MOST_DRAWN, TITLE = 150, 26  # nodes of one picture; pixels above each of several
Shown = Snapshot | Policy


def form_frame(
    snap: Shown, seat: int = 0, passive: bool = True, kept: Collection[int] | None = None
) -> pd.DataFrame:
    """A row for each node of one seat's tree: its number, path and kind, and the edge into it.

    >>> import solverlab as sl
    >>> kuhn = sl.uniform_policy(sl.Kuhn())
    >>> len(form_frame(kuhn)), len(form_frame(kuhn, passive=False))
    (9, 7)
    >>> form_frame(kuhn, passive=False)["edge"].tolist()[1:5]
    ['check, check', 'check, raise', 'raise, fold', 'raise, call']
    """
    form, nodes, edges = _form(snap, seat, passive, kept)
    kinds = [_kind(int(player), seat) for player in form.player]
    paths = [_policy(snap).names.path(node) for node in nodes]
    return frame({"node": nodes, "path": paths, "kind": kinds, "edge": edges, "parent": form.parent})


def tree_form(
    snap: Shown, seat: int = 0, passive: bool = True, kept: Collection[int] | None = None
) -> TreePicture:
    """The tree of one seat drawn in either form; how often actions are played does not matter here.

    `kept` names the public nodes below which the tree goes on (None: all of them). Without passive nodes only
    the own decisions among them count.

    >>> import solverlab as sl
    >>> "raise, fold" in tree_form(sl.uniform_policy(sl.Kuhn()), passive=False).svg
    True
    """
    form, _, edges = _form(snap, seat, passive, kept)
    words = SimpleNamespace(actions=edges, players=_policy(snap).names.players)
    thin = np.zeros(len(edges))
    shown = opened(form, at_most=MOST_DRAWN)
    return TreePicture(svg(visible_tree(form, words, None, 0, shown, reach=thin)))


def beside(pictures: Mapping[str, TreePicture]) -> TreePicture:
    """Several trees as one picture, side by side, each below its title.

    >>> import solverlab as sl
    >>> kuhn = sl.uniform_policy(sl.Kuhn())
    >>> both = beside({"ours": tree_form(kuhn), "standard": tree_form(kuhn, passive=False)})
    >>> both.svg.count("<svg"), "standard</text>" in both.svg
    (3, True)
    """
    if not pictures:
        raise BadValue("there is no tree to draw; give at least one, by its title")
    drawn, x, down = [], 0, 0
    for title, picture in pictures.items():
        size = ElementTree.fromstring(picture.svg).attrib
        words = ElementTree.Element("text", x=str(x + EDGE), y="18", fill=str(LIGHT["ink"]))
        words.text = title
        drawn += [ElementTree.tostring(words, "unicode"), picture.svg.replace("<svg", _placed(x), 1)]
        x, down = x + int(size["width"]), max(down, TITLE + int(size["height"]))
    return TreePicture(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x}" height="{down}" viewBox="0 0 {x} {down}" '
        f'font-family="{FONT}" font-size="16" font-weight="700" role="img" aria-label="trees side by side">'
        f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}"/>{"".join(drawn)}</svg>'
    )


def _placed(x: int) -> str:
    return f'<svg x="{x}" y="{TITLE}" font-weight="400"'


def _policy(snap: Shown) -> Policy:
    return snap if isinstance(snap, Policy) else snap.policy


def _kind(player: int, seat: int) -> str:
    if player == CHANCE:
        return "deal"
    return "leaf" if player < 0 else "own decision" if player == seat else "passive"


def _form(
    snap: Shown, seat: int, passive: bool, kept: Collection[int] | None
) -> tuple[Tree, list[int], list[str]]:
    """The tree in a form, the public node of each of its nodes, and the words on the edge into it."""
    policy = _policy(snap)
    players = range(len(policy.names.players))
    if isinstance(seat, bool) or not isinstance(seat, int) or seat not in players:
        raise UnknownName("seat", seat, players)
    rules = _with_passive(policy, kept) if passive else _standard(policy, seat, kept)
    return grow(0, rules)


def _with_passive(policy: Policy, kept: Collection[int] | None) -> Callable[[int], Choice | None]:
    def children(node: int) -> Choice | None:
        if policy.tree.count[node] == 0 or (kept is not None and node not in kept):
            return None
        return Choice(int(policy.tree.player[node]), dict(_next(policy, node)))

    return children


def _standard(policy: Policy, seat: int, kept: Collection[int] | None) -> Callable[[int], Choice | None]:
    def ways(node: int) -> Iterator[tuple[str, int]]:
        """What others do from here until the seat acts, cards come or the hand is over."""
        acts = int(policy.tree.player[node])
        if acts < 0 or acts == seat:
            yield "", node
            return
        for action, after in _next(policy, node):
            yield from ((f"{action}, {more}" if more else action, end) for more, end in ways(after))

    def children(node: int) -> Choice | None:
        acts = int(policy.tree.player[node])
        if policy.tree.count[node] == 0 or (acts == seat and kept is not None and node not in kept):
            return None
        if acts not in (seat, CHANCE):  # the hole cards, before others act first
            return Choice(CHANCE, dict(ways(node)))
        steps = [(step, *way) for step, after in _next(policy, node) for way in ways(after)]
        return Choice(acts, {f"{step}, {more}" if more else step: end for step, more, end in steps})

    return children


def _next(policy: Policy, node: int) -> Iterator[tuple[str, int]]:
    first, count = int(policy.tree.first[node]), int(policy.tree.count[node])
    return ((policy.names.actions[child], child) for child in range(first, first + count))
