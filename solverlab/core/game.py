"""What a solver needs to know of a game: a tree, and one array function at its leaves.

Three kinds of games stand beside one another: `RangeGame` (a tree, here), `DealtGame` (`core/dealt_game.py`)
and `DrawGame` (`core/draw_game.py`). Solvers tell them apart by these contracts and by nothing else.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from solverlab.core.abilities import DealtMassGame
from solverlab.core.errors import BadValue
from solverlab.core.leaves import LeafTable
from solverlab.core.names import Names
from solverlab.core.rows import Config
from solverlab.core.solver import NamedGame
from solverlab.core.tree import Tree, check_tree, n_leaves
from solverlab.core.tying import Tying


@runtime_checkable
class RangeGame(Protocol):
    """A game in range form: a public tree, H hands a player, and `leaf_cfv`.

    A game in which every deal is a chance row has H = 1 and ties its infosets; nothing else differs.
    """

    name: str
    n_players: int
    tree: Tree
    names: Names
    tie: Tying

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        """Counterfactual values [L, H] of player `me` at the leaves, given everybody's own reach[P, L, H].

        The joint probability of the deal, card removal and payoffs live in here and nowhere else.
        """

    def config(self) -> Config:
        """What `solverlab.games.from_config` needs to build this game again, as JSON values."""


Game = RangeGame  # the kind most of the house is about


@runtime_checkable
class TabulatedGame(RangeGame, DealtMassGame, Protocol):
    """A game small enough to write its leaves down: it can be unrolled deal by deal and refereed."""

    leaves: LeafTable


def need_tree(game: object) -> None:
    """Raise unless a game has a tree to sweep: the largest ones are solved over their hands alone."""
    if not isinstance(game, RangeGame):
        name = game.name if isinstance(game, NamedGame) else type(game).__name__
        raise BadValue(f"{name} has no tree to sweep; solve it with sl.solve(game)")


def check_game(game: Game) -> None:
    """Raise unless a game keeps the contract; a new game passes this in one line of test."""
    check_tree(game.tree)
    hands, leaves = len(game.names.hands), n_leaves(game.tree)
    if game.tree.player.max() >= game.n_players:
        raise BadValue(
            f"player {game.tree.player.max()} acts in a game of {game.n_players}; number players from 0"
        )
    if len(game.names.actions) != len(game.tree.parent):
        raise BadValue(
            f"{len(game.names.actions)} action names for {len(game.tree.parent)} nodes; name every node"
        )
    if len(game.names.players) != game.n_players:
        raise BadValue(
            f"{len(game.names.players)} player names for {game.n_players} players; name every player"
        )
    reach = np.ones((game.n_players, leaves, hands))
    values = [game.leaf_cfv(me, reach) for me in range(game.n_players)]
    for me, value in enumerate(values):
        if value.shape != (leaves, hands):
            raise BadValue(
                f"leaf values of player {me} have shape {value.shape}; they must be {(leaves, hands)}"
            )
        if not np.isfinite(value).all():
            bad = int(np.argmax(~np.isfinite(value).all(axis=1)))
            raise BadValue(f"the payoff at leaf {bad} is {value[bad].sum()}; payoffs must be finite numbers")
