"""The controls of the 2-to-7 page: the rung, the stack, run and pause, and what is shown."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.buttons import LEFT, RunButtons, button
from solverlab.ui.look import ACCENT, TEXT
from solverlab.ui.lowball.settings import HALF, LowballSettings
from solverlab.ui.lowball.table import LowballStrategy
from solverlab.ui.setting_widgets import Ask, SettingWidgets

SLIDER = (1.5, 10.0, 0.1)
ROW = {"sizing_mode": "stretch_width", "margin": 0}


class Controls(SettingWidgets[LowballSettings]):
    """The widgets of the settings, with menus of the decisions a strategy has, and buttons."""

    def __init__(self, settings: LowballSettings, asked: Callable[[Ask[LowballSettings]], None]):
        self._make_stack()
        self._make_curves()
        self.buttons = RunButtons()
        help = "Whose decision, after what."
        self.decisions = {
            "left": pn.widgets.Select(label="Left chart", options=[], description=help, **LEFT),
            "right": pn.widgets.Select(label="Right chart", options=[], description=help, **LEFT),
        }
        self.line = pn.widgets.Select(
            label="Draws after", options=[], description="The bets that led to the draw.", **HALF
        )
        super().__init__(settings, asked)
        self.also(self.slider, "stack")
        for name, menu in (self.decisions | {"line": self.line}).items():
            self.also(menu, name)

    def _make_stack(self) -> None:
        start, end, step = SLIDER
        self.slider = pn.widgets.FloatSlider(
            label="Stack", start=start, end=end, step=step, show_value=False, bar_color=ACCENT, **LEFT
        )
        text = {"stylesheets": [TEXT, ":host { font-size: 13px; }"], "sizing_mode": "stretch_width"}
        self.size = pn.pane.HTML("", margin=(2, 6), css_classes=["size"], **text)

    def _make_curves(self) -> None:
        tall = {"height": 32}
        self.add = button(
            "Add to the curves",
            "Solve this rung at every stack from 1.5 to 10 and find its root.",
            width=142,
            **tall,
        )
        self.curves = pn.widgets.Select(
            label="Curve", options=[], height=32, margin=(3, 3), min_width=60, sizing_mode="stretch_width",
            css_classes=["nameless"],
        )  # fmt: skip
        self.remove = button("Remove", "Take the chosen curve off the plot.", width=74, **tall)
        self.clear = button("Clear", "Take all curves off the plot.", width=58, **tall)

    def show(self, settings: LowballSettings) -> None:
        super().show(settings)
        with self.quietly():
            self.slider.value = min(max(settings.stack, SLIDER[0]), SLIDER[1])
        self.each.disabled = self.cards.disabled = settings.deck == "real"

    def offer(self, strategy: LowballStrategy, choice: LowballSettings) -> None:
        """The decisions and lines of betting that a strategy has."""
        with self.quietly():
            for side, select in self.decisions.items():
                _offered(select, strategy.decisions, getattr(choice, side))
            _offered(self.line, strategy.lines, choice.line)

    def list_curves(self, names: list[str]) -> None:
        """Which curves can be removed."""
        if list(self.curves.options) != names:
            kept = self.curves.value if self.curves.value in names else (names[-1] if names else None)
            self.curves.param.update(options=names, value=kept)
            self.remove.disabled = self.clear.disabled = not names

    def left(self, *messages: pn.viewable.Viewable) -> pn.Column:
        """Everything on the left but the exports."""
        label = {"stylesheets": [TEXT, ":host { font-size: 14px; }"], "margin": (2, 6, 0, 6)}
        return pn.Column(
            pn.pane.HTML("Cards a player", **label), self.cards,
            pn.pane.HTML("Cards of each rank", **label), self.each,
            pn.Row(self.deck, self.betting, **ROW),
            pn.Row(self.discard, self.schedule, **ROW),
            pn.Row(self.slider, self.stack, **ROW),
            self.size, self.buttons.layout(),
            pn.Column(*messages, **ROW),
            **ROW,
        )  # fmt: skip


def _offered(select: pn.widgets.Select, words: dict[str, str], value: str) -> None:
    options = {told: key for key, told in words.items()}
    if select.options != options or select.value != value:
        select.param.update(options=options, value=value)
