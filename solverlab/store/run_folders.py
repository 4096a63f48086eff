"""Save, load, list, compare and delete runs.

A run is a folder: `run.json`, `state-<iteration>/*.npy`, `trace-<iteration>.parquet`. A save writes a new
state beside the old one and only then replaces `run.json`, in one step: whenever the process was killed, the
run opens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol, runtime_checkable

from solverlab.core.errors import BadValue, DamagedRun, SolverlabError, UnknownName
from solverlab.core.game import Game
from solverlab.run import Trace
from solverlab.store import manifest as manifests
from solverlab.store.files import (
    Content,
    checksum,
    locked,
    remove,
    sync_folder,
    telling,
    write_through,
    write_whole,
)
from solverlab.store.growing import made_again
from solverlab.store.home import checked_name, lock_path, run_folder, runs_folder
from solverlab.store.manifest import MANIFEST, Manifest
from solverlab.store.packing import (
    Solver,
    checked_solver,
    checked_trace,
    of_today,
    pack_state,
    state_from,
    trace_bytes,
    trace_from,
)
from solverlab.store.saved import Comparison, RunList, RunSummary, SavedRun

DELETED = ".deleted-"
ELSEWHERE = "make room or permissions there, or set SOLVERLAB_HOME to another folder"
_OURS = re.compile(rf"(?:state-\d+(?:-\d+)?|trace-\d+(?:-\d+)?\.parquet|{MANIFEST})(?:\.part)?")
SAME_RUN = ("game", "fingerprint", "solver", "tie")


def save(run: object, name: str, trace: Trace | None = None, replace: bool = False) -> Path:
    """Keep a solver (or anything that has a `solver` and a `trace`) under a name; returns its folder.

    Saving a later state of the same run goes on with it, trace included; anything else of that name is
    replaced only with `replace=True`.

    >>> import solverlab as sl
    >>> solver = sl.CFR(sl.Kuhn(), "DCFR")
    >>> snap = solver.step(100)
    >>> folder = sl.save(solver, "my first run")
    >>> sl.load("my first run").solver().step(100).iteration
    200
    """
    solver, trace = parts_of(run, trace)
    name, folder = checked_name(name), run_folder(name)
    about = manifests.describe(solver, name)
    arrays, about["tie"] = pack_state(solver)
    with telling(f"save the run {name!r} in {folder.parent}", ELSEWHERE), locked(lock_path(name)):
        before = manifest_before(folder, name)
        if before is not None and _goes_on(before, about):
            about["created"] = before["created"]
            trace = _earlier_rows(folder, before, about["iteration"]) if trace is None else trace
        elif before is not None and not replace:
            raise BadValue(_would_be_lost(before, about))
        write_run(folder, about, arrays, trace or Trace())
    return folder


def write_run(folder: Path, about: Manifest, arrays: Mapping[str, Content], trace: Trace) -> None:
    """Write a state and a trace beside the old ones, then the manifest, then forget the old ones."""
    folder.mkdir(parents=True, exist_ok=True)
    tag = _fresh_tag(folder, about["iteration"])
    manifest, files = compose(about, arrays, trace, tag)
    (folder / f"state-{tag}").mkdir()
    for member, content in files.items():
        write_through(folder / member, content)
    sync_folder(folder / f"state-{tag}")
    sync_folder(folder)
    write_whole(folder / MANIFEST, manifests.to_bytes(manifest))
    sync_folder(folder.parent)
    for path in folder.iterdir():
        if path.name not in (MANIFEST, f"state-{tag}", f"trace-{tag}.parquet") and _OURS.fullmatch(path.name):
            remove(path)


def compose(
    about: Manifest, arrays: Mapping[str, Content], trace: Trace, tag: str
) -> tuple[Manifest, dict[str, Content]]:
    """The whole manifest of a run, and its files by name."""
    files: dict[str, Content] = {f"state-{tag}/{name}.npy": content for name, content in arrays.items()}
    if trace.rows:
        files[f"trace-{tag}.parquet"] = trace_bytes(trace)
    told = {member: {"bytes": len(content), "sha256": checksum(content)} for member, content in files.items()}
    last = manifests.last_numbers(trace.rows[-1] if trace.rows else {})
    return {**about, "files": told, "last": last}, files


def load(name: str, game: Game | None = None) -> SavedRun:
    """A saved run, checked to the last byte; give `game` if it is one of your own making."""
    folder = existing_folder(name)
    return opened(*read_run(folder, folder.name), folder.name, game)


def opened(manifest: Manifest, contents: dict[str, bytes], name: str, game: Game | None) -> SavedRun:
    """A run from its manifest and files, wherever they come from."""
    played, trace = game_of(manifest, name, game), trace_from(contents, name)
    return SavedRun(name, played, trace, manifest, state_from(contents, name))


def runs() -> RunList:
    """The saved runs, newest first; one that cannot be opened says why in `problem`."""
    folders = sorted(path for path in runs_folder().glob("[!.]*") if (path / MANIFEST).is_file())
    return RunList(sorted(map(_summary, folders), key=lambda run: run.saved, reverse=True))


def delete(name: str) -> None:
    """Remove a run for good."""
    folder = existing_folder(name)
    manifests.check_format((folder / MANIFEST).read_bytes(), name)
    with telling(f"delete the run {name!r}"), locked(lock_path(name)):
        gone = folder.with_name(f"{DELETED}{folder.name}-{os.getpid()}")
        os.replace(folder, gone)
        remove(gone)
    for path in runs_folder().glob(DELETED + "*"):  # of a process that was killed here
        with suppress(OSError):
            remove(path)


def compare(names: Iterable[str]) -> Comparison:
    """The traces of several runs, to draw over each other."""
    wanted = [names] if isinstance(names, str) else list(names)
    return Comparison([trace_from(read_run(existing_folder(name), name)[1], name) for name in wanted])


# ---- reading -----------------------------------------------------------------------------------------------


def existing_folder(name: str) -> Path:
    """The folder of a run that exists, or one sentence that names those that do."""
    try:
        folder = run_folder(name)
    except BadValue:
        raise UnknownName("run", name, _names()) from None
    if (folder / MANIFEST).is_file():
        return folder
    if _is_foreign(folder):
        raise DamagedRun(
            f"the folder of {name!r} holds no {MANIFEST}, so it is no run of solverlab's; choose another"
        )
    raise UnknownName("run", name, _names() or ["none yet"])


def read_run(folder: Path, name: str) -> tuple[Manifest, dict[str, bytes]]:
    """Manifest and verified files; if the run was saved anew meanwhile, the newer one."""
    while True:
        with telling(f"read the run {name!r}"):
            content = (folder / MANIFEST).read_bytes()
        manifest = manifests.from_bytes(content, name)
        try:
            return manifest, manifests.verified(manifest, lambda member: (folder / member).read_bytes(), name)
        except DamagedRun:
            if (folder / MANIFEST).read_bytes() == content:
                raise


def game_of(manifest: Manifest, name: str, game: Game | None) -> Game:
    """The game of a run, made again or given; it must be the very game that was saved."""
    if game is None:
        try:
            game = made_again(manifest["game"])
        except UnknownName:
            raise BadValue(
                f"run {name!r} is of {manifest['game_name']!r}, a game the catalogue does not have; make it "
                f"and open the run with sl.load({name!r}, game=...)"
            ) from None
        except (TypeError, AttributeError, KeyError, IndexError, RecursionError) as error:
            raise DamagedRun(f"the game of run {name!r} cannot be made ({error}); {manifests.MEND}") from None
    if manifests.fingerprint(game) != manifest["fingerprint"]:
        raise DamagedRun(
            f"run {name!r} is of a {manifest['game_name']} with another tree or other payoffs than {game!r}; "
            f"open it with sl.load({name!r}, game=...) and the game it was saved with"
        )
    return game


def _summary(folder: Path) -> RunSummary:
    try:
        manifest = manifests.from_bytes((folder / MANIFEST).read_bytes(), folder.name)
        lost = [member for member in manifest["files"] if not (folder / member).is_file()]
        problem = f"{lost[0]} is missing; {manifests.MEND}" if lost else ""
        return RunSummary(**{**vars(RunSummary.of(folder.name, manifest)), "problem": problem})
    except (SolverlabError, OSError) as error:
        return RunSummary(folder.name, problem=str(error))


def _names() -> list[str]:
    return [run.name for run in runs()]


# ---- before writing ----------------------------------------------------------------------------------------


@runtime_checkable
class OwnsRun(Protocol):
    """Whoever has a solver (or makes one when asked) and what was measured on its way."""

    solver: Solver | Callable[[], Solver]
    trace: Trace


def parts_of(run: object, trace: Trace | None) -> tuple[Solver, Trace | None]:
    """The solver and the trace of what was given: a solver, a saved run, or whoever owns both."""
    if isinstance(run, OwnsRun):
        trace = run.trace if trace is None else trace
        run = run.solver() if callable(run.solver) else run.solver
    return checked_solver(run), None if trace is None else checked_trace(trace)


def manifest_before(folder: Path, name: str) -> Manifest | None:
    """The manifest that is about to be replaced; a folder of somebody else's is never written into."""
    if _is_foreign(folder):
        raise DamagedRun(f"the folder of {name!r} holds other files than a run's; choose another name")
    if not (folder / MANIFEST).is_file():
        return None
    return manifests.from_bytes((folder / MANIFEST).read_bytes(), name)


