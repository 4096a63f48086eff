"""The laws of a solver, tested on any of them: a new solver passes `check_solver` in one line of test."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.rows import Config, Setting
from solverlab.core.solver import Solver, SolverSnapshot, accepted

TIMES = ("seconds",)  # of a state: how long it took is no part of what was computed


def check_solver(solver: Solver, **settings: Setting) -> None:
    """Raise unless a solver keeps its contract; `settings` are those it was made with.

    Steps add up, a saved state goes on bit for bit, copies are independent, snapshots are frozen, and the
    bytes it tells are the bytes it holds. The solver itself is left as it was.

    >>> import solverlab as sl
    >>> check_solver(sl.CFR(sl.Kuhn(), "DCFR"), schedule="DCFR")
    """
    _require(isinstance(solver, Solver), "it lacks a member of core.solver.Solver")
    _require(accepted(type(solver), solver.game), f"it does not accept its own game {solver.game.name}")
    before = _copied(solver.state())
    _check_steps(solver)
    _check_saving(solver, settings)
    _check_snapshots(solver)
    _check_sizes(solver, settings)
    _require(_same(solver.state(), before), "looking at it, copying it or saving it changed it")


def _check_steps(solver: Solver) -> None:
    whole, parts, sliced = solver.copy(), solver.copy(), solver.copy()
    whole.step(3)
    parts.step(1)
    parts.step(0)
    parts.step(2)
    _require(_same(whole.state(), parts.state()), "step(1) and step(2) differ from step(3)")
    for _ in range(3):
        for _ in sliced.slices():
            pass
    _require(_same(whole.state(), sliced.state()), "running its slices to the end differs from step")
    for moved in (whole, parts, sliced):
        _require(moved.iteration == solver.iteration + 3, "its clock does not count three steps")
        _require(moved.touched >= solver.touched and moved.seconds >= solver.seconds, "a clock runs back")
    try:
        whole.step(-1)
    except SolverlabError:
        return
    raise BadValue(f"{type(solver).__name__} breaks its contract: it takes step(-1)")


def _check_saving(solver: Solver, settings: Config) -> None:
    begun = solver.copy()
    begun.step(2)
    kept = begun.state()
    saved = _copied(kept)
    _require(_same(begun.state(copy=False), saved), "state(copy=False) differs from state()")
    again = type(begun).from_state(begun.game, saved, **settings)
    twin = begun.copy()
    _require(_same(again.state(), saved) and _same(twin.state(), saved), "its state changes when loaded")
    again.step(2)
    _require(_same(begun.state(), saved), "stepping one made from its state moves the original")
    twin.step(2)
    _require(_same(begun.state(), saved), "stepping its copy moves the original")
    begun.step(2)
    _require(_same(kept, saved), "a state it gave changes when it steps on")
    goes_on = _same(again.state(), begun.state()) and _same(twin.state(), begun.state())
    _require(goes_on, "a saved state does not go on bit for bit")
    config = solver.config()
    _require(isinstance(config.get("solver"), str), 'its config has no "solver"')
    json.dumps(config)


def _check_snapshots(solver: Solver) -> None:
    moved = solver.copy()
    snap = moved.step(1)
    _require(isinstance(snap, SolverSnapshot), "its snapshot lacks a member of core.solver.SolverSnapshot")
    clocks = (snap.iteration, snap.touched) == (moved.iteration, moved.touched)
    _require(clocks, "its snapshot has other clocks")
    before = [array.copy() for array in arrays_of(snap)]
    moved.step(2)
    frozen = all(map(np.array_equal, before, arrays_of(snap)))
    _require(frozen, "an old snapshot changes when the solver steps on")
    known = snap.measured({"made up": 1.0})
    _require("made up" in known.metrics and "made up" not in snap.metrics, "measuring changes a snapshot")


def _check_sizes(solver: Solver, settings: Config) -> None:
    held = sum(array.nbytes for array in solver.state(copy=False).values())
    _require(solver.nbytes == held, f"it tells {solver.nbytes:,} bytes but its state holds {held:,}")
    maker: Any = type(solver)
    needed, fresh = maker.bytes_needed(solver.game, **settings), maker(solver.game, **settings).nbytes
    _require(needed >= fresh, f"it asks for {needed:,} bytes but a fresh one holds {fresh:,}")


# ---- looking into states and snapshots ---------------------------------------------------------------------


def arrays_of(thing: object) -> Iterator[np.ndarray]:
    """Every array inside a snapshot: in its fields, their fields, and so on."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, Mapping):
        for part in thing.values():
            yield from arrays_of(part)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from arrays_of(getattr(thing, field.name))
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from arrays_of(part)


def _copied(state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.array(array) for name, array in state.items()}


def _same(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    """Bit for bit, seconds aside."""
    names = one.keys() - set(TIMES)
    return names == other.keys() - set(TIMES) and all(
        one[name].dtype == other[name].dtype and np.array_equal(one[name], other[name], equal_nan=True)
        for name in names
    )


def _require(holds: bool, broken: str) -> None:
    if not holds:
        raise BadValue(f"the solver breaks its contract: {broken}")
