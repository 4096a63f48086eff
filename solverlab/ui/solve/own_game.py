"""A form for your own limit poker: a few numbers, or a game file of the Annual Computer Poker Competition."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import signature

import panel as pn

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.core.rows import Config
from solverlab.games import LimitPoker
from solverlab.games.limit.acpc import read_acpc, write_acpc
from solverlab.games.limit.rules import LimitRules
from solverlab.ui.buttons import button
from solverlab.ui.tasks import TaskQueue

EXAMPLE = {
    "players": 2,
    "ranks": "TJQK",
    "suits": 2,
    "hole_cards": 1,
    "board_cards": [0, 1],
    "raise_sizes": [2, 4],
    "max_raises": [2, 2],
    "blinds": [1, 1],
}
EXAMPLE_RULES = json.dumps(EXAMPLE)
FIELDS = {
    "players": ("Players", "2 to 10; two players give exploitability, more give deviation gains."),
    "ranks": ("Ranks", "One letter a rank, lowest first, such as TJQK."),
    "suits": ("Suits", "1 to 4."),
    "hole_cards": ("Private cards", "Cards each player holds, 1 to 4."),
    "board_cards": ("Board cards", "New board cards of each round, such as 0 1: none, then one."),
    "raise_sizes": (
        "Raise sizes",
        "Chips a raise adds, one number a round, such as 2 4; or a menu a round, with ; between rounds, "
        "such as 1c, 2c; 50%, pot.",
    ),
    "max_raises": ("Raise caps", "The cap, one number a round, such as 2 2."),
    "blinds": ("Blinds or antes", "Chips each player posts before the deal, such as 1 2. Empty: 1 each."),
    "first_to_act": (
        "First to act",
        "The player who begins each round, such as 1 1. Empty: always player 1.",
    ),
    "stack": ("Stack", "Chips each player brings, blinds included. Empty: without end."),
}
WHOLE = ("players", "suits", "hole_cards")
OPTIONAL = ("blinds", "first_to_act", "stack")
LISTS = {"board_cards": int, "max_raises": int, "blinds": float}
USUAL = {name: one.default for name, one in signature(LimitPoker).parameters.items() if name != "name"}
LONGEST_FILE, LONGEST_FIELD = 20_000, 1000


class OwnGame:
    """The form; `on_rules` receives checked rules as JSON, `complain` one sentence.

    It is `wanted` while the game in it is on the page, or was refused and can be mended.
    """

    def __init__(self, reading: TaskQueue, on_rules: Callable[[str], None], complain: Callable[[str], None]):
        self._reading, self._on_rules, self._complain = reading, on_rules, complain
        self.wanted = False
        wide = {"sizing_mode": "stretch_width", "margin": (2, 4)}
        self.fields = {
            name: pn.widgets.TextInput(label=label, description=help, **wide)
            for name, (label, help) in FIELDS.items()
        }
        self.text = pn.widgets.TextAreaInput(
            label="Or an ACPC .game text",
            description="Paste the text of a limit game file, then press Read.",
            height=110,
            max_length=LONGEST_FILE,
            **wide,
        )
        self.file = pn.widgets.FileInput(
            accept=".game,.txt", description="Or choose a .game file from your disk.", **wide
        )
        self.build = button(
            "Build this game", "Check the numbers above and start over with this game.", "primary"
        )
        self.read = button("Read", "Read the pasted game file.")
        self.build.on_click(lambda event: self._offer(self._from_fields))
        self.read.on_click(lambda event: self._read_game(self.text.value))
        self.file.param.watch(lambda event: self._read_file(), "value")
        self.fill(EXAMPLE)

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        names = list(self.fields)
        pairs = [
            pn.Row(*(self.fields[name] for name in names[i : i + 2]), **row) for i in range(0, len(names), 2)
        ]
        return pn.Column(*pairs, self.build, self.text, self.read, self.file, sizing_mode="stretch_width")

    def fill(self, rules: Config) -> None:
        """Write rules into the form, every field; what they do not say is as usual."""
        for name, value in (USUAL | rules).items():
            if name in self.fields:
                self.fields[name].value = field_words(name, value)[:LONGEST_FIELD]

    def fill_from(self, rules: str) -> None:
        """Write rules of a link into the form, as far as they can be read: they may have to be mended."""
        wanted: object = None
        try:
            wanted = json.loads(rules)
            self.fill(rules_of(wanted).config() if isinstance(wanted, dict) else {})
        except (TypeError, ValueError, RecursionError):  # a SolverlabError about a rule is a ValueError, too
            self.fill(wanted if isinstance(wanted, dict) else {})

    def acpc(self) -> str:
        """The rules in the form as a game file."""
        return write_acpc(rules_of(json.loads(self._from_fields())))

    def _read_game(self, text: str) -> None:
        """A pasted file is read beside the page: nobody knows what is in it."""
        text = text[:LONGEST_FILE]
        self._reading.order(lambda *_: json.dumps(_read(text)), lambda rules: self._offer(lambda: rules))

    def _offer(self, read: Callable[[], str]) -> None:
        try:
            rules = read()
            self.fill(json.loads(rules))
            self._on_rules(rules)
        except SolverlabError as problem:
            self._complain(f"This game cannot be built: {problem}.")

    def _from_fields(self) -> str:
        words = {name: field.value.strip() for name, field in self.fields.items()}
        empty = [name for name in OPTIONAL if not words[name]]
        return json.dumps({name: _field(name, word) for name, word in words.items() if name not in empty})

    def _read_file(self) -> None:
        try:
            self._read_game((self.file.value or b"")[:LONGEST_FILE].decode("utf-8"))
        except UnicodeDecodeError:
            self._complain("the chosen file is not a text; choose an ACPC .game file")


def _read(text: str) -> dict[str, object]:
    try:
        return read_acpc(text)
    except SolverlabError as problem:
        raise BadValue(f"This game cannot be built: {problem}") from None


def rules_of(wanted: Config) -> LimitRules:
    """Rules from the form, checked without building their game."""
    return LimitRules.checked(**(USUAL | {name: value for name, value in wanted.items() if name != "name"}))


def field_words(name: str, value: object) -> str:
    """What a field shows for a rule; whatever it is, since a link may hold anything.

    >>> field_words("raise_sizes", ("1c, 2c", 4)), field_words("first_to_act", (0, 1))
    ('1c, 2c; 4', '1 2')
    """
    if name == "first_to_act" and isinstance(value, list | tuple):
        whole = all(isinstance(seat, int) for seat in value)
        value = [seat + 1 for seat in value] if whole and any(value) else None
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(one, str) for one in value) else " "
        return between.join(_word(one) for one in value)
    return "" if value is None else _word(value)


def _word(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _field(name: str, words: str) -> object:
    """A rule from what its field says."""
    label = FIELDS[name][0]
    if name == "raise_sizes":
        return _sizes(label, words)
    if name == "stack":
        return _numbers(label, words, float)[0]
    if name in WHOLE:
        return _numbers(label, words, int)[0]
    if name == "first_to_act":
        return [player - 1 for player in _numbers(label, words, int)]
    return _numbers(label, words, LISTS[name]) if name in LISTS else words


def _sizes(label: str, words: str) -> list[float | str]:
    """One number a round, or menus with a semicolon between rounds.

    >>> _sizes("Raise sizes", "2 4"), _sizes("Raise sizes", "1c, 2c; 4"), _sizes("Raise sizes", "50%, pot")
    ([2.0, 4.0], ['1c, 2c', 4.0], ['50%, pot'])
    """
    menus = ";" in words or any(letter.isalpha() or letter == "%" for letter in words)
    if not menus:
        return list(_numbers(label, words, float))
    rounds = [one.strip() for one in words.split(";")]
    plain = [one.replace(".", "", 1).isdecimal() for one in rounds]
    return [
        _numbers(label, one, float)[0] if number else one for one, number in zip(rounds, plain, strict=True)
    ]


def _numbers(label: str, text: str, kind: type) -> list:
    """Numbers written with spaces or commas.

    >>> _numbers("Blinds", "1, 2", int)
    [1, 2]
    """
    try:
        values = [kind(word) for word in text.replace(",", " ").split()]
    except ValueError:
        values = []
    if not values:
        raise BadValue(
            f"{label} is {text[:40]!r}; write {'whole ' if kind is int else ''}numbers, such as 1 2"
        )
    return values
