"""Looking back: a slider over the recorded moments of a run."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import panel as pn

from solverlab.core.snapshot import Snapshot
from solverlab.ui.buttons import button
from solverlab.ui.text import Text


class Scrub:
    """`past` is the snapshot looked at, or None while the page is live."""

    def __init__(self, on_change: Callable[[], None]):
        self._on_change = on_change
        self._kept: list[Snapshot] = []
        self._offered = 0.0
        self.past: Snapshot | None = None
        self.label = Text("scrub-label", margin=(10, 4, 0, 8))
        self.slider = pn.widgets.IntSlider(
            label="Look back",
            start=0,
            end=1,
            value=0,
            disabled=True,
            show_value=False,
            sizing_mode="stretch_width",
            margin=(2, 8),
        )
        self.live = button("Back to live", "Show the newest moment again (key L).", disabled=True)
        # Only what a hand did: while Python moves the slider the page may echo an older `value` back,
        # and that must not take anybody into the past.
        self.slider.param.watch(lambda event: self.look_at(event.new), "value_throttled")
        self.live.on_click(lambda event: self.go_live())

    def layout(self) -> pn.Column:
        hint = pn.widgets.TooltipIcon(
            value="Drag to see the strategy at an earlier recorded moment (keys [ and ]). "
            "The solver itself stays where it is.",
            margin=(4, 4),
        )
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(pn.Row(self.slider, hint, **row), pn.Row(self.label.pane, self.live, **row), **row)

    def offer(self, kept: list[Snapshot], hurry: bool = True) -> None:
        """These moments are recorded; a moment looked at stays, wherever it stands now.

        While the solver runs the slider follows once a second: moving it costs more than drawing the rest.
        """
        if len(kept) == len(self._kept) and kept[-1:] == self._kept[-1:]:
            return
        if not hurry and monotonic() - self._offered < 1.0:
            return
        self._offered = monotonic()
        self._kept = kept
        self.slider.param.update(end=max(len(kept) - 1, 1), value=self._place(), disabled=len(kept) < 2)

    def move(self, by: int) -> None:
        """Some recorded moments on or back."""
        if len(self._kept) > 1:
            self.look_at(self._place() + by)

    def go_live(self) -> None:
        """Look at the newest moment again."""
        was, self.past = self.past, None
        self.slider.value = max(len(self._kept) - 1, 0)
        if was is not None:
            self._on_change()

    def tell(self, shown: int, live: int) -> None:
        """Say which moment is on the page."""
        back = self.past is not None
        words = f"iteration {shown:,} of {live:,} (past)" if back else f"live: iteration {live:,}"
        html = f"<b>{words}</b>" if back else words
        self.label.write(html)
        if self.live.disabled == back:
            self.live.disabled = not back

    def look_at(self, place: int) -> None:
        """Show a recorded moment by its number; the last one is live."""
        if not self._kept:
            return
        place = min(max(place, 0), len(self._kept) - 1)
        self.past = None if place == len(self._kept) - 1 else self._kept[place]
        self.slider.value = place
        self._on_change()

    def look_near(self, iteration: int) -> None:
        """Show the recorded moment nearest to an iteration."""
        if self._kept:
            self.look_at(self._nearest(iteration))

    def _place(self) -> int:
        """Where the moment looked at stands among the recorded ones, or the nearest that was kept."""
        return len(self._kept) - 1 if self.past is None else self._nearest(self.past.iteration)

    def _nearest(self, iteration: int) -> int:
        near = [abs(snap.iteration - iteration) for snap in self._kept]
        return near.index(min(near))
