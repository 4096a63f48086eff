"""The alarm that tells standing still from convergence, for every screen; it needs no plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from solverlab.core.rows import Row
from solverlab.ui.grow.change_words import at_rest, looked_at
from solverlab.ui.tokens import css
from solverlab.views.theme import LIGHT

ALARM = LIGHT.bad


def last_alarm(rows: Sequence[Row], sweep: int) -> Row | None:
    """The last false rest up to a sweep: it may have lasted for that one sweep, and is told all the same.

    >>> rows = [{"sweep": 1}, {"sweep": 2, "alarm": True}, {"sweep": 3, "alarm": False}]
    >>> last_alarm(rows, 3) == rows[1], last_alarm(rows, 1)
    (True, None)
    """
    return next((row for row in reversed(rows) if row.get("alarm") and row["sweep"] <= sweep), None)


def alarm_html(row: Row, unit: str = "chips", test: str = "absolute") -> str:
    """The false-convergence alarm: a red banner where a strategy stands still but is no equilibrium.

    `test` says which change was looked at, unless the row does.

    >>> quiet = {"change": 0.02, "gain": 0.3, "tolerance": 1e-6}
    >>> "still moving" in alarm_html(quiet), "not convergence" in alarm_html(quiet | {"alarm": True})
    (True, True)
    """
    test = row.get("test", test)
    change, gain, tolerance = looked_at(row, test), row.get("gain"), row.get("tolerance")
    if row.get("alarm"):
        could = "somebody could still gain" if gain is None else f"a seat could still gain {gain:.3g} {unit}"
        return (
            f"<div role='alert' style='background: {css(LIGHT.bad_soft)}; border: 2px solid {css(ALARM)}; "
            f"border-radius: 6px; padding: 7px 12px'><b style='color: {css(ALARM)}'>&#9888; {_when(row)} "
            f"calls itself converged: "
            f"{at_rest(tolerance or change, test)}.</b> "
            f"But {escape(could)}: <b>this is not convergence.</b></div>"
        )
    if not math.isfinite(change):
        return "<p class='quiet'>No sweep yet.</p>"
    moves = f"It is still moving: the largest change in a sweep is {change:.3g}"
    if tolerance and change <= tolerance:
        moves = f"At rest: {at_rest(tolerance, test)}"
    gains = "" if gain is None else f"; a seat could gain {gain:.3g} {escape(unit)} more"
    return f"<p class='quiet'>{moves}{gains}.</p>"


def _when(row: Row) -> str:
    return f"At sweep {row['sweep']:,} it" if row.get("sweep") else "It"
