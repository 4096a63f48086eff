"""A solver to touch in a notebook: step it, run it, look at any node, and go back in time."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from solverlab.core.errors import SolverlabError
from solverlab.core.game import Game
from solverlab.core.rows import Config
from solverlab.core.snapshot import Snapshot
from solverlab.games import game_named
from solverlab.run import Trace, distances
from solverlab.solvers import CFR, MCCFR, Schedule, schedule_named
from solverlab.ui.notebook.cell import NotebookCell
from solverlab.ui.notebook.lab_controls import EVERYTHING, PAUSE, RUN, Controls
from solverlab.ui.runner import Moment, Runner
from solverlab.views.microscope import microscope
from solverlab.views.strategy import strategy_html
from solverlab.views.tree_fold import descendants, open_some, toggle
from solverlab.views.tree_layout import visible_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from solverlab.core.solver import Solver


class Lab(NotebookCell):
    """One solver with its controls, curve, tree, strategy and microscope, as the value of a notebook cell.

    `lab.widget` is a plain ipywidgets box to put into any other layout; `lab.runner` is the solver's own
    thread, `lab.trace` what it measured. Closing stops the thread; a laboratory nobody looks at any more
    pauses.

    >>> import solverlab as sl
    >>> lab = sl.ui.Lab(sl.Kuhn(), "CFR+")
    >>> lab.step(10).iteration
    10
    >>> lab.close()
    """

    def __init__(
        self,
        game: Game | str,
        schedule: str | Schedule = "CFR+",
        sampling: str | None = None,
        rng: int = 0,
    ):
        self.game = game_named(game) if isinstance(game, str) else game
        self._chosen: Config = {"schedule": schedule_named(schedule), "sampling": sampling}
        self._rng = rng
        self._expanded, self._below = open_some(self.game.tree, 30), descendants(self.game.tree)
        self._looked_at: int | None = None  # the iteration scrubbed back to; None follows the newest
        super().__init__(Runner(self._make(**self._chosen)), Controls(self.game.names, **self._chosen))

    # ---- for people who type -----------------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        """What was measured so far, for `sl.views.convergence`."""
        return self.runner.trace

    @property
    def snapshot(self) -> Snapshot:
        """What the screen shows now: the newest snapshot, or the one scrubbed back to."""
        return self._shown(self.runner.latest())

    def step(self, n: int = 1) -> Snapshot:
        """Do `n` iterations and wait for them."""
        self.runner.step(n)
        moment = self.runner.wait()
        self.refresh()
        return moment.snapshot

    # ---- drawing -----------------------------------------------------------------------------------------

    def _draw(self, moment: Moment) -> None:
        controls, snap = self.controls, self._place_slider(moment)
        controls.run.description = PAUSE if moment.running else RUN
        for button in controls.steps.values():
            button.disabled = moment.running
        controls.status.value = self._status(moment, snap)
        controls.curve.draw(self.trace, controls.clock.value)
        row = next((row for row in self.trace.rows if row["iteration"] == self._looked_at), None)
        controls.curve.marker = 0.0 if row is None else float(row[controls.clock.value])
        controls.curve.y_label = (
            "exploitability (chips)" if self.game.n_players == 2 else "largest gain of a seat (chips)"
        )
        self._draw_node(moment, snap)

    def _place_slider(self, moment: Moment) -> Snapshot:
        """Let the slider span what is recorded, and return the snapshot it stands on."""
        kept, scrub = self.runner.recorded(), self.controls.scrub
        snap = self._shown(moment)
        with scrub.hold_sync():
            scrub.moments, scrub.spoken = len(kept), f"iteration {snap.iteration:,}"
            scrub.index = len(kept) - 1 if self._looked_at is None else _index_of(kept, snap.iteration)
        return snap

    def _shown(self, moment: Moment) -> Snapshot:
        kept = self.runner.recorded()
        if self._looked_at is None or not kept:
            return moment.snapshot
        return kept[_index_of(kept, self._looked_at)]

    def _status(self, moment: Moment, snap: Snapshot) -> str:
        words = [f"<b>{escape(self.game.name)}, iteration {snap.iteration:,}</b>"]
        if self._looked_at is not None:
            words[0] += f" (looking back from {moment.snapshot.iteration:,})"
        for name, label in zip(distances(self.game), ("average", "current"), strict=True):
            if name in snap.metrics:
                words.append(f"{label} {_text(snap.metrics[name])}")
        if "value" in snap.metrics:
            words.append(f"value {snap.metrics['value']:+.5f}")
        words.append(f"{snap.seconds:.2f} s of solving, {snap.touched:,} nodes touched")
        if problem := self._problem or moment.error:
            words.append(f'<span class="wrong" role="alert">{escape(problem)}</span>')
        elif moment.note:
            words.append(f"<i>{escape(moment.note)}</i>")
        return f'<div class="sl-lab-status" role="status">{" · ".join(words)}</div>'

    def _draw_node(self, moment: Moment, snap: Snapshot) -> None:
        controls = self.controls
        policy, hand, node = getattr(snap, controls.which.value), controls.hand.value, controls.tree.selected
        h = snap.names.hand(hand)
        controls.tree.draw(
            visible_tree(snap.tree, snap.names, policy.sigma, h, self._expanded, node, below=self._below)
        )
        if snap.tree.player[node] < 0:
            who = "Chance deals here" if snap.tree.player[node] == -1 else "The hand ends here"
            controls.strategy.value = _framed(f"<p>{who}: select a node with a number in it.</p>")
            controls.microscope.value = ""
            return
        where = escape(snap.names.path(node)) or "the start"
        who = snap.names.player(int(snap.tree.player[node]))
        told = f"<p>The {who} player at <b>{where}</b>, {controls.which.label} strategy.</p>"
        controls.strategy.value = _framed(told + strategy_html(policy, node, hand))
        controls.microscope.value = _framed(self._microscope(moment, node, hand))

    def _microscope(self, moment: Moment, node: int, hand: str) -> str:
        if moment.running:
            return "<p>Pause to see the next update of this node under the microscope.</p>"
        if self._looked_at is not None:
            return "<p>The microscope shows the next update: press Newest to leave the past.</p>"
        try:
            return "<b>The next update</b>" + microscope(self.runner.solver, node, hand)._repr_html_()
        except SolverlabError as problem:
            return f"<p>{escape(str(problem))}</p>"

    # ---- answering ---------------------------------------------------------------------------------------

    def _connect(self) -> None:
        controls = self.controls
        for n, button in controls.steps.items():
            button.on_click(lambda _, n=n: self._do(lambda: self.runner.step(n), follow=True))
        controls.run.on_click(lambda _: self._do(self._run_or_pause, follow=True))
        controls.reset.on_click(lambda _: self._do(self.runner.reset, follow=True))
        controls.newest.on_click(lambda _: self._do(lambda: None, follow=True))
        for choice in (controls.schedule, controls.sampling):
            choice.observe(lambda _: self._do(self._choose, follow=True), "value")
        controls.speed.observe(
            lambda change: self._do(lambda: self.runner.speed(change["new"] or None)), "value"
        )
        for choice in (controls.clock, controls.hand, controls.which):
            choice.observe(lambda _: self._do(lambda: None), "value")
        controls.scrub.observe(lambda change: self._do(lambda: self._look_back(change["new"])), "asked")
        controls.tree.observe(lambda _: self._do(lambda: None), "selected")
        controls.tree.observe(lambda change: self._do(lambda: self._fold(change["new"])), "toggled")
        controls.curve.on_msg(lambda _, content, buffers: self._count_views(content))

    def _do(self, act: Callable[[], object], follow: bool = False) -> None:
        """Answer a person; with `follow`, leave the past first."""

        def both() -> None:
            self._looked_at = None if follow else self._looked_at
            act()

        self._answer(both)

    def _run_or_pause(self) -> None:
        self.runner.pause() if self.runner.latest().running else self.runner.play()

    def _choose(self) -> None:
        """Start over with another schedule or sampling; if that cannot be made, the old one stays."""
        wanted = {"schedule": self.controls.schedule.value, "sampling": self.controls.sampling.value or None}
        try:
            self.runner.reset(self._make(**wanted))
            self._chosen = wanted
        finally:
            with self._own_changes():
                self.controls.schedule.value = self._chosen["schedule"]
                self.controls.sampling.value = self._chosen["sampling"] or EVERYTHING

    def _look_back(self, wish: dict) -> None:
        kept, index = self.runner.recorded(), int(wish["index"])
        self._looked_at = None if index >= len(kept) - 1 else kept[index].iteration

    def _fold(self, wish: dict) -> None:
        if wish:
            self._expanded = toggle(self.game.tree, self._expanded, int(wish["node"]), bool(wish["deep"]))

    def _make(self, schedule: Schedule, sampling: str | None) -> Callable[[], Solver]:
        if sampling is None:
            return lambda: CFR(self.game, schedule)
        return lambda: MCCFR(self.game, schedule, sampling, self._rng)


def _index_of(kept: list[Snapshot], iteration: int) -> int:
    """The recorded snapshot nearest to an iteration (older ones are thinned out while a run goes on)."""
    return min(range(len(kept)), key=lambda i: abs(kept[i].iteration - iteration))


def _framed(inside: str) -> str:
    return f'<div class="sl-lab-table">{inside}</div>'


def _text(distance: float | tuple[float, ...]) -> str:
    if isinstance(distance, tuple):
        return "gains " + ", ".join(f"{gain:.3g}" for gain in distance)
    return f"exploitability {distance:.3g}"
