"""The controls of the 2-to-7 page: the rung, the stack, run and pause, and what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import panel as pn

from solverlab.solvers import SCHEDULES
from solverlab.ui.buttons import LEFT, RunButtons, button
from solverlab.ui.look import BUTTON, TEXT
from solverlab.ui.lowball.choice import BETTING, DECKS, Choice, read_stack, read_word
from solverlab.ui.lowball.table import LowballStrategy

SLIDER = (1.5, 10.0, 0.1)
ROW = {"sizing_mode": "stretch_width", "margin": 0}
SORTS = {"best hand first": "best", "most pushed first": "push", "most called first": "call"}
VIEWS = {"Solve": "solve", "Hands and draws": "hands", "Result file": "file"}
HALF = {"sizing_mode": "stretch_width", "margin": (2, 4), "min_width": 60}


class Controls:
    """Widgets; `changed` is called with a function from the old choice to the one a visitor wants."""

    def __init__(self, choice: Choice, changed: Callable[[Callable[[Choice], Choice]], None]):
        self._changed, self._quiet = changed, False
        self._make_rung()
        self._make_stack()
        self._make_views()
        self._make_curves()
        self.buttons = RunButtons()
        self.show(choice)
        self._wire()

    def _make_rung(self) -> None:
        group = {"stylesheets": [BUTTON], "sizing_mode": "stretch_width", "margin": (0, 4)}
        self.cards = pn.widgets.RadioButtonGroup(options={str(n): n for n in range(1, 6)}, **group)
        self.each = pn.widgets.RadioButtonGroup(options={str(n): n for n in range(1, 5)}, **group)
        self.deck = pn.widgets.Select(
            label="Deck",
            options={words: deck for deck, words in DECKS.items()},
            description="Suits are ignored unless the deck is real, which is played with five cards.",
            **HALF,
        )
        self.betting = pn.widgets.Select(
            label="Betting",
            options={words: name for name, (words, _) in BETTING.items()},
            description="All in or fold; then also a limp, a raise to 2, and a pot bet after the draw.",
            **HALF,
        )
        self.discard = pn.widgets.Select(
            label="Discards",
            options=["original", "free"],
            description="Original: say how many; multiples go first, then the highest. Free: any cards.",
            **HALF,
        )
        self.schedule = pn.widgets.Select(
            label="Schedule",
            options=list(SCHEDULES),
            description="The member of the CFR family; plain CFR is what the original project ran.",
            **HALF,
        )

    def _make_stack(self) -> None:
        start, end, step = SLIDER
        self.slider = pn.widgets.FloatSlider(
            label="Stack", start=start, end=end, step=step, show_value=False, bar_color="#0b5cad", **LEFT
        )
        self.stack = pn.widgets.TextInput(
            label="Typed stack",
            placeholder="e.g. 3.9",
            description="Blind included, the same for both; 1.01 to 100. Press Enter.",
            **LEFT,
        )
        text = {"stylesheets": [TEXT, ":host { font-size: 13px; }"], "sizing_mode": "stretch_width"}
        self.size = pn.pane.HTML("", margin=(2, 6), css_classes=["size"], **text)
        self.doing = pn.pane.HTML("", margin=(2, 6), css_classes=["doing"], **text)
        self.bar = pn.indicators.Progress(
            value=0, max=100, visible=False, height=14, margin=(2, 6), sizing_mode="stretch_width"
        )
        self.stop = button("Cancel", "Stop the work beside the page; what is solved stays.", visible=False)

    def _make_views(self) -> None:
        self.view = pn.widgets.RadioButtonGroup(options=VIEWS, stylesheets=[BUTTON], width=420, margin=0)
        words = {"left": "Left chart", "right": "Right chart"}
        self.decisions = {
            side: pn.widgets.Select(
                label=label, options=[], description="Whose decision, after what.", **LEFT
            )
            for side, label in words.items()
        }
        self.line = pn.widgets.Select(
            label="Draws after", options=[], description="The bets that led to the draw.", **HALF
        )
        self.hand = pn.widgets.TextInput(
            label="Plan of a hand",
            placeholder="e.g. 75",
            description="Its cards in any order, with suits on the real deck: 7s5h4d3c2c. Press Enter.",
            **HALF,
        )
        self.only = pn.widgets.TextInput(
            label="Only hands with",
            placeholder="e.g. 72",
            description="Ranks a hand must hold, 77 for a pair. Empty: all hands. Press Enter.",
            **HALF,
        )
        self.sort = pn.widgets.Select(
            label="Order", options=SORTS, description="How the table is sorted.", **HALF
        )

    def _make_curves(self) -> None:
        tall = {"height": 32}
        self.add = button(
            "Add to the curves",
            "Solve this rung at every stack from 1.5 to 10 and find its root.",
            width=142,
            **tall,
        )
        self.curves = pn.widgets.Select(
            options=[], height=32, margin=(3, 3), min_width=60, sizing_mode="stretch_width"
        )
        self.remove = button("Remove", "Take the chosen curve off the plot.", width=74, **tall)
        self.clear = button("Clear", "Take all curves off the plot.", width=58, **tall)

    def _wire(self) -> None:
        asks = {
            self.cards: lambda old, value: with_cards(old, value),
            self.each: lambda old, value: replace(old, each=value),
            self.deck: lambda old, value: with_deck(old, value),
            self.betting: lambda old, value: replace(old, betting=value),
            self.discard: lambda old, value: replace(old, discard=value),
            self.schedule: lambda old, value: replace(old, schedule=value),
            self.slider: lambda old, value: replace(old, stack=round(float(value), 2)),
            self.stack: lambda old, value: replace(old, stack=read_stack(value)),
            self.view: lambda old, value: replace(old, show=value),
            self.decisions["left"]: lambda old, value: replace(old, left=value),
            self.decisions["right"]: lambda old, value: replace(old, right=value),
            self.line: lambda old, value: replace(old, line=value),
            self.hand: lambda old, value: replace(old, hand=read_word(value)),
            self.only: lambda old, value: replace(old, only=read_word(value)),
            self.sort: lambda old, value: replace(old, sort=value),
        }
        for widget, ask in asks.items():
            widget.param.watch(self._asking(ask), "value")

    def _asking(self, ask: Callable[[Choice, object], Choice]) -> Callable:
        def moved(event) -> None:
            if not self._quiet and event.new is not None:
                self._changed(lambda old: ask(old, event.new))

        return moved

    def show(self, choice: Choice) -> None:
        """Set every widget to a choice made elsewhere, such as in a link."""
        self._quiet = True
        for name in ("cards", "each", "deck", "betting", "discard", "schedule", "hand", "only", "sort"):
            getattr(self, name).value = getattr(choice, name)
        self.view.value = choice.show
        self.slider.value = min(max(choice.stack, SLIDER[0]), SLIDER[1])
        self.stack.value = f"{choice.stack:g}"
        self.each.disabled = self.cards.disabled = choice.deck == "real"
        self.schedule.visible = choice.exact  # whole decks are solved by DCFR
        self._quiet = False

    def offer(self, strategy: LowballStrategy, choice: Choice) -> None:
        """The decisions and lines of betting that a strategy has."""
        self._quiet = True
        for side, select in self.decisions.items():
            _offered(select, strategy.decisions, getattr(choice, side))
        _offered(self.line, strategy.lines, choice.line)
        self._quiet = False

    def list_curves(self, names: list[str]) -> None:
        """Which curves can be removed."""
        if list(self.curves.options) != names:
            kept = self.curves.value if self.curves.value in names else (names[-1] if names else None)
            self.curves.param.update(options=names, value=kept)
            self.remove.disabled = self.clear.disabled = not names

    def left(self, notice: pn.viewable.Viewable) -> pn.Column:
        """Everything on the left but the exports."""
        label = {"stylesheets": [TEXT, ":host { font-size: 14px; }"], "margin": (2, 6, 0, 6)}
        return pn.Column(
            pn.pane.HTML("Cards a player", **label), self.cards,
            pn.pane.HTML("Cards of each rank", **label), self.each,
            pn.Row(self.deck, self.betting, **ROW),
            pn.Row(self.discard, self.schedule, **ROW),
            pn.Row(self.slider, self.stack, **ROW),
            self.size, self.buttons.layout(),
            pn.Column(notice, self.doing, self.bar, self.stop, **ROW),
            **ROW,
        )  # fmt: skip


def _offered(select: pn.widgets.Select, words: dict[str, str], value: str) -> None:
    options = {told: key for key, told in words.items()}
    if select.options != options or select.value != value:
        select.param.update(options=options, value=value)


def with_cards(old: Choice, cards: int) -> Choice:
    """Another number of cards, with what that takes: enough cards a rank, and free discards from four on."""
    wanted = replace(old, cards=cards)
    if cards > 3:
        wanted = replace(wanted, discard="free", betting="push", each=max(old.each, 2))
    elif 4 * cards > 12 and old.each == 1 or cards == 3 and old.betting in ("after", "all"):
        wanted = replace(wanted, betting="push" if old.betting in ("after", "all") else old.betting)
    return wanted


def with_deck(old: Choice, deck: str) -> Choice:
    """Another deck; the real one is played with five cards, and leaving it goes back to one."""
    if old.deck == "real" and deck != "real":
        return Choice(deck=deck, stack=old.stack, show=old.show)
    return replace(old, deck=deck)
