"""Which leaves of a forest grow next: within each position by its frontier rule, each with its reason."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.solvers.frontier import FrontierRule


class Grown(NamedTuple):
    """One expansion: the node, in whose tree, why, what it became (action, passive, deal), children added."""

    node: int
    position: str
    hand: str
    reason: str
    kind: str
    added: int


def best_leaves(rule: FrontierRule, reach: np.ndarray, ev: np.ndarray, position: np.ndarray) -> np.ndarray:
    """The places of the k best leaves of every position, position after position.

    >>> from solverlab.solvers.frontier import MostReached
    >>> reach, ev = np.array([1.0, 1.0, 0.5]), np.array([0.2, 0.7, 9.0])
    >>> best_leaves(MostReached(k=1), reach, ev, position=np.array([0, 0, 1])).tolist()
    [1, 2]
    """
    chosen = [np.empty(0, np.int64)]
    for seat in np.unique(position):
        own = np.flatnonzero(position == seat)
        chosen.append(own[rule.order(reach[own], ev[own])[: rule.k]])
    return np.concatenate(chosen)
