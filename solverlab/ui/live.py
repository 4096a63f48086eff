"""The plots that move: Bokeh figures whose columns are streamed and patched, never drawn anew."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.models import (
    Axis,
    ColumnDataSource,
    FactorRange,
    FixedTicker,
    HoverTool,
    Label,
    Legend,
    LegendItem,
    Range1d,
)
from bokeh.plotting import figure

from solverlab.views.convergence import DISTANCES
from solverlab.views.theme import CLOCKS, action_colour, run_colour

SLOTS = 7  # the live run and six kept ones
COLUMNS = (*CLOCKS, "distance")
FONT = "14px"
INK = "#1f2328"


class Convergence:
    """Distance from equilibrium on two logarithmic axes: the live run first, then the kept ones.

    Solid lines are average strategies, dashed lines current ones.
    """

    def __init__(self) -> None:
        self.clock = "iteration"
        self._rows: list[list[dict[str, Any]]] = [[] for _ in range(SLOTS)]
        self.sources = [
            {
                name: ColumnDataSource({c: [] for c in COLUMNS}, name=f"{name}-{slot}")
                for name in ("average", "current")
            }
            for slot in range(SLOTS)
        ]
        self.figure = figure(
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(1, 10),
            y_range=Range1d(1e-3, 1),
            sizing_mode="stretch_both",
            min_height=150,
            tools="pan,box_zoom,wheel_zoom,reset,save",
            toolbar_location="right",
            name="convergence",
        )
        self.figure.toolbar.logo = None
        self._lines = [self._draw_lines(slot) for slot in range(SLOTS)]
        self._items = [LegendItem(label=value(""), renderers=lines, visible=False) for lines in self._lines]
        self._dress()

    def _draw_lines(self, slot: int) -> list:
        style = {"line_color": run_colour(slot), "line_width": 2.5}
        solid = self.figure.line("iteration", "distance", source=self.sources[slot]["average"], **style)
        dashed = self.figure.line(
            "iteration",
            "distance",
            source=self.sources[slot]["current"],
            line_dash=[5, 4],
            alpha=0.75,
            **style,
        )
        return [solid, dashed]

    def _dress(self) -> None:
        legend = Legend(items=self._items, location="bottom_left", click_policy="hide")
        legend.update(
            label_text_font_size=FONT, background_fill_alpha=0.85, padding=5, spacing=1, glyph_height=16
        )
        legend.update(border_line_alpha=0.25, margin=8)
        self.figure.add_layout(legend)
        self.empty = Label(x=16, y=70, x_units="screen", y_units="screen", text="", text_color=INK)
        self.empty.update(text_font_size="15px", visible=False)
        self.figure.add_layout(self.empty)
        for axis in self.figure.axis:
            axis.update(
                axis_label_text_font_size=FONT, major_label_text_font_size="13px", axis_label_standoff=4
            )
            axis.update(
                axis_label_text_font_style="normal", axis_label_text_color=INK, major_label_text_color=INK
            )
        hover = HoverTool(
            tooltips=[("after", "@iteration{0,0} iterations"), ("distance", "@distance{0.000000}")]
        )
        hover.renderers = [line for lines in self._lines for line in lines]
        self.figure.add_tools(hover)

    # ---- what it shows ------------------------------------------------------------------------------

    def title(self, distance: str, unit: str = "chips") -> None:
        """Name the distance: exploitability for two players, the largest deviation gain for more."""
        self.figure.yaxis.axis_label = f"{distance} ({unit})"
        self.figure.xaxis.axis_label = CLOCKS[self.clock]

    def by(self, clock: str) -> None:
        """Change the horizontal axis: iterations, nodes touched or seconds."""
        self.clock = clock
        for lines in self._lines:
            for line in lines:
                line.glyph.x = clock
        self.figure.xaxis.axis_label = CLOCKS[clock]
        self._fit()

    def live(self, name: str, rows: list[dict[str, Any]]) -> None:
        """Show the live run; rows that are already on the page are not sent again."""
        known = self._rows[0]
        self._entry(0, f"{name} (live)", bool(rows))
        if rows == known:
            return
        if known and rows[: len(known)] == known:
            self._append(0, rows[len(known) :])
        else:
            self._replace(0, rows)
        shown = any(len(source.data["distance"]) for source in self.sources[0].values())
        solved = bool(rows) and rows[-1]["iteration"] > 0 and not shown
        self.empty.update(visible=solved, text="distance 0: no place on a log axis")
        self._fit()

    def kept(self, runs: list[tuple[str, list[dict[str, Any]]]]) -> None:
        """Show these finished runs beside the live one."""
        for slot in range(1, SLOTS):
            name, rows = runs[slot - 1] if slot <= len(runs) else ("", [])
            if rows != self._rows[slot]:
                self._replace(slot, rows)
            self._entry(slot, name, bool(rows))
        self._fit()

    def _entry(self, slot: int, name: str, visible: bool) -> None:
        item = self._items[slot]
        if (item.label, item.visible) != (value(name), visible):
            item.update(label=value(name), visible=visible)

    def _append(self, slot: int, rows: list[dict[str, Any]]) -> None:
        for name, source in self.sources[slot].items():
            columns = points(rows, name)
            if columns["distance"]:
                source.stream(columns)
        self._rows[slot] = self._rows[slot] + rows

    def _replace(self, slot: int, rows: list[dict[str, Any]]) -> None:
        for name, source in self.sources[slot].items():
            source.data = points(rows, name)
        self._rows[slot] = list(rows)

    def _fit(self) -> None:
        """Ranges that hold every point and change rarely: whole decades up, and 1, 2, 5 along."""
        rows = [row for slot in self._rows for row in slot]
        known = [points(rows, name) for name in ("average", "current")]
        along = [x for columns in known for x in columns[self.clock]] or [1.0, 10.0]
        up = [y for columns in known for y in columns["distance"]] or [1e-3, 1.0]
        first, last = min(along), round_up(max(max(along), min(along) * 10))
        low, high = math.floor(math.log10(min(up)) - 0.02), math.ceil(math.log10(max(up)) + 0.02)
        _set(self.figure.x_range, first * 0.9, last, self.figure.xaxis)
        _set(self.figure.y_range, 10.0**low, 10.0**high, self.figure.yaxis)


def _set(span: Range1d, start: float, end: float, axis) -> None:
    """Move a range, and mark whole decades; Bokeh's own marks run into each other on short log axes."""
    if (span.start, span.end) != (start, end):
        span.update(start=start, end=end, reset_start=start, reset_end=end)
        decades = range(math.floor(math.log10(start)), math.ceil(math.log10(end)) + 1)
        major = [10.0**k for k in decades]
        put_ticks(axis, major, [m * x for x in major for m in range(2, 10)])


