"""What people type into boxes and links of the Grow page, read word by word; nonsense gets one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable

from solverlab.core.errors import LONGEST_TOLD, BadValue
from solverlab.core.percentiles import check_buckets
from solverlab.games.holdem.buckets import Buckets, SuitClasses
from solverlab.games.holdem.rules import HoldemRules
from solverlab.games.holdem.strength import MOST_BUCKETS, strength_buckets

LARGEST = 1e9  # of any number one may type
SUITS = "suits"
USUAL_BUCKETS = 5


def read_stacks(word: str) -> float | list[float]:
    """One stack for everybody, or one for each seat.

    >>> read_stacks("100"), read_stacks("100, 50 20")
    (100.0, [100.0, 50.0, 20.0])
    """
    stacks = [number("stack", part) for part in _parts(word)]
    if not stacks:
        raise BadValue("the stack is empty; give a number of big blinds, or one for each seat")
    return stacks[0] if len(stacks) == 1 else stacks


def read_blinds(word: str) -> tuple[float, ...]:
    """The small and the big blind; whether they make a game the rules of the table say.

    >>> read_blinds("0.5, 1")
    (0.5, 1.0)
    """
    blinds = tuple(number("blind", part) for part in _parts(word))
    deep = 2 * max(blinds, default=1.0) + 1  # whether stacks are is another question
    HoldemRules.checked(2, deep, "limit", (), False, blinds, 1)
    return blinds


def read_bets(word: str) -> list[float]:
    """Bet sizes as fractions of the pot; the word all-in is read elsewhere.

    >>> read_bets("0.5, 1, all-in")
    [0.5, 1.0]
    """
    return [number("bet", part) for part in _parts(word) if part != "all-in"]


def read_buckets(word: str) -> Buckets:
    """Buckets by strength, so many a street; or the flop up to the names of its suits, then strength.

    >>> read_buckets("8").count(1), read_buckets("suits").count(1), read_buckets("suits 8").count(2)
    (8, 1755, 8)
    """
    parts = _parts(word)
    by_suits = parts[:1] == [SUITS]
    counts = parts[1:] if by_suits else parts
    if len(counts) > 1 or not (counts or by_suits):
        raise BadValue(f"buckets of {word[:LONGEST_TOLD]!r} are none; write a number such as 5, or {SUITS}")
    count = _count(counts[0]) if counts else USUAL_BUCKETS
    strength = strength_buckets(check_buckets(count, MOST_BUCKETS))
    return SuitClasses(1, later=strength) if by_suits else strength


def _count(word: str) -> int:
    try:
        return whole_number("number of buckets", 1, MOST_BUCKETS)(word)
    except BadValue as problem:
        raise BadValue(f"{problem}, or {SUITS}") from None


def _parts(word: str) -> list[str]:
    return word.replace(",", " ").replace(";", " ").split()


def number(label: str, word: str) -> float:
    """A finite number that is not too large."""
    try:
        found = float(word)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadValue(f"a {label} of {word[:LONGEST_TOLD]!r} is no number; write one, such as 1 or 20")
    if abs(found) > LARGEST:
        raise BadValue(
            f"a {label} of {word[:LONGEST_TOLD]!r} is too large; write a number up to {LARGEST:,.0f}"
        )
    return found


def decimal(label: str) -> Callable[[str], float]:
    """A reader of one number."""
    return lambda word: number(label, word.strip())


def whole_number(label: str, least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """A reader of one number that is whole, perhaps within bounds, however it is written: 1e3 is 1000.

    Links of before hold such words; new settings take `solverlab.ui.settings.whole`, which reads digits only.
    """

    def read(word: str) -> int:
        found = number(label, word.strip())
        if found != int(found):
            raise BadValue(f"a {label} of {word[:LONGEST_TOLD]!r} is not whole; write a whole number")
        if found < least or (most is not None and found > most):
            upto = f"from {least} to {most}" if most is not None else f"of at least {least}"
            raise BadValue(f"a {label} of {found:g} cannot be; write a whole number {upto}")
        return int(found)

    return read
