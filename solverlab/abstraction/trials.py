"""Hand strength by random trials, with its standard error: what a program does that cannot enumerate.

A trial completes the board at random and draws two opponents, each from all hands off the board and one's own
cards and without looking at the other. The share won against the first estimates E[HS]; the product of both
shares estimates E[HS^2], because given the board the two are independent and have the same mean HS. (One
opponent a trial, as document 004 writes it, can estimate E[HS] only: the square of a win or a loss says
nothing of HS^2.)
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

import numpy as np

from solverlab.abstraction.one_hand import HandStrength, strength_of
from solverlab.abstraction.rollout import free_cards, outcome
from solverlab.cards.cards import Cards, cards_text, parse_deal
from solverlab.cards.evaluate_high import BIT, KEY, START, rank_of
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

MOST_TRIALS = 10_000_000
TRIALS = 10_000  # what document 004 takes


@dataclass(frozen=True)
class SampledStrength:
    """A hand on a board after some random trials; `exact` is the same hand enumerated."""

    hole: str
    board: str
    trials: int
    ehs: float
    ehs_error: float  # standard error of `ehs`
    ehs2: float
    ehs2_error: float

    @property
    def exact(self) -> HandStrength:
        """The exact strength, to see how far the trials are off."""
        return strength_of(self.hole, self.board)

    def __repr__(self) -> str:
        where = f" on {self.board}" if self.board else ""
        return (
            f"SampledStrength({self.hole}{where}, {self.trials:,} trials: E[HS] {self.ehs:.4f} +- "
            f"{self.ehs_error:.4f}, E[HS^2] {self.ehs2:.4f} +- {self.ehs2_error:.4f})"
        )


def sampled_strength(hole: Cards, board: Cards = "", trials: int = TRIALS, rng: int = 0) -> SampledStrength:
    """Estimate E[HS] and E[HS^2] of a hand from random trials; the same `rng` gives the same trials.

    >>> found = sampled_strength("AhKh", "Td9d6h", rng=7)
    >>> abs(found.ehs - found.exact.ehs) < 4 * found.ehs_error
    True
    >>> found.ehs_error < 0.005
    True
    """
    own, public = parse_deal(hole, board)
    whole = isinstance(trials, Integral) and not isinstance(trials, bool)
    if not whole or not 2 <= trials <= MOST_TRIALS:
        raise BadValue(f"{trials!r} trials give no estimate; take a whole number from 2 to {MOST_TRIALS:,}")
    if not isinstance(rng, Integral) or isinstance(rng, bool) or not 0 <= rng < 2**63:
        raise BadValue(f"a stream of random numbers is named by a whole number from 0, not {rng!r}")
    shares = np.empty((int(trials), 2))
    _play(np.array(own), np.array(public, np.int64), np.random.default_rng(int(rng)), shares)
    return SampledStrength(
        cards_text(sorted(own, reverse=True)),
        cards_text(public),
        int(trials),
        *_mean(shares[:, 0]),
        *_mean(shares[:, 0] * shares[:, 1]),
    )


def _mean(values: np.ndarray) -> tuple[float, float]:
    """Mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


@kernel
def _play(hole, board, rng, shares):
    """Into shares[trials, 2]: 1, 1/2 or 0 against two opponents drawn on the same random board."""
    key, bits, taken = START, np.uint64(0), np.uint64(0)
    for card in board:
        key, bits, taken = key + KEY[card], bits | BIT[card], taken | np.uint64(1) << np.uint64(card)
    for card in hole:
        taken |= np.uint64(1) << np.uint64(card)
    free = np.empty(52, np.int64)
    size, missing = free_cards(taken, free), 5 - len(board)
    for trial in range(shares.shape[0]):
        full_key, full_bits = key, bits
        for j in range(missing):
            card = _draw(rng, free, j, size)
            full_key, full_bits = full_key + KEY[card], full_bits | BIT[card]
        own = rank_of(full_key + KEY[hole[0]] + KEY[hole[1]], full_bits | BIT[hole[0]] | BIT[hole[1]])
        for opponent in range(2):
            high = _draw(rng, free, missing, size)
            low = _draw(rng, free, missing + 1, size)
            rank = rank_of(full_key + KEY[high] + KEY[low], full_bits | BIT[high] | BIT[low])
            shares[trial, opponent] = outcome(own, rank) / 2


@inner_kernel
def _draw(rng, free, place, size):
    """A random card of free[place:size], put at `place`: a shuffle that goes only as far as it must."""
    chosen = place + rng.integers(0, size - place)
    free[place], free[chosen] = free[chosen], free[place]
    return free[place]
