"""A truncated small poker game by plain recursion, deal by deal: what the growing solver is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import NamedTuple, Protocol

import numpy as np

from solverlab.core.rows import State
from solverlab.core.tree import CHANCE
from solverlab.naive.infosets import Rules
from solverlab.naive.pots import peeled

Deal = tuple[str, ...]
Plan = dict[tuple[int, int], int]  # the child that is taken at each (node, hand)


class Stopped(NamedTuple):
    """What payoffs depend on where a hand stops."""

    board: tuple[int, ...]
    folded: frozenset[int]
    paid: tuple[float, ...]


class BoardRules(Protocol):
    """How many cards come before each round."""

    board_cards: tuple[int, ...]


class PokerRules(Rules, Protocol):
    """A small poker game whose cards can be counted; `holdings` are the cards of each hand."""

    deck: list[str]
    holdings: list[tuple[int, ...]]
    rules: BoardRules


class PlainCut:
    """Values of one strategy on a tree that ends for (player, node, hand) where the mask says so.

    inside bool[P, N, H]; sigma float64[N, H]; with `returned` what nobody called comes back where trees end.
    """

    def __init__(self, game: PokerRules, inside: np.ndarray, sigma: np.ndarray, returned: bool = False):
        self.game, self.inside, self.sigma, self.returned = game, inside, sigma, returned
        self.hand = {name: h for h, name in enumerate(game.hands)}

    def showdown(self, state: State, deal: Deal) -> np.ndarray:
        """What each seat wins if cards are shown now, averaged over the boards still to come."""
        game = self.game
        held = {card for name in deal for card in game.holdings[self.hand[name]]}
        free = [c for c in range(len(game.deck)) if c not in held and c not in state.board]
        missing = sum(game.rules.board_cards) - len(state.board)
        boards = [state.board + more for more in combinations(free, missing)]
        if len(state.folded) == game.n_players - 1:
            return np.array(game.payoff(state, *deal))
        pots = self._pots(state.paid, state.folded)
        wins = [game.payoff(Stopped(board, out, paid), *deal) for board in boards for paid, out in pots]
        return np.sum(wins, axis=0) / len(boards)

    def _pots(
        self, paid: Sequence[float], folded: frozenset[int]
    ) -> list[tuple[tuple[float, ...], frozenset[int]]]:
        """One pot that everybody matched, or layers; each with those who cannot win it."""
        everybody = frozenset(range(self.game.n_players))
        if not self.returned:
            most = max(paid)
            return [(tuple(c if p in folded else most for p, c in enumerate(paid)), folded)]
        live = {p: paid[p] for p in everybody - folded}
        return [(tuple(chips), everybody - seats) for chips, seats in peeled(paid, live)]

    def value(
        self, me: int, node: int, deal: Deal, ends: Callable[[int], bool], pure: Plan | None = None
    ) -> float:
        """What `me` wins from a node in one deal; `ends(node)` says where this tree stops."""
        game, tree = self.game, self.game.tree
        if tree.count[node] == 0:
            return game.payoff(game.states[node], *deal)[me]
        if ends(node):
            return float(self.showdown(game.states[node], deal)[me])
        actor, total = int(tree.player[node]), 0.0
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            label = game.names.actions[child]
            if actor == CHANCE:
                p = game.odds(game.states[node], *deal).get(label, 0.0)
            elif pure is not None and (node, self.hand[deal[actor]]) in pure and actor == me:
                p = float(pure[node, self.hand[deal[actor]]] == child)
            else:
                p = float(self.sigma[child, self.hand[deal[actor]]])
            total += p * self.value(me, child, deal, ends, pure) if p > 0 else 0.0
        return total

    def ev(self, me: int, node: int, hand: str) -> float:
        """The EV of a node given that play comes there with a hand: opponents' and chance's reach only."""
        own = self.hand[hand]
        won = mass = 0.0
        for deal, probability in self.game.deals().items():
            if deal[me] == hand and (weight := probability * self.others_reach(me, node, deal)) > 0:
                won += weight * self.value(me, node, deal, lambda n: not self.inside[me, n, own])
                mass += weight
        return won / mass if mass else 0.0

    def others_reach(self, me: int, node: int, deal: Deal) -> float:
        """How likely chance and the opponents lead to a node in one deal."""
        game, tree, reach = self.game, self.game.tree, 1.0
        while tree.parent[node] >= 0:
            parent = int(tree.parent[node])
            actor = int(tree.player[parent])
            if actor == CHANCE:
                reach *= game.odds(game.states[parent], *deal).get(game.names.actions[node], 0.0)
            elif actor != me:
                reach *= float(self.sigma[node, self.hand[deal[actor]]])
            node = parent
        return reach

    def best(self, me: int) -> float:
        """The best response inside the union of all trees, by trying every pure strategy on the own trees."""
        tree, union = self.game.tree, np.asarray(self.inside.any(axis=(0, 2)))
        free = [
            (int(n), h)
            for n in np.flatnonzero(tree.player == me)
            for h in range(len(self.game.hands))
            if self.inside[me, n, h]
        ]
        choices = [range(tree.first[n], tree.first[n] + tree.count[n]) for n, _ in free]
        plans = (dict(zip(free, plan, strict=True)) for plan in product(*choices))
        return max(self.total(me, union, plan) for plan in plans)

    def total(self, me: int, union: np.ndarray, pure: Plan | None = None) -> float:
        """What `me` wins on average, where trees end with the union bool[N] of all of them."""
        deals = self.game.deals().items()
        return sum(p * self.value(me, 0, deal, lambda n: not union[n], pure) for deal, p in deals)
