"""A small game with every deal written out as a chance move: what samplers walk and other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import TooLarge
from solverlab.core.game import TabulatedGame
from solverlab.core.tree import CHANCE, LEAF, MOST_NODES, Tree, _tree
from solverlab.core.tying import Tying


class History(NamedTuple):
    """Shapes: M nodes and Z leaves of the unrolled tree, P players.

    `row[m]` is the flat row (slot * K + bucket) of the game's table for the action into m, -1 where m is no
    action.
    """

    tree: Tree
    row: np.ndarray  # int32[M]
    payoff: np.ndarray  # float64[Z, P]
    public: np.ndarray  # int32[M], node of the game's own tree; -1 at the root deal
    deal: np.ndarray  # int32[M], index into deals; -1 at the root deal
    deals: np.ndarray  # int32[D, P], the hand of each player


def unroll(game: TabulatedGame, tie: Tying | None = None, most: int = MOST_NODES) -> History:
    """Write every deal out: the root is chance, then play goes on as in the public tree."""
    tie = game.tie if tie is None else tie
    mass = _Masses(game)
    deals = np.argwhere(mass.at(0) > 0).astype(np.int32)
    # parent, player, public node, deal, row, chance
    rows: list[tuple[int, int, int, int, int, float]] = [(-1, CHANCE, -1, -1, -1, 1.0)]
    first, count, payoffs = [1], [len(deals)], []
    rows += [
        (0, int(game.tree.player[0]), 0, d, -1, float(mass.at(0)[tuple(deal)]))
        for d, deal in enumerate(deals)
    ]
    m = 1
    while m < len(rows):
        _, player, node, d, _, _ = rows[m]
        following = list(_children(game, tie, mass, node, deals[d])) if player != LEAF else []
        first.append(len(rows) if following else 0)
        count.append(len(following))
        rows += [(m, int(game.tree.player[child]), child, d, row, chance) for child, row, chance in following]
        if player == LEAF:
            payoffs.append(_payoff(game, mass, node, deals[d]))
        if len(rows) > most:
            raise TooLarge(
                f"written out deal by deal this game has more than {most:,} nodes; "
                "use a smaller deck or full-width CFR"
            )
        m += 1
    parents, players, publics, dealt, table_rows, chances = (
        list(column) for column in zip(*rows, strict=True)
    )
    row, public, deal = (np.array(column, np.int32) for column in (table_rows, publics, dealt))
    tree = _tree(parents, players, first, count, chances)
    return History(tree, row, np.array(payoffs), public, deal, deals)


class _Masses:
    """Deal masses, asked for once a node."""

    def __init__(self, game: TabulatedGame):
        self.game = game
        self.known: dict[int, np.ndarray] = {}

    def at(self, node: int) -> np.ndarray:
        if node not in self.known:
            self.known[node] = self.game.deal_mass(node)
        return self.known[node]


def _children(
    game: TabulatedGame, tie: Tying, mass: _Masses, node: int, deal: np.ndarray
) -> Iterator[tuple[int, int, float]]:
    """Child, table row and chance of everything that can follow a node in one deal."""
    tree, player, key = game.tree, game.tree.player[node], tuple(deal)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        chance = float(tree.chance[child]) if player == CHANCE else 1.0
        if player == CHANCE:
            chance *= mass.at(child)[key] / mass.at(node)[key]
        if chance > 0:
            row = -1
            if player >= 0:
                bucket = tie.bucket[tie.texture[child], deal[player]]
                row = int(tie.slot[child]) * tie.shape[1] + int(bucket)
            yield child, row, chance


def _payoff(game: TabulatedGame, mass: _Masses, node: int, deal: np.ndarray) -> list[float]:
    """What each player wins at a leaf in one deal (the tables hold payoff times mass)."""
    leaf, hands = game.tree.leaf[node], len(game.names.hands)
    table, weight = game.leaves, mass.at(node)[tuple(deal)]
    result = []
    for p in range(game.n_players):
        joint = 0
        for q in range(game.n_players):
            joint = joint * hands + int(deal[q]) if q != p else joint
        result.append(float(table.scale[leaf] * table.matrix[p, table.kind[leaf], joint, deal[p]] / weight))
    return result
