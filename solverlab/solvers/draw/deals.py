"""One random deal of the whole draw game, and what every pair of discards makes of it.

A deal is 4n cards: both hands and n cards set aside for each player's draw, so that all discards of both are
judged on the same cards, with exact card removal. `compare` weighs the showdowns of one player's discards by
what the other does with them.

Shapes: n cards, M = 2**n kept masks, counts 0..n of cards the big blind draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solverlab.cards.evaluate_high import BIT, KEY, START
from solverlab.cards.evaluate_lowball import lowball_rank_of
from solverlab.cards.isomorphism import CHOOSE, PERMS
from solverlab.cards.lowball_sets import HandSets, class_of
from solverlab.core.kernel import inner_kernel
from solverlab.solvers.draw.passes import BITS

FOLD_BUTTON, FOLD_BIG_BLIND = -0.5, -1.0  # what a fold pays the one who folds, in big blinds


class Dealer(NamedTuple):
    """What dealing and judging needs of a deck."""

    deck: np.ndarray  # uint8[N]
    number: np.ndarray  # int32[C(52, n)], class by colex number
    renaming: np.ndarray  # uint8[C(52, n)]
    strength: np.ndarray  # int32[H]
    suited: bool  # five cards of a real deck, judged by the evaluator; else by class
    cards: int


class Table(NamedTuple):
    """One deal on the table: scratch that kernels fill."""

    pile: np.ndarray  # uint8[N], the shuffled deck; its first 4n cards are the deal
    places: np.ndarray  # int64[n]
    own: np.ndarray  # int64[2, n], both hands in the order of their classes
    hand: np.ndarray  # int64[2], both classes
    final: np.ndarray  # float32[2, M], strength after each discard
    keys: np.ndarray  # uint64[M, 2], keys and bits of the kept cards
    drawn: np.ndarray  # uint64[n + 1, 2], keys and bits of the first cards drawn
    shown: np.ndarray  # float32[n + 1, M], the button's wins minus losses by count and own mask
    faced: np.ndarray  # float32[M], the big blind's by own mask
    beats: np.ndarray  # float32[M, M], 1, 0 or -1: the button's mask (column) against the big blind's (row)
    parts: np.ndarray  # float32[M], scratch


def dealer_of(sets: HandSets, suited: bool) -> Dealer:
    """The dealer of a deck."""
    return Dealer(sets.deck, sets.number, sets.renaming, sets.strength, suited, sets.cards)


def fresh_table(dealer: Dealer) -> Table:
    """Scratch for one thread."""
    n = dealer.cards
    return Table(
        dealer.deck.copy(),
        np.zeros(n, np.int64),
        np.zeros((2, n), np.int64),
        np.zeros(2, np.int64),
        np.zeros((2, 1 << n), np.float32),
        np.zeros((1 << n, 2), np.uint64),
        np.zeros((n + 1, 2), np.uint64),
        np.zeros((n + 1, 1 << n), np.float32),
        np.zeros(1 << n, np.float32),
        np.zeros((1 << n, 1 << n), np.float32),
        np.zeros(1 << n, np.float32),
    )


@inner_kernel
def _in_order(a, b, c, d, e):
    """Five numbers in rising order, by nine exchanges."""
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    b, e = min(b, e), max(b, e)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a, b, c, d, e


@inner_kernel
def _renamed(card, perm):
    """A card under the renaming of suits, with the card itself in the lowest bits."""
    return ((card >> 2 << 2) + np.int64(PERMS[perm, card & 3])) << 6 | card


@inner_kernel
def _name_five(dealer, player, table):
    """The class of a player's five cards, and the cards in its order; `class_of` without a loop."""
    pile, own, begin = table.pile, table.own, 5 * player
    a, b, c = np.int64(pile[begin]), np.int64(pile[begin + 1]), np.int64(pile[begin + 2])
    a, b, c, d, e = _in_order(a, b, c, np.int64(pile[begin + 3]), np.int64(pile[begin + 4]))
    code = CHOOSE[a, 1] + CHOOSE[b, 2] + CHOOSE[c, 3] + CHOOSE[d, 4] + CHOOSE[e, 5]
    perm = dealer.renaming[code]
    table.hand[player] = dealer.number[code]
    if perm != 0:
        a, b, c = _renamed(a, perm), _renamed(b, perm), _renamed(c, perm)
        a, b, c, d, e = _in_order(a, b, c, _renamed(d, perm), _renamed(e, perm))
    own[player, 0], own[player, 1], own[player, 2] = a & 63, b & 63, c & 63
    own[player, 3], own[player, 4] = d & 63, e & 63


