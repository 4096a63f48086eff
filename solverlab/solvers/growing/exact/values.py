"""One set of EVs for everybody: the exact numbers a rebalance reads before anything changes.

Two sums over the others' hands at every node: the counterfactual value (payoff times the others' and chance's
reach) and the mass (that reach alone). Their ratio is the EV *conditional* on the node being reached, own
reach left out: what a player who is there expects to win, net from the start of the hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core import sweeps
from solverlab.core.abilities import DealtMassGame, NodeMassGame
from solverlab.core.errors import BadValue
from solverlab.core.game import Game, RangeGame, TabulatedGame
from solverlab.core.kernel import kernel
from solverlab.core.leaves import LeafTable
from solverlab.core.node_values import NodeValues, values_at
from solverlab.core.tree import chance_reach, leaf_nodes, n_leaves
from solverlab.core.tying import Tying
from solverlab.solvers.growing.exact.sample import DealSampler, reweighted

NOBODY_COMES = 1e-300  # a smaller mass is none: ratios of numbers that small are rounding


class Values(NamedTuple):
    """Shapes: P players, N nodes, L leaves, H hands; S slots and K buckets of the table's rows."""

    sigma: np.ndarray  # float64[N, H], played now
    reach: np.ndarray  # float64[P, N, H], everybody's own
    leaf_reach: np.ndarray  # float64[P, L, H]
    worth: np.ndarray  # float64[P, N, H], value times mass where a player's tree ends
    cfv: np.ndarray  # float64[P, N, H], the same backed up to every node
    mass: np.ndarray  # float64[P, N, H], the others' and chance's probability of the node
    value: np.ndarray  # float64[S, K], cfv of each action, summed over what cannot be told apart
    weight: np.ndarray  # float64[S, K], mass of each action
    share: np.ndarray  # float64[S, K], own reach of each action


def fresh_values(game: Game, tie: Tying) -> Values:
    """Room for one set of EVs."""
    nodes, hands, players = len(game.tree.parent), len(game.names.hands), game.n_players
    everywhere, rows = (players, nodes, hands), tie.shape
    leaf_reach = np.ones((players, n_leaves(game.tree), hands))
    return Values(
        np.ones((nodes, hands)),
        np.ones(everywhere),
        leaf_reach,
        *(np.zeros(everywhere) for _ in range(3)),
        *(np.zeros(rows) for _ in range(3)),
    )


class Whole:
    """What never changes while a tree is rebalanced: the game, its chances, the masses of its deals."""

    def __init__(self, game: RangeGame):
        if not isinstance(game, DealtMassGame | NodeMassGame):
            raise BadValue(
                f"{game.name} does not say how likely its deals are, so EVs given a node are unknown; "
                "rebalance a small game, or use full-width CFR"
            )
        self.game, self.chance = game, chance_reach(game.tree)
        self.leaf_nodes = leaf_nodes(game.tree)
        self.masses, self.kind = node_masses(game)
        self.sampler: DealSampler | None = None
        self.ratios, self.payoffs = np.empty(0), LeafTable(np.empty(0), np.empty(0), np.empty(0))
        self.drawn: dict[int, LeafTable] = {}  # tables as the last sample weighs them, by the table's id
        inner = np.broadcast_to(game.tree.leaf[:, None] < 0, (len(self.chance), len(game.names.hands)))
        self.inside = np.broadcast_to(inner, (game.n_players, *inner.shape))

    def sample(self, samples: int, seed: tuple[int, ...]) -> None:
        """Weigh deals as a sample draws them, until the next sample."""
        if not isinstance(self.game, TabulatedGame):
            raise BadValue(
                f"{self.game.name} has no table of deals to draw from; use samples=None for exact EVs"
            )
        if self.sampler is None:
            self.sampler, self.payoffs = DealSampler(self.game), _node_payoffs(self.game, self.leaf_nodes)
        self.ratios = self.sampler.ratios(samples, np.random.default_rng(seed))
        self.drawn = {}

    def sampled(self, table: NodeValues) -> NodeValues:
        """A table with a row a node, as the last sample weighs it; without samples, what was given."""
        if self.sampler is None or not isinstance(table, LeafTable):
            return table
        key = id(table)
        if key not in self.drawn:
            self.drawn[key] = reweighted(table, self.ratios)
        return self.drawn[key]

    def leaves(self, player: int, values: Values) -> None:
        """Value and mass where the tree ends, for one player: fills `worth` and `mass`."""
        ends = self.leaf_nodes
        if self.sampler is None:
            cfv = self.game.leaf_cfv(player, values.leaf_reach)
        else:
            cfv = self.at_nodes(self.payoffs, player, values)[ends]
        values.worth[player, ends] = cfv * self.chance[ends, None]
        values.mass[player] = self.at_nodes(self.masses, player, values) * self.chance[:, None]

    def at_nodes(self, worth: NodeValues, player: int, values: Values) -> np.ndarray:
        """Values [N, H] of a player as if every node were a leaf, before chance's moves on the way."""
        return values_at(self.sampled(worth), player, values.reach)


