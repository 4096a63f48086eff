"""A page's settings, each said once: default, reader, label, help, and whether a link holds it.

From one declaration follow the words of a link, the settings a link asks for, one sentence for each word of
it that cannot be used, the widgets (`solverlab.ui.setting_widgets`) and what is saved. A link never breaks a
page: a word that cannot be used is told, and the usual value stays.

>>> @dataclass(frozen=True)
... class DiceSettings(Settings):
...     dice: int = setting(2, whole("the number of dice", 1, 10), "Dice", always=True)
...     seed: int = setting(0, whole("the seed", 0, 999), "Seed")
>>> DiceSettings(dice=3).query()
'dice=3'
>>> settings, complaints = DiceSettings.from_query({"dice": "11", "seed": "5"})
>>> settings
DiceSettings(dice=2, seed=5)
>>> complaints
["The link's dice was left out: the number of dice is '11'; give a whole number from 1 to 10."]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Self, TypeVar, cast
from urllib.parse import urlencode

from solverlab.core.errors import LONGEST_TOLD, BadValue, SolverlabError, UnknownName

T = TypeVar("T")
Choices = Mapping[str, object]  # what a menu shows -> the value it stands for

LONGEST_WORD = 4000  # characters of a link's word that anybody reads


@dataclass(frozen=True)
class Setting:
    """What is declared of one setting; `read` turns a word into its value or raises one sentence.

    The reader of a setting that `depends` on others gets the settings so far, too, and is asked after them.
    """

    name: str
    default: object
    read: Callable[..., object]
    label: str = ""
    help: str = ""
    options: Choices | Callable[..., Choices] | None = None  # a menu, perhaps another for other settings
    buttons: bool = False  # a menu of few choices, all in sight
    bounds: tuple[int, int] | None = None  # a whole number with arrows
    shown: Callable[..., bool] | None = None  # whether its widget matters for these settings
    look: Mapping[str, object] = field(default_factory=dict)  # more of Panel's words for the widget
    linked: bool = True
    always: bool = False  # in a link even as the page opens
    depends: bool = False


def setting(
    default: T,
    read: Callable[..., T],
    label: str = "",
    help: str = "",
    *,
    options: Choices | Callable[..., Choices] | None = None,
    buttons: bool = False,
    bounds: tuple[int, int] | None = None,
    shown: Callable[..., bool] | None = None,
    look: Mapping[str, object] | None = None,
    linked: bool = True,
    always: bool = False,
    depends: bool = False,
) -> T:
    """Declare a setting in the body of a dataclass of `Settings`; see `Setting` for the words."""
    declared = {
        "read": read, "label": label, "help": help, "options": options, "buttons": buttons, "bounds": bounds,
        "shown": shown, "look": look or {}, "linked": linked, "always": always, "depends": depends,
    }  # fmt: skip
    return cast(T, field(default=default, metadata={"setting": declared}))


@dataclass(frozen=True)
class Settings:
    """What a visitor chose, as plain values. A page's own class is a frozen dataclass of `setting`s.

    The order of its fields is the order of a link's words.
    """

    strict: ClassVar[bool] = False  # whether a word nobody declared is told
    first: ClassVar[tuple[str, ...]] = ()  # of a link, settings to be read before the others
    left_out: ClassVar[str] = "The link's {name} was left out: {problem}."

    @classmethod
    def declared(cls) -> dict[str, Setting]:
        """The settings by name, in the order of a link."""
        return {
            one.name: Setting(one.name, one.default, **one.metadata["setting"])
            for one in fields(cls)
            if "setting" in one.metadata
        }

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> tuple[Self, list[str]]:
        """Settings from the words of an address, and one sentence for each that could not be used."""
        linked = [one for one in cls.declared().values() if one.linked]
        known, complaints, chosen = {one.name for one in linked}, [], cls()
        if cls.strict:
            strange = [word[:LONGEST_TOLD] for word in query if word not in known]
            complaints = [cls.told(word, "this page knows no such word") for word in strange]
        for one in cls._in_order(linked):
            if one.name in query:
                try:
                    chosen = chosen.with_word(one.name, query[one.name])
                except SolverlabError as problem:
                    complaints.append(cls.told(one.name, problem))
        chosen, more = chosen.checked()
        return chosen, complaints + more

    @classmethod
    def _in_order(cls, settings: Iterable[Setting]) -> list[Setting]:
        """What must be read first, then what stands alone, then what depends on others."""
        return sorted(settings, key=lambda one: (one.depends, one.name not in cls.first))

    @classmethod
    def told(cls, name: str, problem: object) -> str:
        """What is said of a word that could not be used."""
        return cls.left_out.format(name=name, problem=problem)

    def with_word(self, name: str, word: object) -> Self:
        """The same with one setting typed anew, and whatever must follow it."""
        one, text = self.declared()[name], written(word)[:LONGEST_WORD]
        value = one.read(text, self) if one.depends else one.read(text)
        return replace(self, **{name: value}).follow(name)

    def typed(self, name: str, value: object) -> Self:
        """The same with what a visitor set a widget to; an empty box of what need not be set unsets it."""
        if self.declared()[name].default is None and not written(value).strip():
            return replace(self, **{name: None}).follow(name)
        return self.with_word(name, value)

    def query(self) -> str:
        """The words of a link: whatever is not as the page opens, and what is always told."""
        usual = self.usual()
        return urlencode(
            {
                name: written(getattr(self, name))
                for name, one in self.declared().items()
                if one.linked and (one.always or getattr(self, name) != getattr(usual, name))
            }
        )

    def words(self) -> dict[str, str]:
        """Every setting that is set as text, for a file; `from_words` reads it again."""
        values = {name: getattr(self, name) for name in self.declared()}
        return {name: written(value) for name, value in values.items() if value is not None}

    @classmethod
    def from_words(cls, words: Mapping[str, str]) -> Self:
        """Settings from a file; a word that cannot be used raises its sentence."""
        chosen = cls()
        for one in cls._in_order(cls.declared().values()):
            if words.get(one.name, "") != written(getattr(chosen, one.name)):
                chosen = chosen.with_word(one.name, words[one.name])
        return chosen

    # ---- what a page may say besides -----------------------------------------------------------------

    def usual(self) -> Self:
        """What the page opens with, as far as one setting decides the usual value of another."""
        return type(self)()

    def follow(self, name: str) -> Self:
        """The same once `name` was set: what hangs on it follows, what makes no sense together is refused."""
        return self

    def checked(self) -> tuple[Self, list[str]]:
        """What a whole link asks for without what makes no sense together, and sentences about that."""
        return self, []


def written(value: object) -> str:
    """A value as a link writes it.

    >>> written(0.5), written(True), written(None), written("jam")
    ('0.5', 'yes', '', 'jam')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


