"""Taking the push/fold chart home: tables as CSV, the grids as SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import panel as pn

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.ui.download import text_download
from solverlab.ui.parts.picture import picture_button
from solverlab.views.hand_grid import grids_svg
from solverlab.views.pushfold_chart import combos_of, jam_frame, pushfold_frame

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.ui.pushfold.page import PushFoldPage

NOT_YET = "nothing is solved yet; wait until the grids have numbers"


class Exports:
    """Downloads of what the page shows when they are pressed."""

    def __init__(self, page: PushFoldPage):
        self.page = page
        self.csv = self._download("CSV", "push-fold.csv", self.grids_csv, "Both grids, one row a hand.")
        self.every = self._download(
            "All stacks",
            "push-fold-stacks.csv",
            self.stacks_csv,
            "Every stack of the chart as CSV, long form.",
        )
        self.svg = self._download("SVG", "push-fold.svg", self.grids_svg, "For slides and papers.")
        plots = [grid.figure for grid in page.grids]
        self.png = picture_button(
            "PNG", "The grids as they are on the screen.", plots, "push-fold.png", len(plots), height=34
        )

    def layout(self) -> pn.Row:
        """One line, in two where the window is narrow."""
        grid = {"display": "grid", "grid-template-columns": "repeat(4, minmax(0, 1fr))"}
        parts = (self.csv, self.every, self.svg, self.png)
        return pn.Row(*parts, styles=grid, css_classes=["later"], sizing_mode="stretch_width", margin=0)

    def grids_csv(self) -> str:
        """One row a hand and decision: how often it goes in, or up to which stack."""
        page, choice = self.page, self.page.settings
        if page.shown is None:
            raise BadValue(NOT_YET)
        parts = []
        for node in dict.fromkeys(page.shown.nodes):
            by_stack = choice.show == "chart" and page.charts is not None
            table = pushfold_frame(page.charts, node) if by_stack else jam_frame(page.shown.policy, node)
            parts.append(self._with_combos(table.drop(columns="place", errors="ignore"), node))
        return _stacked(parts).to_csv(index=False)

    def stacks_csv(self) -> str:
        """One row a stack, decision and hand."""
        page = self.page
        if page.shown is None or page.charts is None:
            raise BadValue("the chart by stack is not solved yet; press Chart by stack first")
        parts = []
        for stack, snap in page.charts.items():
            for node in page.shown.every_node:
                table = jam_frame(snap, node).drop(columns=["place", "row", "column"])
                table.insert(0, "stack", stack)
                parts.append(self._with_combos(table, node))
        return _stacked(parts).to_csv(index=False)

    def grids_svg(self) -> str:
        """The two grids as they are coloured now."""
        cells = [grid.cells for grid in self.page.grids]
        if None in cells:
            raise BadValue(NOT_YET)
        return grids_svg(cells)

    def _with_combos(self, table: pd.DataFrame, node: str) -> pd.DataFrame:
        table = table.assign(combos=[combos_of(hand) for hand in table["hand"]])
        table.insert(0, "node", node or "start")
        table.insert(0, "players", self.page.shown.players)
        return table

    def _download(
        self, label: str, filename: str, make: Callable[[], str], help: str
    ) -> pn.widgets.FileDownload:
        return text_download(label, filename, make, help, self.page.complain, height=34)


def _stacked(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """Tables of the same columns below each other."""
    return frame({name: [x for table in tables for x in table[name]] for name in tables[0]})
