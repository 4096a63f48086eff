"""`solverlab figure`: make published figures from the command line."""

from __future__ import annotations

import argparse
import sys

from solverlab.figures import FIGURES, figure_named


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("name", metavar="NAME", help=f"{', '.join(FIGURES)}; all; or list")
    parser.add_argument("--out", metavar="FOLDER", default="figures", help="where to write (%(default)s)")


def run(options: argparse.Namespace) -> None:
    """List the figures, or write one of them or all, and print the files."""
    if options.name == "list":
        for name in FIGURES:
            print(f"{name:<16}{figure_named(name).title}")
        return
    names = list(FIGURES) if options.name == "all" else [options.name]
    figure_named(names[0])  # an unknown name is refused before anything is loaded
    from solverlab.figures.kept import reproduce

    for name in names:
        files = reproduce(name, options.out, _tell)
        _tell(1.0, "")
        print(*files, sep="\n", flush=True)


def _tell(share: float, words: str) -> None:
    """One line on a terminal, rewritten as the work goes on; silent where nobody watches."""
    if sys.stderr.isatty():
        text = f"{share:4.0%} {words}" if words else ""
        sys.stderr.write(f"\r{text:<72}\r")
        sys.stderr.flush()
