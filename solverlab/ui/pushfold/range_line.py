"""A grid's range as text below it, and the button that copies it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
import panel as pn

from solverlab.cards.hand_classes import CLASS_NAMES
from solverlab.cards.written_ranges import range_text
from solverlab.ui.buttons import button
from solverlab.ui.text import Text
from solverlab.ui.tokens import css
from solverlab.views.hand_grid import Cells
from solverlab.views.theme import LIGHT

CHIP = "<i class='chip' style='background: {}'></i>"
COPY = """
const words = new DOMParser().parseFromString(source.text, "text/html").querySelector("code")?.textContent;
if (words) window.solverlab?.copy(words, "The range is copied.");
"""


class RangeLine:
    """What goes in at a decision, as players write it: `22+, A2s+, 84s:0.89`."""

    def __init__(self, name: str, edit: Callable[[str], None] | None = None):
        """With `edit` a second button hands the text over to be changed."""
        self.text = Text(name)
        self.range = ""
        look = {"side": "left", "width": 64, "height": 34}
        self.copy = button("Copy", "Copy this range as text.", **look)
        self.copy.js_on_click(code=COPY, args={"source": self.text.pane.object})
        self.edit = button(
            "Edit", "What if the big blind called with another range? Change this one.", **look
        )
        self.edit.on_click(lambda event: edit and edit(self.range))
        self._editable = edit is not None
        grid = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) auto", "align-items": "center"}
        self.pane = pn.Row(
            self.text.pane,
            pn.Column(self.copy, self.edit, margin=0),
            styles=grid,
            css_classes=["range-line"],
            sizing_mode="stretch_width",
        )

    def show(self, cells: Cells, may_edit: bool) -> None:
        """Write the range of split cells; a chart or values have none."""
        self.copy.visible = cells.shares is not None
        self.edit.visible = self._editable and may_edit and cells.shares is not None
        if cells.shares is None:
            self.range = ""
            self.text.write("<div class='range quiet'>the stronger the colour, the more</div>")
            return
        share = dict(zip(cells.hand, cells.shares[:, 0], strict=True))
        self.range = range_text(np.array([share[hand] for hand in CLASS_NAMES]))
        going, fold = (CHIP.format(css(colour)) for colour in cells.colours)
        name = "all in" if cells.colours[0] == LIGHT.all_in.fill else "call"
        words = f"<code>{escape(self.range or 'nothing')}</code>"
        self.text.write(f"<div class='range'>{going}<b>{name}</b> &nbsp;{fold}fold &nbsp;{words}</div>")
