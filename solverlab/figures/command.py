"""`solverlab figure`: make published figures from the command line."""

from __future__ import annotations

import argparse

from solverlab.core.options import OneOf
from solverlab.figures import FIGURES, figure_named


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument(
        "name", metavar=OneOf("NAME", [*FIGURES, "all", "list"]), help=f"{', '.join(FIGURES)}; all; or list"
    )
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
    from solverlab.views.progress import Bar

    for name in names:
        bar = Bar()
        try:
            files = reproduce(name, options.out, bar.tell)
        finally:
            bar.close()
        print(*files, sep="\n", flush=True)
