"""What one can press, choose and drag in the notebook laboratory; it decides nothing."""

from __future__ import annotations

import ipywidgets as widgets

from solverlab.core.names import Names
from solverlab.solvers import SAMPLINGS, SCHEDULES, Schedule
from solverlab.ui.notebook.curve_widget import CurveWidget
from solverlab.ui.notebook.scrub_widget import ScrubWidget
from solverlab.ui.tree.widget import TreeWidget
from solverlab.views.theme import CLOCKS

STEPS = (1, 10, 100)
# A menu shows None as nothing chosen, so "no limit" and "nothing is drawn" are 0 and the empty text.
SPEEDS = {"no limit": 0, "1 a frame": 1, "10 a frame": 10, "100 a frame": 100}
EVERYTHING = ""
RUN, PAUSE = "▶ Run", "❚❚ Pause"


class Controls:
    """The widgets of a laboratory by name, and `box`, which holds them all."""

    def __init__(self, names: Names, schedule: Schedule, sampling: str | None):
        rows = {**SCHEDULES, schedule.name: schedule}
        self.schedule = choice("Schedule", rows, schedule, "Which member of the CFR family learns", 140)
        drawn = {"none": EVERYTHING, **{name: name for name in SAMPLINGS}}
        told = "What each iteration draws at random; none: it visits every branch"
        self.sampling = choice("Sampling", drawn, sampling or EVERYTHING, told, 155)
        self.speed = choice("Speed", SPEEDS, 0, "Iterations between two looks; five looks a second", 155)
        clocks = {label: name for name, label in CLOCKS.items()}
        self.clock = choice("Clock", clocks, "iteration", "What the curve's x axis counts", 190)
        self.steps = {n: button(f"Step {n}", f"Do {n} more, then rest") for n in STEPS}
        self.run = button(RUN, "Go on until paused, or pause")
        self.reset = button("Reset", "Forget everything and start over")
        self.newest = button("Newest", "Follow the newest iteration again")
        self.scrub = ScrubWidget(help="Drag to an earlier recorded moment", layout={"width": "360px"})
        hands = {hand or "–": hand for hand in names.hands}
        self.hand = choice("Hand", hands, names.hands[0], "Whose probabilities the tree shows", 105)
        which = {"average": "policy", "current": "current"}
        told = "The average, which converges, or what is played now"
        self.which = choice("Strategy", which, "policy", told, 150)
        self.status, self.strategy, self.microscope = (widgets.HTML() for _ in range(3))
        self.curve, self.tree = CurveWidget(height=190), TreeWidget(height=390)
        self.box = self._arranged(len(names.hands) > 1)

    def _arranged(self, several_hands: bool) -> widgets.VBox:
        top = strip(*self.steps.values(), self.run, self.reset, self.speed, self.schedule, self.sampling)
        looking = strip(self.scrub, self.newest, self.clock, self.which, *[self.hand] * several_hands)
        left = widgets.VBox([self.curve, self.strategy], layout=share(2))
        right = widgets.VBox([self.tree], layout=share(3))
        wide = widgets.Layout(width="100%")
        pictures = strip(left, right)
        return widgets.VBox([top, looking, self.status, pictures, self.microscope], layout=wide)

    def all(self) -> list[widgets.Widget]:
        """Everything one can press, choose or drag."""
        chosen = [self.schedule, self.sampling, self.speed, self.clock, self.hand, self.which, self.scrub]
        return [*self.steps.values(), self.run, self.reset, self.newest, *chosen]


def strip(*parts: widgets.Widget) -> widgets.HBox:
    """Side by side while there is room, below each other where a page is narrow."""
    layout = widgets.Layout(flex_flow="row wrap", align_items="flex-start", width="100%")
    return widgets.HBox(parts, layout=layout)


def share(parts: int) -> widgets.Layout:
    """So many parts of a strip's width."""
    return widgets.Layout(min_width="320px", flex=f"{parts} 1 320px", padding="2px")


def button(words: str, help_text: str, wide: int = 84) -> widgets.Button:
    """Something to press."""
    return widgets.Button(description=words, tooltip=help_text, layout=widgets.Layout(width=f"{wide}px"))


def choice(words: str, options: dict, value: object, help_text: str, wide: int) -> widgets.Dropdown:
    """A menu; `options` by the words shown."""
    chosen = widgets.Dropdown(
        options=list(options.items()), value=value, description=words, tooltip=help_text
    )
    chosen.style.description_width, chosen.layout.width = "initial", f"{wide}px"
    return chosen
