"""Runs of the whole 2-to-7 deck on disk, for those who need to know that a run is one.

They are saved, opened, listed, exported and imported like any run: `sl.save`, `sl.load`, `sl.runs`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, cast

from solverlab.core.errors import BadValue
from solverlab.run import Trace
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.store import manifest as manifests
from solverlab.store.draw_packing import DECK_SOLVERS, solves_deck
from solverlab.store.home import run_folder
from solverlab.store.manifest import MANIFEST
from solverlab.store.packing import trace_from
from solverlab.store.run_folders import existing_folder, load, read_run, save


class DrawRun(NamedTuple):
    """A run read from disk: the solver that goes on where it stopped, and what was measured on the way."""

    name: str
    solver: DrawSolver
    trace: Trace


def is_draw_run(name: str) -> bool:
    """Whether a run is one of the whole 2-to-7 deck; a run that does not exist is none."""
    try:
        folder = run_folder(name)
    except BadValue:
        return False
    if not (folder / MANIFEST).is_file():
        return False
    manifest = manifests.from_bytes((folder / MANIFEST).read_bytes(), name)
    return manifest["solver"].get("solver") in DECK_SOLVERS


def save_draw(solver: DrawSolver, name: str, trace: Trace | None = None) -> Path:
    """Keep a solver of the whole deck under a name; only a later state of the same run replaces it.

    >>> from solverlab.games.lowball.real import RealLowball
    >>> from solverlab.solvers.draw import DrawCFR
    >>> solver = DrawCFR(RealLowball(3, cards=1), threads=1)
    >>> solver.advance(4)
    >>> folder = save_draw(solver, "one card of 52")
    >>> load_draw("one card of 52").solver.iteration
    4
    """
    if not solves_deck(solver):
        raise BadValue(f"a {type(solver).__name__} does not solve the whole 2-to-7 deck; use sl.save")
    return save(solver, name, trace)


def load_draw(name: str) -> DrawRun:
    """A saved run of the whole deck, checked to the last byte."""
    existing_folder(name)
    if not is_draw_run(name):
        raise BadValue(f"run {name!r} is no run of the whole 2-to-7 deck; open it with sl.load({name!r})")
    saved = load(name)
    return DrawRun(name, cast(DrawSolver, saved.solver()), saved.trace)


def draw_trace(name: str) -> Trace:
    """What was measured so far in a run, or nothing if there is no such run yet."""
    if not is_draw_run(name):
        return Trace(name=name)
    return trace_from(read_run(existing_folder(name), name)[1], name)
