"""Choosing where a truncated tree grows, and the numbers that tell how far it has grown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.game import Game
from solverlab.solvers.rebalance_settings import list_of

if TYPE_CHECKING:
    from solverlab.solvers.rebalance import Rebalance

Leaf = tuple[int, int, int]  # player, node, hand


def best_leaves(solver: Rebalance) -> list[tuple[Leaf, str]]:
    """The k leaves of each position that its rule puts first, with the reason for each."""
    chosen: list[tuple[Leaf, str]] = []
    cut, rule = solver.cut, solver.frontier
    assert cut is not None and rule is not None
    for player in range(solver.game.n_players):
        nodes, hands = np.nonzero(cut.frontier(player))
        dealt = solver.values.mass[player, 0, hands]  # a hand's own probability does not make it popular
        mass = solver.values.mass[player, nodes, hands] / np.where(dealt > 0, dealt, 1.0)
        reach = mass * solver.values.reach[player, nodes, hands]
        ev = solver.node_ev(player)[nodes, hands]
        for place, i in enumerate(rule.order(reach, ev)[: rule.k], start=1):
            why = rule.reason(place, float(reach[i]), float(ev[i]))
            chosen.append(((player, int(nodes[i]), int(hands[i])), why))
    return chosen


def named_leaves(
    game: Game, leaves: Iterable[tuple[str | int, str | int, str | int]]
) -> list[tuple[Leaf, str]]:
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


def growth_numbers(solver: Rebalance) -> dict[str, Any]:
    """How large the trees are and how often a strategy was asked for beyond a frontier; nothing if whole."""
    cut = solver.cut
    if cut is None:
        return {}
    return {
        "epoch": solver.epoch,
        "nodes": cut.size(),
        "action_nodes": cut.action_nodes(),
        "misses": cut.missed,
        "miss_rate": cut.missed / max(cut.lookups, 1),
    }
