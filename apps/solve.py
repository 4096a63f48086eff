"""The Solve page for `panel serve apps/solve.py`; `solverlab serve` needs no file."""

from solverlab.ui.shell import PAGES, Seats, session

session(PAGES[0], Seats(30), 256_000_000).servable(title="solverlab")
