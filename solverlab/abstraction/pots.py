"""Pot buckets: remember how large the pot is, roughly, and forget the bets that made it so.

Document 004, section 4: thresholds at 1.5, 2.5, ... times the starting pot, 5 to 10 buckets. A player under
such a tie has imperfect recall.
"""

from __future__ import annotations

from math import isfinite
from numbers import Real

from solverlab.core.abilities import ChipGame
from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame
from solverlab.core.percentiles import check_buckets
from solverlab.core.tree import CHANCE
from solverlab.core.tying import Tying, tie_nodes

POT_BUCKETS = 8  # the document says 5 to 10


def pot_bucket(pot: float, start: float, buckets: int = POT_BUCKETS) -> int:
    """Which of `buckets` a pot lies in: below 1.5 times the starting pot is 0, below 2.5 is 1, and so on.

    >>> [pot_bucket(pot, start=2) for pot in (2, 3, 4, 5, 10, 40)]
    [0, 1, 1, 2, 4, 7]
    """
    check_buckets(buckets)
    for label, chips in (("pot", pot), ("starting pot", start)):
        if not isinstance(chips, Real) or isinstance(chips, bool) or not isfinite(chips) or chips <= 0:
            raise BadValue(f"a {label} of {chips!r} is no pot; give a finite number of chips above 0")
    return min(int(pot / start + 0.5) - 1 if pot >= 1.5 * start else 0, buckets - 1)


def tie_by_pot(game: RangeGame, buckets: int = POT_BUCKETS) -> Tying:
    """Players who see cards, pot bucket, round and what they may do, but not how the betting went.

    >>> import solverlab as sl
    >>> game = sl.Leduc()
    >>> len(game.tie.first), len(tie_by_pot(game, 8).first), len(tie_by_pot(game, 1).first)
    (186, 102, 42)
    """
    if not isinstance(game, ChipGame):
        raise BadValue(f"{game.name} does not say what is in the pot; take a poker game such as sl.Leduc()")
    tree, names = game.tree, game.names
    start = sum(game.paid_at(0))
    board: list[tuple[str, ...]] = []
    seen: list[tuple] = []
    for n in range(len(tree.parent)):
        parent = int(tree.parent[n])
        above = board[parent] if parent >= 0 else ()
        dealt = parent >= 0 and tree.player[parent] == CHANCE
        board.append((*above, names.actions[n]) if dealt else above)
        offered = names.actions[tree.first[n] : tree.first[n] + tree.count[n]]
        seen.append((board[n], pot_bucket(sum(game.paid_at(n)), start, buckets), tuple(offered)))
    return tie_nodes(tree, seen, len(names.hands))
