"""The numbers that make a limit poker game, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from math import comb, prod
from numbers import Integral, Real

from solverlab.core.errors import BadValue, told
from solverlab.core.rows import Config
from solverlab.games.betting.sizes import CHIPS, POT, chips, parse_menu
from solverlab.games.betting.table import MOST_STREETS, Betting, Street, Words

RANKS = "23456789TJQKA"
SUITS = "shdc"
LARGEST, MOST_HOLE_CARDS = 1e12, 4
WORDS = Words(bet="raise", raises="raise", reached="")  # one word a thing, as in the ACPC format
MENU_WORDS = Words(bet="raise {size}", raises="raise {size}")  # where a street offers more than one size
LONGEST_MENU = 1000  # letters


@dataclass(frozen=True)
class LimitRules:
    """Rules of a limit game; seats count from 0, in the order of the blinds."""

    players: int
    ranks: str
    suits: int
    hole_cards: int
    board_cards: tuple[int, ...]
    raise_sizes: tuple[float | str, ...]
    max_raises: tuple[int, ...]
    blinds: tuple[float, ...]
    first_to_act: tuple[int, ...]
    stack: float | None = None

    @property
    def suit_names(self) -> tuple[str, ...]:
        return ("",) if self.suits == 1 else tuple(SUITS[: self.suits])

    @property
    def has_menu(self) -> bool:
        """Whether a street offers a menu, so that actions must tell their sizes."""
        return any(isinstance(size, str) for size in self.raise_sizes)

    @classmethod
    def checked(
        cls,
        players: int,
        ranks: str | int,
        suits: int,
        hole_cards: int,
        board_cards: Sequence[int],
        raise_sizes: Sequence[float | str],
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
            hole_cards=_whole("hole_cards", hole_cards, 1, MOST_HOLE_CARDS),
            board_cards=boards,
            raise_sizes=tuple(_size_or_menu(size) for size in sizes),
            max_raises=tuple(_whole("max_raises", cap, 0, 8) for cap in caps),
            blinds=tuple(_number("blind", blind) for blind in forced),
            first_to_act=tuple(_whole("first_to_act", seat, 0, seats - 1) for seat in opens),
            stack=None if stack is None else _number("stack", stack),
        )
        rules._check_money()
        rules._check_deck()
        return rules

    def _check_money(self) -> None:
        if min(self.blinds) < 0 or max(self.blinds) == 0:
            raise BadValue(
                f"blinds {told(self.blinds)} leave nothing to play for; give numbers of at least 0, one above"
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

    @cached_property
    def row(self) -> Betting:
        """The betting of this game: a size or a menu a street; blinds that all seats post alike are antes."""
        antes = len(set(self.blinds)) == 1
        sizes = [parse_menu(size) if isinstance(size, str) else (chips(size),) for size in self.raise_sizes]
        rounds = zip(sizes, self.max_raises, self.first_to_act, strict=True)
        return Betting(
            stacks=(math.inf if self.stack is None else self.stack,) * self.players,
            blinds=() if antes else self.blinds,
            antes=self.blinds if antes else (),
            streets=tuple(Street(size, size, cap, first, small="free") for size, cap, first in rounds),
            beyond="all-in",
            words=MENU_WORDS if self.has_menu else WORDS,
        )

    def ways_to_deal(self, deck: int, shown: int) -> int:
        """Number of equally likely ways to deal every hand and the first `shown` board cards."""
        hands = prod(comb(deck - p * self.hole_cards, self.hole_cards) for p in range(self.players))
        left, ways = deck - self.players * self.hole_cards, hands
        for cards in self.board_cards:
            if shown > 0:
                ways *= comb(left, cards)
                left, shown = left - cards, shown - cards
        return ways

    def config(self) -> Config:
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


def _size_or_menu(size: object) -> float | str:
    """What a raise adds on a street: one number of chips, or a menu such as "1c, 2c" or "50%, pot".

    Parts of the pot are counted after calling, as in every menu (docs/betting.md).
    """
    if isinstance(size, str):
        menu = parse_menu(size[:LONGEST_MENU])
        if not menu or len(size) > LONGEST_MENU or any(one.kind not in (CHIPS, POT) for one in menu):
            raise BadValue(
                f"a raise size of {told(size)} is no menu of chips and parts of the pot; "
                "give a number, or a text such as '1c, 2c' or '50%, pot'"
            )
        return ", ".join(f"{one.word}{one.until}r" if one.until else one.word for one in menu)
    amount = _number("raise size", size)
    if amount <= 0:
        raise BadValue(f"a raise size of {amount:g} is not a bet; give a number above 0")
    return amount


def _rank_names(ranks: str | int) -> str:
    if not isinstance(ranks, str):
        return RANKS[-_whole("ranks", ranks, 1, len(RANKS)) :]
    if not ranks or len(set(ranks)) != len(ranks) or len(ranks) > len(RANKS):
        raise BadValue(
            f"ranks {told(ranks)} are not up to 13 different letters, lowest first; write for example 'JQK'"
        )
    return ranks


def _several(label: str, values: object) -> tuple:
    """What should be a list of numbers as a tuple with something in it."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadValue(f"{label} is {told(values)}; give a list of numbers, such as (0, 1)")
    several = tuple(islice(values, MOST_STREETS + 1))
    if not several:
        raise BadValue(f"{label} is empty; give one number for each round, such as (0, 1)")
    if len(several) > MOST_STREETS:
        raise BadValue(f"{label} has more than {MOST_STREETS:,} numbers; play fewer rounds")
    return several


def _column(label: str, values: object, length: int, what: str) -> tuple:
    several = _several(label, values)
    if len(several) != length:
        raise BadValue(
            f"{label} {told(several)} is not one number for each of the {length} {what}; "
            f"give {length} numbers"
        )
    return several


def _whole(label: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise BadValue(f"{label} is {told(value)}; give a whole number from {least} to {most}")
    return int(value)


def _number(label: str, value: object) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or value != value or abs(value) == math.inf:
        raise BadValue(f"a {label} of {told(value)} is not an amount; give a finite number")
    if not value <= LARGEST or value < -LARGEST:
        raise BadValue(f"a {label} of {told(value)} is too large; give at most {LARGEST:,.0f}")
    return float(value)
