"""Decisions of a draw game's betting by name: the actions that lead there, "limp/push"; a draw is a "|".

What a solver keeps, what a page shows and what a size counts all come from this one walk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solverlab.core.draw_game import Act, Draw, DrawNode


class Decision(NamedTuple):
    """A place in the betting where somebody chooses, or both draw (`actions` is then empty)."""

    name: str
    player: int  # of an act; -1 where both draw
    actions: tuple[str, ...]
    after_draw: bool
    goes_on: bool  # of a draw: whether there is betting after it


def joined(name: str, action: str) -> str:
    """The name one action further on.

    >>> joined("", "limp"), joined("limp", "check"), joined("limp/check|", "bet 2")
    ('limp', 'limp/check', 'limp/check|bet 2')
    """
    return f"{name}{action}" if not name or name.endswith("|") else f"{name}/{action}"


def decisions(node: DrawNode, name: str = "") -> Iterator[Decision]:
    """Every decision of a tree, parents before children.

    >>> from solverlab.core.draw_game import Paid, Show
    >>> big_blind = Act(1, {"fold": Paid(1.0), "call": Draw(Show(3.0))})
    >>> [found.name for found in decisions(Act(0, {"fold": Paid(-0.5), "push": big_blind}))]
    ['', 'push', 'push/call']
    """
    if isinstance(node, Act):
        yield Decision(name, node.player, tuple(node.following), "|" in name, False)
        for action, child in node.following.items():
            yield from decisions(child, joined(name, action))
    elif isinstance(node, Draw):
        yield Decision(name, -1, (), False, isinstance(node.after, Act))
        yield from decisions(node.after, f"{name}|")
