"""Large exact tables, built once and kept in a folder as checked, memory-mapped files.

A set of tables is a folder `name-version` with one .npy file a table and `manifest.json`, which holds the
size and SHA-256 of every file. It is written beside its final place and renamed whole, so a reader sees all
of it or nothing. A second process that wants the same set waits for the first; where files cannot be locked,
both build the same bytes and the first to finish wins. A file is checked when it is first opened. Whatever is
missing, truncated, altered or of another version is built again: a wrong table is never returned. Deleting
the folder is always safe.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs

from solverlab.core.errors import BadValue, DamagedRun, SolverlabError, TooLarge

Progress = Callable[[float, str], None]
Cancel = Callable[[], bool]
FORMAT = 1
_ABANDONED = 3600.0  # seconds after which a half-written folder belongs to nobody
_one_build = threading.Lock()


class BuildCancelled(SolverlabError):
    """A build that was stopped on request; nothing was kept."""


class Shape(NamedTuple):
    """Shape and type of one table."""

    shape: tuple[int, ...]
    dtype: str

    @property
    def bytes(self) -> int:
        """Size of the file, header included."""
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize + 128


class Step:
    """What a builder calls between slices: reports progress and stops when asked to."""

    def __init__(self, progress: Progress | None, cancel: Cancel | None):
        self.progress, self.cancel = progress, cancel

    def __call__(self, done: float, sentence: str) -> None:
        self.stop_if_asked()
        if self.progress is not None:
            self.progress(done, sentence)

    def stop_if_asked(self) -> None:
        """Raise if the build was cancelled."""
        if self.cancel is not None and self.cancel():
            raise BuildCancelled(
                "the build was cancelled and nothing was kept; start it again to get the tables"
            )


Slices = Iterator[tuple[slice, np.ndarray]]
"""Rows of a table and what to write there: every row once, in any order."""
Build = Callable[[Step], Iterator[tuple[str, np.ndarray | Slices]]]


def cache_folder() -> Path:
    """Where tables are kept: `tables` in SOLVERLAB_HOME if that is set, else in the user's cache folder."""
    home = os.environ.get("SOLVERLAB_HOME")
    return Path(home if home else platformdirs.user_cache_dir("solverlab")) / "tables"


