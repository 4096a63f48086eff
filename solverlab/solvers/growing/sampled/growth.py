"""Which leaves of a forest grow next: within each position by its frontier rule, each with its reason."""

from __future__ import annotations

import numpy as np

from solverlab.solvers.growing.frontier import FrontierRule


def best_places(rule: FrontierRule, reach: np.ndarray, ev: np.ndarray, position: np.ndarray) -> np.ndarray:
    """The places of the k best leaves of every position, position after position.

    >>> from solverlab.solvers.growing.frontier import MostReached
    >>> reach, ev = np.array([1.0, 1.0, 0.5]), np.array([0.2, 0.7, 9.0])
    >>> best_places(MostReached(k=1), reach, ev, position=np.array([0, 0, 1])).tolist()
    [1, 2]
    """
    chosen = [np.empty(0, np.int64)]
    for seat in np.unique(position):
        own = np.flatnonzero(position == seat)
        chosen.append(own[rule.order(reach[own], ev[own])[: rule.k]])
    return np.concatenate(chosen)
