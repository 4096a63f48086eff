"""Exact best responses, and what follows from them: exploitability, NashConv, deviation gains.

A best response maximises over what the player can tell apart in the real game: the game's own tie, never an
abstraction's. So the real-game exploitability of an abstract strategy costs no extra code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from solverlab.analysis.tabulated import root_values
from solverlab.core import sweeps
from solverlab.core.abilities import Measured, MeasuredGame, measures_itself
from solverlab.core.errors import BadValue
from solverlab.core.game import Game, need_tree
from solverlab.core.leaves import LeafTable
from solverlab.core.policy import Policy, RowPolicy, read_only
from solverlab.core.tree import Tree, chance_reach, n_leaves
from solverlab.core.tying import Tying

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The best a player can do against the others' fixed policy."""

    player: int
    value: float  # what the best response wins, in the game's unit
    gain: float  # how much more than the policy itself wins
    policy: Policy  # the others' policy with this player's replaced

    def frame(self) -> pd.DataFrame:
        """The best action at every node and hand of the player."""
        table = self.policy.frame()
        mine = table["player"] == self.policy.names.players[self.player]
        return table[mine & (table["probability"] > 0)].reset_index(drop=True)


class Measure:
    """Everything a policy's values need, computed once: reach of all players, and scratch."""

    def __init__(self, game: Game, policy: Policy):
        check_shape(game, policy)
        hands = len(game.names.hands)
        self.game, self.sigma = game, policy.sigma
        self.chance = chance_reach(game.tree)
        self.cfv = np.empty_like(policy.sigma)
        self.leaf_reach = np.empty((game.n_players, n_leaves(game.tree), hands))
        self._leaves: dict[int, np.ndarray] = {}
        for player in range(game.n_players):
            sweeps.reach_down(game.tree, player, policy.sigma, self.cfv, self.leaf_reach[player])

    def value(self, player: int) -> float:
        """What the policy wins for a player."""
        leaf_cfv = self._leaf_cfv(player)
        sweeps.values_up(self.game.tree, player, self.sigma, self.chance, leaf_cfv, self.cfv)
        return self._at_roots()

    def best(self, player: int) -> float:
        """What a best response wins; leaves its values in `cfv`."""
        leaf_cfv = self._leaf_cfv(player)
        if self.game.tie.tied:
            self._best_under_ties(player, leaf_cfv)
        else:
            sweeps.best_values_up(self.game.tree, player, self.chance, leaf_cfv, self.cfv)
        return self._at_roots()

    def response(self, player: int) -> np.ndarray:
        """The best response's probabilities float64[N, H]: 1 at the best action; the others keep theirs."""
        tree, tie = self.game.tree, self.game.tie
        self.best(player)
        sums, choice = np.zeros(tie.shape), np.zeros(tie.shape)
        sweeps.tied_reach(tree, tie, player, self.cfv, sums)
        _choose(tie, np.flatnonzero(tie.player == player), sums, choice)
        chosen = np.empty_like(self.sigma)
        sweeps.spread(tree, tie, choice, chosen)
        mine = np.append(tree.player, -1)[tree.parent] == player
        return np.where(mine[:, None], chosen, self.sigma)

    def _leaf_cfv(self, player: int) -> np.ndarray:
        """The player's leaf values, asked of the game once: nothing here changes anybody's reach."""
        if player not in self._leaves:
            self._leaves[player] = self.game.leaf_cfv(player, self.leaf_reach)
        return self._leaves[player]

    def _best_under_ties(self, player: int, leaf_cfv: np.ndarray) -> None:
        """Choose from the last own decision to the first: later choices make what earlier nodes are worth."""
        tree, tie = self.game.tree, self.game.tie
        level = _own_decisions_above(tree, tie, player)
        choice, sums, sigma = np.zeros(tie.shape), np.zeros(tie.shape), np.empty_like(self.sigma)
        for depth in range(max(level.values(), default=0), -1, -1):
            sweeps.spread(tree, tie, choice, sigma)
            sweeps.values_up(tree, player, sigma, self.chance, leaf_cfv, self.cfv)
            sweeps.tied_reach(tree, tie, player, self.cfv, sums)
            _choose(tie, [group for group, above in level.items() if above == depth], sums, choice)
        sweeps.spread(tree, tie, choice, sigma)
        sweeps.values_up(tree, player, sigma, self.chance, leaf_cfv, self.cfv)

    def _at_roots(self) -> float:
        return float(self.cfv[self.game.tree.parent < 0].sum())


