"""The exact ground: EVs by sums over every deal, on a whole tree or on one that is cut short and grows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from solverlab.core import sweeps
from solverlab.core.errors import BadValue
from solverlab.core.game import RangeGame
from solverlab.core.policy import Policy, read_only
from solverlab.core.rows import Config
from solverlab.solvers.growing.exact.cut import Cut, check_leaf
from solverlab.solvers.growing.exact.growth import Leaf, best_leaves, kind_of, named_leaves
from solverlab.solvers.growing.exact.saving import exact_clocks, exact_tables, restore_exact
from solverlab.solvers.growing.exact.update import node_means, rebalance_rows
from solverlab.solvers.growing.exact.values import (
    NOBODY_COMES,
    Whole,
    back_up,
    conditional_ev,
    fresh_values,
    gather,
    play_down,
)
from solverlab.solvers.growing.frontier import Expanded, FrontierRule
from solverlab.solvers.growing.ground import Clock
from solverlab.solvers.growing.settings import SHARED, LeafKind, check_samples, paid_rows, start_table
from solverlab.solvers.phases import Phase


class ExactGround:
    """A small game whose every deal is looked at: probabilities sigma[S, K] in the rows of the game's tie.

    `samples` deals, if any, weigh the same sums as they were drawn. With `grows` each (position, hand) has a
    tree of its own, which ends where `cut.inside` says.
    """

    saved_as: ClassVar[str] = "Rebalance"
    setting_names: ClassVar[tuple[str, ...]] = (*SHARED, "returned")

    def __init__(
        self,
        game: RangeGame,
        samples: int | None = None,
        start: object = None,
        leaf: LeafKind = "showdown",
        returned: bool = False,
        grows: bool = False,
    ):
        self.game, self.tie, self.samples = game, game.tie, check_samples(samples)
        self.whole = Whole(game)
        leaf = check_leaf(leaf)
        self.cut = Cut(self.whole, leaf, returned) if grows else None
        self.ends: Whole | Cut = self.whole if self.cut is None else self.cut
        self.sigma, self.total = start_table(game, start), np.zeros(self.tie.shape)
        self.values = fresh_values(game, self.tie)
        self.touched = game.n_players * self.values.sigma.size
        self._paid: np.ndarray | None = None
        if self.cut is not None and start is not None:
            raise BadValue("a growing tree starts every node alike; use start=None, or frontier=None")
        self.play()

    @classmethod
    def bytes_needed(cls, game: RangeGame, settings: Config) -> int:
        """Tables of the strategy, one set of EVs, and the mask of what has grown."""
        rows, places = math.prod(game.tie.shape), len(game.tree.parent) * len(game.names.hands)
        return 8 * (8 * rows + (6 * game.n_players + 1) * places) + game.n_players * places + 128

    @property
    def grows(self) -> bool:
        return self.cut is not None

    @property
    def size(self) -> int:
        return len(self.game.tree.parent) if self.cut is None else self.cut.size()

    @property
    def inside(self) -> np.ndarray:
        """Where trees go on, bool[P, N, H]."""
        return self.ends.inside

    @property
    def opened(self) -> np.ndarray | float:
        """Which rows may move, [S, K]: none beyond a frontier; all of a whole tree."""
        return 1.0 if self.cut is None else self.cut.open

    # ---- EVs -----------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Bring everybody's reach up to date with the probabilities."""
        play_down(self.game.tree, self.tie, self.sigma, self.game.n_players, self.values)

    def look(self, clock: Clock) -> None:
        """One set of EVs from the strategy now played."""
        self._draw(clock)
        for player in range(self.game.n_players):
            self.ends.leaves(player, self.values)
            self._back_up(player)

    def phases(self, clock: Clock) -> Iterator[Phase]:
        """The same, stopping after each player's leaves and each player's back-up."""
        values = self.values
        self._draw(clock)
        for player in range(self.game.n_players):
            who = self.game.names.players[player]
            self.ends.leaves(player, values)
            worth, mass = values.worth[player].copy(), values.mass[player].copy()
            told = f"What the {who} player wins where the tree ends, given that play comes there."
            yield Phase("leaves", player, told, {"ev": conditional_ev(worth, mass), "mass": mass})
            self._back_up(player)
            told = f"Probability times EV, summed from the leaves to the {who} player's every node."
            yield Phase("back-up", player, told, {"ev": self.node_ev(player), "mass": mass.copy()})

    def _draw(self, clock: Clock) -> None:
        """Deals for the next sweep, the same whenever this sweep is run again."""
        if self.samples is not None:
            self.whole.sample(self.samples, (clock.seed, clock.iteration))

    def _back_up(self, player: int) -> None:
        tree, values = self.game.tree, self.values
        worth, cfv = values.worth[player], values.cfv[player]
        back_up(tree, player, values.sigma, self.inside[player], worth, cfv)
        gather(tree, self.tie, player, values)
        if self.cut is not None:
            values.weight[~self.cut.open] = 0.0  # beyond a frontier nothing moves

    def node_ev(self, player: int) -> np.ndarray:
        """EV of every node and hand to a player given that play comes there, as last computed, [N, H]."""
        return conditional_ev(self.values.cfv[player], self.values.mass[player])

    def action_ev(self) -> np.ndarray:
        return conditional_ev(self.values.value, self.values.weight)

    def decision_ev(self, ev: np.ndarray) -> np.ndarray:
        return node_means(self.tie, self.sigma, ev)

    def paid(self) -> np.ndarray:
        if self._paid is None:
            self._paid = paid_rows(self.game)
        return np.where(self.judged(), self._paid, 0.0)

    def weighted(self, ev: np.ndarray) -> np.ndarray:
        return ev * self.values.weight

    def judged(self) -> np.ndarray:
        return self.values.weight > NOBODY_COMES

    # ---- the strategy --------------------------------------------------------------------------------------

    def remember(self) -> None:
        self.total += self.values.share * self.opened

    def multiply(self, factor: np.ndarray, floor: float) -> np.ndarray:
        newest = np.zeros(2)
        rebalance_rows(self.tie, factor, self.values.weight, floor, self.sigma, newest)
        self.play()
        return newest

    def played(self) -> np.ndarray:
        return self.values.sigma.copy()

    def policies(self, played: bool) -> tuple[Policy, Policy]:
        tree, names = self.game.tree, self.game.names
        return Policy(tree, names, self._average(played)), Policy(tree, names, read_only(self.played()))

    def _average(self, played: bool) -> np.ndarray:
        """Every strategy played so far, weighted by own reach; before the first sweep, the start."""
        sigma = self.values.sigma.copy()
        if played:
            table = np.ones_like(self.total)
            sweeps.normalise(self.tie, self.total, table)
            sweeps.spread(self.game.tree, self.tie, table, sigma)
        return read_only(sigma)

    # ---- growth --------------------------------------------------------------------------------------------

    def look_before_growth(self, clock: Clock) -> int:
        """The strategy has moved since the last look, and a look here is part of the growth."""
        self.look(clock)
        return 0

    def best_leaves(self, rule: FrontierRule) -> list[tuple[Leaf, str]]:
        return best_leaves(self, rule)

    def named_leaves(self, leaves: object) -> list[tuple[Leaf, str]]:
        return named_leaves(self.game, leaves)

    def grow(self, chosen: list[tuple[Leaf, str]]) -> list[Expanded]:
        assert self.cut is not None
        self.cut.expand([leaf for leaf, _ in chosen])
        names, count = self.game.names, self.game.tree.count
        return [
            Expanded(n, names.players[p], names.hands[h], why, kind_of(self.game.tree, p, n), int(count[n]))
            for (p, n, h), why in chosen
        ]

    def numbers(self) -> dict[str, float]:
        return {} if self.cut is None else self.cut.numbers()

    # ---- saving --------------------------------------------------------------------------------------------

    def tables(self) -> dict[str, np.ndarray]:
        return exact_tables(self)

    def clocks(self, clock: Clock) -> dict[str, np.ndarray]:
        return exact_clocks(clock)

    def restore(self, state: Mapping[str, np.ndarray], seed: int) -> Clock:
        clock = restore_exact(self, state, seed)
        self.play()
        return clock
