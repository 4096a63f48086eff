"""The strategy of four or five cards, or of the real deck, as the page reads it."""

from __future__ import annotations

import numpy as np

from solverlab.cards.cards import card_text
from solverlab.cards.lowball_sets import HandSets
from solverlab.core.errors import BadValue
from solverlab.solvers.draw.snapshot import DrawSnapshot, find_hand
from solverlab.ui.lowball.table import Mix, Table, draw_action, draw_words, mixed, numbered, rank_counts


class WholeShape:
    """What does not change while a deck is solved: order, ranks and names of its hands."""

    def __init__(self, sets: HandSets, suited: bool):
        self.sets, self.suited = sets, suited
        self.order = np.argsort(-sets.strength.astype(np.int64), kind="stable")
        self.counts = np.zeros((len(sets.hands), 13), np.int8)
        for card in sets.hands.T:
            np.add.at(self.counts, (np.arange(len(sets.hands)), card >> 2), 1)
        masks = np.arange(1 << sets.cards)
        kept = np.array([bin(mask).count("1") for mask in masks])
        self.drawn = sets.cards - kept  # int64[M]

    def card(self, card: int) -> str:
        text = card_text(int(card))
        return text if self.suited else text[0]

    def name(self, number: int) -> str:
        return "".join(self.card(card) for card in self.sets.hands[number][::-1])


class WholeNames:
    """Names of the hands best first, made only for those that somebody looks at."""

    def __init__(self, shape: WholeShape):
        self.shape = shape

    def __len__(self) -> int:
        return len(self.shape.order)

    def __getitem__(self, place: int) -> str:
        return self.shape.name(int(self.shape.order[place]))


class WholeStrategy:
    """A snapshot of the counted game; see `LowballStrategy`."""

    exact = False

    def __init__(self, shape: WholeShape, snap: DrawSnapshot):
        self.shape, self.snap, self.policy = shape, snap, snap.policy
        self.suited, self.cards = shape.suited, shape.sets.cards
        self.size = len(shape.order)
        self.lines = {"aa": "all-in, all-in"}
        self.decisions = {
            "": "button, first to act",
            "a": "big blind, after all-in",
            "aa": "big blind draws, after all-in, all-in",
        } | {f"aa{n}": f"button draws, after all-in, all-in, draw {n}" for n in range(self.cards + 1)}

    def table(self, key: str) -> Table:
        order, policy = self.shape.order, self.policy
        weight = self.shape.sets.weight[order]
        if key in ("", "a"):
            share = (policy.call if key else policy.push)[order].astype(float)
            actions, both = ("fold", "call all-in" if key else "all-in"), np.stack([1 - share, share], axis=1)
            return Table(self.decisions[key], self._names(), weight, np.ones(len(order)), actions, both)
        masks = policy.first if key == "aa" else policy.second[int(key[2:])]
        reach = (policy.call if key == "aa" else policy.push)[order].astype(float)
        every = range(self.cards + 1)
        share = np.stack([masks[:, self.shape.drawn == n].sum(axis=1) for n in every], axis=1)[order]
        actions = tuple(draw_action(n) for n in every)
        return Table(self.decisions[key], self._names(), weight, reach, actions, share.astype(float))

    def _names(self) -> WholeNames:
        return WholeNames(self.shape)

    def hand(self, number: int) -> str:
        return self.shape.name(number)

    def find(self, text: str) -> int:
        return self._found(text)[0]

    def _found(self, text: str) -> tuple[int, np.ndarray]:
        if self.suited:
            clean = text.replace(" ", "").replace(",", "").replace("10", "T")
            return find_hand(self.shape.sets, clean)
        wanted = rank_counts(text)
        if wanted.sum() != self.cards:
            raise BadValue(f"hands here have {numbered(self.cards)}, but {text[:20]!r} has {wanted.sum()}")
        if (wanted > self.shape.sets.copies).any():
            raise BadValue(f"{text[:20]!r} cannot be dealt from this deck; take ranks and multiples it has")
        ranks = [rank for rank, count in enumerate(wanted) for _ in range(count)]
        cards = [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        return find_hand(self.shape.sets, "".join(card_text(card) for card in cards))

    def matching(self, only: str) -> np.ndarray:
        order = self.shape.order
        return order[(self.shape.counts[order] >= rank_counts(only)).all(axis=1)]

    def going_in(self) -> tuple[np.ndarray, np.ndarray]:
        return self.policy.push, self.policy.call

    def bets(self, number: int) -> list[tuple[str, Mix]]:
        chances = {"": float(self.policy.push[number]), "a": float(self.policy.call[number])}
        found = []
        for key, chance in chances.items():
            words = ("call all-in" if key else "all-in", "fold")
            found.append((self.decisions[key], mixed(words, (chance, 1 - chance))))
        return found

    def plan(self, text: str, line: str) -> tuple[str, list[tuple[str, Mix]], list[tuple[str, Mix]]]:
        number, own = self._found(text)
        name = "".join(self.shape.card(card) for card in sorted(own.tolist(), reverse=True))
        return name, self.bets(number), self._draws(number, own, line)

    def draws(self, number: int, line: str) -> list[tuple[str, Mix]]:
        return self._draws(number, self.shape.sets.hands[number], line)

    def _draws(self, number: int, cards: np.ndarray, line: str) -> list[tuple[str, Mix]]:
        """The discards of a hand, told by its own cards in the order of its class."""
        early, *late = self._discard_rows(number, line)
        found = [("as big blind", self._discards(early, cards))]
        for count, row in enumerate(late):
            words = f"as button, big blind {'stood pat' if not count else f'drew {count}'}"
            found.append((words, self._discards(row, cards)))
        return found

    def _discard_rows(self, number: int, line: str) -> list[np.ndarray]:
        """The big blind's probabilities of a hand, float32[M], then the button's by cards seen drawn."""
        return [self.policy.first[number], *self.policy.second[:, number]]

    def _discards(self, row: np.ndarray, cards: np.ndarray) -> Mix:
        shown = np.flatnonzero(row > 1e-4)
        words = []
        for mask in shown:
            kept = sorted((int(card) for k, card in enumerate(cards) if mask >> k & 1), reverse=True)
            words.append(draw_words([self.shape.card(card) for card in kept], self.cards))
        return mixed(words, row[shown])
