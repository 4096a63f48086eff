"""The draw game in plain Python on decks small enough to deal out: the oracle of the fast passes.

Cards are dealt from a list, hands are compared two at a time, and a strategy is a dictionary. Start reading
at `PlainSampledDraw`: one deal is dealt, and every discard of both players is played against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Protocol

import numpy as np

from solverlab.cards.lowball_sets import HandSets, class_of


class DrawPolicy(Protocol):
    """Chances to push and call, float[hands], and to keep by each mask, as first and as second to draw."""

    push: np.ndarray
    call: np.ndarray
    first: np.ndarray
    second: np.ndarray


class DrawRules(Protocol):
    """What the plain solver must know of a game: its hands and the stack."""

    sets: HandSets
    stack: float


def named(sets: HandSets, cards: Iterable[int]) -> tuple[int, list[int]]:
    """Class of a hand and its cards in the order of the class."""
    held = np.array(list(cards), np.int64)
    places = np.empty(len(held), np.int64)
    number = int(class_of(held, sets.number, sets.renaming, places))
    own = [0] * len(held)
    for card, place in zip(held.tolist(), places.tolist(), strict=True):
        own[place] = card
    return number, own


def strength(sets: HandSets, cards: Iterable[int]) -> int:
    """How good a hand is at showdown: the higher wins."""
    return int(sets.strength[named(sets, cards)[0]])


def kept_cards(own: Sequence[int], mask: int) -> list[int]:
    """The cards a discard keeps: card k is kept where bit k of the mask is set.

    >>> kept_cards([7, 12, 30], 0b101)
    [7, 30]
    """
    return [card for k, card in enumerate(own) if mask >> k & 1]


def drawn_to(sets: HandSets, own: Sequence[int], mask: int) -> list[tuple[int, ...]]:
    """Every final hand of a discard; the draw avoids the cards thrown away as well as those kept."""
    kept, rest = kept_cards(own, mask), [card for card in sets.deck.tolist() if card not in own]
    return [(*kept, *new) for new in combinations(rest, len(own) - len(kept))]


def sign(mine: int, other: int) -> int:
    """1 for a win, 0 for a tie, -1 for a loss."""
    return (mine > other) - (mine < other)


def every_deal(sets: HandSets) -> Iterator[tuple[tuple[int, ...], ...]]:
    """(button's cards, big blind's cards, its draw in order, the button's draw in order), equally likely."""
    n, deck = sets.cards, sets.deck.tolist()
    for mine in combinations(deck, n):
        left = [card for card in deck if card not in mine]
        for other in combinations(left, n):
            rest = [card for card in left if card not in other]
            for drawn in permutations(rest, n):
                for late in permutations([card for card in rest if card not in drawn], n):
                    yield mine, other, drawn, late


def exact_worths(sets: HandSets, policy: DrawPolicy) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The mean showdown worths `draw.score.learn` estimates, from every deal there is."""
    n, masks = sets.cards, 1 << sets.cards
    hands = len(sets.hands)
    visits, met = np.zeros((2, hands)), np.zeros((2, hands))
    first, second = np.zeros((hands, masks)), np.zeros((n + 1, hands, masks))
    for mine, other, drawn, late in every_deal(sets):
        (h, own), (g, own_other) = named(sets, mine), named(sets, other)
        ends = [strength(sets, [*kept_cards(own, m), *late[: n - m.bit_count()]]) for m in range(masks)]
        meets = [
            strength(sets, [*kept_cards(own_other, m), *drawn[: n - m.bit_count()]]) for m in range(masks)
        ]
        visits[0, h] += 1
        visits[1, g] += 1
        met[0, h] += policy.call[g]
        met[1, g] += policy.push[h]
        for m in range(masks):
            count = n - m.bit_count()
            for k in range(masks):
                won = sign(ends[k], meets[m])
                second[count, h, k] += policy.call[g] * policy.first[g, m] * won
                first[g, m] -= policy.push[h] * policy.second[count, h, k] * won
    return met / visits, first / visits[1][:, None], second / visits[0][:, None]


class PlainSampledDraw:
    """Chance-sampled CFR+ in plain Python: cards from a shuffled pile, one hand's rows in a dictionary."""

    def __init__(self, game: DrawRules, rng: int):
        self.game, self.rng, self.t, self.met = game, np.random.default_rng(rng), 0, 0.0
        self.regret: dict[tuple, np.ndarray] = {}
        self.total: dict[tuple, np.ndarray] = {}

    def step(self, samples: int) -> None:
        for _ in range(samples):
            self.t += 1
            self.learn(*self.deal())

    def deal(self) -> tuple[int, int, list[int], list[int]]:
        """Both classes, and how strong each hand is after every discard."""
        sets, n = self.game.sets, self.game.sets.cards
        pile = sets.deck.tolist()
        for k in range(4 * n):
            other = k + int(self.rng.random() * (len(pile) - k))
            pile[k], pile[other] = pile[other], pile[k]
        (h, own), (g, theirs) = named(sets, pile[:n]), named(sets, pile[n : 2 * n])
        drawn, late = pile[2 * n : 3 * n], pile[3 * n :]
        masks = range(1 << n)
        ends = [strength(sets, [*kept_cards(own, m), *late[: n - m.bit_count()]]) for m in masks]
        meets = [strength(sets, [*kept_cards(theirs, m), *drawn[: n - m.bit_count()]]) for m in masks]
        return h, g, ends, meets

    def learn(self, h: int, g: int, ends: list[int], meets: list[int]) -> None:
        n, masks, stack = self.game.sets.cards, len(ends), self.game.stack
        won = np.array([[sign(end, meet) for end in ends] for meet in meets], float)
        push, call = self.sigma(("push", h), 2)[0], self.sigma(("call", g), 2)[0]
        first = self.sigma(("first", g), masks)
        second = [self.sigma(("second", h, count), masks) for count in range(n + 1)]
        drew = [n - m.bit_count() for m in range(masks)]
        worth = [sum(first[m] * won[m] * (drew[m] == count) for m in range(masks)) for count in range(n + 1)]
        faced = np.array([-second[drew[m]] @ won[m] for m in range(masks)])
        shown = sum(self.update(("second", h, c), stack * call * worth[c], push) for c in range(n + 1))
        called = self.update(("first", g), stack * push * faced, call)
        self.met += self.update(("push", h), np.array([shown + 1.0 - call, -0.5]), 1.0)
        self.update(("call", g), np.array([called, -push]), 1.0)

    def sigma(self, key: tuple, actions: int) -> np.ndarray:
        regret = self.regret.setdefault(key, np.zeros(actions))
        self.total.setdefault(key, np.zeros(actions))
        return regret / regret.sum() if regret.sum() > 0 else np.full(actions, 1.0 / actions)

    def update(self, key: tuple, worth: np.ndarray, reach: float) -> float:
        sigma = self.sigma(key, len(worth))
        mean = sigma @ worth
        self.regret[key] = np.maximum(self.regret[key] + worth - mean, 0.0)
        self.total[key] += self.t * 1e-6 * reach * sigma
        return float(mean)
