"""Two probabilities against each other as a solver steps, and distance against what a growing tree keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solverlab.analysis.oscillation import Paths, oscillation, path_label
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.frame import frame
from solverlab.run import Trace
from solverlab.views.inline import holoviews
from solverlab.views.theme import run_colour

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd

SIZES = {"nodes": "nodes kept in all trees", "action_nodes": "decisions with a strategy of their own"}
DISTANCES = {
    "lifted": "average, in the whole game",
    "current_lifted": "current, in the whole game",
    "inside": "average, inside the truncated game",
    "current_inside": "current, inside the truncated game",
}


def phase(went: Paths, x: int = 0, y: int = 1) -> hv.Overlay:
    """A phase portrait: the way two probabilities took, from the hollow mark to the full one.

    A strategy that converges ends in a point; one that oscillates goes round. The title says which.
    """
    for watch in (x, y):
        if not 0 <= watch < len(went.watched):
            raise BadValue(
                f"there is no probability number {watch}; {len(went.watched)} are followed, from 0 on"
            )
    hv = holoviews()
    table = went.phase(x, y)
    title = oscillation(went.series(x)).sentence if len(table) >= 8 else ""
    way = hv.Path([table], ["x", "y"]).opts(color=run_colour(0), line_width=1.5, backend="bokeh")
    ends = [(table.iloc[:1], "white"), (table.iloc[-1:], run_colour(0))]
    marks = [
        hv.Points(end, ["x", "y"], "iteration").opts(
            color=fill, line_color=run_colour(0), size=9, tools=["hover"], backend="bokeh"
        )
        for end, fill in ends
    ]
    labels = {"xlabel": path_label(went.watched[x]), "ylabel": path_label(went.watched[y])}
    square = {
        "width": 500,
        "height": 480,
        "fontsize": {"title": 8},
        "xlim": (-0.03, 1.03),
        "ylim": (-0.03, 1.03),
    }
    return hv.Overlay([way, *marks]).opts(
        title=title, show_grid=True, fontscale=1.1, **labels, **square, backend="bokeh"
    )


def growth_frame(
    traces: Trace | Mapping[str, Trace], distance: str = "lifted", x: str = "nodes"
) -> pd.DataFrame:
    """One row a run and epoch: run, size of the tree, distance; runs that lack the distance are left out."""
    if distance not in DISTANCES:
        raise UnknownName("distance", distance, DISTANCES)
    if x not in SIZES:
        raise UnknownName("size", x, SIZES)
    runs = {traces.name or "run": traces} if isinstance(traces, Trace) else traces
    columns: dict[str, list] = {"run": [], x: [], "distance": []}
    for name, trace in runs.items():
        for row in trace.rows:
            if row.get(distance) is not None and row.get(x) is not None:
                for column, entry in zip(columns, (name, row[x], row[distance]), strict=True):
                    columns[column].append(entry)
    return frame(columns)


def growth(traces: Trace | Mapping[str, Trace], distance: str = "lifted", x: str = "nodes") -> hv.Overlay:
    """Distance from equilibrium against the size of a growing tree, one curve a rule.

    `distance` is lifted or inside (of the average strategy), or current_lifted or current_inside.
    """
    table = growth_frame(traces, distance, x)
    if table.empty:
        raise BadValue(f"no run here has measured {distance!r}; make the traces with solverlab.run.growth")
    hv = holoviews()
    curves = []
    for position, name in enumerate(table["run"].unique()):
        one = table[table["run"] == name]
        curve = hv.Curve(one, x, "distance", label=name)
        curves.append(curve.opts(color=run_colour(position), line_width=2, tools=["hover"], backend="bokeh"))
    labels = {
        "xlabel": SIZES[x],
        "ylabel": "mean gain a seat (chips)",
        "title": DISTANCES[distance].capitalize(),
    }
    look = {
        "width": 720,
        "height": 380,
        "fontsize": {"title": 10},
        "fontscale": 1.2,
        "show_grid": True,
        "legend_position": "right",
    }
    return hv.Overlay(curves).opts(show_legend=len(curves) > 1, **labels, **look, backend="bokeh")
