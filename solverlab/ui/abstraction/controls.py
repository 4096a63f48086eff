"""The controls of the Abstraction page, with their help, and the choice they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import panel as pn

from solverlab.cards.cards import STREETS
from solverlab.ui.abstraction.choice import METRICS, SCHEMES, Choice
from solverlab.ui.buttons import button

WIDE = {"sizing_mode": "stretch_width", "margin": (2, 4)}
ROW = {"sizing_mode": "stretch_width", "margin": 0}
SIZES = ("5", "6", "8", "10", "12", "20", "50")
ALL = "all hands"


class BucketControls:
    """How to bucket: metric, scheme, number, history. `changed` hears of every change a visitor makes."""

    def __init__(self, choice: Choice, changed: Callable[[], None]):
        self._make_scheme()
        self._make_boundaries()
        self.show(choice)
        for widget in self.widgets():
            widget.param.watch(lambda event: (self.show_needed(), changed()), "value")

    def _make_scheme(self) -> None:
        self.metric = pn.widgets.Select(
            label="Metric",
            options=METRICS,
            description="What orders the hands. E[HS²] lifts hands that may become strong.",
            **WIDE,
        )
        self.scheme = pn.widgets.Select(
            label="Scheme",
            options=SCHEMES,
            description="Percentile: every bucket holds the same share of deals. Nested: by E[HS²], then "
            "each part by E[HS]. Fixed ranges: equal steps of the metric, some nearly empty. Linear: "
            "int(E[HS] x n). k-means: clusters of alike hands (preflop and flop).",
            **WIDE,
        )
        self.count = pn.widgets.IntInput(
            label="Buckets",
            start=1,
            end=200,
            description="Buckets a street: the document uses 5, 6, 8 and 10.",
            **WIDE,
        )
        self.inner = pn.widgets.IntInput(
            label="x parts",
            start=1,
            end=20,
            description="Parts of each bucket by E[HS]: 5 x 2 and 6 x 2.",
            **WIDE,
        )

    def _make_boundaries(self) -> None:
        self.edges = pn.widgets.TextInput(
            label="Own boundaries",
            placeholder="0.2, 0.4, 0.7, 0.9",
            description="Rising numbers between 0 and 1; a high last one leaves few hands to the top.",
            **WIDE,
        )
        self.history = pn.widgets.Select(
            label="Boundaries",
            options={"per sequence (history)": True, "one set a street": False},
            description="History: every bucket sequence so far has boundaries of its own. Otherwise one set "
            "a street, whatever came before, as PsOpti4 had.",
            **WIDE,
        )

    def widgets(self) -> tuple:
        return self.metric, self.scheme, self.count, self.inner, self.edges, self.history

    def show(self, choice: Choice) -> None:
        """Set every widget to a choice."""
        for name in ("metric", "scheme", "count", "inner", "edges", "history"):
            getattr(self, name).value = getattr(choice, name)
        self.show_needed()

    def show_needed(self) -> None:
        """Only the fields that matter for the scheme."""
        scheme = self.scheme.value
        self.metric.visible = scheme in ("percentile", "ranges", "own")
        self.count.visible, self.inner.visible = scheme != "own", scheme == "nested"
        self.edges.visible = scheme == "own"
        self.history.visible = scheme in ("percentile", "nested")

    def read(self, choice: Choice) -> Choice:
        """A choice with what the widgets say."""
        return replace(
            choice,
            metric="ehs" if self.scheme.value == "linear" else self.metric.value,
            scheme=self.scheme.value,
            count=self.count.value or 5,
            inner=self.inner.value or 1,
            edges=self.edges.value or "0.2, 0.4, 0.6, 0.8",
            history=bool(self.history.value),
        )

    def layout(self) -> pn.Column:
        numbers = pn.Row(self.count, self.inner, **ROW)
        return pn.Column(self.metric, self.scheme, numbers, self.edges, self.history, **ROW)


class Controls:
    """Everything on the left: the street, the sequence so far, the bucketing, and a hand to find."""

    def __init__(self, choice: Choice, changed: Callable[[], None], find: Callable[[], None]):
        self.street = pn.widgets.RadioButtonGroup(
            label="Street",
            options=list(STREETS),
            value=choice.street,
            margin=(2, 4),
            sizing_mode="stretch_width",
        )
        self.prefix = pn.widgets.Select(
            label="Sequence so far",
            description="Only hands whose earlier buckets are these; 2 is the second preflop bucket.",
            **WIDE,
        )
        self.buckets = BucketControls(choice, changed)
        self.hole = pn.widgets.TextInput(
            label="Hand",
            placeholder="AhKh",
            description="Two cards: a rank of 23456789TJQKA and a suit of cdhs.",
            **WIDE,
        )
        self.board = pn.widgets.TextInput(
            label="Board",
            placeholder="Td9d6h",
            description="None, 3, 4 or 5 cards in the order they came; the page goes to that street.",
            **WIDE,
        )
        self.find = button(
            "Find it", "Show this hand on the plot, its histogram and its way through the buckets."
        )
        self.offer(choice)
        self.street.param.watch(lambda event: changed(), "value")
        self.prefix.param.watch(lambda event: changed(), "value")
        self.find.on_click(lambda event: find())
        for field in (self.hole, self.board):
            field.param.watch(lambda event: find() if self.hole.value else None, "enter_pressed")

    def offer(self, choice: Choice) -> None:
        """The sequences that lead to the street; more than three hundred are more than anybody reads."""
        depth = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}[choice.street]
        n = choice.total
        words = [""] if depth else []
        for _ in range(depth if n**depth <= 400 else 0):
            words = [f"{word}:{bucket + 1}".lstrip(":") for word in words for bucket in range(n)]
        options = {ALL: "", **{word: word for word in words if word}}
        value = choice.prefix if choice.prefix in options.values() else ""
        if list(self.prefix.options or {}) != list(options) or self.prefix.value != value:
            self.prefix.param.update(options=options, value=value)
        self.prefix.disabled = not depth

    def read(self, choice: Choice) -> Choice:
        """A choice with what the widgets say; a sequence of another street is dropped."""
        read = self.buckets.read(choice)
        same = (read.total, self.street.value) == (choice.total, choice.street)
        return replace(read, street=self.street.value, prefix=(self.prefix.value or "") if same else "")
