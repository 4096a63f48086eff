"""Hand strength by rolling every runout out against every opponent: three loops, nothing shared.

The fast tables sort the hands of a board once and count by place; here each opponent is met one by one. The
loops are compiled, because a single flop hand meets 1,070,190 showdowns.
"""

from __future__ import annotations

import numpy as np

from solverlab.cards.evaluate_high import rank7
from solverlab.core.kernel import inner_kernel, kernel


@inner_kernel
def _points(hole, board):
    """2 x wins + ties of a hand on a complete board against all 990 opponents."""
    own = rank7(hole[0], hole[1], board[0], board[1], board[2], board[3], board[4])
    points = 0
    for a in range(52):
        for b in range(a):
            clash = a in (hole[0], hole[1]) or b in (hole[0], hole[1])
            for card in board:
                clash = clash or a == card or b == card
            if not clash:
                other = rank7(a, b, board[0], board[1], board[2], board[3], board[4])
                points += 2 if own > other else 1 if own == other else 0
    return points


@kernel
def _sums(hole, board, size):
    """Sum of points and of squared points over all ways to complete a board of `size` cards."""
    used = np.zeros(52, np.bool_)
    for card in hole:
        used[card] = True
    for k in range(size):
        used[board[k]] = True
    total = squares = 0
    for turn in range(52):
        for river in range(turn + 1):
            wanted = size == 5 and turn == 0 and river == 0
            wanted = wanted or (size == 4 and river == 0 and not used[turn])
            wanted = wanted or (size == 3 and river < turn and not used[turn] and not used[river])
            if wanted:
                if size < 5:
                    board[size] = turn
                if size < 4:
                    board[4] = river
                points = _points(hole, board)
                total += points
                squares += points * points
    return total, squares


def sums(hole: np.ndarray, board: np.ndarray) -> tuple[int, int]:
    """Integer sums of HS x 1,980 and of its square over all runouts, by brute force.

    HS = (wins + ties / 2) / 990 opponents, so HS x 1,980 = 2 wins + ties is a whole number.

    A royal flush on the river beats all 990:

    >>> from solverlab.cards.cards import parse_cards
    >>> sums(np.array(parse_cards("AhKh")), np.array(parse_cards("QhJhTh2c3d")))
    (1980, 3920400)
    """
    full = np.zeros(5, np.int64)
    full[: len(board)] = board
    return _sums(hole.astype(np.int64), full, len(board))
