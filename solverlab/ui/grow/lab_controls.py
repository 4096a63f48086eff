"""What one can press, choose and type in the growing laboratory of a notebook; it decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as widgets

from solverlab.ui.grow.forest_widget import ForestWidget
from solverlab.ui.notebook.curve_widget import CurveWidget
from solverlab.ui.notebook.lab_controls import button, choice, share, strip
from solverlab.ui.notebook.scrub_widget import ScrubWidget

WIDE = 100
PLAY, PAUSE = "▶ Play", "❚❚ Pause"
COLOURS = {"EV": "EV", "who acts": "player", "kind of node": "kind"}
APART = {"each hand apart": True, "hands as one": False}
TREE, CURVE, NODE = 468, 156, 308  # pixels high


class GrowControls:
    """The widgets of a growing laboratory by name, and `box`, which holds them all."""

    def __init__(self, seats: Sequence[str], hands: Sequence[str], grows: bool):
        self.play = button(PLAY, "Rebalance and expand in turns until paused, or pause")
        self.rebalance = button("Rebalance", "One sweep: EVs of all nodes, then all probabilities", WIDE)
        self.expand = button("Expand", "Grow the chosen leaves by one level")
        self.sub_step = button("Sub-step", "Leaves, back-up, update: one at a time")
        self.grow = button("Grow node", "Expand the node selected in the tree", WIDE)
        self.reset = button("Start over", "Throw the trees away and begin anew", WIDE)
        whose = {"all seats": -1} | {name: seat for seat, name in enumerate(seats)}
        self.seat = choice("Seat", whose, -1, "Whose trees are drawn", 170)
        self.hand = _box("Hand", "all hands", "Hands whose trees are drawn, with commas between them", hands)
        self.apart = choice("Draw", APART, True, "A tree for each hand, or one for all of them", 185)
        self.colour = choice("Colour", COLOURS, "EV", "What the colours of the nodes mean", 175)
        self.scrub = ScrubWidget(help="Go back to an earlier sweep", layout={"width": "330px"})
        self.changes = _box("Branch with", "scale=2, k=1", "What changes on the new way; empty: nothing", ())
        self.branch = button("Branch", "Go another way from the sweep shown")
        self.runs = choice("Way", {"run 1": "run 1"}, "run 1", "The ways gone so far", 260)
        self.status, self.alarm, self.node = (widgets.HTML() for _ in range(3))
        self.forest, self.curve = ForestWidget(height=TREE), CurveWidget(height=CURVE)
        self.growing = [self.expand, self.grow]
        for one in self.growing:
            one.disabled = not grows
        self.box = self._arranged(len(hands) > 1)

    def _arranged(self, several_hands: bool) -> widgets.VBox:
        orders = [self.play, self.rebalance, self.expand, self.sub_step, self.grow, self.reset]
        looks = [self.seat, *[self.hand, self.apart] * several_hands, self.colour]
        way = [self.scrub, self.changes, self.branch, self.runs]
        self.node.layout = widgets.Layout(height=f"{NODE}px", overflow="auto", width="100%", margin="0 0 4px")
        left = widgets.VBox([self.forest], layout=share(4))
        right = widgets.VBox([self.node, self.curve], layout=share(3))
        parts = [strip(*orders), strip(*looks), strip(*way), self.status, self.alarm, strip(left, right)]
        return widgets.VBox(parts, layout=widgets.Layout(width="100%"))

    def all(self) -> list[widgets.Widget]:
        """Everything one can press, choose, type or drag."""
        pressed = [self.play, self.rebalance, self.sub_step, self.reset, self.branch, *self.growing]
        return [*pressed, self.seat, self.hand, self.apart, self.colour, self.scrub, self.changes, self.runs]


def _box(words: str, example: str, help_text: str, known: Sequence[str]) -> widgets.Combobox:
    """A box to type into that knows some words already."""
    made = widgets.Combobox(
        options=tuple(known), description=words, placeholder=example, tooltip=help_text,
        continuous_update=False,
    )  # fmt: skip
    made.style.description_width, made.layout.width = "initial", "190px"
    return made
