"""The streets of hold'em in buckets, made on demand and shared by all visitors of a server."""

from __future__ import annotations

from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from solverlab.abstraction.sequences import BucketSequences
from solverlab.abstraction.strength import StreetStrength, hand_strength
from solverlab.abstraction.strength_tables import strength_tables
from solverlab.cards.cards import STREETS
from solverlab.cards.indexing import index_hands
from solverlab.cards.kept_tables import Cancel, Progress
from solverlab.core.errors import BadValue
from solverlab.ui.abstraction.choice import Choice, bucketing, clustering
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.bucket_raster import Cloud, cloud_of
from solverlab.views.bucket_tables import bucket_frame

KEPT = 6  # fitted bucketings a server remembers
_streets: dict[str, StreetStrength] = {}
_clouds: dict[str, Cloud] = {}
_sequences: dict[tuple, BucketSequences] = {}
_fits: dict[tuple, Any] = {}
_lock = RLock()
_BLOCK = 1 << 20


def built() -> bool:
    """Whether the tables of strength are on disk."""
    return strength_tables().ready()


def street_strength(
    street: str, progress: Progress | None = None, cancel: Cancel | None = None
) -> StreetStrength:
    """All hands of a street; the first call builds the tables where they are missing."""
    with _lock:
        if street not in _streets:
            strength = hand_strength(street, progress=progress, cancel=cancel)
            strength.progress = strength.cancel = (
                None  # those of the first visitor are nobody else's business
            )
            _streets[street] = strength
        return _streets[street]


def street_cloud(street: str) -> Cloud:
    """All hands of a street in one colour, sorted once."""
    with _lock:
        if street not in _clouds:
            _clouds[street] = cloud_of(street_strength(street))
        return _clouds[street]


def sequences_of(
    choice: Choice, until: str, progress: Progress | None = None, cancel: Cancel | None = None
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


class Labelled(NamedTuple):
    """A street in buckets: code uint16[hands] of the last bucket; prefix of the one before it, or None.

    keep bool[hands] masks the hands of the chosen sequence (None: all), weight [hands] counts deals; `table`
    is a `bucket_frame` and `sequences` the boundaries behind it, if they are percentiles.
    """

    choice: Choice
    strength: StreetStrength
    code: np.ndarray
    prefix: np.ndarray | None
    keep: np.ndarray | None
    weight: np.ndarray
    names: list[str]
    colours: list[str]
    table: Any
    cloud: Cloud
    fit: Any
    sequences: BucketSequences | None

    def sequence(self, index: int) -> str:
        """The buckets of a hand, such as 2:4."""
        last = str(int(self.code[index]) + 1)
        if self.choice.prefix:
            return f"{self.choice.prefix}:{last}"
        return last if self.prefix is None else f"{int(self.prefix[index]) + 1}:{last}"


def labelled(choice: Choice, progress: Progress | None = None, cancel: Cancel | None = None) -> Labelled:
    """The hands of a street in buckets."""
    choice.checked()
    strength = street_strength(choice.street, progress, cancel)
    if progress is not None:
        progress(0.0, f"bucketing {len(strength):,} hands of the {choice.street}")
    prefix = sequences = fit = None
    orders = None
    if choice.sequenced and (choice.prefix or choice.street != "turn"):
        # hands of the turn have a sequence for each order of the board: all of them at once have none
        sequences = sequences_of(choice, choice.street, progress, cancel)
    if choice.prefix:
        orders = orders_of(choice, sequences)
    if sequences is None:
        fit = street_fit(choice, strength)
        code = fit.labels_
    elif choice.street == "turn":
        code = _code_by_cuts(strength, sequences, prefix_number(choice) if choice.prefix else 0, orders)
    else:
        both = sequences.labels(choice.street)
        code, prefix = both % choice.total, both // choice.total if choice.street == "flop" else None
    return _joined(choice, strength, code.astype(np.uint16), prefix, orders, fit, sequences)


def _joined(choice, strength, code, prefix, orders, fit, sequences) -> Labelled:
    """Names, colours, table and cloud of a street whose hands have their codes."""
    lead = f"{choice.prefix}:" if choice.prefix else ("any:" if prefix is not None else "")
    names = [f"{lead}{number + 1}" for number in range(choice.total)]
    colours = bucket_colours(choice.total, choice.inner if choice.scheme == "nested" else 1)
    cloud, keep, weight = street_cloud(choice.street), None, strength.weight
    if orders is not None:
        keep = orders > 0
        cloud = cloud.take(keep[cloud.index])
        weight = weight * (orders / 4 if choice.street == "turn" else orders)
    table = bucket_frame(strength, code, names, keep, weight)
    cloud = cloud.coded(code)
    return Labelled(
        choice, strength, code, prefix, keep, weight, names, colours, table, cloud, fit, sequences
    )


def prefix_number(choice: Choice) -> int:
    """The number of the sequence so far among all of its length."""
    number = 0
    for word in choice.prefix.split(":"):
        if not word.isdigit() or not 1 <= int(word) <= choice.total:
            raise BadValue(
                f"{choice.prefix!r} is no sequence of buckets 1 to {choice.total}; write such as 2:4"
            )
        number = number * choice.total + int(word) - 1
    if len(choice.prefix.split(":")) != STREETS.index(choice.street):
        raise BadValue(
            f"{choice.prefix!r} does not lead to the {choice.street}; give a bucket for each street before it"
        )
    return number


def street_fit(choice: Choice, strength: StreetStrength) -> Any:
    """All hands of a street by boundaries or clusters that do not ask what came before; remembered."""
    key = (strength.street, choice.scheme, choice.metric, choice.count, choice.inner, choice.edges)
    with _lock:
        if key not in _fits:
            cut = clustering if choice.clusters else _bucketing
            _fits[key] = cut(choice, strength)
            while len(_fits) > KEPT:
                del _fits[next(iter(_fits))]
        return _fits[key]


def _bucketing(choice: Choice, strength: StreetStrength) -> Any:
    return bucketing(choice, strength.ehs, strength.ehs2, strength.weight)


def orders_of(choice: Choice, sequences: BucketSequences | None) -> np.ndarray:
    """In how many orders of its board each hand can have come by the chosen sequence, uint8[hands].

    0 or 1 on the flop; 0 to 4 on the turn, where any of four cards may have been the last.
    """
    strength, wanted = street_strength(choice.street), prefix_number(choice)
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


def earlier_labels(choice: Choice, street: str, sequences: BucketSequences | None) -> np.ndarray:
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