def _node_payoffs(game: TabulatedGame, ends: np.ndarray) -> LeafTable:
    """The game's leaf table with a row a node instead of a row a leaf; inner nodes pay nothing."""
    kind, scale = np.zeros(len(game.tree.parent), np.int32), np.zeros(len(game.tree.parent))
    kind[ends], scale[ends] = game.leaves.kind, game.leaves.scale
    return LeafTable(game.leaves.matrix, kind, scale)


def node_masses(game: RangeGame) -> tuple[NodeValues, np.ndarray]:
    """The mass of every node, and int32[N]: nodes of one kind are reached with the same deals.

    A game whose deals are too many to write down sums them itself (`node_mass`) and deals nothing later.
    """
    if isinstance(game, NodeMassGame):
        return game.node_mass, np.zeros(len(game.tree.parent), np.int32)
    assert isinstance(game, TabulatedGame)
    table = mass_table(game)
    return table, table.kind


def mass_table(game: TabulatedGame) -> LeafTable:
    """The probability of every deal at every node, as if each node were a leaf that pays one chip."""
    kinds: dict[bytes, int] = {}
    tables: list[np.ndarray] = []
    kind = np.empty(len(game.tree.parent), np.int32)
    for n in range(len(kind)):
        mass = np.ascontiguousarray(game.deal_mass(n), np.float64)
        number = kinds.setdefault(mass.tobytes(), len(tables))
        if number == len(tables):
            tables.append(own_hand_last(np.broadcast_to(mass, (game.n_players, *mass.shape))))
        kind[n] = number
    return LeafTable(np.stack(tables, 1), kind, np.ones(len(kind)))


def own_hand_last(tensor: np.ndarray) -> np.ndarray:
    """[P, H, ..., H] to [P, J, H]: the others' hands in seat order, then each player's own."""
    players, hands = tensor.shape[0], tensor.shape[1]
    return np.stack([np.moveaxis(tensor[p], p, -1).reshape(-1, hands) for p in range(players)])


@kernel
def play_down(tree, tie, table, players, values):
    """Read the table of probabilities [S, K] at every node, and everybody's reach from it."""
    sweeps.spread(tree, tie, table, values.sigma)
    for player in range(players):
        sweeps.reach_down(tree, player, values.sigma, values.reach[player], values.leaf_reach[player])
        sweeps.tied_reach(tree, tie, player, values.reach[player], values.share)


@kernel
def back_up(tree, player, sigma, inside, worth, cfv):
    """cfv[N, H] of one player from worth[N, H] at the ends; inside[N, H] says where the tree goes on."""
    H = cfv.shape[1]
    for n in range(tree.parent.shape[0] - 1, -1, -1):
        first, last = tree.first[n], tree.first[n] + tree.count[n]
        for h in range(H):
            if not inside[n, h]:
                cfv[n, h] = worth[n, h]
                continue
            total = 0.0
            for child in range(first, last):
                p = sigma[child, h] if tree.player[n] == player else 1.0
                total += p * cfv[child, h]
            cfv[n, h] = total


@kernel
def gather(tree, tie, player, values):
    """Values and masses of one player's actions, summed over what the player cannot tell apart."""
    sweeps.tied_reach(tree, tie, player, values.cfv[player], values.value)
    sweeps.tied_reach(tree, tie, player, values.mass[player], values.weight)


def conditional_ev(value: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """value / weight, and 0 where nobody else ever comes."""
    comes = weight > NOBODY_COMES
    return np.divide(value, weight, out=np.zeros_like(value), where=comes)
