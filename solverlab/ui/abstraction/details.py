"""What stands beside the cloud: a hand, a brushed box, the buckets, their boundaries and where hands go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import panel as pn

from solverlab.abstraction.hand_path import Path
from solverlab.abstraction.street_buckets import preflop_to_flop
from solverlab.abstraction.trials import SampledStrength
from solverlab.cards.cards import STREETS
from solverlab.core.rows import Setting
from solverlab.ui.abstraction.html import STYLE, table
from solverlab.ui.abstraction.look import SIDE, TAB_STYLE
from solverlab.ui.abstraction.panels import boundaries_html, brush_html, mates_html, path_html, trials_html
from solverlab.ui.abstraction.picture import Picture
from solverlab.ui.look import TEXT
from solverlab.views.buckets import occupancy, strength_histogram, transitions, widths

if TYPE_CHECKING:
    from solverlab.ui.abstraction.page import AbstractionPage

FULL = {"sizing_mode": "stretch_both", "margin": 0}
TALL = {"sizing_mode": "stretch_width", "height": 270}
TABS = {"hand": "Hand", "brush": "Brush", "buckets": "Buckets", "bounds": "Boundaries", "flow": "Flow"}
INVITE = "<p class='quiet'>Click a hand on the plot, or type one on the left and press <b>Find it</b>.</p>"
BRUSH = (
    "<p class='quiet'>Choose the brush in the toolbar right of the plot (the dashed box) and drag over some "
    "hands: they are listed here with their bucket mates.</p>"
)
EVEN = "With history every row would be even: each sequence has boundaries of its own."


def text_pane(html: str = "", **more: Setting) -> pn.pane.HTML:
    """Words and tables that scroll inside their place."""
    look = FULL | {"styles": {"overflow": "auto"}} | more
    return pn.pane.HTML(html, stylesheets=[TEXT + STYLE], **look)


class Details:
    """The tabs on the right; only the one that is looked at is drawn."""

    def __init__(self, page: AbstractionPage):
        self.page = page
        self.path: Path | None = None
        self.trials: SampledStrength | None = None
        self._stale = set(TABS)
        self._build()

    def _build(self) -> None:
        self.hand_text = text_pane(INVITE, sizing_mode="stretch_width", css_classes=["hand-text"])
        self.histogram = Picture(sizing_mode="stretch_width", height=230)
        self.mates_text = text_pane("", sizing_mode="stretch_width", css_classes=["mates-text"])
        self.brush_text = text_pane(BRUSH, css_classes=["brush-text"])
        self.occupancy, self.widths = Picture(**TALL), Picture(**TALL)
        self.buckets_text = text_pane("", sizing_mode="stretch_width")
        self.bounds_text = text_pane("", css_classes=["bounds-text"])
        self.flow, self.flow_text = (
            Picture(**(TALL | {"height": 450})),
            text_pane("", sizing_mode="stretch_width"),
        )
        frame = {"overflow": "auto", "padding": "6px 8px", "box-sizing": "border-box", "height": SIDE}
        scroll = FULL | {"styles": frame}
        bodies = {
            "hand": pn.Column(self.hand_text, self.histogram.place, self.mates_text, **scroll),
            "brush": pn.Column(self.brush_text, **scroll),
            "buckets": pn.Column(self.occupancy.place, self.widths.place, self.buckets_text, **scroll),
            "bounds": pn.Column(self.bounds_text, **scroll),
            "flow": pn.Column(self.flow_text, self.flow.place, **scroll),
        }
        self.tabs = pn.Tabs(*((TABS[name], body) for name, body in bodies.items()), dynamic=True, **FULL)
        self.tabs.param.update(css_classes=["details"], stylesheets=[TAB_STYLE])

    # ---- orders --------------------------------------------------------------------------------------

    def open(self, name: str) -> None:
        """Bring a tab to the front."""
        self.tabs.active = list(TABS).index(name)

    def stale(self, name: str = "") -> None:
        """What was drawn is no longer true."""
        self._stale |= {name} if name else set(TABS) - {"hand"}

    def show_path(self, found: tuple[Path, SampledStrength]) -> None:
        """A hand's way through the buckets was found, and what random trials say of it."""
        self.path, self.trials = found
        self._stale.add("hand")

    def look(self) -> None:
        """Draw the tab in front, if it is stale and there is something to draw."""
        name = list(TABS)[self.tabs.active]
        if name not in self._stale or (self.page.labelled is None and self.page.river is None):
            return
        self._stale.discard(name)
        draw: dict[str, Callable[[], None]] = {
            "hand": self._draw_hand,
            "brush": self._draw_brush,
            "buckets": self._draw_buckets,
            "bounds": self._draw_bounds,
            "flow": self._draw_flow,
        }
        draw[name]()

    # ---- drawing -------------------------------------------------------------------------------------

    def _draw_hand(self) -> None:
        if self.path is None or self.trials is None:
            return
        shown, hand = self.page.labelled or self.page.river, self.path.last
        self.hand_text.object = path_html(self.path, shown.colours) + trials_html(self.trials, hand)
        if hand.street == "river":
            self.histogram.show(None)
        else:
            title = f"Where {hand.hole} ends; the line is its mean"
            self.histogram.show(strength_histogram(hand, 50, title=title))
        index = self.page.chosen_index()
        self.mates_text.object = "" if index is None else mates_html(self.page.labelled, index)

    def _draw_brush(self) -> None:
        made, brush = self.page.labelled, self.page.brush
        if made is None or brush is None:
            self.brush_text.object = (
                BRUSH if made is not None else "<p class='quiet'>The river has no cloud to brush.</p>"
            )
            return
        self.brush_text.object = brush_html(made, made.cloud.inside(*brush))

    def _draw_buckets(self) -> None:
        made = self.page.labelled or self.page.river
        self.occupancy.show(occupancy(made.table, made.colours, "How full: share of deals"))
        self.widths.show(
            widths(made.table, made.colours, made.choice.ordered_by, "How wide: range of the metric")
        )
        empty = int((made.table["deals"] == 0).sum())
        words = f"<b>{empty}</b> of {len(made.table)} buckets are empty." if empty else "No bucket is empty."
        street = STREETS.index(made.choice.street)
        total = made.choice.total ** (street + 1)
        more = f"{made.choice.total} buckets a street make {total:,} sequences by the {made.choice.street}."
        self.buckets_text.object = f"<p>{words} {more}</p>"

    def _draw_bounds(self) -> None:
        made = self.page.labelled
        if made is not None:
            self.bounds_text.object = boundaries_html(made)
            return
        river = self.page.river
        rows = zip(
            river.names, river.table["low_ehs"].round(4), river.table["high_ehs"].round(4), strict=True
        )
        self.bounds_text.object = "<h2>Strength on the river</h2>" + table(("bucket", "from", "to"), rows)

    def _draw_flow(self) -> None:
        choice = self.page.settings
        counts = preflop_to_flop(choice)
        names = [str(bucket + 1) for bucket in range(choice.total)]
        title = "From preflop buckets (rows) to flop buckets"
        self.flow.show(transitions(counts, names, names, title))
        share = counts / counts.sum(axis=1, keepdims=True).clip(1)
        words = f"From bucket 1 to {choice.total}: <b>{share[0, -1]:.1%}</b>; from {choice.total} to itself: "
        words += f"<b>{share[-1, -1]:.1%}</b>. Boundaries are common to all sequences here."
        self.flow_text.object = f"<p>{words} {EVEN if choice.percentiles else ''}</p>"
