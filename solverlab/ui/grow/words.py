"""The line above the tree: how far it has grown, and how far it is from rest and from equilibrium."""

from __future__ import annotations

from solverlab.ui.grow.runner import Frame


def score_html(frame: Frame, unit: str, exact: bool) -> str:
    """Sizes, misses, change and distance; gains on sampled deals are told to be so."""
    now = frame.now
    parts = [("epoch", f"{now['epoch']:,}"), ("sweep", f"{now['sweep']:,}"), ("nodes", f"{now['nodes']:,}")]
    if "action_nodes" in now:
        parts.append(("decisions", f"{now['action_nodes']:,}"))
    if now["sweep"]:
        parts.append(("change", f"{now['change']:.2g}"))
    if now.get("gains"):
        what = "largest gain" if exact else "largest gain on these deals"
        parts.append((what, f"{now['gain']:.3g} {unit}"))
    if "current_lifted" in now:
        parts.append(("in the whole game", f"{now['current_lifted']:.3g}"))
    if "miss_rate" in now:
        parts.append(("misses", f"{100 * now['miss_rate']:.0f} %"))
    return (
        "<div class='score'>"
        + "".join(f"<div>{name}<b>{value}</b></div>" for name, value in parts)
        + "</div>"
    )
