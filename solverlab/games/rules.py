"""The numbers that make a limit poker game, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import comb, prod
from numbers import Integral, Real
from typing import Any

from solverlab.core.errors import BadValue

RANKS = "23456789TJQKA"
SUITS = "shdc"


@dataclass(frozen=True)
class LimitRules:
    """Rules of a limit game; seats count from 0, in the order of the blinds."""

    players: int
    ranks: str
    suits: int
    hole_cards: int
    board_cards: tuple[int, ...]
    raise_sizes: tuple[float, ...]
    max_raises: tuple[int, ...]
    blinds: tuple[float, ...]
    first_to_act: tuple[int, ...]
    stack: float | None = None

    @property
    def suit_names(self) -> tuple[str, ...]:
        return ("",) if self.suits == 1 else tuple(SUITS[: self.suits])

    @classmethod
    def checked(
        cls,
        players: int,
        ranks: str | int,
        suits: int,
        hole_cards: int,
        board_cards: Sequence[int],
        raise_sizes: Sequence[float],
        max_raises: Sequence[int],
        blinds: Sequence[float] | None,
        first_to_act: Sequence[int] | None,
        stack: float | None,
    ) -> LimitRules:
        """Rules from what a user typed, or one sentence saying what is wrong with it."""
        seats = _whole("players", players, 2, 10)
        boards = tuple(_whole("board_cards", cards, 0, 5) for cards in _several("board_cards", board_cards))
        rounds = len(boards)
        sizes = _column("raise_sizes", raise_sizes, rounds, "rounds")
        caps = _column("max_raises", max_raises, rounds, "rounds")
        forced = _column("blinds", (1,) * seats if blinds is None else blinds, seats, "players")
        opens = _column(
            "first_to_act", (0,) * rounds if first_to_act is None else first_to_act, rounds, "rounds"
        )
        rules = cls(
            players=seats,
            ranks=_rank_names(ranks),
            suits=_whole("suits", suits, 1, len(SUITS)),
            hole_cards=_whole("hole_cards", hole_cards, 1, 4),
            board_cards=boards,
            raise_sizes=tuple(_number("raise size", size) for size in sizes),
            max_raises=tuple(_whole("max_raises", cap, 0, 8) for cap in caps),
            blinds=tuple(_number("blind", blind) for blind in forced),
            first_to_act=tuple(_whole("first_to_act", seat, 0, seats - 1) for seat in opens),
            stack=None if stack is None else _number("stack", stack),
        )
        rules._check_money()
        rules._check_deck()
        return rules

    def _check_money(self) -> None:
        for size in self.raise_sizes:
            if size <= 0:
                raise BadValue(f"a raise size of {size:g} is not a bet; give a number above 0")
        if min(self.blinds) < 0 or max(self.blinds) == 0:
            raise BadValue(
                f"blinds {self.blinds} leave nothing to play for; give numbers of at least 0, one above"
            )
        if self.stack is not None and self.stack < max(self.blinds):
            raise BadValue(
                f"a stack of {self.stack:g} does not cover the blind of {max(self.blinds):g}; "
                "give a larger stack or None"
            )

    def _check_deck(self) -> None:
        dealt = self.players * self.hole_cards + sum(self.board_cards)
        deck = len(self.ranks) * self.suits
        if dealt > deck:
            raise BadValue(
                f"{dealt} cards are needed but the deck has {len(self.ranks)} ranks x {self.suits} suits = "
                f"{deck}; add ranks or suits"
            )

    def raise_to(self, round: int, level: float) -> float:
        """What a raise makes it to match: one raise size more, or everything."""
        target = level + self.raise_sizes[round]
        return target if self.stack is None else min(target, self.stack)

    def ways_to_deal(self, deck: int, shown: int) -> int:
        """Number of equally likely ways to deal every hand and the first `shown` board cards."""
        hands = prod(comb(deck - p * self.hole_cards, self.hole_cards) for p in range(self.players))
        left, ways = deck - self.players * self.hole_cards, hands
        for cards in self.board_cards:
            if shown > 0:
                ways *= comb(left, cards)
                left, shown = left - cards, shown - cards
        return ways

    def config(self) -> dict[str, Any]:
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


def _rank_names(ranks: str | int) -> str:
    if not isinstance(ranks, str):
        return RANKS[-_whole("ranks", ranks, 1, len(RANKS)) :]
    if not ranks or len(set(ranks)) != len(ranks) or len(ranks) > len(RANKS):
        raise BadValue(
            f"ranks {ranks!r} are not up to 13 different letters, lowest first; write for example 'JQK'"
        )
    return ranks


def _several(label: str, values: Any) -> tuple:
    """What should be a list of numbers as a tuple with something in it."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadValue(f"{label} is {values!r}; give a list of numbers, such as (0, 1)")
    several = tuple(values)
    if not several:
        raise BadValue(f"{label} is empty; give one number for each round, such as (0, 1)")
    return several


def _column(label: str, values: Any, length: int, what: str) -> tuple:
    several = _several(label, values)
    if len(several) != length:
        raise BadValue(
            f"{label} {several} is not one number for each of the {length} {what}; give {length} numbers"
        )
    return several


def _whole(label: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise BadValue(f"{label} is {value!r}; give a whole number from {least} to {most}")
    return int(value)


def _number(label: str, value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise BadValue(f"a {label} of {value!r} is not an amount; give a finite number")
    return float(value)
