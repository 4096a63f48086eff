"""Abstractions of small poker games by labels: hands with equal labels in a round act alike.

A label is a function of a hand and the board cards seen. Nodes that differ only in board cards share a
decision, so what a label leaves out the player cannot see.
Put the earlier label into the later one to keep perfect recall.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import Game
from solverlab.core.tree import CHANCE, Tree
from solverlab.core.tying import Tying, tie_nodes

Label = Callable[[str, tuple[str, ...]], Hashable]


def tie_by(game: Game, *labels: Label) -> Tying:
    """Tie a small poker game by one label function a round: `label(hand, board)`, cards named as on screen.

    >>> import solverlab as sl
    >>> king_or_not = lambda hand, board: hand[0] == "K"
    >>> pairs = lambda hand, board: (hand[0] == "K", hand[0] == board[0][0])
    >>> tie_by(sl.Leduc(), king_or_not, pairs).shape
    (84, 4)
    """
    tree, names = game.tree, game.names
    boards, betting = _boards_and_betting(tree, names.actions)
    rounds = max(len(board) for board in boards) + 1
    if len(labels) != rounds:
        raise BadValue(f"{len(labels)} label functions for {rounds} rounds of {game.name}; give one a round")
    textures = list(dict.fromkeys(boards))
    numbers: list[dict[Hashable, int]] = [{} for _ in labels]
    bucket = np.empty((len(textures), len(names.hands)), np.int32)
    for t, board in enumerate(textures):
        number = numbers[len(board)]
        for h, hand in enumerate(names.hands):
            bucket[t, h] = number.setdefault(labels[len(board)](hand, board), len(number))
    # an action's texture is that of the node where it is chosen, not of the card that may follow it
    texture = np.array([textures.index(boards[max(parent, 0)]) for parent in tree.parent])
    return tie_nodes(tree, betting, len(names.hands), texture, bucket)


def _boards_and_betting(
    tree: Tree, actions: tuple[str, ...]
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The board cards and the bets on the way to each node."""
    boards: list[tuple[str, ...]] = [()]
    betting: list[tuple[str, ...]] = [()]
    for n in range(1, len(tree.parent)):
        parent = tree.parent[n]
        dealt = tree.player[parent] == CHANCE
        boards.append((*boards[parent], actions[n]) if dealt else boards[parent])
        betting.append(betting[parent] if dealt else (*betting[parent], actions[n]))
    return boards, betting
