"""What the store hands out: a run that can go on, a list of runs, several runs for one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import DamagedRun
from solverlab.core.frame import frame
from solverlab.core.game import Game
from solverlab.core.rows import Config, Row
from solverlab.core.snapshot import Snapshot
from solverlab.run import MEASURES, Trace
from solverlab.store.draw_packing import deck_metrics, is_deck
from solverlab.store.manifest import Manifest
from solverlab.store.packing import Solver, solver_from

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class SavedRun:
    """A run read from disk: its settings, its trace, and the solver that goes on where it stopped."""

    name: str
    game: Game
    trace: Trace
    manifest: Manifest
    _state: Mapping[str, np.ndarray]

    @property
    def config(self) -> Config:
        """The settings of game and solver."""
        return {"game": self.manifest["game"], "solver": self.manifest["solver"]}

    @property
    def iteration(self) -> int:
        return self.manifest["iteration"]

    def solver(self) -> Solver:
        """A solver in exactly the saved state: stepping it equals never having stopped, bit for bit."""
        try:
            return solver_from(self.game, self.manifest["solver"], self._state, self.manifest.get("tie"))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            if isinstance(error, DamagedRun):
                raise
            raise DamagedRun(
                f"run {self.name!r} does not fit this solverlab ({error}); open it with the version "
                f"that saved it, {self.manifest['versions'].get('solverlab')}, or delete it"
            ) from None

    def snapshot(self) -> Snapshot:
        """The saved state for the eye, with the numbers that were measured there."""
        last = self.trace.rows[-1] if self.trace.rows else {}
        snap = self.solver().snapshot()
        numbers = deck_metrics(last) if is_deck(self.game) else metrics_of(last)
        return snap.measured(numbers) if last.get("iteration") == snap.iteration else snap

    def frame(self) -> pd.DataFrame:
        """The trace as a table: one row a snapshot."""
        return self.trace.frame()

    def __repr__(self) -> str:
        kind, game = _title(self.manifest["solver"]), self.manifest["game_name"]
        return f"SavedRun({self.name!r}: {kind} on {game}, {self.iteration:,} iterations)"


def metrics_of(row: Row) -> Row:
    """The measured numbers of a trace row; several numbers of one measure become a tuple again.

    >>> metrics_of({"iteration": 5, "value": 0.5, "deviation_gains_0": 1.0, "deviation_gains_1": 2.0})
    {'value': 0.5, 'deviation_gains': (1.0, 2.0)}
    """
    found: Row = {}
    for name in MEASURES:
        seats = [label for label in (f"{name}_{seat}" for seat in range(len(row))) if label in row]
        if name in row:
            found[name] = row[name]
        elif seats:
            found[name] = tuple(row[label] for label in seats)
    return found


@dataclass(frozen=True)
class RunSummary:
    """One line of the list of runs; `problem` is a sentence when the run cannot be opened."""

    name: str
    game: str = ""
    solver: str = ""
    iteration: int = 0
    distance: float | None = None  # exploitability, or with three and more players the largest deviation gain
    value: float | None = None
    seconds: float = 0.0
    saved: str = ""
    bytes: int = 0
    problem: str = ""

    @classmethod
    def of(cls, name: str, manifest: Manifest) -> RunSummary:
        last = manifest["last"]
        current = last if last.get("iteration") == manifest["iteration"] else {}
        return cls(
            name=name,
            game=manifest["game_name"],
            solver=_title(manifest["solver"]),
            iteration=manifest["iteration"],
            distance=current.get("exploitability", current.get("deviation_gains_max")),
            value=current.get("value"),
            seconds=manifest["seconds"],
            saved=manifest["saved"],
            bytes=sum(entry["bytes"] for entry in manifest["files"].values()),
        )


def _title(config: Config) -> str:
    """What a person calls a solver: its schedule, and how it samples or updates if that is unusual."""
    words = [str(config.get("schedule", {}).get("name", config.get("solver")))]
    if "squash" in config:
        words.append(str(config["squash"]))
    if "sampling" in config:
        words.append(f"{config['sampling'].get('name')} sampling, seed {config.get('rng')}")
    elif not config.get("alternating", True):
        words.append("simultaneous")
    return ", ".join(words)


class RunList(list[RunSummary]):
    """The saved runs, newest first: a list of summaries that also is a table."""

    def frame(self) -> pd.DataFrame:
        """One row a run."""
        names = list(RunSummary.__dataclass_fields__)
        return frame({name: [getattr(run, name) for run in self] for name in names})

    def __repr__(self) -> str:
        """Columns for a terminal; a problem stands at the end of its line."""
        grid = [("run", "game", "solver", "iterations", "distance", "saved", "")]
        for run in self:
            far = "" if run.distance is None else f"{run.distance:.3g}"
            when = run.saved[:16].replace("T", " ")
            grid.append((run.name, run.game, run.solver, f"{run.iteration:,}", far, when, run.problem))
        widths = [max(len(line[column]) for line in grid) for column in range(6)] + [0]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in grid)

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several runs for one picture: their traces, each named after its run."""

    traces: list[Trace] = field(default_factory=list)

    def __iter__(self) -> Iterator[Trace]:
        return iter(self.traces)

    def __len__(self) -> int:
        return len(self.traces)

    def frame(self) -> pd.DataFrame:
        """All traces below each other, with the run's name in the column `run`."""
        rows = [{"run": trace.name, **row} for trace in self.traces for row in trace.rows]
        names = dict.fromkeys(
            ["run", "iteration", "seconds", "touched", *(name for row in rows for name in row)]
        )
        return frame({name: [row.get(name) for row in rows] for name in names})

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()
