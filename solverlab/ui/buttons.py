"""Buttons that say on hovering what they do, and the three that drive a run."""

from __future__ import annotations

import panel as pn
from bokeh.models import Tooltip

from solverlab.ui.look import BUTTON

LEFT = {"sizing_mode": "stretch_width", "margin": (2, 4)}


def button(
    label: str, help: str, color: str = "default", side: str = "top", **more: object
) -> pn.widgets.Button:
    """A button that says on hovering what it does."""
    wide = {} if "width" in more else {"sizing_mode": "stretch_width"}
    look = {"margin": (3, 3), "stylesheets": [BUTTON]} | wide
    return pn.widgets.Button(label=label, color=color, description=hint(help, side), **(look | more))


def hint(help: str, side: str) -> Tooltip:
    """Help that appears beside a button and never stands between the pointer and its neighbours."""
    return Tooltip(content=help, position=side, stylesheets=[":host { pointer-events: none; }"])


class RunButtons:
    """Step, run or pause, reset."""

    def __init__(self) -> None:
        self.steps = {
            n: button(f"Step {n}", f"Do {n:,} iteration{'s' * (n > 1)} and rest (key {key}).")
            for n, key in ((1, "S"), (10, "D"), (100, "F"))
        }
        self.run = button("▶  Run", "Run until paused; pausing always works (Space).", "primary", "bottom")
        self.reset = button("↺  Reset", "Throw this run away and start over (key R).", side="bottom")

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            pn.Row(*self.steps.values(), **row),
            pn.Row(self.run, self.reset, **row),
            sizing_mode="stretch_width",
        )

    def show(self, running: bool, ready: bool) -> None:
        """Steps wait while the solver runs; the run button is the pause button then."""
        for widget, off in (
            *((step, running) for step in self.steps.values()),
            (self.reset, False),
            (self.run, False),
        ):
            if widget.disabled != (off or not ready):
                widget.disabled = off or not ready
        words, colour = ("❚❚  Pause", "warning") if running else ("▶  Run", "primary")
        if self.run.label != words:
            self.run.param.update(label=words, color=colour)
