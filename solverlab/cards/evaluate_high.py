"""Which poker hand is better: five, six or seven cards of an ordinary deck.

Every hand belongs to one of 7,462 classes, 1 (7-5-4-3-2 unsuited) to 7,462 (royal flush); the larger wins.

The lookup is a perfect hash without a search. Ranks are counted in base 5, the six low ranks and the seven
high ranks apart; `HIGH[h] + LOW[l]` is the place of the two halves in one table of all multisets of 5, 6 and
7 ranks (6,175 + 18,395 + 49,205 entries), as halves are numbered by size. Card keys are additive: low half in
bits 0-13, high half in bits 14-30, four suit counters in bits 32-47 that start at 3, so that a flush sets the
top bit of one of them.

The tables are frozen into compiled code; numba does not notice when only a table changes, so they are made in
this file and nowhere else.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from solverlab.cards.cards import Cards, parse_cards
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel

CATEGORIES = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush",
)  # fmt: skip
CLASSES = 7462
START = np.uint64(0x3333 << 32)
FLUSH_BITS = np.uint64(0x8888 << 32)
ONE = np.uint64(1)
WRONG = np.uint64(60)
BLOCK = 512


def halves(size: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Every way to hold at most 4 of each of `size` ranks and `most` in all: base-5 keys, counts[n, size].

    Ordered by number of cards, then by key.
    """
    keys = np.arange(5**size)
    counts = keys[:, None] // 5 ** np.arange(size) % 5
    total = counts.sum(axis=1)
    order = np.lexsort((keys, total))
    order = order[total[order] <= most]
    return keys[order], counts[order]


def run_top(present: np.ndarray, wheel: bool) -> np.ndarray:
    """Top rank of the best five in a row, -1 if none; with `wheel`, A-2-3-4-5 counts (top 3)."""
    top = np.full(len(present), -1)
    if wheel:
        top[present[:, [12, 0, 1, 2, 3]].all(axis=1)] = 3
    for high in range(4, 13):
        top[present[:, high - 4 : high + 1].all(axis=1)] = high
    return top


def strength(counts: np.ndarray, wheel: bool = True) -> np.ndarray:
    """A number that orders rank multisets [n, 13] as poker does: category, then up to five deciding ranks."""
    groups = np.sort(np.where(counts > 0, counts * 16 + np.arange(13), 0), axis=1)[:, ::-1]
    first, second = groups[:, 0] // 16, groups[:, 1] // 16
    top = run_top(counts > 0, wheel)
    house, two_pair = (first == 3) & (second >= 2), (first == 2) & (second == 2)
    tests = [first == 4, house, top >= 0, first == 3, two_pair, first == 2]
    category = np.select(tests, [7, 6, 4, 3, 2, 1], 0)
    from_groups = np.array([0, 1, 2, 1, 1, 0, 2, 1])[category]
    deciding = np.array([5, 4, 3, 3, 1, 5, 2, 2])[category]
    value, left, rows = category.copy(), counts.copy(), np.arange(len(counts))
    for place in range(5):
        group = np.where(category == 4, top, groups[:, place] % 16)
        # A third pair or a second trips is a mere kicker: only what was used is struck out.
        kicker = 12 - np.argmax((left > 0)[:, ::-1], axis=1)
        rank = np.where(place < from_groups, group, kicker)
        value = value * 13 + np.where(place < deciding, rank, 0)
        left[rows, rank] = 0
    return value


def flush_strength(wheel: bool = True) -> np.ndarray:
    """Strength of the cards of one suit by their 13-bit rank mask; 0 where there are fewer than five."""
    masks = np.arange(8192)
    left = (masks[:, None] >> np.arange(13) & 1).astype(np.int64)
    enough, top = left.sum(axis=1) >= 5, run_top(left > 0, wheel)
    value = np.where(top >= 0, 8, 5)
    for place in range(5):
        high = 12 - np.argmax(left[:, ::-1], axis=1)
        value = value * 13 + np.where(top >= 0, top if place == 0 else 0, high)
        left[masks, high] = 0
    return np.where(enough, value, 0)


