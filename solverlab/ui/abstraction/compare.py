"""Two abstractions of one street side by side: the same hands twice, and where the two disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import panel as pn
from bokeh.models import Range1d

from solverlab.abstraction.choice import bucketing
from solverlab.core.errors import SolverlabError
from solverlab.ui.abstraction.choice import Choice
from solverlab.ui.abstraction.controls import BucketControls
from solverlab.ui.abstraction.html import STYLE
from solverlab.ui.abstraction.look import BODY
from solverlab.ui.abstraction.picture import Picture
from solverlab.ui.abstraction.scatter import Scatter, Scene
from solverlab.ui.abstraction.settings import AbstractionSettings
from solverlab.ui.abstraction.streets import Labelled, labelled
from solverlab.ui.look import CARD, TEXT
from solverlab.ui.setting_widgets import Ask
from solverlab.ui.tasks import TaskQueue
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.bucket_raster import EVERYTHING
from solverlab.views.bucket_tables import agreement, bucket_frame, flow
from solverlab.views.buckets import confusion

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.cards.table_cache import Cancel, Progress
    from solverlab.ui.abstraction.page import AbstractionPage

TAB = 1  # place among the tabs of the page
ROWS = "minmax(0, 1fr) minmax(0, 0.92fr)"
FULL = {"sizing_mode": "stretch_both", "margin": 0}
WAIT = "The river is one line of strengths; choose an earlier street to compare two abstractions of it."


class Pair(NamedTuple):
    """The second abstraction on the hands of the first: code [hands], names, colours, deals in common."""

    code: np.ndarray
    names: list[str]
    colours: list[str]
    table: pd.DataFrame
    counts: np.ndarray


def pair_of(
    first: Labelled, second: Choice, progress: Progress | None = None, cancel: Cancel | None = None
) -> Pair:
    """Bucket the hands of one abstraction by another.

    Where a sequence so far was chosen, the second cuts exactly those hands, as both panels of Johanson's
    Figure 2.2 do.
    """
    strength, keep = first.strength, first.keep
    if keep is None:
        code = labelled(second, progress, cancel).code
    else:
        fit = bucketing(second, strength.ehs[keep], strength.ehs2[keep], first.weight[keep])
        code = np.zeros(len(strength), np.uint16)
        code[keep] = fit.labels_
    lead = f"{first.choice.prefix}:" if first.choice.prefix else ""
    names = [f"{lead}{bucket + 1}" for bucket in range(second.total)]
    colours = bucket_colours(second.total, second.parts)
    which = slice(None) if keep is None else keep
    counts = flow(first.code[which], code[which], first.weight[which], (first.choice.total, second.total))
    return Pair(code, names, colours, bucket_frame(strength, code, names, keep, first.weight), counts)


class ComparePane:
    """The second tab: the page's own abstraction on the left, another on the right, deals in common below."""

    def __init__(self, page: AbstractionPage):
        self.page, self.tasks, self.pair = page, TaskQueue(), None
        self._stale, self._refused = True, False
        self.place = pn.Column(styles={"height": BODY}, **FULL)

    def layout(self) -> pn.Column:
        """The place of the tab; it is furnished when somebody looks."""
        return self.place

    def _furnish(self) -> None:
        """Clouds above, matrix and the second's controls below."""
        ranges = Range1d(*EVERYTHING), Range1d(*EVERYTHING)
        self.first = Scatter(lambda x, y: None, None, ranges, "first-cloud")
        self.second = Scatter(lambda x, y: None, None, ranges, "second-cloud")
        first = self.page.settings
        self.chosen = replace(first, metric="ehs" if first.metric == "ehs2" else "ehs2", prefix="")
        self.buckets = BucketControls(self.chosen, self._asked)
        text = {"stylesheets": [TEXT + STYLE], "sizing_mode": "stretch_width", "margin": (2, 6)}
        self.words, *self.titles = (pn.pane.HTML("", **text) for _ in range(3))
        self.heat = Picture(css_classes=["confusion"])
        card = CARD | {"padding": "6px", "box-sizing": "border-box", "min-height": "0"}
        clouds = [
            pn.Column(title, pn.pane.Bokeh(scatter.figure, **FULL), styles=card, **FULL)
            for title, scatter in zip(self.titles, (self.first, self.second), strict=True)
        ]
        head = pn.pane.HTML("<h2>The second abstraction</h2>", stylesheets=[TEXT], margin=(2, 6))
        controls = pn.Column(head, self.buckets.buckets(), styles=card | {"overflow": "auto"}, **FULL)
        heat = pn.Column(self.words, self.heat.place, styles=card, **FULL)
        lower = pn.Row(heat, controls, styles=_columns("minmax(0, 1fr) 290px"), **FULL)
        upper = pn.Row(*clouds, styles=_columns("minmax(0, 1fr) minmax(0, 1fr)"), **FULL)
        self.place[:] = [pn.Column(upper, lower, styles=_rows(ROWS) | {"height": BODY}, **FULL)]

    def close(self) -> None:
        self.tasks.close()

    def _asked(self, ask: Ask[AbstractionSettings]) -> None:
        """A visitor moved a control of the second; what cannot be is told, and everything stays as it was."""
        try:
            self.chosen = ask(self.chosen.on_street(self.page.settings.street))
        except SolverlabError as problem:
            self.page.complain(problem)
            self._refused = True  # the next look puts the old words back into the box
            return
        self.page.complain("")
        self.buckets.show(self.chosen)
        self.stale()

    def stale(self) -> None:
        """One of the two changed."""
        self._stale = True

    def look(self) -> None:
        """Called by the page's clock; works only while the tab is looked at."""
        if self.page.tabs.active != TAB:
            return
        if not len(self.place):
            self._furnish()
        if self._refused:
            self._refused = False
            self.buckets.show(self.chosen)
        problem = self.tasks.look()
        if problem:
            self.page.complain(problem)
        if self._stale and self.page.labelled is not None:
            self._stale = False
            self._order(self.page.labelled)
        elif self._stale and self.page.river is not None:
            self._stale = False
            self.words.object = f"<p>{WAIT}</p>"
        self.first.look()
        self.second.look()

    def _order(self, first: Labelled) -> None:
        try:
            second = self.chosen.on_street(first.choice.street).sensible()
        except SolverlabError as problem:
            self.page.complain(problem)
            return
        self.tasks.order(lambda *hooks: (first, second, pair_of(first, second, *hooks)), self._show)

    def _show(self, made: tuple[Labelled, Choice, Pair]) -> None:
        first, second, pair = made
        self.pair = pair
        self.first.show(
            Scene(
                first.strength,
                first.cloud,
                first.names,
                first.colours,
                first.table["share"].tolist(),
                first.sequence,
            )
        )
        shares = pair.table["share"].tolist()
        cloud = first.cloud.coded(pair.code)
        self.second.show(
            Scene(first.strength, cloud, pair.names, pair.colours, shares, lambda i: pair.names[pair.code[i]])
        )
        for title, words, choice in zip(
            self.titles, ("First", "Second"), (first.choice, second), strict=True
        ):
            title.object = f"<h2>{words}: {choice.title} <small>zooming moves both</small></h2>"
        self._show_matrix(first, second, pair)

    def _show_matrix(self, first: Labelled, second: Choice, pair: Pair) -> None:
        counts, total = pair.counts, max(pair.counts.sum(), 1)
        same = f"<b>{np.trace(counts) / total:.1%}</b> of deals have the same number in both; " * (
            counts.shape[0] == counts.shape[1]
        )
        self.words.object = (
            f"<h2>Confusion matrix <small>share of deals</small></h2><p>{same}agreement on who belongs "
            f"together <b>{agreement(counts):.3f}</b> (adjusted Rand index: 1 the same, 0 chance).</p>"
        )
        picture = confusion(counts, first.names, pair.names)
        self.heat.show(picture, xlabel="second", ylabel="first")


def _rows(rows: str) -> dict[str, str]:
    return {"display": "grid", "grid-template-rows": rows, "gap": "6px", "min-height": "0"}


def _columns(columns: str) -> dict[str, str]:
    return {"display": "grid", "grid-template-columns": columns, "gap": "8px", "min-height": "0"}
