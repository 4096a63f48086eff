"""How large a spot is, told exactly before anything of it is built.

A history is a deal of both hands and everything done and dealt since; a public node is what everybody sees of
it; an information set is what one player can tell apart: a public node and an own hand. Solvers store numbers
of information sets, one an action, never of histories.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.isomorphism import PERMS
from solverlab.cards.ranges import pairs_mass
from solverlab.cards.spot_boards import HANDS_DEALT
from solverlab.core.boards.room import (
    SCALE,
    TABLES,
    RoundRoom,
    boards_bytes,
    bytes_text,
    free_bytes,
    table_numbers,
    work_bytes,
)
from solverlab.core.frame import frame
from solverlab.games.betting.street_counts import StreetCount, street_counts

if TYPE_CHECKING:
    import pandas as pd

    from solverlab.games.spot.game import Spot

DECK = 52


class Nodes(NamedTuple):
    """Nodes by what happens there: a player decides, a card comes, or the hand is over."""

    decisions: int
    chance: int
    ends: int

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True, eq=False)
class RoundSize:
    """One round, for one way to count boards.

    `boards` are ways to deal its cards in order, `sets` without order, each counted once if suits are merged;
    `deals` the ways once both hands are known; `room` what it takes.
    """

    name: str
    betting: StreetCount
    cards: int  # that may come next for players, who see none of each other's
    deals: int
    boards: int
    sets: int
    room: RoundRoom

    @property
    def nodes(self) -> Nodes:
        """Nodes of the betting, which every board shares."""
        count = self.betting
        return Nodes(sum(count.decisions), count.awaiting, count.folds + count.showdowns)

    @property
    def public(self) -> Nodes:
        """Nodes on all boards."""
        return Nodes(*(self.boards * number for number in self.nodes))

    @property
    def infosets(self) -> int:
        """Decisions on all boards, each once for every hand that the player can hold there."""
        return int(self.room.size.sum(1) @ np.array(self.betting.decisions))

    @property
    def rows(self) -> int:
        """Rows of a table: actions on all boards."""
        return self.boards * sum(self.betting.actions)

    @property
    def numbers(self) -> int:
        """Numbers of a table: rows as wide as the hands on their boards, padded to eights."""
        return table_numbers(self.room)

    def table_bytes(self, bits: int = 32) -> int:
        """Bytes of regrets and averages; 16 bits are whole numbers, and one scale a decision and board."""
        scales = SCALE * self.boards * sum(self.betting.decisions) if bits < 32 else 0
        return TABLES * self.numbers * bits // 8 + scales


@dataclass(frozen=True, eq=False)
class SpotSize:
    """A spot in numbers; `rounds` as it is solved, `apart` with every deal of suits by itself.

    >>> import solverlab as sl
    >>> size = sl.size("Td9d6h", 200, 900, ("66+, AJs+", "QQ-22, KJs+"), bets="60%", raises="2.5x")
    >>> [one.boards for one in size.rounds], [one.boards for one in size.apart]
    ([1, 36, 1429], [1, 49, 2352])
    >>> size.public_nodes, size.numbers, size.table_bytes == 8 * size.numbers
    (477310, 25166248, True)
    """

    rounds: tuple[RoundSize, ...]
    apart: tuple[RoundSize, ...]
    pairs: int  # deals of two hands that share no card

    @cached_property
    def histories(self) -> Nodes:
        """Nodes of the game written out deal by deal; the deal itself is one more."""
        parts = ([self.pairs * one.deals * number for number in one.nodes] for one in self.rounds)
        return Nodes(*(sum(column) for column in zip(*parts, strict=True)))

    @property
    def public_nodes(self) -> int:
        return sum(one.public.total for one in self.rounds)

    @property
    def infosets(self) -> int:
        return sum(one.infosets for one in self.rounds)

    @property
    def numbers(self) -> int:
        """Numbers in one table of a solver."""
        return sum(one.numbers for one in self.rounds)

    @property
    def table_bytes(self) -> int:
        """Bytes of a solver's tables: regrets and averages, 32 bits each."""
        return sum(one.table_bytes() for one in self.rounds)

    @property
    def table_bytes_16(self) -> int:
        """The same with 16-bit numbers on the last round, where nearly all are."""
        return sum(one.table_bytes() for one in self.rounds[:-1]) + self.rounds[-1].table_bytes(bits=16)

    @property
    def board_bytes(self) -> int:
        """Bytes of the boards: places, orders and images of every hand."""
        return sum(boards_bytes(one.room) for one in self.rounds)

    @property
    def bytes(self) -> int:
        """Everything that solving takes on one thread: tables, boards and work space."""
        return self.table_bytes + self.board_bytes + work_bytes([one.room for one in self.rounds])

    def fits(self, free: float | None = None) -> bool:
        """Whether a solver of it fits into so many bytes (None: what this machine has free now)."""
        return self.bytes <= (free_bytes() if free is None else free)

    def verdict(self, free: float | None = None) -> str:
        """The same as a sentence."""
        room = free_bytes() if free is None else free
        word = "fits" if self.fits(room) else "does not fit"
        return f"{word}: {bytes_text(self.bytes)} of {bytes_text(room)} free"

    def frame(self) -> pd.DataFrame:
        """One row a round, and one of all."""
        rows = [
            _row(merged, apart, self.pairs) for merged, apart in zip(self.rounds, self.apart, strict=True)
        ]
        summed = {name: sum(row[name] for row in rows) for name in rows[0] if name not in NOT_SUMMED}
        columns = {name: [*(row[name] for row in rows), summed.get(name)] for name in rows[0]}
        return frame({"round": [*(one.name for one in self.rounds), "all"], **columns})

    def __str__(self) -> str:
        return (
            f"{self.histories.total:.3g} histories, {self.public_nodes:,} public nodes, "
            f"{self.infosets:,} information sets; {bytes_text(self.bytes)} in all, "
            f"{bytes_text(self.table_bytes)} of them tables"
        )

    __repr__ = __str__


