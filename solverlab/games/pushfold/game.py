"""No-limit hold'em before the flop with two decisions left: move all in, or fold.

Blinds are 0.5 and 1, everybody starts with the same stack (blind included), and the unit is the big blind.
The 169 starting hands are columns; how many combos a hand has, and which hands can meet, is in the leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.leaves import LeafTable
from solverlab.core.names import Names
from solverlab.core.rows import Config
from solverlab.core.tree import Choice, leaf_nodes
from solverlab.games.betting.states import State, first_state, following
from solverlab.games.pushfold.rules import BIG_BLIND, SMALL_BLIND, check_stack, push_or_fold
from solverlab.games.pushfold.three import ThreeWayPushFold
from solverlab.games.small import SmallGame, pack_leaves

if TYPE_CHECKING:
    from solverlab.cards.all_in import AllIn

# The tables of the cards room take a moment to load: they are asked for when the first game is made.
SEATS = ("small blind", "big blind")


def PushFold(stack: float = 10, players: int = 2) -> HeadsUpPushFold | ThreeWayPushFold:
    """Heads-up hold'em in which the small blind jams or folds and the big blind calls or folds.

    `stack` is in big blinds; with `players=3` the button acts first, and three may be all in.

    >>> import solverlab as sl
    >>> game = sl.PushFold(stack=10)
    >>> game
    push/fold with 10 big blinds: 2 players, 5 nodes, 169 hands
    >>> sl.CFR(game, "CFR+").step(200).policy.at("", hand="AA")["jam"] > 0.99
    True
    """
    if isinstance(players, bool) or players not in (2, 3):
        raise BadValue(f"push/fold is played by 2 or 3 players, not {players!r}")
    return HeadsUpPushFold(stack) if players == 2 else ThreeWayPushFold(stack)


class HeadsUpPushFold(SmallGame):
    """Two players: exact payoffs and exact card removal (AA meets AA in 6 of 36 pairs).

    Folding costs the small blind 0.5; a jam that is not called wins 1; called, the better of equity e wins
    stack x (2 e - 1).
    """

    n_players = 2

    def __init__(self, stack: float = 10):
        from solverlab.cards.all_in import all_in_matrix
        from solverlab.cards.hand_classes import CLASS_NAMES

        self.stack = check_stack(stack)
        self.name = f"push/fold with {self.stack:g} big blinds"
        self.hands = CLASS_NAMES
        self.all_in: AllIn = all_in_matrix()
        self.betting = push_or_fold(self.stack, (SMALL_BLIND, BIG_BLIND))
        super().__init__()
        self.names = Names(self.tree, self.names.actions, self.hands, SEATS)

    def root(self) -> State:
        return first_state(self.betting)

    def children(self, state: State) -> Choice | None:
        return None if state.over else Choice(state.actor, following(self.betting, state))

    def payoff(self, state: State, *hands: str) -> tuple[float, float]:
        """What both win, on average over the combos and boards of two starting hands."""
        mine, theirs = (self.hands.index(hand) for hand in hands)
        wins = min(state.paid) * float(self._wins(state)[mine, theirs])
        return wins, -wins

    def deals(self) -> dict[tuple[str, ...], float]:
        """Probability of each pair of starting hands."""
        mass = self.deal_mass(0)
        return {(a, b): mass[i, j] for i, a in enumerate(self.hands) for j, b in enumerate(self.hands)}

    def deal_mass(self, node: int) -> np.ndarray:
        """Probability of each pair of starting hands, float64[169, 169]; nothing is dealt later."""
        return self.all_in.weight / self.all_in.weight.sum()

    def paid_at(self, node: int) -> tuple[float, ...]:
        """What each player has put in by the time a node is reached.

        >>> HeadsUpPushFold(10).paid_at(2)  # the small blind has jammed
        (10.0, 1.0)
        """
        return self.states[node].paid

    def showdown_table(self, returned: bool = False) -> LeafTable:
        """Payoffs at every node as if it ended there, one row a node; `returned`: uncalled chips go back.

        Before anybody acts both play for the big blind, after a jam for the stack; with `returned` for what
        both have put in.

        >>> game = HeadsUpPushFold(10)
        >>> game.showdown_table().scale.tolist(), game.showdown_table(returned=True).scale.tolist()
        ([1.0, 0.5, 10.0, 1.0, 10.0], [0.5, 0.5, 1.0, 1.0, 10.0])
        """
        return pack_leaves([self._moment(n, returned) for n in range(len(self.states))])

    def config(self) -> Config:
        return {"game": "PushFold", "stack": self.stack, "players": 2}

    def _wins(self, state: State) -> np.ndarray:
        """What the small blind wins for every chip at stake with each hand (row) against each (column)."""
        if state.folded:
            return np.full((169, 169), -1.0 if 0 in state.folded else 1.0)
        return 2 * self.all_in.equity - 1

    def _moment(self, node: int, returned: bool) -> tuple[frozenset[int], float, np.ndarray]:
        """Kind, chips at stake and payoffs for one chip, of a node where the hand ends or is cut short."""
        state = self.states[node]
        wins = self.deal_mass(node) * self._wins(state)
        stake = min(state.paid) if state.folded or returned else max(state.paid)
        return state.folded, stake, np.stack([wins, -wins])

    def _leaf_table(self) -> LeafTable:
        return pack_leaves([self._moment(int(n), False) for n in leaf_nodes(self.tree)])
