"""A street in buckets as the page draws it: names, colours, a table and a cloud."""

from __future__ import annotations

from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING

from solverlab.abstraction.street_buckets import StreetBuckets, street_buckets, street_strength
from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.ui.abstraction.choice import Choice
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.bucket_raster import Cloud, cloud_of
from solverlab.views.bucket_tables import bucket_frame

if TYPE_CHECKING:
    import pandas as pd


_clouds: dict[str, Cloud] = {}
_lock = RLock()


def built() -> bool:
    """Whether the tables of strength are on disk."""
    return strength_tables().ready()


def street_cloud(street: str) -> Cloud:
    """All hands of a street in one colour, sorted once."""
    with _lock:
        if street not in _clouds:
            _clouds[street] = cloud_of(street_strength(street))
        return _clouds[street]


@dataclass(frozen=True, eq=False)
class Labelled(StreetBuckets):
    """The buckets of a street with what is shown of them; `table` is a `bucket_frame`."""

    choice: Choice
    names: list[str]
    colours: list[str]
    table: pd.DataFrame
    cloud: Cloud


def labelled(choice: Choice, progress: Progress | None = None, cancel: Cancel | None = None) -> Labelled:
    """The hands of a street in buckets."""
    made = street_buckets(choice, progress, cancel)
    lead = f"{choice.prefix}:" if choice.prefix else ("any:" if made.prefix is not None else "")
    names = names_of(choice, lead)
    cloud = street_cloud(choice.street)
    if made.keep is not None:
        cloud = cloud.take(made.keep[cloud.index])
    table = bucket_frame(made.strength, made.code, names, made.keep, made.weight)
    colours = bucket_colours(choice.total, choice.parts)
    return Labelled(**vars(made), names=names, colours=colours, table=table, cloud=cloud.coded(made.code))


def names_of(choice: Choice, lead: str | None = None) -> list[str]:
    """What the buckets are called after the sequence so far, such as 2:1 to 2:5."""
    before = (f"{choice.prefix}:" if choice.prefix else "") if lead is None else lead
    return [f"{before}{bucket + 1}" for bucket in range(choice.total)]
