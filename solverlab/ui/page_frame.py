"""What pages share: controls left and the rest right, sheets for plots, and a clock that pulls."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

import panel as pn

from solverlab.ui.look import CARD, GROUND, LINE, PAPER
from solverlab.ui.tokens import css

FULL = {"sizing_mode": "stretch_both", "margin": 0}
WIDE = {"sizing_mode": "stretch_width", "margin": 0}
BODY_HEIGHT = "var(--body)"  # what the header leaves
LOG = logging.getLogger("solverlab")
SHEET = CARD | {"padding": "4px", "box-sizing": "border-box", "min-height": "0", "min-width": "0"}


class Pulled(Protocol):
    """A page that looks at its work when its clock ticks."""

    def layout(self) -> pn.viewable.Viewable: ...

    def tick(self) -> None: ...

    def complain(self, problem: object) -> None: ...

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
        "background": css(GROUND),
    }
    return pn.Row(left, right, styles=grid, css_classes=["columns"], **FULL)


def left_column(*parts: pn.viewable.Viewable, padding: str = "8px 6px") -> pn.Column:
    """Controls below each other; what does not fit is scrolled."""
    frame = {"overflow-y": "auto", "overflow-x": "hidden", "padding": padding, "box-sizing": "border-box"}
    frame |= {"border-right": f"1px solid {css(LINE)}", "background": css(PAPER), "height": "100%"}
    return pn.Column(*parts, styles=frame, css_classes=["controls"], **FULL)


def stacked(*parts: pn.viewable.Viewable, rows: str = "", gap: str = "8px") -> pn.Column:
    """Parts below each other in the work area; without `rows` they share its height evenly."""
    grid = {"display": "grid", "grid-template-rows": rows or f"repeat({len(parts)}, minmax(0, 1fr))"}
    inside = {"gap": gap, "padding": "8px 10px", "box-sizing": "border-box", "height": "100%"}
    return pn.Column(*parts, styles=grid | inside | {"min-height": "0"}, css_classes=["panes"], **FULL)


def sheet(plot: object) -> pn.Column:
    """A plot on a card that fills its place."""
    return pn.Column(pn.pane.Bokeh(plot, **FULL), styles=SHEET, css_classes=["sheet"], **FULL)


def forgiving(page: Pulled) -> Callable[[], None]:
    """A page's tick that never raises: a fault is told on the page, logged once, and the clock goes on.

    Without this the page would stand still and say nothing: whoever calls a clock drops what it raises.
    """
    logged: set[str] = set()

    def tick() -> None:
        try:
            page.tick()
        except Exception as problem:
            fault = f"{type(problem).__name__}: {problem}"
            if fault not in logged:
                logged.add(fault)
                LOG.exception("%s could not be drawn", type(page).__name__)
            page.complain(f"this page could not be drawn: {fault}; change a setting or load the page again")

    return tick


def ticking(page: Pulled, period: int) -> pn.viewable.Viewable:
    """A page with its pulling clock, so many milliseconds a tick; it ends with the visit."""
    careful = forgiving(page)

    async def tick() -> None:  # async: on the event loop, with the document's lock
        careful()

    layout = page.layout()
    # Only once everything is drawn: Bokeh's buttons cannot be switched on between being made and being drawn.
    pn.state.onload(lambda: pn.state.add_periodic_callback(tick, period=period))
    pn.state.on_session_destroyed(lambda context: page.close())
    return layout
