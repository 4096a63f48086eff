"""Taking 2-to-7 home: strategy and curves as CSV, the plots as PNG, the curves as SVG, a result file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import panel as pn

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.store.lowball_results import write_lowball_results
from solverlab.ui.download import text_download
from solverlab.ui.lowball.hands import sorted_hands
from solverlab.ui.lowball.rung import PROXY
from solverlab.ui.parts.picture import picture_button

if TYPE_CHECKING:
    from solverlab.ui.lowball.page import LowballPage

NOT_YET = "nothing is solved yet; wait until the charts have numbers, or press Run"


class Exports:
    """Downloads of what the page shows when they are pressed."""

    def __init__(self, page: LowballPage):
        self.page = page
        self.strategy = self._download(
            "Strategy CSV", "2-to-7-strategy.csv", self.strategy_csv, "Every hand, bet and discard."
        )
        self.curve = self._download(
            "Curves CSV", "2-to-7-curves.csv", self.curves_csv, "Value by stack of every curve on the plot."
        )
        curves = page.curves.plot.figure
        self.svg = picture_button(
            "Curves SVG", "The curves for slides and papers.", [curves], "2-to-7-curves.svg", height=32
        )
        self.json = self._download(
            "Result JSON", "2-to-7.json", self.result_file, "In the original project's format (push/fold)."
        )
        plots = [*(plot.figure for plot in page.plots), page.gap.figure, curves]
        self.png = picture_button(
            "Charts PNG", "The four charts as they are on the screen.", plots, "2-to-7.png", height=32
        )

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            pn.Row(self.strategy, self.curve, **row),
            pn.Row(self.svg, self.json, **row),
            pn.Row(self.png, **row),
            **row,
        )

    def strategy_csv(self) -> str:
        """One row an infoset and action; on whole decks one row a hand with its likeliest discards."""
        strategy, snap = self.page.strategy, self.page.snap
        if strategy is None or snap is None:
            raise BadValue(NOT_YET)
        if strategy.exact:
            return snap.policy.frame().to_csv(index=False)
        chosen, (push, call) = self.page.settings.line, strategy.going_in()
        line = chosen if chosen in strategy.lines else "aa"
        hands = sorted_hands(strategy, self.page.settings.only, self.page.settings.sort)
        seats = ["big blind", *(f"button saw {n}" for n in range(strategy.cards + 1))]
        columns: dict[str, list] = {name: [] for name in ("hand", "all-in", "call", *seats)}
        for number in map(int, hands):
            columns["hand"].append(strategy.hand(number))
            columns["all-in"].append(round(float(push[number]), 5))
            columns["call"].append(round(float(call[number]), 5))
            for seat, (_, mix) in zip(seats, strategy.draws(number, line), strict=True):
                columns[seat].append("; ".join(f"{words} {share:.4f}" for words, share in mix))
        return frame(columns).to_csv(index=False)

    def curves_csv(self) -> str:
        """One row a rung and stack: the value, how exactly it is known, and the rung's root."""
        rows = [row for curve in self.page.curves.curves for row in curve.table()]
        if not rows:
            raise BadValue("there is no curve yet; press Add to the curves")
        names = list(dict.fromkeys(name for row in rows for name in row))
        return frame({name: [row.get(name) for row in rows] for name in names}).to_csv(index=False)

    def result_file(self) -> str:
        """The strategy in the original project's format, which tells push/fold with its own discards."""
        strategy, snap = self.page.strategy, self.page.snap
        if strategy is None or snap is None:
            raise BadValue(NOT_YET)
        if not strategy.exact:
            raise BadValue("the original format holds 1 to 3 cards without suits; choose such a rung")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            write_lowball_results(path, strategy.game, snap.policy, self._series())
            return path.read_text(encoding="utf-8")

    def _series(self) -> dict[str, list[float]]:
        """What the format notes of a run: plain CFR has the regret that it calls a Nash distance."""
        rows = [row for row in self.page.solving.runner.trace.rows if PROXY in row]
        return {
            "iterations": [row["iteration"] for row in rows],
            "expected_values": [row["value"] for row in rows],
            "regrets": [row[PROXY] / 2 for row in rows],
            "nash_distances": [row[PROXY] for row in rows],
        }

    def _download(
        self, label: str, filename: str, make: Callable[[], str], help: str
    ) -> pn.widgets.FileDownload:
        return text_download(label, filename, make, help, self.page.complain, height=32)
