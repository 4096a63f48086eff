"""The growing forest on a web page, as a Panel component."""

from __future__ import annotations

import panel as pn
import param

from solverlab.ui.grow.forest_rows import CSS, ESM, PLAIN_LOOK, ForestRows


class ForestCanvas(ForestRows, pn.custom.AnyWidgetComponent):
    """A tree that grows before one's eyes; call `show` with its rows, then `update` with new numbers.

    A click sets `selected` to the row of the node. Position, scale and folded subtrees live in the page only.
    """

    _esm = ESM
    _stylesheets = [CSS]
    shape = param.Dict({}, doc="the newest parcel of rows, see ForestRows.show")
    live = param.Dict({}, doc="one number a node, see ForestRows.update")
    look = param.Dict(
        PLAIN_LOOK, doc="colour (EV, player, kind), players' names, unit, low and high of the EV scale"
    )
    selected = param.Integer(-1, doc="row of the selected node, -1 none; both ways")
    painted = param.Integer(0, doc="the last of the live numbers that is on the screen; set by the page")
    said = param.Dict({}, doc="what the page asks for; set by the page")

    def __init__(self, **settings: object):
        super().__init__(**({"sizing_mode": "stretch_both", "min_height": 240} | settings))
        self.param.watch(lambda event: self.hear(event.new), "said")
