"""How a visitor wants hands bucketed: what `BucketChoice` says, as settings of a page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from solverlab.abstraction.choice import MOST, BucketChoice
from solverlab.cards.cards import STREETS
from solverlab.core.errors import LONGEST_TOLD, BadValue
from solverlab.ui.settings import Settings, one_of, setting, text, yes_or_no

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
BOUNDARIES = {"per sequence (history)": True, "one set a street": False}
FIFTHS = "0.2, 0.4, 0.6, 0.8"  # own boundaries to begin with
ALL = "all hands"
LISTED = 400  # sequences in the menu


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise BadValue(f"buckets are a whole number such as 5, not {word[:LONGEST_TOLD]!r}")
    return int(word)


def _sequence(word: str) -> str:
    if not all(part.isascii() and part.isdigit() for part in word.split(":")):
        raise BadValue(f"a sequence is written as 2 or 2:4, not {word[:LONGEST_TOLD]!r}")
    return word


def sequences_to(chosen: BucketChoice) -> dict[str, str]:
    """The sequences that lead to the street; more than four hundred are more than anybody reads.

    >>> list(sequences_to(BucketChoice("flop", count=2)))
    ['all hands', '1', '2']
    """
    depth, words = STREETS.index(chosen.street), [""]
    for _ in range(depth if chosen.total**depth <= LISTED else 0):
        words = [f"{word}:{bucket + 1}".lstrip(":") for word in words for bucket in range(chosen.total)]
    return {ALL: "", **{word: word for word in [*words, chosen.prefix] if word}}


@dataclass(frozen=True)
class Choice(Settings, BucketChoice):
    """One way to bucket the hands of a street, and the bucket sequence looked at ("" for all hands)."""

    strict = True
    first = ("street", "metric", "edges")  # the scheme may need them

    street: str = setting(
        "flop", one_of("street", STREETS), "Street", options={name: name for name in STREETS}, buttons=True,
        always=True,
    )  # fmt: skip
    metric: str = setting(
        "ehs2", one_of("metric", tuple(METRICS.values())), "Metric",
        "What orders the hands. E[HS²] lifts hands that may become strong.",
        options=METRICS, shown=lambda chosen: chosen.scheme in ("percentile", "ranges", "own"),
    )  # fmt: skip
    scheme: str = setting(
        "percentile", one_of("scheme", tuple(SCHEMES.values())), "Scheme",
        "Percentile: every bucket holds the same share of deals. Nested: by E[HS²], then each part by E[HS]. "
        "Fixed ranges: equal steps of the metric, some nearly empty. Linear: int(E[HS] x n). k-means: "
        "clusters of alike hands (preflop and flop).",
        options=SCHEMES,
    )  # fmt: skip
    count: int = setting(
        5, _number, "Buckets", "Buckets a street: the document uses 5, 6, 8 and 10.",
        bounds=(1, MOST), shown=lambda chosen: chosen.scheme != "own",
    )  # fmt: skip
    inner: int = setting(
        1, _number, "x parts", "Parts of each bucket by E[HS]: 5 x 2 and 6 x 2.",
        bounds=(1, 20), shown=lambda chosen: chosen.scheme == "nested",
    )  # fmt: skip
    history: bool = setting(
        False, yes_or_no("history"), "Boundaries",
        "History: every bucket sequence so far has boundaries of its own. Otherwise one set a street, "
        "whatever came before, as PsOpti4 had.",
        options=BOUNDARIES, shown=lambda chosen: chosen.percentiles,
    )  # fmt: skip
    prefix: str = setting(
        "", _sequence, "Sequence so far",
        "Only hands whose earlier buckets are these; 2 is the second preflop bucket.", options=sequences_to,
    )  # fmt: skip
    edges: str = setting(
        "", text(), "Own boundaries",
        "Rising numbers between 0 and 1; a high last one leaves few hands to the top.",
        shown=lambda chosen: chosen.scheme == "own", look={"placeholder": "0.2, 0.4, 0.7, 0.9"},
    )  # fmt: skip

    def follow(self, name: str) -> Self:
        return self.sensible()

    def typed(self, name: str, value: object) -> Self:
        """What a visitor set; own boundaries begin even, a sequence of other buckets or streets goes."""
        if name == "prefix" and not value:  # a menu offers all hands, a link leaves the word out
            return replace(self, prefix="")
        begun = replace(self, edges=self.edges or FIFTHS) if name == "scheme" and value == "own" else self
        found = super(Choice, begun).typed(name, value)
        same = (found.total, found.street) == (self.total, self.street)
        return found if same else replace(found, prefix="")
