"""Betting as public states: who acts, what they may do, and what follows. Cards are nowhere in here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from solverlab.core.errors import BadValue
from solverlab.games.betting.raising import DUST, NOBODY, raise_targets
from solverlab.games.betting.sizes import ALL_IN, Size

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

FOLD = -1.0  # a total of chips that nobody pays
TOLD = 9  # parts of a state that its text tells


class State(NamedTuple):
    """What everybody at the table can see, without the board.

    `paid[p]` is everything a seat put in; `owed` the seats that must still act on this street; `closed` those
    that acted since the last full raise; `level` is what it takes to stay in; `raises` counts the bets of the
    street, a blind among them. `last` is the largest raise of the street so far. `total` (bets and raises of
    the hand), `base` (the level when the street began) and `leader` (who made the last bet of this street, or
    of the one before while nobody bets on this one; -1 nobody) are kept only by rows that ask for them.
    """

    street: int
    actor: int
    paid: tuple[float, ...]
    live: tuple[bool, ...]
    owed: frozenset[int]
    closed: frozenset[int]
    level: float
    least_raise: float
    raises: int
    last: float = 0.0
    total: int = 0
    base: float = 0.0
    leader: int = NOBODY

    @property
    def deals(self) -> bool:
        """Whether the next thing that happens is a card on the board."""
        return self.actor == NOBODY and bool(self.owed)

    @property
    def over(self) -> bool:
        """Whether nobody bets any more."""
        return self.actor == NOBODY and not self.owed

    @property
    def folded(self) -> frozenset[int]:
        return frozenset(p for p, alive in enumerate(self.live) if not alive)


def state_text(state: State) -> str:
    """A state as a text, the same wherever it is met; sets have no order of their own."""
    told = state if state.leader != NOBODY else state[:-1] if state.total or state.base else state[:TOLD]
    return str([sorted(part) if isinstance(part, frozenset) else part for part in told])


def first_state(row: Betting) -> State:
    """Blinds and antes are posted; the first seat acts."""
    paid, live = row.posted, (True,) * row.seats
    owed = _asked(row, paid, live, row.price)
    state = State(0, NOBODY, paid, live, owed, frozenset(), row.price, row.least, row.forced)
    if row.remembers_base and row.antes:
        state = state._replace(base=max(row.antes))
    return _next(row, state, row.streets[0].first)


def following(row: Betting, state: State) -> dict[str, State]:
    """The labelled states after each action, or the one state after the cards of a street.

    Nothing follows once all but one have folded, after the last bet of the last street, and when nobody is
    left who could bet: the rest of the board then changes hands, but no decision.
    """
    if state.deals:
        return {street_name(row, state.street + 1): open_street(row, state)}
    return {label: act(row, state, total) for label, total in choices(row, state).items()}


def street_name(row: Betting, street: int) -> str:
    """What the table calls a street: hold'em's four have names, others have numbers."""
    names = ("preflop", "flop", "turn", "river")
    return names[street] if len(row.streets) == len(names) else f"street {street + 1}"


def choices(row: Betting, state: State) -> dict[str, float]:
    """What the actor may do, and the total of chips that each makes it; `FOLD` is no total."""
    if state.actor == NOBODY:
        return {}
    p, words = state.actor, row.words
    offered: dict[str, float] = {}
    if state.level - state.paid[p] > DUST:
        offered[words.fold] = FOLD
        if may_call(row, state):
            offered[_call(row, state)] = min(state.level, row.stacks[p])
    else:
        offered[words.check] = state.paid[p]
    for size, total in raise_targets(row, state):
        label = _label(row, state, size, total)
        _check_free(label, total, offered)
        offered[label] = total
    return offered


def _check_free(label: str, total: float, offered: dict[str, float]) -> None:
    """Two actions of one name would be one action: the second would take the place of the first."""
    if label in offered and not math.isclose(offered[label], total, rel_tol=DUST, abs_tol=DUST):
        raise BadValue(
            f"two actions are called {label!r}, one makes the total {offered[label]:.12g}, "
            f"the other {total:.12g}; "
            "give words that differ, such as Words(bet='bet {size}', raises='raise {size}')"
        )


def may_call(row: Betting, state: State) -> bool:
    """Whether the actor may just call: always, but for limps where they are not played."""
    return row.streets[state.street].limp or state.street > 0 or state.raises > row.forced


def _call(row: Betting, state: State) -> str:
    if state.level >= row.stacks[state.actor] - DUST:
        return row.words.called
    return row.words.limp if state.street == 0 and state.raises == row.forced else row.words.call


def _label(row: Betting, state: State, size: Size, total: float) -> str:
    words = row.words
    name = words.raises if state.raises else words.bet
    if size.kind == ALL_IN:
        name = words.allin
    elif total >= row.stacks[state.actor] - DUST:
        name = words.reached or name
    return name.format(size=size.word, to=total, by=total - state.level) if "{" in name else name


# ---- what an action does -----------------------------------------------------------------------------------


def act(row: Betting, state: State, total: float) -> State:
    """Fold, check, call, bet or raise: the actor's total becomes `total`."""
    p = state.actor
    if total == FOLD:
        live = tuple(alive and q != p for q, alive in enumerate(state.live))
        return _next(row, state._replace(live=live, owed=state.owed - {p}), p + 1)
    paid = (*state.paid[:p], total, *state.paid[p + 1 :])
    if total <= state.level + DUST:
        after = state._replace(paid=paid, owed=state.owed - {p}, closed=state.closed | {p})
        return _next(row, after, p + 1)
    by = total - state.level
    counts = row.total is not None and (row.opening_counts or state.raises > 0)
    after = State(
        street=state.street,
        actor=NOBODY,
        paid=paid,
        live=state.live,
        owed=_with_chips(row, paid, state.live) - {p},
        closed=frozenset({p}) if by >= state.last - DUST else state.closed | {p},
        level=total,
        least_raise=max(state.least_raise, by),
        raises=state.raises + 1,
        last=max(state.last, by),
        total=state.total + counts,
        base=state.base,
        leader=p if row.remembers_leader else NOBODY,
    )
    return _next(row, after, p + 1)


