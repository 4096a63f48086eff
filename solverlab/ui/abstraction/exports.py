"""Taking things home from the Abstraction page: tables of buckets, boundaries and hands, and the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import panel as pn

from solverlab.cards.cards import cards_text
from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.ui.download import text_download
from solverlab.ui.parts.picture import picture_button
from solverlab.views.bucket_svg import cloud_svg

if TYPE_CHECKING:
    from solverlab.ui.abstraction.page import AbstractionPage

MOST = 100_000  # hands of a CSV file


class Exports:
    """Downloads of what the page shows when they are pressed."""

    def __init__(self, page: AbstractionPage):
        self.page = page
        self.buckets = self._download(
            "Buckets CSV", "buckets.csv", self.buckets_csv, "One row a bucket: hands, deals, ranges."
        )
        self.bounds = self._download(
            "Boundaries CSV", "boundaries.csv", self.bounds_csv, "One row a bucket sequence of the street."
        )
        self.hands = self._download(
            "Hands CSV",
            "hands.csv",
            self.hands_csv,
            f"The hands in the brush, else in view; at most {MOST:,}.",
        )
        self.svg = self._download(
            "Plot SVG", "hands.svg", self.plot_svg, "The cloud as it is zoomed, for slides and papers."
        )
        plot = [page.scatter.figure]
        self.png = picture_button("Plot PNG", "The cloud as it is on the screen.", plot, "hands.png")

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            pn.Row(self.buckets, self.bounds, **row), pn.Row(self.hands, self.svg, **row), self.png, **row
        )

    def _download(
        self, label: str, filename: str, make: Callable[[], str], help: str
    ) -> pn.widgets.FileDownload:
        return text_download(label, filename, make, help, self.page.complain)

    def buckets_csv(self) -> str:
        """One row a bucket."""
        made = self.page.labelled or self.page.river
        if made is None:
            raise BadValue("there are no buckets yet; wait until the street is bucketed")
        return made.table.to_csv(index=False)

    def bounds_csv(self) -> str:
        """One row a sequence."""
        made = self.page.labelled
        if made is None or made.sequences is None:
            return self.buckets_csv()
        return made.sequences.frame(made.choice.street).to_csv(index=False)

    def hands_csv(self) -> str:
        """One row a hand of the brush or the view, in order of E[HS]; of too many every so-manieth."""
        made = self.page.labelled
        if made is None:
            raise BadValue("the river has too many hands for a list; choose an earlier street")
        view = self.page.scatter.view()
        part = made.cloud.inside(*(self.page.brush or (view.across, view.up)))
        if part.size > MOST:
            part = part.take(np.linspace(0, part.size - 1, MOST).astype(np.int64))
        hole, board = made.strength.cards(part.index)
        columns = {
            "hand": [cards_text(sorted(cards, reverse=True)) for cards in hole.tolist()],
            "board": [cards_text(cards[::-1]) for cards in board.tolist()],
            "sequence": [made.sequence(index) for index in part.index],
            "ehs": made.strength.ehs[part.index],
            "ehs2": made.strength.ehs2[part.index],
            "deals": made.strength.weight[part.index],
        }
        return frame(columns).to_csv(index=False)

    def plot_svg(self) -> str:
        """The cloud in view."""
        made = self.page.labelled
        if made is None:
            raise BadValue("the river has no cloud; choose an earlier street")
        view = self.page.scatter.view()
        title = f"{made.cloud.size:,} hands of the {made.choice.street}: {made.choice.title}"
        return cloud_svg(made.cloud, made.colours, made.names, title, view.across, view.up)
