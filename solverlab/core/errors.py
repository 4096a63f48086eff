"""What can go wrong at the door: one sentence that names the value and the fix."""

from collections.abc import Iterable

LONGEST_TOLD = 60  # letters of a value that a sentence repeats


class SolverlabError(ValueError):
    """A value that solverlab cannot accept; its message is one sentence fit for a person."""


class UnknownName(SolverlabError):
    """A game, schedule, node, hand or run that does not exist."""

    def __init__(self, kind: str, value: object, known: Iterable[object] = ()):
        names = ", ".join(str(name) for name in list(known)[:12])
        hint = f"; known: {names}" if names else ""
        super().__init__(f"there is no {kind} {value!r}{hint}")


class BadValue(SolverlabError):
    """A number or text outside what the rules allow."""


class TooLarge(SolverlabError):
    """A tree or table that would not fit; the message says how large it would be and what would fit."""


class NotMeasured(SolverlabError):
    """A number nobody asked for yet; the message says how to measure it."""


class DamagedRun(SolverlabError):
    """A run folder or table file that is truncated, foreign or from a newer version."""


def told(value: object) -> str:
    """A value as a sentence repeats it: as Python writes it, cut where nobody would read on.

    >>> told("J" * 3000)[-5:], told(10**3000), told((0, 1))
    ('JJJJ…', 'about 10^3000', '(0, 1)')
    """
    if isinstance(value, int) and abs(value) >= 10**LONGEST_TOLD:
        # Python refuses to write thousands of digits; one bit is 0.30103 digits.
        return f"about {'-' if value < 0 else ''}10^{int(value.bit_length() * 0.30103)}"
    try:
        text = repr(value)
    except ValueError:  # digits too many to write are somewhere inside
        return f"a {type(value).__name__} of enormous numbers"
    return text if len(text) <= LONGEST_TOLD else text[: LONGEST_TOLD - 1] + "…"


def check_flag(label: str, value: object) -> bool:
    """Yes or no, and nothing that only looks like it.

    >>> check_flag("match", "no")
    Traceback (most recent call last):
    ...
    solverlab.core.errors.BadValue: match is 'no'; write True or False
    """
    if not isinstance(value, bool) and type(value).__name__ != "bool_":
        raise BadValue(f"{label} is {value!r}; write True or False")
    return bool(value)
