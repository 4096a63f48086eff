"""The river on the Abstraction page: strength is all that is left, so hands are a density over one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, Range1d
from bokeh.plotting import figure

from solverlab.abstraction.river_buckets import RiverBuckets, river_buckets
from solverlab.cards.street_strength import FULL
from solverlab.cards.table_cache import Cancel, Progress
from solverlab.core.frame import frame
from solverlab.ui.abstraction.choice import Choice
from solverlab.ui.abstraction.streets import names_of
from solverlab.ui.look import INK
from solverlab.views.bucket_colours import bucket_colours

if TYPE_CHECKING:
    import pandas as pd


BARS = 198  # ten of the 1,980 steps of strength a bar


class LabelledRiver(NamedTuple):
    """The river in buckets with what is shown of it: code [1981] of each strength, one row a bucket."""

    choice: Choice
    deals: np.ndarray
    code: np.ndarray
    names: list[str]
    colours: list[str]
    table: pd.DataFrame


def labelled_river(
    choice: Choice, progress: Progress | None = None, cancel: Cancel | None = None
) -> LabelledRiver:
    """The river in buckets, named and coloured."""
    made, names = river_buckets(choice, progress, cancel), names_of(choice)
    colours = bucket_colours(choice.total, choice.parts)
    return LabelledRiver(choice, made.deals, made.code, names, colours, _table(names, made))


def _table(names: list[str], made: RiverBuckets) -> pd.DataFrame:
    """One row a bucket: deals, share and the ranges of strength met in it."""
    (low, high), weight = made.ranges, made.weight
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

    def show(self, river: LabelledRiver) -> None:
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
