"""How the exact all-in table is made: wins and ties of two hands over every board.

One sweep over the 134,459 canonical boards. On each, hands are met from weakest to strongest; a running count
of the hands already met, class by class, says what the next one beats. Hands that share a card cannot meet:
they are counted card by card in small tables of their own and taken off once, at the end. It takes some
seconds, so the result travels with the package (`cards/all_in.py`), and a proof computes it again.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.cards.all_in import AllIn
from solverlab.cards.cards import COMBOS
from solverlab.cards.hand_classes import CLASS_SIZE, HAND_CLASS
from solverlab.cards.isomorphism import board_table
from solverlab.cards.showdown import new_order, order_hands
from solverlab.cards.table_cache import Cancel, Progress, Step
from solverlab.core.kernel import inner_kernel, kernel

# A card's partner, seen from the card: its rank, plus 13 if the suit is the same; 32 fills whole registers.
PARTNERS = 32
SLICE = 4096


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


def _sweep_all(
    boards: np.ndarray, weights: np.ndarray, step: Step
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Boards slice by slice: int64 win and tie [169, 169], shared [2, 13, PARTNERS, PARTNERS]."""
    order = new_order()
    shapes = {"below": 169, "found": 169, "size": 169, "row": PARTNERS}
    met = _Met(
        partner=np.zeros((52, 46), np.uint8),
        group=np.zeros((52, 46), np.uint16),
        count=np.zeros(52, np.int64),
        **{name: np.zeros(shape, np.int32) for name, shape in shapes.items()},
    )
    found = [np.zeros(shape, np.int64) for shape in ((169, 169), (169, 169), (2, 13, PARTNERS, PARTNERS))]
    for at in range(0, len(boards), SLICE):
        step(at / len(boards), f"all in before the flop: {len(boards):,} boards")
        part = [np.zeros(array.shape, np.int32) for array in found]
        _sweep(boards[at : at + SLICE], weights[at : at + SLICE], order, met, *part)
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


def all_in_of(boards: np.ndarray, weights: np.ndarray, own: np.ndarray, step: Step) -> AllIn:
    """Wins, ties and deals on these canonical boards, int64[169, 169] each.

    weights[board] is how many boards each stands for, own[class] how often a combo of a class and a board
    share no card.
    """
    win, tie, shared = _sweep_all(boards, weights, step)
    _take_off(win, shared[0])
    _take_off(tie, shared[1] - shared[0])
    # A hand is level with itself, and was taken off twice: once for each of its cards.
    tie[np.diag_indices(169)] += own
    return AllIn(win, tie, win + win.T + tie)


def build_all_in(progress: Progress | None = None, cancel: Cancel | None = None) -> AllIn:
    """The table over every board: what `all_in_matrix` reads from its file, computed again."""
    table = board_table(5)
    return all_in_of(table.boards, table.weight, CLASS_SIZE * comb(50, 5), Step(progress, cancel))
