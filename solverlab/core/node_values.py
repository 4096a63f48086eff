"""What every node would be worth if it were a leaf: looked up in a table, or summed by a function.

A game whose joint deal is too large to write down gives a function of everybody's reach instead of a table;
who asks need not know which.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solverlab.core.leaves import LeafTable, tabulated_cfv

Summed = Callable[[int, np.ndarray], np.ndarray]  # (me, reach[P, N, H]) -> [N, H]
NodeValues = LeafTable | Summed  # a table has a row a node


def values_at(values: NodeValues, me: int, reach: np.ndarray) -> np.ndarray:
    """Counterfactual values [N, H] of player `me` at every node, given everybody's own reach[P, N, H].

    >>> import solverlab as sl
    >>> table, reach = sl.Kuhn().showdown_table(), np.ones((2, 9, 3))
    >>> values_at(table, 0, reach)[0].round(3).tolist()
    [-0.333, 0.0, 0.333]
    >>> values_at(lambda me, reach: reach[me] / 4, 0, reach)[0].tolist()
    [0.25, 0.25, 0.25]
    """
    return tabulated_cfv(me, values, reach) if isinstance(values, LeafTable) else values(me, reach)
