"""Finished runs kept beside the live one, to compare how fast methods approach equilibrium."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import panel as pn

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row
from solverlab.ui.buttons import button
from solverlab.ui.look import INLINE
from solverlab.ui.solve.convergence import SLOTS


@dataclass(frozen=True)
class KeptRun:
    """A frozen curve: which game it belongs to, its name in the legend, and its trace."""

    game: str
    name: str
    rows: tuple[Row, ...]


class Race:
    """The kept runs; only those of the game on the page are drawn, so that distances compare."""

    def __init__(self, on_change: Callable[[list[KeptRun]], None]):
        self._on_change = on_change
        self.runs: list[KeptRun] = []
        self.game = ""
        small = {"margin": (0, 4), "height": 34}
        self.keep = button(
            "Keep run", "Freeze this curve and keep it for comparison (key K).", width=80, **small
        )
        self.chosen = pn.widgets.Select(
            label="In the race",
            options=[],
            width=230,
            margin=(0, 4),
            stylesheets=[INLINE],
            description="Runs kept for comparison.",
        )
        self.remove = button("✕", "Take the chosen run out of the race.", width=34, **small)
        self.clear = button("Clear", "Take all runs out of the race.", width=62, **small)
        self.remove.on_click(lambda event: self.drop(self.chosen.value))
        self.clear.on_click(lambda event: self.drop_all())
        self.kept_row = pn.Row(self.chosen, self.remove, self.clear, margin=(4, 0, 0, 0), visible=False)
        self._refresh()

    def add(self, game: str, name: str, rows: list[Row]) -> KeptRun:
        """Keep a run; a second one of the same name gets a number."""
        if not rows or rows[-1]["iteration"] == 0:
            raise BadValue("there is nothing to keep yet; step or run first")
        if len(self.shown()) >= SLOTS - 1:
            raise BadValue(f"the race holds {SLOTS - 1} runs; remove one first")
        taken = {run.name for run in self.runs if run.game == game}
        names = [name, *(f"{name} #{k}" for k in range(2, SLOTS + 2))]
        kept = KeptRun(game, next(n for n in names if n not in taken), tuple(rows))
        self.runs.append(kept)
        self._refresh()
        return kept

    def drop(self, name: str | None) -> None:
        self.runs = [run for run in self.runs if (run.game, run.name) != (self.game, name)]
        self._refresh()

    def drop_all(self) -> None:
        self.runs = [run for run in self.runs if run.game != self.game]
        self._refresh()

    def shown(self) -> list[KeptRun]:
        return [run for run in self.runs if run.game == self.game]

    def of(self, game: str) -> None:
        """Another game came onto the page."""
        self.game = game
        self._refresh()

    def _refresh(self) -> None:
        names = [run.name for run in self.shown()]
        self.chosen.param.update(options=names, value=names[-1] if names else None)
        self._on_change(self.shown())
        self.kept_row.visible = bool(names)
