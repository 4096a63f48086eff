"""Where things stand on the Abstraction page: controls left, the cloud in the middle, details right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn

from solverlab.ui.abstraction.look import BODY, TAB_STYLE
from solverlab.ui.look import CARD, TEXT
from solverlab.ui.page_frame import FULL, WIDE, left_column, two_columns

if TYPE_CHECKING:
    from solverlab.ui.abstraction.page import AbstractionPage

LEFT = 268
PRICE = 2  # place of the tab
PADDED = CARD | {"padding": "6px", "box-sizing": "border-box", "min-height": "0"}


def arrange(page: AbstractionPage) -> pn.viewable.Viewable:
    """The whole page below the header."""
    right = pn.Column(_messages(page), page.tabs, styles=_right_frame(), css_classes=["panes"], **FULL)
    left = _left(page)
    whole = two_columns(left, right, f"{LEFT}px")
    page.tabs.param.watch(lambda event: _make_room(whole, left, event.new == PRICE), "active")
    return whole


def views(page: AbstractionPage) -> pn.Tabs:
    """The three tabs of the work area."""
    return pn.Tabs(
        ("Microscope", _microscope(page)),
        ("Two abstractions", page.compare.layout()),
        ("Price of abstraction", page.price.layout()),
        dynamic=True,
        stylesheets=[TAB_STYLE],
        css_classes=["views"],
        **FULL,
    )


def plot_card() -> pn.Column:
    """Where the cloud stands, or on the river the density."""
    return pn.Column(styles=PADDED, css_classes=["card", "plots"], **FULL)


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
    parts = [
        _title("Street"),
        controls.street,
        controls.prefix,
        _title("Buckets"),
        controls.buckets(),
        _title("Find a hand"),
        pn.Row(controls.hole, controls.board, **WIDE),
        controls.find,
        pn.Card(
            page.exports.layout(), title="Export", collapsed=True, margin=(6, 4), sizing_mode="stretch_width"
        ),
        page.keyboard,
    ]
    return left_column(*parts)


def _title(words: str) -> pn.pane.HTML:
    return pn.pane.HTML(
        f"<h2>{words}</h2>", stylesheets=[TEXT], margin=(8, 6, 0, 6), sizing_mode="stretch_width"
    )


def _messages(page: AbstractionPage) -> pn.Column:
    """Progress and complaints float above the plots, so that nothing moves when they come and go."""
    row = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) auto", "align-items": "center"}
    progress = pn.Row(page.progress.pane, page.again, styles=row, **WIDE)
    above = {
        "position": "absolute",
        "top": "4px",
        "right": "10px",
        "width": "min(560px, 46%)",
        "z-index": "20",
    }
    return pn.Column(progress, page.notice.pane, styles=above, sizing_mode=None, margin=0)


def _microscope(page: AbstractionPage) -> pn.Row:
    grid = {"display": "grid", "grid-template-columns": "minmax(0, 1.32fr) minmax(0, 1fr)", "gap": "8px"}
    grid |= {"min-height": "0", "height": BODY}
    side = pn.Column(page.details.tabs, styles=PADDED | {"padding": "2px"}, css_classes=["card"], **FULL)
    return pn.Row(page.plots, side, styles=grid, css_classes=["pair", "clouds"], **FULL)
