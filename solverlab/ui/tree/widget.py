"""The game tree in a notebook: pan, zoom, select and fold it, and keep a still picture in the saved file."""

from __future__ import annotations

import anywidget
import traitlets

from solverlab.ui.tree.esm import CSS, ESM
from solverlab.views.tree_layout import LIVE, same_outline
from solverlab.views.tree_svg import LIGHT, svg

LARGEST_PICTURE = 500  # nodes; a larger one would make the saved notebook heavy


class TreeWidget(anywidget.AnyWidget):
    """A game tree to click in a notebook cell.

    `nodes` is what ``views.tree_layout.visible_tree`` returns. Clicking a node changes `selected`; a double
    click or its badge sets `toggled` to ``{"node": id, "deep": bool, "count": k}``, and whoever observes it
    answers with ``draw`` of the newly folded tree. The page keeps only its position and scale.
    """

    _esm = ESM
    _css = CSS
    nodes = traitlets.Dict().tag(sync=True)
    live = traitlets.Dict().tag(sync=True)
    selected = traitlets.Int(0).tag(sync=True)
    toggled = traitlets.Dict().tag(sync=True)
    theme = traitlets.Dict(LIGHT).tag(sync=True)
    height = traitlets.Int(480).tag(sync=True)

    def draw(self, nodes: dict[str, list]) -> None:
        """Show these nodes; when only numbers changed, only numbers travel to the page."""
        if same_outline(self.nodes, nodes):
            self.live = {name: nodes[name] for name in LIVE}
            return
        with self.hold_sync():
            self.live, self.nodes = {}, nodes
            if nodes["id"] and self.selected not in nodes["id"]:
                self.selected = next(iter(nodes["selected"]), nodes["id"][0])

    def svg(self) -> str:
        """The opened tree as a standalone SVG text."""
        return svg(self.nodes | self.live, self.selected, self.theme)

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict] | None:
        """The live widget and a still picture, for viewers of the saved notebook that run no widgets."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle and 0 < len(self.nodes.get("id", [])) <= LARGEST_PICTURE:
            bundle[0]["image/svg+xml"] = self.svg()
        return bundle
