"""The river on the Abstraction page: strength is all that is left, so hands are a density over one axis."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, Range1d
from bokeh.plotting import figure

from solverlab.abstraction.streets import FULL
from solverlab.cards.kept_tables import Cancel, Progress
from solverlab.core.frame import frame
from solverlab.ui.abstraction.choice import Choice, bucketing
from solverlab.ui.abstraction.streets import prefix_number, sequences_of, street_strength
from solverlab.ui.look import INK
from solverlab.views.bucket_colours import bucket_colours

BARS = 198  # ten of the 1,980 steps of strength a bar


@cache
def river_deals() -> np.ndarray:
    """How many deals end with each strength k / 1,980, int64[1981]."""
    river = street_strength("river")
    deals = np.zeros(FULL + 1, np.int64)
    block = 1 << 22
    for begin in range(0, len(river), block):
        part = slice(begin, begin + block)
        deals += np.bincount(river.sums[part], river.weight[part], FULL + 1).astype(np.int64)
    return deals


class RiverBuckets(NamedTuple):
    """The river in buckets: code [1981] of each strength, and a table as `bucket_frame` makes it."""

    choice: Choice
    deals: np.ndarray
    code: np.ndarray
    names: list[str]
    colours: list[str]
    table: Any


def river_buckets(
    choice: Choice, progress: Progress | None = None, cancel: Cancel | None = None
) -> RiverBuckets:
    """Bucket the strengths of the river; for a chosen sequence by its own boundaries."""
    choice.checked()
    street_strength("river", progress, cancel)
    deals, strength = river_deals(), np.arange(FULL + 1) / FULL
    lead = f"{choice.prefix}:" if choice.prefix else ""
    names = [f"{lead}{bucket + 1}" for bucket in range(choice.total)]
    colours = bucket_colours(choice.total, choice.inner if choice.scheme == "nested" else 1)
    if choice.prefix and choice.sequenced:
        sequences, number = sequences_of(choice, "river", progress, cancel), prefix_number(choice)
        code, parts = np.zeros(FULL + 1, np.int64), 1
        for (_, n), cuts in zip(sequences.steps, sequences.cuts_["river"], strict=True):
            own = cuts[number * parts : (number + 1) * parts]
            code = code * n + (np.arange(FULL + 1)[:, None] >= own[code]).sum(axis=1)
            parts *= n
        weight = sequences.weight_["river"][number * choice.total : (number + 1) * choice.total]
    else:
        code = bucketing(choice, strength, strength**2, deals).labels_.astype(np.int64)
        weight = np.bincount(code, deals, choice.total)
    return RiverBuckets(choice, deals, code, names, colours, _table(names, code, deals, weight, strength))


def _table(names: list[str], code: np.ndarray, deals: np.ndarray, weight: np.ndarray, strength: np.ndarray):
    """One row a bucket: deals, share and the ranges of strength met in it."""
    low, high = np.full(len(names), np.nan), np.full(len(names), np.nan)
    for bucket in range(len(names)):
        met = strength[(code == bucket) & (deals > 0)]
        if len(met):
            low[bucket], high[bucket] = met[0], met[-1]
    columns = {"bucket": names, "deals": weight.astype(np.int64), "share": weight / max(weight.sum(), 1)}
    columns |= {"low_ehs": low, "high_ehs": high, "low_ehs2": low**2, "high_ehs2": high**2}
    return frame(columns)


class Density:
    """How many deals end with each strength, coloured by bucket."""

    def __init__(self) -> None:
        self.bars = ColumnDataSource(
            {name: [] for name in ("left", "right", "top", "colour", "bucket")}, name="bars"
        )
        self.mark = ColumnDataSource({"x": [], "y": [], "text": []}, name="river-mark")
        self.figure = figure(
            x_range=Range1d(-0.01, 1.01),
            y_range=Range1d(0, 1),
            sizing_mode="stretch_both",
            min_height=240,
            tools="pan,xwheel_zoom,reset,save",
            name="density",
            x_axis_label="strength HS on the river (E[HS²] is its square)",
            y_axis_label="% of deals in steps of 0.005",
        )
        style = {"fill_color": "colour", "line_color": "white", "line_width": 0.4}
        quads = self.figure.quad(left="left", right="right", bottom=0, top="top", source=self.bars, **style)
        self.figure.scatter("x", "y", source=self.mark, marker="inverted_triangle", size=18, fill_color=INK)
        words = {"text_font_size": "15px", "text_font_style": "bold", "text_align": "center", "y_offset": -12}
        self.figure.text("x", "y", "text", source=self.mark, **words)
        tips = [
            ("bucket", "@bucket"),
            ("strength", "@left{0.000} to @right{0.000}"),
            ("deals", "@top{0.00} %"),
        ]
        self.figure.add_tools(HoverTool(renderers=[quads], tooltips=tips))
        self.figure.toolbar.logo = None
        for axis in self.figure.axis:
            axis.update(axis_label_text_font_size="14px", major_label_text_font_size="13px")
            axis.update(axis_label_text_font_style="normal", axis_label_text_color=INK)

    def show(self, river: RiverBuckets) -> None:
        """Draw the river in buckets; a bar where two buckets meet takes the one with more deals."""
        step = FULL // BARS
        bar = np.minimum(np.arange(FULL + 1) // step, BARS - 1)
        share = np.zeros((BARS, len(river.names)))
        np.add.at(share, (bar, river.code), river.deals)
        top = 100 * share.sum(axis=1) / river.deals.sum()
        bucket = share.argmax(axis=1)
        self.bars.data = {
            "left": np.arange(BARS) / BARS,
            "right": np.arange(1, BARS + 1) / BARS,
            "top": top,
            "colour": [river.colours[b] for b in bucket],
            "bucket": [river.names[b] for b in bucket],
        }
        self.figure.y_range.update(start=0, end=float(top.max()) * 1.15)

    def point_at(self, strength: float, text: str) -> None:
        """Mark a hand's strength."""
        bar = min(int(strength * BARS), BARS - 1)
        height = float(self.bars.data["top"][bar]) if len(self.bars.data["top"]) else 0.0
        self.mark.data = {"x": [strength], "y": [height * 1.02 + 0.01], "text": [text]}
