"""Machine code kept between processes, under a key that changes whenever the code could.

Numba's own cache looks at one file: a kernel whose callee in another file was edited stays as it was, another
optimiser setting goes unnoticed, and two processes that compile one kernel for different types at once can
leave one's code under the other's key. Here every module has a folder `compiled/<module>-<key>`, whose key
covers the source of the module and of all it imports, the versions of everything that writes code and the
settings of the compiler; and every process names its data files itself. A kernel is compiled by one process
at a time: another that wants it waits and loads it. Deleting the folder is always safe.

Nothing of this happens at import: a kernel looks for its folder when it is first called.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import FunctionCache, NullCache, _Cache
from numba.core.sigutils import normalize_signature

PATIENCE = 60.0  # seconds to wait for another process that compiles the same kernel
KEPT = 3  # keys of a module that stay: this one and two to go back to
config: Any = numba.config  # its names are made at run time
_SETTINGS = ("OPT", "SLP_VECTORIZE", "LOOP_VECTORIZE", "BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES", "DEBUG_JIT")
_IMPORT = re.compile(rb"^(?:from ([\w.]+) import (\([^)]*\)|[^\n]*)|import ([\w.]+))", re.MULTILINE)
_PACKAGE = Path(__file__).parent.parent
_TOKEN = secrets.token_hex(4)
_one_opening = threading.RLock()
_held: set[Path] = set()  # lock files of this process
# Sources written later than this may differ from what Python has loaded. The thread has already worked for a
# moment, mostly on importing numba.
_STARTED = time.time() - min(time.thread_time(), 5.0)


class CompileCache(_Cache):
    """The cache of one kernel, opened when the kernel is first called.

    It never stops a computation: what cannot be read is compiled, what cannot be written is not kept. A
    function compiled in two ways has a `part` of the folder for the second.
    """

    def __init__(self, function: Callable[..., object], part: str = ""):
        self._function, self._part = function, part
        self._opened: _Cache | None = None
        self._settings: tuple[str, ...] = ()

    @property
    def cache_path(self) -> str | None:
        """The folder of this kernel's machine code."""
        return self._cache().cache_path

    def load_overload(self, sig: object, target_context: object) -> object:
        """The machine code for these types, or None."""
        try:
            return self._cache().load_overload(sig, target_context)
        except Exception:  # a damaged file can raise anything on its way in; compiling mends it
            self.flush()
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep the machine code for these types, unless a setting changed since the key was made."""
        cache = self._cache()
        if self._settings != settings():
            return
        if isinstance(cache, FunctionCache):
            name_apart(cache._cache_file)
        try:
            cache.save_overload(sig, data)
        except OSError as problem:
            self._opened = NullCache()
            not_kept(str(problem))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only process that compiles this kernel, unless files cannot be locked here."""
        folder = self.cache_path
        if folder is None:
            yield
            return
        with locked(Path(folder) / f"{self._function.__qualname__}.lock"):
            yield

    def enable(self) -> None:
        """Use the cache."""
        self._cache().enable()

    def disable(self) -> None:
        """Leave the cache alone."""
        self._cache().disable()

    def flush(self) -> None:
        """Forget what was kept."""
        try:
            self._cache().flush()
        except OSError as problem:
            not_kept(str(problem))

    def _cache(self) -> _Cache:
        if self._opened is None:
            with _one_opening:
                self._settings = settings()
                folder = folder_of(self._function.__module__)
                self._opened = NullCache() if folder is None else _open(self._function, folder / self._part)
        return self._opened


def compiled_once(made: Any) -> Callable[[object], object]:
    """The `compile` of a dispatcher, by one process at a time.

    Kernels do not call each other in circles, so two processes never wait for each other. Threads of one
    process have numba's own lock; it is not held while another process is waited for, so that the others
    load what they need meanwhile.
    """
    compile = made.compile

    def alone(sig: object) -> object:
        if tuple(normalize_signature(sig)[0]) in made.overloads:
            return compile(sig)
        with made._cache.alone():
            return compile(sig)

    return alone


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file; whoever holds it too long is not waited for, and the dead hold nothing.

    What another thread of this process holds is not waited for either: it may be waiting for ours.
    """
    if path in _held:
        yield
        return
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    except (ImportError, OSError):  # Windows, or nothing can be written: both compile, both are right
        yield
        return
    with file:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:  # a file system without locks
                break
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)


def settings() -> tuple[str, ...]:
    """What decides about machine code beside the source, as sentences of the key."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    return *versions, *(f"{name}={getattr(config, name, None)!r}" for name in _SETTINGS)


def folder_of(module: str) -> Path | None:
    """Where a module's machine code belongs; None if it cannot be kept or its source changed."""
    base, key = cache_base(), key_of(module, settings())
    if base is None or not key:
        return None
    folder = base / f"{module}-{key}"
    if not folder.exists():
        _make_room(base, module)
    return folder


