"""Where things stand on the Abstraction page: controls left, the cloud in the middle, details right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.abstraction.look import BODY
from solverlab.ui.look import CARD, GROUND, LINE, PAPER, TEXT

if TYPE_CHECKING:
    from solverlab.ui.abstraction.page import AbstractionPage

FULL = {"sizing_mode": "stretch_both", "margin": 0}
WIDE = {"sizing_mode": "stretch_width", "margin": 0}
HEADER_HEIGHT = 44
LEFT = 268
PRICE = 2  # place of the tab
TAB_STYLE = """
.bk-tab { font-size: 15px; padding: 7px 12px; }
.bk-tab.bk-active { font-weight: 600; }
"""


def arrange(page: AbstractionPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    page.cloud_pane = pn.pane.Bokeh(page.scatter.figure, **FULL)
    page.density_pane = pn.pane.Bokeh(page.density.figure, **FULL)
    page.details.tabs.stylesheets = [TAB_STYLE]
    tabs = pn.Tabs(
        ("Microscope", _microscope(page)),
        ("Two abstractions", page.compare.layout()),
        ("Price of abstraction", page.price.layout()),
        dynamic=True,
        stylesheets=[TAB_STYLE],
        css_classes=["views"],
        **FULL,
    )
    right = pn.Column(_messages(page), tabs, styles=_right_frame(), css_classes=["panes"], **FULL)
    left = _left(page)
    grid = {
        "display": "grid",
        "grid-template-columns": f"{LEFT}px minmax(0, 1fr)",
        "height": f"calc(100vh - {HEADER_HEIGHT}px)",
        "background": GROUND,
    }
    page.tabs = tabs
    whole = pn.Row(left, right, styles=grid, **FULL)
    tabs.param.watch(lambda event: _make_room(whole, left, event.new == PRICE), "active")
    return whole


def _make_room(whole: pn.Row, left: pn.Column, alone: bool) -> None:
    """The price of abstraction has controls of its own; those of hold'em step aside."""
    left.visible = not alone
    columns = "minmax(0, 1fr)" if alone else f"{LEFT}px minmax(0, 1fr)"
    whole.styles = whole.styles | {"grid-template-columns": columns}


def _right_frame() -> dict[str, str]:
    return {
        "display": "grid",
        "grid-template-rows": "minmax(0, 1fr)",
        "position": "relative",
        "height": "100%",
        "padding": "6px 10px 8px",
        "box-sizing": "border-box",
        "min-height": "0",
        "overflow": "auto",
    }


def _left(page: AbstractionPage) -> pn.Column:
    controls = page.controls
    frame = {"overflow-y": "auto", "overflow-x": "hidden", "padding": "8px 6px", "box-sizing": "border-box"}
    frame |= {"border-right": f"1px solid {LINE}", "background": PAPER, "height": "100%"}
    parts = [
        _title("Street"),
        controls.street,
        controls.prefix,
        _title("Buckets"),
        controls.buckets.layout(),
        _title("Find a hand"),
        pn.Row(controls.hole, controls.board, **WIDE),
        controls.find,
        pn.Card(
            page.exports.layout(), title="Export", collapsed=True, margin=(6, 4), sizing_mode="stretch_width"
        ),
        page.keyboard,
    ]
    return pn.Column(*parts, styles=frame, css_classes=["controls"], **FULL)


def _title(words: str) -> pn.pane.HTML:
    return pn.pane.HTML(
        f"<h2>{words}</h2>", stylesheets=[TEXT], margin=(8, 6, 0, 6), sizing_mode="stretch_width"
    )


def _messages(page: AbstractionPage) -> pn.Column:
    """Progress and complaints float above the plots, so that nothing moves when they come and go."""
    page.doing.stylesheets = [TEXT]
    row = {
        "display": "grid",
        "grid-template-columns": "minmax(0, 1fr) 150px auto auto",
        "align-items": "center",
    }
    progress = pn.Row(
        page.doing, page.bar, page.stop, page.again, styles=row, css_classes=["progress"], **WIDE
    )
    above = {
        "position": "absolute",
        "top": "4px",
        "right": "10px",
        "width": "min(720px, 58%)",
        "z-index": "20",
    }
    return pn.Column(progress, page.notice.pane, styles=above, sizing_mode=None, margin=0)


def _microscope(page: AbstractionPage) -> pn.Row:
    grid = {"display": "grid", "grid-template-columns": "minmax(0, 1.32fr) minmax(0, 1fr)", "gap": "8px"}
    grid |= {"min-height": "0", "height": BODY}
    card = CARD | {"padding": "6px", "box-sizing": "border-box", "min-height": "0"}
    page.plots = pn.Column(page.cloud_pane, styles=card, css_classes=["card", "plots"], **FULL)
    side = pn.Column(page.details.tabs, styles=card | {"padding": "2px"}, css_classes=["card"], **FULL)
    return pn.Row(page.plots, side, styles=grid, **FULL)