def open_street(row: Betting, state: State) -> State:
    """Cards come, and the first live seat of the next street begins."""
    after = state._replace(
        street=state.street + 1,
        closed=frozenset(),
        least_raise=row.least,
        raises=0,
        last=0.0,
        base=state.level if row.remembers_base else 0.0,
        leader=state.leader if state.raises else NOBODY,
    )
    return _next(row, after, row.streets[after.street].first)


def _next(row: Betting, state: State, start: int) -> State:
    """Hand the turn on from seat `start`; a street without anybody to act waits for cards, or is the end.

    A state that waits for cards has nobody as its actor and owes the next street's decisions.
    """
    if sum(state.live) == 1:
        return state._replace(actor=NOBODY, owed=frozenset())
    owed, seats = state.owed, row.seats
    if owed:
        for seat in range(start, start + seats):
            if seat % seats in owed:
                return state._replace(actor=seat % seats)
    willing = _with_chips(row, state.paid, state.live)
    more = state.street + 1 < len(row.streets) and len(willing) > 1
    return state._replace(actor=NOBODY, owed=willing if more else frozenset())


def _asked(row: Betting, paid: tuple[float, ...], live: tuple[bool, ...], level: float) -> frozenset[int]:
    """Who acts on the first street: nobody is asked who owes nothing and whom nobody could call."""
    willing = _with_chips(row, paid, live)
    return frozenset(
        p
        for p in willing
        if paid[p] < level - DUST or any(row.stacks[q] > paid[p] + DUST for q in range(row.seats) if q != p)
    )


def _with_chips(row: Betting, paid: tuple[float, ...], live: tuple[bool, ...]) -> frozenset[int]:
    stacks = row.stacks
    return frozenset(p for p, alive in enumerate(live) if alive and paid[p] < stacks[p] - DUST)
