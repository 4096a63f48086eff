"""What may be bet and raised: which menu counts, what its sizes come to, and the row's switches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from solverlab.games.betting.sizes import (
    ALL,
    ALL_IN,
    BET,
    CHIPS,
    GEOMETRIC,
    POT,
    PREVIOUS,
    TO,
    Size,
    grown_geometrically,
)

if TYPE_CHECKING:
    from solverlab.games.betting.states import State
    from solverlab.games.betting.table import Betting

OPEN, RAISE, DONK = range(3)  # menus of a seat
NOBODY = -1  # the street is over, or the hand is
DUST = 1e-9  # amounts closer than this are equal
CLOSED = 1000  # more bets than a street can have: nothing of a listed size can follow


def may_raise(row: Betting, state: State) -> bool:
    """Whether the rules let the actor put in more than a call, whatever the menu and the caps say.

    It takes chips beyond the level, another live seat that could call more, and, for a seat that has acted
    since the last full raise, a bet that has grown by a full raise since: short all-ins add up.
    """
    p, level = state.actor, state.level
    if row.stacks[p] <= level + DUST:
        return False
    if p in state.closed and level - state.paid[p] < state.last - DUST:
        return False
    return any(alive and q != p and row.stacks[q] > level + DUST for q, alive in enumerate(state.live))


def most_total(row: Betting, state: State) -> float:
    """The most that the actor's total can become: the stack, or at pot-limit the pot after calling more."""
    stack = row.stacks[state.actor]
    if row.structure == "no-limit":
        return stack
    return min(stack, state.level + max(pot_after_call(row, state), state.least_raise))


def raise_targets(row: Betting, state: State) -> list[tuple[Size, float]]:
    """What each bet or raise on the menu makes the actor's total, each total once, all-in last."""
    if not may_raise(row, state):
        return []
    stack, most = row.stacks[state.actor], most_total(row, state)
    all_in = [(ALL, stack)] if most >= stack - DUST else []
    if capped(row, state):
        return all_in if row.allin_at_cap else []
    targets = _listed(row, state, all_in)
    if not (row.add_allin or row.force_allin or row.merge):
        return targets
    return _switched(row, state, targets, bool(all_in))


def _listed(row: Betting, state: State, all_in: list[tuple[Size, float]]) -> list[tuple[Size, float]]:
    """What the sizes of a menu come to, without the row's switches; `all_in` where the rules allow it."""
    stack, most = row.stacks[state.actor], most_total(row, state)
    menu = row.menu(state.street, state.actor, menu_asked(state))
    found: list[tuple[Size, float]] = []
    beyond: Size | None = None
    for size in menu:
        if size.until and state.raises > size.until:
            continue
        total = sized(row, state, size)
        if total is not None and min(total, most) >= stack - DUST:
            beyond = beyond or size
        elif total is not None and all(min(total, most) != other for _, other in found):
            found.append((size, min(total, most)))
    if ALL in menu:
        return found + all_in
    if beyond is not None and row.beyond == "all-in":
        return [*found, (beyond, stack)]
    if menu and not found and row.beyond == "only":
        return all_in or [(menu[0], most)]
    return found


def menu_asked(state: State) -> int:
    """Which menu counts: raises, bets, or those into a seat that bet last and is still to act."""
    if state.raises:
        return RAISE
    return DONK if state.leader in state.owed and state.leader != state.actor else OPEN


def _switched(
    row: Betting, state: State, targets: list[tuple[Size, float]], may_all_in: bool
) -> list[tuple[Size, float]]:
    """The sizes after all-in was added or forced, and near ones were merged, smallest first."""
    p, level, pot = state.actor, state.level, pot_after_call(row, state)
    stack = row.stacks[p]
    # What others could call decides: chips beyond it come back.
    most = min(stack, max(row.stacks[q] for q, alive in enumerate(state.live) if alive and q != p))

    def near(total: float, part: float) -> bool:
        return may_all_in and most <= total + rounded(row, part) + DUST

    if near(level, pot * row.add_allin):
        targets = [*targets, (ALL, stack)]
    forced = [
        (ALL, stack) if near(total, (pot + 2 * (total - level)) * row.force_allin) else (size, total)
        for size, total in targets
    ]
    kept: list[tuple[Size, float]] = []
    above = math.inf
    for size, total in sorted(forced, key=lambda target: target[1], reverse=True):
        share = (min(total, most) - level) / pot
        if share < above - DUST:
            kept.append((size, total))
            above = (share - row.merge) / (1 + row.merge)
    return kept[::-1]


def capped(row: Betting, state: State) -> bool:
    """Whether a cap of the street or the hand leaves no bet or raise of a listed size."""
    if not state.raises and not row.opening_counts:
        return False
    if state.raises >= CLOSED:
        return True
    cap = row.streets[state.street].cap
    if cap is not None and raises_made(row, state) >= cap:
        return True
    return row.total is not None and state.total >= row.total


def raises_made(row: Betting, state: State) -> int:
    """Bets and raises that players made on this street, as the caps count them."""
    if not row.opening_counts:
        return max(state.raises - 1, 0)
    return state.raises - (row.forced if state.street == 0 else 0)


def sized(row: Betting, state: State, size: Size) -> float | None:
    """The total that a size stands for; None where it is all-in, or below the least raise and left out."""
    if size.kind == ALL_IN:
        return None
    level, least, small = state.level, state.least_raise, row.streets[state.street].small
    if size.kind == TO:
        total = size.value
        short = total < level + least
        if total <= level + DUST or (short and small == "drop"):
            return None
        return level + least if short and small == "clip" else total
    by = _added(row, state, size)
    by = rounded(row, by)
    if by < least and small == "drop":
        return None
    by = max(by, least) if small == "clip" else by
    return level + by if by > DUST else None


def _added(row: Betting, state: State, size: Size) -> float:
    """What a size adds to the level before it is rounded and clipped."""
    if size.kind == POT:
        return size.value * pot_after_call(row, state)
    if size.kind == CHIPS:
        return size.value
    if size.kind == PREVIOUS:
        return size.value * state.least_raise
    if size.kind == BET:
        return (size.value - 1) * (state.level - state.base)
    assert size.kind == GEOMETRIC
    live = sorted((row.stacks[p] for p, alive in enumerate(state.live) if alive), reverse=True)
    behind = min(row.stacks[state.actor], live[1]) - state.level
    # Every raise of this street takes the place of a street to come.
    streets = max((int(size.value) or len(row.streets) - state.street) - max(state.raises - 1, 0), 1)
    pot = pot_after_call(row, state)
    return min(grown_geometrically(behind, pot, streets), size.most * pot)


def pot_after_call(row: Betting, state: State) -> float:
    """What players mean by "the pot": all that is in it once the actor has called."""
    return sum(row.dead) + sum(state.paid) + state.level - state.paid[state.actor]


def rounded(row: Betting, amount: float) -> float:
    """To whole units, halves up; as it is where a row has none."""
    return row.unit * math.floor(amount / row.unit + 0.5) if row.unit else amount
