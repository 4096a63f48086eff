"""CFR for the draw game with a betting tree before and after the draw, every hand and discard each iteration.

A strategy is a dictionary of tables by name: the actions before the draw ("limp/push"), the discards, the big
blind's (":first") and the button's (":second"), and, after "|", the actions after the draw
(`core.draw_paths`). What a hand is in each of them, `betting_sweep` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np
import psutil

from solverlab.core.draw_game import BettingDrawGame, DrawGame
from solverlab.core.draw_paths import decisions
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.rows import Config, Setting
from solverlab.core.solver import Accepts
from solverlab.solvers.draw.betting_score import score_betting
from solverlab.solvers.draw.betting_snapshot import BettingSnapshot
from solverlab.solvers.draw.betting_sweep import Arrived, Decide, Index, Sweep, Tables
from solverlab.solvers.draw.bracket import Bracket
from solverlab.solvers.draw.cfr import averaging, check_unpredictive
from solverlab.solvers.draw.deals import dealer_of
from solverlab.solvers.draw.model import DrawModel, workspace_bytes
from solverlab.solvers.draw.passes import ground_of
from solverlab.solvers.draw.policy import shares
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.solvers.draw.tables import DrawTables, fresh_tables, settle
from solverlab.solvers.schedules import Schedule, schedule_named


class Shape(NamedTuple):
    """Whose decision a table is, and its dimensions, the actions last."""

    player: int
    dims: tuple[int, ...]


def table_shapes(game: BettingDrawGame) -> dict[str, Shape]:
    """Every table that a strategy of the game has."""
    hands, masks, counts = len(game.sets.hands), 1 << game.cards, game.cards + 1
    tied = counts**2, int(game.sets.strength.max()) + 1
    found: dict[str, Shape] = {}
    for place in decisions(game.root):
        if place.player < 0:
            found[f"{place.name}:first"] = Shape(1, (hands, masks))
            found[f"{place.name}:second"] = Shape(0, (counts, hands, masks))
        else:
            rows = tied if place.after_draw else (hands,)
            found[place.name] = Shape(place.player, (*rows, len(place.actions)))
    return found


class DrawBetting(DrawSolver[BettingSnapshot]):
    """Alternating CFR on a draw game with a tree of betting; `order` is how far shared cards are followed.

    Order 0 plays as if both drew from decks of their own, which is far from the game where hands are small;
    order 1, the usual, counts what each single card of one's own changes. Memory is asked for beforehand:
    every line of betting that comes to a draw needs tables of its own.
    """

    accepts: ClassVar[Accepts] = BettingDrawGame
    game: BettingDrawGame

    def __init__(
        self, game: BettingDrawGame, schedule: str | Schedule = "DCFR", order: int = 1, threads: int = 2
    ):
        if isinstance(order, bool) or order not in (0, 1):
            raise BadValue(f"betting follows shared cards to order 0 or 1, not {order!r}")
        super().__init__(game)
        self.schedule = check_unpredictive(schedule_named(schedule))
        check_memory(game, self.bytes_needed(game, order=order, threads=threads))
        self.model = DrawModel(ground_of(game.sets), game.stack, order, threads)
        self.ground = self.model.ground
        self.shapes = table_shapes(game)
        self.tables = {name: fresh_tables(*shape.dims) for name, shape in self.shapes.items()}
        self.arrived = {place.name: self._nobody() for place in decisions(game.root) if place.goes_on}
        self.touches = sum(table.sigma.size for table in self.tables.values())
        self._numbers = {name: number for number, name in enumerate(self.tables)}

    @classmethod
    def bytes_needed(
        cls, game: BettingDrawGame, order: int = 1, threads: int = 2, **settings: Setting
    ) -> int:
        """Bytes of the tables, of what every thread works in, and of measuring.

        To measure, an average strategy, both answers to it and a profile a thread are there at once.
        """
        entries = sum(prod(shape.dims) for shape in table_shapes(game).values())
        counts, classes = game.cards + 1, int(game.sets.strength.max()) + 1
        goes_on = sum(place.goes_on for place in decisions(game.root))
        arrived = 8 * goes_on * (counts + counts**2) * classes
        tables = 4 * (len(DrawTables._fields) + 2 + threads) * entries
        return tables + arrived + threads * workspace_bytes(game.sets, order) + 1000  # the clocks

    def _work(self, n: int) -> Iterator[None]:
        for _ in range(n):
            kept = self.schedule.rates(self.iteration)
            learn = self._learner((kept.positive, kept.negative, kept.average))
            if self.iteration == 0 and self.arrived:  # how the button's first play arrives after the draw
                self._sweep(1, self.current(), _follow(self.current()), note=True)
            self._sweep(0, self.current(), learn, note=True)
            yield
            self._sweep(1, self.current(), learn, note=True)

    def current(self) -> dict[str, np.ndarray]:
        """The strategies played now (the live tables)."""
        return {name: tables.sigma for name, tables in self.tables.items()}

    def policy(self) -> dict[str, np.ndarray]:
        """The average strategies, which converge."""
        return {name: shares(tables.total) for name, tables in self.tables.items()}

    def snapshot(self) -> BettingSnapshot:
        """The state for the eye."""
        return BettingSnapshot(
            policy=self.policy(), sets=self.game.sets, root=self.game.root, **self._clocks()
        )

    # ---- measuring -----------------------------------------------------------------------------------------

    def value_of(self, me: int, policy: Tables) -> float:
        """A player's value of a policy within the model."""
        return self._sweep(me, policy, _follow(policy))

    def answer(self, me: int, policy: Tables) -> tuple[float, dict[str, np.ndarray]]:
        """The value of a player's best response within the model, and that response, all pure."""
        best = {
            name: np.zeros_like(policy[name]) for name, shape in self.shapes.items() if shape.player == me
        }

        def choose(name: str, index: Index, worth: np.ndarray, reach: np.ndarray) -> np.ndarray:
            pure = np.zeros(worth.shape, np.float32)
            pure[np.arange(len(worth)), worth.argmax(axis=1)] = 1.0
            best[name][index] = pure
            return pure

        return self._sweep(me, policy, choose), best

    def followed(self, order: int) -> DrawBetting:
        """The same solver seeing shared cards to another order; for finer answers to a policy of this one."""
        twin = copy(self)
        twin.model = DrawModel(self.ground, self.game.stack, order, self.model.threads)
        return twin

    def measure(
        self, snap: BettingSnapshot, deals: int = 400_000, rng: int = 12345, order: int | None = None
    ) -> BettingSnapshot:
        """The snapshot with its value and the bracket of its NashConv in the exact game."""
        solver = self if order is None or order == self.model.order else self.followed(order)
        values = [solver.value_of(me, snap.policy) for me in (0, 1)]
        best = [solver.answer(me, snap.policy) for me in (0, 1)]
        gains = [best[me][0] - values[me] for me in (0, 1)]
        dealer = dealer_of(self.game.sets, self.game.suits)
        score = score_betting(
            self.game, dealer, snap.policy, [answer for _, answer in best], deals, rng, self.model.threads
        )
        found = Bracket(score, solver.model.order, gains[0], gains[1], (values[0] - values[1]) / 2)
        return snap.measured({**found.record(), "nash_conv": found.upper})

    # ---- settings and saving -------------------------------------------------------------------------------

    def config(self) -> Config:
        """Its name under "solver", and its settings, as JSON values."""
        return {"solver": "DrawBetting", "schedule": self.schedule.row(), "order": self.model.order}

    def _settings(self) -> Config:
        return {"schedule": self.schedule, "order": self.model.order, "threads": self.model.threads}

    def _label(self, name: str) -> str:
        return f"decision{self._numbers[name]}"  # names of decisions hold signs that names of files may not

    def _extras(self) -> dict[str, np.ndarray]:
        return {
            f"draw{number}_{seat}": getattr(arrived, seat)
            for number, arrived in enumerate(self.arrived.values())
            for seat in Arrived._fields
        }

    def _take_extras(self, state: Mapping[str, np.ndarray]) -> None:
        for name, array in self._extras().items():
            array[...] = state[name]

    # ---- one iteration -------------------------------------------------------------------------------------

    def _sweep(self, me: int, policy: Tables, decide: Decide, note: bool = False) -> float:
        return Sweep(self.model, me, policy, decide, self.arrived, note).value(self.game.root)

    def _learner(self, rates: tuple[float, float, float]) -> Decide:
        def learn(name: str, index: Index, worth: np.ndarray, reach: np.ndarray) -> np.ndarray:
            rows = DrawTables(*(table[index] for table in self.tables[name]))
            played = rows.sigma.copy()
            settle(worth, 1.0, averaging(self.schedule, reach), rates, rows, np.empty(len(worth)))
            return played

        return learn

    def _nobody(self) -> Arrived:
        counts, classes = self.model.cards + 1, int(self.ground.strength.max()) + 1
        return Arrived(np.zeros((counts, classes)), np.zeros((counts**2, classes)))


def _follow(policy: Tables) -> Decide:
    """Do what a policy says."""
    return lambda name, index, worth, reach: policy[name][index]


def check_memory(game: DrawGame, needed: int) -> None:
    """Refuse a game, before any table is made, that this machine has no room for."""
    free = psutil.virtual_memory().available
    if needed > free:
        raise TooLarge(
            f"{game.name} needs {needed / 1e9:.1f} GB but {free / 1e9:.1f} GB are free; give fewer raises, "
            "no limp, 4 cards, or ranks only (suits=False)"
        )