@inner_kernel
def deal(dealer, rng, table):
    """Shuffle, name both hands, and judge every discard of both."""
    n, pile, own, places = dealer.cards, table.pile, table.own, table.places
    for k in range(len(pile)):
        pile[k] = dealer.deck[k]
    for k in range(4 * n):
        other = k + np.int64(rng.random() * (len(pile) - k))
        pile[k], pile[other] = pile[other], pile[k]
    for player in range(2):
        if n == 5:
            _name_five(dealer, player, table)
            continue
        begin = player * n
        table.hand[player] = class_of(pile[begin : begin + n], dealer.number, dealer.renaming, places)
        for k in range(n):
            own[player, places[k]] = pile[begin + k]
    for player in range(2):
        drawn = (3 - player) * n  # the big blind draws before the button
        if dealer.suited:
            judge_suited(player, drawn, table)
        else:
            judge_by_class(dealer, own[player], pile[drawn : drawn + n], places, table.final[player])


@inner_kernel
def pass_on(table, to):
    """Copy what was dealt at a table, hands and final strengths, to another."""
    for player in range(2):
        to.hand[player] = table.hand[player]
        for mask in range(table.final.shape[1]):
            to.final[player, mask] = table.final[player, mask]


@inner_kernel
def exchange_seats(table):
    """The same cards with the players' seats exchanged; each takes hand and draw along."""
    table.hand[0], table.hand[1] = table.hand[1], table.hand[0]
    for mask in range(table.final.shape[1]):
        table.final[0, mask], table.final[1, mask] = table.final[1, mask], table.final[0, mask]


@inner_kernel
def judge_suited(player, drawn, table):
    """Lowball class after every discard of a player's five cards, who draws from pile[drawn] on."""
    keys, draws, own, pile = table.keys, table.drawn, table.own, table.pile
    draws[0, 0], draws[0, 1] = START, 0
    for k in range(5):
        draws[k + 1, 0] = draws[k, 0] + KEY[pile[drawn + k]]
        draws[k + 1, 1] = draws[k, 1] | BIT[pile[drawn + k]]
    keys[0, 0], keys[0, 1] = 0, 0
    for k in range(5):
        key, bit = KEY[own[player, k]], BIT[own[player, k]]
        for mask in range(1 << k):
            keys[mask | 1 << k, 0] = keys[mask, 0] + key
            keys[mask | 1 << k, 1] = keys[mask, 1] | bit
    for mask in range(32):
        count = 5 - BITS[mask]
        key, bits = keys[mask, 0] + draws[count, 0], keys[mask, 1] | draws[count, 1]
        table.final[player, mask] = lowball_rank_of(key, bits)


@inner_kernel
def judge_by_class(dealer, own, drawn, cards, final):
    """Showdown class after every discard of a hand of any size, suits ignored, into final[M]."""
    n = dealer.cards
    for mask in range(1 << n):
        held = 0
        for k in range(n):
            if mask >> k & 1:
                cards[held] = own[k]
                held += 1
        for k in range(n - held):
            cards[held + k] = drawn[k]
        code = 0
        for k in range(n):
            place = 1
            for j in range(n):
                place += cards[j] < cards[k]
            code += CHOOSE[cards[k], place]
        final[mask] = dealer.strength[dealer.number[code]]


@inner_kernel
def compare_for_button(first, table):
    """The button's wins minus losses against discards first[M], by count and own mask, into table.shown.

    Also fills table.beats for `compare_for_big_blind`. Nothing is skipped: no branch can be guessed wrong.
    """
    M, n = len(first), len(table.shown) - 1
    mine, others, beats = table.final[0], table.final[1], table.beats
    one, zero = np.float32(1.0), np.float32(0.0)
    table.shown[:] = 0.0
    for mask in range(M):
        row, share, other = table.shown[n - BITS[mask]], np.float32(first[mask]), others[mask]
        against = beats[mask]
        for own in range(M):
            sign = (one if mine[own] > other else zero) - (one if mine[own] < other else zero)
            against[own] = sign
            row[own] += share * sign


@inner_kernel
def compare_for_big_blind(second, table):
    """The big blind's wins minus losses against discards second[n + 1, M], by own mask, into table.faced.

    After `compare_for_button` of the same deal. Two halves are added at a time: a sum in a row cannot be
    vectorised.
    """
    M, n = second.shape[1], len(second) - 1
    parts, half = table.parts, M >> 1
    for mask in range(M):
        sigma, against = second[n - BITS[mask]], table.beats[mask]
        for own in range(half):
            parts[own] = sigma[own] * against[own] + sigma[own + half] * against[own + half]
        total = np.float32(0.0)
        if half >= 4:
            quarter = half >> 1
            for own in range(quarter):
                parts[own] += parts[own + quarter]
            for own in range(0, quarter, 2):
                total += parts[own] + parts[own + 1]
        else:
            for own in range(half):
                total += parts[own]
        table.faced[mask] = -total
