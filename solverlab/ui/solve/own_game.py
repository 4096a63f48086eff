"""A form for your own limit poker: a few numbers, or a game file of the Annual Computer Poker Competition."""

from __future__ import annotations

import json
from collections.abc import Callable

import panel as pn

from solverlab.core.errors import BadValue, SolverlabError
from solverlab.games.acpc import read_acpc, write_acpc
from solverlab.ui.buttons import button
from solverlab.ui.solve.settings import own_game

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
    "raise_sizes": ("Raise sizes", "Chips a raise adds, one number a round, such as 2 4."),
    "max_raises": ("Raise caps", "The cap, one number a round, such as 2 2."),
    "blinds": ("Blinds or antes", "Chips each player posts before the deal, such as 1 1."),
}
WHOLE = ("players", "suits", "hole_cards")
LISTS = {"board_cards": int, "raise_sizes": float, "max_raises": int, "blinds": float}
LONGEST_FILE = 20_000


class OwnGame:
    """The form; `on_rules` receives checked rules as JSON, `complain` one sentence."""

    def __init__(self, on_rules: Callable[[str], None], complain: Callable[[str], None]):
        self._on_rules, self._complain = on_rules, complain
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
        self.read.on_click(lambda event: self._offer(lambda: json.dumps(read_acpc(self.text.value))))
        self.file.param.watch(lambda event: self._offer(self._from_file), "value")
        self.fill(EXAMPLE_RULES)

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        names = list(self.fields)
        pairs = [
            pn.Row(*(self.fields[name] for name in names[i : i + 2]), **row) for i in range(0, len(names), 2)
        ]
        return pn.Column(*pairs, self.build, self.text, self.read, self.file, sizing_mode="stretch_width")

    def fill(self, rules: str) -> None:
        """Write rules into the form."""
        for name, value in json.loads(rules).items():
            if name in self.fields:
                words = " ".join(f"{x:g}" for x in value) if isinstance(value, list | tuple) else str(value)
                self.fields[name].value = words

    def acpc(self) -> str:
        """The rules in the form as a game file."""
        return write_acpc(own_game(self._from_fields()).rules)

    def _offer(self, read: Callable[[], str]) -> None:
        try:
            rules = read()
            self.fill(rules)
            self._on_rules(rules)
        except SolverlabError as problem:
            self._complain(f"This game cannot be built: {problem}.")

    def _from_fields(self) -> str:
        rules: dict[str, object] = {}
        for name, field in self.fields.items():
            rules[name] = field.value.strip()
            if name in WHOLE:
                rules[name] = _numbers(FIELDS[name][0], field.value, int)[0]
            elif name in LISTS:
                rules[name] = _numbers(FIELDS[name][0], field.value, LISTS[name])
        return json.dumps(rules)

    def _from_file(self) -> str:
        try:
            return json.dumps(read_acpc((self.file.value or b"")[:LONGEST_FILE].decode("utf-8")))
        except UnicodeDecodeError:
            raise BadValue("the chosen file is not a text; choose an ACPC .game file") from None


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
