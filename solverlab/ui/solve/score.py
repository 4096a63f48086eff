"""The line of numbers above the plots: how far the run is, and how close to equilibrium."""

from __future__ import annotations

from html import escape

from solverlab.core.snapshot import Snapshot
from solverlab.ui.numbers import number, signed
from solverlab.ui.skeleton.guides import term


def distance_name(players: int) -> str:
    """What the distance from equilibrium is called: exploitability is a word for two players only."""
    return "exploitability" if players == 2 else "deviation gain"


def score_html(
    snap: Snapshot, measured_at: int, past_of: int | None = None, exact: float | None = None
) -> str:
    """Iteration, distances of the average and the current strategy, value, speed.

    `measured_at` is the iteration the distances belong to; `past_of` the live iteration while looking back.
    """
    players = len(snap.names.players)
    items = [_iteration(snap, past_of)]
    items += _distances(snap, players) if snap.metrics else []
    if "value" in snap.metrics:
        known = f" <small>exact {signed(exact)}</small>" if exact is not None else ""
        items.append(f"value to {escape(snap.names.players[0])}<b>{signed(snap.value)}</b>{known}")
    if measured_at != snap.iteration and past_of is None:
        items.append(f"<small>distances at iteration {measured_at:,}</small>")
    elif snap.seconds > 0 and past_of is None:
        items.append(f"<small>{snap.iteration / snap.seconds:,.0f} iterations a second</small>")
    return f"<div class='score'>{''.join(f'<div>{item}</div>' for item in items)}</div>"


def _iteration(snap: Snapshot, past_of: int | None) -> str:
    if past_of is None:
        return f"{term('iteration')}<b>{snap.iteration:,}</b>"
    return f"iteration<b>{snap.iteration:,}</b> of {past_of:,} (past)"


def _distances(snap: Snapshot, players: int) -> list[str]:
    if players == 2:
        average, current = snap.metrics["exploitability"], snap.metrics["current_exploitability"]
        return [
            f"{term('exploitability')} of the average<b>{number(average)}</b>",
            f"current<b>{number(current)}</b>",
        ]
    gains = snap.metrics["deviation_gains"]
    seats = " · ".join(f"{name} {number(g)}" for name, g in zip(snap.names.players, gains, strict=True))
    return [f"largest {term('deviation gain')}<b>{number(max(gains))}</b> <small>{seats}</small>"]
