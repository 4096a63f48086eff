"""One logarithmic plot over the sweeps: a line a branch, ticks where trees grew, a marker in the past."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from bokeh.models import ColumnDataSource, LinearScale, Range1d

from solverlab.core.rows import Row
from solverlab.ui.look import MUTED
from solverlab.ui.parts.chart import LiveChart, put_ticks, round_up, send
from solverlab.views.theme import LIGHT, run_colour

LOWEST = -12  # decades
SLOTS = 7  # the live branch and six kept ones
ALARM = LIGHT.bad
LONGEST = 20  # letters in a legend
COLUMNS = ("sweep", "value", "epoch", "nodes")

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


class SweepPlot(LiveChart):
    """One logarithmic plot over the sweeps: a line a branch, ticks where trees grew, a marker."""

    def __init__(self, name: str, x_range: Range1d, legend: bool, nothing: str):
        super().__init__(
            f"{name}-plot", log="y", x_range=x_range, tools="xpan,xbox_zoom,xwheel_zoom,reset,save",
            min_height=150, min_border_left=72, min_border_right=14,
        )  # fmt: skip
        self.nothing = nothing  # what a line of zeros means
        self.heads = ColumnDataSource({"sweep": [], "value": [], "colour": []}, name=f"{name}-heads")
        self.alarms = ColumnDataSource({"sweep": [], "value": []}, name=f"{name}-alarms")
        self.epochs = ColumnDataSource({"sweep": [], "told": []}, name=f"{name}-epochs")
        self._draw(name, legend)
        self.entitle(along="sweeps")
        put_ticks(self.figure.xaxis, [0, 5, 10])
        self.figure.xaxis[0].formatter.use_scientific = False

    def _draw(self, name: str, legend: bool) -> None:
        plot = self.figure
        plot.extra_y_ranges = {"edge": Range1d(0, 1)}
        plot.extra_y_scales = {"edge": LinearScale()}
        ticks = plot.segment(
            "sweep", 0, "sweep", 0.07, source=self.epochs, y_range_name="edge", line_color=MUTED, line_width=2
        )
        for slot in reversed(range(SLOTS)):  # the live one last, above the others
            look = {"line_width": 1.75 if slot else 3.5, "line_alpha": 0.9}
            self.add_line(f"{name}-{slot}", COLUMNS, run_colour(slot), **look)
        self.lines.reverse()
        plot.scatter("sweep", "value", source=self.alarms, size=9, fill_color=ALARM, line_color="white")
        plot.scatter("sweep", "value", source=self.heads, size=8, fill_color="colour", line_color="white")
        self.tell(
            [("sweep", "@sweep{0,0}, epoch @epoch"), ("nodes", "@nodes{0,0}"), ("value", "@value{0.00e}")]
        )
        self.tell("@told", [ticks])
        self.explain([[line] for line in self.lines], "above", outside=True)
        self.legend.visible = False
        self.explained = legend

    def show(self, branches: Branches, measure: Measure, colours: Mapping[str, str]) -> None:
        """Draw a measure of every branch in its own colour, the first one thick."""
        given = list(branches)[:SLOTS]
        colour = [colours[name] for name, _ in given]
        for slot, line in enumerate(self.lines):
            name, rows = given[slot] if slot < len(given) else ("", ())
            line.send(line_of(rows, measure))
            shown = bool(name) and len(line.source.data["sweep"]) > 0
            self.name_line(slot, legend_name(name, len(given)), shown)
            if slot < len(given):
                line.paint(colour[slot])
        several = self.explained and len(given) > 1
        if self.legend.visible != several:
            self.legend.visible = several
        live = given[0][1] if given else ()
        alarmed = line_of([row for row in live if row.get("alarm")], measure)
        send(self.alarms, {name: alarmed[name] for name in ("sweep", "value")})
        send(self.epochs, ends_of_epochs(live))
        self._end(colour)
        self._comment(live, measure)

    def _end(self, colour: Sequence[str]) -> None:
        """A dot where each line ends."""
        ends = [(slot, line.source.data) for slot, line in enumerate(self.lines)]
        ends = [(slot, data) for slot, data in ends if len(data["sweep"])]
        heads = {name: [data[name][-1] for _, data in ends] for name in ("sweep", "value")}
        send(self.heads, heads | {"colour": [colour[slot] for slot, _ in ends]})

    def _comment(self, live: Sequence[Row], measure: Measure) -> None:
        known = [row for row in live if _measured(row, measure) is not None]
        words = "" if known else "not measured for this tree" if live else "nothing swept yet"
        self.say(self.nothing if known and not len(self.lines[0].source.data["sweep"]) else words)

    def fit(self, least: float | None = None) -> None:
        """A range of whole decades that holds every point, and perhaps a line drawn besides."""
        points = self.numbers("value") + ([least] if least else []) or [1e-3, 1.0]
        low = math.floor(math.log10(min(points)) - 0.1)
        # What is smaller is rounding, and would squeeze everything else into one line.
        low = max(low, min(LOWEST, math.floor(math.log10(least or max(points)) - 0.1)))
        self.span("y", 10.0**low, max(round_up(1.25 * max(points)), 10.0 ** (low + 1)))
