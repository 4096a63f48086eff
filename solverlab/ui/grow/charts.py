"""Two plots over the sweeps: how much a strategy still changes, and how far it is from an equilibrium.

Seen side by side they tell the two apart: a line that falls in the first while it does not fall in the second
is a strategy that stands still where it should not.
"""

from __future__ import annotations

from functools import partial

from bokeh.models import Label, Range1d, Span

from solverlab.ui.grow import change_words
from solverlab.ui.grow.colours import RunColours
from solverlab.ui.grow.phase_chart import PhaseChart
from solverlab.ui.grow.sweep_plot import ALARM, Branches, SweepPlot
from solverlab.ui.parts.chart import end_of, put_ticks, round_up

__all__ = ["MEASURES", "ChangeChart", "PhaseChart"]

CHANGE = "Largest change in a sweep"
MEASURES = {
    "gain": "largest gain of a seat",
    "inside": "distance in the truncated game",
    "lifted": "distance in the whole game",
    "current_lifted": "distance in the whole game, current",
}
TITLES = {
    "gain": "What a seat could still gain",
    "inside": "Distance, truncated game, average",
    "lifted": "Distance, whole game, average",
    "current_lifted": "Distance, whole game, current",
}


class ChangeChart:
    """The largest change in a sweep and the distance from equilibrium, over the same sweeps.

    `change` and `distance` are two Bokeh figures with one horizontal range. Below each other one legend is
    enough; `beside` each other both have one. Nothing is drawn anew: lines are streamed, and replaced only
    where the past itself has changed.

    >>> chart = ChangeChart()
    >>> rows = [{"sweep": n, "epoch": 0, "nodes": 9, "change": 1 / n, "gain": 1.0} for n in (1, 2, 3)]
    >>> chart.draw([("live", rows)], marker=2, measure="gain")
    >>> list(chart.plots[0].lines[0].source.data["sweep"]), chart.change.y_range.start
    ([1, 2, 3], 0.1)
    """

    def __init__(self, beside: bool = False) -> None:
        self.x_range = Range1d(0, 10)
        self.plots = (
            SweepPlot("change", self.x_range, True, "0: nothing moves"),
            SweepPlot("distance", self.x_range, beside, "0: nobody gains anything"),
        )
        self.change, self.distance = (plot.figure for plot in self.plots)
        self.tolerance = Span(dimension="width", line_color=ALARM, line_dash=[6, 4], line_width=2)
        self.told = Label(x=8, y=1, x_units="screen", y_units="data", text="", text_color=ALARM)
        self.told.update(y_offset=2, background_fill_color="white")
        self.told.background_fill_alpha = 0.8
        self.tolerance.visible = self.told.visible = False
        self.change.add_layout(self.tolerance)
        self.change.add_layout(self.told)
        self.colours = RunColours()
        self.plots[0].entitle(CHANGE, up=change_words.NAMES["absolute"])
        self.plots[0].dress(self.told)
        self.plots[1].dress()

    def draw(
        self,
        branches: Branches,
        marker: int | None = None,
        measure: str = "gain",
        unit: str = "chips",
        tolerance: float | None = None,
        test: str = "absolute",
    ) -> None:
        """Show branches, the live one first, with a marker at a sweep of the past.

        `measure` is one of `MEASURES`; without a tolerance that of the live branch's last row counts. The
        change drawn of every branch is the one that the live branch's `test` looks at.
        """
        live = branches[0][1] if branches else ()
        known = live[-1].get("tolerance") if live else None
        limit = float(tolerance if tolerance is not None else known or 0.0)
        self._limit(limit)
        self.plots[0].entitle(CHANGE, up=change_words.NAMES[test])
        self.plots[1].entitle(TITLES.get(measure, measure), up=unit)
        colours = self.colours.of([name for name, _ in branches])
        tested = partial(change_words.looked_at, test=test)
        for plot, drawn in zip(self.plots, (tested, measure), strict=True):
            plot.show(branches, drawn, colours)
            plot.mark(marker)
        self.plots[0].fit(limit)
        self.plots[1].fit()
        self._along(branches)

    def _limit(self, tolerance: float) -> None:
        """The line below which a strategy calls itself converged; a tolerance of 0 is never met."""
        if (self.tolerance.location, self.tolerance.visible) != (tolerance, tolerance > 0):
            self.tolerance.update(location=tolerance, visible=tolerance > 0)
            self.told.update(y=tolerance or 1, visible=tolerance > 0)
            self.told.text = f"calls itself converged below {tolerance:g}"

    def _along(self, branches: Branches) -> None:
        last = max((rows[-1]["sweep"] for _, rows in branches if rows), default=10)
        end = end_of(last)
        if self.x_range.end != end:
            self.x_range.update(start=0, end=end, reset_start=0, reset_end=end)
            step = round_up(end / 6)
            ticks = [k * step for k in range(int(end / step) + 1)]
            for plot in self.plots:
                put_ticks(plot.figure.xaxis, ticks)
