"""Where things stand on the Push/fold page: controls left, two grids right, a curve below, no scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.page_frame import FULL, left_column, sheet, two_columns

TWO = FULL | {"css_classes": ["two"]}

if TYPE_CHECKING:
    from solverlab.ui.pushfold.page import PushFoldPage


def arrange(page: PushFoldPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    return two_columns(_left(page), _right(page), "clamp(268px, 17vw, 330px)")


def _left(page: PushFoldPage) -> pn.Column:
    page.notice.pane.margin = (4, 4)  # beside the boxes it speaks of, where it moves no grid
    parts = [page.controls.layout(page.notice.pane, page.progress.pane), page.exports.layout(), page.keyboard]
    return left_column(*parts)


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
    grids = pn.Row(*[sheet(grid.figure) for grid in page.grids], styles=two | {"min-height": "0"}, **TWO)
    return pn.Column(
        page.score.pane, grids, sheet(page.curve.figure), styles=frame, css_classes=["panes"], **FULL
    )
