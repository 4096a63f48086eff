"""The controls of the Push/fold page."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.buttons import LEFT
from solverlab.ui.look import ACCENT, CARD, TEXT
from solverlab.ui.pushfold.settings import PushFoldSettings
from solverlab.ui.setting_widgets import Ask, SettingWidgets

SLIDER = (1.5, 25.0, 0.5)
READING = (
    "<p>Blinds 0.5 and 1, equal stacks, <b>all in or fold</b>. Pairs on the diagonal, suited above, offsuit "
    "below. Light folds, dark goes in. Click a hand for its curve over all stacks.</p>"
)


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

    def layout(self, *messages: pn.viewable.Viewable) -> pn.Column:
        """Everything on the left but the exports."""
        text = {
            "stylesheets": [TEXT, ":host { font-size: 14px; }"],
            "sizing_mode": "stretch_width",
            "margin": (4, 6),
        }
        card = CARD | {"padding": "8px", "box-sizing": "border-box"}
        return pn.Column(
            self.made["players"], self.slider, *self.column("stack", "show", "left", "right", "hand"),
            pn.Column(*messages, sizing_mode="stretch_width", margin=0),
            pn.pane.HTML(READING, styles=card, css_classes=["later"], **text),
            sizing_mode="stretch_width", margin=0, css_classes=["flow"],
        )  # fmt: skip
