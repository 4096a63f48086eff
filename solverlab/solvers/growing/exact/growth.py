"""Choosing where a truncated tree grows: by a rule, or by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import Game
from solverlab.core.tree import CHANCE, Tree
from solverlab.solvers.growing.frontier import FrontierRule
from solverlab.solvers.growing.settings import list_of

if TYPE_CHECKING:
    from solverlab.solvers.growing.exact.ground import ExactGround

Leaf = tuple[int, int, int]  # player, node, hand


def best_leaves(ground: ExactGround, rule: FrontierRule) -> list[tuple[Leaf, str]]:
    """The k leaves of each position that a rule puts first, with the reason for each."""
    chosen: list[tuple[Leaf, str]] = []
    cut, values = ground.cut, ground.values
    assert cut is not None
    for player in range(ground.game.n_players):
        nodes, hands = np.nonzero(cut.frontier(player))
        dealt = values.mass[player, 0, hands]  # a hand's own probability does not make it popular
        mass = values.mass[player, nodes, hands] / np.where(dealt > 0, dealt, 1.0)
        reach = mass * values.reach[player, nodes, hands]
        ev = ground.node_ev(player)[nodes, hands]
        for place, i in enumerate(rule.order(reach, ev)[: rule.k], start=1):
            why = rule.reason(place, float(reach[i]), float(ev[i]))
            chosen.append(((player, int(nodes[i]), int(hands[i])), why))
    return chosen


def kind_of(tree: Tree, player: int, node: int) -> str:
    """What an expanded leaf is in the tree of a player: action, passive (another acts) or deal."""
    actor = int(tree.player[node])
    return "deal" if actor == CHANCE else "action" if actor == player else "passive"


def named_leaves(game: Game, leaves: object) -> list[tuple[Leaf, str]]:
    """Leaves somebody asked for, by seat, node and hand, each by name or number."""
    chosen = []
    for leaf in list_of("leaves", leaves):
        if not isinstance(leaf, tuple | list) or len(leaf) != 3:
            raise BadValue(f"{leaf!r} names no leaf; give (player, node, hand)")
        player, node, hand = leaf
        seat = game.names.players.index(player) if player in game.names.players else player
        if not isinstance(seat, int) or not 0 <= seat < game.n_players:
            raise BadValue(f"there is no player {player!r}; players are {', '.join(game.names.players)}")
        chosen.append(((seat, game.names.node(node), game.names.hand(hand)), "asked for"))
    return chosen
