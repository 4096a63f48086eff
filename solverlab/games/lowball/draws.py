"""What a showdown after two draws is worth, exactly, with every card gone that is gone.

The two players hold h0 and h1, keep K0 and K1, and draw from what the deck has left; discards are dead. What
the draws are worth depends on K0, K1 and on which cards are dead all together, not on who held them: so the
sums are made once for each dead multiset and shared by every pair of hands that adds up to it.

Two draws A and B must not share a card. As [A and B disjoint] = sum over sets S within both of (-1)^|S|, the
sum over disjoint draws is a signed sum over shared cards of *independent* draws, and two independent draws
meet in a walk over one sorted list with running sums of the other, instead of a double loop.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel
from solverlab.games.lowball.deck import Discards, Multisets, RankDeck, deal_mass, discards

MOST_SUBSETS = 64  # of at most 3 cards within 6


class DrawTables(NamedTuple):
    """What the kernel needs of a deck. Shapes: G multisets of 0 to n cards, R ranks, H hands, C choices."""

    counts: np.ndarray  # int64[G, R]
    size: np.ndarray  # int64[G]
    first: np.ndarray  # int64[n + 2], first multiset of each size
    sums: np.ndarray  # int32[G, G]
    drawn: np.ndarray  # int32[G, most]
    final: np.ndarray  # int32[G, most]
    length: np.ndarray  # int64[G], completions of each kept set
    below: np.ndarray  # int32[G, H + 1], completions that make a better hand than the one given
    kept: np.ndarray  # int32[C, H], multiset a choice keeps of a hand
    per_rank: int
    choose: np.ndarray  # float64[n, k]


@lru_cache(maxsize=2)
def draw_matrices(deck: RankDeck, cards: int, rule: str) -> np.ndarray:
    """The button's share of one chip for each pair of discards and hands, float64[2, 1 + C * C, H, H].

    First axis: the player asking, whose own hand is the last axis. Second: 0 is the probability of the deal
    (what a fold is worth), then 1 + C * (big blind's choice) + (button's choice): probability times
    (P(button wins) - P(big blind wins)). Nothing here knows the stack, so one table serves all stacks.
    """
    sets = Multisets(deck, cards)
    hands, choices = sets.hands, discards(rule, sets.hands)
    out = np.zeros((2, 1 + len(choices.labels) ** 2, len(hands), len(hands)))
    mass = deal_mass(deck, hands)
    _fill(draw_tables(sets, choices), sets.dead, mass, out[0, 1:])
    out[0, 0] = mass  # symmetric: who holds which hand is equally likely either way round
    for kind in range(out.shape[1]):
        np.negative(out[0, kind].T, out=out[1, kind])
    return out


def draw_tables(sets: Multisets, choices: Discards) -> DrawTables:
    drawn, final = sets.completions
    kept = [
        [sets.index(choices.kept(choice, number, hand)) for number, hand in enumerate(sets.hands)]
        for choice in range(len(choices.labels))
    ]
    better = np.arange(len(sets.hands) + 1)
    below = [np.searchsorted(row[row >= 0], better) for row in final]
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(sets.deck.size + 1)], float)
    return DrawTables(
        counts=sets.counts,
        size=sets.size,
        first=sets.first,
        sums=sets.sums,
        drawn=drawn,
        final=final,
        length=(drawn >= 0).sum(axis=1),
        below=np.array(below, np.int32),
        kept=np.array(kept, np.int32),
        per_rank=sets.deck.per_rank,
        choose=choose,
    )


@kernel
def _fill(tables, dead, mass, out):
    """All matrices out[C * C, big blind's hand, button's hand] from every dead multiset."""
    G, R = tables.counts.shape
    H = tables.kept.shape[1]
    most = tables.size[G - 1]
    within, place = np.empty(G, np.int64), np.empty(G, np.int64)
    left, weight = np.empty(R, np.int64), np.zeros((G, G))
    sums = np.zeros((MOST_SUBSETS, tables.first[most], H + 1))
    worth = np.zeros((MOST_SUBSETS, MOST_SUBSETS))
    for d in range(dead.shape[0]):
        subsets = _subsets(tables, dead[d], within, place)
        for r in range(R):
            left[r] = tables.per_rank - dead[d, r]
        _draw_weights(tables, left, weight)
        for a in range(subsets):
            _running_sums(tables, within[a], weight, sums[a])
        for a in range(subsets):
            for b in range(a + 1):
                if _fits(tables.counts[within[a]], tables.counts[within[b]], dead[d]):
                    value = _worth(tables, within[b], within[a], weight, sums[b], left.sum())
                    worth[b, a], worth[a, b] = value, -value
        _spread(tables, within[:subsets], place, dead[d], worth, mass, out)


@inner_kernel
def _subsets(tables, dead, within, place):
    """Number the multisets that lie within the dead cards; returns how many there are."""
    found = 0
    for g in range(tables.counts.shape[0]):
        inside = True
        for r in range(dead.shape[0]):
            if tables.counts[g, r] > dead[r]:
                inside = False
                break
        if inside:
            within[found], place[g] = g, found
            found += 1
    return found


@inner_kernel
def _fits(one, other, dead):
    for r in range(dead.shape[0]):
        if one[r] + other[r] > dead[r]:
            return False
    return True


@inner_kernel
def _draw_weights(tables, left, weight):
    """weight[T, w]: ways to draw w after T was taken from `left`; row 0 holds the ways to take T itself."""
    G, R = tables.counts.shape
    most = tables.size[G - 1]
    for t in range(G):
        ways = 1.0
        for r in range(R):
            ways *= tables.choose[left[r], tables.counts[t, r]]
        weight[0, t] = ways
    for t in range(1, tables.first[most]):
        if weight[0, t] == 0.0:
            continue
        for w in range(tables.first[most - tables.size[t] + 1]):
            ways = 1.0
            for r in range(R):
                if tables.counts[w, r] > 0:
                    ways *= tables.choose[left[r] - tables.counts[t, r], tables.counts[w, r]]
            weight[t, w] = ways


@inner_kernel
def _running_sums(tables, kept, weight, sums):
    """sums[T, i]: ways of the i best completions of a kept set, when T of the draw is fixed."""
    most = tables.size[tables.size.shape[0] - 1]
    for t in range(min(tables.first[most], tables.first[most - tables.size[kept] + 1])):
        both = tables.sums[kept, t]
        if both < 0 or weight[0, t] == 0.0:
            continue
        total = 0.0
        for i in range(tables.length[both]):
            sums[t, i] = total
            total += weight[t, tables.drawn[both, i]]
        sums[t, tables.length[both]] = total


@inner_kernel
def _worth(tables, mine, theirs, weight, sums, deck):
    """P(mine wins) - P(theirs wins) when two kept sets are completed from one deck; `sums` are mine's.

    Theirs keeps at least as many cards, so theirs is the short list that is walked.
    """
    most = tables.size[tables.size.shape[0] - 1]
    draws, others = most - tables.size[mine], most - tables.size[theirs]
    if others == most:
        return 0.0  # both draw all their cards: neither draw is better than the other
    total = 0.0
    for shared in range(others + 1):
        sign = 1.0 if shared % 2 == 0 else -1.0
        for t in range(tables.first[shared], tables.first[shared + 1]):
            a, b = tables.sums[mine, t], tables.sums[theirs, t]
            if weight[0, t] > 0.0 and a >= 0 and b >= 0:
                whole, met = sums[t, tables.length[a]], 0.0
                for j in range(tables.length[b]):
                    final = tables.final[b, j]
                    wins, holds = sums[t, tables.below[a, final]], sums[t, tables.below[a, final + 1]]
                    met += weight[t, tables.drawn[b, j]] * (wins + holds - whole)
                total += sign * weight[0, t] * met
    return total / (tables.choose[deck, draws] * tables.choose[deck - draws, others])


@inner_kernel
def _spread(tables, within, place, dead, worth, mass, out):
    """Give every pair of hands that adds up to the dead cards its numbers."""
    C, H = tables.kept.shape
    start = tables.counts.shape[0] - H
    for i in within:
        if i < start:
            continue
        for j in within:
            if j < start or not _fits(tables.counts[i], tables.counts[j], dead):
                continue
            h, g = i - start, j - start
            for their in range(C):
                for mine in range(C):
                    value = worth[place[tables.kept[mine, h]], place[tables.kept[their, g]]]
                    out[C * their + mine, g, h] = mass[h, g] * value