def best_response(game: Game, policy: Policy, player: int) -> BestResponse:
    """The exact best response of one player to the others' policy.

    >>> import solverlab as sl
    >>> game = sl.Kuhn()
    >>> round(sl.best_response(game, sl.uniform_policy(game), player=1).value, 6)
    0.416667
    """
    _check_player(game, player)
    need_tree(game)
    measure = Measure(game, policy)
    value = measure.value(player)
    sigma = measure.response(player)
    best = float(measure.cfv[game.tree.parent < 0].sum())
    return BestResponse(player, best, best - value, Policy(game.tree, game.names, read_only(sigma)))


def deviation_gains(game: Game, policy: Policy) -> tuple[float, ...]:
    """How much each seat would win by deviating alone, in the game's unit."""
    if measures_itself(type(game)):
        found = _measured(game, policy)
        return tuple(best - value for best, value in zip(found.best, found.values, strict=True))
    leaves = getattr(game, "leaves", None)
    if isinstance(leaves, LeafTable) and not game.tie.tied:
        check_shape(game, policy)
        won, best = root_values(game.tree, leaves, policy.sigma)
        return tuple((best - won).tolist())
    measure = Measure(game, policy)
    values = [measure.value(player) for player in range(game.n_players)]
    return tuple(measure.best(player) - values[player] for player in range(game.n_players))


def nash_conv(game: Game, policy: Policy) -> float:
    """The sum of both players' deviation gains (two players)."""
    if game.n_players != 2:
        raise BadValue(
            f"NashConv and exploitability say little with {game.n_players} players; "
            "use sl.deviation_gains for each seat"
        )
    return sum(deviation_gains(game, policy))


def exploitability(game: Game, policy: Policy) -> float:
    """Mean best-response gain a player, exactly, in the game's unit (two players).

    >>> import solverlab as sl
    >>> game = sl.Kuhn()
    >>> round(sl.exploitability(game, sl.uniform_policy(game)), 6)
    0.458333
    """
    return nash_conv(game, policy) / 2


def value(game: Game, policy: Policy, player: int = 0) -> float:
    """What a player (by default the first) wins when everybody follows the policy."""
    _check_player(game, player)
    if measures_itself(type(game)):
        return _measured(game, policy).values[player]
    return Measure(game, policy).value(player)


def _measured(game: object, policy: RowPolicy) -> Measured:
    """What a game says of a policy that no array could hold."""
    return cast(MeasuredGame, game).measure(policy)


def check_shape(game: Game, policy: Policy) -> None:
    """Raise unless a policy has the nodes and hands of a game."""
    shape, hands = policy.sigma.shape, len(game.names.hands)
    if shape != (len(game.tree.parent), hands):
        raise BadValue(
            f"this policy has {shape[0]:,} nodes and {shape[1]} hands but "
            f"{game.name} has {len(game.tree.parent):,} and {hands}; measure it on its own game"
        )


def _check_player(game: Game, player: int) -> None:
    if player not in range(game.n_players):
        raise BadValue(f"there is no player {player} in {game.name}; players are 0 to {game.n_players - 1}")


def _choose(tie: Tying, groups: Iterable[int], sums: np.ndarray, choice: np.ndarray) -> None:
    """Put 1 on the best action of each group and bucket, 0 on the others."""
    for group in groups:
        rows = slice(tie.first[group], tie.first[group] + tie.count[group])
        choice[rows] = np.arange(tie.count[group])[:, None] == sums[rows].argmax(axis=0)


def _own_decisions_above(tree: Tree, tie: Tying, player: int) -> dict[int, int]:
    """How many own decisions lie above each of the player's groups (one number under perfect recall)."""
    above = np.zeros(len(tree.parent), int)
    for n in range(len(above)):
        parent = tree.parent[n]
        if parent >= 0:
            above[n] = above[parent] + (tree.player[parent] == player)
    group_of_slot = {int(first): group for group, first in enumerate(tie.first)}
    nodes = np.flatnonzero(tree.player == player)
    return {group_of_slot[int(tie.slot[tree.first[n]])]: int(above[n]) for n in nodes}
