"""When two lines of betting are one node: keys forget what no longer matters, or a little more.

A key is applied after every action, and a graph is everything that can be reached from the first state that
way; so it does not depend on the order in which states are met.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from solverlab.core.errors import BadValue
from solverlab.games.betting.raising import CLOSED, DUST, capped, raises_made
from solverlab.games.betting.states import State

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting


def exact(row: Betting, state: State) -> State:
    """Forget only what can change nothing any more: how the bets came about, and whose dead money it is.

    With unequal stacks who folded how much decides side pots, and who acted may decide who may raise: all of
    it stays.
    """
    if state.over or not equal_stacks(row):
        return state
    dead = sum(paid for paid, alive in zip(state.paid, state.live, strict=True) if not alive)
    paid = [paid if alive else 0.0 for paid, alive in zip(state.paid, state.live, strict=True)]
    if dead:
        paid[state.live.index(False)] = dead
    return _normal(row, state._replace(paid=tuple(paid)))


def nominal(row: Betting, state: State) -> State:
    """Forget dead money and what seats that have yet to act have paid: all is taken to be the blinds.

    Where nobody has bet yet every live seat has paid the level, so that pots are low by dead money alone.
    """
    if not equal_stacks(row):
        raise BadValue(
            f"stacks {row.stacks} differ, so nobody can be taken to have paid the level; use `exact`"
        )
    if state.over:
        return state
    bet = state.raises > 0
    paid = tuple(
        posted if not alive or (bet and p in state.owed) else state.level
        for p, (posted, alive) in enumerate(zip(row.posted, state.live, strict=True))
    )
    return _normal(row, state._replace(paid=paid))


def structural(row: Betting, state: State) -> Hashable:
    """What the lines below a state look like, amounts apart: who acts, who owes, how many raises are left.

    Equal for two states only if the trees below them have the same shape. It takes fixed sizes and stacks
    that never end; with others amounts matter, and `exact` is used.
    """
    if not row.amounts_idle:
        return exact(row, state)
    owes = tuple(paid < state.level - DUST for paid in state.paid)
    raises = CLOSED if capped(row, state) else state.raises
    return state.street, state.actor, state.live, state.owed, owes, raises


def equal_stacks(row: Betting) -> bool:
    return len(set(row.stacks)) == 1


def _normal(row: Betting, state: State) -> State:
    """Numbers that can no longer matter as one and the same number; stacks are equal.

    Once a cap is reached, neither the last raise nor their number says anything; and of
    the raises left in the hand only those count that the caps of the streets still allow.
    """
    state = state._replace(closed=frozenset(), last=0.0)
    if state.level >= row.stacks[0] - DUST:
        return state._replace(raises=CLOSED, least_raise=0.0, total=row.total or 0)
    if state.raises and capped(row, state):
        state = state._replace(raises=CLOSED, least_raise=0.0)
    if row.total is None:
        return state
    left = max(row.total - state.total, 0)
    for street in range(state.street, len(row.streets)):
        cap = row.streets[street].cap
        if cap is None:
            return state._replace(total=row.total - left)
    return state._replace(total=row.total - min(left, _by_street_caps(row, state)))


def _by_street_caps(row: Betting, state: State) -> int:
    """Raises that the caps of this street and the later ones leave; a closed street leaves none."""
    here = 0
    if state.raises < CLOSED:
        here = max((row.streets[state.street].cap or 0) - raises_made(row, state), 0)
    return here + sum(street.cap or 0 for street in row.streets[state.street + 1 :])
