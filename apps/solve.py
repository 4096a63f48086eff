"""The Solve page alone: `panel serve apps/solve.py`; `solverlab serve` needs no file."""

from solverlab.ui.shell import PAGES, Seats, visit

visit(PAGES[0], Seats(30), 256_000_000).servable(title="solverlab")
