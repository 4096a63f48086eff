"""The numbers that make a hold'em table, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real

from solverlab.core.errors import BadValue, told
from solverlab.games.betting.sizes import ALL, LARGEST, MOST_SIZES, chips, pot
from solverlab.games.betting.table import Betting, Street, Words

MOST_PLAYERS, STREETS = 10, 4
BETTING = ("no-limit", "limit", "pot-limit")
LIMIT_WORDS = Words(bet="bet", raises="raise", reached="")


@dataclass(frozen=True)
class HoldemRules:
    """Stacks and blinds in big blinds, seat 0 the small blind; `bets` are fractions of the pot.

    `max_raises` is how many bets and raises players may make on each of the four streets, blinds not counted;
    one number counts as players do ("four bets a street"), the big blind being the first bet before the flop.
    """

    players: int
    stacks: tuple[float, ...]
    betting: str
    bets: tuple[float, ...]
    allin: bool
    blinds: tuple[float, float]
    max_raises: int | tuple[int, ...]
    full_blind: bool = False

    @property
    def caps(self) -> tuple[int, ...]:
        """Bets and raises that players may make on each street."""
        if isinstance(self.max_raises, tuple):
            return self.max_raises
        return (self.max_raises - 1, *(self.max_raises,) * (STREETS - 1))

    @property
    def short_blind(self) -> bool:
        """Whether the seat in the big blind has less than that."""
        return self.stacks[1] < self.big_blind

    @cached_property
    def row(self) -> Betting:
        """The betting of this table."""
        limit = self.betting == "limit"
        sizes = (*map(pot, self.bets), *[ALL] * self.allin)
        menus = [(chips(self.limit_bet(street)),) if limit else sizes for street in range(STREETS)]
        later, small = (1 if self.players == 2 else 0), ("free" if limit else "clip")
        return Betting(
            stacks=self.stacks,
            blinds=self.blinds + (0.0,) * (self.players - 2),
            streets=tuple(
                Street(menu, menu, cap, later if street else 2 % self.players, small=small)
                for street, (menu, cap) in enumerate(zip(menus, self.caps, strict=True))
            ),
            structure="pot-limit" if self.betting == "pot-limit" else "no-limit",
            beyond="all-in" if limit else "only",
            full_blind=self.full_blind,
            words=LIMIT_WORDS if limit else Words(),
        )

    @property
    def big_blind(self) -> float:
        return self.blinds[1]

    def limit_bet(self, street: int) -> float:
        """One small bet before and on the flop, two from the turn on."""
        return self.big_blind * (1 if street < 2 else 2)

    @classmethod
    def checked(
        cls,
        players: object,
        stack: object,
        betting: object,
        bets: object,
        allin: bool,
        blinds: object,
        max_raises: object,
        full_blind: bool = False,
    ) -> HoldemRules:
        """Rules from what a user typed, or one sentence saying what is wrong with it."""
        seats = _whole("players", players, 2, MOST_PLAYERS)
        if betting not in BETTING:
            raise BadValue(f"betting is {told(betting)}; write 'no-limit', 'pot-limit' or 'limit'")
        forced = tuple(_amount("blind", blind) for blind in _several("blinds", blinds))
        if len(forced) != 2 or not 0 <= forced[0] <= forced[1] or forced[1] <= 0:
            raise BadValue(
                f"blinds {forced} make no game; give a small blind from 0 on and a big blind at least that"
            )
        stacks = _stacks(stack, seats, forced)
        sizes = tuple(_amount("bet", size) for size in _several("bets", bets))
        if len(sizes) > MOST_SIZES:
            raise BadValue(f"{len(sizes):,} sizes of bets are too many; give at most {MOST_SIZES}")
        if any(size <= 0 for size in sizes):
            raise BadValue(f"a bet of {min(sizes):g} pots is none; give fractions of the pot above 0")
        if betting != "limit" and not sizes and not allin:
            raise BadValue(f"a {betting} table without bets and without all-in cannot bet; give bets=(1.0,)")
        caps = _caps(max_raises)
        return cls(seats, stacks, betting, sizes, bool(allin), forced, caps, bool(full_blind))


def _stacks(stack: object, seats: int, blinds: tuple[float, ...]) -> tuple[float, ...]:
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


def _caps(max_raises: object) -> int | tuple[int, ...]:
    """One number of bets, or what players may add to the blinds on each street."""
    if not isinstance(max_raises, list | tuple):
        return _whole("max_raises", max_raises, 1, 20)
    if len(max_raises) != STREETS:
        raise BadValue(
            f"max_raises {told(tuple(max_raises))} are not one number a street; "
            "give four, such as (3, 4, 4, 4)"
        )
    return tuple(_whole("max_raises", cap, 0, 20) for cap in max_raises)


def _several(label: str, values: object) -> tuple:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadValue(f"{label} is {told(values)}; give a list of numbers, such as (0.5, 1)")
    return tuple(values)


def _whole(label: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise BadValue(f"{label} is {told(value)}; give a whole number from {least} to {most}")
    return int(value)


def _amount(label: str, value: object) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or value != value or abs(value) == math.inf:
        raise BadValue(f"a {label} of {told(value)} is not an amount; give a finite number")
    if not value <= LARGEST or value < -LARGEST:
        raise BadValue(f"a {label} of {told(value)} is too large; give at most {LARGEST:,.0f} big blinds")
    return float(value)
