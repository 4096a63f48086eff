"""What the boxes and menus of the Grow page are called, what they explain, and where they are offered."""

from __future__ import annotations

from typing import Any

from solverlab.solvers.forest import WEIGHTINGS
from solverlab.solvers.rebalance_settings import BASELINES, EV_KINDS, TESTS
from solverlab.solvers.squash import SQUASHES
from solverlab.ui.grow.choice import BETTING, GAMES, HIDDEN, HOLDINGS, LEAVES, ORDERS, UNCALLED, Choice

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
WORDS = {
    "players": ("Players", "2 to 10."),
    "stack": ("Stacks", "In big blinds: one for all, or one for each seat from the small blind on."),
    "blinds": ("Blinds", "The small and the big blind, in the unit of the stacks: 0.5, 1."),
    "bets": ("Bets", "Fractions of the pot; add all-in to allow it at any time: 0.5, 1, all-in."),
    "raises": ("Raises", "Bets and raises a street; the big blind counts as one."),
    "buckets": (
        "Buckets",
        "How many kinds of flop, turn and river a player tells apart, by exact strength. Or suits: all 1,755 "
        "flops that differ in more than the names of suits; suits 8 has 8 kinds of turn and river after.",
    ),
    "deals": ("Deals a tree", "Sampled hands for each (position, holding), shared by all its leaves."),
    "scale": ("Scale", "EV is divided by this before it is squashed, in the game's unit."),
    "floor": ("Floor", "No probability falls below this; 0 is as written."),
    "tolerance": ("Tolerance", "Its own test of convergence: no probability moves by more in a sweep."),
    "k": ("k", "How many leaves of each position grow after an epoch."),
    "sweeps": ("Sweeps", "Rebalances in an epoch, before the trees grow."),
    "start": ("Start", "The first player's probability of the first action."),
    "seed": ("Seed", "The same seed deals the same hands."),
}
MENUS: dict[str, tuple[str, Any, str]] = {
    "game": ("Game", {title: name for name, title in GAMES.items()}, "Hold'em is sampled, the rest exact."),
    "betting": ("Betting", list(BETTING), "No-limit with the bets below, or fixed limit."),
    "holdings": ("Holdings", list(HOLDINGS), "A tree for each of 169 classes, or of 1,326 combos."),
    "squash": ("Squash", list(SQUASHES), "What squeezes EV into -1 to 1; the document says tanh."),
    "ev": ("EV", list(EV_KINDS), "As written, less the node's own EV, or times how often others come there."),
    "baseline": ("Counted from", list(BASELINES), "Chips from the start of the hand, or from the node on."),
    "test": (
        "Test",
        list(TESTS),
        "What the tolerance is held against: the largest change of a probability, absolute or relative to "
        "what it was.",
    ),
    "order": (
        "Grow by",
        list(ORDERS),
        "Reach first and EV second, as the document suggests; EV first; what is at stake, reach times EV; or "
        "age: breadth first, whatever happens there.",
    ),
    "weighting": (
        "Weigh hands by",
        list(WEIGHTINGS),
        "When leaves are compared by reach: each class as one of its combos, or with all its 6, 4 or 12.",
    ),
    "leaf": (
        "A leaf is worth",
        list(LEAVES),
        "A showdown; a rollout, playing on as now and at random beyond the trees; random play from there on; "
        "or the value of the solved game.",
    ),
    "uncalled": (
        "Uncalled bets",
        list(UNCALLED),
        "Where cards are shown early: live players match the largest bet, or what nobody called goes back.",
    ),
}


def offered(choice: Choice, name: str) -> bool:
    """Whether a setting changes anything in the game that is chosen."""
    grows = choice.game not in HIDDEN
    if name in GROUPS["Table"]:
        return choice.sampled
    if name == "weighting":  # combos all weigh the same
        return choice.sampled and choice.holdings == "classes"
    if name == "uncalled":
        return grows and choice.leaf == "showdown"
    if name in ("order", "k", "sweeps", "leaf"):
        return grows
    return name != "start" or not grows
