"""The boards of a postflop spot: what can still be dealt, which deals are one up to the names of suits,
and every hand's place on each board.

Renamings of suits that keep the starting board and both ranges leave the game as it is (Gilpin and
Sandholm 2007). Of the cards that such a renaming leads to each other one is kept; the others are its
images, and what it is worth counts for each of them. Below a kept card only the renamings count that
leave it alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import COMBOS
from solverlab.cards.isomorphism import HOLE_PERM, PERMS
from solverlab.cards.showdown import new_order, order_hands
from solverlab.core.boards.shape import Boards, padded
from solverlab.core.kernel import inner_kernel, kernel

CARDS_OF_RIVER = 5
HANDS_DEALT = 4  # cards that the players hold


class Dealt(NamedTuple):
    """A kept board: its cards, the board it was dealt on, renamings to its images, renamings that keep
    it."""

    cards: tuple[int, ...]
    parent: int
    images: tuple[int, ...]
    group: tuple[int, ...]


def renamings(board: Sequence[int], weights: np.ndarray) -> tuple[int, ...]:
    """Numbers of the renamings of suits that keep the board as a set, and both ranges float[2, 1326]."""
    cards = np.array(board)
    kept = []
    for number, perm in enumerate(PERMS):
        renamed = cards // 4 * 4 + perm[cards % 4]
        if set(renamed.tolist()) == set(board) and np.array_equal(weights[:, HOLE_PERM[number]], weights):
            kept.append(number)
    return tuple(kept)


def dealt_on(parent: int, above: Dealt) -> Iterator[Dealt]:
    """The boards with one more card, each once up to the renamings that keep the board above."""
    seen: set[int] = set(above.cards)
    for card in range(52):
        if card in seen:
            continue
        leads = {card // 4 * 4 + int(PERMS[g, card % 4]): g for g in reversed(above.group)}
        seen |= leads.keys()
        stays = tuple(g for g in above.group if PERMS[g, card % 4] == card % 4)
        yield Dealt((*above.cards, card), parent, tuple(leads[c] for c in sorted(leads)), stays)


def deals_of_spot(board: Sequence[int], weights: np.ndarray, merge: bool = True) -> list[list[Dealt]]:
    """Kept boards of every round from the starting one to the river; `merge=False` keeps every deal
    apart.

    >>> [len(deals) for deals in deals_of_spot((33, 29, 18), np.ones((2, 1326)))]
    [1, 36, 1429]
    """
    group = renamings(board, weights) if merge else (0,)
    rounds = [[Dealt(tuple(board), -1, (0,), group)]]
    while len(rounds[-1][0].cards) < CARDS_OF_RIVER:
        rounds.append([deal for b, above in enumerate(rounds[-1]) for deal in dealt_on(b, above)])
    return rounds


def boards_of_deals(rounds: list[list[Dealt]], weights: np.ndarray) -> tuple[Boards, ...]:
    """Hands and their places on all boards, for ranges float[2, 1326]."""
    found: list[Boards] = []
    for number, deals in enumerate(rounds):
        after = rounds[number + 1] if number + 1 < len(rounds) else []
        found.append(_boards(deals, after, weights, found[-1] if found else None))
    return tuple(found)


def _boards(deals: list[Dealt], after: list[Dealt], weights: np.ndarray, above: Boards | None) -> Boards:
    """Hands, places and images of all boards of a round."""
    cards = np.array([deal.cards for deal in deals], np.uint8)
    parent = np.array([deal.parent for deal in deals], np.int32)
    below = np.searchsorted([deal.parent for deal in after], np.arange(len(deals) + 1)).astype(np.int32)
    inside = weights > 0
    size = np.stack([_hands_left(cards, inside[p]) for p in range(2)])
    width = np.asarray(padded(size))
    start, total = _stacked(width)
    with_start, listed = _stacked(2 * size)
    images = np.array([len(deal.images) for deal in deals], np.int32)
    image_start, imaged = _stacked(images * width)
    river = cards.shape[1] == CARDS_OF_RIVER
    boards = Boards(
        cards, parent, below, size, width, start,
        combo=np.full(total, -1, np.int16),
        above=np.zeros(total, np.uint16),
        same=np.zeros(total, np.uint16),
        hole=np.zeros((total, 2), np.uint8),
        with_card=np.zeros((2, len(deals), 53), np.int64),
        with_start=with_start,
        in_hand=np.zeros(listed, np.uint16),
        look=np.zeros((total if river else 0, 6), np.uint16),
        images=images,
        image=np.zeros(imaged, np.uint16),
        image_start=image_start,
        chance=1.0 / (52 - (cards.shape[1] - 1) - HANDS_DEALT) if above is not None else 1.0,
    )  # fmt: skip
    renamed = np.array([g for deal in deals for g in deal.images], np.int64)
    first_image = np.concatenate([[0], np.cumsum(images)])
    _fill(
        inside,
        river,
        boards,
        boards if above is None else above,
        HOLE_PERM[renamed],
        first_image,
        new_order(),
    )
    return boards


def _stacked(lengths: np.ndarray) -> tuple[np.ndarray, int]:
    """Where pieces of these lengths begin when they stand one behind the other, and where the last
    ends."""
    ends = np.cumsum(lengths.ravel())
    return (ends - lengths.ravel()).reshape(lengths.shape).astype(np.int64), int(ends[-1])


def _hands_left(cards: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """How many hands of a range share no card with each board, int64[B]."""
    holds = np.zeros((1326, 52), np.int64)
    holds[np.arange(1326)[:, None], COMBOS] = 1
    on_board = np.zeros((52, len(cards)), np.int64)
    on_board[cards.T, np.arange(len(cards))] = 1
    return ((holds[inside] @ on_board) == 0).sum(0)


@kernel
def _fill(inside, river, boards, above, renamed, first_image, order):
    """Everything of every board that depends on hands: see `Boards`."""
    place, upper = np.full((2, 1326), -1, np.int64), np.full((2, 1326), -1, np.int64)
    blocked = np.zeros(52, np.bool_)
    for b in range(boards.parent.shape[0]):
        blocked[:] = False
        for card in boards.cards[b]:
            blocked[card] = True
        place[:] = -1
        if river:
            _list_by_strength(inside, boards, b, order, place)
        else:
            _list_in_order(inside, blocked, boards, b, place)
        _list_by_card(boards, b)
        if river:
            _look_up(boards, b, order, place)
        for p in range(2):
            start, other_width = boards.start[p, b], boards.width[1 - p, b]
            for k in range(boards.size[p, b]):
                same = place[1 - p, boards.combo[start + k]]
                boards.same[start + k] = same if same >= 0 else other_width
        if boards.parent[b] >= 0:
            _place_above(boards, above, b, renamed[first_image[b] : first_image[b + 1]], upper)


@inner_kernel
def _put(boards, p, b, k, combo, low, high, place):
    at = boards.start[p, b] + k
    boards.combo[at], boards.hole[at, 0], boards.hole[at, 1] = combo, low, high
    place[p, combo] = k


@inner_kernel
def _list_in_order(inside, blocked, boards, b, place):
    """Columns by number of the two cards."""
    found = np.zeros(2, np.int64)
    combo = 0
    for high in range(52):
        for low in range(high):
            for p in range(2):
                if inside[p, combo] and not blocked[low] and not blocked[high]:
                    _put(boards, p, b, found[p], combo, low, high, place)
                    found[p] += 1
            combo += 1


@inner_kernel
def _list_by_strength(inside, boards, b, order, place):
    """Columns from the weakest hand to the strongest."""
    found = np.zeros(2, np.int64)
    groups = order_hands(boards.cards[b], order)
    for i in range(order.start[groups]):
        combo = order.combo[i]
        for p in range(2):
            if inside[p, combo]:
                _put(boards, p, b, found[p], combo, order.low[i], order.high[i], place)
                found[p] += 1


@inner_kernel
def _list_by_card(boards, b):
    """Each player's columns that hold each card, in the order of columns."""
    for p in range(2):
        start, ends = boards.start[p, b], boards.with_card[p, b]
        for k in range(boards.size[p, b]):
            for side in range(2):
                ends[boards.hole[start + k, side] + 1] += 1
        for card in range(52):
            ends[card + 1] += ends[card]
        at = ends.copy()
        for k in range(boards.size[p, b]):
            for side in range(2):
                card = boards.hole[start + k, side]
                boards.in_hand[boards.with_start[p, b] + at[card]] = k
                at[card] += 1


