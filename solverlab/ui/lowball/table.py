"""What the charts and tables of the 2-to-7 page ask of a strategy, whoever found it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from solverlab.core.errors import LONGEST_TOLD, BadValue

RANKS = "23456789TJQKA"
LEAST_SHOWN = 5e-4  # discards rarer than this are left out of words

Mix = list[tuple[str, float]]  # what is done, in words, and how often


class Table(NamedTuple):
    """One decision, hand by hand, the best hand first. R hands, A actions."""

    title: str
    hands: Sequence[str]
    weight: np.ndarray  # float64[R], share of the deals
    reach: np.ndarray  # float64[R], how often the player gets here with the hand
    actions: tuple[str, ...]
    share: np.ndarray  # float64[R, A]

    def overall(self) -> dict[str, float]:
        """How often each action is taken, over all hands that come here."""
        weight = self.weight * self.reach
        if weight.sum() <= 0:
            weight = self.weight
        mean = weight @ self.share / weight.sum()
        return dict(zip(self.actions, map(float, mean), strict=True))


class LowballStrategy(Protocol):
    """A strategy of both players: decisions by key (a history), draws along a line of betting."""

    exact: bool
    suited: bool  # cards are written with suits
    cards: int
    size: int  # hands one can be dealt
    decisions: dict[str, str]  # key -> words
    lines: dict[str, str]  # histories after which cards are drawn -> words

    def table(self, key: str) -> Table: ...

    def hand(self, number: int) -> str: ...

    def find(self, text: str) -> int: ...

    def matching(self, only: str) -> np.ndarray:
        """Hands that hold all these ranks, the best first."""
        ...

    def going_in(self) -> tuple[np.ndarray, np.ndarray]:
        """How often each hand pushes first, and calls a push, float64[H] each."""
        ...

    def bets(self, number: int) -> list[tuple[str, Mix]]: ...

    def draws(self, number: int, line: str) -> list[tuple[str, Mix]]:
        """What a hand throws: as big blind, then as button for each number of cards seen."""
        ...

    def plan(self, text: str, line: str) -> tuple[str, list[tuple[str, Mix]], list[tuple[str, Mix]]]:
        """A typed hand as it is written here, its bets and its draws."""
        ...


def draw_words(kept: Sequence[str], cards: int) -> str:
    """A discard in words.

    >>> draw_words(["7", "5", "4"], 5), draw_words(["7", "5"], 2), draw_words([], 1)
    ('draw 2: keep 7 5 4', 'stand pat', 'draw 1: keep nothing')
    """
    if len(kept) == cards:
        return "stand pat"
    return f"draw {cards - len(kept)}: keep {' '.join(kept) or 'nothing'}"


def numbered(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def draw_action(count: int) -> str:
    return "stand pat" if count == 0 else f"draw {count}"


def mixed(words: Sequence[str], shares: Sequence[float]) -> Mix:
    """What is done and how often, the likeliest first; equal words are one."""
    total: dict[str, float] = {}
    for word, share in zip(words, shares, strict=True):
        total[word] = total.get(word, 0.0) + float(share)
    return sorted(((w, p) for w, p in total.items() if p >= LEAST_SHOWN), key=lambda pair: -pair[1])


def rank_counts(text: str) -> np.ndarray:
    """How often each rank is asked for.

    >>> rank_counts("a 10 2")[[0, 8, 12]].tolist()
    [1, 1, 1]
    """
    letters = text.upper().replace("10", "T").replace(" ", "").replace(",", "")
    wrong = [letter for letter in letters if letter not in RANKS]
    if wrong:
        raise BadValue(
            f"{wrong[0]!r} in {text[:LONGEST_TOLD]!r} is no rank; write ranks of {RANKS}, such as 75"
        )
    return np.array([letters.count(rank) for rank in RANKS])
