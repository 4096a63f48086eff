"""What one node does with every hand: a bar a hand, patched while a solver runs and never drawn anew."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import ColumnDataSource, FactorRange, HoverTool, Range1d
from bokeh.plotting import figure

from solverlab.ui.look import INK
from solverlab.ui.parts.chart import send
from solverlab.views.theme import action_shades


class StrategyBars:
    """What one node does with every hand: a bar a hand, stacked by action."""

    FIXED = ("hand", "action", "colour", "ink")
    LIVE = ("bottom", "top", "middle", "probability", "words", "reach", "alpha")

    def __init__(self) -> None:
        empty = {name: [] for name in (*self.FIXED, *self.LIVE)}
        self.source = ColumnDataSource(empty, name="bars")
        self.figure = figure(
            x_range=FactorRange(),
            y_range=Range1d(0, 1),
            sizing_mode="stretch_both",
            min_height=120,
            tools="",
            toolbar_location=None,
            name="strategy",
        )
        bars = self.figure.vbar(
            "hand", 0.86, "top", "bottom", source=self.source, fill_color="colour", line_color="white"
        )
        bars.glyph.fill_alpha = "alpha"
        self._bars = bars
        self.figure.text(
            "hand", "middle", "words", source=self.source, text_align="center", text_baseline="middle",
            text_font_size="13px", text_color="ink", text_font_style="bold",
        )  # fmt: skip
        tips = [("hand", "@hand"), ("@action", "@probability{0.0000}"), ("own reach", "@reach{0.0000}")]
        self.figure.add_tools(HoverTool(renderers=[bars], tooltips=tips))
        for axis in self.figure.axis:
            axis.update(major_label_text_font_size="13px", major_label_text_color=INK)
        self.figure.yaxis.update(ticker=[0, 0.5, 1], major_label_overrides={0: "0", 0.5: "50", 1: "100"})
        self.figure.xgrid.visible = False

    def draw(self, table: dict[str, list]) -> None:
        """Show the columns of a strategy frame; when only numbers changed, only numbers travel."""
        data = bar_columns(table)
        same = all(list(self.source.data[name]) == list(data[name]) for name in self.FIXED)
        if same and len(data["hand"]):
            send(self.source, data)
            return
        self.figure.x_range.factors = list(dict.fromkeys(data["hand"]))
        count = len(self.figure.x_range.factors)
        self.figure.xaxis.major_label_orientation = math.pi / 2 if count > 10 else "horizontal"
        self.figure.xaxis.visible = count <= 26  # more names cannot be read; hovering and the table tell them
        self._bars.glyph.update(width=0.86 if count <= 26 else 1.0, line_alpha=float(count <= 26))
        self.source.data = data


def bar_columns(table: dict[str, list]) -> dict[str, list]:
    """One entry a hand and action: where its piece of the bar begins and ends, and what is written on it.

    `table` holds the columns of ``views.strategy.strategy_frame`` as lists: pandas would be slow.
    """
    columns: dict[str, list] = {name: [] for name in (*StrategyBars.FIXED, *StrategyBars.LIVE)}
    hands, reach = [hand or "any" for hand in table["hand"]], np.array(table["reach"], float)
    base, few = np.zeros(len(hands)), len(hands) <= 14
    actions = [name for name in table if name not in ("hand", "reach")]
    for action, shade in zip(actions, action_shades(actions), strict=True):
        p = np.round(np.array(table[action], float), 5)
        columns["hand"] += hands
        columns["action"] += [action] * len(hands)
        columns["colour"] += [shade.fill] * len(hands)
        columns["ink"] += [shade.on] * len(hands)
        columns["bottom"] += base.tolist()
        columns["top"] += (base + p).tolist()
        columns["middle"] += (base + p / 2).tolist()
        columns["probability"] += p.tolist()
        columns["words"] += [f"{100 * x:.0f}" if few and x >= 0.1 else "" for x in p]
        columns["reach"] += np.round(reach, 5).tolist()
        columns["alpha"] += np.where(reach > 1e-9, 1.0, 0.4).tolist()
        base = base + p
    return columns
