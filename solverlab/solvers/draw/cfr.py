"""Vector CFR for single-draw push/fold: every hand, every discard, every iteration, without sampling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy

import numpy as np

from solverlab.core.draw_game import DrawGame
from solverlab.core.errors import BadValue
from solverlab.core.rows import Config, Setting
from solverlab.solvers.draw.bracket import bracket
from solverlab.solvers.draw.deals import FOLD_BIG_BLIND, FOLD_BUTTON, dealer_of
from solverlab.solvers.draw.model import DrawModel, workspace_bytes
from solverlab.solvers.draw.passes import ground_of
from solverlab.solvers.draw.policy import DrawPolicy, shares
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.solvers.draw.tables import DrawTables, fresh_tables, settle
from solverlab.solvers.schedules import Schedule, schedule_named

DECISIONS = ("push", "call", "first", "second")


def check_unpredictive(schedule: Schedule) -> Schedule:
    """The schedule, unless it predicts, which no solver of draw games does."""
    if schedule.predictive:
        raise BadValue(f"{schedule.name} predicts and is not built for draw games; take CFR+ or DCFR")
    return schedule


def averaging(schedule: Schedule, reach: np.ndarray) -> np.ndarray:
    """What the average strategy is weighed by, float32[H]: the own reach, or nothing if so scheduled."""
    return reach.astype(np.float32) if schedule.weighted else np.ones(len(reach), np.float32)


class DrawCFR(DrawSolver[DrawSnapshot]):
    """Full-width CFR on the model of a draw game; `order` is how far shared cards are followed.

    `game` offers `sets` (the hands of its deck), `suits` and `stack`. Alternating updates: the button first.
    """

    def __init__(self, game: DrawGame, schedule: str | Schedule = "DCFR", order: int = 1, threads: int = 2):
        super().__init__(game)
        self.schedule = check_unpredictive(schedule_named(schedule))
        self.model = DrawModel(ground_of(game.sets), game.stack, order, threads)
        self.dealer = dealer_of(game.sets, game.suits)
        hands, masks, counts = len(game.sets.hands), self.model.masks, self.model.cards + 1
        self.tables = {
            "push": fresh_tables(hands, 2),
            "call": fresh_tables(hands, 2),
            "first": fresh_tables(hands, masks),
            "second": fresh_tables(counts, hands, masks),
        }
        self.touches = self.tables["second"].sigma.size + self.tables["first"].sigma.size
        self.value = float("nan")  # the button's value of the strategies last met, within the model

    @classmethod
    def bytes_needed(cls, game: DrawGame, order: int = 1, threads: int = 2, **settings: Setting) -> int:
        """Bytes of the tables and of what every thread works in; the deck itself is not counted."""
        hands, masks, counts = len(game.sets.hands), 1 << game.cards, game.cards + 1
        rows = 4 * hands * (4 + masks * (1 + counts))
        return len(DrawTables._fields) * rows + threads * workspace_bytes(game.sets, order)

    def _work(self, n: int) -> Iterator[None]:
        for _ in range(n):
            kept = self.schedule.rates(self.iteration)
            rates = (kept.positive, kept.negative, kept.average)
            self._button(rates)
            yield
            self._big_blind(rates)

    def policy(self) -> DrawPolicy:
        """The average strategies, which converge."""
        push, call, first, second = (shares(self.tables[name].total) for name in DECISIONS)
        return DrawPolicy(push[:, 0].copy(), call[:, 0].copy(), first, second)

    def current(self) -> DrawPolicy:
        """The strategies played now."""
        push, call, first, second = (self.tables[name].sigma.copy() for name in DECISIONS)
        return DrawPolicy(push[:, 0].copy(), call[:, 0].copy(), first, second)

    def snapshot(self) -> DrawSnapshot:
        """The state for the eye; `value` is that of the strategies last met, within the model."""
        known = {"met_value": self.value} if self.iteration else {}
        return DrawSnapshot(policy=self.policy(), sets=self.game.sets, metrics=known, **self._clocks())

    def measure(
        self, snap: DrawSnapshot, deals: int = 4_000_000, rng: int = 12345, order: int | None = None
    ) -> DrawSnapshot:
        """The snapshot with its value and the bracket of its NashConv in the exact game.

        `order` 2 measures more finely than this solver steps, at ten times the work.
        """
        model = self.model
        if order is not None and order != model.order:
            model = DrawModel(model.ground, model.stack, order, model.threads)
        found = bracket(model, self.dealer, snap.policy, deals, rng)
        return snap.measured({**found.record(), "nash_conv": found.upper})

    def config(self) -> Config:
        return {"solver": "DrawCFR", "schedule": self.schedule.row(), "order": self.model.order}

    def moved(self, game: DrawGame, warmth: int = 6) -> DrawCFR:
        """A solver of the same deck at another stack that starts from these regrets, its average afresh.

        The clock starts at `warmth`, so that what was learned here is soon outweighed. The tables are taken
        over, not copied: step this solver no further.
        """
        if game.sets is not self.game.sets:
            raise BadValue(f"{game.name} is another deck than {self.game.name}; start a solver of its own")
        self.model.stack = game.stack
        solver = copy(self)
        solver.game, solver.iteration = game, min(self.iteration, warmth)
        solver.seconds, solver.touched = 0.0, 0
        for tables in solver.tables.values():
            tables.total[...] = 0.0
        return solver

    def _settings(self) -> Config:
        return {"schedule": self.schedule, "order": self.model.order, "threads": self.model.threads}

    def _extras(self) -> dict[str, np.ndarray]:
        return {"value": np.array(self.value)}

    def _take_extras(self, state: Mapping[str, np.ndarray]) -> None:
        self.value = float(state["value"])

    # ---- one iteration -------------------------------------------------------------------------------------

    def _button(self, rates: tuple[float, float, float]) -> None:
        push, second = self.tables["push"], self.tables["second"]
        call, first = self.tables["call"].sigma[:, 0], self.tables["first"].sigma
        reach = averaging(self.schedule, push.sigma[:, 0])
        values = np.empty((len(second.sigma), len(reach)))

        def learn(count: int, worth: np.ndarray) -> None:
            rows = DrawTables(*(table[count] for table in second))
            settle(worth, self.game.stack, reach, rates, rows, values[count])

        self.model.button_worth(call, first, learn)
        pushed = 1.0 - self.model.chance(call) + values.sum(axis=0)
        worth = np.stack([pushed, np.full(len(reach), FOLD_BUTTON)], axis=1)
        met = np.empty(len(reach))
        settle(worth, 1.0, np.ones(len(reach), np.float32), rates, push, met)
        self.value = float(self.game.sets.weight @ met)

    def _big_blind(self, rates: tuple[float, float, float]) -> None:
        call, first = self.tables["call"], self.tables["first"]
        push = self.tables["push"].sigma[:, 0]
        reach, called, met = averaging(self.schedule, call.sigma[:, 0]), *np.empty((2, len(push)))
        worth = self.model.big_blind_worth(push, self.tables["second"].sigma)
        settle(worth, self.game.stack, reach, rates, first, called)
        choice = np.stack([called, FOLD_BIG_BLIND * self.model.chance(push)], axis=1)
        settle(choice, 1.0, np.ones(len(push), np.float32), rates, call, met)
