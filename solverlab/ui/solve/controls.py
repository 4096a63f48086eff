"""The controls of the Solve page: what to solve, the buttons, how fast, when to stop."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.buttons import RunButtons
from solverlab.ui.setting_widgets import Ask, SettingWidgets
from solverlab.ui.solve.settings import SolveSettings


class Controls(SettingWidgets[SolveSettings]):
    """The widgets of the settings, and the buttons of a run."""

    def __init__(self, settings: SolveSettings, asked: Callable[[Ask[SolveSettings]], None]):
        self.buttons = RunButtons()
        super().__init__(settings, asked)

    def layout(self) -> pn.Column:
        """Everything but the clock of the plot, which stands on it."""
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            *self.column("game", "schedule", "exponents", "sampling"),
            pn.Row(*self.column("updates", "seed"), **row),
            self.buttons.layout(),
            self.speed,
            pn.Row(*self.column("target", "limit"), **row),
            sizing_mode="stretch_width",
        )
