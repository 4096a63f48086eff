"""Two hands all in before the flop: the exact 169 x 169 table of wins and ties over every board.

One sweep over the 134,459 canonical boards. On each, hands are met from weakest to strongest; a running count
of the hands already met, class by class, says what the next one beats. Hands that share a card cannot meet:
they are counted card by card in small tables of their own and taken off once, at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.hand_classes import CLASS_SIZE, HAND_CLASS
from solverlab.cards.isomorphism import board_table
from solverlab.cards.showdown import new_order, order_hands
from solverlab.cards.table_cache import Cancel, Progress, Shape, Step, TableCache, cache_folder
from solverlab.core.kernel import inner_kernel, kernel

# Raise it whenever the content or the numbering of hands changes: tables of other versions are then rebuilt.
VERSION = 1
BOARDS = comb(48, 5)  # boards that two given hands leave
# A card's partner, seen from the card: its rank, plus 13 if the suit is the same; 32 fills whole registers.
PARTNERS = 32
SLICE = 4096


class AllIn(NamedTuple):
    """Deals (two combos and a board) in which the row's hand wins, ties, and all of them; int64[169, 169].

    >>> from solverlab.cards.hand_classes import class_number
    >>> aces, kings = class_number("AA"), class_number("KK")
    >>> round(float(all_in_matrix().equity[aces, kings]), 4), int(all_in_matrix().pairs[aces, aces])
    (0.8195, 6)
    """

    win: np.ndarray
    tie: np.ndarray
    weight: np.ndarray

    @property
    def pairs(self) -> np.ndarray:
        """How many pairs of combos share no card, int64[169, 169]: AA meets AA in 6 ordered ways, not 36."""
        return self.weight // BOARDS

    @property
    def equity(self) -> np.ndarray:
        """The row's share of the pot, float64[169, 169]: wins, and half of the ties."""
        return (2 * self.win + self.tie) / (2 * self.weight)


class _Met(NamedTuple):
    """Scratch for one board: C <= 46 partners of each card from weakest to strongest, G <= 351 tie groups."""

    below: np.ndarray  # int32[169], hands of each class already met
    found: np.ndarray  # int32[169], classes of the tie group at hand
    size: np.ndarray  # int32[169], hands of each class in it, 0 between groups
    partner: np.ndarray  # uint8[52, 46]
    group: np.ndarray  # uint16[52, 46], tie group of the card with that partner
    count: np.ndarray  # type: ignore[assignment]  # int64[52], partners found so far (not tuple's method)
    row: np.ndarray  # int32[PARTNERS], hands already met with the card at hand


@inner_kernel
def _meet(order, g, met):
    """List the classes of a tie group (returns how many), and its hands under each of their cards."""
    n = 0
    for h in range(order.start[g], order.start[g + 1]):
        own = HAND_CLASS[order.combo[h]]
        if met.size[own] == 0:
            met.found[n] = own
            n += 1
        met.size[own] += 1
        low, high = np.int64(order.low[h]), np.int64(order.high[h])
        suited = 13 if low & 3 == high & 3 else 0
        i, j = met.count[low], met.count[high]
        met.partner[low, i], met.partner[high, j] = (high >> 2) + suited, (low >> 2) + suited
        met.group[low, i], met.group[high, j] = g, g
        met.count[low] += 1
        met.count[high] += 1
    return n


@inner_kernel
def _tally_classes(n, weight, met, win, tie):
    """Add what the hands of a tie group beat and tie, class by class, as if no cards were shared."""
    found, size, below = met.found, met.size, met.below
    for k in range(n):
        own, times = found[k], weight * size[found[k]]
        for j in range(below.shape[0]):
            win[own, j] += times * below[j]
        for i in range(n):
            tie[own, found[i]] += times * size[found[i]]
    for k in range(n):
        below[found[k]] += size[found[k]]
        size[found[k]] = 0


@inner_kernel
def _tally_card(card, weight, met, shared):
    """The same for hands that share a card: below in shared[0, rank], below or level in shared[1, rank]."""
    partner, group, row, rank = met.partner, met.group, met.row, card >> 2
    row[:] = 0
    at = 0
    while at < met.count[card]:
        end = at
        while end < met.count[card] and group[card, end] == group[card, at]:
            end += 1
        for level in range(2):
            for i in range(at, end):
                own = partner[card, i]
                for k in range(row.shape[0]):
                    shared[level, rank, own, k] += row[k]
            for i in range(at, end if level == 0 else at):
                row[partner[card, i]] += weight
        at = end


