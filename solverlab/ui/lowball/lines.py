"""The two line plots of the 2-to-7 page: how far from equilibrium, and the button's value by stack."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    ColumnDataSource,
    HoverTool,
    Label,
    Legend,
    LegendItem,
    Range1d,
    Span,
)
from bokeh.plotting import figure

from solverlab.ui.live import put_ticks
from solverlab.ui.look import INK
from solverlab.ui.lowball.curves import Curve
from solverlab.views.theme import run_colour

LEAST, MOST = 1e-9, 1e3
GAPS = {  # metric: words, colour, dashes
    "nash_conv": ("NashConv, exact best responses", "#0072B2", []),
    "regret_proxy": ("“nash distance”: regret, a proxy", "#D55E00", [6, 4]),
    "upper": ("NashConv at most (model and deals)", "#0072B2", []),
    "lower": ("NashConv at least (fresh deals)", "#009E73", [6, 4]),
}
SLOTS = 7


def dressed(plot: Any) -> None:
    """Letters and colours that every plot here shares."""
    plot.toolbar.logo = None
    for axis in plot.axis:
        axis.update(major_label_text_font_size="13px", axis_label_text_font_size="13px")
        axis.update(axis_label_text_font_style="normal", major_label_text_color=INK)
        axis.update(axis_label_text_color=INK, axis_label_standoff=2)
    plot.title.update(text_font_size="14px", text_font_style="bold", text_color=INK)


def small_legend(items: list[LegendItem], **place: Any) -> Legend:
    legend = Legend(items=items, **place)
    legend.update(label_text_font_size="13px", background_fill_alpha=0.85, padding=3, spacing=0)
    legend.update(border_line_alpha=0.2, margin=4, glyph_height=16, label_text_color=INK)
    return legend


class GapPlot:
    """Distances from equilibrium against iterations, on two logarithmic axes."""

    def __init__(self) -> None:
        self.figure = figure(
            x_axis_type="log", y_axis_type="log", x_range=Range1d(1, 10), y_range=Range1d(1e-3, 1),
            sizing_mode="stretch_both", min_height=140, tools="", toolbar_location=None,
            title="Distance from equilibrium, big blinds", name="gap-plot", min_border_right=12,
        )  # fmt: skip
        self.sources, self._items, lines = {}, {}, []
        for name, (words, colour, dash) in GAPS.items():
            source = ColumnDataSource({"iteration": [], "gap": []}, name=f"gap-{name}")
            line = self.figure.line(
                "iteration", "gap", source=source, line_color=colour, line_dash=dash, line_width=2.5
            )
            self.sources[name] = source
            self._items[name] = LegendItem(label=value(words), renderers=[line], visible=False)
            lines.append(line)
        self.figure.add_layout(small_legend(list(self._items.values()), location="bottom_left"))
        tips = [("after", "@iteration{0,0} iterations"), ("distance", "@gap{0.000000} big blinds")]
        self.figure.add_tools(HoverTool(renderers=lines, tooltips=tips))
        self.figure.xaxis.axis_label = "iterations"
        dressed(self.figure)

    def show(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Draw a run; rows that are on the page already are not sent again."""
        exact = any("exploitability" in row for row in rows)
        names = ("nash_conv", "regret_proxy") if exact else ("upper", "lower")
        for name, source in self.sources.items():
            data = gap_columns(rows, name) if name in names else {"iteration": [], "gap": []}
            known = len(source.data["iteration"])
            if known and data["iteration"][:known] == list(source.data["iteration"]):
                if len(data["iteration"]) > known:
                    source.stream({column: list(values[known:]) for column, values in data.items()})
            elif dict(source.data) != data:
                source.data = data
            if self._items[name].visible != bool(data["gap"]):
                self._items[name].visible = bool(data["gap"])
        self._fit()

    def _fit(self) -> None:
        along = [x for source in self.sources.values() for x in source.data["iteration"]] or [1, 10]
        up = [y for source in self.sources.values() for y in source.data["gap"]] or [1e-3, 1]
        low, high = math.floor(math.log10(min(up))), math.ceil(math.log10(max(up)) + 1e-9)
        _stretch(self.figure.x_range, 0.9, max(10.0, 1.05 * max(along)), self.figure.xaxis)
        _stretch(self.figure.y_range, 10.0 ** min(low, high - 2), 10.0**high, self.figure.yaxis)


def _stretch(span: Range1d, start: float, end: float, axis: Any) -> None:
    if (span.start, span.end) != (start, end):
        span.update(start=start, end=end)
        marks = [10.0**k for k in range(math.floor(math.log10(start)), math.ceil(math.log10(end)) + 1)]
        put_ticks(axis, marks)


def gap_columns(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, list]:
    """The points of one line; NashConv is twice the exploitability, and zero has no place on a log axis.

    >>> gap_columns([{"iteration": 2, "exploitability": 0.25}], "nash_conv")
    {'iteration': [2], 'gap': [0.5]}
    """
    columns: dict[str, list] = {"iteration": [], "gap": []}
    for row in rows:
        exact = row.get("exploitability")
        gap = 2 * exact if name == "nash_conv" and exact is not None else row.get(name)
        if gap is not None and row["iteration"] > 0 and LEAST < gap < MOST:
            columns["iteration"].append(row["iteration"])
            columns["gap"].append(float(gap))
    return columns


