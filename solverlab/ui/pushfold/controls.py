"""The controls of the Push/fold page: players, stack, what the grids show, and a hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import panel as pn

from solverlab.ui.buttons import LEFT, button
from solverlab.ui.look import BUTTON, CARD, TEXT
from solverlab.ui.pushfold.choice import NODES, Choice, read_hand, read_stack

SLIDER = (1.5, 25.0, 0.5)
READING = (
    "<p>Blinds 0.5 and 1, equal stacks, <b>all in or fold</b>. Pairs on the diagonal, suited above, offsuit "
    "below. Light folds, dark goes in. Click a hand for its curve over all stacks.</p>"
)
KEYS = "<p class='quiet'>Keys: <kbd>[</kbd> <kbd>]</kbd> half a big blind, <kbd>C</kbd> stack or chart.</p>"


class Controls:
    """Widgets; `changed` is called with a function from the old choice to the one a visitor wants."""

    def __init__(self, choice: Choice, changed: Callable[[Callable[[Choice], Choice]], None]):
        self._changed, self._quiet = changed, False
        self._make_what_is_solved()
        self._make_what_is_shown()
        self.show(choice)
        self._wire()

    def _make_what_is_solved(self) -> None:
        group = {"stylesheets": [BUTTON], "sizing_mode": "stretch_width", "margin": (2, 4)}
        self.players = pn.widgets.RadioButtonGroup(options={"Heads-up": 2, "Three players": 3}, **group)
        start, end, step = SLIDER
        self.slider = pn.widgets.FloatSlider(
            label="Stack", start=start, end=end, step=step, show_value=False, bar_color="#0b5cad", **LEFT
        )
        self.stack = pn.widgets.TextInput(
            label="Stack in big blinds",
            placeholder="e.g. 7.5",
            description="Blind included, the same for everybody; 1.01 to 100. Press Enter.",
            **LEFT,
        )

    def _make_what_is_shown(self) -> None:
        group = {"stylesheets": [BUTTON], "sizing_mode": "stretch_width", "margin": (2, 4)}
        views = {"At this stack": "stack", "Chart by stack": "chart"}
        self.view = pn.widgets.RadioButtonGroup(options=views, **group)
        sides = {"left": "Left grid", "right": "Right grid"}
        self.nodes = {
            side: pn.widgets.Select(
                label=label, options=[], description="Whose decision, after what.", **LEFT
            )
            for side, label in sides.items()
        }
        self.hand = pn.widgets.TextInput(
            label="Hand",
            placeholder="click one, or type 43s",
            description="The hand whose curve is drawn; empty for all hands together. Press Enter.",
            **LEFT,
        )
        self.doing = pn.pane.HTML("", stylesheets=[TEXT], margin=(4, 6), sizing_mode="stretch_width")
        self.bar = pn.indicators.Progress(
            value=0, max=100, visible=False, height=16, margin=(2, 6), sizing_mode="stretch_width"
        )
        self.stop = button("Cancel", "Stop solving; what is solved stays.", visible=False)
        self.doing.css_classes = ["doing"]

    def _wire(self) -> None:
        asks = {
            self.players: lambda old, value: old.with_players(value),
            self.slider: lambda old, value: replace(old, stack=round(float(value), 2)),
            self.stack: lambda old, value: replace(old, stack=read_stack(value)),
            self.view: lambda old, value: replace(old, show=value),
            self.nodes["left"]: lambda old, value: replace(old, left=value),
            self.nodes["right"]: lambda old, value: replace(old, right=value),
            self.hand: lambda old, value: replace(old, hand=read_hand(value)),
        }
        for widget, ask in asks.items():
            widget.param.watch(self._asking(ask), "value")

    def _asking(self, ask: Callable[[Choice, object], Choice]) -> Callable:
        def moved(event) -> None:
            if not self._quiet:
                self._changed(lambda old: ask(old, event.new))

        return moved

    def show(self, choice: Choice) -> None:
        """Set every widget to a choice made elsewhere, such as in a link."""
        self._quiet = True
        self.players.value, self.view.value = choice.players, choice.show
        self.slider.value = min(max(choice.stack, SLIDER[0]), SLIDER[1])
        self.stack.value, self.hand.value = f"{choice.stack:g}", choice.hand
        options = {words: node for node, words in NODES[choice.players].items()}
        for side, select in self.nodes.items():
            node = getattr(choice, side)
            select.param.update(options=options, value=node, visible=choice.players == 3)
        self._quiet = False

    def layout(self, notice: pn.viewable.Viewable) -> pn.Column:
        """Everything on the left but the exports."""
        text = {
            "stylesheets": [TEXT, ":host { font-size: 14px; }"],
            "sizing_mode": "stretch_width",
            "margin": (4, 6),
        }
        card = CARD | {"padding": "8px", "box-sizing": "border-box"}
        return pn.Column(
            self.players, self.slider, self.stack, self.view, *self.nodes.values(), self.hand,
            pn.Column(notice, self.doing, self.bar, self.stop, sizing_mode="stretch_width", margin=0),
            pn.pane.HTML(READING + KEYS, styles=card, **text),
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
