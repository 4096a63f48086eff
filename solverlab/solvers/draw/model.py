"""The push/fold draw game seen hand by hand: what each decision is worth against a given opponent.

The chance that the other pushes or calls, given one's own cards, is exact. The draws are exact within a hand;
cards that the two players cannot both hold enter to the order asked for (`removal`). Passes for other
draw counts are independent, so threads share them; results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import NamedTuple

import numpy as np

from solverlab.cards.lowball_sets import HandSets
from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel
from solverlab.solvers.draw.deals import FOLD_BIG_BLIND, FOLD_BUTTON
from solverlab.solvers.draw.passes import WEIGHED, Ground, all_draw_values, mean_of_others, spread_draws
from solverlab.solvers.draw.policy import DrawPolicy
from solverlab.solvers.draw.removal import margins, worth_sums
from solverlab.solvers.draw.second import COLUMNS, pair_odds, second_spread, second_sums, second_values

COLUMNS_OF = ((1, 1, 0), (WEIGHED + 1, WEIGHED, 0), (WEIGHED + 1, COLUMNS, COLUMNS))  # by order of removal


class Workspace(local):
    """What a thread works in, made when it is first needed there."""

    tables: tuple[np.ndarray, ...] | None = None


class Answer(NamedTuple):
    """A best response within the model: what it takes in every decision, and what that is worth."""

    go: np.ndarray  # bool[H], push or call
    kept: np.ndarray  # uint8[H] for the big blind, uint8[n + 1, H] for the button
    value: float  # its value to the responder
    base: float  # value of the policy itself, to the same player, in the same model

    @property
    def gain(self) -> float:
        """What the responder gains by leaving the policy."""
        return self.value - self.base


class DrawModel:
    """The game of a deck at a stack, with removal of the other's cards to `order` 0, 1 or 2."""

    def __init__(self, ground: Ground, stack: float, order: int = 1, threads: int = 2):
        if isinstance(order, bool) or order not in (0, 1, 2):
            raise BadValue(f"card removal of order {order!r} is not built; give 0, 1 or 2")
        if not isinstance(threads, int) or threads < 1:
            raise BadValue(f"cannot work with {threads!r} threads; give a whole number of at least 1")
        self.ground, self.stack, self.order, self.threads = ground, stack, order, threads
        self.cards, self.masks = ground.ranks.shape[1], ground.subset.shape[1]
        self._workspace = Workspace()
        self._pool: ThreadPoolExecutor | None = None

    # ---- worth of discards ---------------------------------------------------------------------------------

    def button_worth(
        self, call: np.ndarray, first: np.ndarray, use: Callable[[int, np.ndarray], None]
    ) -> None:
        """use(count, worth[H, M]) for each count drawn by the big blind: the button's wins minus losses.

        The chance of a call and of that count is included. Calls may come from several threads.
        """
        reach = self.ground.weight * call

        def one(count: int) -> None:
            worth = self.scratch()[2]
            self._pass(reach, first, count, -1, worth)
            use(count, worth)

        self.each_count(one)

    def big_blind_worth(self, push: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The big blind's wins minus losses float64[H, M], the chance of a push included."""
        reach = self.ground.weight * push
        worth = np.empty((len(reach), self.masks))

        def one(count: int) -> None:
            self._pass(reach, second[count], -1, count, worth)

        self.each_count(one)
        return worth

    def chance(self, go: np.ndarray) -> np.ndarray:
        """How often the other pushes (or calls), given one's own hand, exactly; float64[H]."""
        return mean_of_others(self.ground, go)

    def _pass(self, reach: np.ndarray, sigma: np.ndarray, theirs: int, mine: int, worth: np.ndarray) -> None:
        """Worth of my discards of `mine` cards against the other's of `theirs`; -1 takes all counts."""
        mass, sums, _, paired = self.scratch()
        spread_draws(self.ground, reach, sigma, theirs, mass)
        if self.order < 2:
            worth_sums(self.ground, margins(self.ground, mass), sums)
            all_draw_values(self.ground, sums, mine, worth)
            return
        second_spread(self.ground, pair_odds(self.ground), reach, sigma, theirs, paired)
        second_sums(self.ground, mass, paired, sums)
        second_values(self.ground, sums, mine, worth)

    # ---- best responses ------------------------------------------------------------------------------------

    def answer_of_button(self, policy: DrawPolicy) -> Answer:
        """The button's best response to the big blind of a policy."""
        counts, hands = self.cards + 1, len(self.ground.weight)
        kept = np.empty((counts, hands), np.uint8)
        best, played = np.empty((counts, hands)), np.empty((counts, hands))

        def look(count: int, worth: np.ndarray) -> None:
            _best_and_played(worth, policy.second[count], kept[count], best[count], played[count])

        self.button_worth(policy.call, policy.first, look)
        folded = 1.0 - self.chance(policy.call)
        pushed, stayed = (folded + self.stack * table.sum(axis=0) for table in (best, played))
        base = stayed * policy.push + FOLD_BUTTON * (1.0 - policy.push)
        return self._answer(pushed, np.full(hands, FOLD_BUTTON), base, kept)

    def answer_of_big_blind(self, policy: DrawPolicy) -> Answer:
        """The big blind's best response to the button of a policy."""
        hands = len(self.ground.weight)
        kept, best, played = np.empty(hands, np.uint8), np.empty(hands), np.empty(hands)
        worth = self.big_blind_worth(policy.push, policy.second)
        _best_and_played(worth, policy.first, kept, best, played)
        chance = self.chance(policy.push)
        unpushed, folded = 0.5 * (1.0 - chance), FOLD_BIG_BLIND * chance
        base = self.stack * played * policy.call + folded * (1.0 - policy.call) + unpushed
        return self._answer(self.stack * best + unpushed, folded + unpushed, base, kept)

    def _answer(self, go: np.ndarray, stay: np.ndarray, base: np.ndarray, kept: np.ndarray) -> Answer:
        weight = self.ground.weight
        return Answer(go > stay, kept, float(weight @ np.maximum(go, stay)), float(weight @ base))

    # ---- threads -------------------------------------------------------------------------------------------

    def each_count(self, one: Callable[[int], None]) -> None:
        """one(count) for every number of cards the big blind may draw, shared among the threads."""
        counts = range(self.cards, -1, -1)
        if self.threads == 1:
            for count in counts:
                one(count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="draws")
        list(self._pool.map(one, counts))

    def scratch(self) -> tuple[np.ndarray, ...]:
        """Tables of this thread: mass[U, C], sums[U, C], worth[H, M], and for order 2 paired[U, C2]."""
        if self._workspace.tables is None:
            sets = int(self.ground.start[-1])
            mass, sums, paired = (np.empty((sets, columns)) for columns in COLUMNS_OF[self.order])
            worth = np.empty((len(self.ground.weight), self.masks))
            self._workspace.tables = mass, sums, worth, paired
        return self._workspace.tables


def workspace_bytes(sets: HandSets, order: int) -> int:
    """Bytes of the tables that one thread works in (`DrawModel.scratch`)."""
    return 8 * (int(sets.start[-1]) * sum(COLUMNS_OF[order]) + len(sets.hands) * (1 << sets.cards))


@kernel
def _best_and_played(worth, sigma, kept, best, played):
    """For every hand: the best mask and its worth, and what sigma[H, M] gets."""
    for h in range(len(worth)):
        top, mean = 0, 0.0
        for mask in range(worth.shape[1]):
            mean += sigma[h, mask] * worth[h, mask]
            if worth[h, mask] > worth[h, top]:
                top = mask
        kept[h], best[h], played[h] = top, worth[h, top], mean
