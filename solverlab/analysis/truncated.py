"""How good a strategy is inside a truncated tree, exactly, and beside it in the whole game.

The truncated game is the union of everybody's trees: it ends where nobody's tree goes on, with a showdown (or
whatever its leaves are worth). A player whose own tree with that hand has ended there plays uniformly and may
not do otherwise: a best response is free only where the mask says so. The strategy *lifted* to the whole game
is the same one, uniform beyond its tree: `sl.exploitability` and `sl.deviation_gains` measure that.
"""

from __future__ import annotations

import numpy as np

from solverlab.core import sweeps
from solverlab.core.abilities import ShowdownGame
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import Game
from solverlab.core.kernel import kernel
from solverlab.core.node_values import NodeValues, values_at
from solverlab.core.policy import Policy
from solverlab.core.tree import chance_reach, leaf_nodes, n_leaves

ROLLOUT = "rollout"
UNIFORM = 1e-9  # probabilities that near to uniform are


def truncated_gains(
    game: Game, inside: np.ndarray, policy: Policy, ends: NodeValues | str | None = None
) -> tuple[float, ...]:
    """How much each seat would win by deviating alone inside the truncated game, in the game's unit.

    `inside[p, n, h]` says that the tree of player p with hand h goes on below node n; `ends` values every
    node (None: a showdown there; ROLLOUT: everybody plays on by the policy).

    >>> import solverlab as sl
    >>> game, policy = sl.Kuhn(), sl.uniform_policy(sl.Kuhn())
    >>> nowhere = np.zeros((2, len(game.tree.parent), 3), bool)
    >>> truncated_gains(game, nowhere, policy)  # nobody decides anything
    (0.0, 0.0)
    """
    inside = _checked(game, inside, policy)
    values = _showdowns(game) if ends is None else ends
    if isinstance(values, str) and values != ROLLOUT:
        raise UnknownName("value of ends", values, (ROLLOUT,))
    # Rolled out, nothing ends early, and beyond its trees nobody is free to deviate.
    union = game.tree.count > 0 if isinstance(values, str) else inside.any(axis=(0, 2))
    reach, leaf_reach = _reaches(game, policy)
    chance, last = chance_reach(game.tree)[:, None], leaf_nodes(game.tree)
    cfv, gains = np.empty_like(policy.sigma), []
    for me in range(game.n_players):
        worth = np.zeros_like(cfv) if isinstance(values, str) else values_at(values, me, reach) * chance
        worth[last] = game.leaf_cfv(me, leaf_reach) * chance[last]
        won = []
        for free in (np.zeros_like(inside[me]), inside[me]):
            truncated_up(game.tree, me, policy.sigma, union, free, worth, cfv)
            won.append(float(cfv[game.tree.parent < 0].sum()))
        gains.append(won[1] - won[0])
    return tuple(gains)


def truncated_exploitability(
    game: Game, inside: np.ndarray, policy: Policy, ends: NodeValues | str | None = None
) -> float:
    """Mean gain a player of a best response inside the truncated game (two players)."""
    if game.n_players != 2:
        raise BadValue(
            f"exploitability says little with {game.n_players} players; use truncated_gains for each seat"
        )
    return sum(truncated_gains(game, inside, policy, ends)) / 2


@kernel
def truncated_up(tree, me, sigma, union, free, worth, cfv):
    """cfv[N, H] of one player who takes the best action where free[N, H], and follows sigma elsewhere.

    The tree ends with worth[N, H] where union[N] is false.
    """
    for n in range(tree.parent.shape[0] - 1, -1, -1):
        first, last = tree.first[n], tree.first[n] + tree.count[n]
        for h in range(cfv.shape[1]):
            if not union[n]:
                cfv[n, h] = worth[n, h]
                continue
            best, total = cfv[first, h], 0.0
            for child in range(first, last):
                best = max(best, cfv[child, h])
                total += cfv[child, h] * (sigma[child, h] if tree.player[n] == me else 1.0)
            cfv[n, h] = best if tree.player[n] == me and free[n, h] else total


def _reaches(game: Game, policy: Policy) -> tuple[np.ndarray, np.ndarray]:
    nodes, hands = policy.sigma.shape
    reach = np.empty((game.n_players, nodes, hands))
    leaf_reach = np.empty((game.n_players, n_leaves(game.tree), hands))
    for player in range(game.n_players):
        sweeps.reach_down(game.tree, player, policy.sigma, reach[player], leaf_reach[player])
    return reach, leaf_reach


def _showdowns(game: Game) -> NodeValues:
    if not isinstance(game, ShowdownGame):
        raise BadValue(f"{game.name} has no showdown before its end; say what the ends are worth")
    return game.showdown_table()


def _checked(game: Game, inside: np.ndarray, policy: Policy) -> np.ndarray:
    """The mask fits the game, trees hang together, and beyond them the policy is uniform."""
    tree, hands = game.tree, len(game.names.hands)
    shape = (game.n_players, len(tree.parent), hands)
    if inside.shape != shape or policy.sigma.shape != shape[1:]:
        raise BadValue(
            f"a mask {inside.shape} and a policy {policy.sigma.shape} do not fit a game of {shape}"
        )
    if game.tie.tied:
        raise BadValue(f"{game.name} hides moves, so its tree cannot be cut node by node; measure it whole")
    actions = np.flatnonzero(np.append(tree.player, -1)[tree.parent] >= 0)
    above = tree.parent[actions]
    blind = ~inside[tree.player[above], above]
    off = blind & (np.abs(policy.sigma[actions] - 1.0 / tree.count[above, None]) > UNIFORM)
    if off.any():
        where = game.names.path(int(above[off.any(axis=1)][0]))
        raise BadValue(
            f"the policy is not uniform at {where!r}, beyond its tree; measure the policy that belongs to "
            "this mask"
        )
    return np.ascontiguousarray(inside & (tree.count[:, None] > 0))
