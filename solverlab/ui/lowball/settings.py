"""The settings of the 2-to-7 page: the rung, the stack, and what is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from solverlab.core.errors import LONGEST_TOLD, BadValue
from solverlab.core.rows import Config
from solverlab.solvers import SCHEDULES
from solverlab.ui.menus import SCHEDULE_MENU
from solverlab.ui.settings import Settings, one_of, setting, whole
from solverlab.ui.stack_words import read_stack

NO_TEN = "23456789JQKA"
DECKS = {"13": "13 ranks", "12": "12 ranks, no ten", "real": "real 52 cards"}
BETTING: dict[str, tuple[str, Config]] = {
    "push": ("push/fold", {}),
    "limp": ("+ limp", {"limp": True}),
    "raise": ("+ limp, raise to 2", {"limp": True, "raises": (2.0,)}),
    "after": ("+ limp, bets after the draw", {"limp": True, "after_draw": (1.0,)}),
    "all": ("+ limp, raise, bets after", {"limp": True, "raises": (2.0,), "after_draw": (1.0,)}),
}
DISCARDS = ("original", "free")
SORTS = {"best hand first": "best", "most pushed first": "push", "most called first": "call"}
VIEWS = {"Solve": "solve", "Hands and draws": "hands", "Result file": "file"}
HALF = {"sizing_mode": "stretch_width", "margin": (2, 4), "min_width": 60}
GROUP = {"margin": (0, 4)}
WORD = re.compile(r"[\w ,+/-]{0,40}")


def read_word(word: str) -> str:
    """Letters of a hand or a history; what could never be either is refused."""
    if not WORD.fullmatch(word):
        raise BadValue(
            f"{word[:LONGEST_TOLD]!r} is too long or has signs that no hand has; use letters and digits"
        )
    return word.strip()


def _numbers(most: int) -> dict[str, int]:
    return {str(n): n for n in range(1, most + 1)}


@dataclass(frozen=True)
class LowballSettings(Settings):
    """Everything a link restores; the field names are the words in the address.

    >>> LowballSettings.from_query({"cards": "2", "each": "4", "stack": "3.9"})[0].query()
    'cards=2&deck=13&each=4&betting=push&stack=3.9'
    """

    cards: int = setting(
        1, whole("the number of cards", 1, 5, spaces=False), "Cards a player", options=_numbers(5),
        buttons=True, look=GROUP, always=True,
    )  # fmt: skip
    deck: str = setting(
        "13", one_of("deck", DECKS), "Deck",
        "Suits are ignored unless the deck is real, which is played with five cards.",
        options={words: deck for deck, words in DECKS.items()}, look=HALF, always=True,
    )  # fmt: skip
    each: int = setting(
        1, whole("the number of cards a rank", 1, 4, spaces=False), "Cards of each rank", options=_numbers(4),
        buttons=True, look=GROUP, always=True,
    )  # fmt: skip
    betting: str = setting(
        "push", one_of("betting", BETTING), "Betting",
        "All in or fold; then also a limp, a raise to 2, and a pot bet after the draw.",
        options={words: name for name, (words, _) in BETTING.items()}, look=HALF, always=True,
    )  # fmt: skip
    discard: str = setting(
        "original", one_of("discard rule", DISCARDS), "Discards",
        "Original: say how many; multiples go first, then the highest. Free: any cards.",
        options={name: name for name in DISCARDS}, look=HALF,
    )  # fmt: skip
    schedule: str = setting(
        "CFR", one_of("schedule", SCHEDULES), "Schedule",
        "The member of the CFR family; plain CFR is what the original project ran.",
        options=SCHEDULE_MENU, look=HALF,
        shown=lambda now: now.exact,  # whole decks are solved by DCFR
    )  # fmt: skip
    stack: float = setting(
        3.0, read_stack, "Typed stack", "Blind included, the same for both; 1.01 to 100. Press Enter.",
        look={"placeholder": "e.g. 3.9"}, always=True,
    )  # fmt: skip
    show: str = setting(
        "solve", one_of("view", tuple(VIEWS.values())), "View", options=VIEWS, buttons=True,
        look={"width": 420, "sizing_mode": None, "margin": 0},
    )  # fmt: skip
    left: str = setting("", read_word)  # the decision of the left chart, as a history
    right: str = setting("a", read_word)
    line: str = setting("aa", read_word)  # the bets before the draw that the table of hands follows
    hand: str = setting(
        "", read_word, "Plan of a hand",
        "Its cards in any order, with suits on the real deck: 7s5h4d3c2c. Press Enter.",
        look=HALF | {"placeholder": "e.g. 75"},
    )  # fmt: skip
    only: str = setting(
        "", read_word, "Only hands with",
        "Ranks a hand must hold, 77 for a pair. Empty: all hands. Press Enter.",
        look=HALF | {"placeholder": "e.g. 72"},
    )  # fmt: skip
    sort: str = setting(
        "best", one_of("order", tuple(SORTS.values())), "Order", "How the table is sorted.", options=SORTS,
        look=HALF,
    )  # fmt: skip

    def typed(self, name: str, value: object) -> LowballSettings:
        """Another number of cards brings what it takes, and leaving the real deck goes back to one card."""
        if name == "cards" and isinstance(value, int):
            return self._with_cards(value).settled()
        if name == "deck" and self.deck == "real" and value != "real":
            return LowballSettings(stack=self.stack, show=self.show).with_word(name, value)
        if name == "deck" and value == "real":
            return replace(self, betting="push").with_word(name, value)
        return super().typed(name, value)

    def _with_cards(self, cards: int) -> LowballSettings:
        """So many cards, with enough of each rank, and free discards from four on."""
        wanted = replace(self, cards=cards)
        if cards > 3:
            return replace(wanted, discard="free", each=max(self.each, 2))
        if cards == 3 and self.betting in ("after", "all"):
            return replace(wanted, betting="push")
        return wanted

    def follow(self, name: str) -> LowballSettings:
        return self.settled()

    def settled(self) -> LowballSettings:
        """The same with what a real deck decides by itself: five cards, four a rank, free discards."""
        if self.deck == "real":
            return replace(self, cards=5, each=4, discard="free")
        if self.cards == 1 and self.discard == "free":
            return replace(self, discard="original")  # with one card the two rules are one
        return self

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

        >>> LowballSettings(cards=2, each=4, discard="free", betting="limp").name
        '2 cards, 13 x 4, free, + limp'
        """
        cards = "1 card" if self.cards == 1 else f"{self.cards} cards"
        parts = [cards, "real deck" if self.deck == "real" else f"{self.deck} x {self.each}"]
        parts += ["free"] * (self.discard == "free" and self.exact)
        parts += [BETTING[self.betting][0]] * (self.betting != "push")
        return ", ".join(parts)
