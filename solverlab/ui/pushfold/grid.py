"""The two live plots of the Push/fold page: a grid of 169 hands, and one hand over all stacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bokeh.core.properties import value
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, CustomJS, HoverTool, Label, Legend, LegendItem, Range1d, Span
from bokeh.plotting import figure

from solverlab.ui.look import INK
from solverlab.views.pushfold_cells import Cells
from solverlab.views.pushfold_chart import RANKS

LIVE = ("colour", "ink", "words", "told")
CHOSEN = "#D55E00"
COLOURS = ("#0072B2", "#D55E00")
TIP = "<div style='font-size: 15px; padding: 2px 4px'><b>@hand</b> @told</div>"
# Letters grow and shrink with their cells: a projector shows them as large as there is room.
FIT = """
const cell = Math.min(plot.inner_width / 1.02, plot.inner_height) / 13;
const size = (part, least) => Math.max(least, Math.round(part * cell)) + "px";
names.text_font_size = size(0.36, 10);
numbers.text_font_size = size(0.3, 9);
"""


def hand_at(row: int, column: int) -> str:
    """The hand of a cell.

    >>> hand_at(0, 0), hand_at(0, 1), hand_at(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    if row == column:
        return RANKS[row] * 2
    high, low = sorted((row, column))
    return RANKS[high] + RANKS[low] + ("s" if row < column else "o")


HANDS = [hand_at(row, column) for row in range(13) for column in range(13)]


class HandGrid:
    """169 hands in the usual order; colours and words are patched, never drawn anew."""

    def __init__(self, name: str, tapped: Callable[[str], None]):
        self._tapped = tapped
        self.cells: Cells | None = None
        places = {"hand": HANDS, "x": [n % 13 for n in range(169)], "y": [n // 13 for n in range(169)]}
        places |= {"above": [y - 0.18 for y in places["y"]], "below": [y + 0.24 for y in places["y"]]}
        blank = {"colour": ["#eaeef2"] * 169, "ink": [INK] * 169, "words": [""] * 169, "told": [""] * 169}
        self.source = ColumnDataSource(places | blank, name=name)
        self.mark = ColumnDataSource({"x": [], "y": []}, name=f"{name}-mark")
        self.figure = figure(
            x_range=Range1d(-0.52, 12.52), y_range=Range1d(12.52, -0.52), title=" ", tools="",
            toolbar_location=None, sizing_mode="stretch_both", min_height=200, name=f"{name}-plot",
            outline_line_color=None, min_border=2,
        )  # fmt: skip
        self._draw()
        self.figure.on_event(Tap, self._on_tap)

    def _draw(self) -> None:
        plot = self.figure
        cells = plot.rect("x", "y", 1, 1, source=self.source, fill_color="colour", line_color="white")
        middle = {"text_align": "center", "text_baseline": "middle", "text_color": "ink"}
        names = plot.text("x", "above", "hand", source=self.source, text_font_size="12px", **middle)
        numbers = plot.text("x", "below", "words", source=self.source, text_font_size="11px", **middle)
        numbers.glyph.text_font_style = "bold"
        ring = {"fill_alpha": 0, "line_color": CHOSEN, "line_width": 4}
        plot.rect("x", "y", 0.94, 0.94, source=self.mark, **ring)
        plot.add_tools(HoverTool(renderers=[cells], tooltips=TIP, point_policy="follow_mouse"))
        fit = CustomJS(args={"plot": plot, "names": names.glyph, "numbers": numbers.glyph}, code=FIT)
        for side in ("inner_width", "inner_height"):
            plot.js_on_change(side, fit)
        plot.axis.visible = plot.grid.visible = False
        plot.title.update(text_font_size="16px", text_font_style="bold", text_color=INK, align="center")
        plot.title.standoff = 4

    def show(self, cells: Cells) -> None:
        """Show other numbers; only what changed travels to the page."""
        whole = slice(0, 169)
        changed = {
            name: [(whole, getattr(cells, name))]
            for name in LIVE
            if list(self.source.data[name]) != getattr(cells, name)
        }
        if changed:
            self.source.patch(changed)
        if self.figure.title.text != cells.title:
            self.figure.title.text = cells.title
        self.cells = cells

    def choose(self, hand: str) -> None:
        """Ring a hand, or none."""
        place = HANDS.index(hand) if hand else None
        mark = {"x": [], "y": []} if place is None else {"x": [place % 13], "y": [place // 13]}
        if dict(self.mark.data) != mark:
            self.mark.data = mark

    def _on_tap(self, event: Tap) -> None:
        if event.x is not None and event.y is not None:
            column, row = round(event.x), round(event.y)
            if 0 <= row < 13 and 0 <= column < 13:
                self._tapped(hand_at(row, column))


class HandCurve:
    """How often one hand, or all of them together, goes in at every stack of the chart: a line a grid."""

    def __init__(self) -> None:
        self.sources = [
            ColumnDataSource({"stack": [], "share": []}, name=f"curve-{side}") for side in ("left", "right")
        ]
        self.figure = figure(
            x_range=Range1d(1, 25.4), y_range=Range1d(-4, 104), tools="", toolbar_location=None, title=" ",
            sizing_mode="stretch_both", min_height=110, name="curve-plot", min_border_right=12,
        )  # fmt: skip
        self.here = Span(location=10, dimension="height", line_color=INK, line_dash=[4, 4], line_width=1.5)
        self.hint = Label(x=20, y=30, x_units="screen", y_units="screen", text="")
        self.hint.update(text_font_size="15px", text_color=INK, background_fill_color="white", padding=4)
        self.figure.add_layout(self.here)
        self.figure.add_layout(self.hint)
        self._draw()

    def _draw(self) -> None:
        plot, items, dots = self.figure, [], []
        for source, colour, marker in zip(self.sources, COLOURS, ("circle", "square"), strict=True):
            line = plot.line("stack", "share", source=source, line_color=colour, line_width=2.5)
            dot = plot.scatter("stack", "share", source=source, marker=marker, size=6, color=colour)
            items.append(LegendItem(label=value(" "), renderers=[line, dot]))
            dots.append(dot)
        self.items = items
        look = {"label_text_font_size": "14px", "border_line_alpha": 0, "padding": 2, "margin": 4}
        self.legend = Legend(items=items, visible=False, **look)
        plot.add_layout(self.legend, "right")
        tips = [("stack", "@stack big blinds"), ("goes in", "@share{0.0} %")]
        plot.add_tools(HoverTool(renderers=dots, tooltips=tips))
        for axis in plot.axis:
            axis.update(major_label_text_font_size="13px", axis_label_text_font_size="13px")
            axis.update(axis_label_text_font_style="normal", major_label_text_color=INK)
            axis.update(axis_label_text_color=INK, axis_label_standoff=2)
        plot.yaxis.update(ticker=[0, 50, 100], axis_label="goes in, %")
        plot.xaxis.axis_label = "stack in big blinds"
        plot.title.update(text_font_size="15px", text_font_style="bold", text_color=INK)

    def show(
        self, title: str, stacks: Sequence[float], shares: Sequence[Sequence[float]], names: Sequence[str]
    ) -> None:
        """Draw lines in per cent, one a grid; none with a title alone."""
        for source, item, line, name in zip(self.sources, self.items, shares, names, strict=True):
            data = {"stack": list(stacks), "share": [100 * float(p) for p in line]}
            if dict(source.data) != data:
                source.data = data
            if item.label != value(name or " "):
                item.label = value(name or " ")
        if self.legend.visible != bool(stacks):
            self.legend.visible = bool(stacks)
        if self.figure.title.text != title:
            self.figure.title.text = title

    def say(self, words: str) -> None:
        """A sentence where there is nothing to draw."""
        if self.hint.text != words:
            self.hint.text = words

    def at(self, stack: float) -> None:
        """Mark the stack that the grids show."""
        if self.here.location != stack:
            self.here.location = stack
            self.figure.x_range.end = max(25.4, stack * 1.02)