def make_tables(sizes: tuple[int, ...] = (5, 6, 7), wheel: bool = True) -> tuple[np.ndarray, ...]:
    """LOW, HIGH, RANK and FLUSH lookups for hands of these sizes, and the strength of every class."""
    low_key, low = halves(6, sizes[-1])
    high_key, high = halves(7, sizes[-1])
    low_start = np.searchsorted(low.sum(axis=1), np.arange(sizes[-1] + 2))
    low_place, high_place = np.zeros(5**6, np.uint16), np.zeros(5**7, np.int32)
    low_place[low_key] = np.arange(len(low))
    pieces, at = [], 0
    for key, counts, size in zip(high_key, high, high.sum(axis=1), strict=True):
        begin, end = low_start[max(sizes[0] - size, 0)], low_start[sizes[-1] + 1 - size]
        high_place[key] = at - begin
        pieces.append(np.column_stack([low[begin:end], np.broadcast_to(counts, (end - begin, 7))]))
        at += end - begin
    multisets = np.concatenate(pieces)
    plain, flush = strength(multisets, wheel), flush_strength(wheel)
    # Every class occurs with five cards; a hand of seven is as good as its best five.
    known = np.unique(np.concatenate([plain[multisets.sum(axis=1) == 5], flush[flush > 0]]))
    rank = (np.searchsorted(known, plain) + 1).astype(np.uint16)
    suited = np.where(flush > 0, np.searchsorted(known, flush) + 1, 0).astype(np.uint16)
    return *_padded(low_place, high_place, rank), suited, known


def _padded(low: np.ndarray, high: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same tables with room for every key of 31 bits, so that impossible hands may be looked up unharmed.

    Batches look up first and learn afterwards that a card came twice; nothing is returned for such a batch.
    """
    front = -int(high.min())
    wide_low, wide_high = np.zeros(1 << 14, np.uint16), np.zeros(1 << 17, np.uint32)
    wide_low[: len(low)], wide_high[: len(high)] = low, high + front
    room = np.zeros(int(wide_high.max()) + int(low.max()) + 1, np.uint16)
    room[front : front + len(rank)] = rank
    return wide_low, wide_high, room


def _card_keys() -> tuple[np.ndarray, np.ndarray]:
    """The additive key of each card, and its bit in four 16-bit suit masks; uint64[256].

    From 52 on keys only say that this is no card: seven of them still fit above bit 60.
    """
    rank, suit = np.arange(52) // 4, np.arange(52) % 4
    half = np.where(rank < 6, 5 ** np.minimum(rank, 5), (5 ** np.maximum(rank - 6, 0)) << 14)
    key, bit = np.full(256, ONE << WRONG), np.zeros(256, np.uint64)
    key[:52] = half.astype(np.uint64) | np.uint64(1) << (32 + 4 * suit).astype(np.uint64)
    bit[:52] = np.uint64(1) << (16 * suit + rank).astype(np.uint64)
    return key, bit


LOW, HIGH, RANK, FLUSH, _STRENGTH = make_tables()
KEY, BIT = _card_keys()
# Python's own whole numbers, for one hand at a time.
_START_WHOLE, _KEY_WHOLE, _BIT_WHOLE = int(START), KEY.tolist(), BIT.tolist()
_CATEGORY = np.concatenate([[0], _STRENGTH // 13**5]).astype(np.uint8)


@inner_kernel
def plain_rank(key):
    """Class of a hand by its ranks alone; key is START plus the keys of its 5, 6 or 7 cards."""
    # Unsigned indices: no test for counting from the end.
    high = np.uint64(HIGH[(key >> np.uint64(14)) & np.uint64(0x1FFFF)])
    return RANK[high + np.uint64(LOW[key & np.uint64(0x3FFF)])]


@inner_kernel
def flush_rank(key, bits):
    """Class of a hand that holds a flush; bits is the sum of the BIT of its cards."""
    suit = 0
    while not key >> np.uint64(35 + 4 * suit) & np.uint64(1):
        suit += 1
    return FLUSH[bits >> np.uint64(16 * suit) & np.uint64(0x1FFF)]


@kernel
def rank_of(key, bits):
    """Class of a hand of 5 to 7 cards from START plus its keys, and the sum of its bits."""
    return flush_rank(key, bits) if key & FLUSH_BITS else plain_rank(key)


@kernel
def rank5(a, b, c, d, e):
    """Class of five cards."""
    key = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e]
    return rank_of(key, BIT[a] | BIT[b] | BIT[c] | BIT[d] | BIT[e])


@inner_kernel
def rank7(a, b, c, d, e, f, g):
    """Class of the best five of seven cards."""
    key = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e] + KEY[f] + KEY[g]
    return rank_of(key, BIT[a] | BIT[b] | BIT[c] | BIT[d] | BIT[e] | BIT[f] | BIT[g])


@inner_kernel
def count_bits(word):
    """How many bits are set; compilers know this form and use one instruction."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@inner_kernel
def power(card):
    """Two to the power of the card."""
    return ONE << (np.uint64(card) & np.uint64(63))


@inner_kernel
def _keys7(cards, keys):
    """Keys of hands cards[n, 7] into keys[n]; returns 0 if each of them has seven different cards below 52.

    A sum of seven different powers of two has seven bits, with a double it has fewer. Unrolled by hand, here
    and below: a loop over the cards of a hand takes nearly twice the time.
    """
    wrong = np.uint64(0)
    for n in range(len(cards)):
        a, b, c, d = cards[n, 0], cards[n, 1], cards[n, 2], cards[n, 3]
        e, f, g = cards[n, 4], cards[n, 5], cards[n, 6]
        keys[n] = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e] + KEY[f] + KEY[g]
        powers = power(a) + power(b) + power(c) + power(d) + power(e) + power(f) + power(g)
        wrong |= count_bits(powers) ^ np.uint64(7) | keys[n] >> WRONG
    return wrong


