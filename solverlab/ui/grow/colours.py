"""One colour an action, the same in every pane of the page; and one for every run while it exists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solverlab.views.colours import lightened
from solverlab.views.theme import LIGHT, action_fills, run_colour


def colours_of(actions: Sequence[str]) -> list[str]:
    """The colours of a menu, as pale as letters across several of them need.

    >>> colours_of(["fold", "call", "raise 100%", "all-in"])
    ['#dee6ee', '#459799', '#ce7343', '#ac8092']
    """
    return [lightened(fill, LIGHT.ink) for fill in action_fills(actions)]


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
                free = (place for place in range(len(LIGHT.runs)) if place not in self._taken.values())
                self._taken[name] = next(free, len(self._taken))
        return {name: run_colour(self._taken[name]) for name in here}
