"""How fast solvers approach an equilibrium: exact distances against any of three clocks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.frame import frame
from solverlab.core.rows import Row
from solverlab.run import Trace
from solverlab.views.inline import holoviews
from solverlab.views.theme import CLOCKS, run_colour

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd

DISTANCES = {
    "exploitability": "average",
    "current_exploitability": "current",
    "deviation_gains_max": "average",
    "current_deviation_gains_max": "current",
}


def convergence_frame(traces: Trace | Mapping[str, Trace], x: str = "iteration") -> pd.DataFrame:
    """One row a run, strategy and moment: run, strategy (average or current), x, distance.

    Zeros cannot stand on a logarithmic axis: moments at 0 on the clock or with distance 0 are left out.
    """
    if x not in CLOCKS:
        raise UnknownName("clock", x, CLOCKS)
    runs = {traces.name or "run": traces} if isinstance(traces, Trace) else traces
    columns: dict[str, list] = {"run": [], "strategy": [], x: [], "distance": []}
    for name, trace in runs.items():
        for row in trace.rows:
            for metric, strategy in DISTANCES.items():
                distance = row.get(metric)
                if distance is not None and distance > 0 and row[x] > 0:
                    for column, entry in zip(columns, (name, strategy, row[x], distance), strict=True):
                        columns[column].append(entry)
    return frame(columns)


def convergence(traces: Trace | Mapping[str, Trace], x: str = "iteration") -> hv.Overlay:
    """How fast each run approaches an equilibrium: exact distance against a clock, both axes logarithmic.

    `traces` is one trace or a race, as in ``{"CFR": trace, "DCFR": other}``; `x` is iteration, touched or
    seconds. The average strategy is drawn solid and the current one, where it was measured, dashed.
    """
    table = convergence_frame(traces, x)
    runs = {"": traces} if isinstance(traces, Trace) else traces
    if table.empty and any(len(trace) for trace in runs.values()):
        raise BadValue("no distance was measured in this run; run it with measure=['exploitability']")
    hv = holoviews()
    axes = _axes(table, runs, x)
    curves = [_curve(hv, table, x, name, strategy).opts(**axes) for name, strategy in _lines(table)]
    overlay = hv.Overlay(curves or [hv.Curve(table, x, "distance").opts(**axes)])
    legend = {"legend_position": "right", "legend_opts": {"click_policy": "hide"}}
    return overlay.opts(show_legend=len(curves) > 1, **legend, backend="bokeh")


def log_range(values: Collection[float], empty: tuple[float, float]) -> tuple[float, float]:
    """A range a logarithmic axis can show: always positive, never a single point.

    >>> log_range([], (1, 10)), log_range([5.0], (1, 10))
    ((1, 10), (2.5, 10.0))
    """
    if len(values) == 0:
        return empty
    low, high = float(min(values)), float(max(values))
    return (low / 1.3, high * 1.3) if high > 4 * low else (low / 2, high * 2)


def _lines(table: pd.DataFrame) -> list[tuple[str, str]]:
    return list(table[["run", "strategy"]].drop_duplicates().itertuples(index=False, name=None))


def _curve(hv: ModuleType, table: pd.DataFrame, x: str, name: str, strategy: str) -> hv.Curve:
    position = list(table["run"].unique()).index(name)
    one = table[(table["run"] == name) & (table["strategy"] == strategy)]
    label = name if strategy == "average" else f"{name}, current"
    line = {"color": run_colour(position), "line_dash": "solid" if strategy == "average" else "dashed"}
    return hv.Curve(one, x, "distance", label=label).opts(line_width=2, **line, backend="bokeh")


def _axes(table: pd.DataFrame, runs: Mapping[str, Trace], x: str) -> Row:
    """Explicit ranges, because a logarithmic axis left alone with few points complains and guesses badly."""
    seats = any("deviation_gains_max" in row for trace in runs.values() for row in trace.rows[:1])
    return {
        "logx": True,
        "logy": True,
        "xlim": log_range(table[x], (1, 10)),
        "ylim": log_range(table["distance"], (1e-3, 1)),
        "xlabel": CLOCKS[x],
        "ylabel": "largest gain of a seat (chips)" if seats else "exploitability (chips)",
        "tools": ["hover"],
        "show_grid": True,
        "width": 720,
        "height": 380,
        "fontscale": 1.2,
        "backend": "bokeh",
    }
