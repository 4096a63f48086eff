"""The third tab: what abstractions cost in games small enough to measure exactly."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.games.pushfold.game import check_stack
from solverlab.studies.price import changed_actions
from solverlab.studies.price_sweeps import ITERATIONS, Sweep, sweep, what_history_does
from solverlab.ui.abstraction.html import STYLE, table
from solverlab.ui.abstraction.look import BODY
from solverlab.ui.abstraction.picture import Picture
from solverlab.ui.buttons import button
from solverlab.ui.look import CARD, TEXT
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.tasks import TaskQueue
from solverlab.views.bucket_price import price_curves

FULL = {"sizing_mode": "stretch_both", "margin": 0}
WIDE = {"sizing_mode": "stretch_width", "margin": (2, 4)}
GAMES = {"Leduc hold'em": "leduc", "push/fold hold'em": "push/fold"}
INTRO = (
    "<p>Players who see only buckets solve a smaller game. Their strategy, measured by exact best "
    f"responses in the <b>real</b> game, shows what the abstraction costs. DCFR, {ITERATIONS:,} iterations; "
    "an abstract game has many solutions, this is the one that schedule finds.</p>"
)
FORGETS = (
    "(Leduc has too few cards for histories to cut differently where they are remembered; where they are "
    "forgotten, finer cuts mix hands of different pasts.) The last column is the distance from equilibrium "
    "of the abstract game; without perfect recall no exact best response is known there."
)
CHANGED = 0.1  # a probability that moved more than this is a changed action


class PricePane:
    """A sweep over abstractions, its curve and table, and the hands that play differently."""

    def __init__(self, complain: Callable[[object], None]):
        self.tasks, self.sweep, self._complain = TaskQueue(), None, complain
        self._build()
        self.measure.on_click(lambda event: self.start())
        self.game.param.watch(lambda event: self._show_needed(), "value")
        self.which.param.watch(lambda event: self._show_changed(), "value")

    def _build(self) -> None:
        self.game = pn.widgets.Select(
            label="Game", options=GAMES, description="Small enough that best responses are exact.", **WIDE
        )
        self.stack = pn.widgets.FloatInput(
            label="Stack in big blinds", value=10.0, step=1.0, visible=False, description="Above 1.", **WIDE
        )
        self.measure = button(
            "Measure the prices", "Solve every abstraction and measure it in the real game.", "primary"
        )
        self.progress = TaskBar(self.tasks.cancel, "Stop measuring.")
        self.which = pn.widgets.Select(
            label="Hands that change under",
            options={},
            description="Against the solution of the real game.",
            **WIDE,
        )
        text = {"stylesheets": [TEXT + STYLE], "sizing_mode": "stretch_width", "margin": (2, 6)}
        self.rows, self.changed = pn.pane.HTML("", **text), pn.pane.HTML("", **text)
        self.intro = pn.pane.HTML(INTRO, **text)
        self.rows.css_classes, self.changed.css_classes = ["prices"], ["changed"]
        self.curve = Picture(css_classes=["price-curve"])

    def layout(self) -> pn.Row:
        card = CARD | {"padding": "8px", "box-sizing": "border-box", "min-height": "0"}
        controls = pn.Column(
            self.intro, self.game, self.stack, self.measure, self.progress.pane,
            styles=card | {"overflow": "auto"}, **FULL,
        )  # fmt: skip
        rows = {
            "display": "grid",
            "grid-template-rows": "minmax(0, 1.2fr) minmax(0, 1fr)",
            "gap": "8px",
            "min-height": "0",
        }
        two = {
            "display": "grid",
            "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr)",
            "gap": "8px",
            "min-height": "0",
        }
        scroll = card | {"overflow": "auto"}
        lists = pn.Row(
            pn.Column(self.rows, styles=scroll, **FULL),
            pn.Column(self.which, self.changed, styles=scroll, **FULL),
            styles=two, **FULL,
        )  # fmt: skip
        right = pn.Column(pn.Column(self.curve.place, styles=card, **FULL), lists, styles=rows, **FULL)
        grid = {
            "display": "grid",
            "grid-template-columns": "270px minmax(0, 1fr)",
            "gap": "8px",
            "height": BODY,
        }
        return pn.Row(controls, right, styles=grid, **FULL)

    def close(self) -> None:
        self.tasks.close()

    def _show_needed(self) -> None:
        self.stack.visible = self.game.value != "leduc"

    def start(self) -> None:
        """Begin to measure."""
        what, stack = self.game.value, self.stack.value
        try:
            check_stack(stack if stack is not None else 0)
        except SolverlabError as problem:
            self._complain(problem)
            return
        self._complain("")
        self.tasks.order(lambda *hooks: sweep(what, stack, *hooks), self.show)

    def look(self) -> None:
        """Called by the page's clock."""
        problem = self.tasks.look()
        if problem:
            self._complain(problem)
        self.progress.show(self.tasks.task)

    def show(self, made: Sweep) -> None:
        """Draw a finished sweep."""
        self.sweep = made
        only = made.frame().query("series != 'the real game'")
        picture = price_curves(only, made.unit, log=made.unit == "big blinds")
        self.curve.show(picture, title=f"Price of abstraction in {made.name}")
        rows = [
            (r.series, r.buckets, f"{r.infosets:,}", f"{r.price:.4f}", _left(r.distance))
            for r in [*made.rows, made.real]
        ]
        heads = ("abstraction", "buckets", "infosets", f"price ({made.unit})", "left to converge")
        self.rows.object = f"<h2>Price of each</h2>{self._history(made)}{table(heads, rows)}"
        names = {f"{r.series}: {r.buckets}": number for number, r in enumerate(made.rows)}
        self.which.param.update(options=names, value=min(2, len(names) - 1))
        self._show_changed()

    def _history(self, made: Sweep) -> str:
        return f"<p>{what_history_does(made)} {FORGETS}</p>" if made.unit == "chips" else ""

    def _show_changed(self) -> None:
        if self.sweep is None or self.which.value is None:
            return
        moved = changed_actions(self.sweep.real.policy, self.sweep.rows[self.which.value].policy, CHANGED)
        shown = moved[moved["change"] > 0].head(60)
        rows = [
            (r.hand, r.node or "start", r.action, f"{r.probability:.2f}", f"{r.after:.2f}")
            for r in shown.itertuples()
        ]
        head = f"<h2>Actions that changed <small>{len(moved):,} moved by more than {CHANGED:g}</small></h2>"
        heads = ("hand", "where", "plays more often", "real game", "abstract")
        self.changed.object = head + table(heads, rows, text=(1, 2))


def _left(distance: float | None) -> str:
    return "not known" if distance is None else f"{distance:.1e}"
