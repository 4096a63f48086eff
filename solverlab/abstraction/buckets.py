"""Hands into buckets by one or two numbers: fixed ranges, percentiles, nested percentiles.

All follow scikit-learn: `fit(values, weights)` returns the object, `labels_` has a bucket 0..n-1 for each
hand, `edges_` the n + 1 boundaries, `predict` labels other hands, and `tie(game)` makes hands of a bucket act
alike. A bucket holds its lower edge and not its upper one; the last holds both. Hands with equal values
always share a bucket.

M. Johanson, Robust Strategies and Counter-Strategies (2007), section 2.5, describes all of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solverlab.abstraction.tie import Ties
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.core.percentiles import check_buckets, percentile_edges

PRESETS = ("5", "6", "8", "10", "5x2", "6x2")


def check_values(values: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Accept numbers [n] and weights [n] that are finite, not negative and not all 0."""
    numbers = np.asarray(values)
    if numbers.ndim != 1 or numbers.size == 0:
        advice = "; give its .ehs or .ehs2" if hasattr(values, "ehs") else ""
        raise BadValue(f"values are one number a hand, but this has shape {list(numbers.shape)}{advice}")
    if not np.isfinite(numbers).all():
        raise BadValue("some values are NaN or infinite; every hand needs a number")
    weighed = np.ones(len(numbers), np.int64) if weights is None else np.asarray(weights)
    if weighed.shape != numbers.shape:
        raise BadValue(f"there are {len(numbers)} values but weights of shape {list(weighed.shape)}")
    if not np.isfinite(weighed).all() or weighed.min() < 0 or not weighed.any():
        raise BadValue("weights must be numbers from 0 on, without NaN, and not all 0")
    return numbers, weighed


def check_edges(edges: Sequence[float]) -> np.ndarray:
    """Accept two or more finite edges in rising order."""
    found = np.asarray(edges, dtype=np.float64)
    if found.ndim != 1 or len(found) < 2:
        raise BadValue("custom ranges need at least two edges, such as [0, 0.5, 1]")
    if not np.isfinite(found).all() or (np.diff(found) <= 0).any():
        raise BadValue(f"edges must rise from one to the next, but these are {found.tolist()}")
    return found


