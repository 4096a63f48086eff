"""One door for both: `Rebalance` takes a small game, and hands a table of hold'em over to the `Forest`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solverlab.core.errors import BadValue

if TYPE_CHECKING:
    from solverlab.solvers.forest import Forest

IN_ORDER = ("squash", "scale", "ev", "frontier", "samples", "start", "rng", "baseline", "floor", "sweeps")


def is_dealt(game: Any) -> bool:
    """Whether a game can only be sampled: it draws deals and has no exact values at its leaves."""
    return hasattr(game, "draw") and not hasattr(game, "leaf_cfv")


def forest_of(game: Any, settings: tuple[Any, ...], named: Mapping[str, Any]) -> Forest:
    """The forest with the settings of a rebalance."""
    from solverlab.solvers.forest import Forest

    if len(settings) > len(IN_ORDER):
        raise BadValue(f"{len(settings)} settings without names are too many; name them, such as rng=7")
    together = {**dict(zip(IN_ORDER, settings, strict=False)), **named}
    if together.pop("start", None) is not None:
        raise BadValue("a forest starts every node alike; use start=None")
    if together.pop("returned", False):
        raise BadValue("returned is a setting of small games; give the table match=False")
    return Forest(game, **together)
