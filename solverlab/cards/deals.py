"""Deals that keep the order of the streets, numbered without gaps after Waugh (2013).

A deal has rounds such as (2, 3, 1): two hole cards, three of the flop, one turn card. It is the same deal
when suits are renamed, and when the cards of one round change places. Each suit holds a configuration (how
many of its cards came in each round) and a number (which ranks, given that configuration). Suits are sorted
by configuration; suits of equal configuration form a multiset of numbers; the index is the start of the four
configurations plus a mixed-radix number of those multisets.

K. Waugh, A Fast and Optimal Hand Isomorphism Algorithm, AAAI Workshop on Computer Poker, 2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import BOARD_SIZE, Cards, check_street, parse_cards
from solverlab.cards.isomorphism import check_deals
from solverlab.core.bisection import count_up_to
from solverlab.core.errors import BadValue
from solverlab.core.kernel import inner_kernel, kernel


def _rank_sets() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """SIZE[mask], colex NUMBER[mask] among the masks of its size, and MASK[size, number]."""
    masks = np.arange(8192)
    size = (masks[:, None] >> np.arange(13) & 1).sum(axis=1)
    number, mask = np.zeros(8192, np.int64), np.zeros((14, 1716), np.int64)
    for count in range(14):
        members = masks[size == count]
        number[members] = np.arange(len(members))
        mask[count, : len(members)] = members
    return size.astype(np.int64), number, mask


SIZE, NUMBER, MASK = _rank_sets()
_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(14)], np.int64)


class DealTables(NamedTuple):
    """The numbering of deals with given rounds (R of them; M codes a suit can have; F configurations).

    rounds int64[R]; base int64[R], weight of a round in the code of a suit; size int64[M], rank choices of a
    code; codes int64[F, 4], descending; lookup int32[M, M, M] by the first three codes; offset int64[F + 1].
    """

    rounds: np.ndarray
    base: np.ndarray
    size: np.ndarray
    codes: np.ndarray
    lookup: np.ndarray
    offset: np.ndarray


@inner_kernel
def multisets(n, k):
    """Multisets of k elements of n: C(n + k - 1, k), for k = 1 to 4; constant divisors are cheap."""
    if k == 1:
        return n
    if k == 2:
        return n * (n + 1) >> 1
    return n * (n + 1) * (n + 2) // 6 if k == 3 else n * (n + 1) * (n + 2) * (n + 3) // 24


def _choices(counts: tuple[int, ...]) -> int:
    """Ways to pick these numbers of ranks, round after round, from thirteen."""
    left, ways = 13, 1
    for count in counts:
        ways, left = ways * comb(left, count), left - count
    return ways


@cache
def deal_tables(rounds: tuple[int, ...]) -> DealTables:
    """The numbering of deals with these rounds; a few milliseconds."""
    base = np.cumprod([1] + [count + 1 for count in rounds[:-1]])[: len(rounds)]
    suits = sorted(product(*(range(count + 1) for count in rounds)), key=lambda c: int(np.dot(c, base)))
    size = np.array([_choices(counts) for counts in suits])
    codes = np.array(
        [
            four[::-1]
            for four in combinations_with_replacement(range(len(suits)), 4)
            if all(sum(suits[code][r] for code in four) == count for r, count in enumerate(rounds))
        ]
    )
    lookup = np.full((len(suits),) * 3, -1, np.int32)
    lookup[codes[:, 0], codes[:, 1], codes[:, 2]] = np.arange(len(codes))
    totals = [_configuration_size(four.tolist(), size) for four in codes]
    offset = np.concatenate([[0], np.cumsum(totals)]).astype(np.int64)
    return DealTables(np.array(rounds), base, size, codes, lookup, offset)


def _configuration_size(four: list[int], size: np.ndarray) -> int:
    """Deals of one configuration: a multiset for every group of equal suits."""
    total = 1
    for code in set(four):
        total *= comb(int(size[code]) + four.count(code) - 1, four.count(code))
    return total


@inner_kernel
def _suit_numbers(cards, rounds, base, scratch, code, number):
    """Configuration code[4] and number[4] of each suit of a deal cards[k], cards in order of the rounds."""
    used, fresh, stride = scratch[0], scratch[1], scratch[2]
    used[:], stride[:], code[:], number[:] = 0, 1, 0, 0
    at = 0
    for r in range(len(rounds)):
        fresh[:] = 0
        for k in range(at, at + rounds[r]):
            suit, rank = cards[k] & 3, cards[k] >> 2
            fresh[suit] |= 1 << (rank - SIZE[used[suit] & ((1 << rank) - 1)])
        for suit in range(4):
            count = SIZE[fresh[suit]]
            number[suit] += stride[suit] * NUMBER[fresh[suit]]
            stride[suit] *= _CHOOSE[13 - SIZE[used[suit]], count]
            code[suit] += count * base[r]
        for k in range(at, at + rounds[r]):
            used[cards[k] & 3] |= 1 << (cards[k] >> 2)
        at += rounds[r]


@inner_kernel
def _sort_suits(code, number):
    """Bring suits into descending order of code, then number, without a branch to mispredict."""
    a, b = (code[0] << 40) + number[0], (code[1] << 40) + number[1]
    c, d = (code[2] << 40) + number[2], (code[3] << 40) + number[3]
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    code[0], code[1], code[2], code[3] = a >> 40, b >> 40, c >> 40, d >> 40
    low = (1 << 40) - 1
    number[0], number[1], number[2], number[3] = a & low, b & low, c & low, d & low


@kernel
def _index_deals(deals, tables, index):
    """Numbers of deals[n, k] into index[n]."""
    rounds, base, size, lookup, offset = tables.rounds, tables.base, tables.size, tables.lookup, tables.offset
    scratch, code, number = np.zeros((3, 4), np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    for n in range(len(deals)):
        _suit_numbers(deals[n], rounds, base, scratch, code, number)
        _sort_suits(code, number)
        total, radix, suit = offset[lookup[code[0], code[1], code[2]]], 1, 0
        while suit < 4:
            k = 1
            while suit + k < 4 and code[suit + k] == code[suit]:
                k += 1
            for j in range(k):  # multisets in colex order, largest element first
                total += radix * multisets(number[suit + j], k - j)
            radix *= multisets(size[code[suit]], k)
            suit += k
        index[n] = total


@inner_kernel
def _largest(rest, k, limit):
    """Largest n below limit with multisets(n, k) <= rest."""
    low, high = 0, limit
    while high - low > 1:
        middle = (low + high) // 2
        if multisets(middle, k) <= rest:
            low = middle
        else:
            high = middle
    return low


@inner_kernel
def _place_suit(suit, code, number, tables, deal, filled):
    """Write the cards of one suit into its rounds of deal[k]; filled[R] counts cards of each round so far."""
    used = start = 0
    for r in range(len(tables.rounds)):
        count = code // tables.base[r] % (tables.rounds[r] + 1)
        ways = _CHOOSE[13 - SIZE[used], count]
        fresh, number = MASK[count, number % ways], number // ways
        place = added = 0
        for rank in range(13):
            if not used >> rank & 1:
                if fresh >> place & 1:
                    deal[start + filled[r]] = 4 * rank + suit
                    filled[r] += 1
                    added |= 1 << rank
                place += 1
        used |= added
        start += tables.rounds[r]


@kernel
def _unindex_deals(index, tables, deals):
    """Cards of the deals numbered index[n] into deals[n, k]."""
    filled = np.zeros(len(tables.rounds), np.int64)
    for n in range(len(index)):
        four = count_up_to(tables.offset, index[n]) - 1
        rest, suit = index[n] - tables.offset[four], 0
        filled[:] = 0
        while suit < 4:
            code = tables.codes[four, suit]
            k = 1
            while suit + k < 4 and tables.codes[four, suit + k] == code:
                k += 1
            ways = multisets(tables.size[code], k)
            inside, rest = rest % ways, rest // ways
            for j in range(k):
                number = _largest(inside, k - j, tables.size[code])
                inside -= multisets(number, k - j)
                _place_suit(suit + j, code, number, tables, deals[n], filled)
            suit += k


def _check_rounds(rounds: Sequence[int]) -> tuple[int, ...]:
    """Accept up to four rounds of 1 to 5 cards, 7 cards in all."""
    found = tuple(int(count) for count in rounds)
    if not 1 <= len(found) <= 4 or not all(1 <= count <= 5 for count in found) or sum(found) > 7:
        raise BadValue(
            f"rounds are one to four numbers of cards such as (2, 3, 1), at most 7, not {rounds!r}"
        )
    return found


def deal_index(rounds: Sequence[int], cards: Cards) -> int | np.ndarray:
    """The number of a deal that keeps its rounds, the same for every naming of the suits.

    Cards come in the order of the rounds: text or integers [k] for one deal, integers [n, k] for a batch.

    >>> deal_index((2, 3, 1), "AhKh Td9d6h 2c") == deal_index((2, 3, 1), "AcKc 9s6cTs 2d")
    True
    """
    tables = deal_tables(_check_rounds(rounds))
    one = isinstance(cards, str) or np.ndim(cards) == 1
    deals = np.array([parse_cards(cards)]) if one else np.asarray(cards)
    if deals.ndim != 2 or deals.shape[1] != sum(rounds):
        raise BadValue(f"rounds {tuple(rounds)} need {sum(rounds)} cards, but there are {deals.shape[-1]}")
    index = np.empty(len(deals), np.int64)
    _index_deals(check_deals(deals).astype(np.int64), tables, index)
    return int(index[0]) if one else index


def deal_cards(rounds: Sequence[int], index: int | np.ndarray) -> np.ndarray:
    """The cards of deals by number: uint8[k] for one, uint8[n, k] for a batch.

    The inverse of `deal_index`.
    """
    tables = deal_tables(_check_rounds(rounds))
    wanted = np.atleast_1d(np.asarray(index, np.int64))
    if wanted.size and (wanted.min() < 0 or wanted.max() >= tables.offset[-1]):
        raise BadValue(f"rounds {tuple(rounds)} have deals 0 to {tables.offset[-1] - 1:,}; this is outside")
    deals = np.empty((len(wanted), sum(rounds)), np.uint8)
    _unindex_deals(wanted, tables, deals)
    return deals[0] if np.ndim(index) == 0 else deals


def canonical_count(deal: str | Sequence[int]) -> int:
    """How many different hands a street has, or deals that keep their rounds, up to the names of the suits.

    Counted by Burnside's lemma: the mean, over the 24 renamings, of the deals a renaming leaves as they are.

    >>> canonical_count("flop"), canonical_count((2, 3, 1)), canonical_count((2, 3, 1, 1))
    (1286792, 55190538, 2428287420)
    """
    if isinstance(deal, str):
        size = BOARD_SIZE[check_street(deal)]
        return canonical_count((2, size) if size else (2,))
    rounds = _check_rounds(deal)
    fixed = sum(_fixed_deals(rounds, _cycles(suits)) for suits in permutations(range(4)))
    return fixed // factorial(4)


def _cycles(suits: tuple[int, ...]) -> list[int]:
    """Cycle lengths of a renaming."""
    lengths, left = [], set(range(4))
    while left:
        start = suit = left.pop()
        length = 1
        while suits[suit] != start:
            suit = suits[suit]
            left.discard(suit)
            length += 1
        lengths.append(length)
    return lengths


def _fixed_deals(rounds: tuple[int, ...], cycles: list[int]) -> int:
    """Deals that a renaming with these cycles leaves alone: each cycle of cards goes whole to a round."""
    ways = {(0,) * len(rounds): 1}
    for length in cycles * 13:
        grown = dict(ways)
        for counts, number in ways.items():
            for r in range(len(rounds)):
                if counts[r] + length <= rounds[r]:
                    more = (*counts[:r], counts[r] + length, *counts[r + 1 :])
                    grown[more] = grown.get(more, 0) + number
        ways = grown
    return ways.get(rounds, 0)
