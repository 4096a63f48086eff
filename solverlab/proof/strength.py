"""Exact strength of every hand on every street: what building the tables costs, and loading them again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from solverlab.proof.verdict import Claim, Verdict

CPU_SECONDS, GIGABYTES, LOADING = 20.0, 2.0, 1.0
# One core; the first call compiles on a table that is thrown away, so the second is the build alone.
PROGRAM = """
import json, resource, sys, time
from pathlib import Path
from solverlab.cards.strength_tables import strength_tables
folder, builds = Path(sys.argv[1]), int(sys.argv[2])
def clocks():
    return time.perf_counter(), time.process_time()
told = []
for build in range(builds):
    begin = clocks()
    strength_tables(folder / str(build)).array("flop_sums")
    told.append([b - a for a, b in zip(begin, clocks())])
try:  # this process alone: what getrusage tells may be the size of whoever started it
    status = Path("/proc/self/status").read_text()
    memory = int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e9
except OSError:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
print(json.dumps({"builds": told, "gigabytes": memory}))
"""
LOAD = """
import json, sys, time
from pathlib import Path
from solverlab.cards.strength_tables import strength_tables
begin = time.perf_counter(), time.process_time()
tables = strength_tables(Path(sys.argv[1]))
hands = sum(len(tables.array(f"{street}_sums")) for street in ("preflop", "flop", "turn", "river"))
wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
print(json.dumps({"hands": hands, "wall": wall, "cpu": cpu}))
"""


def prove(quick: bool = False) -> Verdict:
    """Build all four streets in a process of its own, twice (once in a test), and load them in another."""
    with tempfile.TemporaryDirectory() as folder:
        built = _told(PROGRAM, folder, "1" if quick else "2")
        loaded = _told(LOAD, f"{folder}/0")
    slack = 10.0 if quick else 1.0
    claims = [
        Claim("CPU seconds to build all four streets", built["builds"][-1][1], slack * CPU_SECONDS),
        Claim("gigabytes of memory at most while building", built["gigabytes"], GIGABYTES),
        Claim("CPU seconds to load them all, checked", loaded["cpu"], slack * LOADING),
        Claim("hands missing", 138_403_265 - loaded["hands"], 0),
    ]
    return Verdict(claims, {"building": built, "loading": loaded})


def _told(program: str, *arguments: str) -> dict:
    environment = os.environ | {"NUMBA_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, check=True
    )
    return json.loads(done.stdout)
