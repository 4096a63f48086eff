"""A slider over the recorded moments of a run, for looking back in a notebook."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets


class ScrubWidget(anywidget.AnyWidget):
    """Stands at `index` of `moments`; a person moving it sets `asked` to ``{"index": i, "count": k}``.

    The stock slider reports a grown range as if a person had dragged it: the screen would stop following.
    """

    _esm = (Path(__file__).parent / "scrub_widget.js").read_text("utf-8")
    label = traitlets.Unicode("Look back").tag(sync=True)
    help = traitlets.Unicode("").tag(sync=True)
    spoken = traitlets.Unicode("").tag(sync=True)
    moments = traitlets.Int(1).tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    disabled = traitlets.Bool(False).tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)
