"""How a visitor wants hands bucketed, and the bucketing that does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solverlab.abstraction.buckets import FixedRanges, LinearEHS, Nested, Percentile
from solverlab.abstraction.kmeans import KMeans
from solverlab.cards.cards import STREETS
from solverlab.core.errors import BadValue

METRICS = {"E[HS²]": "ehs2", "E[HS]": "ehs"}
SCHEMES = {
    "percentile: equal shares": "percentile",
    "nested: E[HS²], then E[HS]": "nested",
    "fixed ranges (PsOpti4)": "ranges",
    "own boundaries": "own",
    "linear E[HS]": "linear",
    "k-means: strength, potentials": "kmeans",
    "k-means: histograms, EMD": "emd",
}
SIZES = {"5": (5, 1), "6": (6, 1), "8": (8, 1), "10": (10, 1), "5 x 2": (5, 2), "6 x 2": (6, 2)}
PASSES = 25  # of k-means: later ones move few hands
MOST = 200  # buckets a street that a picture can still tell apart, somehow


@dataclass(frozen=True)
class Choice:
    """One way to bucket the hands of a street, and the bucket sequence looked at ("" for all hands)."""

    street: str = "flop"
    metric: str = "ehs2"
    scheme: str = "percentile"
    count: int = 5
    inner: int = 1
    history: bool = False
    prefix: str = ""
    edges: str = ""

    @property
    def total(self) -> int:
        """Buckets of a street."""
        if self.scheme == "own":
            return len(read_edges(self.edges)) - 1
        return self.count * (self.inner if self.scheme == "nested" else 1)

    @property
    def title(self) -> str:
        """A few words that tell this bucketing from others."""
        metric = {"ehs": "E[HS]", "ehs2": "E[HS²]"}[self.metric]
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

    def checked(self) -> Choice:
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


def clustering(choice: Choice, strength: Any) -> KMeans:
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


def bucketing(choice: Choice, ehs: np.ndarray, ehs2: np.ndarray, weight: np.ndarray) -> Any:
    """The fitted bucketing of some hands: `labels_` from 0, `edges_`."""
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
