"""The live convergence curve of a notebook: two logarithmic axes and whatever points it is given."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from solverlab.core.rows import Row
from solverlab.run import Trace
from solverlab.views.convergence import convergence_frame
from solverlab.views.theme import CLOCKS, run_colour

_HERE = Path(__file__).parent


class CurveWidget(anywidget.AnyWidget):
    """A curve that grows while a solver runs.

    `lines` holds ``{"name", "colour", "dashed", "x", "y"}`` each; `marker` is a moment on the clock to point
    at, 0 for none. The page tells how many views there are (``{"view": 1}`` or -1), so a laboratory knows
    when nobody looks.
    """

    _esm = (_HERE / "curve_widget.js").read_text("utf-8")
    _css = (_HERE / "lab.css").read_text("utf-8")
    lines = traitlets.List().tag(sync=True)
    marker = traitlets.Float(0.0).tag(sync=True)
    x_label = traitlets.Unicode(CLOCKS["iteration"]).tag(sync=True)
    y_label = traitlets.Unicode("exploitability (chips)").tag(sync=True)
    height = traitlets.Int(280).tag(sync=True)

    def draw(self, trace: Trace, clock: str) -> None:
        """Show a run against one of the three clocks."""
        with self.hold_sync():
            self.lines, self.x_label = curve_lines(trace, clock), CLOCKS[clock]


def curve_lines(trace: Trace, clock: str) -> list[Row]:
    """The measured distances as lines: the average strategy solid, the current one dashed.

    >>> import solverlab as sl
    >>> trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), until=sl.iterations(3), measure=["exploitability"]))
    >>> [(line["name"], line["x"]) for line in curve_lines(trace, "iteration")]
    [('average', [1, 2, 3])]
    """
    table = convergence_frame(trace, clock)
    return [
        {
            "name": strategy,
            "colour": run_colour(i),
            "dashed": strategy == "current",
            "x": table[clock][table["strategy"] == strategy].tolist(),
            "y": table["distance"][table["strategy"] == strategy].tolist(),
        }
        for i, strategy in enumerate(table["strategy"].unique())
    ]
