"""Texts that change several times a second: plain Bokeh, a tenth of the cost of a Panel pane."""

from __future__ import annotations

import panel as pn
from bokeh.models import Div, InlineStyleSheet

from solverlab.ui.look import TEXT


class Text:
    """A piece of HTML on the page; `write` sends it only when it is another one.

    >>> text = Text("score-line")
    >>> text.write("<b>7</b>")
    >>> text.html
    '<b>7</b>'
    """

    def __init__(self, name: str, fill: bool = False, **layout: object):
        mode = "stretch_both" if fill else "stretch_width"
        styles = {"overflow": "auto"} if fill else {}
        sheet = InlineStyleSheet(css=TEXT + (":host { min-height: 0; }" if fill else ""))
        self._div = Div(
            text="", css_classes=[name], stylesheets=[sheet], sizing_mode=mode, styles=styles, margin=0
        )
        self.pane = pn.pane.Bokeh(self._div, sizing_mode=mode, **({"margin": 0} | layout))

    @property
    def html(self) -> str:
        return self._div.text

    def write(self, html: str) -> None:
        """Show this HTML."""
        if self._div.text != html:
            self._div.text = html
