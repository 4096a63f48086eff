"""The plot of one decision, hand by hand: rectangles and words that are patched, never drawn anew."""

from __future__ import annotations

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Legend, LegendItem, Range1d
from bokeh.plotting import figure

from solverlab.ui.look import INK
from solverlab.ui.lowball.cells import Pieces
from solverlab.ui.parts.chart import send
from solverlab.views.theme import LIGHT

LIVE = ("left", "right", "bottom", "top", "alpha", "percent", "colour", "hand", "action")
MOST_ACTIONS = 8
TIP = "<div style='font-size: 15px; padding: 2px 4px'><b>@hand</b> @action @percent %</div>"
ALONG = {"bars": "hand", "cells": "high card", "strip": "hands as dealt, the best first"}
UP = {"bars": "how often, %", "cells": "low card", "strip": "how often, %"}


class HandPlot:
    """What one decision does with every hand."""

    def __init__(self, name: str):
        empty = {column: [] for column in LIVE}
        self.source = ColumnDataSource(empty, name=name)
        self.words = ColumnDataSource({"x": [], "y": [], "words": [], "ink": []}, name=f"{name}-words")
        self.pieces: Pieces | None = None
        self.figure = figure(
            x_range=Range1d(-0.6, 12.6), y_range=Range1d(0, 1), title=" ", tools="", toolbar_location=None,
            sizing_mode="stretch_both", min_height=160, name=f"{name}-plot", min_border=4,
        )  # fmt: skip
        self._draw()

    def _draw(self) -> None:
        plot = self.figure
        look = {"fill_color": "colour", "fill_alpha": "alpha", "line_color": None}
        quads = plot.quad("left", "right", "top", "bottom", source=self.source, **look)
        middle = {"text_align": "center", "text_baseline": "middle", "text_color": "ink"}
        plot.text("x", "y", "words", source=self.words, text_font_size="12px", **middle)
        plot.add_tools(HoverTool(renderers=[quads], tooltips=TIP, point_policy="follow_mouse"))
        self._keys = [
            plot.scatter([-99], [-99], marker="square", size=12, color=LIGHT.edge, name=f"key-{k}")
            for k in range(MOST_ACTIONS)
        ]
        self._items = [LegendItem(label=value(" "), renderers=[key], visible=False) for key in self._keys]
        legend = Legend(items=self._items, orientation="vertical", location="center")
        legend.update(label_text_font_size="13px", border_line_alpha=0, padding=2, margin=2, spacing=1)
        legend.update(label_text_color=INK, glyph_width=14, glyph_height=14, label_standoff=3)
        plot.add_layout(legend, "right")
        for axis in plot.axis:
            axis.update(major_label_text_font_size="13px", axis_label_text_font_size="13px")
            axis.update(axis_label_text_font_style="normal", major_label_text_color=INK)
            axis.update(axis_label_text_color=INK, axis_label_standoff=2, minor_tick_line_color=None)
        plot.grid.visible = False
        plot.title.update(text_font_size="14px", text_font_style="bold", text_color=INK)

    def show(self, pieces: Pieces) -> None:
        """Show other numbers; where only numbers changed, only numbers travel."""
        send(self.source, pieces.quads)
        send(self.words, pieces.words)
        self._frame(pieces)
        self.pieces = pieces

    def _frame(self, pieces: Pieces) -> None:
        """Title, axes and legend, sent only when they are others."""
        if self.figure.title.text != pieces.title:
            self.figure.title.text = pieces.title
        old = self.pieces
        if old is not None and (old.kind, old.ticks, old.legend) == (
            pieces.kind,
            pieces.ticks,
            pieces.legend,
        ):
            return
        self._axes(pieces)
        for item, key, entry in zip(self._items, self._keys, self._legend(pieces), strict=True):
            item.update(label=value(entry[0] or " "), visible=bool(entry[0]))
            key.glyph.update(fill_color=entry[1], line_color=entry[1])

    def _legend(self, pieces: Pieces) -> list[tuple[str, str]]:
        return (pieces.legend[::-1] + [("", LIGHT.edge)] * MOST_ACTIONS)[:MOST_ACTIONS]

    def _axes(self, pieces: Pieces) -> None:
        plot, kind = self.figure, pieces.kind
        plot.xaxis.update(axis_label=ALONG[kind], ticker=FixedTicker(ticks=list(pieces.ticks)))
        plot.xaxis.major_label_overrides = dict(pieces.ticks)
        plot.yaxis.axis_label = UP[kind]
        if kind == "cells":
            last = len(pieces.ticks) - 0.4
            plot.x_range.update(start=-0.6, end=last)
            plot.y_range.update(start=-0.6, end=last)
            plot.yaxis.update(ticker=FixedTicker(ticks=list(pieces.ticks)))
            plot.yaxis.major_label_overrides = dict(pieces.ticks)
            return
        end = 100.0 if kind == "strip" else len(pieces.ticks) - 0.4
        plot.x_range.update(start=0.0 if kind == "strip" else -0.6, end=end)
        plot.y_range.update(start=0, end=1.0)
        plot.yaxis.update(ticker=FixedTicker(ticks=[0, 0.5, 1]))
        plot.yaxis.major_label_overrides = {0: "0", 0.5: "50", 1: "100"}
