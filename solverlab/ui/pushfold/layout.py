"""Where things stand on the Push/fold page: a toolbar, two grids, and a column for one hand; no scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.look import LINE, PAPER
from solverlab.ui.page_frame import BODY_HEIGHT, FULL, SHEET, WIDE, sheet
from solverlab.ui.tokens import css

if TYPE_CHECKING:
    from solverlab.ui.pushfold.page import PushFoldPage

WORK = {
    "display": "grid",
    "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr) clamp(290px, 23vw, 400px)",
    "grid-template-rows": "auto minmax(0, 1fr)",
    "gap": "8px",
    "padding": "8px 10px",
    "box-sizing": "border-box",
    "min-height": "0",
}


def arrange(page: PushFoldPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    rows = {"display": "grid", "grid-template-rows": "auto minmax(0, 1fr)", "flex": "none"}
    rows |= {"grid-template-columns": "minmax(0, 1fr)", "min-height": BODY_HEIGHT, "max-height": BODY_HEIGHT}
    return pn.Column(_toolbar(page), _work(page), styles=rows, css_classes=["columns"], **FULL)


def _toolbar(page: PushFoldPage) -> pn.Column:
    frame = {"padding": "6px 10px", "box-sizing": "border-box", "background": css(PAPER)}
    frame |= {"border-bottom": f"1px solid {css(LINE)}"}
    page.notice.pane.margin = (4, 0)  # below the boxes it speaks of
    parts = [page.controls.layout(), page.notice.pane, page.keyboard]
    return pn.Column(*parts, styles=frame, css_classes=["controls"], **WIDE)


def _work(page: PushFoldPage) -> pn.Column:
    score = pn.Column(page.score.pane, page.progress.pane, styles={"grid-column": "1 / 3"}, **WIDE)
    grids = [
        _card(grid.figure, line.pane, number)
        for number, (grid, line) in enumerate(zip(page.grids, page.lines, strict=True))
    ]
    return pn.Column(score, *grids, _side(page), styles=WORK, css_classes=["panes"], **FULL)


def _card(figure: object, below: pn.viewable.Viewable, number: int) -> pn.Column:
    """A grid with its range as text below."""
    styles = SHEET | {"display": "grid", "grid-template-rows": "minmax(0, 1fr) auto", "grid-row": "2"}
    styles |= {"grid-column": str(number + 1)}
    return pn.Column(pn.pane.Bokeh(figure, **FULL), below, styles=styles, css_classes=["grid-card"], **FULL)


def _side(page: PushFoldPage) -> pn.Column:
    """The hand, its curve, a caller to exploit, and what can be taken home."""
    rows = {"display": "grid", "grid-template-rows": "auto minmax(140px, 1fr) auto auto", "gap": "8px"}
    rows |= {"grid-column": "3", "grid-row": "1 / 3", "min-height": "0", "overflow-y": "auto"}
    told = pn.pane.Bokeh(page.teller, sizing_mode="stretch_width", margin=0)
    words = SHEET | {"padding": "6px 10px", "min-height": "max-content"}
    return pn.Column(
        pn.Column(page.hand.pane, told, styles=words, css_classes=["tall"], **WIDE),
        sheet(page.curve.figure),
        pn.Column(page.exploit.pane, styles=words, css_classes=["tall"], **WIDE),
        page.exports.layout(),
        styles=rows, css_classes=["tall"], **FULL,
    )  # fmt: skip
