"""Earth mover's distance: how much strength must be moved how far to turn one histogram into another."""

from __future__ import annotations

import numpy as np

from solverlab.core.errors import BadValue


def _check_histograms(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accept two histograms, not negative and not empty; each is scaled to sum 1."""
    found = []
    for histogram in (first, second):
        mass = np.asarray(histogram, dtype=np.float64)
        if mass.ndim != 1 or not np.isfinite(mass).all() or (mass < 0).any() or mass.sum() <= 0:
            raise BadValue("a histogram is a list of numbers from 0 on that are not all 0")
        found.append(mass / mass.sum())
    return found[0], found[1]


def emd(first: np.ndarray, second: np.ndarray, ground: np.ndarray | None = None) -> float:
    """Earth mover's distance of two histograms, in bins, or by a ground distance [bins, bins] of your own.

    On a line it is the area between the cumulated histograms; otherwise a linear program.

    >>> emd([1, 0, 0], [0, 0, 1]), emd([1, 1], [1, 0])
    (2.0, 0.5)
    """
    p, q = _check_histograms(first, second)
    if ground is not None:
        return _by_program(p, q, np.asarray(ground, dtype=np.float64))
    if len(p) != len(q):
        raise BadValue(f"histograms must have the same bins, but these have {len(p)} and {len(q)}")
    return float(np.abs(np.cumsum(p - q)[:-1]).sum())


def _by_program(p: np.ndarray, q: np.ndarray, ground: np.ndarray) -> float:
    """Cheapest transport of p into q: min sum ground * flow, rows of flow sum to p, columns to q."""
    if ground.shape != (len(p), len(q)) or not np.isfinite(ground).all():
        raise BadValue(f"the ground distance must be finite numbers [{len(p)}, {len(q)}]")
    rows = np.kron(np.eye(len(p)), np.ones(len(q)))
    columns = np.kron(np.ones(len(p)), np.eye(len(q)))
    # One equation follows from the others; leaving it out spares the solver a tie of rounding errors.
    from scipy.optimize import linprog  # a third of a second, only for those who ask

    result = linprog(
        ground.ravel(), A_eq=np.vstack([rows, columns[:-1]]), b_eq=np.concatenate([p, q[:-1]]), method="highs"
    )
    if not result.success:
        raise BadValue(f"no transport was found between these histograms ({result.message})")
    return float(result.fun)


def emd_matrix(histograms: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
    """Earth mover's distance in bins between each row of one and each row of another, float64[n, m]."""
    p = cumulated(histograms)
    q = p if others is None else cumulated(others)
    return np.abs(p[:, None] - q[None]).sum(axis=2)


def cumulated(histograms: np.ndarray) -> np.ndarray:
    """Cumulated shares without the last.

    Which is 1: the L1 distance of two such rows is their EMD in bins.
    """
    mass = np.asarray(histograms, dtype=np.float64)
    if mass.ndim != 2 or mass.shape[1] < 2 or not np.isfinite(mass).all() or (mass < 0).any():
        raise BadValue("histograms are numbers from 0 on, [hands, bins], with at least two bins")
    total = mass.sum(axis=1, keepdims=True)
    if (total <= 0).any():
        raise BadValue(f"histogram {int(np.argmin(total))} is empty; every hand needs some mass")
    return np.cumsum(mass / total, axis=1)[:, :-1]
