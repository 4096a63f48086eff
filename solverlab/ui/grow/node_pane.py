"""The node looked at: its numbers, and on demand how likely each sampled deal comes to it."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.buttons import button
from solverlab.ui.grow.frame import Frame
from solverlab.ui.grow.inspector import deals_html, inspection_html, phase_html
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.page_frame import FULL
from solverlab.ui.text import Text

ASK, HIDE = "Reach of each deal", "Hide the deals"
HELP = "Below the update: what others hold, and how likely play comes here."
PLACE = {"display": "grid", "grid-template-rows": "minmax(0, 1fr) auto", "min-height": "0", "min-width": "0"}


class NodePane:
    """Numbers above, a button below; `ask(True)` is called when a visitor wants the deals."""

    def __init__(self, ask: Callable[[bool], None]):
        self.text = Text("grow-node", fill=True)
        self.button = button(ASK, HELP, visible=False)
        self.button.on_click(lambda event: ask(self.button.label == ASK))
        self.pane = pn.Column(self.text.pane, self.button, styles=PLACE, **FULL)

    @property
    def html(self) -> str:
        return self.text.html

    def draw(self, frame: Frame, by: GrowSettings) -> None:
        """What a frame tells of the node, under the settings of its run."""
        seen = frame.inspection
        told = inspection_html(seen, frame.unit, by.squash, by.scale, frame.exact, by.leaf, frame.hands_here)
        if seen is not None and frame.deals is not None:
            told += deals_html(frame.deals, seen.hand, frame.unit)
        self.text.write((phase_html(frame.phase.name, frame.phase.sentence) if frame.phase else "") + told)
        label, offered = (ASK if frame.deals is None else HIDE), seen is not None and not frame.exact
        if (self.button.label, self.button.visible) != (label, offered):
            self.button.param.update(label=label, visible=offered)
