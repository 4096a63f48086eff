"""The growing forest in a notebook: the same drawing as on the page, as an ipywidget."""

from __future__ import annotations

import anywidget
import traitlets

from solverlab.ui.grow.forest_rows import CSS, ESM, PLAIN_LOOK, ForestRows


class ForestWidget(ForestRows, anywidget.AnyWidget):
    """A tree that grows in a notebook cell; traits and behaviour as in ``grow.forest_canvas.ForestCanvas``.

    The page tells how many views there are (``{"view": 1}`` or -1, heard with ``on_msg``), so whoever feeds
    the drawing knows when nobody looks.
    """

    _esm = ESM
    _css = CSS
    shape = traitlets.Dict().tag(sync=True)
    live = traitlets.Dict().tag(sync=True)
    look = traitlets.Dict(PLAIN_LOOK).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    painted = traitlets.Int(0).tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)

    def __init__(self, **settings: object):
        super().__init__(**settings)
        self.on_msg(lambda _, message, buffers: self.hear(message))
