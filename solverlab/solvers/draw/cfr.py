"""Vector CFR for single-draw push/fold: every hand, every discard, every iteration, without sampling."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel
from solverlab.core.snapshot import Status
from solverlab.solvers.draw.bracket import bracket
from solverlab.solvers.draw.deals import FOLD_BIG_BLIND, FOLD_BUTTON, dealer_of
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import ground_of
from solverlab.solvers.draw.policy import DrawPolicy, match_rows, shares
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.solvers.schedules import Schedule, schedule_named


class DrawTables(NamedTuple):
    """One decision of every hand: accumulated regret and strategy, and the strategy played now."""

    regret: np.ndarray  # float32[H, A]
    total: np.ndarray  # float32[H, A]
    sigma: np.ndarray  # float32[H, A]


DECISIONS = ("push", "call", "first", "second")


def fresh_draw_tables(hands: int, actions: int, counts: int = 0, together: bool = False) -> DrawTables:
    """Nothing learned: every action equally likely; with `counts` one such table a count.

    `together` keeps the rows of a hand side by side in memory, as sampling visits hand by hand.
    """
    whole = (hands, counts, actions) if together else (counts, hands, actions)
    shape = whole if counts else (hands, actions)
    start = np.full(shape, 1.0 / actions, np.float32)
    return DrawTables(np.zeros(shape, np.float32), np.zeros(shape, np.float32), start)


@kernel
def settle(worth, scale, reach, rates, tables, value):
    """One CFR update of every hand from worth[H, A] * scale; what the hand got goes into value[H].

    rates are the kept fractions of positive regret, negative regret and average; reach[H] weighs the average.
    """
    regret, total, sigma = tables
    keep_positive, keep_negative, keep_average = rates
    A = worth.shape[1]
    for h in range(len(worth)):
        mean, norm = 0.0, 0.0
        for a in range(A):
            mean += sigma[h, a] * worth[h, a]
        for a in range(A):
            total[h, a] = keep_average * total[h, a] + reach[h] * sigma[h, a]
            kept = keep_positive if regret[h, a] > 0.0 else keep_negative
            regret[h, a] = kept * regret[h, a] + scale * (worth[h, a] - mean)
            norm += max(regret[h, a], 0.0)
        part = 1.0 / norm if norm > 0.0 else 0.0
        even = 0.0 if norm > 0.0 else 1.0 / A
        for a in range(A):
            sigma[h, a] = max(regret[h, a], 0.0) * part + even
        value[h] = scale * mean


class DrawCFR:
    """Full-width CFR on the model of a draw game; `order` is how far shared cards are followed.

    `game` offers `sets` (the hands of its deck), `suits` and `stack`. Alternating updates: the button first.
    """

    def __init__(self, game: Any, schedule: str | Schedule = "DCFR", order: int = 1, threads: int = 2):
        self.game, self.schedule = game, schedule_named(schedule)
        if self.schedule.predictive:
            raise BadValue(
                f"{self.schedule.name} predicts and is not built for draw games; take CFR+ or DCFR"
            )
        self.model = DrawModel(ground_of(game.sets), game.stack, order, threads)
        self.dealer = dealer_of(game.sets, game.suits)
        self.iteration, self.seconds, self.touched = 0, 0.0, 0
        hands, masks, counts = len(game.sets.hands), self.model.masks, self.model.cards + 1
        self.tables = {
            "push": fresh_draw_tables(hands, 2),
            "call": fresh_draw_tables(hands, 2),
            "first": fresh_draw_tables(hands, masks),
            "second": fresh_draw_tables(hands, masks, counts),
        }
        self.value = float("nan")  # the button's value of the strategies last met, within the model

    def step(self, n: int = 1) -> DrawSnapshot:
        """Run `n` iterations and show the result."""
        self.advance(n)
        return self.snapshot()

    def advance(self, n: int = 1) -> None:
        """Run `n` iterations without a look at them."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise BadValue(f"cannot run {n!r} iterations; give a whole number of at least 0")
        for _ in range(n):
            began = perf_counter()
            kept = self.schedule.rates(self.iteration)
            rates = (kept.positive, kept.negative, kept.average)
            self._button(rates)
            self._big_blind(rates)
            self.iteration += 1
            self.touched += self.tables["second"].sigma.size + self.tables["first"].sigma.size
            self.seconds += perf_counter() - began

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
        clocks = (self.iteration, self.seconds, self.touched)
        status = Status.RUNNING if self.iteration else Status.STARTED
        known = {"met_value": self.value} if self.iteration else {}
        return DrawSnapshot(*clocks, self.policy(), self.game.sets, known, status)

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

    def config(self) -> dict[str, Any]:
        row = {name: getattr(self.schedule, name) for name in self.schedule.__dataclass_fields__}
        return {"solver": "DrawCFR", "schedule": row, "order": self.model.order}

    def moved(self, game: Any, warmth: int = 6) -> DrawCFR:
        """A solver of the same deck at another stack that starts from these regrets, its average afresh.

        The clock starts at `warmth`, so that what was learned here is soon outweighed. The tables are taken
        over, not copied: step this solver no further.
        """
        if game.sets is not self.game.sets:
            raise BadValue(f"{game.name} is another deck than {self.game.name}; start a solver of its own")
        self.model.stack = game.stack
        solver = DrawCFR.__new__(DrawCFR)
        solver.__dict__.update(self.__dict__)
        solver.game, solver.iteration = game, min(self.iteration, warmth)
        solver.seconds, solver.touched = 0.0, 0
        for tables in solver.tables.values():
            tables.total[...] = 0.0
        return solver

    # ---- saving --------------------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to go on bit for bit."""
        saved = {
            f"{name}_{kind}": getattr(self.tables[name], kind).copy()
            for name in DECISIONS
            for kind in ("regret", "total")
        }
        clock = {"clock": np.array([self.iteration, self.touched]), "seconds": np.array(self.seconds)}
        return {**saved, **clock, "value": np.array(self.value)}

    @classmethod
    def from_state(cls, game: Any, state: Mapping[str, np.ndarray], **settings: Any) -> DrawCFR:
        """A solver that goes on from a saved state; `settings` are those of the constructor."""
        solver = cls(game, **settings)
        restore_tables(solver.tables, state)
        solver.iteration, solver.touched = (int(number) for number in state["clock"])
        solver.seconds, solver.value = float(state["seconds"]), float(state["value"])
        return solver

    # ---- one iteration -------------------------------------------------------------------------------------

    def _button(self, rates: tuple[float, float, float]) -> None:
        push, second = self.tables["push"], self.tables["second"]
        call, first = self.tables["call"].sigma[:, 0], self.tables["first"].sigma
        reach = push.sigma[:, 0].copy()
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
        reach, called, met = call.sigma[:, 0].copy(), np.empty(len(push)), np.empty(len(push))
        worth = self.model.big_blind_worth(push, self.tables["second"].sigma)
        settle(worth, self.game.stack, reach, rates, first, called)
        choice = np.stack([called, FOLD_BIG_BLIND * self.model.chance(push)], axis=1)
        settle(choice, 1.0, np.ones(len(push), np.float32), rates, call, met)


def restore_tables(tables: dict[str, DrawTables], state: Mapping[str, np.ndarray]) -> None:
    """Fill tables from a saved state and match the strategies to the regrets."""
    for name, rows in tables.items():
        for kind in ("regret", "total"):
            table, saved = getattr(rows, kind), state[f"{name}_{kind}"]
            if saved.shape != table.shape:
                raise BadValue(
                    f"the saved {name} {kind} has shape {saved.shape} but this game needs {table.shape}"
                )
            table[...] = saved
        actions = rows.regret.shape[-1]
        match_rows(rows.regret.reshape(-1, actions), rows.sigma.reshape(-1, actions))
