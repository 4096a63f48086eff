"""One number for every hand that is the same up to the names of the suits.

`canonical_index(hole, board)` numbers the 169 preflop, 1,286,792 flop, 13,960,050 turn and 123,156,254 river
hands without gaps, board by board: all hands of a canonical board are neighbours, so a table of a street can
be cut by board. (The order in which board cards came is forgotten; `deals` keeps it.)

Within a board, hands are numbered by closed form. Suits whose masks are equal form a group. A card is its
group and its rank among the ranks of its suit that are not on the board, and two cards are one of three
kinds: same suit (choose 2 of f free ranks), two suits of one group (multiset of 2), two groups (f x f). Where
each kind starts depends only on the pattern of the board: its stabiliser and the number of cards of each
suit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import BOARD_SIZE, Cards, cards_text, check_street, parse_deal
from solverlab.cards.isomorphism import CHOOSE, PERMS, BoardTable, board_table, check_deals, suit_masks
from solverlab.core.bisection import count_up_to
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

SUITED, ONE_GROUP, TWO_GROUPS = 0, 1, 2


class Patterns(NamedTuple):
    """How the hands of a board are numbered, by pattern (Q of them).

    start int32[Q, 4, 4], first number of a pair of canonical suits, in any order; kind uint8[Q, 4, 4];
    free int32[Q, 4], ranks of a suit that are not on the board; first uint8[Q, 14, 2], suits that represent
    each kind in numbering order; kinds uint8[Q], how many there are; group uint8[Q, 4], suits in the group of
    a suit; total int32[Q], hands in all.
    """

    start: np.ndarray
    kind: np.ndarray
    free: np.ndarray
    first: np.ndarray
    kinds: np.ndarray
    group: np.ndarray
    total: np.ndarray


def _pattern(code: int, sizes: tuple[int, ...]) -> tuple:
    """One row of `Patterns` for a stabiliser code and the number of board cards of each suit."""
    name = np.cumsum([0] + [not code >> bit & 1 for bit in range(3)])
    free = 13 - np.array(sizes)
    start, kind = np.zeros((4, 4), np.int32), np.zeros((4, 4), np.uint8)
    first, total, seen = [], 0, {}
    for s in range(4):
        for t in range(s, 4):
            what = SUITED if s == t else ONE_GROUP if name[s] == name[t] else TWO_GROUPS
            key = (what, name[s], name[t])
            if key not in seen:
                seen[key] = total
                first.append((s, t))
                f, g = int(free[s]), int(free[t])
                total += (f * (f - 1) // 2, f * (f + 1) // 2, f * g)[what]
            start[s, t] = start[t, s] = seen[key]
            kind[s, t] = kind[t, s] = what
    padded = first + [(0, 0)] * (14 - len(first))
    return start, kind, free, padded, len(first), np.bincount(name)[name], total


def _all_patterns() -> tuple[dict[tuple[int, int], int], Patterns]:
    """Every pattern of boards of 0 to 5 cards, numbered; the key is (code, sizes in base 6)."""
    number: dict[tuple[int, int], int] = {}
    rows: list[tuple] = []
    for code in range(8):
        for packed in range(6**4):
            sizes = tuple(packed // 6**suit % 6 for suit in range(4))
            equal = all(sizes[bit] == sizes[bit + 1] for bit in range(3) if code >> bit & 1)
            if equal and sum(sizes) <= 5:
                number[code, packed] = len(rows)
                rows.append(_pattern(code, sizes))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    types = (np.int32, np.uint8, np.int32, np.uint8, np.uint8, np.uint8, np.int32)
    return number, Patterns(*(column.astype(kind) for column, kind in zip(columns, types, strict=True)))


_NUMBER, PATTERNS = _all_patterns()
# Names of their own, because compiled code freezes global arrays, not fields of a global tuple.
_START, _KIND, _FREE, _FIRST, _KINDS = PATTERNS[:5]


class HandTable(NamedTuple):
    """The canonical hands of a street: boards (B), pattern uint16[B], offset int64[B + 1] of the first hand.

    packed uint32[C(52, n)] joins canonical board and renaming in one word: 32 * board + perm.
    """

    boards: BoardTable
    pattern: np.ndarray
    offset: np.ndarray
    packed: np.ndarray


@cache
def hand_table(street: str) -> HandTable:
    """How the hands of a street are numbered; built once."""
    table = board_table(BOARD_SIZE[check_street(street)])
    suits = table.boards & 3
    sizes = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1) @ 6 ** np.arange(4)
    lookup = np.zeros((8, 6**4), np.uint16)
    for (code, packed), number in _NUMBER.items():
        lookup[code, packed] = number
    pattern = lookup[table.stabiliser, sizes]
    offset = np.concatenate([[0], np.cumsum(PATTERNS.total[pattern], dtype=np.int64)])
    return HandTable(table, pattern, offset, table.number.astype(np.uint32) * 32 + table.perm)


@inner_kernel
def sorted_colex(a, b, c, d, e):
    """Colex number of up to five cards in any order; 52 stands for no card."""
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return CHOOSE[a, 1] + CHOOSE[b, 2] + CHOOSE[c, 3] + CHOOSE[d, 4] + CHOOSE[e, 5]


@inner_kernel
def hand_in_board(pattern, s, r, t, q):
    """Number of a hand on its board from the canonical suits s, t and free ranks r, q of its two cards."""
    kind = _KIND[pattern, s, t]
    low, high = min(r, q), max(r, q)
    if kind == SUITED:
        inside = high * (high - 1) // 2 + low
    elif kind == ONE_GROUP:
        inside = high * (high + 1) // 2 + low
    elif s < t:
        inside = r * _FREE[pattern, t] + q
    else:
        inside = q * _FREE[pattern, s] + r
    return _START[pattern, s, t] + inside


@kernel
def _board_words(board, packed, word):
    """Canonical board and renaming of board[n, 5], padded with 52, into word[n].

    Numbers first, then lookups in a loop of their own: the reads of a table that fits no cache overlap.
    """
    for n in range(len(board)):
        word[n] = sorted_colex(board[n, 0], board[n, 1], board[n, 2], board[n, 3], board[n, 4])
    for n in range(len(board)):
        word[n] = packed[word[n]]


@kernel
def _index_rows(hole, board, word, pattern, offset, index):
    """Numbers of hands hole[n, 2] on board[n, 5] with these words into index[n]."""
    for n in range(len(hole)):
        b, perm = word[n] >> np.uint32(5), word[n] & np.uint32(31)
        first, second = np.int64(hole[n, 0]), np.int64(hole[n, 1])
        r, q = first >> 2, second >> 2
        for k in range(5):
            card = np.int64(board[n, k])
            r -= (card & 3 == first & 3) & (card < first)
            q -= (card & 3 == second & 3) & (card < second)
        s, t = np.int64(PERMS[perm, first & 3]), np.int64(PERMS[perm, second & 3])
        index[n] = offset[b] + hand_in_board(pattern[b], s, r, t, q)


@inner_kernel
def free_rank(mask, place):
    """The rank that is number `place` among those not in the mask."""
    rank = 0
    while True:
        if not mask >> rank & 1:
            if place == 0:
                return rank
            place -= 1
        rank += 1


@inner_kernel
def root(number, grow):
    """Largest high with high * (high - 1 + 2 * grow) / 2 <= number; grow is 0 for sets, 1 for multisets."""
    high = np.int64((2.0 * number) ** 0.5) + 2
    while high * (high - 1 + 2 * grow) // 2 > number:
        high -= 1
    return high


@inner_kernel
def hand_on_board(masks, pattern, inside, hole):
    """The two cards of hand number `inside` on a canonical board with these suit masks, into hole[2]."""
    k = _KINDS[pattern] - 1
    while _START[pattern, _FIRST[pattern, k, 0], _FIRST[pattern, k, 1]] > inside:
        k -= 1
    s, t = np.int64(_FIRST[pattern, k, 0]), np.int64(_FIRST[pattern, k, 1])
    inside -= _START[pattern, s, t]
    kind = _KIND[pattern, s, t]
    if kind == TWO_GROUPS:
        r, q = inside // _FREE[pattern, t], inside % _FREE[pattern, t]
    else:
        r = root(inside, kind)
        q = inside - r * (r - 1 + 2 * kind) // 2
    hole[0] = 4 * free_rank(masks[s], r) + s
    hole[1] = 4 * free_rank(masks[t], q) + t


@kernel
def _unindex_rows(index, boards, pattern, offset, hole, board):
    """Cards of the hands numbered index[n] into hole[n, 2] and board[n, k]."""
    masks = np.zeros(4, np.int64)
    for n in range(len(index)):
        b = count_up_to(offset, index[n]) - 1
        suit_masks(boards[b], masks)
        hand_on_board(masks, pattern[b], index[n] - offset[b], hole[n])
        for k in range(boards.shape[1]):  # assigning the row would compile numba's sentence about shapes
            board[n, k] = boards[b, k]


def index_hands(hole: np.ndarray, board: np.ndarray) -> np.ndarray:
    """Canonical numbers of a batch of hands uint8[n, 2] on boards uint8[n, k], unchecked; int64[n]."""
    size = board.shape[1]
    table = hand_table({0: "preflop", 3: "flop", 4: "turn", 5: "river"}[size])
    padded = np.full((len(hole), 5), 52, np.uint8)
    padded[:, :size] = board
    word, index = np.empty(len(hole), np.uint32), np.empty(len(hole), np.int64)
    _board_words(padded, table.packed, word)
    _index_rows(hole, padded, word, table.pattern, table.offset, index)
    return index


def unindex_hands(street: str, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cards of canonical hands: hole uint8[n, 2] and board uint8[n, k]."""
    table = hand_table(street)
    wanted = np.atleast_1d(np.asarray(index, np.int64))
    if wanted.size and (wanted.min() < 0 or wanted.max() >= table.offset[-1]):
        raise BadValue(
            f"the {street} has hands 0 to {table.offset[-1] - 1:,}, but {wanted.max()} was asked for"
        )
    hole = np.empty((len(wanted), 2), np.uint8)
    board = np.empty((len(wanted), BOARD_SIZE[street]), np.uint8)
    _unindex_rows(wanted, table.boards.boards, table.pattern, table.offset, hole, board)
    return hole, board


