"""The third tab: what abstractions cost in games small enough to measure exactly."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.games.pushfold import check_stack
from solverlab.run.price import changed_actions
from solverlab.ui.abstraction.choice import METRICS
from solverlab.ui.abstraction.html import STYLE, table
from solverlab.ui.abstraction.look import BODY
from solverlab.ui.abstraction.picture import Picture
from solverlab.ui.abstraction.prices import ITERATIONS, Sweep, sweep
from solverlab.ui.buttons import button
from solverlab.ui.desk import Desk
from solverlab.ui.look import CARD, TEXT
from solverlab.views.bucket_price import price_curves

FULL = {"sizing_mode": "stretch_both", "margin": 0}
WIDE = {"sizing_mode": "stretch_width", "margin": (2, 4)}
GAMES = {"Leduc hold'em": "leduc", "push/fold hold'em": "push/fold"}
INTRO = (
    "<p>Players who see only buckets solve a smaller game. Their strategy, measured by exact best "
    f"responses in the <b>real</b> game, shows what the abstraction costs. DCFR, {ITERATIONS:,} iterations; "
    "an abstract game has many solutions, this is the one that schedule finds.</p>"
)
CHANGED = 0.1  # a probability that moved more than this is a changed action


class PricePane:
    """A sweep over abstractions, its curve and table, and the hands that play differently."""

    def __init__(self, complain: Callable[[object], None]):
        self.desk, self.sweep, self._complain = Desk(), None, complain
        self._build()
        self.measure.on_click(lambda event: self.start())
        self.stop.on_click(lambda event: self.desk.cancel())
        self.game.param.watch(lambda event: self._show_needed(), "value")
        self.which.param.watch(lambda event: self._show_changed(), "value")

    def _build(self) -> None:
        self.game = pn.widgets.Select(
            label="Game", options=GAMES, description="Small enough that best responses are exact.", **WIDE
        )
        self.metric = pn.widgets.Select(
            label="Metric of the first round",
            options=METRICS,
            description="What orders the six cards of Leduc.",
            **WIDE,
        )
        self.stack = pn.widgets.FloatInput(
            label="Stack in big blinds", value=10.0, step=1.0, visible=False, description="Above 1.", **WIDE
        )
        self.measure = button(
            "Measure the prices", "Solve every abstraction and measure it in the real game.", "primary"
        )
        self.stop = button("Cancel", "Stop measuring.")
        self.stop.visible = False
        self.bar = pn.indicators.Progress(
            value=0, max=100, visible=False, sizing_mode="stretch_width", height=18
        )
        self.which = pn.widgets.Select(
            label="Hands that change under",
            options={},
            description="Against the solution of the real game.",
            **WIDE,
        )
        text = {"stylesheets": [TEXT + STYLE], "sizing_mode": "stretch_width", "margin": (2, 6)}
        self.doing, self.rows, self.changed = (pn.pane.HTML("", **text) for _ in range(3))
        self.intro = pn.pane.HTML(INTRO, **text)
        self.rows.css_classes, self.changed.css_classes = ["prices"], ["changed"]
        self.curve = Picture(css_classes=["price-curve"])

    def layout(self) -> pn.Row:
        card = CARD | {"padding": "8px", "box-sizing": "border-box", "min-height": "0"}
        controls = pn.Column(
            self.intro, self.game, self.metric, self.stack, self.measure, self.bar, self.doing, self.stop,
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
        self.desk.cancel()

    def _show_needed(self) -> None:
        leduc = self.game.value == "leduc"
        self.metric.visible, self.stack.visible = leduc, not leduc

    def start(self) -> None:
        """Begin to measure."""
        what, metric, stack = self.game.value, self.metric.value, self.stack.value
        try:
            check_stack(stack if stack is not None else 0)
        except SolverlabError as problem:
            self._complain(problem)
            return
        self._complain("")
        self.desk.order(lambda *hooks: sweep(what, metric, stack, *hooks), self.show)

    def look(self) -> None:
        """Called by the page's clock."""
        problem = self.desk.look()
        if problem:
            self._complain(problem)
        job = self.desk.job
        words = "" if job is None else f"<p>{job.words} ...</p>"
        if self.doing.object != words:
            self.doing.object = words
            self.bar.visible = self.stop.visible = bool(words)
            self.bar.value = 0 if job is None else int(100 * job.done_share)

    def show(self, made: Sweep) -> None:
        """Draw a finished sweep."""
        self.sweep = made
        only = made.frame().query("series != 'the real game'")
        picture = price_curves(only, made.unit, log=made.unit == "big blinds")
        self.curve.show(picture, title=f"Price of abstraction in {made.name}")
        rows = [(r.series, r.buckets, f"{r.infosets:,}", f"{r.price:.4f}") for r in [*made.rows, made.real]]
        heads = ("abstraction", "buckets", "infosets", f"price ({made.unit})")
        self.rows.object = "<h2>Price of each</h2>" + table(heads, rows)
        names = {f"{r.series}: {r.buckets}": number for number, r in enumerate(made.rows)}
        self.which.param.update(options=names, value=min(2, len(names) - 1))
        self._show_changed()

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