@kernel
def _sweep(boards, weights, order, met, win, tie, shared):
    """Wins, ties and what to take off them for some boards, into win, tie and shared, which start at 0.

    An entry grows by at most 24 x 12 x 12 a board, so 32 bits hold a slice of boards.
    """
    for b in range(len(boards)):
        weight = np.int32(weights[b])
        met.below[:] = 0
        met.count[:] = 0
        for g in range(order_hands(boards[b], order)):
            _tally_classes(_meet(order, g, met), weight, met, win, tie)
        for card in range(52):
            _tally_card(card, weight, met, shared)


def _sweep_all(step: Step) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All boards, slice by slice: int64 win and tie [169, 169], shared [2, 13, PARTNERS, PARTNERS]."""
    table, order = board_table(5), new_order()
    shapes = {"below": 169, "found": 169, "size": 169, "row": PARTNERS}
    met = _Met(
        partner=np.zeros((52, 46), np.uint8),
        group=np.zeros((52, 46), np.uint16),
        count=np.zeros(52, np.int64),
        **{name: np.zeros(shape, np.int32) for name, shape in shapes.items()},
    )
    found = [np.zeros(shape, np.int64) for shape in ((169, 169), (169, 169), (2, 13, PARTNERS, PARTNERS))]
    for at in range(0, len(table.boards), SLICE):
        step(at / len(table.boards), "all in before the flop: 134,459 boards")
        part = [np.zeros(array.shape, np.int32) for array in found]
        _sweep(table.boards[at : at + SLICE], table.weight[at : at + SLICE], order, met, *part)
        for array, more in zip(found, part, strict=True):
            array += more
    return found[0], found[1], found[2]


def _class_of_partner() -> np.ndarray:
    """The class of a card of rank r and a partner, int64[13, PARTNERS]; a suited pair does not exist: -1."""
    table = np.full((13, PARTNERS), -1, np.int64)
    low, high = COMBOS.T.astype(np.int64)
    suited = 13 * (low % 4 == high % 4)
    table[low // 4, high // 4 + suited] = HAND_CLASS
    table[high // 4, low // 4 + suited] = HAND_CLASS
    return table


def _take_off(total: np.ndarray, shared: np.ndarray) -> None:
    """Subtract the hands that share a card from total[169, 169]."""
    classes = _class_of_partner()
    for rank in range(13):
        real = np.flatnonzero(classes[rank] >= 0)
        own = classes[rank, real]
        np.subtract.at(total, (own[:, None], own[None]), shared[rank][np.ix_(real, real)])


def class_pairs() -> np.ndarray:
    """Pairs of combos that share no card, class by class; int64[169, 169], 1326 x 1225 in all."""
    apart = (COMBOS[:, None, :, None] != COMBOS[None, :, None, :]).all(axis=(2, 3))
    member = (np.arange(169)[:, None] == HAND_CLASS).astype(np.int64)
    return member @ apart.astype(np.int64) @ member.T


def _build(step: Step) -> Iterator[tuple[str, np.ndarray]]:
    """Sweep, then take off the deals in which both hands would hold the same card."""
    win, tie, shared = _sweep_all(step)
    _take_off(win, shared[0])
    _take_off(tie, shared[1] - shared[0])
    # A hand is level with itself, and was taken off twice: once for each of its cards.
    tie[np.diag_indices(169)] += CLASS_SIZE * comb(50, 5)
    yield "win", win
    yield "tie", tie
    yield "weight", class_pairs() * BOARDS


@cache
def _tables_in(folder: Path) -> TableCache:
    shapes = {name: Shape((169, 169), "<i8") for name in AllIn._fields}
    return TableCache("all-in", VERSION, shapes, _build, folder)


def all_in_matrix(
    folder: str | Path | None = None, progress: Progress | None = None, cancel: Cancel | None = None
) -> AllIn:
    """Exact wins and ties of every starting hand against every other, built on first use and kept."""
    tables = _tables_in(cache_folder() if folder is None else Path(folder))
    return AllIn(*(tables.array(name, progress, cancel) for name in AllIn._fields))
