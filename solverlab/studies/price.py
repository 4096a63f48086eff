"""What an abstraction costs: solve what its players see, measure the strategy in the real game, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.analysis import exploitability
from solverlab.analysis.recall import has_perfect_recall
from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.game import TabulatedGame
from solverlab.core.policy import Policy
from solverlab.core.tying import Tying
from solverlab.solvers import CFR, Schedule

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Price:
    """One abstraction and what it costs in the real game."""

    name: str
    infosets: int  # decisions the abstract players can tell apart
    exploitability: float  # of the abstract game's solution, in the real game
    policy: Policy
    # How far the solution is from an equilibrium of the abstract game itself: what is left of convergence.
    # Not known under imperfect recall, where a best response is no backward sweep.
    distance: float | None


def price_of_abstraction(
    game: TabulatedGame,
    ties: Mapping[str, Tying],
    schedule: str | Schedule = "DCFR",
    iterations: int = 2000,
) -> list[Price]:
    """Solve a game under each tie and measure each solution where nothing is tied (two players).

    An abstract game has many equilibria and their prices differ; the one reported is what this schedule finds
    in this many iterations, which is deterministic. `Price.distance` says how far that run had come: a price
    is only worth more digits than that.
    """
    if game.n_players != 2:
        raise BadValue(f"the price of an abstraction needs two players, {game.name} has {game.n_players}")
    prices = []
    for name, tie in ties.items():
        policy = CFR(game, schedule, tie=tie).step(iterations).policy
        price = exploitability(game, policy)
        prices.append(Price(name, infosets(game, tie), price, policy, distance_within(game, tie, policy)))
    return prices


class _Seen:
    """A game as players under a tie see it: the same tree and leaves, fewer infosets to respond with."""

    def __init__(self, game: TabulatedGame, tie: Tying):
        self.name, self.n_players = f"{game.name} under a tie", game.n_players
        self.tree, self.names, self.tie = game.tree, game.names, tie
        self.leaf_cfv, self.config = game.leaf_cfv, game.config


def distance_within(game: TabulatedGame, tie: Tying, policy: Policy) -> float | None:
    """Exploitability of a policy by opponents who see only what the tie lets them; None without recall.

    >>> import solverlab as sl
    >>> from solverlab.abstraction.labels import tie_by
    >>> game = sl.Leduc()
    >>> blind = tie_by(game, lambda hand, board: 0, lambda hand, board: 0)
    >>> policy = sl.CFR(game, "DCFR", tie=blind).step(300).policy
    >>> distance_within(game, blind, policy) < 1e-3 < 2 < sl.exploitability(game, policy)
    True
    """
    return exploitability(_Seen(game, tie), policy) if has_perfect_recall(game.tree, tie) else None


def infosets(game: TabulatedGame, tie: Tying) -> int:
    """How many (decision, bucket) pairs occur under a tie, leaving out hands the board makes impossible.

    >>> import solverlab as sl
    >>> infosets(sl.Leduc(), sl.Leduc().tie)
    936
    """
    tree, rows = game.tree, set()
    for n in np.flatnonzero(tree.player >= 0):
        child, player = tree.first[n], tree.player[n]
        mass = game.deal_mass(int(n))
        held = mass.sum(axis=tuple(axis for axis in range(mass.ndim) if axis != player)) > 0
        buckets = tie.bucket[tie.texture[child]][held]
        rows |= {(int(tie.slot[child]), int(bucket)) for bucket in buckets}
    return len(rows)


def price_frame(prices: list[Price]) -> pd.DataFrame:
    """One row an abstraction: name, infosets, exploitability, distance left within the abstract game."""
    return frame(
        {
            "abstraction": [price.name for price in prices],
            "infosets": [price.infosets for price in prices],
            "exploitability": [price.exploitability for price in prices],
            "distance": [price.distance for price in prices],
        }
    )


def changed_actions(before: Policy, after: Policy, threshold: float = 0.1) -> pd.DataFrame:
    """Where two policies of one game part ways: infosets and actions that moved by more than `threshold`."""
    if before.sigma.shape != after.sigma.shape:
        raise BadValue("these policies are of different games; compare policies of one game")
    table = before.frame()
    table["after"] = after.frame()["probability"]
    table["change"] = table["after"] - table["probability"]
    moved = table[table["change"].abs() > threshold]
    return moved.sort_values("change", key=abs, ascending=False).reset_index(drop=True)
