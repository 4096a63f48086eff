"""Perfect recall: does a player remember under a tie what it saw and did?"""

from __future__ import annotations

import numpy as np

from solverlab.core.tree import Tree
from solverlab.core.tying import Tying


def has_perfect_recall(tree: Tree, tie: Tying) -> bool:
    """Whether every infoset of a tie has one past: the same own infosets and actions on the way to it.

    It is enough that the *last* own action is the same, since the infoset it was taken in has one past too.
    Without perfect recall a best response within the abstraction is no backward sweep, and CFR's guarantee is
    gone (Waugh, Zinkevich, Johanson, Kan, Schnizlein and Bowling 2009).

    >>> import solverlab as sl
    >>> from solverlab.abstraction.labels import tie_by
    >>> game = sl.Leduc()
    >>> has_perfect_recall(game.tree, game.tie)
    True
    >>> forgets = tie_by(game, lambda hand, board: hand[0], lambda hand, board: hand[0] == board[0][0])
    >>> has_perfect_recall(game.tree, forgets)
    False
    """
    return all(_remembers(tree, tie, int(player)) for player in np.unique(tie.player))


def _remembers(tree: Tree, tie: Tying, player: int) -> bool:
    """Go down the tree with each hand's last own action; all members of an infoset must bring the same."""
    hands = tie.bucket.shape[1]
    last = np.full((len(tree.parent), hands), -1, np.int64)  # row of the last own action; -1: none yet
    past: dict[int, int] = {}
    for n in range(len(tree.parent)):
        parent = tree.parent[n]
        if parent >= 0:
            last[n] = _rows(tie, n) if tree.player[parent] == player else last[parent]
        if tree.player[n] == player:
            for row, before in zip(_rows(tie, int(tree.first[n])).tolist(), last[n].tolist(), strict=True):
                if past.setdefault(row, before) != before:
                    return False
    return True


def _rows(tie: Tying, n: int) -> np.ndarray:
    """The table row of the action into node n, for every hand, int64[H]."""
    return int(tie.slot[n]) * tie.shape[1] + tie.bucket[tie.texture[n]].astype(np.int64)
