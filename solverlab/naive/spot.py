"""A postflop spot without any cleverness: every deal of hands and cards apart, every hand compared with
every other.

The twin of `core/boards`: the same rules and updates in plain numpy and float64, for ranges of a few
hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.evaluate_high import evaluate
from solverlab.core.boards.shape import FOLD, NEXT, SHOW, Round


class Pairs(NamedTuple):
    """What two hands make of each other on one board: who can be dealt, and who wins (1, 0, -1),
    float64[H, H]."""

    dealt: np.ndarray
    wins: np.ndarray


class NaiveSpot:
    """CFR on a spot by recursion; `hands` are the combos of both players, `weights` how often each has
    them."""

    def __init__(
        self, board: Sequence[int], rounds: Sequence[Round], hands: Sequence[int], weights: np.ndarray
    ):
        self.board, self.rounds = tuple(board), tuple(rounds)
        self.cards, self.weights = COMBOS[np.array(hands)].astype(int), weights.astype(np.float64)
        share = (self.cards[:, None, :, None] == self.cards[None, :, None, :]).any((2, 3))
        self.apart = (~share).astype(np.float64)
        self.mass = float(self.weights[0] @ self.apart @ self.weights[1])
        self.regret: dict[tuple, np.ndarray] = {}
        self.total: dict[tuple, np.ndarray] = {}

    def iterate(self, rates: Sequence[float]) -> None:
        """Both players' passes; rates are kept fractions of positive and negative regret and of the
        average, and whether own reach weighs in it."""
        for me in range(2):
            self._walk(
                me, self.matched, (self.board, 0, 0), self.weights[1 - me], np.ones(len(self.cards)), rates
            )

    def value(self, me: int) -> float:
        """What the average wins for a player."""
        nothing = np.ones(len(self.cards))
        return self._mean(
            me, self._walk(me, self.averaged, (self.board, 0, 0), self.weights[1 - me], nothing)
        )

    def best(self, me: int) -> float:
        """What a best response to the average wins."""
        nothing = np.ones(len(self.cards))
        start = (self.board, 0, 0)
        return self._mean(me, self._walk(me, self.averaged, start, self.weights[1 - me], nothing, best=True))

    def matched(self, key: tuple, actions: int) -> np.ndarray:
        return _shares(self.regret.setdefault(key, np.zeros((actions, len(self.cards)))))

    def averaged(self, key: tuple, actions: int) -> np.ndarray:
        return _shares(self.total.setdefault(key, np.zeros((actions, len(self.cards)))))

    def _mean(self, me: int, values: np.ndarray) -> float:
        return float(values @ self.weights[me] / self.mass)

    def _walk(
        self,
        me: int,
        play: Callable[[tuple, int], np.ndarray],
        key: tuple,
        other: np.ndarray,
        own: np.ndarray,
        rates: Sequence[float] | None = None,
        best: bool = False,
    ) -> np.ndarray:
        """Values of all own hands at a node: (cards, round, node), given both reaches."""
        board, number, node = key
        betting = self.rounds[number]
        kind, first, count = int(betting.kind[node]), int(betting.first[node]), int(betting.count[node])
        if kind in (FOLD, SHOW):
            return self._end(me, betting, node, board) @ other
        if kind == NEXT:
            after = number + 1, int(np.searchsorted(betting.leaves, node))
            return self._deal(me, play, board, after, other, own, rates, best)
        children = [(board, number, first + a) for a in range(count)]
        shares = play(key, count)
        if kind != me:
            parts = [
                self._walk(me, play, c, other * s, own, rates, best)
                for c, s in zip(children, shares, strict=True)
            ]
            return np.sum(parts, axis=0)
        below = np.array(
            [
                self._walk(me, play, c, other, own * s, rates, best)
                for c, s in zip(children, shares, strict=True)
            ]
        )
        if best:
            return below.max(0)
        worth = (shares * below).sum(0)
        if rates is not None:
            self._learn(key, shares, below - worth, own, rates)
        return worth

    def _deal(
        self,
        me: int,
        play: Callable[[tuple, int], np.ndarray],
        board: tuple[int, ...],
        after: tuple[int, int],
        other: np.ndarray,
        own: np.ndarray,
        rates: Sequence[float] | None,
        best: bool,
    ) -> np.ndarray:
        """Every next card apart, each as likely as any other once both hands are known."""
        worth = np.zeros(len(self.cards))
        for card in set(range(52)) - set(board):
            free = (self.cards != card).all(1)
            likely = other * free / (48 - len(board))
            worth += free * self._walk(me, play, ((*board, card), *after), likely, own, rates, best)
        return worth

    def _learn(
        self, key: tuple, shares: np.ndarray, gain: np.ndarray, own: np.ndarray, rates: Sequence[float]
    ) -> None:
        regret = self.regret[key]
        regret[:] = np.where(regret > 0, rates[0], rates[1]) * regret + gain
        total = self.total.setdefault(key, np.zeros_like(regret))
        total[:] = rates[2] * total + (own if rates[3] else 1.0) * shares

    def _end(self, me: int, betting: Round, node: int, board: tuple[int, ...]) -> np.ndarray:
        """What each own hand (row) wins against each hand of the other."""
        if betting.kind[node] == FOLD:
            return float(betting.worth[me, node]) * self.apart
        ranks = np.array(
            [evaluate([*cards, *board]) if not set(cards) & set(board) else -1 for cards in self.cards]
        )
        wins, ties = ranks[:, None] > ranks[None, :], ranks[:, None] == ranks[None, :]
        most, half, taken = (float(pay) for pay in betting.pays[:, node])
        paid = np.where(wins, most - taken, np.where(ties, -taken, -half))
        return paid * self.apart


def _shares(rows: np.ndarray) -> np.ndarray:
    """Regret matching."""
    positive = np.maximum(rows, 0.0)
    total = positive.sum(0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1.0 / len(rows))