def _check_batch(hole: np.ndarray, board: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accept integer hands [n, 2] and boards [n, 0, 3, 4 or 5]."""
    if hole.ndim != 2 or hole.shape[1] != 2 or board.ndim != 2 or board.shape[1] not in (0, 3, 4, 5):
        shapes = f"{list(hole.shape)} and {list(board.shape)}"
        raise BadValue(f"a batch is hands [n, 2] and boards [n, 0, 3, 4 or 5], but these are {shapes}")
    if len(hole) != len(board):
        raise BadValue(f"there are {len(hole)} hands but {len(board)} boards")
    deals = check_deals(np.concatenate([hole, board], axis=1))
    return deals[:, :2], deals[:, 2:]


def canonical_index(hole: Cards, board: Cards = "") -> int | np.ndarray:
    """The number of a hand among all hands of its street, the same for every naming of the suits.

    Text or integers for one hand; integer arrays [n, 2] and [n, 0, 3, 4 or 5] for a batch (int64[n]).

    >>> canonical_index("AhKd", "Td9d6h") == canonical_index("KsAc", "9sTs6c")
    True
    >>> canonical_index("AhKh") == canonical_index("AcKc"), canonical_index("AhKh") == canonical_index("AhKc")
    (True, False)
    """
    if not isinstance(hole, str) and np.ndim(hole) == 2:
        hands = np.asarray(hole)
        boards = np.empty((len(hands), 0), np.uint8) if isinstance(board, str) else np.asarray(board)
        return index_hands(*_check_batch(hands, boards))
    own, public = parse_deal(hole, board)
    index = index_hands(np.array([own], np.uint8), np.array(public, np.uint8).reshape(1, -1))
    return int(index[0])


def canonical_hand(street: str, index: int) -> tuple[str, str]:
    """Hole cards and board of a canonical hand, as text; suits are named the canonical way.

    >>> canonical_hand("preflop", canonical_index("KhAh"))
    ('AcKc', '')
    """
    hole, board = unindex_hands(street, np.array([index]))
    return cards_text(sorted(hole[0], reverse=True)), cards_text(sorted(board[0], reverse=True))
