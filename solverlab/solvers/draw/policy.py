"""Who does what in a single-draw push/fold game: four tables of probabilities, one row a hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import kernel


class DrawPolicy(NamedTuple):
    """Both players' strategies. H hands, M kept masks, counts 0..n of cards the big blind draws."""

    push: np.ndarray  # float32[H], the button goes all in
    call: np.ndarray  # float32[H], the big blind calls
    first: np.ndarray  # float32[H, M], the big blind keeps this mask
    second: np.ndarray  # float32[n + 1, H, M], the button keeps this mask, having seen so many drawn


def uniform_policy(hands: int, cards: int) -> DrawPolicy:
    """Everything equally likely."""
    masks = 1 << cards
    half, even = np.full(hands, 0.5, np.float32), np.full((hands, masks), 1.0 / masks, np.float32)
    return DrawPolicy(half, half.copy(), even, np.repeat(even[None], cards + 1, axis=0))


def shares(total: np.ndarray) -> np.ndarray:
    """Rows of numbers as probabilities in float32, negative ones as zero; a row of zeros becomes uniform.

    >>> shares(np.array([[3.0, 1.0], [0.0, -1.0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    found = np.empty(total.shape, np.float32)
    actions = total.shape[-1]
    match_rows(np.ascontiguousarray(total).reshape(-1, actions), found.reshape(-1, actions))
    return found


@kernel
def match_rows(regret, sigma):
    """Every row of sigma in proportion to the positive part of regret, uniform where there is none."""
    for h in range(len(regret)):
        norm = 0.0
        for a in range(regret.shape[1]):
            norm += max(regret[h, a], 0.0)
        scale = 1.0 / norm if norm > 0.0 else 0.0
        even = 0.0 if norm > 0.0 else 1.0 / regret.shape[1]
        for a in range(regret.shape[1]):
            sigma[h, a] = max(regret[h, a], 0.0) * scale + even


def draw_frequencies(policy: DrawPolicy, weight: np.ndarray) -> np.ndarray:
    """How often a calling big blind draws 0..n cards, each hand counted by its weight; float64[n + 1].

    >>> policy = uniform_policy(hands=3, cards=1)
    >>> draw_frequencies(policy, np.ones(3) / 3).tolist()
    [0.5, 0.5]
    """
    masks = policy.first.shape[1]
    cards = masks.bit_length() - 1
    kept = np.array([bin(mask).count("1") for mask in range(masks)])
    by_mask = (weight * policy.call) @ policy.first.astype(float)
    return np.bincount(cards - kept, weights=by_mask, minlength=cards + 1) / by_mask.sum()
