"""Runs of the whole 2-to-7 deck on disk: the same folders and promises as any run, other tables inside.

The game has no tree to take a fingerprint of; its hands, their weights and their order are the fingerprint.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solverlab.core.errors import BadValue, DamagedRun
from solverlab.games.lowball_real import RealLowball
from solverlab.run import Trace
from solverlab.solvers.draw_cfr import DrawCFR
from solverlab.solvers.draw_sampled import SampledDraw
from solverlab.solvers.schedules import Schedule
from solverlab.store import manifest as manifests
from solverlab.store.files import checksum, locked, telling
from solverlab.store.home import checked_name, lock_path, run_folder
from solverlab.store.manifest import MANIFEST, Manifest
from solverlab.store.packing import _row, array_bytes, settings_of, state_from, trace_from
from solverlab.store.run_folders import (
    ELSEWHERE,
    _goes_on,
    _would_be_lost,
    existing_folder,
    manifest_before,
    read_run,
    write_run,
)

SOLVERS = {"DrawCFR": DrawCFR, "SampledDraw": SampledDraw}
GAME = "RealLowball"

DrawSolver = DrawCFR | SampledDraw


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
    return manifests.from_bytes((folder / MANIFEST).read_bytes(), name)["solver"].get("solver") in SOLVERS


def save_draw(solver: DrawSolver, name: str, trace: Trace | None = None) -> Path:
    """Keep a solver of the whole deck under a name; only a later state of the same run replaces it.

    >>> solver = DrawCFR(RealLowball(3, cards=1), threads=1)
    >>> solver.advance(4)
    >>> folder = save_draw(solver, "one card of 52")
    >>> load_draw("one card of 52").solver.iteration
    4
    """
    name, folder = checked_name(name), run_folder(name)
    about, arrays = _describe(solver, name), solver.state()
    packed = {label: array_bytes(array) for label, array in arrays.items()}
    with telling(f"save the run {name!r} in {folder.parent}", ELSEWHERE), locked(lock_path(name)):
        before = manifest_before(folder, name)
        if before is not None and not _goes_on(before, about):
            raise BadValue(_would_be_lost(before, about))
        about["created"] = about["created"] if before is None else before["created"]
        write_run(folder, about, packed, Trace() if trace is None else trace)
    return folder


def load_draw(name: str) -> DrawRun:
    """A saved run of the whole deck, checked to the last byte."""
    manifest, contents = read_run(existing_folder(name), name)
    config, settings = dict(manifest["game"]), dict(manifest["solver"])
    maker = SOLVERS.get(settings.pop("solver", None))
    if maker is None or config.pop("game", None) != GAME:
        raise BadValue(f"run {name!r} is no run of the whole 2-to-7 deck; open it with sl.load({name!r})")
    if "schedule" in settings:
        settings["schedule"] = _row(Schedule, settings["schedule"])
    if settings.get("rng", 0) is None:
        settings["rng"] = 0  # it began with a generator of the user's own, whose state is saved
    try:
        game = RealLowball(**config)
        _check(game, manifest, name)
        solver = maker.from_state(game, state_from(contents, name), **settings)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, DamagedRun):
            raise
        raise DamagedRun(f"run {name!r} does not fit this solverlab ({error}); {manifests.MEND}") from None
    return DrawRun(name, solver, trace_from(contents, name))


def draw_trace(name: str) -> Trace:
    """What was measured so far in a run, or nothing if there is no such run yet."""
    if not is_draw_run(name):
        return Trace(name=name)
    return trace_from(read_run(existing_folder(name), name)[1], name)


def _describe(solver: DrawSolver, name: str) -> Manifest:
    if not isinstance(solver, tuple(SOLVERS.values())):
        raise BadValue(f"a {type(solver).__name__} does not solve the whole 2-to-7 deck; use sl.save")
    game, now = solver.game, datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "format": manifests.FORMAT,
        "format_version": manifests.VERSION,
        "name": name,
        "game": {"game": GAME, **game.config()},
        "game_name": game.name,
        "fingerprint": _fingerprint(game),
        "players": 2,
        "solver": settings_of(solver),  # type: ignore[arg-type]  # its config is all that is asked
        "iteration": int(solver.iteration),
        "seconds": float(solver.seconds),
        "versions": manifests.versions(),
        "created": now,
        "saved": now,
        "tie": None,
    }


def _fingerprint(game: RealLowball) -> str:
    sets: Any = game.sets
    arrays = (sets.hands, sets.strength, np.round(sets.weight, 12), np.array([game.stack]))
    return checksum(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))


def _check(game: RealLowball, manifest: Manifest, name: str) -> None:
    if _fingerprint(game) != manifest["fingerprint"]:
        raise DamagedRun(
            f"run {name!r} is of other hands than {game.name} has in this version; {manifests.MEND}"
        )
