"""Who plays for how much where a hand stops: the pot in layers, and how a deal pays each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solverlab.games.holdem_betting import BettingState
from solverlab.games.holdem_rules import HoldemRules


class Pots(NamedTuple):
    """What each seat has paid, and every layer of the pot: its amount and the seats that may win it."""

    paid: tuple[float, ...]
    amounts: tuple[float, ...]
    seats: tuple[frozenset[int], ...]


def pots(rules: HoldemRules, state: BettingState, match: bool = True) -> Pots:
    """The layers of the pot if the hand stopped here and the cards were shown.

    With `match`, live seats that still owe chips match the largest bet, as far as their stacks go; without it
    nobody adds anything and the part of the largest bet that nobody called goes back.

    >>> from solverlab.games.holdem_betting import first_state
    >>> rules = HoldemRules.checked(2, 100, "no-limit", (1.0,), True, (0.5, 1), 4)
    >>> pots(rules, first_state(rules)), pots(rules, first_state(rules), match=False).paid
    (Pots(paid=(1.0, 1.0), amounts=(2.0,), seats=(frozenset({0, 1}),)), (0.5, 0.5))
    """
    seats = [p for p in range(rules.players) if state.live[p]]
    # A live seat contests the pot up to the largest bet, or to its own stack when that is less.
    reach = {p: min(state.level, rules.stacks[p]) for p in seats}
    paid = list(state.paid)
    if match and len(seats) > 1:
        for p in seats:
            paid[p] = max(paid[p], reach[p])
    first = max(range(rules.players), key=paid.__getitem__)
    paid[first] = min(paid[first], max(paid[p] for p in range(rules.players) if p != first))
    amounts, winners, below = [], [], 0.0
    for level in sorted(set(reach.values())):
        top = level == max(reach.values())
        amount = sum((amount if top else min(amount, level)) - min(amount, below) for amount in paid)
        if amount > 0:
            amounts.append(amount)
            winners.append(frozenset(p for p in seats if reach[p] >= level))
        below = level
    return Pots(tuple(paid), tuple(amounts), tuple(winners))


def payoffs(won: Pots, ranks: Sequence[int]) -> list[float]:
    """What each seat wins or loses, given how good the hands are; ties split a layer evenly.

    >>> payoffs(Pots((1, 1, 3, 3), (4, 4), (frozenset({0, 2, 3}), frozenset({2, 3}))), ranks=[9, 0, 5, 5])
    [3.0, -1.0, -1.0, -1.0]
    """
    net = [-float(paid) for paid in won.paid]
    for amount, seats in zip(won.amounts, won.seats, strict=True):
        best = max(ranks[p] for p in seats)
        winners = [p for p in seats if ranks[p] == best]
        for p in winners:
            net[p] += amount / len(winners)
    return net
