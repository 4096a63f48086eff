"""The game tree on a web page: the same drawing as the notebook's, as a Panel component."""

from __future__ import annotations

import panel as pn
import param

from solverlab.ui.tree.esm import CSS, ESM
from solverlab.views.tree_layout import LIVE, same_outline
from solverlab.views.tree_svg import LIGHT, svg


class TreePane(pn.custom.AnyWidgetComponent):
    """A game tree to click on a page; traits and behaviour as in ``ui.tree_widget.TreeWidget``."""

    _esm = ESM
    _stylesheets = [CSS]
    nodes = param.Dict({}, doc="what views.tree_layout.visible_tree returns")
    live = param.Dict({}, doc="newer probabilities and reaches of the same nodes")
    selected = param.Integer(0, doc="the selected node, both ways")
    toggled = param.Dict({}, doc="the node somebody wants opened or closed, with a counter; set by the page")
    theme = param.Dict(LIGHT, doc="colours, see views.tree_svg.LIGHT and DARK")

    def __init__(self, **settings: object):
        super().__init__(**({"height": 480, "sizing_mode": "stretch_width"} | settings))

    def draw(self, nodes: dict[str, list]) -> None:
        """Show these nodes; when only numbers changed, only numbers travel to the page."""
        if same_outline(self.nodes, nodes):
            self.live = {name: nodes[name] for name in LIVE}
            return
        lost = nodes["id"] and self.selected not in nodes["id"]
        chosen = next(iter(nodes["selected"]), nodes["id"][0]) if lost else self.selected
        self.param.update(live={}, nodes=nodes, selected=chosen)

    def svg(self) -> str:
        """The opened tree as a standalone SVG text."""
        return svg(self.nodes | self.live, self.selected, self.theme)
