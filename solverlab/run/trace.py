"""What a run recorded: three clocks and the measured numbers, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.rows import Row
from solverlab.core.solver import SolverSnapshot

if TYPE_CHECKING:
    import pandas as pd


class Trace:
    """The history of a run, and its last snapshot.

    >>> import solverlab as sl
    >>> trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), every=5, until=sl.iterations(10)))
    >>> [row["iteration"] for row in trace.rows]
    [5, 10]
    """

    def __init__(self, snapshots: Iterable[SolverSnapshot] = (), name: str = ""):
        self.name = name
        self.rows: list[Row] = []
        self.last: SolverSnapshot | None = None
        for snap in snapshots:
            self.add(snap)

    def add(self, snap: SolverSnapshot) -> None:
        """Record one more snapshot's clocks and numbers."""
        row: Row = {"iteration": snap.iteration, "seconds": snap.seconds, "touched": snap.touched}
        for name, value in snap.metrics.items():
            if isinstance(value, tuple):
                row |= {f"{name}_{seat}": number for seat, number in enumerate(value)} | {
                    f"{name}_max": max(value)
                }
            else:
                row[name] = value
        self.rows.append(row)
        self.last = snap

    @classmethod
    def from_rows(cls, rows: list[Row], name: str = "") -> Trace:
        trace = cls(name=name)
        trace.rows = rows
        return trace

    def stands_at(self, iteration: int) -> bool:
        """Whether the last row is of this iteration."""
        return bool(self.rows) and self.rows[-1]["iteration"] == iteration

    def column(self, name: str) -> list:
        if self.rows and name not in self.rows[-1]:
            raise BadValue(f"the trace has no column {name!r}; it holds {', '.join(self.rows[-1])}")
        return [row.get(name) for row in self.rows]

    def frame(self) -> pd.DataFrame:
        """One row a snapshot: iteration, seconds, touched and every number measured."""
        names = list(dict.fromkeys(name for row in self.rows for name in row)) or [
            "iteration",
            "seconds",
            "touched",
        ]
        return frame({name: [row.get(name) for row in self.rows] for name in names})

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()
