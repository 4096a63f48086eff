"""What a visitor of the Push/fold page chose, as plain values that travel in the address bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from solverlab.cards.hand_classes import class_number
from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.ui.stack_words import big_blinds

LARGEST = 100.0  # big blinds one may type; the slider ends at 25
SHOWS = ("stack", "chart")
NODES = {  # players: the decisions, and what they are called in the menu
    2: {"": "small blind: jam or fold", "jam": "big blind: call a jam"},
    3: {
        "": "button: jam or fold",
        "fold": "small blind: button folded",
        "jam": "small blind: button jammed",
        "fold/jam": "big blind: small blind jammed",
        "jam/fold": "big blind: button jammed",
        "jam/call": "big blind: both are in",
    },
}
SHOWN_FIRST = {2: ("", "jam"), 3: ("", "jam/fold")}  # left and right grid


@dataclass(frozen=True)
class Choice:
    """Everything a link restores; the field names are the words in the address.

    >>> Choice.from_query({"stack": "7.5", "hand": "43s"})[0].query()
    'players=2&stack=7.5&hand=43s'
    """

    players: int = 2
    stack: float = 10.0
    show: str = "stack"  # or the chart by stack
    left: str = ""
    right: str = "jam"
    hand: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Choice, list[str]]:
        """A choice from the words of an address, and one sentence for each that could not be used."""
        complaints: list[str] = []
        chosen = cls().with_players(_tried(query, "players", _players, 2, complaints))
        for name, read in (("stack", read_stack), ("show", _show), ("hand", read_hand)):
            value = _tried(query, name, read, getattr(chosen, name), complaints)
            chosen = replace(chosen, **{name: value})
        for name in ("left", "right"):
            value = _tried(query, name, _node_of(chosen.players), getattr(chosen, name), complaints)
            chosen = replace(chosen, **{name: value})
        return chosen, complaints

    def with_players(self, players: int) -> Choice:
        """The same stack and hand for another number of players, with the grids that suit them."""
        left, right = SHOWN_FIRST[players]
        return replace(self, players=players, left=left, right=right)

    def query(self) -> str:
        """The words of a link: players and stack, and whatever else is not as the page opens."""
        usual = Choice().with_players(self.players)
        words = {
            field.name: f"{value:g}" if isinstance(value := getattr(self, field.name), float) else str(value)
            for field in fields(self)
            if field.name in ("players", "stack") or getattr(self, field.name) != getattr(usual, field.name)
        }
        return urlencode(words)

    @property
    def nodes(self) -> tuple[str, str]:
        return self.left, self.right


def read_stack(word: str) -> float:
    """A stack in big blinds, to a hundredth.

    >>> read_stack(" 7,5 "), read_stack("12 BB")
    (7.5, 12.0)
    """
    value = big_blinds(word)
    if not 1 < value <= LARGEST:
        raise BadValue(f"the stack is {word[:30]!r}; give a number of big blinds from 1.01 to {LARGEST:g}")
    return value


def read_hand(word: str) -> str:
    """A starting hand, however its letters are written; nothing for none.

    >>> read_hand("ako"), read_hand("k9S"), read_hand("tt"), read_hand("")
    ('AKo', 'K9s', 'TT', '')
    """
    text = word.strip()[:20]
    hand = text[:2].upper() + text[2:].lower()
    if hand:
        class_number(hand)
    return hand


def _players(word: str) -> int:
    if word not in ("2", "3"):
        raise BadValue(f"push/fold is played by 2 or 3 players, not {word[:30]!r}")
    return int(word)


def _show(word: str) -> str:
    if word not in SHOWS:
        raise UnknownName("view", word[:30], SHOWS)
    return word


def _node_of(players: int) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in NODES[players]:
            raise UnknownName("decision", word[:30], [node or "(start)" for node in NODES[players]])
        return word

    return read


def _tried(query: Mapping[str, str], name: str, read: Callable, usual, complaints: list[str]):
    """What the address says under a name, or the usual value and a sentence."""
    try:
        return read(query[name]) if name in query else usual
    except SolverlabError as problem:
        complaints.append(f"The link's {name} was left out: {problem}.")
        return usual
