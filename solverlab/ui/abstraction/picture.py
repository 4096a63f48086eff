"""A place for a HoloViews picture that loads HoloViews only when there is something to draw."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

import panel as pn

from solverlab.core.rows import Setting

if TYPE_CHECKING:
    import holoviews as hv


CANVAS = {"plot.output_backend": "canvas"}  # HoloViews would ask for a graphics card, and few dots need none
FULL = {"sizing_mode": "stretch_both", "margin": 0}


class Picture:
    """Fills its place, shares no axis with other pictures and has no toolbar."""

    def __init__(self, **look: Setting):
        self.place = pn.Column(**(FULL | look))
        self.drawn: hv.Dimensioned | None = None

    def show(self, picture: hv.Dimensioned, **more: Setting) -> None:
        """Draw a picture, or nothing for None."""
        self.drawn = picture
        if picture is None:
            self.place.clear()
            return
        look = {"responsive": True, "toolbar": None, "min_height": 120, "backend_opts": CANVAS} | more
        fitted = picture.opts(backend="bokeh", **look)
        if len(self.place):
            self.place[0].object = fitted
        else:
            self.place.append(pn.pane.HoloViews(fitted, linked_axes=False, **FULL))


def load_drawing() -> Thread:
    """Load HoloViews beside the page, once there is nothing more urgent."""

    def load() -> None:
        import holoviews.plotting.bokeh  # noqa: F401

    thread = Thread(target=load, name="loading HoloViews", daemon=True)
    thread.start()
    return thread
