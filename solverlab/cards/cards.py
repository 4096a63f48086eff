"""Cards as people write them and as arrays hold them.

A card is the integer 4 * rank + suit: ranks 0..12 are 2..A, suits 0..3 are c d h s, so 2c is 0 and As is 51.
Two hole cards are one of 1,326 combos in colex order: combo(low, high) = high * (high - 1) / 2 + low.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import index

import numpy as np

from solverlab.core.errors import BadValue

RANKS = "23456789TJQKA"
SUITS = "cdhs"
STREETS = ("preflop", "flop", "turn", "river")
BOARD_SIZE = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}

Cards = str | Sequence[int] | np.ndarray

_ONE_CARD = re.compile(r"(10|[2-9TJQKAtjqka])([cdhsCDHS♣♦♥♠])")
_SYMBOLS = str.maketrans("♣♦♥♠", "cdhs")


def _combo_table() -> np.ndarray:
    """Every combo as (low card, high card), uint8[1326, 2]."""
    high, low = np.tril_indices(52, -1)
    return np.stack([low, high], axis=1).astype(np.uint8)


COMBOS = _combo_table()
COMBOS.flags.writeable = False


def combo(first: int, second: int) -> int:
    """The number of two hole cards among the 1,326 combos, whatever their order."""
    low, high = sorted((int(first), int(second)))
    return high * (high - 1) // 2 + low


def card_text(card: int) -> str:
    """One card as text.

    >>> card_text(51)
    'As'
    """
    return RANKS[int(card) >> 2] + SUITS[int(card) & 3]


def cards_text(cards: Iterable[int]) -> str:
    """Several cards as text, in the order given.

    >>> cards_text([51, 0])
    'As2c'
    """
    return "".join(card_text(card) for card in cards)


def parse_cards(cards: Cards) -> tuple[int, ...]:
    """Read cards such as `"AhKd"`, `"Td 9d 6h"` or `[50, 45]`; the same card twice is an error.

    >>> parse_cards("AhKd")
    (50, 45)
    """
    found = _read_text(cards) if isinstance(cards, str) else _read_integers(cards)
    if len(set(found)) < len(found):
        double = next(card for place, card in enumerate(found) if card in found[:place])
        raise BadValue(f"{card_text(double)} occurs twice in {_shown(cards)!r}; each card exists once")
    return found


def parse_hole(hole: Cards) -> tuple[int, int]:
    """Read two hole cards."""
    found = parse_cards(hole)
    if len(found) != 2:
        raise BadValue(f"{_shown(hole)!r} has {_count(found)}, but a hand is two cards such as 'AhKd'")
    return found[0], found[1]


def parse_board(board: Cards, sizes: Sequence[int] = (0, 3, 4, 5)) -> tuple[int, ...]:
    """Read a board of 0, 3, 4 or 5 cards."""
    found = parse_cards(board)
    if len(found) not in sizes:
        wanted = " or ".join(str(size) for size in sizes)
        raise BadValue(f"{_shown(board)!r} has {_count(found)}, but a board here has {wanted}")
    return found


def parse_deal(hole: Cards, board: Cards = "") -> tuple[tuple[int, int], tuple[int, ...]]:
    """Read a hand and a board that must not share a card.

    >>> parse_deal("AhKh", "Td9d6h")
    ((50, 46), (33, 29, 18))
    """
    own, public = parse_hole(hole), parse_board(board)
    shared = [card for card in own if card in public]
    if shared:
        raise BadValue(
            f"{card_text(shared[0])} is both in the hand {_shown(hole)!r} and on the board {_shown(board)!r}"
        )
    return own, public


def street_of(board: Sequence[int]) -> str:
    """The street a board of 0, 3, 4 or 5 cards belongs to."""
    return {size: street for street, size in BOARD_SIZE.items()}[len(board)]


def check_street(street: str) -> str:
    """Accept one of preflop, flop, turn, river."""
    if street not in BOARD_SIZE:
        raise BadValue(f"there is no street {street!r}; write preflop, flop, turn or river")
    return street


def _read_text(text: str) -> tuple[int, ...]:
    """Split text into cards; the error points at the first place that is none."""
    found, at = [], 0
    while at < len(text):
        if text[at] in " ,":
            at += 1
            continue
        match = _ONE_CARD.match(text, at)
        if match is None:
            raise BadValue(
                f"{text[at : at + 2]!r} at position {at + 1} of {text!r} is no card; write a rank of {RANKS} "
                f"and a suit of {SUITS}, such as 'Ah'"
            )
        rank = match[1].upper().replace("10", "T")
        found.append(4 * RANKS.index(rank) + SUITS.index(match[2].lower().translate(_SYMBOLS)))
        at = match.end()
    return tuple(found)


def _read_integers(cards: Sequence[int] | np.ndarray) -> tuple[int, ...]:
    """Accept integers 0..51 only."""
    values = cards.tolist() if isinstance(cards, np.ndarray) else list(cards)
    try:
        found = tuple(map(index, values))
    except TypeError:
        text = f"cards are text such as 'AhKd' or integers 0 to 51, but {cards!r} is neither"
        raise BadValue(text) from None
    for card in found:
        if not 0 <= card < 52:
            raise BadValue(f"{card} is no card; cards are the integers 0 (2c) to 51 (As)")
    return found


def _shown(cards: Cards) -> str:
    return cards if isinstance(cards, str) else cards_text(_read_integers(cards))


def _count(found: Sequence[int]) -> str:
    return "1 card" if len(found) == 1 else f"{len(found)} cards"
