"""What every moment of a limit game would pay if the cards were turned over there and then.

A tree that is cut short is valued like this: whoever has not folded shows down, on all boards that may still
come. Either every live player first matches the largest bet, or chips that nobody has called go back.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from solverlab.core.leaves import LeafTable
from solverlab.games.small import SmallGame, check_table_size, pack_leaves

if TYPE_CHECKING:
    from solverlab.games.limit import LimitPoker, State


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
        moments = [_moment(self, state, returned) for state in self.states]
        kinds = len({key for key, _, _ in moments})
        check_table_size(self.name, self.n_players, len(self.hands), kinds)
        return pack_leaves(moments)


def _moment(game: Any, state: State, returned: bool) -> tuple[Any, float, Any]:
    """Key, scale and maker of one node's payoffs; two live players of two need one table a board."""
    if game.n_players == 2 and not state.folded:
        stake = min(state.paid) if returned else max(state.paid)
        unit, scale = state._replace(paid=(1.0, 1.0)), stake
    else:
        unit, scale = game._unit(state) if state.folded and game.n_players == 2 else (state, 1.0)
    key = (unit.board, unit.folded, unit.paid)
    return key, scale, lambda: _tensor(game, unit, returned)


def _tensor(game: Any, state: State, returned: bool) -> np.ndarray:
    """Payoff times probability of the deal, summed over the boards still to come, float64[P, H, ..., H]."""
    live = [seat for seat in range(game.n_players) if seat not in state.folded]
    if len(live) == 1:
        return game._tensor(state)
    pots = list(side_pots(state.paid, state.folded)) if returned else [_matched(state.paid, state.folded)]
    shape = (game.n_players, *(len(game.holdings),) * game.n_players)
    total = np.zeros(shape)
    for board in boards_to_come(game, state):
        for paid, out in pots:
            total += game._tensor(state._replace(board=board, paid=paid, folded=out))
    return total


def _matched(paid: tuple[float, ...], folded: frozenset[int]) -> tuple[tuple[float, ...], frozenset[int]]:
    """Every live player puts in as much as the largest bet."""
    most = max(paid)
    return tuple(chips if seat in folded else most for seat, chips in enumerate(paid)), folded


def side_pots(
    paid: tuple[float, ...], folded: frozenset[int]
) -> Iterator[tuple[tuple[float, ...], frozenset[int]]]:
    """Layers of the pot: what each seat has in it and who cannot win it; a layer of one goes back to it.

    >>> list(side_pots((2.0, 1.0, 2.0), frozenset()))
    [((1.0, 1.0, 1.0), frozenset()), ((1.0, 0.0, 1.0), frozenset({1}))]
    """
    below = 0.0
    for level in sorted({chips for seat, chips in enumerate(paid) if seat not in folded}):
        layer = tuple(min(max(chips - below, 0.0), level - below) for chips in paid)
        out = folded | {seat for seat, chips in enumerate(paid) if chips < level}
        if any(layer):
            yield layer, out
        below = level


def boards_to_come(game: LimitPoker, state: State) -> Iterator[tuple[int, ...]]:
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
