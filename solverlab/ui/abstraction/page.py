"""The Abstraction page: every hand of a street by strength, and what a bucketing makes of them.

The page pulls: `tick` puts up whatever was finished beside it. Tables are built on first use, with progress.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Thread

import numpy as np
import panel as pn

from solverlab.abstraction.hand_path import path_of
from solverlab.abstraction.one_hand import HandStrength, strength_of
from solverlab.abstraction.trials import sampled_strength
from solverlab.cards.cards import parse_deal
from solverlab.core.errors import SolverlabError
from solverlab.ui.abstraction.compare import ComparePane
from solverlab.ui.abstraction.controls import Controls
from solverlab.ui.abstraction.details import Details
from solverlab.ui.abstraction.exports import Exports
from solverlab.ui.abstraction.hand import cards_of
from solverlab.ui.abstraction.layout import arrange, plot_card, views
from solverlab.ui.abstraction.picture import load_drawing
from solverlab.ui.abstraction.price import PricePane
from solverlab.ui.abstraction.river import Density, LabelledRiver, labelled_river
from solverlab.ui.abstraction.scatter import Scatter, Scene
from solverlab.ui.abstraction.settings import AbstractionSettings
from solverlab.ui.abstraction.streets import Labelled, built, labelled
from solverlab.ui.buttons import button
from solverlab.ui.page import Page
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.tasks import TaskQueue
from solverlab.views.bucket_raster import EVERYTHING, Span


class AbstractionPage(Page[AbstractionSettings]):
    """One visitor's page: a street in buckets, one hand of it, two abstractions, and what they cost."""

    settings_type, period = AbstractionSettings, 100
    controls: Controls

    def make_controls(self) -> Controls:
        return Controls(self.settings, self.asked, self.find)

    def make_parts(self) -> None:
        self.labelled: Labelled | None = None
        self.river: LabelledRiver | None = None
        self.brush: tuple[Span, Span] | None = None
        self._drawing: Thread | None = None
        self._todo: list[Callable[[], None]] = []  # what visitors asked for since the last tick
        self.tasks, self.looking, self.marking = (self.owned(TaskQueue()) for _ in range(3))
        self.scatter, self.density = self.owned(Scatter(self._tapped, self._brushed)), Density()
        self.details, self.exports = Details(self), Exports(self)
        self.compare = self.owned(ComparePane(self))
        self.price = self.owned(PricePane(self.complain))
        self.progress = TaskBar(self.tasks.cancel, "Stop this; nothing half-made is kept.", inline=True)
        self.again = button("Build the tables", "Build the exact strength of every hand again.", "primary")
        self.again.visible = False
        self.again.on_click(lambda event: self.refresh())
        self.cloud_pane, self.density_pane = (
            pn.pane.Bokeh(plot.figure, sizing_mode="stretch_both", margin=0)
            for plot in (self.scatter, self.density)
        )
        self.plots = plot_card()
        self.plots.append(self.cloud_pane)
        self.tabs = views(self)
        self.choose(self.settings.on_street(self.settings.hand_street or self.settings.street))

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        return arrange(self)

    # ---- choosing ------------------------------------------------------------------------------------

    def choose(self, settings: AbstractionSettings) -> None:
        """Show another street or other buckets, and set the controls to them."""
        if settings.street != self.settings.street:
            self.brush = None
            self._todo.append(lambda: self.scatter.zoom(EVERYTHING, EVERYTHING))
        super().choose(settings)
        self.refresh()

    def refresh(self) -> None:
        """Have the chosen street bucketed."""
        chosen, self.again.visible = self.settings, False
        if chosen.street == "river":
            self.tasks.order(lambda *hooks: labelled_river(chosen, *hooks), self._show_river)
        else:
            self.tasks.order(lambda *hooks: labelled(chosen, *hooks), self._show)

    def _show(self, made: Labelled) -> None:
        self.labelled, self.river = made, None
        shares = made.table["share"].tolist()
        self.scatter.show(Scene(made.strength, made.cloud, made.names, made.colours, shares, made.sequence))
        self.plots[:] = [self.cloud_pane]
        self._settled()

    def _show_river(self, made: LabelledRiver) -> None:
        self.labelled, self.river = None, made
        self.density.show(made)
        self.plots[:] = [self.density_pane]
        self._settled()

    def _settled(self) -> None:
        """New buckets: what hangs on them follows."""
        self._mark()
        self.details.stale()
        self.compare.stale()
        self._follow()

    # ---- hands ---------------------------------------------------------------------------------------

    def find(self) -> None:
        """Look for the hand that was typed."""
        try:
            parse_deal(self.controls.hole.value, self.controls.board.value)
        except SolverlabError as problem:
            self.complain(problem)
            return
        self.notice.clear()
        hole, board = self.controls.hole.value, self.controls.board.value
        self._todo.append(lambda: self.look_at(hole, board))

    def look_at(self, hole: str, board: str) -> None:
        """Show one hand: on the plot, as a histogram, on its way through the buckets."""
        wanted = replace(self.settings, hand=hole, board=board)
        self.details.open("hand")
        if wanted.hand_street != self.settings.street:
            self.choose(wanted.on_street(wanted.hand_street))
            return
        super().choose(wanted)
        if not self.tasks.busy:
            self._mark()
            self._follow()

    def _mark(self) -> None:
        """Ring the hand where it lies on the street that is shown; its strength is found beside the page."""
        chosen = self.settings
        if chosen.hand_street != chosen.street:
            self.scatter.forget()
            return
        deal = chosen.hand, chosen.board
        self.marking.order(
            lambda *hooks: (deal, strength_of(*deal, None, *hooks)), lambda found: self._ring(*found)
        )

    def _ring(self, deal: tuple[str, str], hand: HandStrength) -> None:
        chosen = self.settings
        if deal != (chosen.hand, chosen.board) or chosen.hand_street != chosen.street:
            return  # another hand was chosen meanwhile
        if self.river is not None:
            self.density.point_at(hand.ehs, hand.hole)
        else:
            self.scatter.point_at(hand.ehs, hand.ehs2, f"{hand.hole} {hand.board}".strip())

    def _follow(self) -> None:
        """Have the chosen hand followed through the buckets, and tried at random."""
        chosen = self.settings
        if chosen.hand:
            deal = chosen.hand, chosen.board
            self.looking.order(
                lambda *hooks: (path_of(chosen, *deal, *hooks), sampled_strength(*deal)),
                self.details.show_path,
            )

    def _tapped(self, x: float, y: float) -> None:
        """Figures may be touched only while the clock holds the document's lock, so clicks wait for it."""
        self._todo.append(lambda: self._choose_near(x, y))

    def _choose_near(self, x: float, y: float) -> None:
        index = self.scatter.nearest(x, y)
        if index is not None and self.labelled is not None:
            self.notice.clear()
            hole, board = cards_of(self.labelled.strength, index)
            self.controls.name_hand(hole, board)
            self.look_at(hole, board)

    def _brushed(self, across: Span, up: Span) -> None:
        self.brush = across, up
        self.details.stale("brush")
        self._todo.append(lambda: self.details.open("brush"))

    def chosen_index(self) -> int | None:
        """The number of the chosen hand, if it is of the street that is shown."""
        chosen, made = self.settings, self.labelled
        if made is None or chosen.hand_street != made.choice.street:
            return None
        own, public = parse_deal(chosen.hand, chosen.board)
        return made.strength.find(np.array(own), np.array(public, np.int64))

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Do what was asked for, put up what is finished, order what is missing."""
        super().tick()
        while self._todo:
            self._todo.pop(0)()
        for queue in (self.tasks, self.looking, self.marking):
            problem = queue.look()
            if problem:
                self.complain(problem)
                self.again.visible = queue is self.tasks and not built()
        task = self.tasks.task or self.looking.task
        self.progress.show(task if task is not None and task.words else None)
        self.scatter.look()
        if self.scatter.pictures and not self._drawing:
            self._drawing = load_drawing()
        self.details.look()
        self.compare.look()
        self.price.look()
