"""What the tanh update of document 000 does where an equilibrium is known: its ways, and exact distances.

The document hopes that rebalancing converges and fears oscillations. Both are data here: the way of two
probabilities, sweep by sweep, and races against CFR on the same game, every distance by exact best response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, cast

from solverlab.analysis import exploitability
from solverlab.analysis.oscillation import Watch, probability
from solverlab.core.game import RangeGame, TabulatedGame
from solverlab.core.rows import Row
from solverlab.core.snapshot import Snapshot
from solverlab.games import game_named
from solverlab.run.drive import geometric_next
from solverlab.solvers import CFR, SQUASHES, Rebalance
from solverlab.solvers.growing.settings import EV_KINDS

REST = 1e-6  # no probability changes by more: the stopping test of the document is met
SCHEDULES = ("CFR", "CFR+")

Tell = Callable[[float, str], None]


class Portrait(NamedTuple):
    """Two probabilities to follow in a small game, from a start that is no equilibrium."""

    game: str  # as the catalogue calls it
    x: Watch
    y: Watch
    start: float | None  # the first player's probability of the first action; None: everything is uniform


PORTRAITS = {
    "matching pennies": Portrait("matching-pennies", Watch("", "heads"), Watch("heads", "heads"), 0.51),
    "rock-paper-scissors": Portrait("rock-paper-scissors", Watch("", "rock"), Watch("", "paper"), 0.4),
    "Kuhn poker": Portrait("kuhn", Watch("", "raise", "J"), Watch("raise", "call", "Q"), None),
}


def way(portrait: Portrait, scale: float, sweeps: int, ev: str = "as written") -> list[Row]:
    """Both probabilities and the distances after each sweep, of the current and of the average strategy.

    >>> rows = way(PORTRAITS["matching pennies"], scale=4.0, sweeps=300)
    >>> rows[0]["x"], rows[-1]["exploitability"] > 0.95, rows[-1]["average_exploitability"] < 0.05
    (0.51, True, True)
    """
    game = cast(TabulatedGame, game_named(portrait.game))
    solver = Rebalance(game, scale=scale, start=portrait.start, ev=ev)
    snaps = (solver.snapshot() if sweep == 0 else solver.step(1) for sweep in range(sweeps + 1))
    return [
        {
            "scale": scale,
            "sweep": snap.iteration,
            "x": probability(snap.current, portrait.x),
            "y": probability(snap.current, portrait.y),
            "average_x": probability(snap.policy, portrait.x),
            "average_y": probability(snap.policy, portrait.y),
            "change": snap.metrics["change"],
            **_distances(game, snap),
        }
        for snap in snaps
    ]


def first_rest(rows: Iterable[Row], change: float = REST) -> Row | None:
    """Where the document's stopping test is first met: no probability changed by more than that."""
    return next((row for row in rows if row["sweep"] and row["change"] <= change), None)


class Contestant(NamedTuple):
    """Who takes part in a race: a schedule of CFR, or a rebalance with its settings."""

    name: str
    make: Callable[[RangeGame], CFR | Rebalance]
    about: Row


def contestants(hands: int, scales: Iterable[float], squash: str = "tanh") -> list[Contestant]:
    """CFR and CFR+, and every kind of EV at every scale.

    An EV times its reach is smaller by about the number of hands, so its scale is, too.

    >>> [who.name for who in contestants(3, [6.0])]
    ['CFR', 'CFR+', 'as written, scale 6', 'centred, scale 6', 'reach-weighted, scale 2']
    """
    plain = [
        Contestant(name, partial(CFR, schedule=name), {"kind": name, "scale": None}) for name in SCHEDULES
    ]
    for kind in EV_KINDS:
        for scale in scales:
            plain.append(_rebalance(kind, scale / hands if kind == "reach-weighted" else scale, squash))
    return plain


def _rebalance(kind: str, scale: float, squash: str) -> Contestant:
    make = partial(Rebalance, squash=squash, scale=scale, ev=kind)
    return Contestant(f"{kind}, scale {scale:.3g}", make, {"kind": kind, "scale": scale})


def race(
    name: str, scales: Iterable[float], sweeps: int, tell: Tell = lambda share, words: None
) -> list[Row]:
    """Exact exploitability against sweeps of everybody on one game of the catalogue.

    An iteration of CFR (alternating) and a sweep of a rebalance both look at the whole tree for every player.
    """
    game = game_named(name)
    everybody, rows = contestants(len(game.names.hands), scales), []
    for number, who in enumerate(everybody):
        tell(number / len(everybody), f"{game.name}: {who.name}")
        solver, due = who.make(game), 0
        while due < sweeps:
            due = min(geometric_next(due), sweeps)
            snap = solver.step(due - solver.iteration)
            about = {"game": game.name, "who": who.name, **who.about, "sweep": due}
            rows.append({**about, **_distances(game, snap)})
    return rows


def best_scales(rows: Iterable[Row]) -> dict[str, Row]:
    """The last row of the scale whose average ends nearest to equilibrium, for each kind of one race."""
    last = {row["who"]: row for row in rows}
    kinds = dict.fromkeys(row["kind"] for row in last.values())
    return {
        kind: min(
            (row for row in last.values() if row["kind"] == kind),
            key=lambda row: row["average_exploitability"],
        )
        for kind in kinds
    }


def squash_table(name: str, scale: float, sweeps: int) -> list[Row]:
    """Where each squash ends on one game, whatever the kind of EV."""
    game, rows = cast(TabulatedGame, game_named(name)), []
    for squash in SQUASHES:
        for kind in EV_KINDS:
            reach = scale / len(game.names.hands) if kind == "reach-weighted" else scale
            snap = Rebalance(game, squash=squash, scale=reach, ev=kind).step(sweeps)
            about = {"game": game.name, "squash": squash, "kind": kind, "scale": reach, "sweep": sweeps}
            rows.append({**about, **_distances(game, snap)})
    return rows


def _distances(game: RangeGame, snap: Snapshot) -> Row:
    return {
        "exploitability": exploitability(game, snap.current),
        "average_exploitability": exploitability(game, snap.policy),
    }
