"""Deal hold'em hands in batches: hole cards for everybody, five board cards, and who holds how much.

Cards are drawn without replacement from one deck that stays shuffled between deals, so a deal costs one
random number a card. A seat may be given its hole cards; the others then share what is left. `deal_groups`
deals to many fixed hands in one compiled call, each with a generator of its own, the very cards that
`deal_hands` would deal one group after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import Cards, parse_hole
from solverlab.cards.evaluate_high import BIT, KEY, START, rank_of
from solverlab.core.errors import BadValue
from solverlab.core.generator_words import next_number
from solverlab.core.kernel import kernel

MOST_SEATS = 23  # 46 hole cards and a board leave one card of the deck


class Hands(NamedTuple):
    """A batch of deals: hole uint8[n, P, 2], board uint8[n, 5], rank uint16[n, P]; the larger rank wins."""

    hole: np.ndarray
    board: np.ndarray
    rank: np.ndarray


@kernel
def shuffle_out(rng, deck, drawn):
    """Draw cards without replacement from deck[k] into drawn[n, m]; the deck only changes its order."""
    size = len(deck)
    for n in range(len(drawn)):
        for k in range(drawn.shape[1]):
            j = k + np.int64(rng.random() * (size - k))
            card = deck[j]
            deck[j] = deck[k]
            deck[k] = card
            drawn[n, k] = card


@kernel
def rank_seats(hole, board, rank):
    """Class of each seat's best five of seven: hole[n, P, 2] and board[n, 5] into rank[n, P]."""
    for n in range(len(board)):
        key, bits = START, np.uint64(0)
        for k in range(5):
            card = board[n, k]
            key += KEY[card]
            bits |= BIT[card]
        for p in range(hole.shape[1]):
            a, b = hole[n, p, 0], hole[n, p, 1]
            rank[n, p] = rank_of(key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b])


def deal_hands(
    rng: np.random.Generator, n: int, players: int, seat: int | None = None, hole: Cards | None = None
) -> Hands:
    """Deal `n` hands to `players` seats and rank them; `seat` always holds `hole` if that is given.

    >>> hands = deal_hands(np.random.default_rng(1), 3, players=2, seat=1, hole="AhAd")
    >>> hands.hole.shape, hands.board.shape, hands.hole[:, 1].tolist()
    ((3, 2, 2), (3, 5), [[50, 49], [50, 49], [50, 49]])
    """
    if not 1 <= players <= MOST_SEATS:
        raise BadValue(f"a deck has cards for 1 to {MOST_SEATS} players and a board, not for {players}")
    if (seat is None) != (hole is None) or (seat is not None and not 0 <= seat < players):
        raise BadValue(f"seat {seat} and hole cards {hole!r} belong together; name both or neither")
    own = () if hole is None else parse_hole(hole)
    deck = np.array([card for card in range(52) if card not in own], np.uint8)
    drawn = np.empty((n, 2 * players + 5 - len(own)), np.uint8)
    shuffle_out(rng, deck, drawn)
    board = np.ascontiguousarray(drawn[:, :5])
    holes = np.empty((n, players, 2), np.uint8)
    others = [p for p in range(players) if p != seat]
    holes[:, others] = drawn[:, 5:].reshape(n, len(others), 2)
    if seat is not None:
        holes[:, seat] = own
    rank = np.empty((n, players), np.uint16)
    rank_seats(holes, board, rank)
    return Hands(holes, board, rank)


@kernel
def _deal_after(rng, seat, hole, board):
    """The others' cards, the turn and the river; hole[n, seat] and the flop board[n, :3] are known."""
    for n in range(len(board)):
        used = np.uint64(0)
        for k in range(5 + 2 * hole.shape[1]):
            p, own = (k - 5) // 2, k >= 5
            known = p == seat if own else k < 3
            if known:
                card = hole[n, p, (k - 5) % 2] if own else board[n, k]
                used |= np.uint64(1) << np.uint64(card)
        for k in range(5 + 2 * hole.shape[1]):
            p, own = (k - 5) // 2, k >= 5
            if p == seat if own else k < 3:
                continue
            card = np.int64(rng.random() * 52)
            while used >> np.uint64(card) & np.uint64(1):
                card = np.int64(rng.random() * 52)
            used |= np.uint64(1) << np.uint64(card)
            if own:
                hole[n, p, (k - 5) % 2] = card
            else:
                board[n, k] = card


def deal_after_flops(
    rng: np.random.Generator, flops: np.ndarray, players: int, seat: int, hole: Cards
) -> Hands:
    """A deal on each of these flops uint8[n, 3], the hole cards of a seat known too; all else at random."""
    holes, board = np.empty((len(flops), players, 2), np.uint8), np.empty((len(flops), 5), np.uint8)
    holes[:, seat], board[:, :3] = parse_hole(hole), flops
    _deal_after(rng, seat, holes, board)
    rank = np.empty((len(flops), players), np.uint16)
    rank_seats(holes, board, rank)
    return Hands(holes, board, rank)


# ---- many groups at once -----------------------------------------------------------------------------------


@kernel
def _deal_groups(words, seats, own, hole, board):
    """Cards for every group: own[G, 2] to its seat, the rest into hole[G, n, P, 2] and board[G, n, 5]."""
    deck = np.empty(50, np.uint8)
    for g in range(len(seats)):
        size = 0
        for card in range(52):
            if card != own[g, 0] and card != own[g, 1]:
                deck[size] = card
                size += 1
        for n in range(board.shape[1]):
            for k in range(5 + 2 * (hole.shape[2] - 1)):
                j = k + np.int64(next_number(words[g]) * (size - k))
                deck[j], deck[k] = deck[k], deck[j]
            for k in range(5):
                board[g, n, k] = deck[k]
            at = 5
            for p in range(hole.shape[2]):
                for k in range(2):
                    hole[g, n, p, k] = own[g, k] if p == seats[g] else deck[at + k]
                at += 0 if p == seats[g] else 2


def deal_groups(words: np.ndarray, n: int, players: int, seats: np.ndarray, own: np.ndarray) -> Hands:
    """Deal `n` hands for each of G groups whose seat holds `own` cards uint8[G, 2]; G * n deals, in order.

    `words` uint64[G, 4] are the groups' generators, which move on.

    >>> from solverlab.core.generator_words import generator_words
    >>> words = generator_words([[7], [8]])
    >>> hands = deal_groups(words, 3, 2, np.array([1, 0]), np.array([[50, 49], [12, 3]], np.uint8))
    >>> alone = deal_hands(np.random.default_rng([8]), 3, players=2, seat=0, hole=(12, 3))
    >>> bool((hands.hole[3:] == alone.hole).all() and (hands.rank[3:] == alone.rank).all())
    True
    """
    groups = len(seats)
    hole, board = np.empty((groups, n, players, 2), np.uint8), np.empty((groups, n, 5), np.uint8)
    _deal_groups(words, seats, own, hole, board)
    holes, boards = hole.reshape(-1, players, 2), board.reshape(-1, 5)
    rank = np.empty((groups * n, players), np.uint16)
    rank_seats(holes, boards, rank)
    return Hands(holes, boards, rank)
