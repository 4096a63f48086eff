"""What every moment of a limit game would pay if the cards were turned over there and then.

A tree that is cut short is valued like this: whoever has not folded shows down, on all boards that may still
come. Either every live player first matches the largest bet, or chips that nobody has called go back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from solverlab.core.leaves import LeafTable
from solverlab.games.betting.pots import layers, matched
from solverlab.games.small import SmallGame, check_table_size, pack_leaves

if TYPE_CHECKING:
    from solverlab.games.limit.game import LimitPoker, State


class End(NamedTuple):
    """What payoffs depend on where a hand stops: the board, who folded, and what everybody put in."""

    board: tuple[int, ...]
    folded: frozenset[int]
    paid: tuple[float, ...]


class ShowdownAnywhere(SmallGame):
    """Showdown values at every node, for games whose states know pots, boards and who folded."""

    def paid_at(self, node: int) -> tuple[float, ...]:
        """What each player has put in by the time a node is reached.

        >>> import solverlab as sl
        >>> kuhn = sl.Kuhn()
        >>> kuhn.paid_at(kuhn.names.node("raise"))
        (2.0, 1.0)
        """
        return self.states[node].paid

    def showdown_table(self, returned: bool = False) -> LeafTable:
        """Payoffs at every node as if it ended there, one row a node; `returned`: uncalled chips go back.

        >>> import solverlab as sl
        >>> game = sl.Kuhn()
        >>> table = game.showdown_table()
        >>> raised = game.names.node("raise")  # the call is taken for granted: the king wins 2 from the queen
        >>> kind = table.kind[raised]
        >>> round(6 * float(table.scale[raised] * table.matrix[0, kind, game.names.hand("Q"), 2]), 9)
        2.0
        """
        game = cast("LimitPoker", self)  # the one kind that stands on this
        moments = [_moment(game, state, returned) for state in self.states]
        kinds = len({key for key, _, _ in moments})
        check_table_size(self.name, self.n_players, len(self.hands), kinds)
        return pack_leaves(moments)


def _moment(game: LimitPoker, state: State, returned: bool) -> tuple[End, float, Callable[[], np.ndarray]]:
    """Key, scale and maker of one node's payoffs; two live players of two need one table a board."""
    end = End(state.board, state.folded, state.paid)
    if game.n_players == 2 and not state.folded:
        stake = min(state.paid) if returned else max(state.paid)
        unit, scale = end._replace(paid=(1.0, 1.0)), stake
    else:
        unit, scale = game.unit_of(end) if state.folded and game.n_players == 2 else (end, 1.0)
    return unit, scale, lambda: _tensor(game, unit, returned)


def _tensor(game: LimitPoker, end: End, returned: bool) -> np.ndarray:
    """Payoff times probability of the deal, summed over the boards still to come, float64[P, H, ..., H]."""
    everybody = frozenset(range(game.n_players))
    live = everybody - end.folded
    if len(live) == 1:
        return game.tensor(end)
    pots = list(layers(end.paid, live)) if returned else matched(end.paid, live)
    shape = (game.n_players, *(len(game.holdings),) * game.n_players)
    total = np.zeros(shape)
    for board in boards_to_come(game, end):
        for paid, seats in pots:
            total += game.tensor(End(board, everybody - seats, paid))
    return total


def boards_to_come(game: LimitPoker, state: State | End) -> Iterator[tuple[int, ...]]:
    """Every full board that can follow, dealt round by round.

    >>> import solverlab as sl
    >>> len(list(boards_to_come(sl.Leduc(), sl.Leduc().root())))
    6
    """
    boards = [state.board]
    known = len(state.board)
    for cards in game.rules.board_cards:
        if known >= cards:
            known -= cards
            continue
        boards = [
            board + more
            for board in boards
            for more in combinations([card for card in range(len(game.deck)) if card not in board], cards)
        ]
    yield from boards
