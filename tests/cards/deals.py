"""Random deals for the tests of cards."""

from __future__ import annotations

import numpy as np


def random_deals(seed: int, n: int, size: int) -> np.ndarray:
    """n random deals of `size` different cards, uint8[n, size]."""
    rng = np.random.default_rng(seed)
    return rng.random((n, 52)).argpartition(size - 1, axis=1)[:, :size].astype(np.uint8)
