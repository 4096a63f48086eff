"""What an abstraction costs: solve what its players see, measure the strategy in the real game, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solverlab.analysis import exploitability
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


def price_of_abstraction(
    game: TabulatedGame,
    ties: Mapping[str, Tying],
    schedule: str | Schedule = "DCFR",
    iterations: int = 2000,
) -> list[Price]:
    """Solve a game under each tie and measure each solution where nothing is tied (two players).

    An abstract game has many equilibria and their prices differ; the one reported is what this schedule finds
    in this many iterations, which is deterministic.
    """
    if game.n_players != 2:
        raise BadValue(f"the price of an abstraction needs two players, {game.name} has {game.n_players}")
    prices = []
    for name, tie in ties.items():
        policy = CFR(game, schedule, tie=tie).step(iterations).policy
        prices.append(Price(name, infosets(game, tie), exploitability(game, policy), policy))
    return prices


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
    """One row an abstraction: name, infosets, exploitability."""
    return frame(
        {
            "abstraction": [price.name for price in prices],
            "infosets": [price.infosets for price in prices],
            "exploitability": [price.exploitability for price in prices],
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
