"""CFR for the draw game with a betting tree before and after the draw, every hand and discard each iteration.

Before the draw a hand is its class. After it a hand is its showdown class and both draw counts: that is all a
player needs who ignores which cards the other cannot hold, as order 0 does; the cards thrown away no longer
matter. A strategy is a dictionary of tables by name: the path of actions before the draw ("limp/push"), the
discards (":first", ":second") and, after "|", the actions after the draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.solvers.draw.cfr import DrawTables, settle
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import all_draw_values, ground_of, spread_draws
from solverlab.solvers.draw.policy import shares
from solverlab.solvers.draw.removal import shifts, wins_minus_losses, worth_sums
from solverlab.solvers.schedules import Schedule, schedule_named

Decide = Callable[[str, Any, np.ndarray, np.ndarray], np.ndarray]
"""decide(name, index, worth[rows, A], reach[rows]) -> the probabilities [rows, A] the player uses there."""


class DrawBetting:
    """Alternating CFR on a game that offers `root`, a tree of Act, Paid, Draw and Show, and `sets`."""

    def __init__(self, game: Any, schedule: str | Schedule = "DCFR", order: int = 0, threads: int = 2):
        if order not in (0, 1):
            raise BadValue(f"betting follows shared cards to order 0 or 1, not {order!r}")
        self.game, self.schedule = game, schedule_named(schedule)
        self.model = DrawModel(ground_of(game.sets), game.stack, order, threads)
        self.ground, self.iteration = self.model.ground, 0
        self.tables: dict[str, DrawTables] = {}
        self.arrived: dict[tuple[str, int, int], np.ndarray] = {}
        self._prepare(game.root, "")

    def advance(self, n: int = 1) -> None:
        """Run `n` iterations."""
        for _ in range(n):
            kept = self.schedule.rates(self.iteration)
            rates = (kept.positive, kept.negative, kept.average)
            for me in (0, 1):
                self._sweep(me, self.current(), self._learner(rates))
            self.iteration += 1

    def current(self) -> dict[str, np.ndarray]:
        """The strategies played now (the live tables)."""
        return {name: tables.sigma for name, tables in self.tables.items()}

    def policy(self) -> dict[str, np.ndarray]:
        """The average strategies."""
        return {name: shares(tables.total) for name, tables in self.tables.items()}

    def value_of(self, me: int, policy: Mapping[str, np.ndarray]) -> float:
        """A player's value of a policy within the model."""
        return self._sweep(me, policy, lambda name, index, worth, reach: policy[name][index])

    def answer(self, me: int, policy: Mapping[str, np.ndarray]) -> tuple[float, dict[str, np.ndarray]]:
        """The value of a player's best response within the model, and that response, all pure."""
        best: dict[str, np.ndarray] = {}

        def choose(name: str, index: Any, worth: np.ndarray, reach: np.ndarray) -> np.ndarray:
            pure = np.zeros(worth.shape, np.float32)
            pure[np.arange(len(worth)), worth.argmax(axis=1)] = 1.0
            best[name][index] = pure
            return pure

        for name, table in policy.items():
            if self.owner[name] == me:
                best[name] = np.zeros_like(table)
        return self._sweep(me, policy, choose), best

    def followed(self, order: int) -> DrawBetting:
        """The same solver seeing shared cards to another order; for finer answers to a policy of this one."""
        twin = copy(self)
        twin.model = DrawModel(self.ground, self.game.stack, order, self.model.threads)
        return twin

    # ---- the tables ----------------------------------------------------------------------------------------

    def _prepare(self, node: Any, path: str) -> None:
        """A table for every decision of the tree."""
        self.owner: dict[str, int] = getattr(self, "owner", {})
        hands, masks, counts = len(self.ground.weight), self.model.masks, self.model.cards + 1
        if kind(node) == "Act":
            self._add(path, node.player, (hands, len(node.following)))
            for label, child in node.following.items():
                self._prepare(child, joined(path, label))
        elif kind(node) == "Draw":
            self._add(f"{path}:first", 1, (hands, masks))
            self._add(f"{path}:second", 0, (counts, hands, masks))
            self._prepare_after(node.after, f"{path}|")

    def _prepare_after(self, node: Any, path: str) -> None:
        if kind(node) == "Act":
            groups, classes = (self.model.cards + 1) ** 2, int(self.ground.strength.max()) + 1
            self._add(path, node.player, (groups, classes, len(node.following)))
            for label, child in node.following.items():
                self._prepare_after(child, joined(path, label))

    def _add(self, name: str, player: int, shape: tuple[int, ...]) -> None:
        start = np.full(shape, 1.0 / shape[-1], np.float32)
        self.tables[name] = DrawTables(np.zeros(shape, np.float32), np.zeros(shape, np.float32), start)
        self.owner[name] = player

    def _learner(self, rates: tuple[float, float, float]) -> Decide:
        def learn(name: str, index: Any, worth: np.ndarray, reach: np.ndarray) -> np.ndarray:
            rows = DrawTables(*(table[index] for table in self.tables[name]))
            played = rows.sigma.copy()
            settle(worth, 1.0, reach.astype(np.float32), rates, rows, np.empty(len(worth)))
            return played

        return learn

    # ---- one player's sweep --------------------------------------------------------------------------------

    def _sweep(self, me: int, policy: Mapping[str, np.ndarray], decide: Decide) -> float:
        one = np.ones(len(self.ground.weight))
        return float(self.ground.weight @ self._walk(self.game.root, "", me, (one, one), policy, decide))

    def _walk(
        self, node: Any, path: str, me: int, reach: tuple, policy: Mapping, decide: Decide
    ) -> np.ndarray:
        """What a player gets with every hand from here on, the other's chance to be here included."""
        mine, theirs = reach
        if kind(node) == "Paid":
            return (node.amount if me == 0 else -node.amount) * self.model.chance(theirs)
        if kind(node) == "Draw":
            draw = self._button_draws if me == 0 else self._big_blind_draws
            return draw(node.after, path, reach, policy, decide)
        sigma = np.array(policy[path], copy=True)
        children = [(joined(path, label), child) for label, child in node.following.items()]
        if node.player != me:
            parts = [
                self._walk(child, name, me, (mine, theirs * sigma[:, a]), policy, decide)
                for a, (name, child) in enumerate(children)
            ]
            return np.sum(parts, axis=0)
        worth = np.stack(
            [
                self._walk(child, name, me, (mine * sigma[:, a], theirs), policy, decide)
                for a, (name, child) in enumerate(children)
            ],
            axis=1,
        )
        return (decide(path, ..., worth, mine) * worth).sum(axis=1)

    def _button_draws(
        self, after: Any, path: str, reach: tuple, policy: Mapping, decide: Decide
    ) -> np.ndarray:
        mine, theirs = reach
        first, split = policy[f"{path}:first"], kind(after) == "Act"
        got = np.zeros((self.model.cards + 1, len(mine)))

        def one(count: int) -> None:
            mass, sums, worth = self.model.scratch()[:3]
            spread_draws(self.ground, self.ground.weight * theirs, first, count, mass)
            table = shifts(self.ground, mass)
            self.arrived[path, 1, count] = table[:, 0]
            for own in range(self.model.cards + 1) if split else (-1,):
                group = self._group(path, 0, count, own)
                margin = self._after(after, f"{path}|", 0, group, table, policy, decide)
                worth_sums(self.ground, margin, sums)
                all_draw_values(self.ground, sums, own, worth)
            played = decide(f"{path}:second", count, worth, mine)
            got[count] = np.einsum("hm,hm->h", played, worth)

        self.model.each_count(one)
        return got.sum(axis=0)

    def _big_blind_draws(
        self, after: Any, path: str, reach: tuple, policy: Mapping, decide: Decide
    ) -> np.ndarray:
        mine, theirs = reach
        second, split = policy[f"{path}:second"], kind(after) == "Act"
        worth = np.empty((len(mine), self.model.masks))

        def one(count: int) -> None:
            mass, sums = self.model.scratch()[:2]
            total: Any = 0.0
            for own in range(self.model.cards + 1) if split else (-1,):
                spread_draws(self.ground, self.ground.weight * theirs, second[count], own, mass)
                table = shifts(self.ground, mass)
                self.arrived[path, 0, self._number(count, own)] = table[:, 0]
                group = self._group(path, 1, count, own)
                total = total + self._after(after, f"{path}|", 1, group, table, policy, decide)
            worth_sums(self.ground, np.ascontiguousarray(total), sums)
            all_draw_values(self.ground, sums, count, worth)

        self.model.each_count(one)
        return np.einsum("hm,hm->h", decide(f"{path}:first", ..., worth, mine), worth)

    def _number(self, count: int, own: int) -> int:
        return count * (self.model.cards + 1) + max(own, 0)

    def _group(self, path: str, me: int, count: int, own: int) -> tuple[int, np.ndarray]:
        """The number of two draw counts, and how much of the player's own play was last seen there."""
        number = self._number(count, own)
        seen = self.arrived.get((path, me, number if me == 0 else count))
        return number, np.ones(int(self.ground.strength.max()) + 1) if seen is None else seen

    def _after(
        self, node: Any, name: str, me: int, group: tuple, table: np.ndarray, policy: Mapping, decide: Decide
    ) -> np.ndarray:
        """What every showdown class gets after the draw against table[R, C] of the other's."""
        if kind(node) == "Show":
            return node.stake * wins_minus_losses(table)
        if kind(node) == "Paid":
            amount = node.amount if me == 0 else -node.amount
            return amount * np.broadcast_to(table.sum(axis=0), table.shape)
        number, mine = group
        sigma = np.array(policy[name][number], copy=True)
        following = [(joined(name, label), child) for label, child in node.following.items()]
        if node.player != me:
            parts = [
                self._after(child, path, me, group, table * sigma[:, a : a + 1], policy, decide)
                for a, (path, child) in enumerate(following)
            ]
            return np.sum(parts, axis=0)
        worths = [
            self._after(child, path, me, (number, mine * sigma[:, a]), table, policy, decide)
            for a, (path, child) in enumerate(following)
        ]
        played = decide(name, number, np.stack([worth[:, 0] for worth in worths], axis=1), mine)
        return np.sum([played[:, a : a + 1] * worth for a, worth in enumerate(worths)], axis=0)


def kind(node: Any) -> str:
    """The kind of a node, by the name of its class: solvers know no games."""
    return type(node).__name__


def joined(path: str, label: str) -> str:
    """The path one action further on."""
    return f"{path}{label}" if not path or path.endswith("|") else f"{path}/{label}"
