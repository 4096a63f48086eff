"""A process that saves a run and dies at a chosen file operation: the old run or the new one must be left.

Run as `python -m solverlab.proof.dying FOLDER STRIDE`; prints one JSON line. The process forks once a death,
so it needs a system that can fork; it must not have threads of its own, and it counts them: a thread that
lives on in no child, or that wakes up while Python ends, is an accident that happens once in many runs.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import psutil

from solverlab.games import Leduc
from solverlab.run import Trace, iterations, run
from solverlab.solvers import CFR
from solverlab.store import load, runs_folder, save

NAME = "mortal"
DEEDS = {
    "open",
    "write",
    "flush",
    "fsync",
    "close",
    "replace",
    "mkdir",
    "unlink",
    "rmdir",
    "scandir",
    "flock",
}


def main(home: str, stride: int) -> int:
    """Die before and after every `stride`-th file operation of a save, and look at what is left each time."""
    os.environ["SOLVERLAB_HOME"] = home
    old, new = _runs()
    save(*old)
    shutil.copytree(runs_folder() / NAME, Path(home) / "old")
    deaths, left = 0, {"old": 0, "new": 0}
    failures: list[str] = []
    moment, threads = 0, 1
    while True:
        killed = _save_and_die(new, moment)
        left[_what_is_left(old[0], new[0], failures, moment)] += 1
        threads = max(threads, psutil.Process().num_threads())
        if not killed:
            break
        deaths += 1
        moment += stride
        _put_back(Path(home) / "old")
    print(json.dumps({"deaths": deaths, "left": left, "failures": failures, "threads": threads}))
    return 0


def _runs() -> tuple[tuple[CFR, str, Trace], tuple[CFR, str, Trace]]:
    """One run at two moments, with the trace up to each."""
    made = []
    for limit in (40, 60):
        solver = CFR(Leduc(), "CFR+")
        made.append((solver, NAME, Trace(run(solver, every=20, until=iterations(limit)))))
    return made[0], made[1]


def _save_and_die(new: tuple[CFR, str, Trace], moment: int) -> bool:
    """Save in a child that kills itself at its `moment`-th operation; False if it lived to the end."""
    child = os.fork()
    if child == 0:
        sys.setprofile(_Fate(moment))
        save(*new)
        sys.setprofile(None)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


class _Fate:
    """Counts calls and returns of file operations, and kills the process without a word at the chosen one."""

    def __init__(self, moment: int):
        self.left = moment

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if event in ("c_call", "c_return") and called.__name__ in DEEDS:
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1


def _what_is_left(old: CFR, new: CFR, failures: list[str], moment: int) -> str:
    """Open what the dead left behind: it must equal one of the two states bit for bit, and take a save."""
    saved = load(NAME)
    which, wanted = ("new", new) if saved.iteration == new.iteration else ("old", old)
    if not same_state(saved.solver(), wanted) or [row["iteration"] for row in saved.trace.rows] != list(
        range(20, wanted.iteration + 1, 20)
    ):
        failures.append(f"death {moment}: neither the old run nor the new one")
    save(new, NAME)
    members = {
        path.relative_to(runs_folder() / NAME).as_posix() for path in (runs_folder() / NAME).rglob("*.*")
    }
    if members != {"run.json", *load(NAME).manifest["files"]}:
        failures.append(f"death {moment}: the next save left {sorted(members)}")
    return which


def same_state(one: Any, other: Any) -> bool:
    """Whether two solvers are equal bit for bit in everything but the seconds they took."""
    mine, theirs = one.state(), other.state()
    return mine.keys() == theirs.keys() and all(
        mine[name].tobytes() == theirs[name].tobytes() and mine[name].dtype == theirs[name].dtype
        for name in mine
        if name != "seconds"
    )


def _put_back(kept: Path) -> None:
    shutil.rmtree(runs_folder() / NAME)
    shutil.copytree(kept, runs_folder() / NAME)


if __name__ == "__main__":
    np.seterr(all="raise")
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
