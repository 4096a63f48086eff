"""`solverlab size`: how large a postflop spot is, counted before anything is built."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.games.spot.size import SpotSize


def add_size_options(made: argparse.ArgumentParser) -> None:
    """A spot as `sl.Spot` takes it."""
    made.add_argument("board", nargs="?", metavar="BOARD", help="a flop, turn or river such as Td9d6h")
    made.add_argument("--pot", type=float, default=200, help="chips in the middle (%(default)g)")
    made.add_argument("--stack", type=float, default=900, help="chips behind, of each (%(default)g)")
    made.add_argument("--first", metavar="RANGE", default="random", help="hands of the first to act (random)")
    made.add_argument("--last", metavar="RANGE", default="random", help="hands of the last to act (random)")
    made.add_argument("--bets", metavar="MENU", default="50%, 100%, a", help="such as '60%%, e, a'")
    made.add_argument("--raises", metavar="MENU", default="2.5x, a", help="such as '2.5x, a'")
    made.add_argument("--donk", metavar="MENU", help="bets into the last aggressor")
    made.add_argument("--cap", type=int, metavar="N", help="raises a round, at most")
    made.add_argument("--add-allin", type=float, default=0.0, metavar="X", help="all-in up to X pots, too")
    made.add_argument("--force-allin", type=float, default=0.0, metavar="X", help="see docs/betting.md")
    made.add_argument("--merge", type=float, default=0.0, metavar="X", help="sizes nearer than X are one")
    made.add_argument("--free", type=float, metavar="GB", help="memory to fit into (what is free here)")
    made.add_argument("--document", action="store_true", help="document 004's estimates and class counts")


def run_size(options: argparse.Namespace) -> None:
    """Print what was asked for."""
    if options.board is None and not options.document:
        raise BadValue(
            "no board was given; give one such as Td9d6h, or --document for document 004's numbers"
        )
    if options.free is not None and not options.free > 0:
        raise BadValue(f"--free {options.free:g} is no memory; give gigabytes above 0")
    if options.board is not None:
        from solverlab.games.spot.size import size

        names = ("pot", "stack", "bets", "raises", "donk", "cap", "add_allin", "force_allin", "merge")
        settings = {name: getattr(options, name) for name in names}
        counted = size(options.board, ranges=(options.first, options.last), **settings)
        print(told(counted, None if options.free is None else options.free * 1e9))
    if options.document:
        print(documented())


def told(size: SpotSize, free: float | None = None) -> str:
    """A size for people: deals, a column a round, and whether it fits."""
    mine, theirs = (int(hands) for hands in size.rounds[0].room.size[:, 0])
    deals = f"deals {size.pairs:,} of {mine} x {theirs} = {mine * theirs:,}: the others share a card"
    table = _sideways(size.frame(), "round")
    return "\n".join([deals, table, str(size), size.verdict(free)])


def documented() -> str:
    """The document's products beside what it prints, and the classes of every street."""
    from solverlab.games.spot.estimates import ESTIMATES, street_classes

    lines = ["document 004, in histories:", *map(str, ESTIMATES), "", _sideways(street_classes(), "street")]
    return "\n".join(lines)


def _sideways(table: pd.DataFrame, label: str) -> str:
    """A row a quantity, a column a round: few rounds have many numbers."""
    grid = [[label, *map(str, table[label])]]
    for name in table.columns.drop(label):
        grid.append(
            [name, *("" if cell != cell or cell is None else f"{int(cell):,}" for cell in table[name])]
        )
    widths = [max(len(line[column]) for line in grid) for column in range(len(grid[0]))]
    padded = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in grid)
    return "\n".join("  ".join(line) for line in padded)
