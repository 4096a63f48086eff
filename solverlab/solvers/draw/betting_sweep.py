"""One player's sweep over a betting tree with a draw in it: every hand, every discard, all showdown classes.

Before the draw a hand is its class. After it a hand is its showdown class and both draw counts; which cards
were thrown away no longer matters. Worths after the draw come in columns, as in `removal`: column 0 as if
both drew from decks of their own, column 1 + r what a card of rank r in one's own hands changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import EllipsisType
from typing import NamedTuple

import numpy as np

from solverlab.core.draw_game import Act, Draw, DrawNode, Paid, Show
from solverlab.core.draw_paths import joined
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import Ground, all_draw_values, spread_draws
from solverlab.solvers.draw.removal import shifts, wins_minus_losses, worth_sums

Tables = Mapping[str, np.ndarray]
Index = int | EllipsisType  # a row of a table that has one for each draw count, or all of it
Decide = Callable[[str, Index, np.ndarray, np.ndarray], np.ndarray]
"""decide(name, index, worth[rows, A], reach[rows]) -> the probabilities [rows, A] the player uses there."""


class Arrived(NamedTuple):
    """How much of a player's play comes to each place after a draw: the weight of the averages there."""

    first: np.ndarray  # float64[n + 1, R], the big blind's by cards drawn and showdown class
    second: np.ndarray  # float64[(n + 1) ** 2, R], the button's by both draw counts


class Sweep:
    """What one player gets with every hand against a policy; `decide` says, and may learn, what is done.

    `arrived` has one entry a line that bets after its draw. With `note` the other's arrivals are written
    there; the player's own are only read.
    """

    def __init__(
        self,
        model: DrawModel,
        me: int,
        policy: Tables,
        decide: Decide,
        arrived: Mapping[str, Arrived],
        note: bool = False,
    ):
        self.model, self.ground, self.me = model, model.ground, me
        self.policy, self.decide, self.arrived, self.note = policy, decide, arrived, note
        self.counts = range(model.cards + 1)
        self.ranks = ranks_of_classes(model.ground)

    def value(self, root: DrawNode) -> float:
        """The player's value of the game, over all hands."""
        one = np.ones(len(self.ground.weight))
        return float(self.ground.weight @ self._before(root, "", one, one))

    def _before(self, node: DrawNode, name: str, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
        """What the player gets with every hand from here on, the other's chance to be here included."""
        if isinstance(node, Paid):
            return self._signed(node.amount) * self.model.chance(theirs)
        if isinstance(node, Draw):
            draw = self._draw_as_button if self.me == 0 else self._draw_as_big_blind
            return draw(node.after, name, mine, theirs)
        assert isinstance(node, Act)
        sigma, own = self.policy[name], node.player == self.me
        parts = [
            self._before(
                child,
                joined(name, action),
                mine * sigma[:, a] if own else mine,
                theirs if own else theirs * sigma[:, a],
            )
            for a, (action, child) in enumerate(node.following.items())
        ]
        if not own:
            return np.sum(parts, axis=0)
        worth = np.stack(parts, axis=1)
        return (self.decide(name, ..., worth, mine) * worth).sum(axis=1)

    # ---- the draws -----------------------------------------------------------------------------------------

    def _draw_as_button(self, after: DrawNode, name: str, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
        """The big blind's draw is seen; then the button's own, count by count where bets follow."""
        first, arrived = self.policy[f"{name}:first"], self.arrived.get(name)
        got = np.zeros((len(self.counts), len(mine)))

        def one(count: int) -> None:
            mass, sums, worth = self.model.scratch()[:3]
            spread_draws(self.ground, self.ground.weight * theirs, first, count, mass)
            table = shifts(self.ground, mass)
            if self.note and arrived is not None:
                arrived.first[count] = table[:, 0]
            for own in self.counts if arrived is not None else (-1,):
                margin = self._after(after, f"{name}|", self._group(count, own), table, arrived)
                worth_sums(self.ground, margin, sums)
                all_draw_values(self.ground, sums, own, worth)
            got[count] = np.einsum("hm,hm->h", self.decide(f"{name}:second", count, worth, mine), worth)

        self.model.each_count(one)
        return got.sum(axis=0)

    def _draw_as_big_blind(
        self, after: DrawNode, name: str, mine: np.ndarray, theirs: np.ndarray
    ) -> np.ndarray:
        """The big blind draws first; the button's draw is added up over what it may be."""
        second, arrived = self.policy[f"{name}:second"], self.arrived.get(name)
        worth = np.empty((len(mine), self.model.masks))

        def one(count: int) -> None:
            mass, sums = self.model.scratch()[:2]
            margins = []
            for own in self.counts if arrived is not None else (-1,):
                spread_draws(self.ground, self.ground.weight * theirs, second[count], own, mass)
                table, group = shifts(self.ground, mass), self._group(count, own)
                if self.note and arrived is not None:
                    arrived.second[group] = table[:, 0]
                margins.append(self._after(after, f"{name}|", group, table, arrived))
            worth_sums(self.ground, np.ascontiguousarray(sum(margins)), sums)
            all_draw_values(self.ground, sums, count, worth)

        self.model.each_count(one)
        return np.einsum("hm,hm->h", self.decide(f"{name}:first", ..., worth, mine), worth)

    def _group(self, count: int, own: int) -> int:
        """The number of two draw counts, the big blind's and the button's."""
        return count * len(self.counts) + max(own, 0)

    # ---- after the draw ------------------------------------------------------------------------------------

    def _after(
        self, node: DrawNode, name: str, group: int, table: np.ndarray, arrived: Arrived | None
    ) -> np.ndarray:
        """What every showdown class gets, float64[R, C], against table[R, C] of the other's."""
        if arrived is None:
            return self._bets(node, name, group, table, np.empty(0))
        own = arrived.second[group] if self.me == 0 else arrived.first[group // len(self.counts)]
        return self._bets(node, name, group, table, own)

    def _bets(self, node: DrawNode, name: str, group: int, table: np.ndarray, mine: np.ndarray) -> np.ndarray:
        if isinstance(node, Show):
            return node.stake * wins_minus_losses(table)
        if isinstance(node, Paid):
            return self._signed(node.amount) * np.broadcast_to(table.sum(axis=0), table.shape)
        assert isinstance(node, Act)
        sigma, own = self.policy[name][group], node.player == self.me
        worths = [
            self._bets(
                child,
                joined(name, action),
                group,
                table if own else table * sigma[:, a : a + 1],
                mine * sigma[:, a] if own else mine,
            )
            for a, (action, child) in enumerate(node.following.items())
        ]
        if not own:
            return np.sum(worths, axis=0)
        known = np.stack([self._knowing_own_cards(worth) for worth in worths], axis=1)
        played = self.decide(name, group, known, mine)
        return np.sum([played[:, a : a + 1] * worth for a, worth in enumerate(worths)], axis=0)

    def _knowing_own_cards(self, worth: np.ndarray) -> np.ndarray:
        """Worth of every showdown class to a player who sees the final hand; the discards are forgotten."""
        if worth.shape[1] == 1:
            return worth[:, 0]
        return worth[:, 0] + np.take_along_axis(worth, 1 + self.ranks, axis=1).sum(axis=1)

    def _signed(self, amount: float) -> float:
        return amount if self.me == 0 else -amount


def ranks_of_classes(ground: Ground) -> np.ndarray:
    """The ranks in a hand of every showdown class, int64[R, n]: a class of this game holds them all alike."""
    ranks = np.zeros((int(ground.strength.max()) + 1, ground.ranks.shape[1]), np.int64)
    ranks[ground.strength] = ground.ranks
    return ranks
