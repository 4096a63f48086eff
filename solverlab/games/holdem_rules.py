"""The numbers that make a hold'em table, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from solverlab.core.errors import BadValue

MOST_PLAYERS, MOST_BETS, LARGEST = 10, 50, 1e9
BETTING = ("no-limit", "limit")


@dataclass(frozen=True)
class HoldemRules:
    """Stacks and blinds in big blinds, seat 0 the small blind; `bets` are fractions of the pot."""

    players: int
    stacks: tuple[float, ...]
    betting: str
    bets: tuple[float, ...]
    allin: bool
    blinds: tuple[float, float]
    max_raises: int

    @property
    def posted(self) -> tuple[float, ...]:
        """What each seat puts in before the cards."""
        return self.blinds + (0.0,) * (self.players - 2)

    @property
    def big_blind(self) -> float:
        return self.blinds[1]

    def limit_bet(self, street: int) -> float:
        """One small bet before and on the flop, two from the turn on."""
        return self.big_blind * (1 if street < 2 else 2)

    @classmethod
    def checked(
        cls,
        players: Any,
        stack: Any,
        betting: Any,
        bets: Any,
        allin: bool,
        blinds: Any,
        max_raises: Any,
    ) -> HoldemRules:
        """Rules from what a user typed, or one sentence saying what is wrong with it."""
        seats = _whole("players", players, 2, MOST_PLAYERS)
        if betting not in BETTING:
            raise BadValue(f"betting is {betting!r}; write 'no-limit' or 'limit'")
        forced = tuple(_amount("blind", blind) for blind in _several("blinds", blinds))
        if len(forced) != 2 or not 0 <= forced[0] <= forced[1] or forced[1] <= 0:
            raise BadValue(
                f"blinds {forced} make no game; give a small blind from 0 on and a big blind at least that"
            )
        stacks = _stacks(stack, seats, forced)
        sizes = tuple(_amount("bet", size) for size in _several("bets", bets))
        if len(sizes) > MOST_BETS:
            raise BadValue(f"{len(sizes):,} sizes of bets are too many; give at most {MOST_BETS}")
        if any(size <= 0 for size in sizes):
            raise BadValue(f"a bet of {min(sizes):g} pots is none; give fractions of the pot above 0")
        if betting == "no-limit" and not sizes and not allin:
            raise BadValue("a no-limit table without bets and without all-in cannot bet; give bets=(1.0,)")
        return cls(
            seats, stacks, betting, sizes, bool(allin), forced, _whole("max_raises", max_raises, 1, 20)
        )


def _stacks(stack: Any, seats: int, blinds: tuple[float, ...]) -> tuple[float, ...]:
    """One number for all seats, or one for each."""
    several = tuple(stack) if isinstance(stack, Iterable) and not isinstance(stack, str) else (stack,) * seats
    if len(several) != seats:
        raise BadValue(f"{len(several)} stacks for {seats} players; give one number, or one for each seat")
    stacks = tuple(_amount("stack", one) for one in several)
    if min(stacks) <= 0:
        raise BadValue(f"a stack of {min(stacks):g} cannot play; give every seat more than 0 big blinds")
    if sum(stack > blinds[1] for stack in stacks) < 2:
        told = ", ".join(f"{stack:g}" for stack in stacks)
        raise BadValue(
            f"stacks of {told} leave nobody to bet against beyond the big blind of {blinds[1]:g}; give two "
            "seats more than that"
        )
    return stacks


def _several(label: str, values: Any) -> tuple:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadValue(f"{label} is {values!r}; give a list of numbers, such as (0.5, 1)")
    return tuple(values)


def _whole(label: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise BadValue(f"{label} is {value!r}; give a whole number from {least} to {most}")
    return int(value)


def _amount(label: str, value: Any) -> float:
    plain = isinstance(value, Real) and not isinstance(value, bool)
    if not plain or value != value or value in (math.inf, -math.inf):
        raise BadValue(f"a {label} of {value!r} is not an amount; give a finite number")
    if not -LARGEST <= value <= LARGEST:
        raise BadValue(f"a {label} of {str(value)[:30]} is too large; give at most {LARGEST:,.0f} big blinds")
    return float(value)