@inner_kernel
def _keys6(cards, keys):
    """The same for hands of six cards."""
    wrong = np.uint64(0)
    for n in range(len(cards)):
        a, b, c, d, e, f = cards[n, 0], cards[n, 1], cards[n, 2], cards[n, 3], cards[n, 4], cards[n, 5]
        keys[n] = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e] + KEY[f]
        powers = power(a) + power(b) + power(c) + power(d) + power(e) + power(f)
        wrong |= count_bits(powers) ^ np.uint64(6) | keys[n] >> WRONG
    return wrong


@inner_kernel
def _keys5(cards, keys):
    """The same for hands of five cards."""
    wrong = np.uint64(0)
    for n in range(len(cards)):
        a, b, c, d, e = cards[n, 0], cards[n, 1], cards[n, 2], cards[n, 3], cards[n, 4]
        keys[n] = START + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e]
        powers = power(a) + power(b) + power(c) + power(d) + power(e)
        wrong |= count_bits(powers) ^ np.uint64(5) | keys[n] >> WRONG
    return wrong


@inner_kernel
def _rank_block(cards, keys, flushes, ranks):
    """Classes of hands cards[n, k] with these keys into ranks[n]; flushes[n + 1] is scratch.

    In short loops without branches, which a processor overlaps: every hand as if flushes did not exist, then
    a list of those that hold one, then these again.
    """
    found = 0
    for n in range(len(cards)):
        ranks[n] = plain_rank(keys[n])
    for n in range(len(cards)):
        flushes[found] = n
        found += (keys[n] & FLUSH_BITS) != np.uint64(0)
    for j in range(found):
        bits = np.uint64(0)
        for card in cards[flushes[j]]:
            bits |= BIT[card]
        ranks[flushes[j]] = flush_rank(keys[flushes[j]], bits)


