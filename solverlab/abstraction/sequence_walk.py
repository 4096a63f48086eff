"""Walking every deal street by street, to learn which bucket sequence it has.

Sequences are numbered: `sequence = prefix * n + bucket`. A street's sequences are rows [B, C, 1326] over its
canonical boards, the C orders in which the last card may have come (4 on the turn, 1 before), and combos;
NOWHERE marks combos that clash with the board. Boundaries are exact integers, found by counting: first coarse
bins of the values, then single values inside the few bins where a boundary falls.
"""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.isomorphism import CHOOSE, HOLE_PERM, BoardTable, board_table
from solverlab.cards.showdown import fill_strength, new_order
from solverlab.cards.street_strength import Report
from solverlab.core.kernel import kernel

NOWHERE = 65535
POINTS = 1981  # strengths on the river, 0 to 1980
_SHIFT = 12


@kernel
def _turn_prefixes(boards, flops, rows, out):
    """Sequence on the flop of every hand of boards[B, 4], for each card that may have come last."""
    for b in range(len(boards)):
        for last in range(4):
            number = place = 0
            for k in range(4):
                if k != last:
                    place += 1
                    number += CHOOSE[boards[b, k], place]
            row, renamed = rows[flops.number[number], 0], HOLE_PERM[flops.perm[number]]
            for combo in range(1326):
                out[b, last, combo] = row[renamed[combo]]
            card = boards[b, last]
            for other in range(52):
                if other != card:
                    low, high = min(card, other), max(card, other)
                    out[b, last, (high * (high - 1) >> 1) + low] = NOWHERE


@kernel
def _count_coarse(prefix, values, weight, count):
    """Weight of each prefix and coarse value, into count[P, bins]."""
    for b in range(prefix.shape[0]):
        for c in range(prefix.shape[1]):
            for combo in range(1326):
                if prefix[b, c, combo] != NOWHERE:
                    count[prefix[b, c, combo], values[b, combo] >> _SHIFT] += weight[b]


@kernel
def _count_fine(prefix, values, weight, slot, count):
    """Weight of each value in the bins that have a slot, into count[slots, 4096]."""
    for b in range(prefix.shape[0]):
        for c in range(prefix.shape[1]):
            for combo in range(1326):
                if prefix[b, c, combo] != NOWHERE:
                    place = slot[prefix[b, c, combo], values[b, combo] >> _SHIFT]
                    if place >= 0:
                        count[place, values[b, combo] & ((1 << _SHIFT) - 1)] += weight[b]


@kernel
def append_bucket(prefix, values, cuts):
    """Replace each prefix by prefix x n + bucket, where cuts[P, n - 1] are first values of buckets."""
    inner = cuts.shape[1]
    for b in range(prefix.shape[0]):
        for c in range(prefix.shape[1]):
            for combo in range(1326):
                own = prefix[b, c, combo]
                if own != NOWHERE:
                    bucket = 0
                    while bucket < inner and values[b, combo] >= cuts[own, bucket]:
                        bucket += 1
                    prefix[b, c, combo] = own * (inner + 1) + bucket


@kernel
def _count_rows(sequences, weight, count):
    """Weight of each sequence of rows [B, C, 1326] into count[sequences]."""
    for b in range(sequences.shape[0]):
        for c in range(sequences.shape[1]):
            for combo in range(1326):
                if sequences[b, c, combo] != NOWHERE:
                    count[sequences[b, c, combo]] += weight[b]


@kernel
def _span_rows(sequences, values, lowest, highest):
    """Least and largest value met in each sequence, into lowest[S] and highest[S]."""
    for b in range(sequences.shape[0]):
        for c in range(sequences.shape[1]):
            for combo in range(1326):
                own = sequences[b, c, combo]
                if own != NOWHERE:
                    lowest[own] = min(lowest[own], values[b, combo])
                    highest[own] = max(highest[own], values[b, combo])


@kernel
def _count_river(boards, weight, turns, sequences, strength, count):
    """Weight of each strength and turn sequence over all orders of boards[B, 5], into count[1981, P].

    Clashing combos have strength POINTS and are left out. Strength comes first because a board has few of
    them: what it counts stays in the cache.
    """
    place_of, value = np.empty(1326, np.int64), np.empty(1326, np.int64)
    for b in range(len(boards)):
        for river in range(5):
            number = place = 0
            for k in range(5):
                if k != river:
                    place += 1
                    number += CHOOSE[boards[b, k], place]
            renamed, size = HOLE_PERM[turns.perm[number]], 0
            for combo in range(1326):
                if strength[b, combo] < POINTS:
                    place_of[size], value[size] = renamed[combo], strength[b, combo]
                    size += 1
            for last in range(4):
                row = sequences[turns.number[number], last]
                for i in range(size):
                    count[value[i], row[place_of[i]]] += weight[b]


@kernel
def _mark_clashes(boards, mark, rows):
    """Set the combos that clash with boards[B, k] to `mark` in rows[B, 1326]."""
    for b in range(len(boards)):
        for card in boards[b]:
            for other in range(52):
                if other != card:
                    low, high = min(card, other), max(card, other)
                    rows[b, (high * (high - 1) >> 1) + low] = mark


def first_prefixes(size: int, preflop: np.ndarray | None) -> np.ndarray:
    """Rows [B, 1, 1326] of boards of 0 or 3 cards: one prefix, or each combo's preflop sequence."""
    boards = board_table(size).boards
    start = np.zeros(1326, np.uint16) if preflop is None else preflop[0, 0]
    rows = np.broadcast_to(start, (len(boards), 1326)).copy()
    _mark_clashes(boards, NOWHERE, rows)
    return rows[:, None]


