"""`solverlab warm`: compile and build now what first clicks would wait for."""

from __future__ import annotations

import argparse
import sys
import time

from solverlab.core.errors import BadValue, SolverlabError

WIDTH = 24  # letters of the bar


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which pages."""
    parser.add_argument(
        "--page",
        action="append",
        metavar="NAME",
        help="only this page: solve, grow, push-fold, two-to-seven or abstraction; may be given again",
    )


def run(options: argparse.Namespace) -> None:
    """Run the errands of the pages with a bar; done before, there is nothing to do."""
    from solverlab.ui.warm_children import WarmStart
    from solverlab.ui.warm_start import ERRANDS, PAGES

    pages = options.page or list(PAGES)
    for page in pages:
        if page not in PAGES:
            raise BadValue(f"there is nothing to warm for {page!r}; choose from {', '.join(PAGES)}")
    errands = [errand for errand in ERRANDS if errand.page in pages]
    began, warm = time.monotonic(), WarmStart(errands)
    while not warm.wait(0.2):
        if sys.stderr.isatty():
            print(f"\r{bar(len(errands), warm.left())}", end="\033[K", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if warm.problems:
        raise SolverlabError("; ".join(f"{name}: {problem}" for name, problem in warm.problems.items()))
    print(f"{', '.join(pages)}: ready ({warm.compiled} compiled, {time.monotonic() - began:.0f} s)")


def bar(all: int, left: list[str]) -> str:
    """How far it is, and what is under way.

    >>> bar(4, ["solve: compiling the solver"])
    '##################------ 3 of 4 done; solve: compiling the solver'
    """
    done = all - len(left)
    full = WIDTH * done // max(all, 1)
    return f"{'#' * full}{'-' * (WIDTH - full)} {done} of {all} done" + (f"; {left[0]}" if left else "")
