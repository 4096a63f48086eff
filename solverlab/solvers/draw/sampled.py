"""Chance-sampled CFR for single-draw push/fold: every sample is one deal, with exact card removal.

A sample updates all discards of both hands, weighing what each would have met; 134,459 hands of the real deck
are visited at random, so this creeps where `cfr` leaps, but it plays the game itself, not a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from solverlab.core.draw_game import DrawGame
from solverlab.core.kernel import inner_kernel, kernel
from solverlab.core.rows import Config, Setting
from solverlab.solvers.draw.bracket import bracket
from solverlab.solvers.draw.cfr import DECISIONS
from solverlab.solvers.draw.deals import (
    FOLD_BIG_BLIND,
    FOLD_BUTTON,
    compare_for_big_blind,
    compare_for_button,
    deal,
    dealer_of,
    fresh_table,
    pass_on,
)
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import ground_of
from solverlab.solvers.draw.policy import DrawPolicy, shares
from solverlab.solvers.draw.snapshot import DrawSnapshot
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.solvers.draw.tables import DrawTables, fresh_tables
from solverlab.solvers.mccfr import _generator, _generator_state, _restored_generator

BATCH = 20_000  # samples a kernel call
LINE = 16  # numbers that memory hands over at a time: 64 bytes


@inner_kernel
def _match(regret, hand, sigma):
    """Regret matching of the rows of a hand in regret[H, rows, A], into sigma[rows, A]."""
    rows, A = sigma.shape
    for row in range(rows):
        even, odd = np.float32(0.0), np.float32(0.0)  # two chains of additions run side by side
        for a in range(0, A, 2):
            even += regret[hand, row, a]
            odd += regret[hand, row, a + 1]
        norm = even + odd
        scale = np.float32(1.0) / norm if norm > 0.0 else np.float32(0.0)
        flat = np.float32(0.0) if norm > 0.0 else np.float32(1.0 / A)
        for a in range(A):
            sigma[row, a] = regret[hand, row, a] * scale + flat


@inner_kernel
def _learn(tables, hand, sigma, worth, scale, weight):
    """Regret matching plus for the rows of a hand; returns what they got together before they learned."""
    regret, total = tables
    share, zero, factor, got = np.float32(weight), np.float32(0.0), np.float32(scale), 0.0
    rows, A = sigma.shape
    for row in range(rows):
        even, odd = np.float32(0.0), np.float32(0.0)
        for a in range(0, A, 2):
            even += sigma[row, a] * worth[row, a]
            odd += sigma[row, a + 1] * worth[row, a + 1]
        mean = even + odd
        got += scale * mean
        for a in range(A):
            regret[hand, row, a] = max(regret[hand, row, a] + factor * (worth[row, a] - mean), zero)
        for a in range(A):
            total[hand, row, a] += share * sigma[row, a]
    return got


@inner_kernel
def _learn_choice(tables, hand, go, stay, weight):
    """The same for going on or folding; returns the value met."""
    regret, total = tables.regret, tables.total
    chance = _chance(regret, hand)
    mean = chance * go + (1.0 - chance) * stay
    regret[hand, 0] = max(regret[hand, 0] + go - mean, 0.0)
    regret[hand, 1] = max(regret[hand, 1] + stay - mean, 0.0)
    total[hand, 0] += weight * chance
    total[hand, 1] += weight * (1.0 - chance)
    return mean


@inner_kernel
def _chance(regret, hand):
    norm = regret[hand, 0] + regret[hand, 1]
    return regret[hand, 0] / norm if norm > 0.0 else 0.5


@inner_kernel
def _fetch(tables, mine, other):
    """Read a number of every cache line the two hands will need; the sum only keeps the reads alive.

    Memory is slow to answer, but answers many at once: asked one deal early, it is not waited for.
    """
    push, call, first, second = tables
    rows, A = second.regret.shape[1], second.regret.shape[2]
    seen = push.regret[mine, 0] + push.total[mine, 0] + call.regret[other, 0] + call.total[other, 0]
    for a in range(0, A, LINE):
        seen += first.regret[other, a] + first.total[other, a]
        for row in range(rows):
            seen += second.regret[mine, row, a] + second.total[mine, row, a]
    return seen


@kernel
def sample_deals(dealer, stack, clock, tables, rng, places, met):
    """Run clock[1] samples after the first clock[0]; what the button met is added to met[0].

    places are two tables: the deal played now, and the next one, whose rows are fetched meanwhile.
    """
    (push, call, first, second), (table, coming) = tables, places
    n, M, end = dealer.cards, 1 << dealer.cards, clock[0] + clock[1]
    sigma_first, sigma_second = np.zeros((1, M), np.float32), np.zeros((n + 1, M), np.float32)
    shares, faced_row = sigma_first[0], table.faced.reshape((1, M))
    as_rows = (len(first.regret), 1, M)
    early = first.regret.reshape(as_rows), first.total.reshape(as_rows)
    late = second.regret, second.total
    if clock[1] > 0:
        deal(dealer, rng, coming)
    for t in range(clock[0], end):
        pass_on(coming, table)
        if t + 1 < end:  # never beyond the last sample: the next call deals on from here
            deal(dealer, rng, coming)
            coming.parts[0] = _fetch(tables, coming.hand[0], coming.hand[1])
        mine, other = table.hand[0], table.hand[1]
        _match(early[0], other, sigma_first)
        _match(late[0], mine, sigma_second)
        pushing, calling = _chance(push.regret, mine), _chance(call.regret, other)
        compare_for_button(shares, table)
        compare_for_big_blind(sigma_second, table)
        weight = np.float64(t + 1) * 1e-6
        shown = _learn(late, mine, sigma_second, table.shown, stack * calling, weight * pushing)
        faced = _learn(early, other, sigma_first, faced_row, stack * pushing, weight * calling)
        pushed = shown + (1.0 - calling)
        met[0] += _learn_choice(push, mine, pushed, FOLD_BUTTON, weight)
        _learn_choice(call, other, faced, FOLD_BIG_BLIND * pushing, weight)


class SampledDraw(DrawSolver[DrawSnapshot]):
    """Chance-sampled CFR+ on the exact draw game; an iteration is one deal of 4n cards.

    `game` offers `sets`, `suits` and `stack`; `rng` is a seed or a numpy Generator.
    """

    unit = "samples"
    batch = BATCH

    def __init__(self, game: DrawGame, rng: int | np.random.Generator = 0):
        super().__init__(game)
        self.rng = _generator(rng)
        self.seed: int | None = rng if isinstance(rng, int) else None
        self.dealer = dealer_of(game.sets, game.suits)
        hands, cards = len(game.sets.hands), game.sets.cards
        self.tables = {
            "push": fresh_tables(hands, 2),
            "call": fresh_tables(hands, 2),
            "first": fresh_tables(hands, 1 << cards),
            "second": fresh_tables(hands, cards + 1, 1 << cards),  # a deal visits all rows of a hand together
        }
        self.touches = 8 << cards
        self.met = np.zeros(1)  # the button's values over all samples, added up
        self._places = fresh_table(self.dealer), fresh_table(self.dealer)

    @classmethod
    def bytes_needed(cls, game: DrawGame, **settings: Setting) -> int:
        """Bytes of the tables; the deck itself is not counted."""
        masks, counts = 1 << game.cards, game.cards + 1
        rows = 4 * len(game.sets.hands) * (4 + masks * (1 + counts))
        return len(DrawTables._fields) * rows + 10_000  # the generator and the clocks

    def _work(self, n: int) -> Iterator[None]:
        tables, clock = tuple(self.tables[name] for name in DECISIONS), (self.iteration, n)
        sample_deals(self.dealer, self.game.stack, clock, tables, self.rng, self._places, self.met)
        yield

    def policy(self) -> DrawPolicy:
        """The average strategies."""
        return self._shown("total")

    def current(self) -> DrawPolicy:
        """The strategies played now."""
        return self._shown("regret")

    def snapshot(self) -> DrawSnapshot:
        """The state for the eye; `met_value` is the button's mean value over all samples so far."""
        known = {"met_value": float(self.met[0]) / self.iteration} if self.iteration else {}
        return DrawSnapshot(policy=self.policy(), sets=self.game.sets, metrics=known, **self._clocks())

    def measure(
        self, snap: DrawSnapshot, deals: int = 4_000_000, rng: int = 12345, order: int | None = None
    ) -> DrawSnapshot:
        """The snapshot with its value and the bracket of its NashConv in the exact game."""
        model = DrawModel(ground_of(self.game.sets), self.game.stack, 1 if order is None else order)
        found = bracket(model, self.dealer, snap.policy, deals, rng)
        return snap.measured({**found.record(), "nash_conv": found.upper})

    def config(self) -> Config:
        return {"solver": "SampledDraw", "rng": self.seed}

    def warm_start(self, tables: dict[str, DrawTables], samples: int = 1_000_000) -> None:
        """Go on from another solver's tables, its average counting like that many samples."""
        for name, rows in tables.items():
            mine, turn = self.tables[name], (1, 0, 2) if name == "second" else (0, 1)
            mine.regret[...] = np.maximum(rows.regret, 0).transpose(turn)
            mine.total[...] = shares(rows.total).transpose(turn) * np.float32(samples * 1e-6)
        self.iteration = samples

    def _shown(self, kind: str) -> DrawPolicy:
        push, call, first, second = (shares(getattr(self.tables[name], kind)) for name in DECISIONS)
        by_count = np.ascontiguousarray(second.transpose(1, 0, 2))
        return DrawPolicy(push[:, 0].copy(), call[:, 0].copy(), first, by_count)

    def _settings(self) -> Config:
        return {"rng": self.seed or 0}

    def _extras(self) -> dict[str, np.ndarray]:
        return {"met": self.met, "generator": _generator_state(self.rng)}

    def _take_extras(self, state: Mapping[str, np.ndarray]) -> None:
        self.met = state["met"].copy()
        self.rng = _restored_generator(state["generator"])

    def copy(self) -> SampledDraw:
        """An independent solver in the same state, its random generator included."""
        twin = super().copy()
        twin.seed = self.seed
        return twin