class CurvePlot:
    """The button's value against the stack, one line a rung, each with the stack where it crosses zero."""

    def __init__(self) -> None:
        self.figure = figure(
            x_range=Range1d(1.2, 10.3), y_range=Range1d(-0.2, 0.3), sizing_mode="stretch_both",
            min_height=140, tools="", toolbar_location=None, name="curve-plot", min_border_right=12,
            title="The button's value by stack, big blinds",
        )  # fmt: skip
        self.sources = [
            ColumnDataSource({"stack": [], "value": [], "low": [], "high": [], "told": []}, name=f"curve-{k}")
            for k in range(SLOTS)
        ]
        self.roots = ColumnDataSource(
            {"x": [], "low": [], "high": [], "y": [], "colour": [], "words": []}, name="curve-roots"
        )
        self.dot = ColumnDataSource({"x": [], "y": []}, name="curve-here")
        self.zero = Span(location=0, dimension="width", line_color=INK, line_width=1)
        self.here = Span(location=3, dimension="height", line_color=INK, line_dash=[4, 4], line_width=1.5)
        self.hint = Label(x=16, y=12, x_units="screen", y_units="screen", text="", text_color=INK)
        self.hint.update(text_font_size="14px", background_fill_color="white", background_fill_alpha=0.85)
        for part in (self.zero, self.here, self.hint):
            self.figure.add_layout(part)
        self._draw()

    def _draw(self) -> None:
        plot, self._items, dots = self.figure, [], []
        for slot, source in enumerate(self.sources):
            colour = run_colour(slot)
            bars = plot.segment("stack", "low", "stack", "high", source=source, line_color=colour)
            line = plot.line("stack", "value", source=source, line_color=colour, line_width=2.5)
            dot = plot.scatter("stack", "value", source=source, size=5, color=colour)
            self._items.append(LegendItem(label=value(" "), renderers=[line, dot, bars], visible=False))
            dots.append(dot)
        style = {"line_color": "colour", "line_width": 2}
        plot.segment("x", "low", "x", "high", source=self.roots, **style)
        text = {"text_font_size": "14px", "text_font_style": "bold", "text_color": "colour"}
        plot.text(
            "x", "y", "words", source=self.roots, x_offset=4, background_fill_color="white",
            background_fill_alpha=0.8, **text,
        )  # fmt: skip
        plot.scatter("x", "y", source=self.dot, size=11, color=INK, marker="diamond")
        plot.add_layout(small_legend(self._items, location="top_right"))
        tips = [("stack", "@stack big blinds"), ("value", "@value{0.00000}"), ("known", "@told")]
        plot.add_tools(HoverTool(renderers=dots, tooltips=tips))
        plot.xaxis.axis_label = "stack in big blinds"
        plot.yaxis.axis_label = "value to the button"
        dressed(plot)

    def show(self, curves: Sequence[Curve]) -> None:
        """Draw these curves, at most seven."""
        for slot, (source, item) in enumerate(zip(self.sources, self._items, strict=True)):
            curve = curves[slot] if slot < len(curves) else None
            data = curve.columns() if curve else {name: [] for name in source.data}
            if dict(source.data) != data:
                source.data = data
            label = (value(curve.label if curve else " "), bool(curve))
            if (item.label, item.visible) != label:
                item.update(label=label[0], visible=label[1])
        self._fit(curves)
        self._mark_roots(curves)

    def _fit(self, curves: Sequence[Curve]) -> None:
        values = [row["value"] for curve in curves for row in curve.rows] or [-0.1, 0.2]
        low, high = min([*values, -0.02]), max([*values, 0.02])
        room = 0.12 * (high - low)
        start, end = low - 1.6 * room, high + room * (1 + len(curves))  # the legend stands above the lines
        if (self.figure.y_range.start, self.figure.y_range.end) != (start, end):
            self.figure.y_range.update(start=start, end=end)

    def _mark_roots(self, curves: Sequence[Curve]) -> None:
        bottom = self.figure.y_range.start
        known = [(slot, curve) for slot, curve in enumerate(curves) if curve.root is not None]
        step = -bottom / (len(known) + 1) if known else 0.0
        data = {
            "x": [curve.root for _, curve in known],
            "low": [bottom] * len(known),
            "high": [0.0] * len(known),
            "y": [bottom + (place + 0.3) * step for place in range(len(known))],
            "colour": [run_colour(slot) for slot, _ in known],
            "words": [curve.root_words for _, curve in known],
        }
        if dict(self.roots.data) != data:
            self.roots.data = data

    def at(self, stack: float, known: float | None) -> None:
        """Mark the chosen stack, and the value there once the solver knows it."""
        if self.here.location != stack:
            self.here.location = stack
            self.figure.x_range.end = max(10.3, 1.03 * stack)
        dot = {"x": [], "y": []} if known is None else {"x": [stack], "y": [known]}
        if dict(self.dot.data) != dot:
            self.dot.data = dot

    def say(self, words: str) -> None:
        if self.hint.text != words:
            self.hint.text = words