def turn_prefixes(flop: np.ndarray) -> np.ndarray:
    """Rows [16432, 4, 1326] of flop sequences, from those of the flop [1755, 1, 1326]."""
    turns: BoardTable = board_table(4)
    out = np.empty((len(turns.boards), 4, len(COMBOS)), np.uint16)
    _turn_prefixes(turns.boards, board_table(3), flop, out)
    return out


def boundary_cuts(
    prefix: np.ndarray, values: np.ndarray, weight: np.ndarray, prefixes: int, n: int
) -> np.ndarray:
    """First value of buckets 1 .. n - 1 of each prefix, so that buckets weigh the same up to ties; int64.

    The rule is that of `percentile_edges`; a cut above all values means that the bucket is empty.
    """
    top = int(values.max()) + 1
    coarse = np.zeros((prefixes, (top >> _SHIFT) + 1), np.int64)
    weighed = weight.astype(np.int64)
    _count_coarse(prefix, values, weighed, coarse)
    total, end = coarse.sum(axis=1), np.cumsum(coarse, axis=1)
    slot = np.full(coarse.shape, -1, np.int32)
    for p in range(prefixes):
        _mark_bins(coarse[p], end[p], int(total[p]), n, slot[p])
    chosen = slot >= 0
    slot[chosen] = np.arange(chosen.sum())
    fine = np.zeros((max(int(chosen.sum()), 1), 1 << _SHIFT), np.int64)
    _count_fine(prefix, values, weighed, slot, fine)
    cuts = np.full((prefixes, n - 1), top, np.int64)
    for p in range(prefixes):
        bins = np.flatnonzero(slot[p] >= 0)
        below = (end[p] - coarse[p])[bins]
        _cut_prefix(fine[slot[p, bins]], bins, below, int(total[p]), cuts[p])
    return cuts


def _mark_bins(coarse: np.ndarray, end: np.ndarray, total: int, n: int, slot: np.ndarray) -> None:
    """Mark the bins where a boundary can fall: where its share is reached, and the next filled one."""
    filled = np.flatnonzero(coarse)
    if total:
        places = np.searchsorted(n * end[filled], np.arange(1, n) * total, side="left")
        for place in np.unique(np.concatenate([places, places + 1])):
            if place < len(filled):
                slot[filled[place]] = 0


def river_cuts(count: np.ndarray, n: int) -> np.ndarray:
    """The same rule on the river, from the weights count[P, 1981] of every strength; int64[P, n - 1]."""
    cuts = np.full((len(count), n - 1), POINTS, np.int64)
    for own, weights in zip(cuts, count, strict=True):
        found = np.flatnonzero(weights)
        twice_middle = 2 * np.cumsum(weights[found]) - weights[found]
        first = np.searchsorted(n * twice_middle, 2 * np.arange(1, n) * weights.sum(), side="left")
        known = first < len(found)
        own[known] = found[first[known]]
    return cuts


def _cut_prefix(fine: np.ndarray, bins: np.ndarray, below: np.ndarray, total: int, cuts: np.ndarray) -> None:
    """Exact cuts of one prefix from its marked bins."""
    if not total:
        return
    n = len(cuts) + 1
    value = (bins[:, None] << _SHIFT) + np.arange(1 << _SHIFT)
    twice_middle = 2 * (below[:, None] + np.cumsum(fine, axis=1)) - fine
    here = fine > 0
    value, reached = value[here], n * twice_middle[here]
    first = np.searchsorted(reached, 2 * np.arange(1, n) * total, side="left")
    known = first < len(value)
    cuts[known] = value[first[known]]


def count_sequences(prefix: np.ndarray, weight: np.ndarray, sequences: int) -> np.ndarray:
    """Weight of each sequence, int64[sequences]."""
    count = np.zeros(sequences, np.int64)
    _count_rows(prefix, weight.astype(np.int64), count)
    return count


def occupied_span(sequences: np.ndarray, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest value of the hands in each sequence, int64[count]; least > largest where empty."""
    lowest, highest = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    _span_rows(sequences, values, lowest, highest)
    return lowest, highest


def river_span(count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same on the river, from the weights count[S, 1981] of every strength."""
    held = count > 0
    lowest = np.where(held.any(axis=1), held.argmax(axis=1), POINTS)
    highest = np.where(held.any(axis=1), POINTS - 1 - held[:, ::-1].argmax(axis=1), -1)
    return lowest, highest


def count_river(sequences: np.ndarray, prefixes: int, report: Report) -> np.ndarray:
    """Weight of each turn sequence and river strength over all orders of all boards, int64[P, 1981]."""
    table, order = board_table(5), new_order()
    count = np.zeros((POINTS, prefixes), np.int64)
    strength = np.empty((1024, 1326), np.uint16)
    for begin in range(0, len(table.boards), 1024):
        report(begin / len(table.boards))
        boards, weight = (
            table.boards[begin : begin + 1024],
            table.weight[begin : begin + 1024].astype(np.int64),
        )
        fill_strength(boards, order, strength[: len(boards)])
        _mark_clashes(boards, POINTS, strength)
        _count_river(boards, weight, board_table(4), sequences, strength, count)
    return np.ascontiguousarray(count.T)
