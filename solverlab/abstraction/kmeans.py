"""Hands into clusters: k-means on features, and k-medians on histograms by earth mover's distance.

Seeding is k-means++ with weights. The centre of a cluster is the weighted mean of its features; for
histograms it is the weighted median of the cumulated histograms, bin by bin, which is what minimises a sum of
earth mover's distances (a mean would not), so in both cases the cost never rises from one pass to the next.
"""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.emd import cumulated
from solverlab.abstraction.nearest import CENTERS, COLUMNS, nearest_by_products
from solverlab.abstraction.tie import Ties
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.core.kernel import kernel
from solverlab.core.percentiles import check_buckets

DISTANCES = ("euclidean", "emd")


@kernel
def _nearest(points, centers, absolute, labels, cost):
    """Nearest centre of points[n, d] into labels[n] and its cost[n]: squared L2, or L1 if absolute.

    Returns how many labels changed.
    """
    changed = 0
    for n in range(len(points)):
        best, chosen = np.inf, 0
        for k in range(len(centers)):
            total = 0.0
            for d in range(points.shape[1]):
                gap = points[n, d] - centers[k, d]
                total += abs(gap) if absolute else gap * gap
            if total < best:
                best, chosen = total, k
        changed += labels[n] != chosen
        labels[n], cost[n] = chosen, best
    return changed


@kernel
def _closer(points, center, absolute, cost):
    """Lower cost[n] where the new centre is closer."""
    for n in range(len(points)):
        total = 0.0
        for d in range(points.shape[1]):
            gap = points[n, d] - center[d]
            total += abs(gap) if absolute else gap * gap
        cost[n] = min(cost[n], total)


@kernel
def _means(points, weights, labels, centers, mass):
    """Weighted mean of every cluster into centers[k, d]; clusters without mass stay where they are."""
    sums = np.zeros(centers.shape)
    mass[:] = 0.0
    for n in range(len(points)):
        mass[labels[n]] += weights[n]
        for d in range(points.shape[1]):
            sums[labels[n], d] += weights[n] * points[n, d]
    for k in range(len(centers)):
        if mass[k] > 0:
            for d in range(centers.shape[1]):
                centers[k, d] = sums[k, d] / mass[k]


@kernel
def _medians(points, weights, labels, order, centers, mass):
    """Weighted medians by cluster and column into centers[k, d]; order[d, n] sorts each column once."""
    mass[:] = 0.0
    for n in range(len(points)):
        mass[labels[n]] += weights[n]
    met = np.zeros(len(centers))
    for d in range(points.shape[1]):
        met[:] = 0.0
        for i in range(len(points)):
            n = order[d, i]
            k = labels[n]
            if weights[n] > 0 and 2 * met[k] < mass[k]:
                met[k] += weights[n]
                if 2 * met[k] >= mass[k]:
                    centers[k, d] = points[n, d]


