"""Three hands all in before the flop: exact numbers of deals, and shares of the pot from a fixed sample.

An exact table would take 800,000 class triples times 2.6 million boards. Instead every board is dealt to some
thousand triples, taken from all over the list in short runs, so each triple meets boards spread evenly
over all of them and their neighbours different ones: their errors cancel in a range instead of adding up. The
seed is fixed, so everybody's table is the same to the last bit.

Deviates: shares of three are sampled (271 million deals, about 330 a triple), not enumerated;
`ThreeWay.error` is their standard error, 0.024 of a pot for a single triple on average.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.hand_classes import CLASS_SIZE, HAND_CLASS
from solverlab.cards.isomorphism import board_table
from solverlab.cards.showdown import new_order, order_hands
from solverlab.cards.table_cache import Cancel, Progress, Shape, Step, TableCache, cache_folder
from solverlab.core.kernel import inner_kernel, kernel

VERSION = 1
TRIPLES = 169 * 170 * 171 // 6  # classes i >= j >= k
TRIES = 256  # of each of the 2,598,960 boards; about half of them share no card and count
RUN = 32  # neighbouring triples that meet the same board
PADDED = TRIPLES + -TRIPLES % RUN
STRIDE = RUN * 15_813  # shares no factor with the number of runs, so every run is met equally often
SEED = 20
SLICE = 64
# Combos of each class (the last repeated to fill the row), and the cards of each combo as bits.
CLASS_COMBOS = np.array(
    [np.resize(np.flatnonzero(HAND_CLASS == number), 12) for number in range(169)], np.uint16
)
BITS = np.uint64(1) << COMBOS[:, 0].astype(np.uint64) | np.uint64(1) << COMBOS[:, 1].astype(np.uint64)
SIZE = CLASS_SIZE.astype(np.uint64)
EACH = np.array([0, 6, 3, 2], np.uint16)  # points for each of n winners; n is 0 if the deal is impossible


class ThreeWay(NamedTuple):
    """Deals of three classes and shares of a three-way pot, own hand last and symmetric in the other two.

    deals float32[169, 169, 169]: combo triples that share no card, exact; they sum to 1326 x 1225 x 1128.
    share float32[169, 169, 169]: mean share of the pot, sampled; 0 where there is no deal.
    sampled int32[169, 169, 169]: deals behind each share.
    """

    deals: np.ndarray
    share: np.ndarray
    sampled: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """Standard error of each share if its deals were drawn independently, float64[169, 169, 169]."""
        spread = np.sqrt(self.share * (1.0 - self.share), dtype=np.float64)
        return np.divide(spread, np.sqrt(self.sampled), out=np.zeros(spread.shape), where=self.sampled > 0)


@kernel
def count_deals(deals):
    """Combo triples that share no card for every triple of classes i >= j >= k, into deals[TRIPLES]."""
    t = 0
    for i in range(169):
        for j in range(i + 1):
            for k in range(j + 1):
                ways = 0
                for a in range(SIZE[i]):
                    first = BITS[CLASS_COMBOS[i, a]]
                    for b in range(SIZE[j]):
                        two = BITS[CLASS_COMBOS[j, b]]
                        if first & two == 0:
                            for c in range(SIZE[k]):
                                ways += (first | two) & BITS[CLASS_COMBOS[k, c]] == 0
                deals[t] = ways
                t += 1


@inner_kernel
def _rank_combos(board, order, rank):
    """Tie group of every combo on a board, counted from 1, into rank[1326]; 0 where it clashes."""
    groups = order_hands(board, order)
    rank[:] = 0
    for g in range(groups):
        for h in range(order.start[g], order.start[g + 1]):
            rank[order.combo[h]] = g + 1


@inner_kernel
def _pick(word, shift, number):
    """A combo of a class, from 21 bits of a random word."""
    draw = (word >> np.uint64(shift) & np.uint64(0x1FFFFF)) * SIZE[number] >> np.uint64(21)
    return CLASS_COMBOS[number, draw]


@kernel
def _deal_boards(boards, tries, words, order, rank, triples, start, points):
    """Deal each board to tries[b] triples, one random word each, into points[TRIPLES, 3]; returns the place.

    The triples are taken run by run, each run a long stride after the last, round and round from `start`.
    """
    at = 0
    for b in range(len(boards)):
        _rank_combos(boards[b], order, rank)
        for _ in range(tries[b] // RUN):
            for t in range(start, start + RUN):
                word = words[at]
                at += 1
                one = _pick(word, 0, triples[t, 0])
                two = _pick(word, 21, triples[t, 1])
                three = _pick(word, 42, triples[t, 2])
                x, y, z = rank[one], rank[two], rank[three]
                apart = (BITS[one] & BITS[two] | (BITS[one] | BITS[two]) & BITS[three]) == 0
                best = max(x, y, z)
                first, second, third = x == best, y == best, z == best
                # no branches: half of all tries count, which no processor can foresee
                each = EACH[(first + second + third) * (apart & (x > 0) & (y > 0) & (z > 0))]
                points[t, 0] += each * first
                points[t, 1] += each * second
                points[t, 2] += each * third
            start = (start + STRIDE) % PADDED
    return start


@kernel
def _list_triples(triples):
    """The classes i >= j >= k of every triple into triples[PADDED, 3]."""
    t = 0
    for i in range(169):
        for j in range(i + 1):
            for k in range(j + 1):
                triples[t, 0], triples[t, 1], triples[t, 2] = i, j, k
                t += 1


@kernel
def _spread(deals, points, tensors):
    """From triples i >= j >= k to all orders: deals, share and sampled of tensors[..., own hand]."""
    order = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    hand, t = np.zeros(3, np.int64), 0
    tensors.share[:] = 0
    for i in range(169):
        for j in range(i + 1):
            for k in range(j + 1):
                hand[0], hand[1], hand[2] = i, j, k
                found = (np.int64(points[t, 0]) + points[t, 1] + points[t, 2]) // 6
                for o in range(6):
                    a, b, own = hand[order[o, 0]], hand[order[o, 1]], hand[order[o, 2]]
                    tensors.deals[a, b, own], tensors.sampled[a, b, own] = deals[t], found
                    total = same = 0
                    for p in range(3):  # equal classes share what they won together
                        if hand[p] == own:
                            total += points[t, p]
                            same += 1
                    if found > 0:
                        tensors.share[a, b, own] = total / (6.0 * found * same)
                t += 1


def _build(step: Step) -> Iterator[tuple[str, np.ndarray]]:
    """Count all deals, then sample the boards slice by slice."""
    deals = np.zeros(TRIPLES, np.uint16)
    count_deals(deals)
    yield "deals", deals
    table, order, rank, rng = (
        board_table(5),
        new_order(),
        np.zeros(1326, np.uint16),
        np.random.default_rng(SEED),
    )
    points, triples, start = np.zeros((PADDED, 3), np.uint16), np.zeros((PADDED, 3), np.uint8), 0
    _list_triples(triples)
    for at in range(0, len(table.boards), SLICE):
        step(at / len(table.boards), "three all in before the flop: 134,459 boards")
        tries = TRIES * table.weight[at : at + SLICE].astype(np.int64)
        words = rng.integers(0, 2**64, tries.sum(), np.uint64)
        start = _deal_boards(table.boards[at : at + SLICE], tries, words, order, rank, triples, start, points)
    yield "points", points[:TRIPLES]


@cache
def _tables_in(folder: Path) -> TableCache:
    shapes = {"deals": Shape((TRIPLES,), "<u2"), "points": Shape((TRIPLES, 3), "<u2")}
    return TableCache("all-in-three", VERSION, shapes, _build, folder)


@cache
def _tensors_in(folder: Path) -> ThreeWay:
    """The kept tables written out in every order of the three hands."""
    deals, points = (np.asarray(_tables_in(folder).array(name)) for name in ("deals", "points"))
    shape = (169, 169, 169)
    tensors = ThreeWay(np.empty(shape, np.float32), np.empty(shape, np.float32), np.empty(shape, np.int32))
    _spread(deals, points, tensors)
    for tensor in tensors:
        tensor.flags.writeable = False
    return tensors


def three_way(
    folder: str | Path | None = None, progress: Progress | None = None, cancel: Cancel | None = None
) -> ThreeWay:
    """Deals and shares of three starting hands all in, built on first use and kept."""
    place = cache_folder() if folder is None else Path(folder)
    _tables_in(place).array("points", progress, cancel)
    return _tensors_in(place)
