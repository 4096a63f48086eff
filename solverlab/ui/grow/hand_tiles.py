"""A few hands in a row of bars: as high as their trees are large, or stacked by what they do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, HoverTool, Range1d
from bokeh.plotting import figure

from solverlab.ui.look import INK
from solverlab.ui.parts.chart import send
from solverlab.ui.parts.hand_grid import RING, TIP
from solverlab.views.hand_grid import BLANK, Cells

MOST_A_ROW = 13
TOP, FLOOR, NAME = 0.46, 0.26, 0.38  # a bar from above to below the middle of its tile, the name under it
SIDE = 0.45
LEAST = 0.06  # height of the lowest bar
BARS = ("left", "right", "top", "bottom", "colour")
WORDS = ("x", "y", "words", "ink")


class HandTiles:
    """Hands of a small game side by side."""

    def __init__(self, names: tuple[str, ...], tapped: Callable[[str], None]):
        self.names, self._tapped = names, tapped
        rows = math.ceil(len(names) / MOST_A_ROW)
        self.columns = math.ceil(len(names) / rows)
        self.x = [n % self.columns for n in range(len(names))]
        self.y = [n // self.columns for n in range(len(names))]
        blank = [""] * len(names)
        self.source = ColumnDataSource(
            {"hand": list(names), "told": blank, "x": self.x, "y": self.y}
            | {"middle": [y - (TOP - FLOOR) / 2 for y in self.y], "under": [y + NAME for y in self.y]},
            name="tiles",
        )
        self.bars = ColumnDataSource({name: [] for name in BARS}, name="tiles-bars")
        self.words = ColumnDataSource({name: [] for name in WORDS}, name="tiles-words")
        self.mark = ColumnDataSource({"x": [], "y": []}, name="tiles-mark")
        self.figure = figure(
            x_range=Range1d(-0.55, self.columns - 0.45), y_range=Range1d(rows - 0.48, -0.52), tools="",
            toolbar_location=None, sizing_mode="stretch_both", min_height=90, name="tiles-plot",
            outline_line_color=None, min_border=2,
        )  # fmt: skip
        self._draw()
        self.figure.on_event(Tap, self._on_tap)

    def _draw(self) -> None:
        plot = self.figure
        ground = plot.rect(
            "x", "middle", 2 * SIDE, TOP + FLOOR, source=self.source, fill_color=BLANK, line_color=None
        )
        plot.quad("left", "right", "top", "bottom", source=self.bars, fill_color="colour", line_color="white")
        middle = {"text_align": "center", "text_baseline": "middle"}
        plot.text(
            "x", "under", "hand", source=self.source, text_font_size="18px", text_font_style="bold",
            text_color=INK, **middle,
        )  # fmt: skip
        plot.text("x", "y", "words", source=self.words, text_font_size="16px", text_color="ink", **middle)
        for colour, wide in RING:
            ring = {"fill_alpha": 0, "line_color": colour, "line_width": wide}
            plot.rect("x", "y", 0.97, 0.97, source=self.mark, **ring)
        plot.add_tools(HoverTool(renderers=[ground], tooltips=TIP, point_policy="follow_mouse"))
        plot.axis.visible = plot.grid.visible = False

    def show(self, cells: Cells, heights: Sequence[float] | None = None) -> None:
        """Bars as high as a share each, or stacked by action where the cells are split."""
        bars: list[tuple] = []
        words: list[tuple] = []
        for n in range(len(self.names)):
            if cells.shares is not None:
                self._stack(n, cells.shares[n], cells.colours, bars, words)
            elif heights is not None:
                self._bar(n, float(heights[n]), cells, bars, words)
        send(self.source, {"told": cells.told})
        send(self.bars, _columns(BARS, bars))
        send(self.words, _columns(WORDS, words))

    def _bar(self, n: int, share: float, cells: Cells, bars: list[tuple], words: list[tuple]) -> None:
        x, y = self.x[n], self.y[n]
        if not math.isfinite(share):
            words.append((x, y, "–", INK))
            return
        floor, height = y + FLOOR, (TOP + FLOOR) * (LEAST + (1 - LEAST) * share)
        bars.append((x - SIDE, x + SIDE, floor - height, floor, cells.colour[n]))
        inside = share > 0.25
        ink = cells.ink[n] if inside else INK
        words.append((x, floor - height + (0.09 if inside else -0.07), cells.words[n], ink))

    def _stack(
        self, n: int, shares: np.ndarray, colours: Sequence[str], bars: list[tuple], words: list[tuple]
    ) -> None:
        x, floor, whole = self.x[n], self.y[n] + FLOOR, TOP + FLOOR
        if not len(colours) or not np.isfinite(shares).all():
            words.append((x, self.y[n], "–", INK))
            return
        for share, colour in zip(shares.tolist(), colours, strict=True):
            top = floor - whole * share
            bars.append((x - SIDE, x + SIDE, round(top, 4), round(floor, 4), colour))
            if share >= 0.13:
                words.append((x, round((top + floor) / 2, 4), f"{100 * share:.0f}", INK))
            floor = top

    def choose(self, hand: str) -> None:
        """Ring a hand, or none."""
        place = self.names.index(hand) if hand else None
        mark = {"x": [], "y": []} if place is None else {"x": [self.x[place]], "y": [self.y[place]]}
        send(self.mark, mark)

    def _on_tap(self, event: Tap) -> None:
        if event.x is None or event.y is None:
            return
        column, row = round(event.x), round(event.y)
        number = row * self.columns + column
        if 0 <= column < self.columns and 0 <= row and number < len(self.names):
            self._tapped(self.names[number])


def _columns(names: tuple[str, ...], rows: list[tuple]) -> dict[str, list]:
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}
