"""A phase portrait: the way two probabilities took through the square of all that they could be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill, shorten

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from solverlab.analysis.oscillation import oscillation
from solverlab.ui.look import LINE
from solverlab.ui.parts.chart import LiveChart
from solverlab.views.theme import run_colour

PARTS = 12  # shades from the oldest to the newest
MOST = 2000  # points that are drawn; what is older would only be a smear
WIDE = 27  # letters in a line of the title
FAINT = 0.15


def finite_pairs(x: Sequence[float], y: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Where both numbers are known; a probability of a tree that had not grown yet is not."""
    both = np.array([np.asarray(x, np.float64), np.asarray(y, np.float64)])
    return tuple(both[:, np.isfinite(both).all(axis=0)])


def verdict(x: np.ndarray, y: np.ndarray, every: float = 1.0) -> str:
    """Does it settle or go round? Told of the probability that swings more; `every` sweeps make a point.

    >>> turn = 2 * np.pi * np.arange(400) / 24
    >>> verdict(0.5 + 0.3 * np.sin(turn), 0.5 + 0.2 * np.cos(turn), every=2)
    'It goes round every 48 sweeps by 0.3 either way, steady.'
    """
    if len(x) < 8:
        return "Too few sweeps to judge."
    found = max((oscillation(x), oscillation(y)), key=lambda one: one.amplitude)
    return replace(found, period=found.period * every).sentence


class PhaseChart:
    """Two probabilities against each other: from the hollow mark to the full one, the older part paler.

    >>> chart = PhaseChart()
    >>> chart.draw([0.5, 0.6], [0.5, 0.4], "first seat: raise with K", "second seat: call with Q")
    >>> chart.figure.title.text
    'Too few sweeps to judge.'
    """

    def __init__(self) -> None:
        self.way = ColumnDataSource({"xs": [], "ys": [], "alpha": []}, name="phase-way")
        self.ends = ColumnDataSource({"x": [], "y": [], "fill": [], "told": []}, name="phase-ends")
        self.chart = LiveChart(
            "phase-plot", x_range=Range1d(-0.03, 1.03), y_range=Range1d(-0.03, 1.03), min_height=90,
            tools="pan,wheel_zoom,reset,save", min_border_right=16,
        )  # fmt: skip
        self.figure, self.hint = self.chart.figure, self.chart.hint
        self._drawn: tuple[np.ndarray, np.ndarray] | None = None
        self.colour = run_colour(0)
        self._draw()

    def _draw(self) -> None:
        plot = self.figure
        way = plot.multi_line(
            "xs", "ys", source=self.way, line_color=self.colour, line_alpha="alpha", line_width=2,
            line_join="round",
        )  # fmt: skip
        ends = plot.scatter(
            "x", "y", source=self.ends, size=12, fill_color="fill", line_color=self.colour, line_width=2.5
        )
        self.glyphs = way.glyph, ends.glyph
        tips = [("", "@told"), ("left to right", "@x{0.0000}"), ("upwards", "@y{0.0000}")]
        self.chart.tell(tips, [ends])
        plot.xaxis.ticker, plot.yaxis.ticker = [0, 0.25, 0.5, 0.75, 1], [0, 0.5, 1]  # up there is less room
        for axis in plot.axis:
            axis.major_label_overrides = {0: "0", 0.25: "¼", 0.5: "½", 0.75: "¾", 1: "1"}
        plot.grid.grid_line_color = LINE
        self.chart.dress()

    def draw(
        self,
        x: Sequence[float],
        y: Sequence[float],
        xlabel: str,
        ylabel: str,
        every: float = 1.0,
        colour: str = run_colour(0),
    ) -> None:
        """Show the way so far in its run's colour; `every` sweeps make a point."""
        across, up = finite_pairs(x, y)
        self._paint(colour)
        self.chart.entitle(along=_short(xlabel, 40), up=_short(ylabel, 20))
        if self._drawn is not None and all(map(np.array_equal, self._drawn, (across, up))):
            return
        self._drawn = across, up
        self.way.data = parts_of(across[-MOST:], up[-MOST:])
        self.ends.data = _ends(across, up, colour)
        older = f" Drawn: the last {MOST:,}." if len(across) > MOST else ""
        self.figure.title.text = fill(verdict(across, up, every) + older, WIDE) if len(across) else " "
        self.chart.say("" if len(across) else "choose two actions to follow")

    def _paint(self, colour: str) -> None:
        if self.colour != colour:
            self.colour, self._drawn = colour, None
            for glyph in self.glyphs:
                glyph.line_color = colour


def _short(words: str, letters: int) -> str:
    return shorten(words, letters, placeholder=" ...")


def parts_of(x: np.ndarray, y: np.ndarray) -> dict[str, list]:
    """The way cut into pieces of growing strength; each begins where the one before it ended.

    >>> parts_of(np.array([0.0, 0.5, 1.0]), np.zeros(3))["alpha"]
    [0.575, 1.0]
    """
    cuts = np.unique(np.linspace(0, len(x) - 1, PARTS + 1).astype(int)) if len(x) > 1 else np.zeros(1, int)
    pieces = list(zip(cuts[:-1], cuts[1:] + 1, strict=True))
    return {
        "xs": [x[a:b].round(5).tolist() for a, b in pieces],
        "ys": [y[a:b].round(5).tolist() for a, b in pieces],
        "alpha": [FAINT + (1 - FAINT) * (k + 1) / len(pieces) for k in range(len(pieces))],
    }


def _ends(x: np.ndarray, y: np.ndarray, colour: str) -> dict[str, list]:
    places = [0, len(x) - 1] if len(x) > 1 else [0] * len(x)
    return {
        "x": x[places].tolist(),
        "y": y[places].tolist(),
        "fill": ["white", colour][-len(places) :] if places else [],
        "told": ["the start", "now"][-len(places) :] if places else [],
    }
