"""The line above the tree: how far it has grown, and how far it is from rest and from equilibrium."""

from __future__ import annotations

import math

from solverlab.ui.grow.change_words import looked_at
from solverlab.ui.grow.runner import Frame

CLOSE = "flex-wrap: wrap; column-gap: 16px"  # no number may leave a small screen on the right

WAITING = (
    "Working: the first sweep is compiled, and the first flop needs tables of exact hand strength, which are "
    "built once (half a minute)."
)


def score_html(frame: Frame, test: str = "absolute") -> str:
    """Sizes, misses, the change a test looks at, and distance; gains on sampled deals are told to be so."""
    now = frame.now
    parts = [("epoch", f"{now['epoch']:,}"), ("sweep", f"{now['sweep']:,}"), ("nodes", f"{now['nodes']:,}")]
    if "action_nodes" in now and not frame.exact:
        parts.append(("decisions", f"{now['action_nodes']:,}"))
    if "miss_rate" in now:
        parts.append(("misses", f"{100 * now['miss_rate']:.0f} %"))
    if now["sweep"]:
        change, name = looked_at(now, test), "relative change" if test == "relative" else "change"
        parts.append((name, f"{change:.2g}" if math.isfinite(change) else "–"))
    if now.get("gains"):
        name = "largest gain" if frame.exact else "gain on these deals"
        parts.append((name, f"{now['gain']:.3g} {short(frame.unit)}"))
    if "current_lifted" in now:
        parts.append(("mean gain, whole game", f"{now['current_lifted']:.3g}"))
    return (
        f"<div class='score' style='{CLOSE}'>"
        + "".join(f"<div>{name}<b>{value}</b></div>" for name, value in parts)
        + "</div>"
    )


def short(unit: str) -> str:
    """A unit where there is little room.

    >>> short("big blinds"), short("chips")
    ('BB', 'chips')
    """
    return "BB" if unit == "big blinds" else unit
