"""Buttons that say on hovering what they do, and the three that drive a run."""

from __future__ import annotations

from typing import Protocol

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
    """Help beside a button: it comes after a pause, goes when pressed, and lets the pointer through."""
    return Tooltip(content=help, position=side, css_classes=["hint"])


STEP_KEYS = {"s": 1, "d": 10, "f": 100}
RUN_KEYS = (" ", "r", *STEP_KEYS)  # what a page with these buttons lists in its `keys`


class RunOrders(Protocol):
    """Whoever obeys the buttons of a run."""

    def step(self, n: int) -> None: ...

    def run_or_pause(self) -> None: ...

    def reset(self) -> None: ...


class RunButtons:
    """Step, run or pause, reset; each says its key on hovering, and `press` answers `RUN_KEYS`.

    `obey` says who does what is pressed, by mouse or by key.
    """

    def __init__(self) -> None:
        self._orders: RunOrders | None = None
        self.steps = {
            n: button(f"Step {n}", f"Do {n:,} iteration{'s' * (n > 1)} and rest (key {key.upper()}).")
            for key, n in STEP_KEYS.items()
        }
        self.run = button("▶  Run", "Run until paused; pausing always works (Space).", "primary", "bottom")
        self.reset = button("↺  Reset", "Start over (key R).", side="bottom")

        for n, step in self.steps.items():
            step.on_click(lambda event, n=n: self._orders and self._orders.step(n))
        self.run.on_click(lambda event: self._orders and self._orders.run_or_pause())
        self.reset.on_click(lambda event: self._orders and self._orders.reset())

    def obey(self, orders: RunOrders) -> None:
        """From now on these do what is pressed."""
        self._orders = orders

    def press(self, key: str) -> bool:
        """Do what a key of the keyboard says; whether it was one of these buttons'."""
        if self._orders is None or key not in RUN_KEYS:
            return False
        if key in STEP_KEYS:
            if not self.steps[STEP_KEYS[key]].disabled:
                self._orders.step(STEP_KEYS[key])
        elif key == " ":
            self._orders.run_or_pause()
        else:
            self._orders.reset()
        return True

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
