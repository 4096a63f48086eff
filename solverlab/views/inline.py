"""Pictures in a notebook without a network: HoloViews and the plotting script it needs, sent along once.

HoloViews' own notebook extension carries the whole dashboard library, about 6 MB, or fetches it from outside.
A plot needs a fifth of that, so the first picture of a kernel brings the plotting script and later ones bring
their data only. Whoever calls `hv.extension` gets HoloViews' own way of showing things; nothing here stands
in the way.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from holoviews.core.dimension import LabelledData


LOST = "The plotting script is gone from this page: restart the kernel and run the cells again."
_PLOT = """<div id="{place}"></div><script>{library}
(() => {{
  const place = document.getElementById("{place}");
  if (window.Bokeh) Bokeh.embed.embed_item({item}, place);
  else place.textContent = "{lost}";
}})();</script>"""
_sent = False


def holoviews() -> ModuleType:
    """HoloViews, ready to draw with Bokeh and to show itself in a notebook."""
    import holoviews as hv
    import holoviews.plotting.bokeh  # the import registers the backend
    from holoviews.core.dimension import LabelledData

    if LabelledData not in hv.Store._display_hooks["html+js"]:
        hv.Store.set_current_backend("bokeh")  # also makes hv.opts.Curve and its like
        hv.Store.set_display_hook("html+js", LabelledData, plot_bundle)
    return hv


def plot_bundle(picture: LabelledData) -> tuple[dict[str, str], dict]:
    """A HoloViews object as what a notebook stores: HTML that draws it, and a line of text otherwise."""
    global _sent
    library, _sent = "" if _sent else plotting_script(), True
    return {"text/html": plot_html(picture, library), "text/plain": repr(picture)}, {}


def plot_html(picture: LabelledData, library: str = "") -> str:
    """One `div` and the script that fills it; `library` is put in front where the page lacks it."""
    import holoviews as hv
    from bokeh.embed import json_item

    item = json.dumps(json_item(hv.render(picture, backend="bokeh"))).replace("</", "<\\/")
    return _PLOT.format(place=f"plot-{uuid4().hex}", library=library, item=item, lost=LOST)


def plotting_script() -> str:
    """The text of BokehJS from the installed package, without the parts no view uses."""
    from bokeh.resources import Resources

    (script,) = Resources(mode="inline", components=["bokeh"]).js_raw[:1]
    return script
