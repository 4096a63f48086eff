"""A page and its server on the scales while a run goes on: memory of both, again and again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from playwright.sync_api import Page

Row = dict[str, float]
MB = 1e6


def watch(
    page: Page, server: psutil.Process, seconds: float, look: Callable[[], Row], samples: int = 60
) -> list[Row]:
    """Weigh the server and the page about so many times; `look` adds what else is known of a moment.

    `own_mb` is the server's memory without files it has mapped: those belong to the machine.
    """
    tools = page.context.new_cdp_session(page)
    began, rows = monotonic(), []
    while monotonic() - began < seconds:
        page.wait_for_timeout(1000 * seconds / samples)
        for _ in range(2):
            tools.send("HeapProfiler.collectGarbage")
        memory, more = server.memory_info(), look()
        rows.append(
            {
                "second": monotonic() - began,
                "server_mb": memory.rss / MB,
                "own_mb": (memory.rss - getattr(memory, "shared", 0)) / MB,
                "page_mb": tools.send("Runtime.getHeapUsage")["usedSize"] / MB,
                **more,
            }
        )
    return rows


def longest_gap(rows: list[Row]) -> float:
    """The longest time nobody looked.

    >>> longest_gap([{"second": 5.0}, {"second": 12.0}, {"second": 14.0}])
    7.0
    """
    moments = [0.0, *(row["second"] for row in rows)]
    return max(late - early for early, late in pairwise(moments))


def least(rows: list[Row], start: float, end: float) -> Row:
    """The smallest of each number between two moments: without garbage.

    >>> least([{"second": 1.0, "mb": 3.0}, {"second": 2.0, "mb": 2.0}, {"second": 9.0, "mb": 1.0}], 0, 5)
    {'second': 1.0, 'mb': 2.0}
    """
    inside = [row for row in rows if start <= row["second"] <= end] or rows[-1:]
    return {name: min(row[name] for row in inside) for name in rows[0]}