class KMeans(Ties):
    """k clusters of hands; `distance` is "euclidean" for features or "emd" for histograms.

    After `fit`: `labels_`, `centers_` (features, or cumulated histograms), `inertia_` and `inertia_path_`,
    the cost after each pass, `occupancy_`, `counts_`, `converged_`.
    """

    def __init__(
        self,
        k: int = 10,
        distance: str = "euclidean",
        *,
        rng: int | np.random.Generator = 0,
        passes: int = 100,
    ):
        """At most `passes` passes; fewer when no hand changes its cluster."""
        if distance not in DISTANCES:
            raise UnknownName("distance", distance, DISTANCES)
        self.k, self.distance, self.passes = check_buckets(k), distance, check_buckets(passes)
        self.rng = np.random.default_rng(rng)

    @property
    def n_buckets(self) -> int:
        """k."""
        return self.k

    def fit(self, points: np.ndarray, weights: np.ndarray | None = None) -> KMeans:
        """Cluster features [n, d] or histograms [n, bins]."""
        rows, mass = self._rows(points), _check_mass(points, weights)
        check_buckets(self.k, int(np.count_nonzero(mass)))
        absolute = self.distance == "emd"
        centers, cost = self._seed(rows, mass, absolute), np.empty(len(rows))
        labels, size = np.full(len(rows), -1, np.int32), np.empty(self.k)
        order = np.argsort(rows, axis=0, kind="stable").T.astype(np.int32) if absolute else None
        path: list[float] = []
        changed = 1
        while changed and len(path) < self.passes:
            changed = _assign(rows, centers, absolute, labels, cost)
            path.append(float(cost @ mass))
            if changed and len(path) < self.passes:
                if order is None:
                    _means(rows, mass, labels, centers, size)
                else:
                    _medians(rows, mass, labels, order, centers, size)
        self.labels_, self.centers_, self.converged_ = labels, centers, changed == 0
        self.inertia_path_, self.inertia_ = np.array(path), path[-1]
        self.counts_ = np.bincount(labels, minlength=self.k)
        self.occupancy_ = np.bincount(labels, mass, minlength=self.k) / mass.sum()
        return self

    def predict(self, points: np.ndarray) -> np.ndarray:
        """The nearest cluster of other hands."""
        if not hasattr(self, "centers_"):
            raise NotMeasured("KMeans has no clusters yet; call fit(points) first")
        rows = self._rows(points)
        if rows.shape[1] != self.centers_.shape[1]:
            raise BadValue(
                f"these hands have other columns than the {self.centers_.shape[1]} that were fitted"
            )
        labels = np.zeros(len(rows), np.int32)
        _assign(rows, self.centers_, self.distance == "emd", labels, np.empty(len(rows)))
        return labels

    def _rows(self, points: np.ndarray) -> np.ndarray:
        """Points in the space where distances are measured, float64[n, d]."""
        if self.distance == "emd":
            return np.ascontiguousarray(cumulated(points))
        rows = np.ascontiguousarray(points, dtype=np.float64)
        if rows.ndim != 2 or rows.size == 0 or not np.isfinite(rows).all():
            raise BadValue(
                f"features are finite numbers [hands, columns], but this has shape {list(rows.shape)}"
            )
        return rows

    def _seed(self, rows: np.ndarray, mass: np.ndarray, absolute: bool) -> np.ndarray:
        """k-means++: each further centre is a hand chosen in proportion to weight x cost so far.

        D. Arthur and S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
        """
        cost, centers = np.full(len(rows), np.inf), np.empty((self.k, rows.shape[1]))
        chance = np.cumsum(mass)
        for number in range(self.k):
            if number and chance[-1] <= 0:
                distinct = f"{number} different ones"
                raise BadValue(f"{self.k} clusters were asked for, but the hands have only {distinct}")
            place = np.searchsorted(chance, self.rng.random() * chance[-1], side="right")
            centers[number] = rows[min(int(place), len(rows) - 1)]
            _closer(rows, centers[number], absolute, cost)
            chance = np.cumsum(cost * mass)
        return centers


def distinct_rows(
    points: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every different row once, the weight of all its hands, and which row each hand has: less work to `fit`.

    >>> rows, mass, row_of = distinct_rows(np.array([[1.0, 2.0], [0.0, 3.0], [1.0, 2.0]]))
    >>> rows.tolist(), mass.tolist(), row_of.tolist()
    ([[0.0, 3.0], [1.0, 2.0]], [1.0, 2.0], [1, 0, 1])
    """
    mass = _check_mass(points, weights)
    rows, row_of = np.unique(points, axis=0, return_inverse=True)
    row_of = row_of.reshape(-1)
    return rows, np.bincount(row_of, mass, minlength=len(rows)), row_of


def _assign(
    rows: np.ndarray, centers: np.ndarray, absolute: bool, labels: np.ndarray, cost: np.ndarray
) -> int:
    """Nearest centres by whichever way is faster; both give the same bits."""
    if absolute or centers.shape[0] < CENTERS or centers.shape[1] < COLUMNS:
        return _nearest(rows, centers, absolute, labels, cost)
    return nearest_by_products(rows, centers, labels, cost)


def _check_mass(points: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Weights float64[n], finite, not negative, not all 0."""
    mass = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    if mass.shape != (len(points),) or not np.isfinite(mass).all() or mass.min() < 0 or not mass.any():
        raise BadValue(f"weights are one number from 0 on for each of {len(points)} hands, without NaN")
    return mass
