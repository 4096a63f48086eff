"""Which trees are drawn and how; and the slider over the way they took."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import panel as pn

from solverlab.ui.buttons import button
from solverlab.ui.look import BUTTON, INLINE

COLOURS = {"Colour: EV": "EV", "Colour: who acts": "player", "Colour: kind of node": "kind"}
APART = {"Each hand apart": True, "Hands as one": False}
PLOTS = {
    "gain": "Plot: gain of a seat",
    "inside": "Plot: truncated game",
    "lifted": "Plot: whole, average",
    "current_lifted": "Plot: whole, current",
}
PACES = {"Play: every sweep is drawn": True, "Play: as fast as it can": False}
WHOLE = {"sizing_mode": "stretch_both", "margin": 0, "styles": {"min-height": "0", "min-width": "0"}}
FADE = "select.bk-input { text-overflow: ellipsis; padding-left: 8px; }"  # a long choice ends in dots
# Their choices speak for themselves, so their names are heard and not seen.
SELECT = {"stylesheets": [INLINE, FADE], "sizing_mode": "stretch_width", "margin": (2, 4)}
SELECT |= {"css_classes": ["nameless"]}


class Looks:
    """Whose trees, apart or as one, coloured by what; and which distance the plot below shows."""

    def __init__(self, changed: Callable[[], None], recoloured: Callable[[], None]):
        self.seat = pn.widgets.Select(label="Whose trees", options={"All seats": -1}, value=-1, **SELECT)
        self.apart = pn.widgets.Select(label="Hands", options=APART, value=True, **SELECT)
        self.colour = pn.widgets.Select(label="Colour of the tree", options=COLOURS, value="EV", **SELECT)
        self.measure = pn.widgets.Select(
            label="Plot", options={PLOTS["gain"]: "gain"}, value="gain", **SELECT
        )
        self.paced = pn.widgets.Select(label="Pace", options=PACES, value=True, **SELECT)
        for widget in (self.seat, self.apart):
            widget.param.watch(lambda event: changed(), "value")
        for widget in (self.colour, self.measure):
            widget.param.watch(lambda event: recoloured(), "value")

    def offer(self, seats: tuple[str, ...], exact: bool) -> None:
        """Another game: its seats, and the distances that are known for it."""
        seats_by_name = {"All seats": -1} | {name[:1].upper() + name[1:]: p for p, name in enumerate(seats)}
        self.seat.param.update(options=seats_by_name, value=-1)
        options = {words: name for name, words in PLOTS.items() if exact or name == "gain"}
        self.measure.param.update(options=options, value="current_lifted" if exact else "gain")


class Sides:
    """Several panes in one place, one at a time; unlike Panel's tabs they fill whatever room there is."""

    def __init__(self, bodies: dict[str, pn.viewable.Viewable], turned: Callable[[], None]):
        self._turned = turned
        self.names = list(bodies)
        self.bodies = [pn.Column(body, **WHOLE) for body in bodies.values()]
        self.buttons = pn.widgets.RadioButtonGroup(
            options=self.names, value=self.names[0], stylesheets=[BUTTON], sizing_mode="stretch_width",
            margin=(2, 4, 4, 4),
        )  # fmt: skip
        self.buttons.param.watch(lambda event: self._turn(), "value")
        self._turn()

    @property
    def active(self) -> int:
        return self.names.index(self.buttons.value)

    @active.setter
    def active(self, place: int) -> None:
        self.buttons.value = self.names[place]

    def _turn(self) -> None:
        for name, body in zip(self.names, self.bodies, strict=True):
            if body.visible != (name == self.buttons.value):
                body.visible = name == self.buttons.value
        self._turned()


class Watched:
    """Two menus of probabilities: what the phase portrait draws across and up."""

    def __init__(self, changed: Callable[[], None]):
        none = {"click a node": -1}
        self.across, self.up = (
            pn.widgets.Select(label=f"Probability drawn {way}", options=none, value=-1, **SELECT)
            for way in ("from left to right", "upwards")
        )
        self.known: dict[str, int] = {}
        self._quiet = False
        for widget in (self.across, self.up):
            widget.param.watch(lambda event: None if self._quiet else changed(), "value")

    @property
    def two(self) -> tuple[int, int]:
        return self.across.value, self.up.value

    @property
    def names(self) -> tuple[str, str]:
        """What the two menus say, for the axes."""
        said = {watch: name for name, watch in self.known.items()}
        return said.get(self.across.value, "one probability"), said.get(self.up.value, "another")

    def offer(self, watches: dict[str, int]) -> None:
        """Another game: its probabilities, the first and the last of them chosen."""
        self.known = dict(watches)
        options = self.known or {"click a node": -1}
        values = list(options.values())
        self._quiet = True  # both at once: half of a choice belongs to the game before
        self.across.param.update(options=options, value=values[0])
        self.up.param.update(options=options, value=values[-1])
        self._quiet = False

    def learn(self, watches: dict[str, int]) -> None:
        """Probabilities of a decision that was looked at; the first two are drawn at once."""
        if watches.keys() <= self.known.keys():
            return
        fresh = not self.known
        self.known |= watches
        for place, widget in enumerate((self.across, self.up)):
            value = list(watches.values())[place - len(watches)] if fresh else widget.value
            widget.param.update(options=dict(self.known), value=value)


class TimeTravel:
    """A slider over the kept moments, a button to go another way, and a menu of the ways gone."""

    def __init__(
        self, go_to: Callable[[int], None], branch: Callable[[], None], switch: Callable[[str], None]
    ):
        self._sweeps: list[int] = []
        self._offered = 0.0
        self.slider = pn.widgets.IntSlider(
            label="Look back", start=0, end=1, value=0, disabled=True, show_value=False,
            sizing_mode="stretch_width", margin=(2, 8),
        )  # fmt: skip
        self.branch = button(
            "Branch", "Go another way from here, with the settings on the left (N).", width=84
        )
        self.runs = pn.widgets.Select(
            label="Run", options=["run 1"], value="run 1", width=150, margin=(6, 4), css_classes=["nameless"]
        )
        # Only what a hand did: while Python moves the slider the page may echo an older `value` back.
        self.slider.param.watch(lambda event: go_to(event.new), "value_throttled")
        self.branch.on_click(lambda event: branch())
        self._quiet = False
        self.runs.param.watch(lambda event: None if self._quiet else switch(event.new), "value")

    def show(self, sweeps: list[int], place: int, running: bool, runs: list[str], run: str) -> None:
        """These moments are kept; while trees grow the slider follows every few seconds."""
        if list(self.runs.options) != runs or self.runs.value != run:
            self._quiet = True
            self.runs.param.update(options=runs, value=run)
            self._quiet = False
        if running and monotonic() - self._offered < 2.0:
            return
        if (sweeps, place) != (self._sweeps, self.slider.value):
            self._offered, self._sweeps = monotonic(), sweeps
            self.slider.param.update(end=max(len(sweeps) - 1, 1), value=place, disabled=len(sweeps) < 2)
