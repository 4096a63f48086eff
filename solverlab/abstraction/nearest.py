"""The nearest centre of many points by matrix products in single precision, decided in double.

|x - c|^2 = |x|^2 - 2 x.c + |c|^2: the products of a block of points with all centres are one call of the
matrix library (sgemm), several times faster than a loop over columns. Single precision cannot tell close
centres apart, so it only names candidates: every centre whose product leaves it within the error bound of the
best. They are compared in double precision in the order of the plain loop, hence the same labels and costs to
the last bit.
"""

from __future__ import annotations

import numpy as np

from solverlab.core.kernel import kernel

BLOCK = 4096  # points a product
COLUMNS, CENTERS = 8, 32  # from which on products beat the loop


def nearest_by_products(points: np.ndarray, centers: np.ndarray, labels: np.ndarray, cost: np.ndarray) -> int:
    """Nearest centre of points[n, d] into labels[n], its squared distance into cost[n]; how many changed."""
    with np.errstate(over="ignore"):
        short = np.ascontiguousarray(centers.T, dtype=np.float32)
    norm = np.einsum("kd,kd->k", centers, centers)
    changed = 0
    for first in range(0, len(points), BLOCK):
        part = slice(first, first + BLOCK)
        with np.errstate(over="ignore", invalid="ignore"):  # too large for single precision: settled below
            product = points[part].astype(np.float32) @ short
        changed += _settle(points[part], centers, norm, product, labels[part], cost[part])
    return changed


@kernel
def _settle(points, centers, norm, product, labels, cost):
    """Choose among the candidates that product[n, k] leaves; returns how many labels changed.

    The bound: rounding both factors and adding d products errs by less than (d + 4) 2^-23 |x| |c|, and the
    double-precision sums by far less than what (|x| + |c|)^2 adds to that; numbers too small for single
    precision add 2^-125 (1 + |x| + |c|).
    """
    changed = 0
    D, K = points.shape[1], len(centers)
    largest = 0.0
    for k in range(K):
        largest = max(largest, norm[k])
    for n in range(len(points)):
        size = 0.0
        for d in range(D):
            size += points[n, d] * points[n, d]
        least = np.inf
        for k in range(K):
            least = min(least, norm[k] - 2.0 * product[n, k])
        size = size**0.5 + largest**0.5
        error = 4.0 * (D + 4) * (2.0**-23 * size**2 + 2.0**-125 * (1.0 + size))
        # A product beyond single precision says nothing: its centre is a candidate, or all of them are.
        limit = least + error if least > -np.inf else np.inf
        best, chosen = np.inf, 0
        for k in range(K):
            if not limit < norm[k] - 2.0 * product[n, k] < np.inf:
                total = 0.0
                for d in range(D):
                    gap = points[n, d] - centers[k, d]
                    total += gap * gap
                if total < best:
                    best, chosen = total, k
        changed += labels[n] != chosen
        labels[n], cost[n] = chosen, best
    return changed