class _Edged(Ties):
    """What all one-dimensional bucketings share: labels, edges and what is in each bucket."""

    edges_: np.ndarray
    labels_: np.ndarray
    occupancy_: np.ndarray
    counts_: np.ndarray

    def _keep(self, values: np.ndarray, weights: np.ndarray) -> None:
        """Label the hands and count them."""
        self.labels_ = self._label(values)
        self.counts_ = np.bincount(self.labels_, minlength=self.n_buckets)
        self.occupancy_ = np.bincount(self.labels_, weights, minlength=self.n_buckets) / weights.sum()

    def _label(self, values: np.ndarray) -> np.ndarray:
        """Bucket of each value: how many inner edges it has reached."""
        return np.searchsorted(self.edges_[1:-1], values, side="right").astype(_label_type(self.n_buckets))

    @property
    def n_buckets(self) -> int:
        """How many buckets there are, empty ones included."""
        return len(self.edges_) - 1

    @property
    def empty_(self) -> np.ndarray:
        """Buckets without a hand."""
        return np.flatnonzero(self.counts_ == 0)

    @property
    def widths_(self) -> np.ndarray:
        """Width of each bucket's range."""
        return np.diff(self.edges_)

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Buckets of other hands."""
        if not hasattr(self, "edges_"):
            raise NotMeasured(f"{type(self).__name__} has no buckets yet; call fit(values) first")
        return self._label(np.asarray(values))


class FixedRanges(_Edged):
    """Equal or chosen ranges of value, as PsOpti4 had them: some may hold few hands or none.

    >>> FixedRanges([0, 0.5, 0.8, 1]).fit(np.array([0.2, 0.5, 0.9, 1.0])).labels_.tolist()
    [0, 1, 2, 2]
    """

    def __init__(self, ranges: int | Sequence[float] = 5):
        """So many equal ranges of [0, 1], or edges of your own."""
        if isinstance(ranges, int):
            self.edges_ = np.arange(check_buckets(ranges) + 1) / ranges
        else:
            self.edges_ = check_edges(ranges)

    def fit(self, values: np.ndarray, weights: np.ndarray | None = None) -> FixedRanges:
        """Put every hand into its range."""
        numbers, weighed = check_values(values, weights)
        if numbers.min() < self.edges_[0] or numbers.max() > self.edges_[-1]:
            span = f"{numbers.min():g} to {numbers.max():g}"
            raise BadValue(
                f"values run from {span}, outside the edges {self.edges_[0]:g} to {self.edges_[-1]:g}"
            )
        self._keep(numbers, weighed)
        return self


class LinearEHS(_Edged):
    """`int(ehs * n)` as document 004 writes it, with the clamp it lacks for strength 1.

    >>> LinearEHS(50).fit(np.array([0.0, 0.019, 0.02, 1.0])).labels_.tolist()
    [0, 0, 1, 49]
    """

    def __init__(self, n: int = 50):
        """So many buckets."""
        self.n = check_buckets(n)

    def fit(self, values: np.ndarray, weights: np.ndarray | None = None) -> LinearEHS:
        """Put every hand into bucket int(ehs * n)."""
        numbers, weighed = check_values(values, weights)
        if numbers.min() < 0 or numbers.max() > 1:
            raise BadValue(f"E[HS] lies in [0, 1], but these values run to {numbers.max():g}")
        self.edges_ = np.arange(self.n + 1) / self.n
        self._keep(numbers, weighed)
        return self

    def _label(self, values: np.ndarray) -> np.ndarray:
        """The product decides, not the edges: k / n is not always what it seems in binary."""
        return np.minimum(values * self.n, self.n - 1).astype(_label_type(self.n))


class Percentile(_Edged):
    """Equally many hands in every bucket, up to ties.

    >>> Percentile(2).fit(np.array([0.1, 0.2, 0.2, 0.9])).labels_.tolist()
    [0, 1, 1, 1]
    """

    def __init__(self, n: int = 5):
        """So many buckets."""
        self.n = check_buckets(n)

    def fit(self, values: np.ndarray, weights: np.ndarray | None = None) -> Percentile:
        """Choose edges so that each bucket holds 1 / n of the weight."""
        numbers, weighed = check_values(values, weights)
        check_buckets(self.n, len(numbers))
        self._inner = percentile_edges(numbers, weighed, self.n)
        low, high = min(0.0, float(numbers.min())), max(1.0, float(numbers.max()))
        self.edges_ = np.concatenate([[low], np.minimum(self._inner, high), [high]])
        self._keep(numbers, weighed)
        return self

    def _label(self, values: np.ndarray) -> np.ndarray:
        """An infinite inner edge is never reached, though `edges_` shows it as the last one."""
        return np.searchsorted(self._inner, values, side="right").astype(_label_type(self.n))


class Nested(Ties):
    """First n percentiles by one number, E[HS^2], then m percentiles within each by another, E[HS].

    `edges_` [n + 1] are the outer boundaries, `inner_edges_` [n, m + 1] those within each outer bucket, and
    bucket `m * outer + inner`. Inner boundaries live inside one outer bucket, so they never cross.
    """

    def __init__(self, n: int = 5, m: int = 2):
        """n outer and m inner buckets, n x m in all."""
        self.n, self.m = check_buckets(n), check_buckets(m)

    @property
    def n_buckets(self) -> int:
        """n x m."""
        return self.n * self.m

    def fit(self, first: np.ndarray, second: np.ndarray, weights: np.ndarray | None = None) -> Nested:
        """Cut by the first number, then each part by the second."""
        outer_values, weighed = check_values(first, weights)
        inner_values, _ = check_values(second, weighed)
        check_buckets(self.n_buckets, len(outer_values))
        self.outer_ = Percentile(self.n).fit(outer_values, weighed)
        self.edges_, self.inner_ = self.outer_.edges_, []
        for bucket in range(self.n):
            inside = self.outer_.labels_ == bucket
            if inside.sum() < self.m:
                raise BadValue(f"outer bucket {bucket + 1} holds {inside.sum()} hands, too few for {self.m}")
            self.inner_.append(Percentile(self.m).fit(inner_values[inside], weighed[inside]))
        self.inner_edges_ = np.stack([part.edges_ for part in self.inner_])
        self.labels_ = self.predict(outer_values, inner_values)
        self.counts_ = np.bincount(self.labels_, minlength=self.n_buckets)
        self.occupancy_ = np.bincount(self.labels_, weighed, minlength=self.n_buckets) / weighed.sum()
        return self

    def predict(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Buckets of other hands."""
        if not hasattr(self, "outer_"):
            raise NotMeasured("Nested has no buckets yet; call fit(first, second) first")
        outer = self.outer_.predict(first)
        labels = np.zeros(len(outer), _label_type(self.n_buckets))
        for bucket, part in enumerate(self.inner_):
            inside = outer == bucket
            labels[inside] = self.m * bucket + part.predict(np.asarray(second)[inside])
        return labels


def preset(name: str) -> Percentile | Nested:
    """The bucketings of the document: 5, 6, 8, 10 percentiles, and 5x2, 6x2 nested.

    >>> preset("5x2").n_buckets
    10
    """
    if name not in PRESETS:
        raise UnknownName("bucketing", name, PRESETS)
    n, _, m = name.partition("x")
    return Nested(int(n), int(m)) if m else Percentile(int(n))


def _label_type(n: int) -> type[np.unsignedinteger]:
    return np.uint8 if n <= 256 else np.uint16 if n <= 65536 else np.uint32
