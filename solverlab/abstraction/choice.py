"""One way to bucket the hands of a street, as plain values, and the fitted buckets of some hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from solverlab.abstraction.buckets import FixedRanges, LinearEHS, Nested, Percentile
from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.strength import StreetStrength
from solverlab.cards.cards import STREETS
from solverlab.core.errors import BadValue

PASSES = 25  # of k-means: later ones move few hands
MOST = 200  # buckets a street that a picture can still tell apart, somehow
METRIC_NAMES = {"ehs": "E[HS]", "ehs2": "E[HS²]"}
Cut = FixedRanges | LinearEHS | Nested | Percentile  # fitted, with boundaries `edges_` and `labels_`


def read_edges(text: str) -> list[float]:
    """Boundaries as people write them; 0 and 1 may be left out.

    >>> read_edges("0.3, 0.5 0.8")
    [0.0, 0.3, 0.5, 0.8, 1.0]
    """
    try:
        inner = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise BadValue(
            f"{text[:60]!r} is no list of boundaries; write numbers such as 0.3, 0.5, 0.8"
        ) from None
    inside = [edge for edge in inner if 0 < edge < 1]
    outside = [edge for edge in inner if not 0 <= edge <= 1]
    if outside or inside != sorted(set(inside)) or not inside:
        raise BadValue(f"boundaries are rising numbers between 0 and 1, but this says {text[:60]!r}")
    return [0.0, *inside, 1.0]


@dataclass(frozen=True)
class BucketChoice:
    """One way to bucket the hands of a street, and the bucket sequence looked at ("" for all hands).

    >>> BucketChoice("turn", scheme="nested", inner=2, history=True, prefix="2:10").total
    10
    >>> BucketChoice("turn", count=10, prefix="2:10").prefix_number  # (2 - 1) * 10 + (10 - 1)
    19
    """

    street: str = "flop"
    metric: str = "ehs2"
    scheme: str = "percentile"  # or nested, ranges, own, linear, kmeans, emd
    count: int = 5
    inner: int = 1  # parts of each bucket, where it is nested
    history: bool = False
    prefix: str = ""
    edges: str = ""  # own boundaries, as people write them

    @property
    def total(self) -> int:
        """Buckets of a street."""
        if self.scheme == "own":
            return len(read_edges(self.edges)) - 1
        return self.count * self.parts

    @property
    def parts(self) -> int:
        """Parts of each bucket by E[HS]: 1 unless the scheme is nested."""
        return self.inner if self.scheme == "nested" else 1

    @property
    def ordered_by(self) -> str:
        """The metric whose ranges the buckets are, whatever was chosen for other schemes."""
        return {"nested": "ehs2", "linear": "ehs", "kmeans": "ehs2", "emd": "ehs2"}.get(
            self.scheme, self.metric
        )

    @property
    def title(self) -> str:
        """A few words that tell this bucketing from others."""
        metric = METRIC_NAMES[self.metric]
        words = {
            "percentile": f"{self.count} percentiles of {metric}",
            "nested": f"nested {self.count} x {self.inner}",
            "ranges": f"{self.count} ranges of {metric}",
            "own": f"own boundaries of {metric}",
            "linear": f"linear E[HS], {self.count}",
            "kmeans": f"{self.count} clusters of features",
            "emd": f"{self.count} clusters of histograms",
        }
        return words[self.scheme] + (", history" if self.sequenced else "")

    @property
    def percentiles(self) -> bool:
        """Whether boundaries are percentiles, so that they may depend on the buckets before."""
        return self.scheme in ("percentile", "nested")

    @property
    def sequenced(self) -> bool:
        """Whether boundaries do depend on the buckets before."""
        return self.percentiles and self.history

    @property
    def clusters(self) -> bool:
        """Whether hands are clustered, without boundaries."""
        return self.scheme in ("kmeans", "emd")

    @property
    def word(self) -> str:
        """The bucketing of a street as `BucketSequences` reads it."""
        return f"{self.count}x{self.inner}" if self.scheme == "nested" else str(self.count)

    @property
    def prefix_number(self) -> int:
        """The number of the sequence so far among all of its length; the first is 0."""
        words, number, total = self.prefix.split(":"), 0, self.total
        for word in words:
            if not word.isdigit() or not 1 <= int(word) <= total:
                raise BadValue(f"{self.prefix!r} is no sequence of buckets 1 to {total}; write such as 2:4")
            number = number * total + int(word) - 1
        if len(words) != STREETS.index(self.street):
            raise BadValue(
                f"{self.prefix!r} does not lead to the {self.street}; give a bucket for each street before it"
            )
        return number

    def sensible(self) -> Self:
        """This choice, if it makes sense; otherwise a sentence says why not."""
        if self.street not in STREETS:
            raise BadValue(f"there is no street {self.street!r}; choose one of {', '.join(STREETS)}")
        if self.clusters and self.street not in ("preflop", "flop"):
            raise BadValue(
                f"clusters of the {self.street} take minutes; look at those of the preflop or the flop"
            )
        if not 1 <= self.total <= MOST:
            raise BadValue(f"{self.total} buckets are not between 1 and {MOST}; choose fewer")
        return self


def bucketing(choice: BucketChoice, ehs: np.ndarray, ehs2: np.ndarray, weight: np.ndarray) -> Cut:
    """The fitted bucketing of some hands by boundaries: `labels_` from 0, `edges_`.

    >>> strength = np.array([0.1, 0.4, 0.6, 0.9])
    >>> bucketing(BucketChoice(count=2), strength, strength**2, np.ones(4, np.int64)).labels_.tolist()
    [0, 0, 1, 1]
    """
    values = ehs if choice.metric == "ehs" else ehs2
    if choice.scheme == "nested":
        return Nested(choice.count, choice.inner).fit(ehs2, ehs, weight)
    if choice.scheme == "linear":
        return LinearEHS(choice.count).fit(ehs, weight)
    if choice.scheme == "percentile":
        return Percentile(choice.count).fit(values, weight)
    return FixedRanges(choice.count if choice.scheme == "ranges" else read_edges(choice.edges)).fit(
        values, weight
    )


def clustering(choice: BucketChoice, strength: StreetStrength) -> KMeans:
    """Fitted clusters of all hands of a street, numbered from weak to strong by mean E[HS²].

    Features are E[HS], E[HS²] and, after the deal, the potentials; histograms have ten bins of strength.
    """
    if choice.scheme == "emd":
        fit = KMeans(choice.count, "emd", passes=PASSES).fit(strength.histograms(10), strength.weight)
    else:
        early = strength.street == "preflop"
        points = np.column_stack([strength.ehs, strength.ehs2]) if early else strength.features()
        fit = KMeans(choice.count, passes=PASSES).fit(points, strength.weight)
    mass = np.maximum(np.bincount(fit.labels_, strength.weight, fit.k), 1e-9)
    order = np.argsort(np.bincount(fit.labels_, strength.weight * strength.ehs2, fit.k) / mass, kind="stable")
    fit.labels_ = np.argsort(order)[fit.labels_]
    return fit
