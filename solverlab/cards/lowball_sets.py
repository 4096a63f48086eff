"""Every hand of a draw game and every set of cards one may keep of it, numbered; the ground of exact draws.

A set is what is left of a hand when some cards are thrown away: all sets of 0 to n cards, equal up to the
names of the suits (real deck) or up to suits altogether (ranks only). The reason for the numbering: the sum
of anything over all hands that contain a set U is one number S(U), and what a player gets who keeps K of the
hand h is an alternating sum of S over the sets between K and h, because the cards drawn must avoid h.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.cards.cards import RANKS
from solverlab.cards.evaluate_lowball import evaluate_lowball
from solverlab.cards.isomorphism import CHOOSE, PERMS, board_table, colex, next_cards
from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel


class HandSets(NamedTuple):
    """Hands (H classes) of n cards and the U sets of 0 to n cards; hands are the sets of n cards.

    `start[k]` is the number of the first set of k cards, so hand h is set `start[n] + h`. `subset[h, kept]`
    is the set a hand leaves when the cards of the bit mask `kept` stay. `wider[u]` are the sets with one more
    card, each `ways[u]` times (0 pads). `number` and `renaming` find the class of any n cards by their colex
    number; -1 marks cards outside the deck.
    """

    hands: np.ndarray  # uint8[H, n], a hand of the class, cards ascending
    weight: np.ndarray  # float64[H], its share of all deals
    strength: np.ndarray  # int32[H], place among the showdown classes, the larger wins
    start: np.ndarray  # int64[n + 2]
    subset: np.ndarray  # int32[H, 2**n]
    wider: np.ndarray  # int32[sets below n cards, X]
    ways: np.ndarray  # float64[sets below n cards, X]
    number: np.ndarray  # int32[C(52, n)]
    renaming: np.ndarray  # uint8[C(52, n)], a row of PERMS
    deck: np.ndarray  # uint8[N], the cards of the deck
    copies: np.ndarray  # float64[13], cards of each rank in the deck

    @property
    def cards(self) -> int:
        """Cards in a hand."""
        return self.hands.shape[1]


def check_ranks(ranks: int | str) -> tuple[int, ...]:
    """Ranks of a deck: a number n means the n lowest, a text such as "23456789JQKA" exactly those.

    >>> check_ranks(4), check_ranks("27A")
    ((0, 1, 2, 3), (0, 5, 12))
    """
    if isinstance(ranks, str):
        found = tuple(sorted({RANKS.find(letter) for letter in ranks.upper()}))
        if not found or found[0] < 0 or len(found) < len(ranks):
            raise BadValue(f"{ranks!r} is no list of different ranks; write letters of {RANKS}")
        return found
    if isinstance(ranks, bool) or ranks not in range(1, 14):
        raise BadValue(f"a deck of {ranks!r} ranks does not exist; give 1 to 13, or letters of {RANKS}")
    return tuple(range(int(ranks)))


def lowball_sets(cards: int = 5, ranks: int | str = 13, per_rank: int = 4, suits: bool = True) -> HandSets:
    """Hands and kept sets of a deck; with `suits` flushes and straights count, which takes five cards.

    >>> len(lowball_sets(2, suits=False).hands), len(lowball_sets(5, suits=False).hands)
    (91, 6175)
    """
    if isinstance(cards, bool) or cards not in range(1, 6):
        raise BadValue(f"a hand of {cards!r} cards is not dealt here; give 1 to 5")
    if isinstance(per_rank, bool) or per_rank not in range(1, 5):
        raise BadValue(f"{per_rank!r} cards of a rank do not exist; give 1 to 4")
    if suits and cards != 5:
        raise BadValue(f"suits count in hands of five cards, not of {cards}; leave them out with suits=False")
    present = check_ranks(ranks)
    if len(present) * per_rank < 4 * cards:
        raise BadValue(
            f"two hands of {cards} and both draws need {4 * cards} cards, but {len(present)} ranks with "
            f"{per_rank} each make {len(present) * per_rank}; take more ranks or fewer cards"
        )
    return _sets(int(cards), present, int(per_rank), bool(suits))


@cache
def _sets(cards: int, present: tuple[int, ...], per_rank: int, suits: bool) -> HandSets:
    deck = np.array([4 * rank + suit for rank in present for suit in range(per_rank)], np.uint8)
    families = [_family(size, deck, suits) for size in range(cards + 1)]
    start = np.concatenate([[0], np.cumsum([len(boards) for boards, _, _ in families])])
    hands, number, renaming = families[cards]
    subset = np.empty((len(hands), 1 << cards), np.int32)
    wider = np.full((int(start[cards]), len(deck)), -1, np.int32)
    for size in range(cards + 1):
        _name_subsets(hands, size, families[size][1], start[size], subset)
    for size in range(cards):
        rows = wider[start[size] : start[size + 1]]
        _name_wider(families[size][0], deck, families[size + 1][1], start[size + 1], rows)
    wider, ways = _gathered(wider)
    weight = np.bincount(number[number >= 0], minlength=len(hands)) / comb(len(deck), cards)
    order = np.asarray(evaluate_lowball(hands), np.int64) if suits else rank_order(hands)
    strength = np.unique(order, return_inverse=True)[1].astype(np.int32)
    copies = np.bincount(deck >> 2, minlength=13).astype(float)
    sets = HandSets(hands, weight, strength, start, subset, wider, ways, number, renaming, deck, copies)
    for table in sets:
        table.flags.writeable = False
    return sets


def rank_order(hands: np.ndarray) -> np.ndarray:
    """A number that orders hands uint8[H, n] by ranks alone: the larger wins at lowball.

    Fewer cards of a kind win; then the lower ranks do, those of the largest group first.

    >>> rank_order(np.array([[0, 4], [0, 48], [0, 1]])).argsort().tolist()  # 32, A2, 22
    [2, 1, 0]
    """
    counts = np.zeros((len(hands), 13), np.int64)
    for card in hands.T:
        np.add.at(counts, (np.arange(len(hands)), card >> 2), 1)
    groups = np.sort(np.where(counts > 0, counts * 16 + np.arange(13), 0), axis=1)[:, ::-1]
    badness = np.zeros(len(hands), np.int64)
    for place in range(hands.shape[1]):
        badness = badness * 8 + groups[:, place] // 16
    for place in range(hands.shape[1]):
        badness = badness * 13 + groups[:, place] % 16
    return -badness


def _family(size: int, deck: np.ndarray, suits: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sets of `size` cards of a deck: one of each class, and class and renaming by colex number."""
    if size == 0:
        return np.zeros((1, 0), np.uint8), np.zeros(1, np.int32), np.zeros(1, np.uint8)
    inside = np.zeros(52, np.bool_)
    inside[deck] = True
    if suits:
        table = board_table(size)
        kept = inside[table.boards].all(axis=1)
        place = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
        number = place[table.number]
        _forget_outside(np.arange(size), inside, number)
        return np.ascontiguousarray(table.boards[kept]), number, table.perm
    copies = np.bincount(deck >> 2, minlength=13)
    boards = np.array(
        [
            [4 * rank + chosen[:place].count(rank) for place, rank in enumerate(chosen)]
            for chosen in combinations_with_replacement(np.flatnonzero(copies).tolist(), size)
            if all(chosen.count(rank) <= copies[rank] for rank in set(chosen))
        ],
        np.uint8,
    )
    number = np.full(comb(52, size), -1, np.int32)
    _number_ranks(np.arange(size), inside, _rank_keys(boards), number)
    return boards, number, np.zeros(len(number), np.uint8)


