"""The Solve page's list of runs: what stands in it, what its buttons do, and which curves are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from solverlab.core.errors import SolverlabError, UnknownName
from solverlab.core.game import Game
from solverlab.core.rows import Row
from solverlab.run import Trace
from solverlab.ui.keyboard import words_of
from solverlab.ui.parts.run_list import RunList
from solverlab.ui.runner import SCREEN, Runner
from solverlab.ui.runs import Run, Runs
from solverlab.ui.solve.convergence import SLOTS
from solverlab.ui.solve.settings import SOLVED_BY, SolveSettings
from solverlab.ui.tokens import css
from solverlab.views.convergence import DISTANCES
from solverlab.views.theme import CLOCKS, run_colour

KEPT_COLUMNS = (*CLOCKS, *DISTANCES)
PLACE = "solverlab-runs-solve"


@dataclass(eq=False)
class Built:
    """What a task made of settings: the game, a solver that is ready to run, and the run it goes on with."""

    settings: SolveSettings
    game: Game
    runner: Runner
    again: str = ""

    def close(self) -> None:
        self.runner.close()

    @property
    def nbytes(self) -> int:
        return SCREEN * self.runner.solver.nbytes


def address_of(settings: SolveSettings) -> str:
    """The words that solve a run again, without how far it came and what was looked at.

    >>> address_of(SolveSettings(game="kuhn", to=50, clock="seconds"))
    'game=kuhn&schedule=CFR%2B'
    """
    return SolveSettings(**{name: getattr(settings, name) for name in SOLVED_BY}).query()


class RunShelf:
    """Every run of the page; `open_again` is told which one a visitor wants back on the page."""

    def __init__(
        self, memory_cap: int, open_again: Callable[[Run[Built]], None], complain: Callable[[object], None]
    ):
        self.runs: Runs[Built] = Runs(memory_cap)
        self._open, self._complain = open_again, complain
        self._reaching, self._drawn = 0, []
        self.list = RunList(self.order, self._restore, place=PLACE)
        self.version = 0  # grows when other curves are to be drawn

    # ---- the live run --------------------------------------------------------------------------------------

    def begin(self, built: Built, settings: SolveSettings) -> None:
        """Another run is on the page; the one before stays in the list."""
        group = settings.own if settings.game == "own" else settings.game
        self._reaching = settings.to
        first = self.runs.live is None
        self.runs.begin(settings.run_name, group, address_of(settings), built, built.again)
        self._restore(self.list.restored) if first else self.refresh()

    def grew(self, rows: list[Row], resting: bool) -> None:
        """The live run measured more; at rest the browser keeps it."""
        live = self.runs.live
        if live is not None and (len(rows) != len(live.rows) or resting):
            live.rows = rows
            self.refresh(keep=resting)

    def freeze(self) -> None:
        """A copy of the live run as it is now."""
        self.runs.freeze()
        self.refresh()

    def drawn(self) -> list[tuple[str, list[Row], int]]:
        """Name, rows and colour of the curves beside the live one: the newest that are ticked."""
        shown = [run for run in self.runs.beside(self._group()) if run.shown]
        return [(run.name, list(run.rows), run.colour) for run in shown[-(SLOTS - 1) :]]

    def close(self) -> None:
        """The visitor has gone."""
        self.runs.close()

    # ---- the list ------------------------------------------------------------------------------------------

    def refresh(self, keep: bool = True) -> None:
        """Show the list as it is."""
        rows = [self._row(run) for run in reversed(self.runs.all)]
        if (rows, self.runs.undoable) != (self.list.runs, self.list.undoable):
            self.list.param.update(runs=rows, undoable=self.runs.undoable)
        drawn = [(name, len(points), colour) for name, points, colour in self.drawn()]
        if drawn != self._drawn:
            self._drawn = drawn
            self.version += 1
        if keep and self.list.restored is not None:
            kept = self.runs.to_keep(KEPT_COLUMNS)
            if kept != self.list.kept:
                self.list.kept = kept

    def _group(self) -> str:
        return self.runs.live.group if self.runs.live is not None else ""

    def _row(self, run: Run[Built]) -> Row:
        live, apart = run is self.runs.live, run.group != self._group()
        return {
            "id": run.id, "name": run.name, "colour": css(run_colour(run.colour)), "facts": facts(run, apart),
            "shown": run.shown, "live": live, "apart": apart,
        }  # fmt: skip

    def _restore(self, kept: object) -> None:
        """Runs of an earlier visit; one of them may be the live one, so that has to be there first."""
        if self.runs.live is not None:
            self.runs.take_back(kept, KEPT_COLUMNS, self._reaching)
            self.refresh()

    def left_behind(self, settings: SolveSettings) -> Run[Built] | None:
        """The run of the list that an address means, if another one is on the page."""
        live, address = self.runs.live, address_of(settings)
        if live is None or live.address == address:
            return None
        return next((run for run in reversed(self.runs.beside()) if run.address == address), None)

    def order(self, verb: str, id: str = "", word: str = "") -> None:
        """Do what a button of the list or a key says."""
        try:
            self._do(verb, self.runs.find(id), word)
        except SolverlabError as problem:
            self._complain(problem)
        self.refresh()

    def _do(self, verb: str, run: Run[Built] | None, word: str) -> None:
        if verb == "undo":
            self.runs.undo()
        elif run is None:
            return  # another tab or an earlier click took it away
        elif verb in ("show", "hide"):
            self.runs.show(run, verb == "show")
        elif verb == "rename":
            self.runs.rename(run, word)
        elif verb == "delete":
            self.runs.delete(run)
        elif verb == "export":
            self.list.download(f"{run.name}.csv", Trace.from_rows(list(run.rows)).frame().to_csv(index=False))
        elif verb == "open":
            self._open(run)
        else:
            raise UnknownName("order", verb, ("show", "hide", "rename", "delete", "export", "open", "undo"))


def settings_of_run(run: Run[Built], now: SolveSettings, most: int) -> SolveSettings:
    """What solves a run again; how it is looked at stays as on the page."""
    solved, _ = SolveSettings.from_query(words_of(run.address))
    words = {name: getattr(solved, name) for name in SOLVED_BY}
    elsewhere = {} if (solved.game, solved.own) == (now.game, now.own) else {"node": "", "hand": ""}
    return replace(now, **words, **elsewhere, to=min(run.iteration, most))


def facts(run: Run[Built], apart: bool) -> str:
    """One line about a run: which game if another, how far, how near.

    >>> facts(Run("1", "CFR", "kuhn", "", 0, [{"iteration": 1200, "exploitability": 0.00123}]), apart=True)
    'kuhn · 1,200 iterations · 0.00123'
    """
    where = ["your own limit poker" if run.group.startswith("{") else run.group] * apart
    last = run.rows[-1] if run.rows else {}
    near = [f"{last[name]:.3g}" for name, of in DISTANCES.items() if of == "average" and name in last]
    return " · ".join([*where, f"{run.iteration:,} iterations", *near[:1]])
