"""What can be measured while a solver runs, by name.

Games with a tree are measured exactly, by the functions below. A solver of a larger game measures itself, on
sampled deals; `meter_of` says which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from solverlab.analysis import deviation_gains, exploitability, nash_conv, value
from solverlab.core.abilities import MeasuredGame
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.game import Game, RangeGame
from solverlab.core.snapshot import Snapshot
from solverlab.core.solver import MeasuringSolver, NamedGame, Solver

MEASURES: dict[str, Callable[[Game, Snapshot], float | tuple[float, ...]]] = {
    "exploitability": lambda game, snap: exploitability(game, snap.policy),
    "current_exploitability": lambda game, snap: exploitability(game, snap.current),
    "nash_conv": lambda game, snap: nash_conv(game, snap.policy),
    "value": lambda game, snap: value(game, snap.policy),
    "deviation_gains": lambda game, snap: deviation_gains(game, snap.policy),
    "current_deviation_gains": lambda game, snap: deviation_gains(game, snap.current),
}
REPORTED = {"change", "relative_change"}  # what a rebalance says of itself: never a distance


def usual_measures(game: object) -> tuple[str, ...]:
    """What a run reports unless told otherwise: distance from equilibrium and the first player's value.

    Nothing for a game that can only be sampled: nothing exact is known of it.
    """
    if not isinstance(game, RangeGame | MeasuredGame):
        return ()
    assert isinstance(game, NamedGame)
    return ("exploitability", "value") if game.n_players == 2 else ("deviation_gains", "value")


def distances(game: NamedGame) -> tuple[str, str]:
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


Meter = Callable[[Any], Any]  # a snapshot -> the same one with its numbers known


def meter_of(solver: Solver, wanted: Iterable[str] | None, targets: Iterable[str], deals: int) -> Meter:
    """What measures the snapshots of a solver: its own measure, or the exact functions of its game."""
    if isinstance(solver, MeasuringSolver):
        asked = [*(wanted or ()), *targets]
        return lambda snap: _self_measured(solver, snap, asked, deals)
    game: Any = solver.game
    names = usual_measures(game) if wanted is None else tuple(wanted)
    names = check_measures(dict.fromkeys([*names, *targets]))
    return lambda snap: measured(game, snap, names)


def _self_measured(solver: MeasuringSolver, snap: Any, asked: Iterable[str], deals: int) -> Any:
    found = solver.measure(snap, deals)
    found = found.measured({"exploitability": found.metrics["nash_conv"] / 2})
    for name in asked:
        if name not in found.metrics:
            raise UnknownName("measure", name, found.metrics)
    return found