def _rank_keys(boards: np.ndarray) -> np.ndarray:
    """The ranks of ascending cards as one number in base 13; ascends with the order of the boards."""
    return (boards >> 2).astype(np.int64) @ 13 ** np.arange(boards.shape[1])[::-1]


@kernel
def _forget_outside(cards, inside, number):
    """Mark the sets that hold a card outside the deck by -1 in number[C(52, n)]."""
    for place in range(len(number)):
        for k in range(len(cards)):
            if not inside[cards[k]]:
                number[place] = -1
        next_cards(cards)


@kernel
def _number_ranks(cards, inside, keys, number):
    """The class of every set inside the deck by its ranks alone, into number[C(52, n)]."""
    for place in range(len(number)):
        key, good = 0, True
        for k in range(len(cards)):
            key = key * 13 + (cards[k] >> 2)
            good = good and inside[cards[k]]
        if good:
            number[place] = np.searchsorted(keys, key)
        next_cards(cards)


@kernel
def _name_subsets(hands, size, number, start, subset):
    """Numbers of the subsets of `size` cards of every hand, into subset[H, masks]."""
    kept = np.zeros(size, np.int64)
    for h in range(len(hands)):
        for mask in range(subset.shape[1]):
            found = 0
            for k in range(hands.shape[1]):
                if mask >> k & 1:
                    if found < size:
                        kept[found] = hands[h, k]
                    found += 1
            if found == size:
                subset[h, mask] = start + number[colex(kept)]


@kernel
def _name_wider(boards, deck, number, start, wider):
    """Numbers of the sets that hold one more card than each board, into wider[B, N]; -1 if it is held."""
    size = boards.shape[1]
    cards = np.zeros(size + 1, np.int64)
    for b in range(len(boards)):
        for x in range(len(deck)):
            place, card, held = size, np.int64(deck[x]), False
            for k in range(size):
                held = held or boards[b, k] == card
                cards[k] = boards[b, k]
            if held:
                continue
            while place > 0 and cards[place - 1] > card:
                cards[place] = cards[place - 1]
                place -= 1
            cards[place] = card
            wider[b, x] = start + number[colex(cards)]


def _gathered(wider: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal neighbours counted instead of repeated: sets and how many cards lead to each."""
    ordered = np.sort(wider, axis=1)
    fresh = np.ones(ordered.shape, np.bool_)
    fresh[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    fresh &= ordered >= 0
    place = np.cumsum(fresh, axis=1) - 1
    width = int(place.max()) + 1
    named, ways = np.zeros((len(wider), width), np.int32), np.zeros((len(wider), width))
    rows, columns = np.nonzero(ordered >= 0)
    np.add.at(ways, (rows, place[rows, columns]), 1.0)
    named[rows, place[rows, columns]] = ordered[rows, columns]
    return named, ways


@kernel
def class_of(cards, number, renaming, places):
    """Class of n cards in any order; places[k] becomes the place of card k in the class's own hand."""
    n = len(cards)
    for k in range(n):
        places[k] = 0
        for j in range(n):
            places[k] += cards[j] < cards[k]
    code = 0
    for k in range(n):
        code += CHOOSE[cards[k], places[k] + 1]
    perm = renaming[code]
    if perm != 0:
        for k in range(n):
            places[k] = 0
            mine = (cards[k] >> 2 << 2) + PERMS[perm, cards[k] & 3]
            for j in range(n):
                places[k] += (cards[j] >> 2 << 2) + PERMS[perm, cards[j] & 3] < mine
    return number[code]