def put_ticks(axes: Iterable[Axis], ticks: list[float], minor: Sequence[float] = ()) -> None:
    """Mark these places; an axis keeps its ticker, for a new one costs a large page half a second."""
    for axis in axes:
        if isinstance(axis.ticker, FixedTicker):
            axis.ticker.update(ticks=ticks, minor_ticks=list(minor))
        else:
            axis.ticker = FixedTicker(ticks=ticks, minor_ticks=list(minor))


def points(rows: list[dict[str, Any]], strategy: str) -> dict[str, list[float]]:
    """The columns of one line; moments that have no place on a logarithmic axis are left out.

    >>> row = {"iteration": 2, "touched": 30, "seconds": 0.1, "exploitability": 0.25}
    >>> points([row], "average")["distance"], points([row], "current")["distance"]
    ([0.25], [])
    """
    columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
    for row in rows:
        for metric, of in DISTANCES.items():
            distance = row.get(metric)
            if of == strategy and distance is not None and distance > 0 and row["iteration"] > 0:
                for clock in CLOCKS:
                    columns[clock].append(max(row[clock], 1e-6))
                columns["distance"].append(distance)
    return columns


def round_up(number: float) -> float:
    """The next 1, 2 or 5 times a power of ten.

    >>> round_up(1300), round_up(0.0041), round_up(10)
    (2000.0, 0.005, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(number) + 1e-12)
    return next(float(f"{k * power:.6g}") for k in (1, 2, 5, 10) if k * power >= number * (1 - 1e-9))


class StrategyBars:
    """What one node does with every hand: a bar a hand, stacked by action."""

    FIXED = ("hand", "action", "colour")
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
            text_font_size="13px", text_color="white", text_font_style="bold",
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
            whole = slice(0, len(data["hand"]))
            changed = [name for name in self.LIVE if list(self.source.data[name]) != list(data[name])]
            if changed:
                self.source.patch({name: [(whole, data[name])] for name in changed})
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
    for position, action in enumerate(name for name in table if name not in ("hand", "reach")):
        p = np.round(np.array(table[action], float), 5)
        columns["hand"] += hands
        columns["action"] += [action] * len(hands)
        columns["colour"] += [action_colour(action, position)] * len(hands)
        columns["bottom"] += base.tolist()
        columns["top"] += (base + p).tolist()
        columns["middle"] += (base + p / 2).tolist()
        columns["probability"] += p.tolist()
        columns["words"] += [f"{100 * x:.0f}" if few and x >= 0.1 else "" for x in p]
        columns["reach"] += np.round(reach, 5).tolist()
        columns["alpha"] += np.where(reach > 1e-9, 1.0, 0.4).tolist()
        base = base + p
    return columns
