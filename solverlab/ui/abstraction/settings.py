"""The settings of the Abstraction page: a teacher's link shows the same street, buckets and hand again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from solverlab.cards.cards import parse_deal, street_of
from solverlab.ui.abstraction.choice import Choice
from solverlab.ui.settings import setting, text


def _read_hand(word: str, so_far: AbstractionSettings) -> str:
    if word:
        parse_deal(word, so_far.board)
    return word


@dataclass(frozen=True)
class AbstractionSettings(Choice):
    """A bucketing, and the hand that is looked at: its two cards and its board.

    >>> AbstractionSettings(count=8, history=True, hand="AhKh", board="Td9d6h").query()
    'street=flop&count=8&history=yes&hand=AhKh&board=Td9d6h'
    >>> AbstractionSettings.from_query({"street": "turn", "count": "many"})[1]
    ["The link's count was left out: buckets are a whole number such as 5, not 'many'."]
    """

    hand: str = setting("", _read_hand, depends=True)
    board: str = setting("", text())

    def checked(self) -> tuple[Self, list[str]]:
        """A board without a hand means nothing."""
        return (self if self.hand else replace(self, board="")), []

    @property
    def hand_street(self) -> str:
        """The street of the hand that is looked at; "" without one."""
        return street_of(parse_deal(self.hand, self.board)[1]) if self.hand else ""

    def on_street(self, street: str) -> Self:
        """The same on a street; the sequences of another are dropped."""
        return self if street == self.street else replace(self, street=street, prefix="")
