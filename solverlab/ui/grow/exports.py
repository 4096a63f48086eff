"""Taking grown trees home: the numbers of every sweep, the log of growth, the drawn tree, a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import panel as pn

from solverlab.core.errors import BadValue
from solverlab.run.growing.rows import KINDS, Grew
from solverlab.ui.download import text_download
from solverlab.ui.grow.controls import WHOLE, heading

if TYPE_CHECKING:
    from solverlab.ui.grow.page import GrowPage

MEASURED = (
    "sweep",
    "epoch",
    "nodes",
    "action_nodes",
    "change",
    "relative_change",
    "tested",
    "gain",
    "inside",
    "current_inside",
    "lifted",
    "current_lifted",
    "miss_rate",
    "alarm",
)


class Exports:
    """Downloads of what the page shows when they are pressed."""

    def __init__(self, page: GrowPage):
        self.page = page
        files = (
            ("Sweeps", "grow-sweeps.csv", self.sweeps_csv, "Change, gains and size after every sweep."),
            ("Growth", "grow-log.csv", self.log_csv, "Every expansion with its reason."),
            ("Tree", "grow-tree.csv", self.tree_csv, "The drawn tree: one row a node with reach and EV."),
        )
        self.buttons = [text_download(*one, page.complain, height=34) for one in files]

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(heading("Save as CSV"), pn.Row(*self.buttons, **row), **row, styles=WHOLE)

    def sweeps_csv(self) -> str:
        """One row a run and sweep; gains have a column a seat."""
        frame = self.page.frame
        seats = [f"gain of {name}" for name in frame.seats]
        lines = [
            [run, *(row.get(name, "") for name in MEASURED), *row.get("gains", ())]
            for run, rows in frame.measures
            for row in rows
        ]
        if not lines:
            raise BadValue("nothing was rebalanced yet; press Rebalance or Play first")
        return table_text(["run", *MEASURED, *seats], lines)

    def log_csv(self) -> str:
        return table_text(Grew._fields, self.page.frame.log)

    def tree_csv(self) -> str:
        """The rows of the drawn tree."""
        frame = self.page.frame
        rows = frame.rows
        lines = [
            [
                i,
                int(rows.parent[i]),
                frame.seats[rows.seat[i]],
                frame.hands[rows.hand[i]] if rows.hand[i] >= 0 else "",
                rows.label[i],
                KINDS[rows.kind[i]],
                f"{rows.reach[i]:.8g}",
                f"{rows.ev[i]:.8g}",
            ]
            for i in range(len(rows.parent))
        ]
        return table_text(["row", "parent", "seat", "hand", "label", "kind", "reach", "ev"], lines)


def table_text(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A table as CSV text.

    >>> table_text(["a", "b"], [[1, "x, y"]])
    'a,b\\n1,"x, y"\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return text.getvalue()
