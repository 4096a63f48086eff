"""Where a line of actions leads, for tests of betting."""

from __future__ import annotations

from solverlab.games.betting.states import State, first_state, following
from solverlab.games.betting.table import Betting


def after(row: Betting, *labels: str) -> State:
    """The state after these actions; the cards of a street come by themselves."""
    state = first_state(row)
    for label in labels:
        state = following(row, state)[label]
        while state.deals:
            (state,) = following(row, state).values()
    return state
