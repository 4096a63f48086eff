"""The Abstraction page: every hand of a street by strength, and what a bucketing makes of them.

The page pulls: `tick` puts up whatever was finished beside it. Tables are built on first use, with progress.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Thread

import numpy as np
import panel as pn

from solverlab.abstraction.one_hand import strength_of
from solverlab.cards.cards import parse_deal, street_of
from solverlab.core.errors import SolverlabError
from solverlab.ui.abstraction.choice import Choice
from solverlab.ui.abstraction.compare import ComparePane
from solverlab.ui.abstraction.controls import Controls
from solverlab.ui.abstraction.details import Details
from solverlab.ui.abstraction.exports import Exports
from solverlab.ui.abstraction.hand import cards_of, path_of
from solverlab.ui.abstraction.layout import arrange
from solverlab.ui.abstraction.link import link_of, read_link
from solverlab.ui.abstraction.picture import load_drawing
from solverlab.ui.abstraction.price import PricePane
from solverlab.ui.abstraction.river import Density, RiverBuckets, river_buckets
from solverlab.ui.abstraction.scatter import Scatter, Scene
from solverlab.ui.abstraction.streets import Labelled, built, labelled
from solverlab.ui.buttons import button
from solverlab.ui.desk import Desk
from solverlab.ui.keyboard import Keyboard
from solverlab.ui.notice import Notice, sentence
from solverlab.views.bucket_raster import EVERYTHING, Span

PERIOD = 100  # milliseconds between two looks
BUILDING = "Building the exact strength of every hand (first time only, 399 MB, some ten seconds) ..."
BAR = {"sizing_mode": "stretch_width", "margin": (6, 4), "height": 18}


class AbstractionPage:
    """One visitor's page. `tick` is called ten times a second, `close` when the visitor has gone."""

    def __init__(
        self,
        choice: Choice | None = None,
        hand: tuple[str, str] | None = None,
        complaints: Sequence[str] = (),
    ):
        self.choice = choice or Choice()
        self.labelled: Labelled | None = None
        self.river: RiverBuckets | None = None
        self.desk, self.looking = Desk(), Desk()
        self.hand: tuple[str, str] | None = None
        self.brush: tuple[Span, Span] | None = None
        self._drawing: Thread | None = None
        self._quiet = False
        self._todo: list[Callable[[], None]] = []  # what visitors asked for since the last tick
        self.notice = Notice()
        self.controls = Controls(self.choice, self._changed, self.find)
        self.scatter = Scatter(self._tapped, self._brushed)
        self.density = Density()
        self.details = Details(self)
        self.compare = ComparePane(self)
        self.price = PricePane(self.complain)
        self.exports = Exports(self)
        self.bar = pn.indicators.Progress(value=0, max=100, visible=False, **BAR)
        self.doing = pn.pane.HTML("", visible=False, margin=(4, 4), sizing_mode="stretch_width")
        self.stop = button("Cancel", "Stop this; nothing half-made is kept.", width=110)
        self.stop.param.update(visible=False, sizing_mode=None)
        self.again = button("Build the tables", "Build the exact strength of every hand again.", "primary")
        self.again.visible = False
        self.stop.on_click(lambda event: self.desk.cancel())
        self.again.on_click(lambda event: self.refresh())
        self.keyboard = Keyboard(lambda key: None, keys=[])
        self.notice.say(" ".join(complaints))
        self._open(hand)

    def _open(self, hand: tuple[str, str] | None) -> None:
        """What a link asked for: a hand on its own street, or the street alone."""
        if hand is not None:
            self.hand = hand
            self.controls.hole.value, self.controls.board.value = hand
            street = street_of(parse_deal(*hand)[1])
            if street != self.choice.street:
                self.choice = replace(self.choice, street=street, prefix="")
        self.choose(self.choice)

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        return arrange(self)

    def close(self) -> None:
        """Stop what is under way."""
        self.desk.cancel()
        self.looking.cancel()
        self.compare.close()
        self.price.close()

    def complain(self, problem: object) -> None:
        self.notice.say(sentence(problem) if str(problem) else "")

    # ---- choosing ------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """A visitor moved a control."""
        if self._quiet:
            return
        try:
            choice = self.controls.read(self.choice).checked()
        except SolverlabError as problem:
            self.complain(problem)
            return
        self.notice.clear()
        self.choose(choice)

    def choose(self, choice: Choice) -> None:
        """Show another choice, and set the controls to it."""
        if choice.street != self.choice.street:
            self.brush = None
            self._todo.append(lambda: self.scatter.zoom(EVERYTHING, EVERYTHING))
        self.choice = choice
        self._quiet = True
        self.controls.street.value = choice.street
        self.controls.offer(choice)
        self._quiet = False
        self.refresh()

    def refresh(self) -> None:
        """Have the chosen street bucketed."""
        self.keyboard.address = link_of(self.choice, self.hand)
        choice, self.again.visible = self.choice, False
        if choice.street == "river":
            self.desk.order(lambda *hooks: river_buckets(choice, *hooks), self._show_river)
        else:
            self.desk.order(lambda *hooks: labelled(choice, *hooks), self._show)

    def _show(self, made: Labelled) -> None:
        self.labelled, self.river = made, None
        shares = made.table["share"].tolist()
        self.scatter.show(Scene(made.strength, made.cloud, made.names, made.colours, shares, made.sequence))
        self.plots[:] = [self.cloud_pane]
        self._settled()

    def _show_river(self, made: RiverBuckets) -> None:
        self.labelled, self.river = None, made
        self.density.show(made)
        self.plots[:] = [self.density_pane]
        self._settled()

    def _settled(self) -> None:
        """New buckets: what hangs on them follows."""
        self._mark()
        self.details.stale()
        self.compare.stale()
        if self.hand is not None:
            self._follow(*self.hand)

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
        self.hand = hole, board
        self.keyboard.address = link_of(self.choice, self.hand)
        street = street_of(parse_deal(hole, board)[1])
        self.details.open("hand")
        if street != self.choice.street:
            self.choose(replace(self.choice, street=street, prefix=""))
        elif not self.desk.busy:
            self._mark()
            self._follow(hole, board)

    def _mark(self) -> None:
        """Ring the hand where it lies on the street that is shown."""
        if self.hand is None or street_of(parse_deal(*self.hand)[1]) != self.choice.street:
            self.scatter.forget()
            return
        hand = strength_of(*self.hand)
        if self.river is not None:
            self.density.point_at(hand.ehs, hand.hole)
        else:
            self.scatter.point_at(hand.ehs, hand.ehs2, f"{hand.hole} {hand.board}".strip())

    def _follow(self, hole: str, board: str) -> None:
        choice = self.choice
        self.looking.order(lambda *hooks: path_of(choice, hole, board, *hooks), self.details.show_path)

    def _tapped(self, x: float, y: float) -> None:
        """Figures may be touched only while the clock holds the document's lock, so clicks wait for it."""
        self._todo.append(lambda: self._choose_near(x, y))

    def _choose_near(self, x: float, y: float) -> None:
        index = self.scatter.nearest(x, y)
        if index is not None and self.labelled is not None:
            self.notice.clear()
            hole, board = cards_of(self.labelled.strength, index)
            self._quiet = True
            self.controls.hole.value, self.controls.board.value = hole, board
            self._quiet = False
            self.look_at(hole, board)

    def _brushed(self, across: Span, up: Span) -> None:
        self.brush = across, up
        self.details.stale("brush")
        self._todo.append(lambda: self.details.open("brush"))

    def chosen_index(self) -> int | None:
        """The number of the chosen hand, if it is of the street that is shown."""
        if self.hand is None or self.labelled is None:
            return None
        own, public = parse_deal(*self.hand)
        if street_of(public) != self.labelled.choice.street:
            return None
        return self.labelled.strength.find(np.array(own), np.array(public, np.int64))

    # ---- the clock -----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Do what was asked for, put up what is finished, order what is missing."""
        while self._todo:
            self._todo.pop(0)()
        for desk in (self.desk, self.looking):
            problem = desk.look()
            if problem:
                self.complain(problem)
                self.again.visible = desk is self.desk and not built()
        self._show_progress()
        self.scatter.look()
        if self.scatter.pictures and not self._drawing:
            self._drawing = load_drawing()
        self.details.look()
        self.compare.look()
        self.price.look()

    def _show_progress(self) -> None:
        job = self.desk.job or self.looking.job
        share = job.done_share if job is not None else 0.0
        words = "" if job is None or not job.words else f"{job.words} ..."
        if self.doing.object != words:
            self.doing.param.update(object=words, visible=bool(words))
        if self.bar.visible != bool(words):
            self.bar.visible = self.stop.visible = bool(words)
        if words and self.bar.value != int(100 * share):
            self.bar.value = int(100 * share)


def abstraction_page(visit: object = None) -> pn.viewable.Viewable:
    """The Abstraction page with its pulling clock; it ends with the visit."""
    page = AbstractionPage(*read_link(getattr(visit, "query", {})))

    async def tick() -> None:  # async: on the event loop, with the document's lock
        page.tick()

    layout = page.layout()
    pn.state.add_periodic_callback(tick, period=PERIOD)
    pn.state.on_session_destroyed(lambda context: page.close())
    return layout
