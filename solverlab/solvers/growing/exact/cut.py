"""A tree that is cut short for each position and hand, and what its ends are worth.

One public tree, the game's own, and a mask: `inside[p, n, h]` says that the tree of position p with hand h
goes on below node n. At first it goes on nowhere. Where it ends, the node is worth a showdown, or a roll-out,
or what a given policy or function says. A player beyond the own frontier plays uniformly, which is counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from solverlab.core.abilities import DealtMassGame, PairMassGame, ShowdownGame
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import RangeGame, TabulatedGame
from solverlab.core.leaves import LeafTable
from solverlab.core.node_values import NodeValues, Summed, values_at
from solverlab.core.policy import Policy, check_policy
from solverlab.core.tree import CHANCE, leaf_nodes
from solverlab.solvers.growing.exact.values import Values, Whole, back_up, own_hand_last
from solverlab.solvers.growing.settings import LeafKind

LEAF_KINDS = ("showdown", "rollout")


class Cut:
    """A tree cut short for every (position, hand): the same two sums, with other values where a tree ends."""

    def __init__(self, whole: Whole, leaf: LeafKind, returned: bool):
        game = whole.game
        if game.tie.tied:
            raise BadValue(
                f"{game.name} hides moves, so its tree cannot grow node by node; use frontier=None"
            )
        self.whole, self.game, self.leaf = whole, game, leaf
        self.table = cut_table(game, leaf, returned)
        ones = np.ones(whole.inside.shape)
        masses = [values_at(whole.masses, p, ones) for p in range(game.n_players)]
        self.possible = np.stack(masses) > 0  # [P, N, H]: the hand does not hold a card of the board
        self.inside = np.zeros(whole.inside.shape, bool)
        self.refresh()

    def leaves(self, player: int, values: Values) -> None:
        """Value and mass at every node as if the player's tree ended there; the game's own leaves pay."""
        if self.table is None:
            self.whole.leaves(player, values)
            inside, worth = self.whole.inside[player], values.worth[player].copy()
            back_up(self.game.tree, player, values.sigma, inside, worth, values.worth[player])
            return
        worth = self.whole.at_nodes(self.table, player, values)
        values.worth[player] = worth * self.whole.chance[:, None]
        self.whole.leaves(player, values)

    def refresh(self) -> None:
        """Follow a changed mask: which rows may move, and who would be beyond the own frontier."""
        tree = self.game.tree
        self.inside.flags.writeable = False  # a round works on a fixed tree
        parent, acts = tree.parent, np.append(tree.player, -1)[tree.parent] >= 0
        owner = np.where(acts, np.append(tree.player, 0)[parent], 0)
        self.open = self.inside[owner, np.maximum(parent, 0)] & acts[:, None]  # [N, H], by action
        self.lookups, self.missed = count_misses(self.whole, self.inside)

    def frontier(self, player: int) -> np.ndarray:
        """Where the trees of a position can grow, bool[N, H]."""
        tree, inside = self.game.tree, self.inside[player]
        above = np.where(tree.parent[:, None] >= 0, inside[np.maximum(tree.parent, 0)], True)
        return above & ~inside & (tree.count[:, None] > 0) & self.possible[player]

    def expand(self, leaves: list[tuple[int, int, int]]) -> None:
        """Let the trees go on below (player, node, hand) leaves, one more level."""
        ready = {player: self.frontier(player) for player in {player for player, _, _ in leaves}}
        for player, node, hand in leaves:
            if not ready[player][node, hand]:
                raise BadValue(
                    f"node {self.game.names.path(node)!r} is not on the frontier of "
                    f"{self.game.names.hands[hand]!r}; choose a leaf where the hand goes on"
                )
        if len(set(leaves)) < len(leaves):
            raise BadValue("a node can grow only once; name each leaf once")
        self.inside = self.inside.copy()
        for player, node, hand in leaves:
            self.inside[player, node, hand] = True
        self.refresh()

    def size(self) -> int:
        """Nodes of all trees together, their roots and leaves included."""
        roots = int(self.possible[:, 0].sum())
        return roots + int((self.inside * self.game.tree.count[:, None]).sum())

    def numbers(self) -> dict[str, float]:
        """How large the trees are, and how often a strategy is asked for beyond a frontier."""
        return {
            "nodes": self.size(),
            "action_nodes": self.action_nodes(),
            "misses": self.missed,
            "miss_rate": self.missed / max(self.lookups, 1),
        }

    def action_nodes(self) -> int:
        """Decisions with a strategy of their own, over all trees."""
        players = np.arange(self.game.n_players)[:, None]
        return int((self.inside & (self.game.tree.player == players)[:, :, None]).sum())


def count_misses(whole: Whole, inside: np.ndarray) -> tuple[int, int]:
    """How often a sweep asks another player's strategy, and how often that player is beyond its frontier.

    One question for each tree, each node in it where somebody else acts, and each hand that one may hold.
    """
    tree, players, asked, missed = whole.game.tree, whole.game.n_players, 0, 0
    together: dict[tuple[int, int, int], np.ndarray] = {}
    for n in map(int, np.flatnonzero((tree.player >= 0) & inside.any(axis=(0, 2)))):
        actor, kind = int(tree.player[n]), int(whole.kind[n])
        for player in range(players):
            if player == actor:
                continue
            key = (player, actor, kind)
            if key not in together:
                together[key] = _together(whole, player, actor, n)
            hands = inside[player, n] @ together[key].astype(int)
            asked += int(hands.sum())
            missed += int(hands[~inside[actor, n]].sum())
    return asked, missed


def _together(whole: Whole, one: int, other: int, node: int) -> np.ndarray:
    """Which hands two players can hold at the same time at a node, bool[H, H]."""
    if isinstance(whole.game, PairMassGame):
        return whole.game.pair_mass(one, other) > 0
    assert isinstance(whole.game, DealtMassGame)
    mass = np.asarray(whole.game.deal_mass(node))
    rest = tuple(p for p in range(whole.game.n_players) if p not in (one, other))
    pairs = mass.sum(axis=rest) > 0
    return pairs if one < other else pairs.T


def check_leaf(leaf: object) -> LeafKind:
    """A leaf value a truncated tree can use, or one sentence."""
    if isinstance(leaf, Policy) or callable(leaf) or (isinstance(leaf, str) and leaf in LEAF_KINDS):
        return leaf
    raise UnknownName("leaf value", leaf, (*LEAF_KINDS, "a Policy", "a function of the node"))


def cut_table(game: RangeGame, leaf: LeafKind, returned: bool) -> NodeValues | None:
    """Values of every node as a leaf; None where they follow from the strategy now played (a roll-out)."""
    if isinstance(leaf, Policy):
        check_policy(game.tree, len(game.names.hands), leaf)
        return played_out(game, leaf)
    if callable(leaf):
        return _asked(game, leaf)
    if leaf == "rollout":
        return None
    if not isinstance(game, ShowdownGame):
        raise BadValue(f"{game.name} has no showdown before its end; use leaf='rollout'")
    return game.showdown_table(returned)


def played_out(game: RangeGame, policy: Policy) -> NodeValues:
    """What every node pays, deal by deal, when everybody follows a policy from there on."""
    if not isinstance(game, TabulatedGame):
        return _played_on(game, policy)
    tree, players, hands = game.tree, game.n_players, len(game.names.hands)
    worth = np.zeros((len(tree.parent), players, *(hands,) * players))
    table = game.leaves
    for n in range(len(tree.parent) - 1, -1, -1):
        leaf = tree.leaf[n]
        if leaf >= 0:
            flat = table.matrix[:, table.kind[leaf]] * table.scale[leaf]
            shaped = [flat[p].reshape((hands,) * players) for p in range(players)]
            worth[n] = [np.moveaxis(shaped[p], -1, p) for p in range(players)]
            continue
        for child in range(tree.first[n], tree.first[n] + tree.count[n]):
            if tree.player[n] == CHANCE:
                worth[n] += tree.chance[child] * worth[child]
            else:
                axis = [hands if p == tree.player[n] else 1 for p in range(players)]
                worth[n] += policy.sigma[child].reshape(axis) * worth[child]
    return _one_kind_a_node([own_hand_last(tensor) for tensor in worth])


def _played_on(game: RangeGame, policy: Policy) -> Summed:
    """The same without a table: a leaf call for each inner node, everybody's reach carried on below it."""
    ends = leaf_nodes(game.tree)
    below = {int(n): _followed(game, policy, int(n)) for n in np.flatnonzero(game.tree.count > 0)}

    def worth(me: int, reach: np.ndarray) -> np.ndarray:
        out = np.empty(reach.shape[1:])
        out[ends] = game.leaf_cfv(me, np.ascontiguousarray(reach[:, ends]))
        for n, (along, odds) in below.items():
            paid = game.leaf_cfv(me, reach[:, n, None] * along[:, ends])
            out[n] = (odds[ends, None] * along[me, ends] * paid).sum(axis=0)
        return out

    return worth


