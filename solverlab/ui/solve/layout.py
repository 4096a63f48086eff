"""Where things stand on the Solve page: controls on the left, four panes on the right, no scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.buttons import button
from solverlab.ui.look import CARD
from solverlab.ui.page_frame import FULL, WIDE, left_column, two_columns

if TYPE_CHECKING:
    from solverlab.ui.solve.page import SolvePage


def arrange(page: SolvePage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    return two_columns(_left(page), _right(page), page.width)


class Parts:
    """Pieces of the page that come and go, or are pressed."""

    def __init__(self, page: SolvePage):
        self.own_card = _fold("Your own limit poker", page.own.layout(), visible=page.settings.game == "own")
        self.own_card.collapsed = False
        self.exact = button(
            "Exact value",
            "Solve the game by linear programming and show its exact value (two players).",
            width=88,
        )
        self.keep = button(
            "Keep run", "Keep a copy of this run as it is now, for comparison (key K).", width=80
        )
        for one in (self.exact, self.keep):
            one.param.update(margin=(0, 4), height=34)


def _left(page: SolvePage) -> pn.Column:
    saving = _fold("Save, load, export", page.exports.layout())
    parts = [
        page.controls.layout(),
        page.parts.own_card,
        page.screen.scrub.layout(),
        page.shelf.list,
        saving,
        page.keyboard,
    ]
    return left_column(*parts)


def _fold(title: str, body: pn.viewable.Viewable, **more: object) -> pn.Card:
    return pn.Card(body, title=title, collapsed=True, margin=(4, 4), sizing_mode="stretch_width", **more)


def _right(page: SolvePage) -> pn.Column:
    frame = {
        "display": "grid",
        "grid-template-rows": "auto minmax(260px, 1fr) minmax(270px, 1fr)",
        "gap": "8px",
        "padding": "8px 10px",
        "box-sizing": "border-box",
        "height": "100%",
        "overflow": "auto",
    }
    upper = _pair(_convergence_card(page), _tree_card(page), "minmax(0, 1fr) minmax(0, 1.35fr)")
    lower = _pair(_strategy_card(page), _microscope_card(page), "minmax(0, 1fr) minmax(0, 1.35fr)")
    top = pn.Column(page.screen.score.pane, page.run.bar.pane, page.notice.pane, **WIDE)
    return pn.Column(top, upper, lower, styles=frame, css_classes=["panes"], **FULL)


def _pair(left: pn.Column, right: pn.Column, columns: str) -> pn.Row:
    grid = {"display": "grid", "grid-template-columns": columns, "gap": "8px", "min-height": "0"}
    return pn.Row(left, right, styles=grid, css_classes=["pair"], **FULL)


def _card(name: str, *parts: pn.viewable.Viewable, rows: str) -> pn.Column:
    grid = {"display": "grid", "grid-template-rows": rows, "grid-template-columns": "minmax(0, 1fr)"}
    inside = {"padding": "8px", "box-sizing": "border-box", "gap": "4px", "min-height": "0", "min-width": "0"}
    return pn.Column(*parts, styles=CARD | grid | inside, css_classes=["sheet", name], **FULL)


def _convergence_card(page: SolvePage) -> pn.Column:
    fits = {"styles": {"min-width": "0", "flex-wrap": "wrap", "row-gap": "4px"}} | WIDE  # beside open lessons
    tools = pn.Row(page.controls.clock, page.parts.keep, page.parts.exact, **fits)
    plot = pn.pane.Bokeh(page.screen.convergence.figure, min_height=150, **FULL)
    return _card("convergence-card", tools, plot, rows="auto minmax(0, 1fr)")


def _tree_card(page: SolvePage) -> pn.Column:
    tools = pn.Row(page.screen.explorer.hand, page.screen.explorer.strategy, **WIDE)
    return _card("tree-card", tools, page.screen.explorer.pane, rows="auto minmax(0, 1fr)")


def _strategy_card(page: SolvePage) -> pn.Column:
    return _card("strategy-card", page.screen.strategy.layout(), rows="minmax(0, 1fr)")


def _microscope_card(page: SolvePage) -> pn.Column:
    return _card("microscope-card", page.screen.microscope.pane, rows="minmax(0, 1fr)")
