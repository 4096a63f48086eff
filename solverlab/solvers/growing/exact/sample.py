"""Deals drawn at random instead of all of them: the same hands and boards for every leaf.

A sample of deals becomes a ratio at every node, how often a deal came there over how often it should, and
the exact sums are taken with those ratios. One number decides a sample's next card whatever was bet before,
so two leaves differ by their strategies and not by their luck.
"""

from __future__ import annotations

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.game import TabulatedGame
from solverlab.core.leaves import LeafTable
from solverlab.core.tree import CHANCE, chance_reach

MOST_NUMBERS = 20_000_000  # of a ratio table


class DealSampler:
    """Draws deals of a small game, with the public cards that follow."""

    def __init__(self, game: TabulatedGame):
        tree = game.tree
        self.game, self.root = game, np.asarray(game.deal_mass(0), np.float64)
        if self.root.size * len(tree.parent) > MOST_NUMBERS:
            raise TooLarge(
                f"{game.name} has {self.root.size * len(tree.parent):,} pairs of node and deal, more than "
                f"{MOST_NUMBERS:,}; use samples=None for exact EVs"
            )
        self.deals = np.flatnonzero(self.root)
        self.odds = self.root.ravel()[self.deals] / self.root.sum()
        masses = [np.asarray(game.deal_mass(n)).ravel()[self.deals] for n in range(len(tree.parent))]
        self.expected = np.stack(masses) * chance_reach(tree)[:, None]  # [N, D]
        self.thresholds = {int(n): self._thresholds(int(n)) for n in np.flatnonzero(tree.player == CHANCE)}

    def ratios(self, samples: int, rng: np.random.Generator) -> np.ndarray:
        """How often each deal came to each node over how often it should, float64[N, H, ..., H]."""
        tree = self.game.tree
        drawn = rng.choice(len(self.deals), samples, p=self.odds)
        luck = rng.random((samples, max(len(self.thresholds), 1)))
        ratio = np.zeros((len(tree.parent), self.root.size))
        here = [np.arange(samples)] * len(tree.parent)
        cards = np.zeros(len(tree.parent), int)  # public cards dealt on the way
        for n in range(len(tree.parent)):
            parent = int(tree.parent[n])
            if parent >= 0:
                here[n], cards[n] = here[parent], cards[parent]
                if tree.player[parent] == CHANCE:
                    cut = self.thresholds[parent][drawn[here[parent]]]
                    fell = (luck[here[parent], cards[parent], None] >= cut).sum(axis=1)
                    here[n], cards[n] = here[parent][fell == n - tree.first[parent]], cards[parent] + 1
            came = np.bincount(drawn[here[n]], minlength=len(self.deals)) / samples
            sure = self.expected[n] > 0
            ratio[n, self.deals[sure]] = came[sure] / self.expected[n][sure]
        return ratio.reshape(-1, *self.root.shape)

    def _thresholds(self, node: int) -> np.ndarray:
        """Where chance's outcomes after a node end between 0 and 1, float64[D, outcomes - 1]."""
        tree = self.game.tree
        below = self.expected[tree.first[node] : tree.first[node] + tree.count[node]]
        share = below / np.maximum(self.expected[node], 1e-300)
        return np.cumsum(share, axis=0)[:-1].T


def reweighted(table: LeafTable, ratios: np.ndarray) -> LeafTable:
    """A table with a row a node whose deals weigh as they were drawn."""
    players, hands = table.matrix.shape[0], table.matrix.shape[-1]
    rows = []
    for p in range(players):
        own_last = np.moveaxis(ratios, p + 1, -1).reshape(len(ratios), -1, hands)
        rows.append(table.matrix[p, table.kind] * table.scale[:, None, None] * own_last)
    kind = np.arange(len(ratios), dtype=np.int32)
    return LeafTable(np.stack(rows), kind, np.ones(len(ratios)))