def _followed(game: RangeGame, policy: Policy, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Everybody's probability [P, N, H] of going on from one node to each below it, and chance's [N]."""
    tree = game.tree
    along, odds = np.zeros((game.n_players, *policy.sigma.shape)), np.zeros(len(tree.parent))
    along[:, start], odds[start] = 1.0, 1.0
    for n in range(start + 1, len(odds)):
        parent = int(tree.parent[n])
        along[:, n], odds[n] = along[:, parent], odds[parent] * tree.chance[n]
        if tree.player[parent] >= 0:
            along[tree.player[parent], n] *= policy.sigma[n]
    return along, odds


def _asked(game: RangeGame, leaf: Callable[[int], ArrayLike]) -> LeafTable:
    """A function of the node that returns payoffs [P, H, ..., H], such as a fitted one."""
    if not isinstance(game, TabulatedGame):
        raise BadValue(
            f"{game.name} has too many deals for a leaf function; use 'showdown', 'rollout' or a Policy"
        )
    shape = (game.n_players, *(len(game.names.hands),) * game.n_players)
    tables = []
    for n in range(len(game.tree.parent)):
        payoff = np.asarray(leaf(n), np.float64)
        if payoff.shape != shape or not np.isfinite(payoff).all():
            raise BadValue(
                f"the leaf function gave shape {payoff.shape} at node {n}; give finite payoffs of {shape}"
            )
        tables.append(own_hand_last(payoff * game.deal_mass(n)))
    return _one_kind_a_node(tables)


def _one_kind_a_node(tables: list[np.ndarray]) -> LeafTable:
    return LeafTable(np.stack(tables, 1), np.arange(len(tables), dtype=np.int32), np.ones(len(tables)))
