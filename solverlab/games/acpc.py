"""Limit rules as text: the `.game` format of the Annual Computer Poker Competition, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from solverlab.core.errors import BadValue
from solverlab.games.rules import RANKS, LimitRules


def write_acpc(rules: LimitRules) -> str:
    """The rules as a `.game` text.

    Rank names travel in a comment that other programs ignore, as most do the stacks of a limit game.

    >>> from solverlab.games import Kuhn
    >>> print(write_acpc(Kuhn().rules).splitlines()[5])
    blind = 1 1
    """
    lines = {
        "# ranks": rules.ranks,
        "numPlayers": rules.players,
        "numRounds": len(rules.board_cards),
        "blind": _row(rules.blinds),
        "raiseSize": _row(rules.raise_sizes),
        "firstPlayer": _row(seat + 1 for seat in rules.first_to_act),
        "maxRaises": _row(rules.max_raises),
        "numSuits": rules.suits,
        "numRanks": len(rules.ranks),
        "numHoleCards": rules.hole_cards,
        "numBoardCards": _row(rules.board_cards),
    }
    if rules.stack is not None:
        lines["stack"] = _row([rules.stack] * rules.players)
    middle = [f"{label} = {value}" for label, value in lines.items()]
    return "\n".join(["GAMEDEF", "limit", *middle, "END GAMEDEF", ""])


def read_acpc(text: str | Path) -> dict[str, Any]:
    """Keyword arguments for `LimitPoker` from a `.game` text, or from the file at a Path."""
    words = _words(text)
    count, players, rounds = (_one(words, label) for label in ("numRanks", "numPlayers", "numRounds"))
    stacks = set(_numbers(words, "stack", float, [0.0]))
    if len(stacks) > 1:
        raise BadValue(f"stacks {words['stack']!r} differ; this reads games with equal stacks only")
    ranks = words.get("ranks", "")
    return {
        "players": players,
        "ranks": ranks if len(ranks) == count else RANKS[: max(count, 0)],
        "suits": _one(words, "numSuits"),
        "hole_cards": _one(words, "numHoleCards"),
        "board_cards": tuple(_numbers(words, "numBoardCards", int)),
        "raise_sizes": tuple(_numbers(words, "raiseSize", float)),
        "max_raises": tuple(_numbers(words, "maxRaises", int, [8] * rounds)),
        "blinds": tuple(_numbers(words, "blind", float)),
        "first_to_act": tuple(seat - 1 for seat in _numbers(words, "firstPlayer", int, [1] * rounds)),
        "stack": stacks.pop() if "stack" in words else None,
    }


def _words(text: str | Path) -> dict[str, str]:
    """What stands behind each label; of the comments only the rank names."""
    words: dict[str, str] = {}
    for number, line in enumerate(line.strip() for line in _text(text).splitlines()):
        if line.lower() == "nolimit":
            raise BadValue(f"line {number + 1} of the game file says nolimit; this reads limit games only")
        label, found, value = line.lstrip("# ").partition("=")
        if found and (not line.startswith("#") or label.strip() == "ranks"):
            words[label.strip().lower()] = value.strip()
    return words


def _text(text: str | Path) -> str:
    if not isinstance(text, Path):
        return text
    try:
        return text.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadValue(f"{text} is not a text file that can be read; name a .game file") from None


def _one(words: dict[str, str], label: str) -> int:
    return _numbers(words, label, int)[0]


def _numbers(words: dict[str, str], label: str, kind: Callable, default: list | None = None) -> list:
    if label.lower() not in words:
        if default is not None:
            return default
        raise BadValue(f"the game file has no line '{label} = ...'; add it")
    text = words[label.lower()]
    try:
        numbers = [kind(word) for word in text.split()]
    except ValueError:
        numbers = []
    if not numbers:
        raise BadValue(f"'{label} = {text}' in the game file is not a list of numbers; write digits")
    return numbers


def _row(values: Iterable[float]) -> str:
    """Numbers with every digit they have, and no decimal point where none is needed."""
    return " ".join(str(int(value)) if value == int(value) else repr(float(value)) for value in values)
