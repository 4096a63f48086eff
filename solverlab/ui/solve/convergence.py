"""The convergence plot of the Solve page: the live run and the kept ones on two logarithmic axes."""

from __future__ import annotations

from typing import Any

from solverlab.core.rows import Row
from solverlab.ui.parts.chart import LiveChart, round_up
from solverlab.views.convergence import DISTANCES
from solverlab.views.theme import CLOCKS, run_colour

SLOTS = 8  # the live run and seven others
COLUMNS = (*CLOCKS, "distance")
STRATEGIES = {"average": [], "current": [5, 4]}  # dashes
TIPS = [("after", "@iteration{0,0} iterations"), ("distance", "@distance{0.000000}")]


class Convergence:
    """Distance from equilibrium: solid lines are average strategies, dashed lines current ones."""

    def __init__(self) -> None:
        self.clock = "iteration"
        self._rows: list[list[Row]] = [[] for _ in range(SLOTS)]
        self.chart = LiveChart(
            "convergence", title="solid: average strategy, dashed: current",
            log="xy", hint_at=(16, 70), min_height=150, tools="pan,box_zoom,wheel_zoom,reset,save",
            toolbar_location="right",
        )  # fmt: skip
        self.figure = self.chart.figure
        self._lines = [
            {name: self._line(slot, name, dash) for name, dash in STRATEGIES.items()} for slot in range(SLOTS)
        ]
        self.sources = [{name: line.source for name, line in both.items()} for both in self._lines]
        self.chart.explain([tuple(both.values()) for both in self._lines], "bottom_left")
        self.chart.tell(TIPS)
        self.chart.dress()

    def _line(self, slot: int, name: str, dash: list[int]) -> Any:
        line = self.chart.add_line(f"{name}-{slot}", ("iteration", "distance"), run_colour(slot), dash)
        line.source.data = {column: [] for column in COLUMNS}
        line.glyphs[0].glyph.line_alpha = 0.75 if dash else 1.0
        return line

    def title(self, distance: str, unit: str = "chips") -> None:
        """Name the distance: exploitability for two players, the largest deviation gain for more."""
        self.chart.entitle(along=CLOCKS[self.clock], up=f"{distance} ({unit})")

    def by(self, clock: str) -> None:
        """Change the horizontal axis: iterations, nodes touched or seconds."""
        self.clock = clock
        for line in self.chart.lines:
            line.glyphs[0].glyph.x = clock
        self.chart.entitle(along=CLOCKS[clock])
        self._fit()

    def live(self, name: str, rows: list[Row], colour: int = 0) -> None:
        """Show the live run; rows that are already on the page are not sent again."""
        self._paint(0, colour)
        self.chart.name_line(0, f"{name} (live)", bool(rows))
        if rows == self._rows[0]:
            return
        self._show(0, rows)
        shown = any(len(source.data["distance"]) for source in self.sources[0].values())
        solved = bool(rows) and rows[-1]["iteration"] > 0 and not shown
        self.chart.say("distance 0: no place on a log axis" if solved else "")
        self._fit()

    def kept(self, runs: list[tuple[str, list[Row], int]]) -> None:
        """Show these runs beside the live one, each in the colour it was born with."""
        for slot in range(1, SLOTS):
            name, rows, colour = runs[slot - 1] if slot <= len(runs) else ("", [], slot)
            self._paint(slot, colour)
            if rows != self._rows[slot]:
                self._show(slot, rows)
            self.chart.name_line(slot, name, bool(rows))
        self._fit()

    def mark(self, row: Row | None) -> None:
        """A line where a past moment stands on every curve, or none."""
        self.chart.mark(None if row is None else max(row[self.clock], 1e-6))

    def _paint(self, slot: int, colour: int) -> None:
        for line in self._lines[slot].values():
            line.paint(run_colour(colour))

    def _show(self, slot: int, rows: list[Row]) -> None:
        """Rows that go on from what is shown are appended: a long run is not read again at every moment."""
        known = self._rows[slot]
        more = bool(known) and rows[: len(known)] == known
        for name, source in self.sources[slot].items():
            columns = points(rows[len(known) :] if more else rows, name)
            if not more:
                source.data = columns
            elif columns["distance"]:
                source.stream(columns)
        self._rows[slot] = list(rows)

    def _fit(self) -> None:
        """Ranges that hold every point and change rarely: whole decades up, and 1, 2, 5 along."""
        along = self.chart.numbers(self.clock) or [1.0, 10.0]
        self.chart.span("x", min(along) * 0.9, round_up(max(max(along), min(along) * 10)))
        self.chart.span("y", *self.chart.decades("distance"))


def points(rows: list[Row], strategy: str) -> dict[str, list[float]]:
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
