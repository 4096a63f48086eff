"""Slow twins to read before the fast ones, and to test them with: rules in, dictionaries out, no arrays.

May import core and cards only. Solvers work on whatever a small game writes (root, children, payoff, deals);
`strength.py`, `suits.py`, `lowball.py` and `draw.py` count cards one by one; `cut.py` and `forest.py` value
truncated trees deal by deal. Nothing here is quick, nothing
here is clever. Start reading at `cfr.py`, the whole algorithm in forty plain lines.
"""

from solverlab.naive.best_response import BestResponder
from solverlab.naive.cfr import PlainCFR
from solverlab.naive.infosets import Rules, Strategy, infoset_of, policy_of
from solverlab.naive.mccfr import PlainMCCFR
from solverlab.naive.rebalance import PlainRebalance
from solverlab.naive.uct import PlainUCT

__all__ = [
    "BestResponder",
    "PlainCFR",
    "PlainMCCFR",
    "PlainRebalance",
    "PlainUCT",
    "Rules",
    "Strategy",
    "infoset_of",
    "policy_of",
]