NOT_SUMMED = ("cards a deal", "public cards", "boards", "boards, suits merged", "board sets",
              "board sets, suits merged")  # fmt: skip


def _row(merged: RoundSize, apart: RoundSize, pairs: int) -> dict[str, int]:
    return {
        "cards a deal": merged.cards,
        "public cards": merged.cards + HANDS_DEALT if merged.cards else 0,
        "boards": apart.boards,
        "boards, suits merged": merged.boards,
        "board sets": apart.sets,
        "board sets, suits merged": merged.sets,
        "decisions": merged.nodes.decisions,
        "chance nodes": merged.nodes.chance,
        "ends": merged.nodes.ends,
        "histories": pairs * merged.deals * merged.nodes.total,
        "public nodes, suits apart": apart.public.total,
        "public nodes": merged.public.total,
        "information sets, suits apart": apart.infosets,
        "information sets": merged.infosets,
        "rows": merged.rows,
        "numbers": merged.numbers,
        "table bytes, suits apart": apart.table_bytes(),
        "table bytes": merged.table_bytes(),
        "table bytes, river in 16 bits": merged.table_bytes(16 if merged.room.last else 32),
    }


def size(*spot: Any, **settings: Any) -> SpotSize:
    """How large a spot is: a spot, or what `sl.Spot` would be given; nothing is built, nothing refused.

    >>> import solverlab as sl
    >>> sl.size("Td9d6h", 200, 900, bets="33%, 50%, 75%, 100%, 150%, a", raises="2.5x, a").fits(8e9)
    False
    """
    from solverlab.games.spot.game import Spot

    if len(spot) == 1 and isinstance(spot[0], Spot):
        return spot[0].size
    return Spot(*spot, **{**settings, "most_bytes": float("inf")}).size


# ---- counting ----------------------------------------------------------------------------------------------


def size_of(spot: Spot) -> SpotSize:
    """Count a spot from its betting, its board and its ranges."""
    counts = street_counts(spot.betting)
    inside = np.stack([hands.weight > 0 for hands in spot.hands])
    group = spot.deals[0][0].group
    left = sorted(set(range(DECK)) - set(spot.board))
    merged, apart = list[RoundSize](), list[RoundSize]()
    for number, (name, count) in enumerate(zip(spot.round_names, counts, strict=True)):
        kept = [deal.cards[len(spot.board) :] for deal in spot.deals[number]]
        images = np.array([len(deal.images) for deal in spot.deals[number]])
        whole = _Counted(name, count, len(spot.board), number, number == len(counts) - 1, inside)
        merged.append(whole.size(kept, images, _sets(left, number, group)))
        every = list(permutations(left, number))
        apart.append(whole.size(every, np.ones(len(every), np.int64), comb(len(left), number)))
    return SpotSize(tuple(merged), tuple(apart), round(pairs_mass(inside)))


class _Counted(NamedTuple):
    """A round whose boards are yet to be told."""

    name: str
    count: StreetCount  # type: ignore[assignment]  # not tuple's method
    board: int
    dealt: int
    last: bool
    inside: np.ndarray

    def size(self, boards: Sequence[tuple[int, ...]], images: np.ndarray, sets: int) -> RoundSize:
        count, known = self.count, self.board + HANDS_DEALT
        hands = np.stack([_hands_left(inside, boards, self.dealt) for inside in self.inside])
        room = RoundRoom(
            count.nodes, count.roots, count.awaiting, (count.actions[0], count.actions[1]), count.widest,
            hands, images, self.board + self.dealt, self.last,
        )  # fmt: skip
        deals = prod(DECK - known - earlier for earlier in range(self.dealt))
        cards = DECK - known - self.dealt + 1 if self.dealt else 0
        return RoundSize(self.name, count, cards, deals, len(boards), sets, room)


def _hands_left(inside: np.ndarray, boards: Sequence[tuple[int, ...]], dealt: int) -> np.ndarray:
    """Hands of a range that each board leaves: all, less those with a dealt card; who has both goes once."""
    held = np.zeros((DECK, DECK), np.int64)
    held[COMBOS[:, 0], COMBOS[:, 1]] = inside
    held += held.T
    cards = np.array(boards, np.int64).reshape(len(boards), dealt)
    left = int(inside.sum()) - held.sum(1)[cards].sum(1)
    return left + held[cards[:, 0], cards[:, 1]] if dealt > 1 else left


def _sets(left: Iterable[int], number: int, group: Sequence[int]) -> int:
    """Ways to deal so many cards, without order, each once up to the renamings that keep the spot."""
    dealt = list(combinations(left, number))
    cards = np.array(dealt, np.int64).reshape(len(dealt), number)
    renamed = np.stack([cards // 4 * 4 + PERMS[g][cards % 4] for g in group])
    codes = np.sort(renamed, axis=-1) @ (DECK ** np.arange(number))
    return len(np.unique(codes.min(0)))
