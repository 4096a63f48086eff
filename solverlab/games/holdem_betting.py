"""The betting of hold'em as public states: who acts, what they may do, and what follows.

Seats count from 0: the small blind, the big blind, then round the table to the button (heads-up, seat 0 is
the button and posts the small blind). Amounts are big blinds. Cards are nowhere in here.
"""

from __future__ import annotations

from typing import NamedTuple

from solverlab.games.holdem_rules import HoldemRules

PREFLOP, RIVER = 0, 3
NOBODY = -1  # the street is over, or the hand is
STREETS = ("preflop", "flop", "turn", "river")
DUST = 1e-9  # amounts closer than this are equal


class BettingState(NamedTuple):
    """What everybody at the table can see, without the board.

    `paid[p]` is everything a seat put in; `owed` the seats that must still act on this street; `closed` those
    that acted since the last full raise, and may not raise again; `level` is what it takes to stay in.
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

    @property
    def deals(self) -> bool:
        """Whether the next thing that happens is a card on the board."""
        return self.actor == NOBODY and bool(self.owed)


def state_text(state: BettingState) -> str:
    """A state as a text, the same wherever it is met; sets have no order of their own."""
    return str([sorted(part) if isinstance(part, frozenset) else part for part in state])


def first_state(rules: HoldemRules) -> BettingState:
    """Blinds are posted; the seat left of them acts (heads-up the small blind)."""
    paid = tuple(min(blind, stack) for blind, stack in zip(rules.posted, rules.stacks, strict=True))
    live = (True,) * rules.players
    level = max(rules.posted)
    owed = _with_chips(rules, paid, live)
    state = BettingState(PREFLOP, NOBODY, paid, live, owed, frozenset(), level, rules.big_blind, 1)
    return _next(rules, state, start=2 % rules.players)


def following(rules: HoldemRules, state: BettingState) -> dict[str, BettingState]:
    """The labelled states after each action, or the one state after the cards of a street.

    Nothing follows once all but one have folded, after the last bet of the river, and when nobody is left who
    could bet: the rest of the board then changes hands, but no decision.
    """
    if state.deals:
        return {STREETS[state.street + 1]: _deal(rules, state)}
    if state.actor == NOBODY:
        return {}
    p, facing = state.actor, state.level - state.paid[state.actor]
    actions: dict[str, BettingState] = {}
    if facing > DUST:
        actions["fold"] = _fold(rules, state)
    actions["call" if facing > DUST else "check"] = _pay(rules, state, min(state.level, rules.stacks[p]))
    for label, target in raise_targets(rules, state).items():
        actions[label] = _pay(rules, state, target)
    return actions


def raise_targets(rules: HoldemRules, state: BettingState) -> dict[str, float]:
    """What each bet or raise on the menu makes the actor's total, all-in last."""
    p, stack = state.actor, rules.stacks[state.actor]
    others = _with_chips(rules, state.paid, state.live) - {p}
    if p in state.closed or not others or stack <= state.level + DUST or state.raises >= rules.max_raises:
        return {}
    if rules.betting == "limit":
        target = min(state.level + rules.limit_bet(state.street), stack)
        return {"raise" if state.raises else "bet": target}
    return _menu(rules, state, stack)


def _menu(rules: HoldemRules, state: BettingState, stack: float) -> dict[str, float]:
    """Fractions of the pot after calling; smaller than the least raise becomes it, too large is all-in."""
    pot = sum(state.paid) + state.level - state.paid[state.actor]
    targets: dict[str, float] = {}
    for fraction in rules.bets:
        target = state.level + max(fraction * pot, state.least_raise)
        if target < stack - DUST and target not in targets.values():
            targets[f"{'raise' if state.raises else 'bet'} {100 * fraction:g}%"] = target
    if rules.allin or not targets:
        targets["all-in"] = stack
    return targets


def _fold(rules: HoldemRules, state: BettingState) -> BettingState:
    live = tuple(alive and p != state.actor for p, alive in enumerate(state.live))
    return _next(rules, state._replace(live=live, owed=state.owed - {state.actor}), state.actor + 1)


def _pay(rules: HoldemRules, state: BettingState, total: float) -> BettingState:
    """Check, call, bet or raise: the actor's total becomes `total`."""
    p = state.actor
    paid = (*state.paid[:p], total, *state.paid[p + 1 :])
    if total <= state.level + DUST:
        after = state._replace(paid=paid, owed=state.owed - {p}, closed=state.closed | {p})
        return _next(rules, after, p + 1)
    full = total - state.level >= state.least_raise - DUST
    after = state._replace(
        paid=paid,
        owed=_with_chips(rules, paid, state.live) - {p},
        closed=frozenset({p}) if full else state.closed | {p},
        level=total,
        least_raise=max(state.least_raise, total - state.level),
        raises=state.raises + 1,
    )
    return _next(rules, after, p + 1)


def _deal(rules: HoldemRules, state: BettingState) -> BettingState:
    """The next street opens with the first live seat after the button."""
    after = state._replace(street=state.street + 1, closed=frozenset(), least_raise=rules.big_blind, raises=0)
    return _next(rules, after, start=1 if rules.players == 2 else 0)


def _next(rules: HoldemRules, state: BettingState, start: int) -> BettingState:
    """Hand the turn on from seat `start`; a street without anybody to act waits for cards, or is the end.

    A state that waits for cards has nobody as its actor and owes the next street's decisions.
    """
    if sum(state.live) == 1:
        return state._replace(actor=NOBODY, owed=frozenset())
    for seat in (seat % rules.players for seat in range(start, start + rules.players)):
        if seat in state.owed:
            return state._replace(actor=seat)
    willing = _with_chips(rules, state.paid, state.live)
    more = state.street < RIVER and len(willing) > 1
    return state._replace(actor=NOBODY, owed=willing if more else frozenset())


def _with_chips(rules: HoldemRules, paid: tuple[float, ...], live: tuple[bool, ...]) -> frozenset[int]:
    return frozenset(p for p in range(rules.players) if live[p] and paid[p] < rules.stacks[p] - DUST)
