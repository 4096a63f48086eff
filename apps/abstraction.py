"""The Abstraction page alone: `panel serve apps/abstraction.py`; `solverlab serve` needs no file."""

from solverlab.ui.shell import PAGES, Seats, visit

visit(PAGES[1], Seats(30), 256_000_000).servable(title="solverlab")
