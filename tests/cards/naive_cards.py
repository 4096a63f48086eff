"""Slow and obvious twins to test with: canonical forms by trying all 24 namings of the suits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np


def rename(cards: Sequence[int], suits: Sequence[int]) -> list[int]:
    """The cards after suit s was renamed suits[s]."""
    return [4 * (card // 4) + suits[card % 4] for card in cards]


def canonical_form(rounds: Sequence[Sequence[int]]) -> tuple:
    """The smallest of the 24 renamed deals; cards of one round in no order."""
    return min(
        tuple(tuple(sorted(rename(cards, suits))) for cards in rounds) for suits in permutations(range(4))
    )


def random_deals(seed: int, n: int, size: int) -> np.ndarray:
    """n random deals of `size` different cards, uint8[n, size]."""
    rng = np.random.default_rng(seed)
    return rng.random((n, 52)).argpartition(size - 1, axis=1)[:, :size].astype(np.uint8)
