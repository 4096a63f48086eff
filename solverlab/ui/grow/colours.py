"""One colour an action, the same in every pane of the page."""

from __future__ import annotations

from collections.abc import Sequence

from solverlab.views.theme import ACTIONS, action_colour


def colours_of(actions: Sequence[str]) -> list[str]:
    """The house's colours; sizes of bets take the free ones in their order, and all-in is the largest raise.

    >>> colours_of(["fold", "call", "raise 100%", "all-in"])
    ['#0072B2', '#009E73', '#E69F00', '#D55E00']
    """
    free = [action for action in actions if action not in ACTIONS and action != "all-in"]
    return [
        action_colour("raise")
        if action == "all-in" and "raise" not in actions
        else action_colour(action, free.index(action) if action in free else len(free))
        for action in actions
    ]
