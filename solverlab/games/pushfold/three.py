"""Push/fold with three players: a joint deal of 169 x 169 x 169 hands, summed and never tabulated."""

from __future__ import annotations

from functools import partial

import numpy as np

from solverlab.core.names import Names
from solverlab.core.node_values import NodeValues
from solverlab.core.rows import Config
from solverlab.core.tree import Choice, grow, leaf_nodes
from solverlab.core.tying import untied
from solverlab.games.betting.pots import Chips, Layer, layers, matched
from solverlab.games.betting.states import State, first_state, following
from solverlab.games.pushfold.leaves import Contraction, add_up, merged
from solverlab.games.pushfold.rules import BIG_BLIND, SMALL_BLIND, check_stack, push_or_fold

SEATS = ("button", "small blind", "big blind")
BLINDS = (0.0, SMALL_BLIND, BIG_BLIND)
DEALS = 1326.0 * 1225.0 * 1128.0


class ThreeWayPushFold:
    """Three players: the button jams or folds, the blinds call, jam over a fold, or fold.

    Who is dealt what is exact for all three hands together. Two-way pots use the exact 169 x 169 equities,
    which do not know what the third player folded; shares of three-way pots are a fixed sample
    (`solverlab.cards.all_in_three`). There is no exploitability with three players: measure
    `sl.deviation_gains`.
    """

    n_players = 3

    def __init__(self, stack: float = 10):
        from solverlab.cards.all_in import all_in_matrix
        from solverlab.cards.all_in_three import three_way
        from solverlab.cards.hand_classes import CLASS_NAMES

        self.stack = check_stack(stack)
        self.name = f"three-way push/fold with {self.stack:g} big blinds"
        self.hands = CLASS_NAMES
        self.betting = push_or_fold(self.stack, BLINDS)
        self.tree, self.states, labels = grow(first_state(self.betting), self.children)
        self.names = Names(self.tree, tuple(labels), self.hands, SEATS)
        self.tie = untied(self.tree, len(self.hands))
        tables = three_way()
        self.triples, self.shares = tables.deals, tables.deals * tables.share
        # own hand last: equity[opponent, own]
        self.equity = np.ascontiguousarray(all_in_matrix().equity.T)
        self.plans = self._plans([self._pots(int(n)) for n in leaf_nodes(self.tree)])
        one = self._scaled(np.ones((169, 169)))
        self.masses = [
            [[Contraction(self.triples, *others, one)]] * len(self.states)
            for others in ((1, 2), (0, 2), (0, 1))
        ]

    def children(self, state: State) -> Choice | None:
        return None if state.over else Choice(state.actor, following(self.betting, state))

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        return add_up(self.plans, me, reach)

    def paid_at(self, node: int) -> Chips:
        """What each player has put in by the time a node is reached."""
        return self.states[node].paid

    # ---- trees that are cut short --------------------------------------------------------------------------

    def node_mass(self, me: int, reach: np.ndarray) -> np.ndarray:
        """The others' probability of every node together with each own hand, [N, H] from reach[P, N, H]."""
        return add_up(self.masses, me, reach)

    def pair_mass(self, one: int, other: int) -> np.ndarray:
        """Probability of the hands of two seats, float64[169, 169], whichever seats they are."""
        return self.triples.sum(axis=0, dtype=np.float64) / DEALS

    def showdown_table(self, returned: bool = False) -> NodeValues:
        """Values of every node as if it ended there, as limit poker's `showdown_table`, but a function.

        Live players match the largest bet, or, with `returned`, uncalled chips go back and what is left is
        played for in layers: after the button's jam three play for 0.5 each and two of them for 0.5 more.
        """
        plans = self._plans([self._pots(n, returned) for n in range(len(self.states))])
        return partial(add_up, plans)

    def config(self) -> Config:
        return {"game": "PushFold", "stack": self.stack, "players": 3}

    def __repr__(self) -> str:
        return f"{self.name}: 3 players, {len(self.tree.parent)} nodes, {len(self.hands)} hands"

    # ---- pots ----------------------------------------------------------------------------------------------

    def _pots(self, node: int, returned: bool = False) -> list[Layer]:
        """The layers of the pot; a hand that is over keeps its one layer."""
        paid, live = self.paid_at(node), frozenset(range(3)) - self.states[node].folded
        return list(layers(paid, live)) if returned else matched(paid, live)

    def _plans(self, nodes: list[list[Layer]]) -> list[list[list[Contraction]]]:
        """How the pots of every node are summed for each player."""
        return [
            [merged([part for pot in pots for part in self._parts(*pot, me)]) for pots in nodes]
            for me in range(self.n_players)
        ]

    def _parts(self, paid: Chips, seats: frozenset[int], me: int) -> list[Contraction]:
        """How one pot is summed for one player: which tensor, in which order, times what."""
        first, second = (seat for seat in range(3) if seat != me)
        live, shape, pot = sorted(seats), (169, 169), sum(paid)
        if me in live and len(live) == 3:
            pays = Contraction(self.shares, first, second, self._scaled(np.full(shape, pot)))
            return [pays, Contraction(self.triples, first, second, self._scaled(np.full(shape, -paid[me])))]
        if me in live and len(live) == 2:
            other = live[0] if live[1] == me else live[1]
            wins = pot * self.equity - paid[me]
            return [Contraction(self.triples, other, first + second - other, self._scaled(wins))]
        wins = np.full(shape, (pot if me in live else 0.0) - paid[me])
        return [Contraction(self.triples, first, second, self._scaled(wins))]

    def _scaled(self, factor: np.ndarray) -> np.ndarray:
        return factor / DEALS
