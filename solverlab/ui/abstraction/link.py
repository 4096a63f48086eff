"""The address of the Abstraction page: a teacher's link shows the same street, buckets and hand again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from urllib.parse import urlencode

from solverlab.cards.cards import STREETS, parse_deal
from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.ui.abstraction.choice import METRICS, SCHEMES, Choice

Hand = tuple[str, str]


def link_of(choice: Choice, hand: Hand | None) -> str:
    """The words of a link: the street, and whatever else is not as the page opens.

    >>> link_of(Choice(count=8, history=True), ("AhKh", "Td9d6h"))
    'street=flop&count=8&history=yes&hand=AhKh&board=Td9d6h'
    """
    usual = Choice(street="")
    words = {
        field.name: _word(getattr(choice, field.name))
        for field in fields(choice)
        if getattr(choice, field.name) != getattr(usual, field.name)
    }
    if hand is not None:
        words |= {"hand": hand[0], "board": hand[1]}
    return urlencode({name: word for name, word in words.items() if word})


def read_link(query: Mapping[str, str]) -> tuple[Choice, Hand | None, list[str]]:
    """What a link asks for, and one sentence for each word of it that could not be used.

    >>> read_link({"street": "turn", "count": "many"})[2]
    ["The link's count was left out: buckets are a whole number such as 5, not 'many'."]
    """
    strange = [word for word in query if word not in (*READERS, "hand", "board")]
    complaints = [f"The link's {word[:30]} was left out: this page knows no such word." for word in strange]
    choice = Choice()
    for name, read in READERS.items():
        if name in query:
            try:
                choice = replace(choice, **{name: read(query[name])}).checked()
            except SolverlabError as problem:
                complaints.append(f"The link's {name} was left out: {problem}.")
    hand = None
    if query.get("hand"):
        try:
            hand = query["hand"], query.get("board", "")
            parse_deal(*hand)
        except SolverlabError as problem:
            hand = None
            complaints.append(f"The link's hand was left out: {problem}.")
    return choice, hand, complaints


def _one_of(what: str, known: tuple[str, ...]) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise UnknownName(what, word[:30], known)
        return word

    return read


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise BadValue(f"buckets are a whole number such as 5, not {word[:30]!r}")
    return int(word)


def _sequence(word: str) -> str:
    if not all(part.isascii() and part.isdigit() for part in word.split(":")):
        raise BadValue(f"a sequence is written as 2 or 2:4, not {word[:30]!r}")
    return word


def _word(value: object) -> str:
    return "yes" if value is True else "" if value is False else str(value)


READERS: dict[str, Callable[[str], object]] = {
    "street": _one_of("street", STREETS),
    "metric": _one_of("metric", tuple(METRICS.values())),
    "edges": str,  # before the scheme, which may need them
    "scheme": _one_of("scheme", tuple(SCHEMES.values())),
    "count": _number,
    "inner": _number,
    "history": lambda word: _one_of("history", ("yes", "no"))(word) == "yes",
    "prefix": _sequence,
}