# ---- readers ---------------------------------------------------------------------------------------------


def one_of(kind: str, known: Collection[str], told: Iterable[str] | None = None) -> Callable[[str], str]:
    """A reader of one of some words; `told` is what a sentence lists of them.

    >>> one_of("view", ["stack", "chart"])("chart")
    'chart'
    """

    def read(word: str) -> str:
        if word not in known:
            raise UnknownName(kind, word[:LONGEST_TOLD], known if told is None else told)
        return word

    return read


def yes_or_no(kind: str) -> Callable[[str], bool]:
    """A reader of a tick.

    >>> yes_or_no("history")("yes")
    True
    """
    read = one_of(kind, ("yes", "no"))
    return lambda word: read(word) == "yes"


def whole(label: str, least: int, most: int, spaces: bool = True) -> Callable[[str], int]:
    """A reader of a whole number within bounds; digits only, so that nothing long is ever computed.

    >>> whole("the seed", 0, 99)(" 42 ")
    42
    """
    digits = len(str(most))

    def read(word: str) -> int:
        text = word.strip() if spaces else word
        short = text.lstrip("0") or "0"
        if not (text.isascii() and text.isdigit() and len(short) <= digits and least <= int(short) <= most):
            raise BadValue(
                f"{label} is {word[:LONGEST_TOLD]!r}; give a whole number from {least:,} to {most:,}"
            )
        return int(short)

    return read


def text(most: int = LONGEST_WORD) -> Callable[[str], str]:
    """A reader of any text, cut where it becomes too long.

    >>> text(3)("hello")
    'hel'
    """
    return lambda word: word[:most]
