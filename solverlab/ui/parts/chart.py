"""One live chart for every page: streamed lines that are never drawn anew, legends that fit, ticks in place.

A page makes a `LiveChart`, adds its lines once, and sends columns as often as it likes: what the browser has
already does not travel again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from bokeh.core.properties import value
from bokeh.models import (
    Axis,
    ColumnDataSource,
    FixedTicker,
    GlyphRenderer,
    HoverTool,
    Label,
    Legend,
    LegendItem,
    LogAxis,
    Range1d,
    Span,
)
from bokeh.plotting import figure

from solverlab.ui.look import INK
from solverlab.ui.parts.letters import dress

MOST_DECADES = 5  # that are named on a logarithmic axis; more would run into each other
Columns = Mapping[str, Sequence]


class Line:
    """One line of a chart: columns that grow, and the glyphs that draw them."""

    def __init__(self, source: ColumnDataSource, glyphs: list[GlyphRenderer]):
        self.source, self.glyphs = source, glyphs

    def send(self, columns: Columns) -> None:
        """Show these columns."""
        send(self.source, columns)

    def paint(self, colour: str) -> None:
        """Draw in another colour."""
        glyph = self.glyphs[0].glyph
        if glyph.line_color != colour:
            glyph.line_color = colour


class LiveChart:
    """A Bokeh figure with lines, a legend, a sentence where nothing is drawn, and a marker.

    `log` names the logarithmic axes: "", "y" or "xy". Letters follow the width of the window.

    >>> chart = LiveChart("demo", log="y")
    >>> line = chart.add_line("first", ("sweep", "gain"), "navy")
    >>> line.send({"sweep": [1, 2], "gain": [5.0, 0.02]})
    >>> chart.span("y", *chart.decades("gain"))
    >>> chart.lines[0].send({"sweep": [1, 2], "gain": [0.5, 0.0]})  # rest: a distance of exactly 0
    >>> chart.decades("gain")
    (0.1, 1.0)
    >>> chart.figure.y_range.start, chart.figure.y_range.end
    (0.01, 10.0)
    """

    def __init__(
        self,
        name: str,
        title: str = " ",
        log: str = "",
        x_range: Range1d | None = None,
        hint_at: tuple[int, int] = (16, 14),
        **look: object,
    ):
        axes = {f"{axis}_axis_type": "log" for axis in log}
        ranges = {"x_range": x_range or Range1d(1, 10), "y_range": Range1d(1e-3, 1)}
        usual = {"tools": "", "toolbar_location": None, "sizing_mode": "stretch_both", "min_height": 140}
        self.figure = figure(name=name, title=title, **(axes | ranges | usual | look))
        self.lines: list[Line] = []
        self.items: list[LegendItem] = []
        self.legend: Legend | None = None
        self.marker = Span(dimension="height", line_color=INK, line_dash=[5, 4], line_width=2, visible=False)
        self.hint = Label(x=hint_at[0], y=hint_at[1], x_units="screen", y_units="screen", text="")
        self.hint.update(text_color=INK, background_fill_color="white", padding=4, visible=False)
        self.figure.add_layout(self.marker)
        self.figure.add_layout(self.hint)

    # ---- made once -----------------------------------------------------------------------------------------

    def add_line(
        self,
        name: str,
        columns: Sequence[str],
        colour: str,
        dash: Sequence[int] = (),
        dots: str = "",
        **look: object,
    ) -> Line:
        """A line along the first column and up the second; `dots` names a mark at every point."""
        source = ColumnDataSource({column: [] for column in columns}, name=name)
        x, y, *_ = columns
        style = {"line_width": 2.5, "line_dash": list(dash)} | look
        drawn = [self.figure.line(x, y, source=source, line_color=colour, **style)]
        if dots:
            drawn.append(self.figure.scatter(x, y, source=source, marker=dots, size=6, color=colour))
        self.lines.append(Line(source, drawn))
        return self.lines[-1]

    def explain(self, groups: Iterable[Sequence[Line]], place: str, outside: bool = False) -> None:
        """A legend with an entry for each group of lines; `outside` puts it above or right of the plot."""
        self.items = [
            LegendItem(label=value(" "), renderers=[one for line in group for one in line.glyphs])
            for group in groups
        ]
        for item in self.items:
            item.visible = False
        look = {"background_fill_alpha": 0.85, "padding": 4, "spacing": 1, "margin": 6, "glyph_height": 16}
        look |= {"border_line_alpha": 0.0 if outside else 0.25, "label_text_color": INK}
        if outside and place == "above":
            look |= {"orientation": "horizontal", "ncols": 3, "padding": 0, "spacing": 16, "margin": 0}
        self.legend = Legend(items=self.items, click_policy="hide", **look)
        if outside:
            self.figure.add_layout(self.legend, place)
        else:
            self.legend.location = place
            self.figure.add_layout(self.legend)

    def tell(self, tips: Sequence[tuple[str, str]] | str, glyphs: Sequence[GlyphRenderer] = ()) -> None:
        """What hovering over the lines says, or over other glyphs."""
        over = list(glyphs) or [one for line in self.lines for one in line.glyphs]
        self.figure.add_tools(HoverTool(renderers=over, tooltips=tips, line_policy="nearest"))

    def dress(self, *labels: Label) -> None:
        """Letters, when everything that has some is there."""
        dress(self.figure, [self.hint, *labels], [self.legend] if self.legend else [])

    # ---- shown again and again -----------------------------------------------------------------------------

    def name_line(self, number: int, name: str, shown: bool) -> None:
        """An entry of the legend: its words, and whether it is there."""
        item = self.items[number]
        if (item.label, item.visible) != (value(name or " "), shown):
            item.update(label=value(name or " "), visible=shown)

    def entitle(self, title: str | None = None, along: str | None = None, up: str | None = None) -> None:
        """Name the plot and its axes; what is not given stays."""
        plot = self.figure
        if title is not None and plot.title.text != title:
            plot.title.text = title
        for axis, words in ((plot.xaxis, along), (plot.yaxis, up)):
            if words is not None and axis[0].axis_label != words:
                axis.axis_label = words

    def say(self, words: str) -> None:
        """A sentence where there is nothing to draw."""
        if self.hint.text != words:
            self.hint.update(text=words, visible=bool(words))

    def mark(self, place: float | None) -> None:
        """A vertical line at a place along, or none."""
        if (self.marker.location, self.marker.visible) != (place, place is not None):
            self.marker.update(location=place, visible=place is not None)

    def span(
        self, along: str, start: float, end: float, ticks: Sequence[float] = (), minor: Sequence[float] = ()
    ) -> None:
        """Set the range of the "x" or the "y" axis; a logarithmic one gets its ticks by itself."""
        span, axes = getattr(self.figure, f"{along}_range"), getattr(self.figure, f"{along}axis")
        if (span.start, span.end) == (start, end):
            return
        span.update(start=start, end=end, reset_start=start, reset_end=end)
        if isinstance(axes[0], LogAxis):
            ticks, minor = log_ticks(start, end)
        if ticks:
            put_ticks(axes, ticks, minor)

    def numbers(self, column: str) -> list[float]:
        """What all lines hold in a column."""
        return [x for line in self.lines for x in line.source.data.get(column, ())]

    def decades(self, column: str, empty: tuple[float, float] = (1e-3, 1.0)) -> tuple[float, float]:
        """Whole decades that hold every number of a column: a range that changes rarely.

        A logarithm has no place for 0, which an exact distance can be: such numbers do not widen the range.
        """
        known = [number for number in self.numbers(column) if number > 0] or list(empty)
        low, high = math.floor(math.log10(min(known)) - 0.02), math.ceil(math.log10(max(known)) + 0.02)
        return 10.0**low, 10.0**high


def send(source: ColumnDataSource, columns: Columns) -> None:
    """Show these columns; only what the page does not have travels.

    Longer ones are streamed where they go on from what is shown, changed ones of equal length are patched.
    """
    known, first = source.data, next(iter(columns))
    size, had = len(columns[first]), len(known[first])
    changed = {name: list(column) for name, column in columns.items() if not _equal(known[name], column)}
    if not changed:
        return
    if had and size > had and all(_equal(known[name], column[:had]) for name, column in columns.items()):
        source.stream({name: list(column[had:]) for name, column in columns.items()})
    elif size == had:
        source.patch({name: [(slice(0, size), column)] for name, column in changed.items()})
    else:
        source.data = {name: list(column) for name, column in columns.items()} | {
            name: column for name, column in known.items() if name not in columns
        }


def _equal(known: Sequence, column: Sequence) -> bool:
    return len(known) == len(column) and list(known) == list(column)


def log_ticks(start: float, end: float) -> tuple[list[float], list[float]]:
    """Named and unnamed places of a logarithmic axis; Bokeh's own run into each other on short axes.

    >>> log_ticks(0.1, 10)[0]
    [10.0, 1.0, 0.1]
    """
    low, high = math.ceil(math.log10(start) - 1e-9), math.floor(math.log10(end) + 1e-9)
    step = max(1, math.ceil((high - low) / MOST_DECADES))
    major = [10.0**k for k in range(high, low - 1, -step)]
    if step == 1:
        return major, [m * x for x in (*major, 10.0 ** (low - 1)) for m in range(2, 10)]
    return major, [10.0**k for k in range(low, high + 1)]


def put_ticks(axes: Iterable[Axis], ticks: Sequence[float], minor: Sequence[float] = ()) -> None:
    """Mark these places; an axis keeps its ticker, for a new one costs a large page half a second."""
    for axis in axes:
        if isinstance(axis.ticker, FixedTicker):
            axis.ticker.update(ticks=list(ticks), minor_ticks=list(minor))
        else:
            axis.ticker = FixedTicker(ticks=list(ticks), minor_ticks=list(minor))


def round_up(number: float) -> float:
    """The next 1, 2 or 5 times a power of ten.

    >>> round_up(1300), round_up(0.0041), round_up(10)
    (2000.0, 0.005, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(number) + 1e-12)
    return next(float(f"{k * power:.6g}") for k in (1, 2, 5, 10) if k * power >= number * (1 - 1e-9))


def end_of(count: float) -> float:
    """Where an axis of counts from 0 ends: it moves rarely and leaves little of it empty.

    >>> end_of(0), end_of(61), end_of(1300)
    (10.0, 80.0, 1500.0)
    """
    wanted = max(1.02 * count, 10.0)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(k * power for k in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if k * power >= wanted)
