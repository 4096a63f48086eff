"""`solverlab bench`: parse the options, run the suites, print the table, write the JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from solverlab.bench import contestants, machine, report
from solverlab.bench.plan import FULL, QUICK, Plan
from solverlab.bench.rows import Row
from solverlab.bench.suites import SUITES
from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.core.options import OneOf


def main(argv: Sequence[str] | None = None) -> int:
    """Measure solverlab and its peers; returns the exit code, 2 for options that make no sense."""
    options = parser().parse_args(argv)
    try:
        names, path = chosen_suites(options.only), writable(options.json)
    except SolverlabError as error:
        print(f"solverlab bench: {error}", file=sys.stderr)
        return 2
    where = machine.describe()
    missing = contestants.absent()
    rows = measure(names, QUICK if options.quick else FULL)
    notes = [*report.footnotes(rows), *report.busy(where), *missing]
    print("\n".join([report.table(rows), "", *notes, f"{where['cpu']}, {where['date']}; numbers in {path}"]))
    report.write(path, {"quick": options.quick, **report.document(rows, where, notes)})
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="solverlab bench", description=main.__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a few seconds, to see that everything runs; numbers are rough"
    )
    parser.add_argument(
        "--json", metavar="PATH", default="bench.json", help="where to write the numbers (%(default)s)"
    )
    parser.add_argument("--only", metavar=OneOf("NAME", SUITES), help=f"one suite: {', '.join(SUITES)}")
    return parser


def chosen_suites(only: str | None) -> list[str]:
    if only is not None and only not in SUITES:
        raise UnknownName("bench suite", only, SUITES)
    return [only] if only else list(SUITES)


def writable(text: str) -> Path:
    path = Path(text)
    if not path.parent.is_dir() or path.is_dir():
        raise BadValue(
            f"cannot write the numbers to {text!r}: give --json a file name in a folder that exists"
        )
    return path


def measure(names: Sequence[str], plan: Plan) -> list[Row]:
    rows: list[Row] = []
    for name in names:
        print(f"measuring {name}: {SUITES[name].title} ...", file=sys.stderr, flush=True)
        rows += SUITES[name].measure(plan, contestants.installed())
    return rows
