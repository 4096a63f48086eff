"""A row: everything about the betting of a game that can be said before the cards are dealt.

Seats count from 0. Amounts are in the unit of the game (chips, big blinds) and count everything a seat put in
from the start of the hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from solverlab.core.errors import BadValue
from solverlab.games.betting.graph import MOST_STATES, Count, Graph, Key, count, graph_of, tree_of
from solverlab.games.betting.keys import exact
from solverlab.games.betting.sizes import BET, CHIPS, MOST_SIZES, Size, parse_menu

if TYPE_CHECKING:
    from solverlab.core.tree import Tree
    from solverlab.games.betting.states import State

MOST_SEATS, MOST_STREETS = 10, 1000
STRUCTURES = ("no-limit", "pot-limit")
SMALL = ("clip", "drop", "free")
BEYOND = ("drop", "all-in", "only")
Sizes = tuple[Size, ...]
Menu = str | Sizes  # what a seat may bet: a text such as "50%, a", or sizes
MOST_SHARE = 1000.0  # of a pot, in a switch


class Menus(NamedTuple):
    """What one seat may do on one street: open, raise, and open into the seat that bet last."""

    bets: Sizes
    raises: Sizes
    donks: Sizes


class Words(NamedTuple):
    """What actions are called. `{size}` is the menu's word, `{to:g}` the total, `{by:g}` what is added.

    `called` is a call for all one has; `reached` a size that turned out to be all-in ("": as the size).
    """

    fold: str = "fold"
    check: str = "check"
    call: str = "call"
    limp: str = "call"
    called: str = "call"
    bet: str = "bet {size}"
    raises: str = "raise {size}"
    allin: str = "all-in"
    reached: str = "all-in"


@dataclass(frozen=True)
class Street:
    """One round of betting: who begins, and what may be bet and raised; a menu for all seats or one for each.

    `cap` is how many bets and raises players may make on this street; blinds never count (`None`: as many as
    chips allow). `limp=False` leaves no call of the blind alone. `small` is what becomes of sizes below the
    least raise: "clip" makes them it, "drop" leaves them out, "free" allows them. `donk` takes the place of
    `bet` for a seat that opens into the one who made the last bet of the street before (`None`: `bet` stays).
    """

    bet: Menu | list[Menu] = ""
    raises: Menu | list[Menu] = ""
    cap: int | None = None
    first: int = 0
    limp: bool = True
    small: str = "clip"
    donk: Menu | list[Menu] | None = None


@dataclass(frozen=True)
class Betting:
    """The betting of a game as one row.

    `blinds` are one for each seat and count as a bet; `antes` do not. What an ante is above the smallest is
    `dead`: in the pot, off the stack, part of no bet. `total` caps the bets and raises of a hand. With
    `opening_counts=False` both caps count raises only, never a street's first bet. `allin_at_cap` offers
    all-in where a cap is reached. `beyond`: sizes beyond the stack are left out ("drop"), become "all-in", or
    are left out as long as another is left ("only"). `unit` rounds amounts, halves up (0: not at all).
    `full_blind`: a call costs the whole blind although the seat that posts it has less.

    Three switches keep menus small; 0 is off, and the pot is that after calling. `add_allin` offers all-in
    where it raises by at most so much of the pot. `force_allin` makes a size all-in where a call of it would
    leave at most so much of the pot behind. `merge` leaves out sizes nearly as large as the next larger one.

    >>> kuhn = Betting(stacks=(2, 2), antes=(1, 1), streets=(Street(bet="1c", cap=1),))
    >>> kuhn.count()
    Count(nodes=(4,), edges=(8,), folds=2, showdowns=3)
    >>> one_pays = Betting(stacks=(9, 10), antes=(0, 1), streets=(Street(bet="100%"),))  # 1 is in the pot
    >>> one_pays.stacks, one_pays.dead, [label for label in one_pays.tree()[2] if label][:2]
    ((9.0, 9.0), (0.0, 1.0), ['check', 'bet 100%'])
    """

    stacks: tuple[float, ...]
    streets: tuple[Street, ...]
    blinds: tuple[float, ...] = ()
    antes: tuple[float, ...] = ()
    structure: str = "no-limit"
    least_bet: float | None = None
    total: int | None = None
    opening_counts: bool = True
    allin_at_cap: bool = False
    beyond: str = "only"
    unit: float = 0.0
    full_blind: bool = False
    words: Words = Words()
    dead: tuple[float, ...] = ()
    add_allin: float = 0.0
    force_allin: float = 0.0
    merge: float = 0.0
    remembers_base: bool = field(init=False, repr=False, default=False)
    remembers_leader: bool = field(init=False, repr=False, default=False)
    amounts_idle: bool = field(init=False, repr=False, default=False)
    _menus: list[list[Menus]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _part_antes(self)
        check_row(self)
        # What every state asks for, worked out once; a frozen dataclass is written like this.
        menus = [_by_seat(street, len(self.stacks)) for street in self.streets]
        _check_openings(menus, opened=bool(self.forced))
        object.__setattr__(self, "_menus", menus)
        sizes = [size for street in menus for seat in street for menu in seat for size in menu]
        object.__setattr__(self, "remembers_base", any(size.kind == BET for size in sizes))
        led = any(street.donk is not None for street in self.streets)
        object.__setattr__(self, "remembers_leader", led)
        fixed = all(size.kind == CHIPS for size in sizes) and self.total is None and not led
        object.__setattr__(self, "amounts_idle", fixed and min(self.stacks) == math.inf)

    # ---- what states ask -----------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return len(self.stacks)

    @property
    def posted(self) -> tuple[float, ...]:
        """What each seat puts in before the cards, as far as its stack goes."""
        owed = zip(self.blinds or (0.0,) * self.seats, self.antes or (0.0,) * self.seats, strict=True)
        return tuple(min(blind + ante, stack) for (blind, ante), stack in zip(owed, self.stacks, strict=True))

    @property
    def forced(self) -> int:
        """1 where a blind stands for the first bet."""
        return int(bool(self.blinds) and max(self.blinds) > 0)

    @property
    def price(self) -> float:
        """What it takes to stay in before anybody has acted."""
        if not self.full_blind:
            return max(self.posted)
        return max(self.blinds or (0.0,)) + max(self.antes or (0.0,))

    @property
    def least(self) -> float:
        """The least bet of a street: the big blind, unless said otherwise."""
        if self.least_bet is not None:
            return self.least_bet
        return max(self.blinds or (0.0,)) or max(self.antes or (0.0,)) or max(self.dead or (0.0,))

    def menu(self, street: int, seat: int, which: int) -> Sizes:
        """What a seat may bet (`OPEN`), raise (`RAISE`) or bet into the last to bet (`DONK`) on a street."""
        return self._menus[street][seat][which]

    # ---- what it yields ------------------------------------------------------------------------------------

    def tree(self, most: int = MOST_STATES) -> tuple[Tree, list[State], list[str]]:
        """Every line of betting as a tree, the state of every node and the label of the edge into it."""
        return tree_of(self, most)

    def graph(
        self,
        key: Key = exact,
        from_street: int = 0,
        most: int = MOST_STATES,
    ) -> Graph:
        """States that are equal under `key` are one node from a street on; before it a node is a history."""
        return graph_of(self, key, from_street, most)

    def count(
        self,
        key: Key = exact,
        from_street: int = 0,
        most: int = MOST_STATES,
    ) -> Count:
        """Nodes and edges of every street, and ends, of a graph that is not kept."""
        return count(self, key, from_street, most)


def _part_antes(row: Betting) -> None:
    """Antes that differ become equal ones and dead money; what makes no antes is left for `check_row`."""
    antes = row.antes
    if len(antes) != len(row.stacks) or len(set(antes)) < 2 or not all(0 <= one < math.inf for one in antes):
        return
    least, before = min(antes), row.dead or (0.0,) * len(antes)
    dead = tuple(ante - least for ante in antes)
    for seat, (extra, stack) in enumerate(zip(dead, row.stacks, strict=True)):
        if extra >= stack:
            raise BadValue(
                f"the ante of seat {seat} is {antes[seat]:g} and its stack {stack:g}; give it more chips"
            )
    object.__setattr__(row, "antes", (float(least),) * len(antes))
    object.__setattr__(row, "dead", tuple(float(sum(both)) for both in zip(dead, before, strict=True)))
    left = tuple(float(stack - extra) for stack, extra in zip(row.stacks, dead, strict=True))
    object.__setattr__(row, "stacks", left)


def _by_seat(street: Street, seats: int) -> list[Menus]:
    texts = street.bet, street.raises, street.bet if street.donk is None else street.donk
    return [Menus(*menus) for menus in zip(*(_for_everybody(menu, seats) for menu in texts), strict=True)]


def _for_everybody(menu: Menu | list[Menu], seats: int) -> list[Sizes]:
    several = menu if isinstance(menu, list) else [menu] * seats
    if len(several) != seats:
        raise BadValue(f"{len(several)} menus for {seats} seats; give one for all, or one for each")
    menus = [parse_menu(one) if isinstance(one, str) else tuple(one) for one in several]
    if max(map(len, menus)) > MOST_SIZES:
        raise BadValue(f"{max(map(len, menus)):,} sizes of bets are too many; give at most {MOST_SIZES}")
    return menus


def _check_openings(menus: list[list[Menus]], opened: bool) -> None:
    """Nobody opens for a multiple of a bet that is not there; `opened`: blinds are the first bet."""
    for seat in (seat for street in menus[int(opened) :] for seat in street):
        for size in (*seat.bets, *seat.donks):
            if size.kind == BET:
                raise BadValue(
                    f"the size {size.word!r} multiplies a bet, and before the first bet there is none; "
                    "move it to the raises, and open with chips or a part of the pot, such as '1c' or '50%'"
                )


def check_row(row: Betting) -> None:
    """One sentence about the first thing that makes no game."""
    seats = len(row.stacks)
    if not 2 <= seats <= MOST_SEATS:
        raise BadValue(f"{seats} stacks make no table; give 2 to {MOST_SEATS}")
    if not 1 <= len(row.streets) <= MOST_STREETS:
        raise BadValue(f"{len(row.streets):,} streets make no game; give 1 to {MOST_STREETS:,}")
    if not all(stack > 0 for stack in row.stacks):
        raise BadValue(f"a stack of {min(row.stacks)} cannot play; give every seat more than 0")
    for label, column in (("blinds", row.blinds), ("antes", row.antes), ("dead", row.dead)):
        if column and (len(column) != seats or not all(0 <= one < math.inf for one in column)):
            raise BadValue(f"{label} {column} are not one amount from 0 on for each of {seats} seats")
    for name in ("add_allin", "force_allin", "merge"):
        share = getattr(row, name)
        if not 0 <= share <= MOST_SHARE:
            raise BadValue(f"{name} is {share!r}; give a part of the pot from 0 (off) to {MOST_SHARE:g}")
    if not any(row.blinds) and not any(row.antes) and not any(row.dead):
        raise BadValue("without blinds and antes there is nothing to play for; give one of them")
    for street in row.streets:
        if not 0 <= street.first < seats or (street.cap is not None and street.cap < 0):
            raise BadValue(
                f"seat {street.first} first and a cap of {street.cap} make no street of {seats} seats"
            )
    for label, value, known in (
        ("structure", row.structure, STRUCTURES),
        *(("small", street.small, SMALL) for street in row.streets),
        ("beyond", row.beyond, BEYOND),
    ):
        if value not in known:
            raise BadValue(f"{label} is {value!r}; give {' or '.join(map(repr, known))}")
