"""One logarithmic plot over the sweeps: a line a branch, ticks where trees grew, a marker in the past."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    Label,
    Legend,
    LegendItem,
    LinearScale,
    Range1d,
    Span,
)
from bokeh.plotting import figure

from solverlab.ui.live import put_ticks, round_up
from solverlab.ui.look import INK, MUTED
from solverlab.views.theme import run_colour

LOWEST = -12  # decades
SLOTS = 7  # the live branch and six kept ones
ALARM = "#B3001B"
LONGEST = 20  # letters in a legend
COLUMNS = ("sweep", "value", "epoch", "nodes")

Row = Mapping[str, Any]
Branches = Sequence[tuple[str, Sequence[Row]]]
Measure = str | Callable[[Row], float]


def line_of(rows: Sequence[Row], measure: Measure) -> dict[str, list]:
    """The columns of one line; zeros and numbers that are missing have no place on a logarithmic axis.

    `measure` is a number's name, or a function of the row.

    >>> rows = [{"sweep": 1, "epoch": 0, "nodes": 9, "change": 0.5}, {"sweep": 2, "change": 0.0}]
    >>> line_of(rows, "change")
    {'sweep': [1], 'value': [0.5], 'epoch': [0], 'nodes': [9]}
    """
    kept = [(row, _measured(row, measure)) for row in rows]
    fit = [(row, float(x)) for row, x in kept if x is not None and 0 < x < math.inf]
    return {
        "sweep": [row["sweep"] for row, _ in fit],
        "value": [x for _, x in fit],
        "epoch": [row.get("epoch", 0) for row, _ in fit],
        "nodes": [row.get("nodes", 0) for row, _ in fit],
    }


def _measured(row: Row, measure: Measure) -> float | None:
    return row.get(measure) if isinstance(measure, str) else measure(row)


def legend_name(name: str, runs: int) -> str:
    """What a legend has room for: a run and how it differs, or its number alone.

    >>> legend_name("run 2: scale 1 → 3", 2), legend_name("run 2: scale 1 → 3", 3)
    ('run 2: scale 1 → 3', 'run 2')
    """
    return name if runs <= 2 and len(name) <= LONGEST else name.partition(":")[0]


def ends_of_epochs(rows: Sequence[Row]) -> dict[str, list]:
    """Where trees grew: the last sweep of each epoch, and how many nodes there were before and after."""
    pairs = [(a, b) for a, b in zip(rows, rows[1:], strict=False) if b.get("epoch", 0) > a.get("epoch", 0)]
    return {
        "sweep": [a["sweep"] for a, _ in pairs],
        "told": [
            f"epoch {a.get('epoch', 0)} ends: {a.get('nodes', 0):,} nodes grow to {b.get('nodes', 0):,}"
            for a, b in pairs
        ],
    }


def send(source: ColumnDataSource, columns: dict[str, list]) -> None:
    """Show these columns; what is on the page already is not sent again."""
    first = next(iter(columns))
    size, known = len(source.data[first]), source.data
    if all(list(known[name]) == columns[name][:size] for name in columns):
        if len(columns[first]) > size:
            source.stream({name: column[size:] for name, column in columns.items()})
    else:
        source.data = columns


class SweepPlot:
    """One logarithmic plot over the sweeps: a line a branch, ticks where trees grew, a marker."""

    def __init__(self, name: str, x_range: Range1d, legend: bool, nothing: str):
        self.nothing = nothing  # what a line of zeros means
        self.figure = figure(
            y_axis_type="log", x_range=x_range, y_range=Range1d(1e-3, 1), title=" ", name=f"{name}-plot",
            sizing_mode="stretch_both", min_height=150, min_border_left=72, min_border_right=14,
            tools="xpan,xbox_zoom,xwheel_zoom,reset,save", toolbar_location=None,
        )  # fmt: skip
        self.lines = [
            ColumnDataSource({c: [] for c in COLUMNS}, name=f"{name}-{slot}") for slot in range(SLOTS)
        ]
        self.heads = ColumnDataSource({"sweep": [], "value": [], "colour": []}, name=f"{name}-heads")
        self.alarms = ColumnDataSource({"sweep": [], "value": []}, name=f"{name}-alarms")
        self.epochs = ColumnDataSource({"sweep": [], "told": []}, name=f"{name}-epochs")
        self.marker = Span(dimension="height", line_color=INK, line_dash=[5, 4], line_width=2, visible=False)
        self.hint = Label(x=14, y=14, x_units="screen", y_units="screen", text="", text_color=INK)
        self.hint.update(background_fill_color="white", padding=4)
        self.legends: list[Legend] = []
        self._draw(legend)
        self.figure.add_layout(self.marker)
        self.figure.add_layout(self.hint)
        self.figure.xaxis.update(axis_label="sweeps", ticker=FixedTicker(ticks=[0, 5, 10]))
        self.figure.xaxis[0].formatter.use_scientific = False

    def _draw(self, legend: bool) -> None:
        plot = self.figure
        plot.extra_y_ranges = {"edge": Range1d(0, 1)}
        plot.extra_y_scales = {"edge": LinearScale()}
        ticks = plot.segment(
            "sweep", 0, "sweep", 0.07, source=self.epochs, y_range_name="edge", line_color=MUTED, line_width=2
        )
        lines = [  # the live one last, above the others
            plot.line(
                "sweep", "value", source=self.lines[slot], line_color=run_colour(slot),
                line_width=1.75 if slot else 3.5, line_alpha=0.9,
            )
            for slot in reversed(range(SLOTS))
        ][::-1]  # fmt: skip
        plot.scatter("sweep", "value", source=self.alarms, size=9, fill_color=ALARM, line_color="white")
        plot.scatter("sweep", "value", source=self.heads, size=8, fill_color="colour", line_color="white")
        tips = [("sweep", "@sweep{0,0}, epoch @epoch"), ("nodes", "@nodes{0,0}"), ("value", "@value{0.00e}")]
        plot.add_tools(HoverTool(renderers=lines, tooltips=tips, mode="mouse", line_policy="nearest"))
        plot.add_tools(HoverTool(renderers=[ticks], tooltips="@told"))
        self.items = [LegendItem(label=value(""), renderers=[line], visible=False) for line in lines]
        if legend:
            look = {"padding": 0, "spacing": 16, "margin": 0}
            look |= {"orientation": "horizontal", "ncols": 3, "border_line_alpha": 0, "glyph_height": 16}
            self.legends = [Legend(items=self.items, visible=False, **look)]
            plot.add_layout(self.legends[0], "above")

    def show(self, branches: Branches, measure: Measure, colours: Mapping[str, str]) -> None:
        """Draw a measure of every branch in its own colour, the first one thick."""
        given = list(branches)[:SLOTS]
        colour = [colours[name] for name, _ in given]
        for slot, source in enumerate(self.lines):
            name, rows = given[slot] if slot < len(given) else ("", ())
            send(source, line_of(rows, measure))
            self._name(slot, legend_name(name, len(given)))
            if slot < len(given):
                self._paint(slot, colour[slot])
        live = given[0][1] if given else ()
        alarmed = line_of([row for row in live if row.get("alarm")], measure)
        send(self.alarms, {name: alarmed[name] for name in ("sweep", "value")})
        send(self.epochs, ends_of_epochs(live))
        ends = [(slot, source.data) for slot, source in enumerate(self.lines) if len(source.data["sweep"])]
        heads = {name: [data[name][-1] for _, data in ends] for name in ("sweep", "value")}
        heads["colour"] = [colour[slot] for slot, _ in ends]
        if dict(self.heads.data) != heads:
            self.heads.data = heads
        self._say(live, measure)

    def _name(self, slot: int, name: str) -> None:
        item, shown = self.items[slot], bool(name) and len(self.lines[slot].data["sweep"]) > 0
        if (item.label, item.visible) != (value(name), shown):
            item.update(label=value(name), visible=shown)

    def _paint(self, slot: int, colour: str) -> None:
        glyph = self.items[slot].renderers[0].glyph
        if glyph.line_color != colour:
            glyph.line_color = colour

    def _say(self, live: Sequence[Row], measure: Measure) -> None:
        """A sentence where there is nothing to draw."""
        known = [row for row in live if _measured(row, measure) is not None]
        words = "" if known else "not measured for this tree" if live else "nothing swept yet"
        if known and not len(self.lines[0].data["sweep"]):
            words = self.nothing
        if self.hint.text != words:
            self.hint.text = words

    def entitle(self, title: str, axis: str) -> None:
        """Name the plot and its upward axis."""
        if (self.figure.title.text, self.figure.yaxis[0].axis_label) != (title, axis):
            self.figure.title.text = title
            self.figure.yaxis.axis_label = axis

    def fit(self, least: float | None = None) -> None:
        """A range of whole decades that holds every point, and perhaps a line drawn besides."""
        points = [x for source in self.lines for x in source.data["value"]] + ([least] if least else [])
        points = points or [1e-3, 1.0]
        low = math.floor(math.log10(min(points)) - 0.1)
        # What is smaller is rounding, and would squeeze everything else into one line.
        low = max(low, min(LOWEST, math.floor(math.log10(least or max(points)) - 0.1)))
        end = max(round_up(1.25 * max(points)), 10.0 ** (low + 1))
        span, start, high = self.figure.y_range, 10.0**low, math.floor(math.log10(end) + 1e-9)
        if (span.start, span.end) != (start, end):
            span.update(start=start, end=end, reset_start=start, reset_end=end)
            step = max(1, math.ceil((high - low) / 5))
            major = [10.0**k for k in range(high, low - 1, -step)]
            minor = [10.0**k for k in range(low, high + 1)]
            if step == 1:
                minor = [m * x for x in major for m in range(2, 10)]
            put_ticks(self.figure.yaxis, major, minor)

    def mark(self, sweep: int | None) -> None:
        """A vertical line at a sweep of the past, or none."""
        if (self.marker.location, self.marker.visible) != (sweep, sweep is not None):
            self.marker.update(location=sweep, visible=sweep is not None)
