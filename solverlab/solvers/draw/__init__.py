"""Solvers of the 2-to-7 draw game with a deck too large for a tree: tables over hands and discards.

May import core, cards and the schedules of solvers; never games. Start reading at `solver.py`, which all of
them share, then `cfr.py` for every hand at once, `sampled.py` for one deal at a time, `betting.py` for bets.
"""

from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.full_width import full_width
from solverlab.solvers.draw.policy import DrawPolicy
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.snapshot import DrawSnapshot

__all__ = ["DrawBetting", "DrawCFR", "DrawPolicy", "DrawSnapshot", "SampledDraw", "full_width"]
