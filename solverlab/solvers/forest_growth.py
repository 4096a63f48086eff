"""Which leaves of a forest grow next: within each position by reach and EV, each choice with its reason."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue


class Grown(NamedTuple):
    """One expansion: the node, whose tree it is in, what it became (action, passive or deal) and why."""

    node: int
    position: str
    hand: str
    kind: str
    added: int
    reason: str


def check_rule(rule: Any) -> Any:
    """A frontier rule has a number `k` of leaves a position and epoch, or is None."""
    k = getattr(rule, "k", None)
    if rule is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise BadValue(f"cannot expand {k!r} leaves an epoch; give a whole number of at least 1")
    return rule


def best_leaves(
    reach: np.ndarray, ev: np.ndarray, position: np.ndarray, k: int, by_ev: bool = False
) -> np.ndarray:
    """The k best leaves of every position, as places in these arrays.

    By reach, then EV (`by_ev`: the other way round); among equals the older leaf comes first.

    >>> reach, ev = np.array([1.0, 1.0, 0.5]), np.array([0.2, 0.7, 9.0])
    >>> best_leaves(reach, ev, np.zeros(3, int), k=2), best_leaves(reach, ev, np.zeros(3, int), 1, by_ev=True)
    (array([1, 0]), array([2]))
    """
    first, second = (ev, reach) if by_ev else (reach, ev)
    order = np.lexsort((-second, -first))  # stable: ties keep the order of the leaves
    chosen = [order[position[order] == seat][:k] for seat in np.unique(position)]
    return np.concatenate(chosen) if chosen else np.empty(0, np.int64)


def reason(reach: float, ev: float, error: float, place: int, by_ev: bool) -> str:
    """Why a leaf was chosen, as a sentence."""
    said = f"EV {ev:+.3f} ± {error:.3f}", f"reach {reach:.4g}"
    return f"number {place} of its position by " + (
        f"{said[0]}, then {said[1]}" if by_ev else f"{said[1]}, then {said[0]}"
    )
