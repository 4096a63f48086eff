"""The kept tables of exact strength: 399 MB, built in seconds on first use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from solverlab.cards.board_rows import flatten
from solverlab.cards.street_strength import current_rows, flop_rows, preflop_row, river_rows, turn_rows
from solverlab.cards.table_cache import Shape, Step, TableCache, cache_folder

HANDS = {"preflop": 169, "flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}
# Raise it whenever the content or the numbering of hands changes: tables of other versions are then rebuilt.
VERSION = 1

SHAPES = {
    "preflop_sums": Shape((HANDS["preflop"],), "<i8"),
    "preflop_squares": Shape((HANDS["preflop"],), "<i8"),
    "flop_sums": Shape((HANDS["flop"],), "<u4"),
    "flop_squares": Shape((HANDS["flop"],), "<u4"),
    "flop_current": Shape((HANDS["flop"],), "<u2"),
    "turn_sums": Shape((HANDS["turn"],), "<u4"),
    "turn_squares": Shape((HANDS["turn"],), "<u4"),
    "turn_current": Shape((HANDS["turn"],), "<u2"),
    "river_sums": Shape((HANDS["river"],), "<u2"),
}


def _build(step: Step) -> Iterator[tuple[str, np.ndarray]]:
    """All streets from the river backwards; each table is written as soon as it is known."""
    rivers = river_rows(lambda done: step(0.35 * done, "river: 134,459 boards"))
    yield "river_sums", flatten(rivers, "river")
    turns = turn_rows(rivers, lambda done: step(0.45 + 0.4 * done, "turn: 16,432 boards"))
    del rivers
    step(0.85, "flop: 1,755 boards")
    flops = flop_rows(turns)
    preflop = preflop_row(flops)
    for street, sums in (("turn", turns), ("flop", flops), ("preflop", preflop)):
        step(0.9, f"writing the {street}")
        yield f"{street}_sums", flatten(sums[0], street)
        yield f"{street}_squares", flatten(sums[1], street)
    del turns
    for street, size in (("flop", 3), ("turn", 4)):
        step(0.95, f"{street}: strength on the board as it lies")
        yield f"{street}_current", flatten(current_rows(size), street)


@cache
def _tables_in(folder: Path) -> TableCache:
    return TableCache("strength", VERSION, SHAPES, _build, folder)


def strength_tables(folder: str | Path | None = None) -> TableCache:
    """The exact strength tables kept in a folder (default: the cache folder)."""
    return _tables_in(cache_folder() if folder is None else Path(folder))