def _is_foreign(folder: Path) -> bool:
    """Whether a folder holds something, but neither a run nor what a killed first save left behind."""
    if not folder.exists() or (folder / MANIFEST).is_file():
        return False
    return not folder.is_dir() or not all(_OURS.fullmatch(path.name) for path in folder.iterdir())


def _goes_on(before: Manifest, about: Manifest) -> bool:
    """Whether what is saved is the same run, at the same point or later."""
    before, about = ({**text, "solver": of_today(text["solver"])} for text in (before, about))
    same = all(before.get(field) == about.get(field) for field in SAME_RUN)
    return same and before["iteration"] <= about["iteration"]


def _would_be_lost(before: Manifest, about: Manifest) -> str:
    old, new = (RunSummary.of(text["name"], {"last": {}, "files": {}, **text}) for text in (before, about))
    return (
        f"the name {old.name!r} holds {old.iteration:,} iterations of {old.solver} on {old.game}, which "
        f"{new.iteration:,} iterations of {new.solver} on {new.game} would replace; choose another name or "
        "save with replace=True"
    )


def _earlier_rows(folder: Path, before: Manifest, iteration: int) -> Trace:
    _, contents = read_run(folder, before["name"])
    trace = trace_from(contents, before["name"])
    return Trace.from_rows([row for row in trace.rows if row["iteration"] <= iteration], trace.name)


def _fresh_tag(folder: Path, iteration: int) -> str:
    """A name no file of the folder has yet, so that the state in use is never written over."""
    tags = [f"{iteration}", *(f"{iteration}-{again}" for again in range(2, 1000))]
    taken = {path.name for path in folder.iterdir()}
    return next(tag for tag in tags if not {f"state-{tag}", f"trace-{tag}.parquet"} & taken)
