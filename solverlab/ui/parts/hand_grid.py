"""The one grid of 169 hands: colours, splits and words are patched, never drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bokeh.events import Tap
from bokeh.models import ColumnDataSource, CustomJS, Div, GlyphRenderer, HoverTool, Range1d
from bokeh.plotting import figure

from solverlab.ui.look import INK, PAPER
from solverlab.ui.parts.chart import send
from solverlab.views.hand_grid import BLANK, HANDS, PIECE, Cells, hand_at, pieces

LIVE = ("colour", "ink", "words", "told")
MIDDLE, ABOVE, BELOW = 0.0, -0.18, 0.24  # of a cell: where a name stands alone, and with a number
TIP = "<div style='font-size: 15px; padding: 2px 4px'><b>@hand</b> @told</div>"
RING = (("white", 7.0), (INK, 3.5))  # seen on every colour: ink on a wider white
# Letters grow and shrink with their cells; small cells show names alone, as large as fits.
FIT = """
const wide = plot.inner_width / 13.04, high = plot.inner_height / 13.04;
const cell = Math.min(wide, high), small = wide < 34 || high < 34;
names.y = {field: small ? "y" : "above"};
const letters = small ? Math.min(0.44 * wide, 0.7 * high, 17) : 0.37 * cell;
names.text_font_size = Math.max(9, letters).toFixed(1) + "px";
numbers.text_font_size = Math.max(10, 0.31 * cell).toFixed(1) + "px";
written.visible = !small;
"""
# What is told of the cell below the pointer, written where it covers none; the last hand stays.
TELL = """
const index = cb_data.index.indices[0];
if (index === undefined) return;
const { hand, told } = source.data;
teller.text = `<b>${hand[index]}</b> ${told[index]}`;
"""


class HandGrid:
    """169 hands in the usual order; `tapped` is told the hand that was clicked.

    >>> grid = HandGrid("demo", print)
    >>> grid.choose("AKs")
    >>> dict(grid.mark.data)
    {'x': [1], 'y': [0]}
    """

    def __init__(
        self, name: str, tapped: Callable[[str], None], titled: bool = True, teller: Div | None = None
    ):
        """`teller` says what a tooltip would say of a cell, beside the grid instead of over it."""
        self._tapped, self._teller = tapped, teller
        self.cells: Cells | None = None
        places = {"hand": HANDS, "x": [n % 13 for n in range(169)], "y": [n // 13 for n in range(169)]}
        places |= {"above": places["y"], "below": [y + BELOW for y in places["y"]], "plate": [0.0] * 169}
        blank = {"colour": [BLANK] * 169, "ink": [INK] * 169, "words": [""] * 169, "told": [""] * 169}
        self.source = ColumnDataSource(places | blank, name=name)
        self.split = ColumnDataSource({column: [] for column in PIECE}, name=f"{name}-split")
        self.mark = ColumnDataSource({"x": [], "y": []}, name=f"{name}-mark")
        self.figure = figure(
            x_range=Range1d(-0.52, 12.52), y_range=Range1d(12.52, -0.52), title=" ", tools="",
            toolbar_location=None, sizing_mode="stretch_both", min_height=160, name=f"{name}-plot",
            outline_line_color=None, min_border=2,
        )  # fmt: skip
        self._draw()
        self.figure.title.visible = titled
        self.figure.on_event(Tap, self._on_tap)

    def _draw(self) -> None:
        plot = self.figure
        cells = plot.rect("x", "y", 1, 1, source=self.source, fill_color="colour", line_color="white")
        plot.quad("left", "right", "top", "bottom", source=self.split, fill_color="colour", line_color=None)
        middle = {"text_align": "center", "text_baseline": "middle", "text_color": "ink"}
        middle |= {"background_fill_color": PAPER, "background_fill_alpha": "plate", "border_radius": 3}
        middle |= {"padding": 1}
        names = plot.text("x", "above", "hand", source=self.source, text_font_size="12px", **middle)
        numbers = plot.text("x", "below", "words", source=self.source, text_font_size="11px", **middle)
        numbers.glyph.text_font_style = "bold"
        for colour, wide in RING:
            ring = {"fill_alpha": 0, "line_color": colour, "line_width": wide}
            plot.rect("x", "y", 0.92, 0.92, source=self.mark, **ring)
        plot.add_tools(self._hover(cells))
        fit = CustomJS(
            args={"plot": plot, "names": names.glyph, "numbers": numbers.glyph} | {"written": numbers},
            code=FIT,
        )
        for side in ("inner_width", "inner_height"):
            plot.js_on_change(side, fit)
        plot.axis.visible = plot.grid.visible = False
        plot.title.update(text_font_size="16px", text_font_style="bold", text_color=INK, align="center")
        plot.title.standoff = 4

    def _hover(self, cells: GlyphRenderer) -> HoverTool:
        if self._teller is None:
            return HoverTool(renderers=[cells], tooltips=TIP, point_policy="follow_mouse")
        tell = CustomJS(args={"source": self.source, "teller": self._teller}, code=TELL)
        return HoverTool(renderers=[cells], tooltips=None, callback=tell)

    def show(self, cells: Cells, heights: Sequence[float] | None = None) -> None:
        """Show other numbers; only what changed travels to the page. `heights` are for rows of bars."""
        above = [
            y + (ABOVE if words else MIDDLE)
            for y, words in zip(self.source.data["y"], cells.words, strict=True)
        ]
        plates = [float(plate) for plate in cells.plates] or [0.0] * len(HANDS)
        send(self.source, {name: getattr(cells, name) for name in LIVE} | {"above": above, "plate": plates})
        send(self.split, pieces(cells))
        if self.figure.title.text != cells.title:
            self.figure.title.text = cells.title
        self.cells = cells

    def choose(self, hand: str) -> None:
        """Ring a hand, or none."""
        place = HANDS.index(hand) if hand else None
        send(self.mark, {"x": [], "y": []} if place is None else {"x": [place % 13], "y": [place // 13]})

    def _on_tap(self, event: Tap) -> None:
        if event.x is not None and event.y is not None:
            column, row = round(event.x), round(event.y)
            if 0 <= row < 13 and 0 <= column < 13:
                self._tapped(hand_at(row, column))
