"""One colour an action, the same in every pane of the page; and one for every run while it exists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from solverlab.views.theme import ACTIONS, RUNS, action_colour, run_colour

READABLE = 4.8  # contrast of letters and ground, as accessibility guidelines measure it
ORDER = (0, 2, 3, 1, 4)  # of the colours without a name: the other blue is too near to that of a fold
INK_LIGHT = 0.066  # luminance of the pages' ink, with the 0.05 that those guidelines add


def colours_of(actions: Sequence[str]) -> list[str]:
    """The house's colours; sizes of bets take the free ones in their order, and all-in is the largest raise.

    >>> colours_of(["fold", "call", "raise 100%", "all-in"])
    ['#4095c5', '#08a177', '#e69f00', '#da711f']
    """
    free = [action for action in actions if action not in ACTIONS and action != "all-in"]
    full = [
        action_colour("raise")
        if action == "all-in" and "raise" not in actions
        else action_colour(action, ORDER[(free.index(action) if action in free else len(free)) % len(ORDER)])
        for action in actions
    ]
    return [lightened(colour) for colour in full]


@cache
def lightened(colour: str) -> str:
    """A colour with as much white in it as dark letters need to be read on it.

    >>> lightened("#000000"), lightened("#F0E442")
    ('#8f8f8f', '#f0e442')
    """
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    for white in np.arange(0.0, 1.0, 0.01):
        mixed = parts + white * (1 - parts)
        linear = np.where(mixed <= 0.04045, mixed / 12.92, ((mixed + 0.055) / 1.055) ** 2.4)
        if linear @ [0.2126, 0.7152, 0.0722] + 0.05 >= READABLE * INK_LIGHT:
            break
    return "#" + "".join(f"{round(255 * part):02x}" for part in mixed)


class RunColours:
    """A run keeps the colour it was first drawn in until it is gone; then the next one may have it.

    >>> colours = RunColours()
    >>> colours.of(["run 1"])["run 1"] == colours.of(["run 2", "run 1"])["run 1"] == run_colour(0)
    True
    >>> colours.of(["run 2", "run 3"]) == {"run 2": run_colour(1), "run 3": run_colour(0)}
    True
    """

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """The colours of all runs there are now, by name."""
        here = list(names)
        self._taken = {name: place for name, place in self._taken.items() if name in here}
        for name in here:
            if name not in self._taken:
                free = (place for place in range(len(RUNS)) if place not in self._taken.values())
                self._taken[name] = next(free, len(self._taken))
        return {name: run_colour(self._taken[name]) for name in here}
