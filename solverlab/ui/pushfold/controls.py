"""The controls of the Push/fold page."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.buttons import LEFT
from solverlab.ui.look import ACCENT, INLINE
from solverlab.ui.pushfold.settings import PushFoldSettings
from solverlab.ui.setting_widgets import Ask, SettingWidgets

SLIDER = (1.5, 25.0, 0.5)


class Controls(SettingWidgets[PushFoldSettings]):
    """The widgets of the settings, and a slider for the stack."""

    def __init__(self, settings: PushFoldSettings, asked: Callable[[Ask[PushFoldSettings]], None]):
        start, end, step = SLIDER
        self.slider = pn.widgets.FloatSlider(
            label="Stack",
            start=start,
            end=end,
            step=step,
            show_value=False,
            bar_color=ACCENT,
            css_classes=["thumb"],
            **LEFT,
        )
        super().__init__(settings, asked)
        self.also(self.slider, "stack")

    def show(self, settings: PushFoldSettings) -> None:
        super().show(settings)
        with self.quietly():
            self.slider.value = min(max(settings.stack, SLIDER[0]), SLIDER[1])

    def layout(self) -> pn.FlexBox:
        """The toolbar: who plays, how deep, what the grids show, and which hand."""
        widths = {"players": 230, "show": 290, "left": 215, "right": 215, "stack": 225, "hand": 150}
        for name, width in widths.items():
            self.made[name].param.update(sizing_mode=None, width=width)
        for name in ("stack", "left", "right", "hand"):
            self.made[name].stylesheets = [INLINE]
        self.slider.param.update(sizing_mode=None, width=170)
        bar = {"display": "flex", "flex-wrap": "wrap", "align-items": "center", "gap": "2px 8px"}
        parts = [self.made["players"], self.slider, *self.column("stack", "show", "left", "right", "hand")]
        return pn.FlexBox(*parts, styles=bar, sizing_mode="stretch_width", margin=0, css_classes=["flow"])