@kernel
def _rank_rows(cards, keys, flushes, ranks):
    """Classes of hands cards[n, 5 to 7] into ranks[n]; returns the first block with a double card, or -1.

    Blocks are slices because an index known to start at 0 needs no test for counting from the end.
    """
    for begin in range(0, len(cards), BLOCK):
        block = cards[begin : begin + BLOCK]
        if block.shape[1] == 7:
            wrong = _keys7(block, keys)
        else:
            wrong = _keys6(block, keys) if block.shape[1] == 6 else _keys5(block, keys)
        if wrong:
            return begin
        _rank_block(block, keys, flushes, ranks[begin : begin + BLOCK])
    return -1


def as_hands(cards: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Accept integers [n, k] and return them as uint8, with 255 for what is no card."""
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.shape[1] not in sizes or hands.dtype.kind not in "iu":
        wanted = " or ".join(str(size) for size in sizes)
        raise BadValue(f"hands are integers [n, {wanted}], but this is {hands.dtype} {list(hands.shape)}")
    if hands.dtype != np.uint8:
        hands = np.where((hands < 0) | (hands > 51), 255, hands)
    return np.ascontiguousarray(hands, np.uint8)


def no_hand(cards: np.ndarray, begin: int) -> BadValue:
    """What to say of the first row from `begin` on that is no hand."""
    ordered = np.sort(np.asarray(cards[begin:]), axis=1)
    wrong = (np.diff(ordered, axis=1) == 0).any(axis=1) | (ordered[:, -1] > 51) | (ordered[:, 0] < 0)
    row = begin + int(np.argmax(wrong))
    return BadValue(
        f"row {row} is no hand: {np.asarray(cards[row]).tolist()} are not different integers 0 to 51"
    )


def rank_batch(cards: np.ndarray) -> np.ndarray:
    """Classes of a batch of hands; the error names the first row that is no hand."""
    hands = as_hands(cards, (5, 6, 7))
    ranks, keys = np.empty(len(hands), np.uint16), np.empty(BLOCK, np.uint64)
    bad = _rank_rows(hands, keys, np.empty(BLOCK + 1, np.int64), ranks)
    if bad >= 0:
        raise no_hand(cards, bad)
    return ranks


def evaluate(cards: Cards) -> int | np.ndarray:
    """How good a hand of five to seven cards is: 1 (worst) to 7,462 (royal flush), the larger wins.

    `cards` is text, one hand of integers [k], or a batch of integers [n, k], which returns uint16[n].

    >>> evaluate("AhKhQhJhTh"), evaluate("7c5d4h3s2c"), evaluate("AhAdKhKdQc9s2d") > evaluate("AsAc KsQh Jd")
    (7462, 1, True)
    """
    if not isinstance(cards, str) and np.ndim(cards) == 2:
        return rank_batch(np.asarray(cards))
    hand = parse_cards(cards)
    if len(hand) not in (5, 6, 7):
        raise BadValue(f"a hand to evaluate has 5, 6 or 7 cards, but {cards!r} has {len(hand)}")
    key = _START_WHOLE + sum(_KEY_WHOLE[card] for card in hand)
    return int(rank_of(np.uint64(key), np.uint64(sum(_BIT_WHOLE[card] for card in hand))))


def category(rank: int | np.ndarray) -> str | np.ndarray:
    """The name of a class such as 'full house'; for an array, the numbers 0..8 of `CATEGORIES`.

    >>> category(evaluate("AhAdKhKdKc"))
    'full house'
    """
    if np.ndim(rank) == 0:
        return CATEGORIES[_CATEGORY[int(rank)]]
    return _CATEGORY[rank]


def best_five(cards: Cards) -> tuple[int, ...]:
    """The five cards that make the hand.

    >>> best_five("AhAdKhKdQc9s2d") == parse_cards("AhAdKhKdQc")
    True
    """
    hand = sorted(parse_cards(cards), reverse=True)
    return max(combinations(hand, 5), key=lambda five: rank5(*five))
