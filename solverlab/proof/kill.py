"""Kill -9 in the middle of a saved run, resume: equal bit for bit to the run that was never interrupted."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from solverlab.core.rows import Row
from solverlab.games import game_named
from solverlab.proof.dying import same_state
from solverlab.proof.verdict import Claim, Verdict
from solverlab.run import Trace, iterations, run
from solverlab.solvers import CFR, MCCFR
from solverlab.store import load

NAME = "killed"
EVERY = 20  # iterations between two saves: nearly all of the time is spent saving, where it hurts most
LAST = 200  # iterations of the final, undisturbed part
LATEST = 0.25  # seconds from a save to the kill, at most
PATIENCE = 600.0  # a machine that is busy with other things may take its time


class Way(NamedTuple):
    """How a run is started on the command line, and the same run in this process."""

    title: str
    options: tuple[str, ...]

    def solver(self) -> CFR | MCCFR:
        game = game_named("leduc")
        return MCCFR(game, "CFR+", "external", rng=7) if "--sampling" in self.options else CFR(game, "DCFR")


WAYS = (
    Way("full width", ("leduc", "--schedule", "DCFR")),
    Way("external sampling", ("leduc", "--schedule", "CFR+", "--sampling", "external", "--seed", "7")),
)


def prove(quick: bool = False) -> Verdict:
    """Random kills of the command line's solve, and a death at every file operation of one save."""
    claims: list[Claim] = []
    numbers: Row = {}
    for way in WAYS[-1:] if quick else WAYS:
        with _own_home() as home:
            result = killed_at_random(way, Path(home), kills=2 if quick else 50, seed=9)
        claims.append(
            Claim(f"{way.title}: resumed states that differ, {result['kills']} kills", result["differ"], 0)
        )
        numbers[way.title] = result
    with _own_home() as home:
        result = killed_at_every_operation(home, stride=13 if quick else 1)
    title = f"one save, killed at each of {result['deaths']} moments: runs lost or changed"
    claims.append(Claim(title, len(result["failures"]), 0))
    claims.append(
        Claim("one save: kinds of run found afterwards that are missing", _missing(result["left"]), 0)
    )
    claims.append(Claim("one save: threads of the process that saves, opens and dies", result["threads"], 1))
    return Verdict(claims, {**numbers, "every file operation": result})


def killed_at_random(way: Way, home: Path, kills: int, seed: int) -> Row:
    """Start, kill -9 at a random moment, look, resume, kill again; last, compare with an undisturbed run."""
    rng, twin = random.Random(seed), way.solver()
    differ, moments = 0, []
    for _ in range(kills):
        reached = _saved_iteration(home)
        _start_and_kill(way, home, beyond=-1 if reached is None else reached, delay=rng.uniform(0.0, LATEST))
        moments.append(_saved_iteration(home))
        twin.step(moments[-1] - twin.iteration)
        differ += not same_state(load(NAME).solver(), twin)
    total = moments[-1] + LAST
    _finish(home, total)
    twin = way.solver()
    undisturbed = Trace(run(twin, every=EVERY, until=iterations(total)))
    differ += not same_state(load(NAME).solver(), twin)
    differ += _without_seconds(load(NAME).trace) != _without_seconds(undisturbed)
    return {"kills": kills, "differ": differ, "iterations": total, "iterations_at_kills": moments}


def killed_at_every_operation(home: str, stride: int) -> Row:
    """One save, done again and again by a process that dies one file operation later each time."""
    command = [sys.executable, "-m", "solverlab.proof.dying", home, str(stride)]
    # Arrow's allocator sweeps up in a thread; told not to, every thread there is would be an accident.
    plain = os.environ | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
    done = subprocess.run(command, env=plain, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        return {"deaths": 0, "left": {}, "failures": [done.stderr[-2000:]], "threads": 0}
    return json.loads(done.stdout)


@contextmanager
def _own_home() -> Iterator[str]:
    """A store of our own for a while, so that no run of the user's is touched."""
    before = os.environ.get("SOLVERLAB_HOME")
    with tempfile.TemporaryDirectory(prefix="solverlab-kill-") as home:
        os.environ["SOLVERLAB_HOME"] = home
        try:
            yield home
        finally:
            if before is None:
                del os.environ["SOLVERLAB_HOME"]
            else:
                os.environ["SOLVERLAB_HOME"] = before


def _start_and_kill(way: Way, home: Path, beyond: int, delay: float) -> None:
    """Start or resume the run, wait until it has saved something new, then kill it without a warning."""
    target = ["--resume", NAME] if beyond >= 0 else [*way.options, "--save", NAME]
    with _solve(*target, "--iterations", "100000000") as process:
        end = time.monotonic() + PATIENCE
        while (_saved_iteration(home) or -1) <= beyond:
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                raise RuntimeError(f"the run did not get on: {process.communicate()[1]}")
            time.sleep(0.005)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)


def _finish(home: Path, total: int) -> None:
    with _solve("--resume", NAME, "--iterations", str(total)) as process:
        told = process.communicate(timeout=PATIENCE)
    if process.returncode != 0:
        raise RuntimeError(f"the last part did not end well: {told[1]}")


def _solve(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "solverlab", "solve", *options, "--every", str(EVERY)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _saved_iteration(home: Path) -> int | None:
    """What the run's manifest says now; None before the first save."""
    try:
        return json.loads((home / "runs" / NAME / "run.json").read_text())["iteration"]
    except FileNotFoundError:
        return None


def _without_seconds(trace: Trace) -> list[Row]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in trace.rows]


def _missing(left: dict[str, int]) -> int:
    """Both the old and the new run must have been found, or the deaths came too early or too late."""
    return sum(left.get(kind, 0) == 0 for kind in ("old", "new"))
