"""What can be measured while a solver runs, by name; all exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from solverlab.analysis import deviation_gains, exploitability, nash_conv, value
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import Game
from solverlab.core.snapshot import Snapshot

MEASURES: dict[str, Callable[[Game, Snapshot], Any]] = {
    "exploitability": lambda game, snap: exploitability(game, snap.policy),
    "current_exploitability": lambda game, snap: exploitability(game, snap.current),
    "nash_conv": lambda game, snap: nash_conv(game, snap.policy),
    "value": lambda game, snap: value(game, snap.policy),
    "deviation_gains": lambda game, snap: deviation_gains(game, snap.policy),
    "current_deviation_gains": lambda game, snap: deviation_gains(game, snap.current),
}
REPORTED = {"change", "relative_change"}  # what a rebalance says of itself: never a distance


def usual_measures(game: Game) -> tuple[str, ...]:
    """What a run reports unless told otherwise: distance from equilibrium and the first player's value.

    Nothing for a game that can only be sampled: nothing exact is known of it.
    """
    if not hasattr(game, "leaf_cfv"):
        return ()
    return ("exploitability", "value") if game.n_players == 2 else ("deviation_gains", "value")


def distances(game: Game) -> tuple[str, str]:
    """The measures of how far the average and the current strategy are from an equilibrium."""
    if game.n_players == 2:
        return "exploitability", "current_exploitability"
    return "deviation_gains", "current_deviation_gains"


def reported(snap: Snapshot, name: str) -> float:
    """A number that the solver itself brings with its snapshots."""
    if name not in snap.metrics:
        raise BadValue(f"this solver does not report its {name}; sl.Rebalance does, others are measured")
    return snap.metrics[name]


def check_measures(names: Iterable[str]) -> tuple[str, ...]:
    for name in names:
        if name not in MEASURES and name not in REPORTED:
            raise UnknownName("measure", name, MEASURES)
    return tuple(names)


def measured(game: Game, snap: Snapshot, names: Sequence[str]) -> Snapshot:
    """The snapshot with the named numbers known."""
    known = {name: MEASURES[name](game, snap) for name in check_measures(names) if name in MEASURES}
    return snap.measured(known | {name: reported(snap, name) for name in names if name in REPORTED})
