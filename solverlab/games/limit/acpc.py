"""Limit rules as text: the `.game` format of the Annual Computer Poker Competition, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from solverlab.core.errors import BadValue, told
from solverlab.core.rows import Row
from solverlab.games.betting.table import MOST_SEATS, MOST_STREETS
from solverlab.games.limit.rules import MOST_HOLE_CARDS, RANKS, SUITS, LimitRules

MOST_LETTERS = 100_000


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
        "raiseSize": _row(_one_size(size) for size in rules.raise_sizes),
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


def _one_size(size: float | str) -> float:
    if isinstance(size, str):
        raise BadValue(f"a .game file has one raise size a round, not the menu {told(size)}; give a number")
    return size


def read_acpc(text: str | Path) -> Row:
    """Keyword arguments for `LimitPoker` from a `.game` text, or from the file at a Path."""
    words = _words(text)
    count, players = _one(words, "numRanks", len(RANKS)), _one(words, "numPlayers", MOST_SEATS)
    rounds = _one(words, "numRounds", MOST_STREETS)
    stacks = set(_numbers(words, "stack", float, [0.0]))
    if len(stacks) > 1:
        raise BadValue(f"stacks {words['stack']!r} differ; this reads games with equal stacks only")
    ranks = words.get("ranks", "")
    return {
        "players": players,
        "ranks": ranks if len(ranks) == count else RANKS[:count],
        "suits": _one(words, "numSuits", len(SUITS)),
        "hole_cards": _one(words, "numHoleCards", MOST_HOLE_CARDS),
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
    found = text if not isinstance(text, Path) else _file(text)
    if len(found) > MOST_LETTERS:
        raise BadValue(f"{len(found):,} letters are too many for a game file; give at most {MOST_LETTERS:,}")
    return found


def _file(text: Path) -> str:
    try:
        with text.open(encoding="utf-8") as file:
            return file.read(MOST_LETTERS + 1)
    except (OSError, UnicodeDecodeError):
        raise BadValue(f"{text} is not a text file that can be read; name a .game file") from None


def _one(words: dict[str, str], label: str, most: int) -> int:
    """One whole number from 1 to `most`, looked at before anything is made of it."""
    number = _numbers(words, label, int)[0]
    if not 1 <= number <= most:
        raise BadValue(
            f"'{label} = {str(number)[:30]}' in the game file; give a whole number from 1 to {most:,}"
        )
    return number


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
    if len(numbers) > MOST_STREETS:
        raise BadValue(
            f"'{label}' in the game file has {len(numbers):,} numbers; give at most {MOST_STREETS:,}"
        )
    if not numbers:
        raise BadValue(f"'{label} = {text[:60]}' in the game file is not a list of numbers; write digits")
    return numbers


def _row(values: Iterable[float]) -> str:
    """Numbers with every digit they have, and no decimal point where none is needed."""
    return " ".join(str(int(value)) if value == int(value) else repr(float(value)) for value in values)
