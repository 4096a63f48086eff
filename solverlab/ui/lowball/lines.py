"""The two line plots of the 2-to-7 page: how far from equilibrium, and the button's value by stack."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bokeh.models import ColumnDataSource, Range1d, Span

from solverlab.core.rows import Row
from solverlab.ui.look import INK
from solverlab.ui.lowball.curves import Curve
from solverlab.ui.parts.chart import LiveChart, send
from solverlab.views.theme import run_colour

LEAST, MOST = 1e-9, 1e3
GAPS: dict[str, tuple[str, str, list[int]]] = {  # metric: words, colour, dashes
    "nash_conv": ("NashConv, exact best responses", run_colour(0), []),
    "regret_proxy": ("“nash distance”: regret, a proxy", run_colour(1), [6, 4]),
    "upper": ("NashConv at most (model and deals)", run_colour(0), []),
    "lower": ("NashConv at least (fresh deals)", run_colour(2), [6, 4]),
}
SLOTS = 7
POINTS = ("stack", "value", "low", "high", "told")


class GapPlot(LiveChart):
    """Distances from equilibrium against iterations, on two logarithmic axes."""

    def __init__(self) -> None:
        title = "Distance from equilibrium, big blinds"
        super().__init__("gap-plot", title, log="xy", min_border_right=12)
        for name, (_, colour, dash) in GAPS.items():
            self.add_line(f"gap-{name}", ("iteration", "gap"), colour, dash)
        self.sources = {name: line.source for name, line in zip(GAPS, self.lines, strict=True)}
        self.explain([[line] for line in self.lines], "bottom_left")
        self.tell([("after", "@iteration{0,0} iterations"), ("distance", "@gap{0.000000} big blinds")])
        self.entitle(along="iterations")
        self.dress()

    def show(self, rows: Sequence[Row]) -> None:
        """Draw a run; rows that are on the page already are not sent again."""
        exact = any("exploitability" in row for row in rows)
        names = ("nash_conv", "regret_proxy") if exact else ("upper", "lower")
        for number, (name, (words, *_)) in enumerate(GAPS.items()):
            data = gap_columns(rows if name in names else (), name)
            self.lines[number].send(data)
            self.name_line(number, words, bool(data["gap"]))
        self._fit()

    def _fit(self) -> None:
        up = self.numbers("gap") or [1e-3, 1]
        low, high = math.floor(math.log10(min(up))), math.ceil(math.log10(max(up)) + 1e-9)
        self.span("x", 0.9, max(10.0, 1.05 * max(self.numbers("iteration"), default=0)))
        self.span("y", 10.0 ** min(low, high - 2), 10.0**high)


def gap_columns(rows: Sequence[Row], name: str) -> dict[str, list]:
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


class CurvePlot(LiveChart):
    """The button's value against the stack, one line a rung, each with the stack where it crosses zero."""

    def __init__(self) -> None:
        title = "The button's value by stack, big blinds"
        super().__init__("curve-plot", title, x_range=Range1d(1.2, 10.3), min_border_right=12)
        self.roots = ColumnDataSource(
            {"x": [], "low": [], "high": [], "y": [], "colour": [], "words": []}, name="curve-roots"
        )
        self.dot = ColumnDataSource({"x": [], "y": []}, name="curve-here")
        self.figure.add_layout(Span(location=0, dimension="width", line_color=INK, line_width=1))
        self.mark(3)
        for slot in range(SLOTS):
            self._rung(slot)
        self._draw()
        self.explain([[line] for line in self.lines], "top_right")
        tips = [("stack", "@stack big blinds"), ("value", "@value{0.00000}"), ("known", "@told")]
        self.tell(tips, [line.glyphs[1] for line in self.lines])
        self.entitle(along="stack in big blinds", up="value to the button")
        self.dress()

    def _rung(self, slot: int) -> None:
        """A line with its points, and bars that tell how exactly each is known."""
        colour = run_colour(slot)
        line = self.add_line(f"curve-{slot}", POINTS, colour, dots="circle", line_width=2)
        bars = {"source": line.source, "line_color": colour, "line_width": 1.5}
        line.glyphs.append(self.figure.segment("stack", "low", "stack", "high", **bars))

    def _draw(self) -> None:
        plot = self.figure
        style = {"line_color": "colour", "line_width": 2}
        plot.segment("x", "low", "x", "high", source=self.roots, **style)
        text = {"text_font_size": "14px", "text_font_style": "bold", "text_color": "colour"}
        plot.text(
            "x", "y", "words", source=self.roots, x_offset=4, background_fill_color="white",
            background_fill_alpha=0.8, **text,
        )  # fmt: skip
        plot.scatter("x", "y", source=self.dot, size=11, color=INK, marker="diamond")

    def show(self, curves: Sequence[Curve]) -> None:
        """Draw these curves, at most seven."""
        for slot, line in enumerate(self.lines):
            curve = curves[slot] if slot < len(curves) else None
            line.send(curve.columns() if curve else {name: [] for name in POINTS})
            self.name_line(slot, curve.label if curve else "", bool(curve))
        self._fit(curves)
        self._mark_roots(curves)

    def _fit(self, curves: Sequence[Curve]) -> None:
        values = [row["value"] for curve in curves for row in curve.rows] or [-0.1, 0.2]
        low, high = min([*values, -0.02]), max([*values, 0.02])
        room = 0.12 * (high - low)
        self.span("y", low - 1.6 * room, high + room * (1 + len(curves)))  # the legend stands above the lines

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
        send(self.roots, data)

    def at(self, stack: float, known: float | None) -> None:
        """Mark the chosen stack, and the value there once the solver knows it."""
        if self.marker.location != stack:
            self.mark(stack)
            self.figure.x_range.end = max(10.3, 1.03 * stack)
        send(self.dot, {"x": [], "y": []} if known is None else {"x": [stack], "y": [known]})
