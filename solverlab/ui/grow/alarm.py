"""The alarm that tells standing still from convergence, for every screen; it needs no plots."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

ALARM = "#B3001B"


def alarm_html(row: Mapping[str, Any], unit: str = "chips") -> str:
    """The false-convergence alarm: a red banner where a strategy stands still but is no equilibrium.

    >>> quiet = {"change": 0.02, "gain": 0.3, "tolerance": 1e-6}
    >>> "still moving" in alarm_html(quiet), "not convergence" in alarm_html(quiet | {"alarm": True})
    (True, True)
    """
    change, gain, tolerance = (row.get(name) for name in ("change", "gain", "tolerance"))
    if row.get("alarm"):
        limit = tolerance or change or 0.0
        could = "somebody could still gain" if gain is None else f"a seat could still gain {gain:.3g} {unit}"
        return (
            f"<div role='alert' style='background: #fdecee; border: 2px solid {ALARM}; border-radius: 6px; "
            f"padding: 7px 12px'><b style='color: {ALARM}'>&#9888; {_when(row)} calls itself converged: "
            f"no probability moved by more than {limit:.3g}.</b> "
            f"But {escape(could)}: <b>this is not convergence.</b></div>"
        )
    if change is None or not math.isfinite(change):
        return "<p class='quiet'>No sweep yet.</p>"
    still = bool(tolerance) and change <= tolerance
    moves = f"At rest: no probability moved by more than {tolerance:g}" if still else "It is still moving"
    moved = "" if still else f": the largest change in a sweep is {change:.3g}"
    gains = "" if gain is None else f"; a seat could gain {gain:.3g} {escape(unit)} more"
    return f"<p class='quiet'>{moves}{moved}{gains}.</p>"


def _when(row: Mapping[str, Any]) -> str:
    return f"At sweep {row['sweep']:,} it" if row.get("sweep") else "It"