@inner_kernel
def _look_up(boards, b, order, place):
    """How many of the other's hands are weaker, and not stronger: among all, and with each own card.

    Places with a card are counted in the running sums of `lanes.py`, which begin with a nothing for every
    card.
    """
    groups = order_hands(boards.cards[b], order)
    found, held = np.zeros(2, np.int64), np.zeros((2, 52), np.int64)
    for g in range(groups):
        for after in range(2):
            for i in range(order.start[g], order.start[g + 1]):
                for p in range(2):
                    k, o = place[p, order.combo[i]], 1 - p
                    if k >= 0:
                        look = boards.look[boards.start[p, b] + k]
                        low, high = order.low[i], order.high[i]
                        look[after] = found[o]
                        look[2 + after] = boards.with_card[o, b, low] + low + held[o, low]
                        look[4 + after] = boards.with_card[o, b, high] + high + held[o, high]
            if after == 0:
                for i in range(order.start[g], order.start[g + 1]):
                    for p in range(2):
                        if place[p, order.combo[i]] >= 0:
                            found[p] += 1
                            held[p, order.low[i]] += 1
                            held[p, order.high[i]] += 1


@inner_kernel
def _place_above(boards, above, b, renamed, upper):
    """Places of a board's hands among the columns of the board it was dealt on, and those of its
    images."""
    parent = boards.parent[b]
    for p in range(2):
        upper[p] = -1
        for k in range(above.size[p, parent]):
            upper[p, above.combo[above.start[p, parent] + k]] = k
        start, width, to = boards.start[p, b], boards.width[p, b], boards.image_start[p, b]
        for k in range(boards.size[p, b]):
            combo = boards.combo[start + k]
            boards.above[start + k] = upper[p, combo]
            for i in range(renamed.shape[0]):
                boards.image[to + i * width + k] = upper[p, renamed[i, combo]]
