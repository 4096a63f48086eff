"""The hands of a street in buckets: codes, and the boundaries behind them; remembered for the next to ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import RLock

import numpy as np

from solverlab.abstraction.choice import BucketChoice, Cut, bucketing, clustering
from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.sequences import BucketSequences
from solverlab.abstraction.strength import StreetStrength
from solverlab.cards.indexing import index_hands
from solverlab.cards.table_cache import Cancel, Progress

KEPT = 6  # fitted bucketings that are remembered
_streets: dict[str, StreetStrength] = {}
_sequences: dict[tuple[str, bool, str], BucketSequences] = {}
_fits: dict[tuple[object, ...], Cut | KMeans] = {}
_lock = RLock()
_BLOCK = 1 << 20


def street_strength(
    street: str, progress: Progress | None = None, cancel: Cancel | None = None
) -> StreetStrength:
    """All hands of a street; the first call builds the tables where they are missing."""
    with _lock:
        if street not in _streets:
            strength = StreetStrength(street, None, progress, cancel)
            strength.progress = strength.cancel = None  # those of the first are nobody else's business
            _streets[street] = strength
        return _streets[street]


def sequences_of(
    choice: BucketChoice, until: str, progress: Progress | None = None, cancel: Cancel | None = None
) -> BucketSequences:
    """The bucket sequences of a choice, with boundaries at least up to a street."""
    key = (choice.word, choice.history, choice.metric if choice.scheme == "percentile" else "ehs2")
    with _lock:
        known = _sequences.pop(key, None)
        if known is None or until not in known.cuts_:
            known = BucketSequences(key[0], history=key[1], metric=key[2]).fit(until, None, progress, cancel)
        _sequences[key] = known
        while len(_sequences) > KEPT:
            del _sequences[next(iter(_sequences))]
        return known


@dataclass(frozen=True, eq=False)
class StreetBuckets:
    """A street in buckets: code uint16[hands] of the last bucket; prefix of the one before it, or None.

    keep bool[hands] masks the hands of the chosen sequence (None: all), weight [hands] counts deals;
    `sequences` are the boundaries behind it, if they are percentiles, and `fit` whatever else was fitted.
    """

    choice: BucketChoice
    strength: StreetStrength
    code: np.ndarray
    prefix: np.ndarray | None
    keep: np.ndarray | None
    weight: np.ndarray
    fit: Cut | KMeans | None
    sequences: BucketSequences | None

    def sequence(self, index: int) -> str:
        """The buckets of a hand, such as 2:4."""
        last = str(int(self.code[index]) + 1)
        if self.choice.prefix:
            return f"{self.choice.prefix}:{last}"
        return last if self.prefix is None else f"{int(self.prefix[index]) + 1}:{last}"


def street_buckets(
    choice: BucketChoice, progress: Progress | None = None, cancel: Cancel | None = None
) -> StreetBuckets:
    """The hands of the preflop, the flop or the turn in buckets.

    >>> made = street_buckets(BucketChoice("preflop"))
    >>> made.sequence(made.strength.find("AhAs")), made.sequence(made.strength.find("7h2s"))
    ('5', '1')
    """
    choice.sensible()
    strength = street_strength(choice.street, progress, cancel)
    if progress is not None:
        progress(0.0, f"bucketing {len(strength):,} hands of the {choice.street}")
    prefix = sequences = fit = orders = None
    if choice.sequenced and (choice.prefix or choice.street != "turn"):
        # hands of the turn have a sequence for each order of the board: all of them at once have none
        sequences = sequences_of(choice, choice.street, progress, cancel)
    if choice.prefix:
        orders = orders_of(choice, sequences)
    if sequences is None:
        fit = street_fit(choice, strength)
        code = fit.labels_
    elif choice.street == "turn":
        code = _code_by_cuts(strength, sequences, choice.prefix_number if choice.prefix else 0, orders)
    else:
        both = sequences.labels(choice.street)
        code, prefix = both % choice.total, both // choice.total if choice.street == "flop" else None
    keep, weight = _chosen(choice, strength, orders)
    return StreetBuckets(choice, strength, code.astype(np.uint16), prefix, keep, weight, fit, sequences)


def _chosen(
    choice: BucketChoice, strength: StreetStrength, orders: np.ndarray | None
) -> tuple[np.ndarray | None, np.ndarray]:
    """Which hands belong to the chosen sequence, and how many deals of each."""
    if orders is None:
        return None, strength.weight
    return orders > 0, strength.weight * (orders / 4 if choice.street == "turn" else orders)


def street_fit(choice: BucketChoice, strength: StreetStrength) -> Cut | KMeans:
    """All hands of a street by boundaries or clusters that do not ask what came before; remembered."""
    key = (strength.street, choice.scheme, choice.metric, choice.count, choice.inner, choice.edges)
    with _lock:
        if key not in _fits:
            _fits[key] = (
                clustering(choice, strength)
                if choice.clusters
                else bucketing(choice, strength.ehs, strength.ehs2, strength.weight)
            )
            while len(_fits) > KEPT:
                del _fits[next(iter(_fits))]
        return _fits[key]


def orders_of(choice: BucketChoice, sequences: BucketSequences | None) -> np.ndarray:
    """In how many orders of its board each hand can have come by the chosen sequence, uint8[hands].

    0 or 1 on the flop; 0 to 4 on the turn, where any of four cards may have been the last.
    """
    strength, wanted = street_strength(choice.street), choice.prefix_number
    early = earlier_labels(choice, "preflop", sequences)
    first = wanted if choice.street == "flop" else wanted // choice.total
    orders = (early == first)[strength.hole_class].astype(np.uint8)
    if choice.street == "flop":
        return orders
    flop, found = earlier_labels(choice, "flop", sequences), np.flatnonzero(orders)
    for begin in range(0, len(found), _BLOCK):
        part = found[begin : begin + _BLOCK]
        hole, board = strength.cards(part)
        orders[part] = 0
        for last in range(4):
            orders[part] += flop[index_hands(hole, np.delete(board, last, axis=1))] == wanted
    return orders


def earlier_labels(choice: BucketChoice, street: str, sequences: BucketSequences | None) -> np.ndarray:
    """The number of the sequence up to a street, for every hand of the preflop or the flop."""
    if sequences is not None:
        return sequences.labels(street)
    strength = street_strength(street)
    codes = street_fit(choice, strength).labels_.astype(np.int64)
    if street == "preflop":
        return codes
    return earlier_labels(choice, "preflop", None)[strength.hole_class] * choice.total + codes


def _code_by_cuts(
    strength: StreetStrength, sequences: BucketSequences, prefix: int, orders: np.ndarray | None
) -> np.ndarray:
    """The last bucket of every hand of a sequence so far, by its boundaries; other hands have 0."""
    which = slice(None) if orders is None else orders > 0
    code, parts = np.zeros(len(strength), np.uint16), 1
    found = code[which]
    for (metric, n), cuts in zip(sequences.steps, sequences.cuts_[strength.street], strict=True):
        values = (strength.sums if metric == "ehs" else strength.squares)[which]
        own = cuts[prefix * parts : (prefix + 1) * parts].astype(values.dtype)
        reached = np.zeros(len(values), np.uint16)
        for place in range(n - 1):
            reached += values >= (own[0, place] if parts == 1 else own[found, place])
        found, parts = found * n + reached, parts * n
    code[which] = found
    return code


def preflop_to_flop(choice: BucketChoice) -> np.ndarray:
    """Deals from each preflop bucket to each flop bucket, float64[n, n]; all sequences share boundaries."""
    common, n = replace(choice, history=False, street="flop", prefix=""), choice.total
    both = earlier_labels(common, "flop", None)  # preflop bucket * n + flop bucket
    return np.bincount(both, street_strength("flop").weight, n * n).reshape(n, n)
