"""How large the standard tree would be: a calculator beside the trees, for why opponents have nodes here."""

from __future__ import annotations

import panel as pn

from solverlab.games.holdem.rules import MOST_PLAYERS
from solverlab.studies.branching import MOST_ACTIONS, branching_between
from solverlab.ui.grow.controls import WHOLE
from solverlab.ui.look import TEXT

SLIDER = {"sizing_mode": "stretch_width", "margin": (2, 8)}


class TreeSize:
    """Two sliders, players and actions, and the branches between two own decisions."""

    def __init__(self) -> None:
        self.players = pn.widgets.IntSlider(label="Players", start=2, end=MOST_PLAYERS, value=10, **SLIDER)
        self.actions = pn.widgets.IntSlider(label="Actions", start=2, end=MOST_ACTIONS, value=3, **SLIDER)
        self.told = pn.pane.HTML("", stylesheets=[TEXT], sizing_mode="stretch_width", margin=(2, 8))
        for slider in (self.players, self.actions):
            slider.param.watch(lambda event: self._tell(), "value")
        self._tell()

    def _tell(self) -> None:
        players, actions = self.players.value, self.actions.value
        self.told.object = (
            f"<p>{actions}<sup>{players - 1}</sup> = <b>{branching_between(players, actions):,}</b> branches "
            f"between two own decisions, if every opponent may do everything. With a node for each opponent "
            f"no node has more than <b>{actions}</b>.</p>"
        )

    def layout(self) -> pn.Card:
        """A card that opens on a click."""
        title = "How large would the standard tree be?"
        parts = [self.players, self.actions, self.told]
        return pn.Card(
            *parts, title=title, collapsed=True, margin=(8, 4), sizing_mode="stretch_width", styles=WHOLE
        )
