"""Errands run ahead of the first click, in child processes that a server or `solverlab warm` looks after.

A child reads the name of an errand, runs it and answers in a line of JSON; it ends when nobody asks any more.
No kernel is compiled twice, however errands overlap: the compile cache lets one process compile it and the
others wait. What a child has finished stays when the visitor leaves or the server is killed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import solverlab
from solverlab.core.compile_cache import cache_base, settings
from solverlab.store.home import cache_folder
from solverlab.ui.warm_start import BY_NAME, ERRANDS, Errand

CHILDREN = 2


def run_errands() -> None:
    """The child: one errand a line, until there are no more."""
    from numba.core import event

    with suppress(AttributeError, OSError):
        os.nice(5)  # pages answer first
    compiled = event.RecordingListener()
    event.register("numba:compile", compiled)
    answers, sys.stdout = sys.stdout, sys.stderr  # what an errand may print is no answer
    for line in sys.stdin:
        began, before, problem = time.perf_counter(), len(compiled.buffer), ""
        try:
            BY_NAME[line.strip()].run()
        except Exception as error:  # the page meets the same and tells it; here it must not end the others
            problem = f"{type(error).__name__}: {error}"
        told = {"seconds": round(time.perf_counter() - began, 2), "problem": problem}
        told["compiled"] = (len(compiled.buffer) - before) // 2
        print(json.dumps(told), file=answers, flush=True)


class WarmStart:
    """Errands in order, two at a time; `visited` brings a page's to the front.

    >>> warm = WarmStart([], children=0)
    >>> warm.wait(), warm.left("solve")
    (True, [])
    """

    def __init__(self, errands: Sequence[Errand] = ERRANDS, children: int = CHILDREN):
        self._lock = threading.Lock()
        known = finished()
        self.waiting = [errand for errand in errands if errand.name not in known]
        self.running: dict[str, float] = {}  # name -> when it began
        self.problems: dict[str, str] = {}
        self.seconds = remembered()
        self.compiled = 0
        self._closed = False
        wanted = min(children, len(self.waiting))
        self._threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(wanted)]
        for thread in self._threads:
            thread.start()

    def visited(self, page: str) -> None:
        """Somebody looks at a page: what it needs comes next."""
        with self._lock:
            self.waiting.sort(key=lambda errand: errand.page != page)

    def left(self, page: str = "") -> list[str]:
        """The errands (of a page) that are not done yet, those at work first."""
        with self._lock:
            names = [*self.running, *(errand.name for errand in self.waiting)]
        return [name for name in names if page in ("", BY_NAME[name].page)]

    def expected(self, name: str) -> float:
        """Seconds an errand takes: what it took here before, or what it takes elsewhere."""
        return self.seconds.get(name, BY_NAME[name].seconds)

    def seconds_left(self, page: str) -> float:
        """About how long a page's errands still take; what takes longer than expected is nearly done."""
        with self._lock:
            begun = dict(self.running)
        spent = {name: time.monotonic() - at for name, at in begun.items()}
        known = {name: self.expected(name) for name in self.left(page)}
        return sum(max(seconds - spent.get(name, 0.0), 0.1 * seconds) for name, seconds in known.items())

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; whether it came."""
        ends = None if timeout is None else time.monotonic() + timeout
        for thread in self._threads:
            thread.join(None if ends is None else max(ends - time.monotonic(), 0.0))
        return not any(thread.is_alive() for thread in self._threads)

    def close(self) -> None:
        """Begin nothing more; what is under way is finished."""
        with self._lock:
            self._closed, self.waiting = True, []

    def _next(self) -> Errand | None:
        with self._lock:
            if not self.waiting:
                return None
            errand = self.waiting.pop(0)
            self.running[errand.name] = time.monotonic()
            return errand

    def _drive(self) -> None:
        child = None
        while (errand := self._next()) is not None:
            if child is None:
                child = _child()
            told = _asked(child, errand.name)
            if told is None:  # it died; the next errand gets another
                child = None
                told = {"seconds": 0.0, "compiled": 0, "problem": "the process ended unexpectedly"}
            self._book(errand.name, told)
        if child is not None:
            _end(child)

    def _book(self, name: str, told: dict) -> None:
        with self._lock:
            self.running.pop(name, None)
            self.compiled += told["compiled"]
            if told["problem"]:
                self.problems[name] = told["problem"]
            elif told["compiled"]:
                self.seconds[name] = told["seconds"]
                _write(cache_folder() / "warm-seconds.json", self.seconds)
            if not told["problem"]:
                _write(_stamp(), sorted({*finished(), name}))


def _child() -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from solverlab.ui.warm_children import run_errands; run_errands()"]
    root = str(Path(solverlab.__file__).parent.parent)
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    # A session of its own: Ctrl+C at the server ends the server, and what is half compiled is finished.
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
    )


def _asked(child: subprocess.Popen[str], name: str) -> dict | None:
    """What the child tells about an errand; None if it died over it."""
    try:
        child.stdin.write(f"{name}\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())
    except (OSError, ValueError):
        child.kill()
        _end(child)
        return None


def _end(child: subprocess.Popen[str]) -> None:
    """Ask nothing more and wait for the end."""
    with suppress(OSError):
        child.stdin.close()
    child.wait()
    child.stdout.close()


# ---- what is remembered -----------------------------------------------------------------------------------


def remembered() -> dict[str, float]:
    """Seconds each errand took on this machine when it had something to compile."""
    found = _read(cache_folder() / "warm-seconds.json")
    return {name: float(value) for name, value in found.items()} if isinstance(found, dict) else {}


def finished() -> set[str]:
    """The errands that have nothing to do: done before by this code, with this compiler, into this home."""
    found = _read(_stamp())
    return set(found) & set(BY_NAME) if isinstance(found, list) else set()


def _stamp() -> Path | None:
    """Beside the machine code, so that it goes when that is deleted."""
    base = cache_base()
    return None if base is None else base / f"warmed-{_key()}.json"


def _key() -> str:
    made = hashlib.sha256("\n".join([*settings(), str(cache_folder())]).encode())
    package = Path(solverlab.__file__).parent
    for path in sorted(package.rglob("*.py")):
        state = path.stat()
        made.update(f"{path.relative_to(package)} {state.st_size} {state.st_mtime_ns}\n".encode())
    return made.hexdigest()[:16]


def _read(path: Path | None) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path is not None else None
    except (OSError, ValueError):
        return None


def _write(path: Path | None, what: object) -> None:
    """Keep it if it can be kept; a reader sees the old or the new, never half."""
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
        draft.write_text(json.dumps(what), encoding="utf-8")
        os.replace(draft, path)
