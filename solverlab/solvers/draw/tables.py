"""The tables of one decision: regrets and strategies, one row a hand, and one CFR update of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel
from solverlab.solvers.draw.policy import match_rows


class DrawTables(NamedTuple):
    """One decision of every hand: accumulated regret and strategy, and the strategy played now."""

    regret: np.ndarray  # float32[H, A]
    total: np.ndarray  # float32[H, A]
    sigma: np.ndarray  # float32[H, A]


def fresh_tables(*shape: int) -> DrawTables:
    """Nothing learned: every action, the last of the dimensions, is equally likely.

    >>> fresh_tables(2, 4).sigma.tolist()
    [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]
    """
    start = np.full(shape, 1.0 / shape[-1], np.float32)
    return DrawTables(np.zeros(shape, np.float32), np.zeros(shape, np.float32), start)


def restore_tables(tables: Mapping[str, DrawTables], state: Mapping[str, np.ndarray]) -> None:
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
