"""The controls of the Abstraction page: the widgets of its settings, and a hand to find."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.ui.abstraction.settings import AbstractionSettings
from solverlab.ui.buttons import LEFT, button
from solverlab.ui.setting_widgets import Ask, SettingWidgets

ROW = {"sizing_mode": "stretch_width", "margin": 0}


class BucketControls(SettingWidgets[AbstractionSettings]):
    """How to bucket: metric, scheme, number, boundaries."""

    def buckets(self) -> pn.Column:
        """The widgets below each other; only those that matter for the scheme are seen."""
        numbers = pn.Row(*self.column("count", "inner"), **ROW)
        return pn.Column(*self.column("metric", "scheme"), numbers, *self.column("edges", "history"), **ROW)


class Controls(BucketControls):
    """Everything on the left: the street, the sequence so far, the bucketing, and a hand to find."""

    def __init__(
        self,
        settings: AbstractionSettings,
        asked: Callable[[Ask[AbstractionSettings]], None],
        find: Callable[[], None],
    ):
        self.hole = pn.widgets.TextInput(
            label="Hand",
            placeholder="AhKh",
            description="Two cards: a rank of 23456789TJQKA and a suit of cdhs.",
            **LEFT,
        )
        self.board = pn.widgets.TextInput(
            label="Board",
            placeholder="Td9d6h",
            description="None, 3, 4 or 5 cards in the order they came; the page goes to that street.",
            **LEFT,
        )
        self.find = button(
            "Find it", "Show this hand on the plot, its histogram and its way through the buckets."
        )
        self.name_hand(settings.hand, settings.board)
        super().__init__(settings, asked)
        self.find.on_click(lambda event: find())
        for field in (self.hole, self.board):
            field.param.watch(lambda event: find() if self.hole.value else None, "enter_pressed")

    def show(self, settings: AbstractionSettings) -> None:
        super().show(settings)
        self.prefix.disabled = settings.street == "preflop"

    def name_hand(self, hole: str, board: str) -> None:
        """Write a hand into the boxes."""
        self.hole.value, self.board.value = hole, board
