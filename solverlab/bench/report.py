"""What the reader gets: an aligned table of numbers and ratios, and the same as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from solverlab.bench.rows import OUR_NAME, Row, ratios
from solverlab.bench.suites import SUITES


def table(rows: Sequence[Row]) -> str:
    """Every suite as a block: one line a task and measure, one column a contestant."""
    faster = {id(ratio.peer): ratio.times_faster for ratio in ratios(rows)}
    blocks = []
    for suite in dict.fromkeys(row.suite for row in rows):
        blocks.append(block(suite, [row for row in rows if row.suite == suite], faster))
    return "\n\n".join(blocks)


def block(suite: str, rows: Sequence[Row], faster: dict[int, float]) -> str:
    names = list(dict.fromkeys(row.contestant for row in rows))
    lines = list(dict.fromkeys((row.task, row.measure) for row in rows))
    cells = {(row.task, row.measure, row.contestant): cell(row, faster.get(id(row))) for row in rows}
    grid = [["", "", *names]] + [
        [*line, *(cells.get((*line, name), "-") for name in names)] for line in lines
    ]
    return "\n".join([f"{suite}: {SUITES[suite].title}", *aligned(grid)])


def aligned(grid: Sequence[Sequence[str]]) -> list[str]:
    """Columns of equal width, words to the left and numbers to the right.

    >>> aligned([["", "", "us"], ["Kuhn", "import", "1 s"]])
    ['                us', '  Kuhn  import  1 s']
    """
    widths = [max(len(line[column]) for line in grid) for column in range(len(grid[0]))]
    texts = []
    for line in grid:
        parts = [text.ljust(width) for text, width in zip(line[:2], widths[:2], strict=True)]
        parts += [text.rjust(width) for text, width in zip(line[2:], widths[2:], strict=True)]
        texts.append("  " + "  ".join(parts))
    return texts


def cell(row: Row, faster: float | None) -> str:
    ratio = "" if faster is None else f" ({faster:,.0f}x)" if faster >= 10 else f" ({faster:.2g}x)"
    return number(row) + ("*" if row.extrapolated else "") + ratio


def number(row: Row) -> str:
    """The median in the row's own unit."""
    median = row.timing.median
    if row.shown_as == "seconds":
        return duration(median)
    return f"{1 / median:,.0f}/s" if row.shown_as == "rate" else f"{median:,.1f} {row.shown_as}"


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(0.000042), duration(0.5), duration(7200.0)
    ('42 us', '500 ms', '7,200 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            number = seconds / size
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.2g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def footnotes(rows: Sequence[Row]) -> list[str]:
    """How to read the table: what the ratios mean, what was reckoned, how noisy the machine was."""
    notes = [
        f"(n x): {OUR_NAME} is n times faster (below 1: slower); medians of interleaved samples, wall clock."
    ]
    if any(row.extrapolated for row in rows):
        notes.append("*: extrapolated, our iterations to the target x the peer's measured seconds for one.")
    return [*notes, noise(rows)]


def noise(rows: Sequence[Row]) -> str:
    worst = max(rows, key=lambda row: row.timing.spread)
    return (
        f"noise: samples of one row differ by up to {worst.timing.spread:.0%} of its median "
        f"({worst.contestant}, {worst.task}, {worst.measure}); read closer ratios as equal."
    )


def busy(machine: dict[str, object]) -> list[str]:
    """A warning when others were using the processor before the run began.

    >>> busy({"load": 0.1, "cores": 2})
    []
    """
    load, cores = machine["load"], machine["cores"]
    if load is None or load < cores / 4:
        return []
    return [
        f"busy: load {load} on {cores} cores before the start; trust times_faster_cpu in the JSON, or repeat."
    ]


def document(rows: Sequence[Row], machine: dict[str, object], notes: Sequence[str]) -> dict[str, object]:
    """Everything measured as plain JSON values."""
    return {
        **machine,
        "rows": [row.record() for row in rows],
        "ratios": [ratio.record() for ratio in ratios(rows)],
        "notes": list(notes),
    }


def write(path: Path, content: dict[str, object]) -> None:
    """Write whole or not at all."""
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(draft, path)
