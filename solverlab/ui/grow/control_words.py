"""Where the boxes and menus of the Grow page stand."""

from __future__ import annotations

# The left column: a heading, and boxes in pairs.
GROUPS = {
    "Table": (
        "players",
        "stack",
        "blinds",
        "betting",
        "bets",
        "raises",
        "buckets",
        "holdings",
        "deals",
        "seed",
    ),  # fmt: skip
    "Rebalance": ("squash", "scale", "ev", "baseline", "floor", "start", "sweeps", "tolerance", "test"),
    "Expand": ("order", "k", "leaf", "uncalled", "weighting"),
}
