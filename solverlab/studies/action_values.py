"""What each action is worth with each hand, for a player who is there: exact, as everybody plays now."""

from __future__ import annotations

import numpy as np

from solverlab.analysis.best_response import Measure
from solverlab.core.abilities import DealtMassGame, NodeMassGame
from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame
from solverlab.core.node_values import values_at
from solverlab.core.policy import Policy
from solverlab.solvers.growing.exact.values import NOBODY_COMES, node_masses


def action_values(game: RangeGame, policy: Policy, node: str | int = "") -> np.ndarray:
    """EV of every action at a node with every hand, float64[A, H], net from the start of the hand.

    Given that the node is reached: the counterfactual value over the probability that the others come there.
    NaN where nobody lets a hand come so far.

    >>> import solverlab as sl
    >>> game = sl.Kuhn()
    >>> action_values(game, sl.uniform_policy(game), "raise").round(3).tolist()
    [[-1.0, -1.0, -1.0], [-2.0, 0.0, 2.0]]
    """
    if not isinstance(game, DealtMassGame | NodeMassGame):
        raise BadValue(f"{game.name} does not say how likely its deals are; ask a small game or push/fold")
    n = game.names.node(node)
    player = int(game.tree.player[n])
    if player < 0:
        raise BadValue(f"nobody acts at node {game.names.path(n)!r}; choose a node where a player acts")
    measure = Measure(game, policy)
    measure.value(player)
    reach = np.stack([policy.reach(seat) for seat in range(game.n_players)])
    mass = values_at(node_masses(game)[0], player, reach)[n] * measure.chance[n]
    first = int(game.tree.first[n])
    worth = measure.cfv[first : first + int(game.tree.count[n])]
    return np.divide(worth, mass, out=np.full(worth.shape, np.nan), where=mass > NOBODY_COMES)
