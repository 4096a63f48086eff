"""Two plots over the sweeps: how much a strategy still changes, and how far it is from an equilibrium.

Seen side by side they tell the two apart: a line that falls in the first while it does not fall in the second
is a strategy that stands still where it should not.
"""

from __future__ import annotations

import math
from functools import partial

from bokeh.models import Label, Range1d, Span

from solverlab.ui.grow import change_words
from solverlab.ui.grow.colours import RunColours
from solverlab.ui.grow.letters import dress
from solverlab.ui.grow.phase_chart import PhaseChart
from solverlab.ui.grow.sweep_plot import ALARM, Branches, SweepPlot
from solverlab.ui.live import put_ticks, round_up

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
    >>> list(chart.plots[0].lines[0].data["sweep"]), chart.change.y_range.start
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
        self.plots[0].entitle(CHANGE, change_words.NAMES["absolute"])
        for plot, labels in zip(self.plots, ([self.told], []), strict=True):
            dress(plot.figure, [*labels, plot.hint], plot.legends)

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
        self.plots[0].entitle(CHANGE, change_words.NAMES[test])
        self.plots[1].entitle(TITLES.get(measure, measure), unit)
        colours = self.colours.of([name for name, _ in branches])
        tested = partial(change_words.looked_at, test=test)
        for plot, drawn in zip(self.plots, (tested, measure), strict=True):
            plot.show(branches, drawn, colours)
            plot.mark(marker)
        self.plots[0].fit(limit)
        self.plots[1].fit()
        several = len(branches) > 1
        for legend in (one for plot in self.plots for one in plot.legends):
            if legend.visible != several:
                legend.visible = several
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


def end_of(sweeps: float) -> float:
    """Where an axis ends that holds so many sweeps: it moves rarely and leaves little of it empty.

    >>> end_of(0), end_of(61), end_of(1300)
    (10.0, 80.0, 1500.0)
    """
    wanted = max(1.02 * sweeps, 10.0)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(k * power for k in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if k * power >= wanted)
