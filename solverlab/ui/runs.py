"""The runs of a page: every one that was begun stays in a list, so that nothing that was solved is lost.

A run is known by its address, the words of a link that solve it again. While there is room its solver is
parked and goes on where it was; afterwards it is solved anew from its address, which gives the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import uuid4

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row

MOST_RUNS = 40  # in the list; the oldest that is not shown makes room
MOST_PARKED = 8  # solvers kept in memory beside the live one
MOST_POINTS = 60  # of a curve that the browser keeps
MOST_UNDONE = 30
LONGEST_NAME = 60
LONGEST_ADDRESS = 4000


class Parked(Protocol):
    """What a page keeps of a run to go on with it."""

    def close(self) -> object: ...

    @property
    def nbytes(self) -> int: ...


P = TypeVar("P", bound=Parked)


@dataclass(eq=False)
class Run(Generic[P]):
    """One run: how it is called and drawn, what it measured, and the address that solves it again."""

    id: str
    name: str
    group: str  # runs of one group are compared on one plot
    address: str
    colour: int
    rows: Sequence[Row] = ()
    parked: P | None = None
    shown: bool = True

    @property
    def iteration(self) -> int:
        return int(self.rows[-1]["iteration"]) if self.rows else 0


class Runs(Generic[P]):
    """All runs of a page, the live one among them; `room` is how many bytes parked solvers may take.

    >>> runs = Runs(room=10**6)
    >>> first = runs.begin("CFR", "kuhn", "game=kuhn&schedule=CFR")
    >>> first.rows = [{"iteration": 10}]
    >>> second = runs.begin("CFR+", "kuhn", "game=kuhn&schedule=CFR%2B")
    >>> [run.name for run in runs.beside()], runs.live.name
    (['CFR'], 'CFR+')
    """

    def __init__(self, room: int):
        self._room = room
        self.all: list[Run[P]] = []
        self.live: Run[P] | None = None
        self._undo: list[tuple[str, Callable[[], object]]] = []
        self._born = 0

    # ---- the live run --------------------------------------------------------------------------------------

    def begin(self, name: str, group: str, address: str, parked: P | None = None, again: str = "") -> Run[P]:
        """Another run is on the page: a new one, or `again` one of the list. What was begun stays in it."""
        old, found = self.live, self.find(again)
        if found is None:
            found = Run(uuid4().hex[:12], self._free_name(name, group), group, address, self._born)
            self._born += 1
            self.all.append(found)
        found.shown, found.address = True, address
        if parked is not None and found.parked is not None and found.parked is not parked:
            found.parked.close()
        found.parked, self.live = parked, found
        if old is not None and old is not found:
            self._leave(old)
        self._make_room()
        return found

    def _leave(self, old: Run[P]) -> None:
        """What was on the page before: kept if anything was solved."""
        twin = next((run for run in self.beside(old.group) if self._equal(run, old)), None)
        if twin is not None and twin.parked is None:
            twin.parked, old.parked = old.parked, None
        if old.iteration == 0 or twin is not None:
            self._remove(old)

    def _equal(self, one: Run[P], other: Run[P]) -> bool:
        same = (one.address, one.iteration) == (other.address, other.iteration)
        return one is not other and one is not self.live and same

    def freeze(self) -> Run[P]:
        """A copy of the live run as it is now; it stays where it is while the live one goes on."""
        live = self.live
        if live is None or live.iteration == 0:
            raise BadValue("there is nothing to keep yet; step or run first")
        name = self._free_name(live.name.split(" #")[0], live.group)
        copy: Run[P] = Run(uuid4().hex[:12], name, live.group, live.address, self._born, tuple(live.rows))
        self._born += 1
        self.all.insert(self.all.index(live), copy)
        self.remember(f"keeping {copy.name}", lambda: self._remove(copy))
        self._make_room()
        return copy

    # ---- what a visitor does with the list -----------------------------------------------------------------

    def find(self, id: str) -> Run[P] | None:
        """The run of this id, if there is one."""
        return next((run for run in self.all if run.id == id), None)

    def beside(self, group: str | None = None) -> list[Run[P]]:
        """The runs beside the live one, oldest first; those of one group, or all."""
        return [run for run in self.all if run is not self.live and group in (None, run.group)]

    def show(self, run: Run[P], shown: bool) -> None:
        """Draw a run, or leave it out."""
        run.shown = shown

    def rename(self, run: Run[P], name: str) -> None:
        """Call a run something else."""
        wanted, old = " ".join(name.split())[:LONGEST_NAME], run.name
        if not wanted or wanted == old:
            return
        if any(other.name == wanted for other in self.all if other is not run and other.group == run.group):
            raise BadValue(f"another run is called {wanted!r}; give a name of its own")
        run.name = wanted
        self.remember(f"renaming {old}", lambda: setattr(run, "name", old))

    def delete(self, run: Run[P]) -> None:
        """Take a run out of the list; `undo` brings it back, solved anew if need be."""
        if run is self.live:
            raise BadValue("this run is on the page; open another one first, then delete it")
        place = self.all.index(run)
        self._remove(run)
        self.remember(f"deleting {run.name}", lambda: self.all.insert(min(place, len(self.all)), run))

    def remember(self, what: str, undo: Callable[[], object]) -> None:
        """Something was done that can be undone."""
        self._undo = [*self._undo, (what, undo)][-MOST_UNDONE:]

    def forget(self) -> None:
        """The last thing done is not to be undone."""
        self._undo = self._undo[:-1]

    @property
    def undoable(self) -> str:
        """What `undo` would take back; empty when there is nothing."""
        return self._undo[-1][0] if self._undo else ""

    def undo(self) -> None:
        """Take the last thing back."""
        if self._undo:
            self._undo.pop()[1]()

    # ---- room ----------------------------------------------------------------------------------------------

    def _free_name(self, name: str, group: str) -> str:
        taken = {run.name for run in self.all if run.group == group}
        names = (name if k == 1 else f"{name} #{k}" for k in range(1, MOST_RUNS + 3))
        return next(one for one in names if one not in taken)

    def _make_room(self) -> None:
        """Solvers that do not fit beside the live one are let go, the oldest first; their numbers stay."""
        left, places = self._room, MOST_PARKED
        for run in [self.live, *reversed(self.beside())]:
            if run is None or run.parked is None:
                continue
            left -= run.parked.nbytes
            places -= run is not self.live
            if run is not self.live and (left < 0 or places < 0):
                self._let_go(run)
        hidden = [run for run in self.beside() if not run.shown] or self.beside()
        for run in hidden[: max(len(self.all) - MOST_RUNS, 0)]:
            self._remove(run)

    def _let_go(self, run: Run[P]) -> None:
        if run.parked is not None:
            run.parked.close()
            run.parked = None

    def _remove(self, run: Run[P]) -> None:
        self._let_go(run)
        self.all = [other for other in self.all if other is not run]

    def close(self) -> None:
        """The visitor has gone."""
        for run in self.all:
            self._let_go(run)

    # ---- what the browser keeps ----------------------------------------------------------------------------

    def to_keep(self, columns: Iterable[str]) -> list[dict]:
        """Everything the browser needs to show the list again, curves thinned out."""
        names = list(columns)
        return [
            {
                "id": run.id, "name": run.name, "group": run.group, "address": run.address,
                "colour": run.colour, "shown": run.shown,
                "rows": [[row.get(name) for name in names] for row in thinned(run.rows)],
            }
            for run in self.all if run.iteration > 0
        ]  # fmt: skip

    def take_back(self, kept: object, columns: Iterable[str], reaching: int = 0) -> None:
        """The runs a browser kept; what is not one is left out.

        `reaching` is the iteration the live run is on its way to: a kept run that ended there is the live
        one, as after loading a page again.
        """
        names = list(columns)
        for one in (kept if isinstance(kept, list) else [])[:MOST_RUNS]:
            run = _read(one, names)
            if run is not None and self.find(run.id) is None:
                self._take(run, reaching)
        self._make_room()

    def _take(self, run: Run[P], reaching: int) -> None:
        live = self.live
        self._born = max(self._born, run.colour + 1)
        if live is not None and (run.address, run.iteration) == (live.address, reaching):
            live.id, live.name, live.colour = run.id, run.name, run.colour
        else:
            self.all.insert(len(self.all) - (live is not None), run)


def thinned(rows: Sequence[Row]) -> list[Row]:
    """At most `MOST_POINTS` rows, the last one among them, denser where runs are young.

    >>> [row["iteration"] for row in thinned([{"iteration": k} for k in range(3)])]
    [0, 1, 2]
    >>> len(thinned([{"iteration": k} for k in range(1000)]))
    60
    """
    count = len(rows)
    if count <= MOST_POINTS:
        return list(rows)
    return [rows[round(k * (count - 1) / (MOST_POINTS - 1))] for k in range(MOST_POINTS)]


def _read(one: object, names: list[str]) -> Run | None:
    """A run as a browser kept it, or None: nothing in it is trusted."""
    if not isinstance(one, dict):
        return None
    words = [one.get(key) for key in ("id", "name", "group", "address")]
    colour, rows, shown = one.get("colour"), one.get("rows"), one.get("shown")
    fits = all(isinstance(word, str) and len(word) <= LONGEST_ADDRESS for word in words)
    if not (fits and words[0] and words[1] and isinstance(rows, list) and 0 < len(rows) <= MOST_POINTS):
        return None
    read = [dict(zip(names, row, strict=True)) for row in rows if _numbers(row, len(names))]
    whole = isinstance(colour, int) and 0 <= colour < 10_000
    if len(read) < len(rows) or not whole or not read[-1]["iteration"]:
        return None
    clean = [{name: number for name, number in row.items() if number is not None} for row in read]
    id, name, group, address = words
    return Run(id[:40], name[:LONGEST_NAME], group, address, colour, tuple(clean), shown=shown is not False)


def _numbers(row: object, count: int) -> bool:
    if not isinstance(row, list) or len(row) != count:
        return False
    fine = (x is None or (isinstance(x, int | float) and math.isfinite(x) and 0 <= x < 1e18) for x in row)
    return all(fine) and row[0] is not None
