"""What a visitor of the 2-to-7 page chose, as plain values that travel in the address bar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.solvers import SCHEDULES
from solverlab.ui.stack_words import big_blinds

LARGEST = 100.0  # big blinds one may type; the slider ends at 10
NO_TEN = "23456789JQKA"
DECKS = {"13": "13 ranks", "12": "12 ranks, no ten", "real": "real 52 cards"}
BETTING: dict[str, tuple[str, dict[str, Any]]] = {
    "push": ("push/fold", {}),
    "limp": ("+ limp", {"limp": True}),
    "raise": ("+ limp, raise to 2", {"limp": True, "raises": (2.0,)}),
    "after": ("+ limp, bets after the draw", {"limp": True, "after_draw": (1.0,)}),
    "all": ("+ limp, raise, bets after", {"limp": True, "raises": (2.0,), "after_draw": (1.0,)}),
}
DISCARDS = ("original", "free")
SHOWS = ("solve", "hands", "file")
SORTS = ("best", "push", "call")
WORD = re.compile(r"[\w ,+/-]{0,40}")


@dataclass(frozen=True)
class Choice:
    """Everything a link restores; the field names are the words in the address.

    >>> Choice.from_query({"cards": "2", "each": "4", "stack": "3.9"})[0].query()
    'cards=2&deck=13&each=4&betting=push&stack=3.9'
    """

    cards: int = 1
    deck: str = "13"  # or "12", without the ten, or "real"
    each: int = 1  # cards of each rank
    betting: str = "push"
    discard: str = "original"
    schedule: str = "CFR"
    stack: float = 3.0
    show: str = "solve"
    left: str = ""  # the decision of the left chart, as a history
    right: str = "a"
    line: str = "aa"  # the bets before the draw that the table of hands follows
    hand: str = ""
    only: str = ""  # the table shows hands with these cards only
    sort: str = "best"

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Choice, list[str]]:
        """A choice from the words of an address, and one sentence for each that could not be used."""
        chosen, complaints = cls(), []
        for name, read in READERS.items():
            if name in query:
                try:
                    chosen = replace(chosen, **{name: read(query[name])})
                except SolverlabError as problem:
                    complaints.append(f"The link's {name} was left out: {problem}.")
        return chosen.settled(), complaints

    def settled(self) -> Choice:
        """The same with what a real deck decides by itself: five cards, four a rank, free discards."""
        if self.deck == "real":
            return replace(self, cards=5, each=4, betting="push", discard="free")
        if self.cards == 1 and self.discard == "free":
            return replace(self, discard="original")  # with one card the two rules are one
        return self

    def query(self) -> str:
        """The words of a link: the rung and the stack, and whatever else is not as the page opens."""
        always, usual = ("cards", "deck", "each", "betting", "stack"), Choice()
        words = {
            field.name: f"{value:g}" if isinstance(value := getattr(self, field.name), float) else str(value)
            for field in fields(self)
            if field.name in always or getattr(self, field.name) != getattr(usual, field.name)
        }
        return urlencode(words)

    @property
    def rung(self) -> tuple[int, str, int, str, str]:
        """What makes the game besides the stack."""
        return self.cards, self.deck, self.each, self.betting, self.discard

    @property
    def exact(self) -> bool:
        """Whether every deal and draw is summed; four and five cards are solved in the counted model."""
        return self.deck != "real" and self.cards <= 3

    @property
    def name(self) -> str:
        """The rung in a few words, for legends.

        >>> Choice(cards=2, each=4, discard="free", betting="limp").name
        '2 cards, 13 x 4, free, + limp'
        """
        cards = "1 card" if self.cards == 1 else f"{self.cards} cards"
        if self.deck == "real":
            return f"{cards}, real deck"
        parts = [cards, f"{self.deck} x {self.each}"]
        parts += ["free"] * (self.discard == "free" and self.exact)
        parts += [BETTING[self.betting][0]] * (self.betting != "push")
        return ", ".join(parts)


def read_stack(word: str) -> float:
    """A stack in big blinds, to a hundredth.

    >>> read_stack(" 3,9 "), read_stack("4 BB")
    (3.9, 4.0)
    """
    value = big_blinds(word)
    if not 1 < value <= LARGEST:
        raise BadValue(f"the stack is {word[:30]!r}; give a number of big blinds from 1.01 to {LARGEST:g}")
    return value


def read_word(word: str) -> str:
    """Letters of a hand or a history; what could never be either is refused."""
    if not WORD.fullmatch(word):
        raise BadValue(f"{word[:30]!r} is too long or has signs that no hand has; use letters and digits")
    return word.strip()


def _number(label: str, most: int) -> Callable[[str], int]:
    def read(word: str) -> int:
        if not (word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= most):
            raise BadValue(f"{label} is {word[:30]!r}; give a whole number from 1 to {most}")
        return int(word)

    return read


def _one_of(label: str, known: Any) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise UnknownName(label, word[:30], list(known))
        return word

    return read


READERS: dict[str, Callable[[str], Any]] = {
    "cards": _number("the number of cards", 5),
    "deck": _one_of("deck", DECKS),
    "each": _number("the number of cards a rank", 4),
    "betting": _one_of("betting", BETTING),
    "discard": _one_of("discard rule", DISCARDS),
    "schedule": _one_of("schedule", SCHEDULES),
    "stack": read_stack,
    "show": _one_of("view", SHOWS),
    "left": read_word,
    "right": read_word,
    "line": read_word,
    "hand": read_word,
    "only": read_word,
    "sort": _one_of("order", SORTS),
}
