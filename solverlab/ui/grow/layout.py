"""Where things stand on the Grow page: controls left, the tree in the middle, hands and a node right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.grow.controls import WIDTH
from solverlab.ui.page_frame import FULL, SHEET, WIDE, left_column, sheet, two_columns

if TYPE_CHECKING:
    from solverlab.ui.grow.page import GrowPage

LOW = "clamp(180px, 25vh, 320px)"  # the plots below


def arrange(page: GrowPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    return two_columns(_left(page), _right(page), WIDTH)


def _left(page: GrowPage) -> pn.Column:
    page.notice.pane.margin = (4, 4)
    controls = page.controls.layout(page.notice.pane, page.view.paced)
    return left_column(controls, page.exports.layout(), page.tree_size.layout(), page.keyboard)


def _right(page: GrowPage) -> pn.Column:
    frame = {
        "display": "grid",
        "grid-template-columns": "minmax(0, 1fr) clamp(320px, 27vw, 520px)",
        "grid-template-rows": f"auto minmax(0, 1fr) {LOW}",
        "gap": "6px 8px",
        "padding": "6px 10px 8px",
        "box-sizing": "border-box",
        "height": "100%",
        "min-height": "0",
    }
    wide = {"grid-column": "1 / 3", "min-width": "0"}
    top = pn.Column(page.score.pane, page.alarm_place, styles=wide | {"overflow": "hidden"}, **WIDE)
    plots = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr) minmax(0, 0.8fr)"}
    low = pn.Row(
        sheet(page.chart.change), sheet(page.chart.distance), _phase(page),
        styles=plots | wide | {"gap": "8px", "min-height": "0"}, css_classes=["pair"], **FULL,
    )  # fmt: skip
    return pn.Column(top, _tree(page), _side(page), low, styles=frame, css_classes=["panes"], **FULL)


def _tree(page: GrowPage) -> pn.Column:
    """The tree, and the way it took."""
    frame = SHEET | {"display": "grid", "grid-template-rows": "minmax(0, 1fr) auto"}
    time = pn.Row(page.time.slider, page.time.branch, page.time.runs, **WIDE)
    return pn.Column(page.canvas, time, styles=frame, css_classes=["tree", "sheet"], **FULL)


def _side(page: GrowPage) -> pn.Column:
    """What is drawn; then hands, the node under the microscope, and the log, one at a time."""
    frame = SHEET | {"display": "grid", "grid-template-rows": "auto auto minmax(0, 1fr)"}
    two = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr)"}
    one = {"display": "grid", "grid-template-rows": "minmax(0, 1fr)", "min-height": "0", "min-width": "0"}
    looks = [page.view.seat, page.view.apart, page.view.colour, page.view.measure]
    bodies = pn.Column(*page.sides.bodies, styles=one, **FULL)
    return pn.Column(
        pn.Column(*looks, styles=two, **WIDE),
        page.sides.buttons,
        bodies,
        styles=frame,
        css_classes=["side", "sheet"],
        **FULL,
    )


def _phase(page: GrowPage) -> pn.Column:
    """Two menus of probabilities and the portrait of their way."""
    frame = SHEET | {"display": "grid", "grid-template-rows": "auto minmax(0, 1fr)"}
    menus = pn.Row(page.watched.across, page.watched.up, **WIDE)
    plot = pn.pane.Bokeh(page.phase.figure, **FULL)
    return pn.Column(menus, plot, styles=frame, css_classes=["sheet"], **FULL)
