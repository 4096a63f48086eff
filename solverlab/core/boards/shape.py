"""What a pass over boards walks: the betting of a round, its boards, and where a board's rows lie in the
tables.

A hand of cards is a column, an action is a row: row `e` of board b begins at ``base[p, b] + e * width[p,
b]`` of the player's table. Columns are padded with nothing to a multiple of eight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

FOLD, SHOW, NEXT = 2, 3, 4  # kinds of nodes where nobody acts; 0 and 1 are the player who does
LANES = 8
NO_NODE = -1


class Round(NamedTuple):
    """The betting of one round: a forest of N nodes, the same on every board of the round.

    The first nodes are its roots, one for each NEXT leaf of the round before. Children stand side by
    side, behind their parents. kind int8[N]; parent, first, count, edge int32[N]: the parent (-1: a
    root), the children, and the number of the action into the node among the actions of its player; row
    int32[2, N]: which of a player's reach rows belongs to a node (a new one after each own action); rows
    int64[2], how many; edges int64[2]; leaves int32[J], the NEXT leaves; worth float32[2, N]: what a fold
    wins or costs each player; pays float32[3, N]: what a showdown is worth by sums of `lanes.py`; lanes
    int32[2, M, 8, 3]: what each player values in batches of eight reach rows of the other: row, fold
    node, showdown node (-1: none).
    """

    kind: np.ndarray
    parent: np.ndarray
    first: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # not tuple's method
    edge: np.ndarray
    row: np.ndarray
    rows: np.ndarray
    edges: np.ndarray
    roots: int
    leaves: np.ndarray
    worth: np.ndarray
    pays: np.ndarray
    lanes: np.ndarray


class Boards(NamedTuple):
    """The boards of one round (B of them), and the hands of both players on each, column by column.

    cards uint8[B, n]; parent int32[B], the board it was dealt on; below int32[B + 1], the boards dealt on
    each are below[b] to below[b + 1] of the next round; size and width int64[2, B], hands and columns;
    start int64[2, B] their place in the flat arrays: combo int16, above uint16 (place in the parent's
    columns), same uint16 (place of the same two cards in the other player's columns; his width if he
    never has them), hole uint8[., 2]. with_card int64[2, B, 53] and in_hand uint16: a player's columns
    that hold each card, card by card, from with_start[p, b]. look uint16[., 6], on the last round: how
    many hands of the other are weaker, and not stronger, among all and in the running sums of both own
    cards. images int32[B]: how many deals each board stands for; image uint16: for each of them the
    parent's column of every hand, from image_start[p, b]. chance: probability of each card dealt on the
    board before, once both hands are known.
    """

    cards: np.ndarray
    parent: np.ndarray
    below: np.ndarray
    size: np.ndarray
    width: np.ndarray
    start: np.ndarray
    combo: np.ndarray
    above: np.ndarray
    same: np.ndarray
    hole: np.ndarray
    with_card: np.ndarray
    with_start: np.ndarray
    in_hand: np.ndarray
    look: np.ndarray
    images: np.ndarray
    image: np.ndarray
    image_start: np.ndarray
    chance: float

    @property
    def number(self) -> int:
        """How many boards these are."""
        return len(self.parent)


def padded(size: int | np.ndarray) -> int | np.ndarray:
    """Columns that so many hands take.

    >>> [padded(n) for n in (1, 8, 9)]
    [8, 8, 16]
    """
    return (size + LANES - 1) // LANES * LANES


def bases(betting: Round, boards: Boards) -> np.ndarray:
    """Where the rows of each player and board begin in the player's table, int64[2, B + 1]; the last is
    its length."""
    lengths = boards.width * betting.edges[:, None]
    return np.concatenate([np.zeros((2, 1), np.int64), np.cumsum(lengths, 1)], 1)


def laned(kinds: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Reach rows with something to value, in batches of eight: int32[M, 8, 3] (row, fold node, showdown
    node).

    Folds first, showdowns last, so that few batches sum for both. A row leads to one fold and one
    showdown at most: what the other does makes a new one.
    """
    ends: dict[int, list[int]] = {}
    for place, kind in enumerate((FOLD, SHOW)):
        for node in np.flatnonzero(kinds == kind).tolist():
            ends.setdefault(int(row[node]), [NO_NODE, NO_NODE])[place] = node
    order = sorted(ends, key=lambda r: ((ends[r][1] >= 0) + (ends[r][0] < 0), r))
    batches = -(-len(order) // LANES)
    lanes = np.full((batches * LANES, 3), NO_NODE, np.int32)
    lanes[:, 0] = 0
    for place, r in enumerate(order):
        lanes[place] = r, *ends[r]
    return lanes.reshape(batches, LANES, 3)


def both_players(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Batches of both players in one array, the shorter filled with lanes that value nothing."""
    longest = max(map(len, parts))
    both = np.full((2, longest, LANES, 3), NO_NODE, np.int32)
    both[..., 0] = 0
    for player, part in enumerate(parts):
        both[player, : len(part)] = part
    return both
