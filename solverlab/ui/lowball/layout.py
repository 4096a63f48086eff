"""Where things stand on the 2-to-7 page: the rung left, then charts, or hands, or a result file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.look import TEXT
from solverlab.ui.page_frame import FULL, SHEET, WIDE, left_column, sheet, two_columns

if TYPE_CHECKING:
    from solverlab.ui.lowball.page import LowballPage

SCROLL = SHEET | {"overflow": "auto", "padding": "8px 10px"}
FILE_HELP = (
    "<p>A result file of the original project: JSON with <b>metadata</b>, <b>iteration_info</b> and four "
    "maps such as <b>player_1_preflop</b>. It is measured with exact best responses and compared with a "
    "solution of the same game; nothing leaves this computer.</p>"
)


def arrange(page: LowballPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    return two_columns(_left(page), _right(page), "clamp(292px, 18vw, 350px)")


def _left(page: LowballPage) -> pn.Column:
    page.notice.pane.margin = (4, 4)  # beside the boxes it speaks of, where it moves no chart
    parts = [page.controls.left(page.notice.pane, page.progress.pane), page.exports.layout(), page.keyboard]
    return left_column(*parts, padding="6px")


def _right(page: LowballPage) -> pn.Column:
    frame = {
        "display": "grid",
        "grid-template-rows": "auto auto minmax(0, 1fr)",
        "gap": "6px",
        "padding": "8px 10px",
        "box-sizing": "border-box",
        "height": "100%",
        "min-height": "0",
    }
    whole = {"min-height": "0", "height": "100%"}
    body = pn.Column(*page.views.values(), styles=whole, css_classes=["tall"], **FULL)
    return pn.Column(
        page.score.pane, page.controls.made["show"], body, styles=frame, css_classes=["panes"], **FULL
    )


def views_of(page: LowballPage) -> dict[str, pn.Column]:
    """The views by name; each in a plain column: the display of a grid would win over being hidden."""
    inner = {"solve": _solve(page), "hands": _hands(page), "file": _file(page)}
    whole = {"height": "100%", "min-height": "0"}
    return {name: pn.Column(view, styles=whole, css_classes=["tall"], **FULL) for name, view in inner.items()}


def _solve(page: LowballPage) -> pn.Column:
    rows = "auto minmax(0, 1fr) minmax(0, 1fr)"
    frame = {"display": "grid", "grid-template-rows": rows, "gap": "6px", "height": "100%", "min-height": "0"}
    two = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr)", "gap": "8px"}
    two |= {"min-height": "0"}
    controls = page.controls
    tools = pn.Row(controls.add, controls.curves, controls.remove, controls.clear, **WIDE)
    value = pn.Column(
        tools,
        pn.pane.Bokeh(page.curves.plot.figure, **FULL),
        styles=SHEET | {"display": "grid", "grid-template-rows": "auto minmax(0, 1fr)"},
        css_classes=["sheet"],
        **FULL,
    )
    return pn.Column(
        pn.Row(*controls.decisions.values(), styles=two, css_classes=["pair"], **WIDE),
        pn.Row(*[sheet(plot.figure) for plot in page.plots], styles=two, css_classes=["pair"], **FULL),
        pn.Row(sheet(page.gap.figure), value, styles=two, css_classes=["pair"], **FULL),
        styles=frame, css_classes=["solve-view", "tall"], **FULL,
    )  # fmt: skip


def _hands(page: LowballPage) -> pn.Column:
    controls = page.controls
    frame = {"display": "grid", "grid-template-rows": "auto minmax(0, 1fr)", "gap": "6px", "height": "100%"}
    frame |= {"min-height": "0"}
    two = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) clamp(280px, 24vw, 430px)"}
    two |= {"gap": "8px", "min-height": "0"}
    boxes = pn.Row(controls.line, controls.only, controls.sort, controls.hand, **WIDE)
    table = pn.Column(page.table.pane, styles=SCROLL, css_classes=["hands-table"], **FULL)
    plan = pn.Column(page.plan.pane, styles=SCROLL, css_classes=["hand-plan"], **FULL)
    return pn.Column(
        boxes, pn.Row(table, plan, styles=two, **FULL), styles=frame, css_classes=["hands-view"], **FULL
    )


def _file(page: LowballPage) -> pn.Column:
    help_text = pn.pane.HTML(FILE_HELP, stylesheets=[TEXT], **WIDE)
    return pn.Column(
        help_text, page.upload, page.compared.pane, styles=SCROLL | {"height": "100%"},
        css_classes=["file-view"], **FULL,
    )  # fmt: skip
