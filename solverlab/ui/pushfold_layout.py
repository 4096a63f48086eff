"""Where things stand on the Push/fold page: controls left, two grids right, a curve below, no scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.look import CARD, GROUND, LINE, PAPER

if TYPE_CHECKING:
    from solverlab.ui.pushfold_page import PushFoldPage

FULL = {"sizing_mode": "stretch_both", "margin": 0}
BODY_HEIGHT = "calc(100vh - 44px)"  # the header above has 44 pixels
SHEET = CARD | {"padding": "4px", "box-sizing": "border-box", "min-height": "0", "min-width": "0"}


def arrange(page: PushFoldPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    grid = {
        "display": "grid",
        "grid-template-columns": "clamp(268px, 17vw, 330px) minmax(0, 1fr)",
        "grid-template-rows": "minmax(0, 1fr)",
        "min-height": BODY_HEIGHT,
        "max-height": BODY_HEIGHT,
        "flex": "none",
        "background": GROUND,
    }
    return pn.Row(_left(page), _right(page), styles=grid, **FULL)


def _left(page: PushFoldPage) -> pn.Column:
    frame = {"overflow-y": "auto", "overflow-x": "hidden", "padding": "8px 6px", "box-sizing": "border-box"}
    frame |= {"border-right": f"1px solid {LINE}", "background": PAPER, "height": "100%"}
    page.notice.pane.margin = (4, 4)  # beside the boxes it speaks of, where it moves no grid
    parts = [page.controls.layout(page.notice.pane), page.exports.layout(), page.keyboard]
    return pn.Column(*parts, styles=frame, css_classes=["controls"], **FULL)


def _right(page: PushFoldPage) -> pn.Column:
    frame = {
        "display": "grid",
        "grid-template-rows": "auto minmax(0, 1fr) clamp(150px, 21vh, 230px)",
        "gap": "8px",
        "padding": "8px 10px",
        "box-sizing": "border-box",
        "height": "100%",
        "min-height": "0",
    }
    two = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr)", "gap": "8px"}
    grids = pn.Row(*[_sheet(grid.figure) for grid in page.grids], styles=two | {"min-height": "0"}, **FULL)
    return pn.Column(
        page.score.pane, grids, _sheet(page.curve.figure), styles=frame, css_classes=["panes"], **FULL
    )


def _sheet(plot: object) -> pn.Column:
    return pn.Column(pn.pane.Bokeh(plot, **FULL), styles=SHEET, css_classes=["sheet"], **FULL)
