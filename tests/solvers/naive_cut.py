"""A truncated small poker game by plain recursion, deal by deal: what the growing solver is compared with."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from solverlab.core.tree import CHANCE
from solverlab.games.limit_showdown import side_pots


class PlainCut:
    """Values of one strategy on a tree that ends for (player, node, hand) where the mask says so."""

    def __init__(self, game, inside, sigma, returned=False):
        self.game, self.inside, self.sigma, self.returned = game, inside, sigma, returned
        self.hand = {name: h for h, name in enumerate(game.hands)}

    def showdown(self, state, deal):
        """What each seat wins if cards are shown now, averaged over the boards still to come."""
        held = {card for name in deal for card in self.game._held[name]}
        free = [c for c in range(len(self.game.deck)) if c not in held and c not in state.board]
        missing = sum(self.game.rules.board_cards) - len(state.board)
        boards = [state.board + more for more in combinations(free, missing)]
        live = [seat for seat in range(self.game.n_players) if seat not in state.folded]
        if len(live) == 1:
            return np.array(self.game.payoff(state, *deal))
        most = max(state.paid)
        pots = [(tuple(most if p in live else c for p, c in enumerate(state.paid)), state.folded)]
        if self.returned:
            pots = list(side_pots(state.paid, state.folded))
        wins = [
            self.game.payoff(state._replace(board=board, paid=paid, folded=out), *deal)
            for board in boards
            for paid, out in pots
        ]
        return np.sum(wins, axis=0) / len(boards)

    def value(self, me, node, deal, ends, pure=None):
        """What `me` wins from a node in one deal; `ends(node)` says where this tree stops."""
        game, tree = self.game, self.game.tree
        if tree.count[node] == 0:
            return game.payoff(game.states[node], *deal)[me]
        if ends(node):
            return self.showdown(game.states[node], deal)[me]
        actor, total = int(tree.player[node]), 0.0
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            label = game.names.actions[child]
            if actor == CHANCE:
                p = game.odds(game.states[node], *deal).get(label, 0.0)
            elif pure is not None and (node, self.hand[deal[actor]]) in pure and actor == me:
                p = float(pure[node, self.hand[deal[actor]]] == child)
            else:
                p = self.sigma[child, self.hand[deal[actor]]]
            total += p * self.value(me, child, deal, ends, pure) if p > 0 else 0.0
        return total

    def ev(self, me, node, hand):
        """The EV of a node given that play comes there with a hand: opponents' and chance's reach only."""
        own = self.hand[hand]
        won = mass = 0.0
        for deal, probability in self.game.deals().items():
            if deal[me] == hand and (weight := probability * self.others_reach(me, node, deal)) > 0:
                won += weight * self.value(me, node, deal, lambda n: not self.inside[me, n, own])
                mass += weight
        return won / mass if mass else 0.0

    def others_reach(self, me, node, deal):
        game, tree, reach = self.game, self.game.tree, 1.0
        while tree.parent[node] >= 0:
            parent = int(tree.parent[node])
            actor = int(tree.player[parent])
            if actor == CHANCE:
                reach *= game.odds(game.states[parent], *deal).get(game.names.actions[node], 0.0)
            elif actor != me:
                reach *= self.sigma[node, self.hand[deal[actor]]]
            node = parent
        return reach

    def best(self, me):
        """The best response inside the union of all trees, by trying every pure strategy on the own trees."""
        tree, union = self.game.tree, self.inside.any(axis=(0, 2))
        free = [
            (int(n), h)
            for n in np.flatnonzero(tree.player == me)
            for h in range(len(self.game.hands))
            if self.inside[me, n, h]
        ]
        choices = [range(tree.first[n], tree.first[n] + tree.count[n]) for n, _ in free]
        plans = (dict(zip(free, plan, strict=True)) for plan in product(*choices))
        return max(self.total(me, union, plan) for plan in plans)

    def total(self, me, union, pure=None):
        deals = self.game.deals().items()
        return sum(p * self.value(me, 0, deal, lambda n: not union[n], pure) for deal, p in deals)