@dataclass
class TableCache:
    """A set of tables that is opened, checked and, where needed, built on first use.

    `build` yields (name, array) pairs in any order; each array is written and let go before the next. A table
    too large to hold comes as an iterator of slices instead, and goes to its file one by one.
    """

    name: str
    version: int
    shapes: Mapping[str, Shape]
    build: Build
    folder: Path = field(default_factory=cache_folder)
    _open: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> Path:
        """The folder of this set."""
        return Path(self.folder) / f"{self.name}-{self.version}"

    @property
    def bytes(self) -> int:
        """Space the set takes on disk."""
        return sum(shape.bytes for shape in self.shapes.values())

    def ready(self) -> bool:
        """Whether the set is on disk, as far as sizes and versions tell."""
        try:
            self._manifest()
        except DamagedRun:
            return False
        return True

    def array(self, name: str, progress: Progress | None = None, cancel: Cancel | None = None) -> np.ndarray:
        """One table, read-only and memory-mapped; builds the set if it is not there or does not check out."""
        with _one_build:
            if name not in self._open:
                try:
                    self._open[name] = self._checked(name)
                except DamagedRun:
                    self._open.clear()
                    self._make(Step(progress, cancel))
                    self._open[name] = self._checked(name)
            return self._open[name]

    def _manifest(self) -> dict:
        """The manifest, if it describes exactly these tables and files of the right sizes are there."""
        try:
            manifest = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))
            files = manifest["files"]
            same = manifest["format"] == FORMAT and manifest["version"] == self.version
            same = same and set(files) == set(self.shapes)
            for name, shape in self.shapes.items():
                entry = files[name]
                same = same and tuple(entry["shape"]) == tuple(shape.shape) and entry["dtype"] == shape.dtype
                same = same and (self.path / f"{name}.npy").stat().st_size == entry["bytes"]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise DamagedRun(f"the tables in {self.path} cannot be read ({problem})") from problem
        if not same:
            raise DamagedRun(f"the tables in {self.path} are of another version or incomplete")
        return manifest

    def _checked(self, name: str) -> np.ndarray:
        """Map one file after comparing its checksum."""
        entry, path = self._manifest()["files"][name], self.path / f"{name}.npy"
        try:
            if _digest(path) != entry["sha256"]:
                raise DamagedRun(f"{path} was altered since it was written")
            table = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as problem:
            raise DamagedRun(f"{path} cannot be read ({problem})") from problem
        if table.shape != tuple(self.shapes[name].shape) or table.dtype.str != self.shapes[name].dtype:
            raise DamagedRun(f"{path} holds another table than its manifest says")
        return table

    def _make(self, step: Step) -> None:
        """Build the set in a folder of its own and put it in place."""
        step(0.0, f"building {self.name}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _alone(self.path.with_name(f".{self.path.name}.lock"), step):
                if not self._complete():
                    self._draft(step)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise BadValue(
                f"tables cannot be kept in {self.folder} ({reason}); free that folder or name another in the "
                "environment variable SOLVERLAB_HOME"
            ) from problem

    def _draft(self, step: Step) -> None:
        """Write everything beside its final place, then rename."""
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}-{secrets.token_hex(4)}")
        try:
            self._prepare(draft)
            self._write(draft, step)
            self._publish(draft)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _prepare(self, draft: Path) -> None:
        """Make the folder, sweep away what others abandoned, and see that there is space."""
        for left in draft.parent.glob(f".{self.name}-*"):
            if left.suffix != ".lock" and time.time() - left.stat().st_mtime > _ABANDONED:
                _remove(left)
        free = shutil.disk_usage(draft.parent).free
        if free < self.bytes + 2**20:
            raise TooLarge(
                f"the tables of {self.name} need {self.bytes / 1e6:,.0f} MB, but {self.folder} has only "
                f"{free / 1e6:,.0f} MB free; free some or name another folder in SOLVERLAB_HOME"
            )
        draft.mkdir()

    def _write(self, draft: Path, step: Step) -> None:
        """Write every table, then the manifest."""
        files = {}
        for name, table in self.build(step):
            path = draft / f"{name}.npy"
            if isinstance(table, np.ndarray):
                np.save(path, table, allow_pickle=False)
                entry = {"shape": list(table.shape), "dtype": table.dtype.str}
            else:
                shape = self.shapes[name]
                _fill(path, shape, table, step)
                entry = {"shape": list(shape.shape), "dtype": shape.dtype}
            files[name] = {**entry, "bytes": path.stat().st_size, "sha256": _digest(path)}
        manifest = {"format": FORMAT, "name": self.name, "version": self.version, "files": files}
        (draft / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        step(1.0, f"{self.name} is ready")

    def _publish(self, draft: Path) -> None:
        """Rename the draft to its place, unless another process already put a sound set there."""
        for _ in range(8):
            try:
                os.rename(draft, self.path)
                return
            except OSError:
                if not self.path.exists():
                    raise
            if self._complete():
                return
            wreck = draft.with_name(f"{draft.name}-old-{secrets.token_hex(4)}")
            try:
                os.rename(self.path, wreck)
            except FileNotFoundError:
                continue
            _remove(wreck)
        raise BadValue(f"{self.path} is in the way and cannot be replaced; delete it by hand")

    def _complete(self) -> bool:
        """Whether every table is there and checks out."""
        return self.ready() and all(self._sound(name) for name in self.shapes)

    def _sound(self, name: str) -> bool:
        try:
            self._checked(name)
        except DamagedRun:
            return False
        return True


def _fill(path: Path, shape: Shape, slices: Slices, step: Step) -> None:
    """Write a table slice by slice into its mapped file; the memory taken is that of one slice."""
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.dtype(shape.dtype), shape=tuple(shape.shape))
    written = 0
    for rows, part in slices:
        table[rows] = part
        written += len(part)
        step.stop_if_asked()
    table.flush()
    if written != len(table):
        raise BadValue(
            f"{path.stem} has {len(table):,} rows but its builder wrote {written:,}; write each once"
        )


@contextmanager
def _alone(path: Path, step: Step) -> Iterator[None]:
    """Wait until no other process holds this lock; the system lets go of it when its holder dies."""
    try:
        import fcntl
    except ImportError:  # Windows: both build, the first to finish wins
        yield
        return
    with path.open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                step(0.0, "another process is building these tables; waiting for it")
                time.sleep(0.05)
            except OSError:  # a file system without locks: both build
                break
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    """Delete a folder, or the file that stood in its place."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
