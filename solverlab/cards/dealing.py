"""Deal hold'em hands in batches: hole cards for everybody, five board cards, and who holds how much.

Cards are drawn without replacement from one deck that stays shuffled between deals, so a deal costs one
random number a card. A seat may be given its hole cards; the others then share what is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import Cards, parse_hole
from solverlab.cards.evaluate_high import BIT, KEY, START, rank_of
from solverlab.core.errors import BadValue
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