@cache
def key_of(module: str, about: tuple[str, ...]) -> str:
    """The key of a module under these settings; empty if a source on disk is not what was loaded."""
    sources = closure(module)
    if not sources or any(_changed(path) for path in sources.values()):
        return ""
    made = hashlib.sha256("\n".join(about).encode())
    for name, path in sorted(sources.items()):
        made.update(f"\n{name}\n".encode() + _source(path))
    return made.hexdigest()[:16]


def closure(module: str) -> dict[str, Path]:
    """The files of a module and of everything it imports from its own package and from this one, by name.

    Only imports at the start of a line count: a kernel sees the globals of its module and nothing else.
    """
    roots = {module.split(".")[0], __name__.split(".")[0]}
    found: dict[str, Path] = {}
    ahead = [module]
    while ahead:
        name = ahead.pop()
        path = _file_of(name)
        if name in found or path is None or name.split(".")[0] not in roots:
            continue
        found[name] = path
        ahead.extend(_imports(path))
    return found


def cache_base() -> Path | None:
    """The folder for all machine code of this package, or None (and a warning) if none can be written.

    NUMBA_CACHE_DIR comes first, then the package's own `__pycache__`, where Python keeps its bytecode too,
    then SOLVERLAB_HOME or the user's cache folder. Places that several installations share hold a folder for
    each.
    """
    return _writable(str(config.CACHE_DIR), os.environ.get("SOLVERLAB_HOME", ""))


@cache
def _writable(numba_folder: str, home: str) -> Path | None:
    own = f"{_PACKAGE.parent.name}-{hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:8]}"
    places = [Path(numba_folder) / "solverlab" / own] if numba_folder else []
    places.append(_PACKAGE / "__pycache__" / "compiled")
    places.append(Path(home or _user_cache()) / "compiled" / own)
    for place in places:
        try:
            place.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=place).close()
        except OSError:
            continue
        return place
    not_kept(f"none of {', '.join(map(str, places))} can be written")
    return None


def _user_cache() -> str:
    import platformdirs  # here: it takes a share of `import solverlab` and is needed by the first kernel only

    return platformdirs.user_cache_dir("solverlab")


@cache
def not_kept(reason: str) -> None:
    """Say once that every process will compile anew."""
    warnings.warn(
        f"compiled code is not kept between runs ({reason}); every start compiles anew until the environment "
        "variable NUMBA_CACHE_DIR names a folder that can be written",
        RuntimeWarning,
        stacklevel=2,
    )


def name_apart(file: Any) -> None:
    """Give the data files of this process names of their own.

    Numba numbers them from an index it reads without a lock, so two processes may choose one number for
    different types. With names apart the worst case is a lost entry and one more compile. The process id is
    in the name because a forked child has its parent's token.
    """
    pattern = re.sub(r"[0-9a-f]+-[0-9a-f]{8}\.\{number", "{number", file._data_name_pattern)
    file._data_name_pattern = pattern.replace("{number", f"{os.getpid():x}-{_TOKEN}.{{number")


def _open(function: Callable[..., object], folder: Path) -> _Cache:
    """Numba's cache in this folder; it takes the folder from a setting, which is put back at once."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        opened = FunctionCache(function)
    except (RuntimeError, OSError) as problem:
        not_kept(str(problem))
        return NullCache()
    finally:
        config.CACHE_DIR = before
    # If the folder cannot be written numba goes elsewhere, where keys mean less: then rather nothing.
    return opened if Path(opened.cache_path).is_relative_to(folder) else NullCache()


def _make_room(base: Path, module: str) -> None:
    """Delete all but the newest keys of a module, so that the one about to be made is the last of KEPT."""
    folders = [path for path in base.glob(f"{module}-*") if re.fullmatch("[0-9a-f]{16}", path.name[-16:])]
    for folder in sorted(folders, key=_written)[: 1 - KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _written(path: Path) -> float:
    """When a file or folder was last written; 0 if it is gone, as when another process made room."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _changed(path: Path) -> bool:
    """Whether a file was written since Python loaded it: then its text says nothing about this process."""
    try:
        state = path.stat()
    except OSError:
        return True
    return max(state.st_mtime, state.st_ctime) > _STARTED


def _file_of(module: str) -> Path | None:
    """The source of a loaded module."""
    place = getattr(sys.modules.get(module), "__file__", None)
    return Path(place) if place and Path(place).is_file() else None


@cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Names of modules a file may import: `from a.b import c` may mean the module a.b or the module a.b.c."""
    return tuple(_named(_source(path)))


def _named(text: bytes) -> Iterator[str]:
    for package, names, plain in _IMPORT.findall(text):
        yield (package or plain).decode()
        for name in re.findall(r"\w+", names.decode()):
            yield f"{package.decode()}.{name}"
