"""solverlab: a laboratory for poker solvers you can see think.

>>> import solverlab as sl
>>> solver = sl.CFR(sl.Leduc(), "DCFR")
>>> snap = solver.step(100)
>>> sl.exploitability(solver.game, snap.policy) < 0.05
True
"""

from importlib import import_module
from typing import Any

from solverlab.analysis import (
    best_response,
    deviation_gains,
    exploitability,
    nash_conv,
    solve_lp,
    value,
)
from solverlab.core.errors import SolverlabError
from solverlab.core.policy import Policy, uniform_policy
from solverlab.core.snapshot import Snapshot, Status
from solverlab.core.tying import tie_hands, tie_nodes
from solverlab.games import (
    HiddenMoves,
    Kuhn,
    Leduc,
    LimitPoker,
    Lowball,
    LowballPushFold,
    MatchingPennies,
    PushFold,
    RockPaperScissors,
    SmallGame,
    game_named,
)
from solverlab.run import Trace, below, iterations, run, seconds, solve
from solverlab.solvers import (
    CFR,
    MCCFR,
    HighestEV,
    MostAtStake,
    MostReached,
    Oldest,
    Rebalance,
    Sampling,
    Schedule,
    deals_at,
    gains_bracket,
)

__version__ = "0.1.0"

# Rooms and names that bring heavy libraries with them are imported when first asked for.
_LAZY_ROOMS = ("abstraction", "cards", "figures", "naive", "store", "ui", "views")
_LAZY_NAMES = {
    "Bankrolls": "solverlab.run.growing.bankrolls",
    "FixedRanges": "solverlab.abstraction",
    "Holdem": "solverlab.games.holdem.game",
    "KMeans": "solverlab.abstraction",
    "LinearEHS": "solverlab.abstraction",
    "Nested": "solverlab.abstraction",
    "Percentile": "solverlab.abstraction",
    "canonical_count": "solverlab.cards",
    "canonical_index": "solverlab.cards",
    "delete": "solverlab.store",
    "equity": "solverlab.cards.equity",
    "evaluate": "solverlab.cards",
    "evaluate_lowball": "solverlab.cards.evaluate_lowball",
    "hand_strength": "solverlab.abstraction",
    "load": "solverlab.store",
    "progress": "solverlab.views.progress",
    "runs": "solverlab.store",
    "Spot": "solverlab.games.spot.game",
    "SpotCFR": "solverlab.solvers.boards.cfr",
    "save": "solverlab.store",
    "size": "solverlab.games.spot.size",
}

__all__ = [
    "CFR",
    "MCCFR",
    "HiddenMoves",
    "HighestEV",
    "Kuhn",
    "Leduc",
    "LimitPoker",
    "Lowball",
    "LowballPushFold",
    "MatchingPennies",
    "MostAtStake",
    "MostReached",
    "Oldest",
    "Policy",
    "PushFold",
    "Rebalance",
    "RockPaperScissors",
    "Sampling",
    "Schedule",
    "SmallGame",
    "Snapshot",
    "SolverlabError",
    "Status",
    "Trace",
    "below",
    "best_response",
    "deals_at",
    "deviation_gains",
    "exploitability",
    "gains_bracket",
    "game_named",
    "iterations",
    "nash_conv",
    "run",
    "seconds",
    "solve",
    "solve_lp",
    "tie_hands",
    "tie_nodes",
    "uniform_policy",
    "value",
    *_LAZY_NAMES,
]


def __getattr__(name: str) -> Any:
    if name in _LAZY_ROOMS:
        return import_module(f"solverlab.{name}")
    if name in _LAZY_NAMES:
        return getattr(import_module(_LAZY_NAMES[name]), name)
    raise AttributeError(f"solverlab has no {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY_ROOMS, *_LAZY_NAMES])
