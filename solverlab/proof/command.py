"""`solverlab proof`: run the proofs, print the claims, write the numbers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from solverlab.bench import machine
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.options import OneOf
from solverlab.proof.registry import PROOFS, prove, title
from solverlab.proof.verdict import Verdict
from solverlab.store.files import telling, write_whole

FOLDER = "proof"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    known = ", ".join(PROOFS)
    parser.add_argument("--only", metavar=OneOf("NAME", PROOFS), action="append", help=f"this proof only, of: {known}")
    parser.add_argument("--quick", action="store_true", help="the size of a test: seconds, writes nothing")
    parser.add_argument(
        "--out", metavar="FOLDER", help=f"where to write NAME.json ({FOLDER}, with --quick: nowhere)"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the proofs; 0 if everything holds, 1 if something does not."""
    parser = argparse.ArgumentParser(prog="solverlab proof", description=main.__doc__)
    add_options(parser)
    return run(parser.parse_args(argv))


def run(options: argparse.Namespace) -> int:
    names = list(dict.fromkeys(options.only or PROOFS))
    for name in names:
        if name not in PROOFS:
            raise UnknownName("proof", name, PROOFS)
    folder = _folder(options.out or (None if options.quick else FOLDER))
    held = [_one(name, options.quick, folder) for name in names]
    return 0 if all(held) else 1


def _folder(text: str | None) -> Path | None:
    if text is None:
        return None
    folder = Path(text)
    if not folder.parent.is_dir() or (folder.exists() and not folder.is_dir()):
        raise BadValue(f"cannot write proofs into {text!r}; give --out a folder inside one that exists")
    return folder


def _one(name: str, quick: bool, folder: Path | None) -> bool:
    print(f"{name}: {title(name)}", flush=True)
    where, began = machine.describe(), perf_counter()
    verdict = prove(name, quick)
    seconds = perf_counter() - began
    for claim in verdict.claims:
        mark = "holds" if claim.holds else "FAILS"
        print(f"  {mark}  {claim.sentence}: {claim.measured:.3g} (at most {claim.limit:.3g})")
    if folder is not None:
        _write(
            folder,
            name,
            {"proof": name, "title": title(name), "quick": quick, "seconds": seconds, **where},
            verdict,
        )
    print(f"  {seconds:.1f} s", flush=True)
    return verdict.holds


def _write(folder: Path, name: str, about: dict[str, object], verdict: Verdict) -> None:
    text = json.dumps({**about, **verdict.record()}, indent=1, allow_nan=False) + "\n"
    with telling(f"write {folder / name}.json"):
        folder.mkdir(exist_ok=True)
        write_whole(folder / f"{name}.json", text.encode())


if __name__ == "__main__":
    sys.exit(main())
