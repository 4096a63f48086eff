"""What pages share: controls left and the rest right, sheets for plots, and a clock that pulls."""

from __future__ import annotations

from typing import Protocol

import panel as pn

from solverlab.ui.look import CARD, GROUND, LINE, PAPER

FULL = {"sizing_mode": "stretch_both", "margin": 0}
WIDE = {"sizing_mode": "stretch_width", "margin": 0}
BODY_HEIGHT = "calc(100vh - 44px)"  # the header above has 44 pixels
SHEET = CARD | {"padding": "4px", "box-sizing": "border-box", "min-height": "0", "min-width": "0"}


class Pulled(Protocol):
    """A page that looks at its work when its clock ticks."""

    def layout(self) -> pn.viewable.Viewable: ...

    def tick(self) -> None: ...

    def close(self) -> None: ...


def two_columns(left: pn.viewable.Viewable, right: pn.viewable.Viewable, width: str) -> pn.Row:
    """The whole page below the header, without scrolling; the left column is so wide."""
    grid = {
        "display": "grid",
        "grid-template-columns": f"{width} minmax(0, 1fr)",
        "grid-template-rows": "minmax(0, 1fr)",
        "min-height": BODY_HEIGHT,
        "max-height": BODY_HEIGHT,
        "flex": "none",
        "background": GROUND,
    }
    return pn.Row(left, right, styles=grid, **FULL)


def left_column(*parts: pn.viewable.Viewable, padding: str = "8px 6px") -> pn.Column:
    """Controls below each other; what does not fit is scrolled."""
    frame = {"overflow-y": "auto", "overflow-x": "hidden", "padding": padding, "box-sizing": "border-box"}
    frame |= {"border-right": f"1px solid {LINE}", "background": PAPER, "height": "100%"}
    return pn.Column(*parts, styles=frame, css_classes=["controls"], **FULL)


def sheet(plot: object) -> pn.Column:
    """A plot on a card that fills its place."""
    return pn.Column(pn.pane.Bokeh(plot, **FULL), styles=SHEET, css_classes=["sheet"], **FULL)


def ticking(page: Pulled, period: int) -> pn.viewable.Viewable:
    """A page with its pulling clock, so many milliseconds a tick; it ends with the visit."""

    async def tick() -> None:  # async: on the event loop, with the document's lock
        page.tick()

    layout = page.layout()
    # Only once everything is drawn: Bokeh's buttons cannot be switched on between being made and being drawn.
    pn.state.onload(lambda: pn.state.add_periodic_callback(tick, period=period))
    pn.state.on_session_destroyed(lambda context: page.close())
    return layout
