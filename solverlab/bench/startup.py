"""Suite on waiting: how long an import and the first iteration take in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from solverlab.bench.clock import Timing
from solverlab.bench.contestants import OURS, Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import Row

SCRIPT = """
import time
clocks = lambda: (time.perf_counter(), time.process_time())
begin = clocks()
{imports}
middle = clocks()
{first_step}
end = clocks()
print("took", *(b - a for a, b in zip(begin, middle)), *(b - a for a, b in zip(middle, end)))
"""


class Start(NamedTuple):
    import_wall: float
    import_cpu: float
    step_wall: float
    step_cpu: float


def startup(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds to import, then to build Leduc and run one iteration; the first round only warms caches."""
    starts: dict[str, list[Start]] = {each.name: [] for each in contestants}
    with tempfile.TemporaryDirectory() as home:
        for turn in range(plan.processes + 1):
            for each in contestants:
                start = fresh_start(each, home)
                if turn > 0:
                    starts[each.name].append(start)
    return [row for name, taken in starts.items() for row in start_rows(name, taken)]


def fresh_start(contestant: Contestant, home: str) -> Start:
    script = SCRIPT.format(imports=contestant.imports, first_step=contestant.first_step)
    # LiteEFG keeps game files in the home folder; our home stays, for the compile cache may live there
    homes = {} if contestant is OURS else {"HOME": home, "USERPROFILE": home}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **homes},
        capture_output=True,
        text=True,
        check=True,
    )
    last = next(line for line in reversed(done.stdout.splitlines()) if line.startswith("took "))
    return Start(*map(float, last.split()[1:]))


def start_rows(name: str, taken: Sequence[Start]) -> list[Row]:
    imports = Timing(tuple(each.import_wall for each in taken), tuple(each.import_cpu for each in taken))
    steps = Timing(tuple(each.step_wall for each in taken), tuple(each.step_cpu for each in taken))
    return [
        Row("startup", "Leduc CFR+", "import", name, imports),
        Row("startup", "Leduc CFR+", "first step", name, steps),
    ]
