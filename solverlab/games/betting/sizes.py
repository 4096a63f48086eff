"""The language of bet menus: `60%`, `pot`, `2.5x`, `1p`, `50c`, `50c2r`, `to 3`, `e`, `e80%` and `a`.

An amount is what a bet or raise adds to the level, the total that it takes to stay in. The pot is counted
after calling, as players do when they say "pot".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from solverlab.core.errors import BadValue

POT, BET, PREVIOUS, CHIPS, TO, GEOMETRIC, ALL_IN = range(7)
MOST_SIZES, MOST_BETS = 50, 1000
LARGEST = 1e9
_SUFFIX = {"%": POT, "x": BET, "p": PREVIOUS, "c": CHIPS}
_UNTIL = re.compile(r"(.+[%xpc])(\d{1,9})r")  # 50c2r: 50 chips, while at most two bets were made
_GEOMETRIC = re.compile(r"([^e]*)e(?:(.+)%)?")
_HELP = "write for example '60%', 'pot', '2.5x', '1p', '50c', 'to 3', 'e' or 'a'"


class Size(NamedTuple):
    """One size of a menu: its kind, its number, and the word that labels use for it.

    `POT` 0.6 is 60 % of the pot after calling; `BET` 2.5 raises to 2.5 times the bet of this street;
    `PREVIOUS` 1 adds once more what the last raise added; `CHIPS` 50 adds 50; `TO` 3 makes the total 3;
    `GEOMETRIC` 2 is the part of the pot that, bet on this and the next street, puts all chips in (0: on every
    street that is left), at most `most` of the pot; `ALL_IN` is everything. Behind `until` bets on a street a
    size is offered no more (0: always).
    """

    kind: int
    value: float = 0.0
    word: str = ""
    until: int = 0
    most: float = math.inf


def pot(fraction: float) -> Size:
    """A fraction of the pot after calling.

    >>> pot(0.5).word
    '50%'
    """
    return Size(POT, fraction, f"{100 * fraction:g}%")


def chips(amount: float) -> Size:
    """A fixed number of chips more."""
    return Size(CHIPS, float(amount), f"{amount:g}c")


def to(total: float) -> Size:
    """Everything put in so far becomes `total`, the blind included."""
    return Size(TO, total, f"{total:g}")


ALL = Size(ALL_IN, 0.0, "a")


@cache
def parse_menu(text: str) -> tuple[Size, ...]:
    """A menu from its text, smallest details included; an empty text offers nothing.

    >>> [size.word for size in parse_menu("50%, pot, 2.5x, 1p, 50c, to 3, 2e, a")]
    ['50%', '100%', '2.5x', '1p', '50c', '3', '2e', 'a']
    >>> parse_menu("50c2r, e80%")[0].until, parse_menu("50c2r, e80%")[1].most
    (2, 0.8)
    """
    words = [word for word in text.split(",") if word.strip()]
    if len(words) > MOST_SIZES:
        raise BadValue(f"{len(words):,} sizes of bets are too many; give at most {MOST_SIZES}")
    if len(words) < 2:
        return tuple(_parsed(word.strip()) for word in words)
    return tuple(_at_its_place(text))


def _at_its_place(text: str) -> Iterator[Size]:
    """Every size of a menu; an error points at the one that cannot be read."""
    at = 0
    for word in text.split(","):
        if word.strip():
            try:
                yield _parsed(word.strip())
            except BadValue as problem:
                place = at + len(word) - len(word.lstrip()) + 1
                raise BadValue(f"{problem} (position {place} of the menu {text!r})") from problem
        at += len(word) + 1


def _parsed(word: str) -> Size:
    if word in ("a", "allin", "all-in"):
        return ALL
    if word == "pot":
        return pot(1.0)
    if parts := _UNTIL.fullmatch(word):
        return _until(word, _parsed(parts[1]), int(parts[2]))
    if parts := _GEOMETRIC.fullmatch(word):
        return _geometric(word, parts[1], parts[2])
    if word.startswith("to "):
        return to(_above_nothing(word, word[3:]))
    if word[-1] not in _SUFFIX:
        raise BadValue(f"{word!r} is no size of a bet; {_HELP}")
    kind, value = _SUFFIX[word[-1]], _above_nothing(word, word[:-1])
    if kind == BET and value <= 1:
        raise BadValue(f"{word!r} of a bet does not raise it; give a factor above 1, such as '2.5x'")
    return Size(kind, value / 100 if kind == POT else value, word)


def _until(word: str, size: Size, bets: int) -> Size:
    if not 1 <= bets <= MOST_BETS:
        raise BadValue(f"the size {word!r} ends after {bets} bets; give 1 to {MOST_BETS:,}")
    return size._replace(until=bets)


def _geometric(word: str, streets: str, most: str | None) -> Size:
    over = _number(word, streets or "0")
    if over != int(over) or not 0 <= over <= 100:
        raise BadValue(f"the size {word!r} spreads over {over:g} streets; give a whole number, or 'e'")
    share = math.inf if most is None else _above_nothing(word, most) / 100
    return Size(GEOMETRIC, over, word, most=share)


def _above_nothing(word: str, digits: str) -> float:
    value = _number(word, digits)
    if value <= 0:
        raise BadValue(f"the size {word!r} bets nothing; give a number above 0")
    return value


def _number(word: str, digits: str) -> float:
    try:
        value = float(digits)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise BadValue(f"{word!r} is no size of a bet; {_HELP}")
    return value


def grown_geometrically(behind: float, pot_after: float, streets: int) -> float:
    """What to bet so that the same part of the pot, bet and called on so many streets, is all-in at the end.

    One call each makes the pot grow by 1 + 2f a street: (1 + 2f)^k pot = pot + 2 behind.

    >>> grown_geometrically(behind=400, pot_after=100, streets=2)  # 100, then 300 into 300
    100.0
    """
    if behind <= 0 or pot_after <= 0:
        return 0.0
    return pot_after * ((2 * behind / pot_after + 1) ** (1 / streets) - 1) / 2
