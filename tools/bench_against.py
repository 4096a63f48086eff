"""Our own benchmark rows in this checkout and in another, in turn: `python tools/bench_against.py ../older`.

Every suite runs in fresh processes, one of the other checkout, one of this, so many rounds; of each row the
best CPU time counts. Rows that only one of the two has are shown without a ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from solverlab.bench.report import aligned
from solverlab.bench.suites import SUITES

HERE = Path(__file__).resolve().parent.parent
SLOWER = 1.05
PROGRAM = """
import json, sys
from solverlab.bench import cards, clusters, contestants
from solverlab.bench.plan import FULL, QUICK
from solverlab.bench.suites import SUITES
cards.installed = clusters.installed = list
suite = SUITES.get(sys.argv[1])
rows = suite.measure(QUICK if sys.argv[2] == "quick" else FULL, [contestants.OURS]) if suite else []
timed = [row for row in rows if row.shown_as in ("seconds", "rate")]
print(json.dumps([[row.task, row.measure, min(row.timing.cpu)] for row in timed]))
"""

Times = dict[tuple[str, str], float]


def measured(checkout: Path, suite: str, plan: str) -> Times:
    """Best CPU seconds of every row of a suite, in a process that imports this checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", PROGRAM, suite, plan]
        answer = subprocess.run(
            command, env=environment, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        )
    return {(task, measure): used for task, measure, used in json.loads(answer.stdout.splitlines()[-1])}


def best(rounds: Sequence[Times]) -> Times:
    """The smallest number of every row."""
    return {row: min(times[row] for times in rounds if row in times) for times in rounds for row in times}


def compare(before: Times, after: Times) -> list[list[str]]:
    """One line a row: both numbers in microseconds, how many times slower, and a mark if that is too much."""
    lines = []
    for row in dict.fromkeys([*before, *after]):
        old, new = before.get(row), after.get(row)
        ratio = "" if old is None or new is None else f"{new / old:.2f}"
        mark = "slower" if ratio and float(ratio) > SLOWER else ""
        both = ("-" if used is None else f"{used * 1e6:,.3f}" for used in (old, new))
        lines.append([*row, *both, ratio, mark])
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a row is slower by more than 5 %."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="folder of another checkout of the project")
    parser.add_argument("--only", action="append", choices=SUITES, help="a suite; may be given again")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="short samples")
    options = parser.parse_args(argv)
    plan, other = "quick" if options.quick else "full", options.other.resolve()
    lines = []
    for suite in options.only or SUITES:
        pairs = [
            (measured(other, suite, plan), measured(HERE, suite, plan)) for _ in range(max(1, options.rounds))
        ]
        lines += compare(best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs]))
        print(f"{suite} is measured", file=sys.stderr, flush=True)
    print("\n".join(aligned([["", "", "before, us", "after, us", "after / before", ""], *lines])))
    return int(any(line[-1] for line in lines))


if __name__ == "__main__":
    sys.exit(main())
