"""The lines inside a lesson's blocks: what to press, what to wait for, what to read, what to guess.

Nothing here is ever run as code: a line becomes a small dictionary, and the rail knows every kind of them.

>>> action('press "Step 10"')
{'press': 'Step 10'}
>>> condition('tile "iteration" is at least 10')
{'left': {'tile': 'iteration'}, 'is': 'at least', 'right': 10.0}
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from urllib.parse import parse_qsl

from solverlab.core.errors import LONGEST_TOLD, BadValue

LONGEST_NAME = 200
MOST_CHOICES = 4
Parsed = dict[str, object]

_NAME = r'"([^"]+)"'
_READINGS = {
    "tile": rf"tile {_NAME}",
    "cell": rf"cell {_NAME} {_NAME}",
    "grid": rf"grid {_NAME} {_NAME}",
    "control": rf"control {_NAME}",
    "address": rf"address {_NAME}",
    "after": rf"after {_NAME}",
    "kept": rf"kept {_NAME}",
}
SECOND = {"cell": "column", "grid": "hand"}  # what a reading's second name is
_ACTIONS = {"press": rf"press {_NAME}", "set": rf"set {_NAME} to {_NAME}", "open": rf"open {_NAME}"}
_WAYS = ("at least", "at most", "above", "below", "about", "not", "")
_SHAPES = {
    "reading": 'tile "iteration", cell "J" "raise", grid "left" "AKs", control "Game", after "words", '
    'kept "x"',
    "action": 'press "Step 10", set "Game" to "Kuhn poker", open "?game=kuhn"',
    "condition": 'tile "iteration" is at least 10, page shows "some words"',
    "prediction": 'ask "How often?", slider from 0 to 100 in "%", truth tile "value", choice "never"',
}


def _wrong(kind: str, line: str) -> BadValue:
    return BadValue(f"{line[:LONGEST_TOLD]!r} is no {kind}; write one like {_SHAPES[kind]}")


def _named(kind: str, patterns: dict[str, str], line: str) -> tuple[str, tuple[str, ...]]:
    for name, pattern in patterns.items():
        found = re.fullmatch(pattern, line)
        if found:
            if any(len(word) > LONGEST_NAME for word in found.groups()):
                raise BadValue(f"a name in {line[:LONGEST_TOLD]!r} is longer than {LONGEST_NAME} letters")
            return name, found.groups()
    raise _wrong(kind, line)


def reading(text: str) -> Parsed:
    """Where a number or a word stands on the page; `times 100` makes a share a percentage.

    >>> reading('cell "J" "raise" times 100')
    {'cell': 'J', 'column': 'raise', 'times': 100.0}
    """
    what, _, factor = text.strip().partition(" times ")
    name, words = _named("reading", _READINGS, what.strip())
    made: Parsed = {name: words[0]}
    if name in SECOND:
        made[SECOND[name]] = words[1]
    return made | {"times": number(factor)} if factor else made


def action(line: str) -> Parsed:
    """Something the learner does with the page's own controls."""
    name, words = _named("action", _ACTIONS, line)
    if name == "open" and not (words[0].startswith("?") and parse_qsl(words[0][1:])):
        raise BadValue(f"{words[0][:LONGEST_TOLD]!r} is no link within the page; write one like ?game=kuhn")
    return {"set": words[0], "to": words[1]} if name == "set" else {name: words[0]}


def condition(line: str) -> Parsed:
    """Something that is true of the page or not."""
    said = re.fullmatch(rf"page (shows|hides) {_NAME}", line)
    if said:
        return {said[1]: said[2][:LONGEST_NAME]}
    left, found, right = line.partition(" is ")
    if not found:
        raise _wrong("condition", line)
    way = next(way for way in _WAYS if right.startswith(f"{way} " if way else ""))
    return {"left": reading(left), "is": way, "right": _value(right[len(way) :].strip(), line)}


def _value(text: str, line: str) -> object:
    if re.fullmatch(_NAME, text):
        return text[1:-1]
    if text[:1].isalpha():
        return reading(text)
    try:
        return number(text)
    except BadValue:
        raise _wrong("condition", line) from None


def number(text: str) -> float:
    """A finite number as people write it.

    >>> number("1e-3"), number("-0.5")
    (0.001, -0.5)
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadValue(f"{text[:LONGEST_TOLD]!r} is no number; write one like 10 or 0.001")
    return value


def keep(line: str) -> Parsed:
    """A reading to be kept under a name, for later steps.

    >>> keep('keep tile "nodes" as "before"')
    {'name': 'before', 'of': {'tile': 'nodes'}}
    """
    found = re.fullmatch(rf"keep (.+) as {_NAME}", line)
    if not found:
        raise BadValue(f'{line[:LONGEST_TOLD]!r} keeps nothing; write keep tile "nodes" as "before"')
    return {"name": found[2][:LONGEST_NAME], "of": reading(found[1])}


def prediction(lines: Sequence[str]) -> Parsed:
    """A question with a slider and where its truth stands, or with two to four choices.

    >>> lines = ['ask "Who wins?"', 'choice "first" if tile "value" is above 0', 'choice "second"']
    >>> prediction(lines)["choices"][1]
    {'say': 'second'}
    """
    made: Parsed = {"choices": []}
    for line in lines:
        made |= _part(line, made["choices"])  # type: ignore[arg-type]
    return _checked(made)


def _part(line: str, choices: list[Parsed]) -> Parsed:
    """One line of a question."""
    if asked := re.fullmatch(rf"ask {_NAME}", line):
        return {"ask": asked[1]}
    if line.startswith("truth "):
        return {"truth": reading(line[6:])}
    if bar := re.fullmatch(rf"slider from (\S+) to (\S+)(?: step (\S+))?(?: in {_NAME})?", line):
        low, high = number(bar[1]), number(bar[2])
        step = number(bar[3]) if bar[3] else (high - low) / 100
        if not low < high or not 0 < step <= high - low:
            raise BadValue(f"{line[:LONGEST_TOLD]!r} leaves nothing to choose; go up from the first number")
        return {"slider": {"from": low, "to": high, "step": step, "unit": bar[4] or ""}}
    if said := re.fullmatch(rf"choice {_NAME}(?: (right|if (.+)))?", line):
        made: Parsed = {"say": said[1]}
        made |= {"right": True} if said[2] == "right" else {"if": condition(said[3])} if said[2] else {}
        choices.append(made)
        return {}
    raise _wrong("prediction", line)


def _checked(made: Parsed) -> Parsed:
    choices = made["choices"]
    assert isinstance(choices, list)
    if "ask" not in made:
        raise BadValue('a prediction asks nothing; begin it with ask "How often?"')
    if ("slider" in made) == bool(choices):
        raise BadValue("a prediction has either a slider or choices; write one of them")
    if "slider" in made and "truth" not in made:
        raise BadValue('a slider needs its truth; add truth tile "value" or another reading')
    if choices and not 2 <= len(choices) <= MOST_CHOICES:
        raise BadValue(f"the number of choices is {len(choices)}; give 2 to {MOST_CHOICES}")
    if choices and not any("right" in one or "if" in one for one in choices):
        raise BadValue("no choice is ever right; end one with right, or with if and a condition")
    return made
