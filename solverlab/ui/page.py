"""A page: its settings, its work beside the screen, its regions. `docs/adding-a-page.md` adds one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.ui.keyboard import Keyboard
from solverlab.ui.notice import Notice, sentence
from solverlab.ui.page_frame import left_column, stacked, ticking, two_columns
from solverlab.ui.setting_widgets import SettingWidgets
from solverlab.ui.settings import Settings
from solverlab.ui.worker import MEMORY_CAP

S = TypeVar("S", bound=Settings)
C = TypeVar("C", bound="Closable")


@dataclass(frozen=True)
class Session:
    """What a page may use: its share of memory, and the words of the address."""

    memory_cap: int = MEMORY_CAP
    query: dict[str, str] = field(default_factory=dict)


class Closable(Protocol):
    """A task, a queue of tasks or a worker: something that ends when the visitor has gone."""

    def close(self) -> None: ...


class Page(Generic[S]):
    """One visitor's page: `tick` is called by its clock, `close` when the visitor has gone.

    A page says which settings it has and what `tick` draws; whatever works beside the page is given to
    `owned`, so that it ends with the visit.
    """

    settings_type: ClassVar[type[Settings]] = Settings
    period: ClassVar[int] = 150  # milliseconds between two looks
    keys: ClassVar[Sequence[str]] = ()
    key_words: ClassVar[Mapping[str, str]] = {}  # what this page does with a key, where others do otherwise
    width: ClassVar[str] = "clamp(268px, 17vw, 330px)"  # of the controls

    settings: S

    def __init__(
        self, settings: S | None = None, complaints: Sequence[str] = (), memory_cap: int = MEMORY_CAP
    ):
        self.settings = settings or self.settings_type()  # type: ignore[assignment]  # the page's own class
        self.memory_cap, self.closed = memory_cap, False
        self._refused = False
        self._owned: list[Closable] = []
        self.notice = Notice()
        self.notice.say(" ".join(complaints))
        self.keyboard = Keyboard(self.press, self.go_to, keys=list(self.keys))
        self.controls: Any = self.make_controls()
        self.make_parts()
        self.keyboard.address = self.settings.query()  # what is `always` told is told from the beginning

    @classmethod
    def open(cls, session: Session) -> pn.viewable.Viewable:
        """The page a link asks for, with its pulling clock; it ends with the session."""
        settings, complaints = cls.settings_type.from_query(session.query)
        return ticking(cls(settings, complaints, memory_cap=session.memory_cap), cls.period)  # type: ignore[arg-type]

    def owned(self, one: C) -> C:
        """The same thing; it is closed with the page, at once if the visitor has gone already."""
        self._owned.append(one)
        if self.closed:
            one.close()
        return one

    def close(self) -> None:
        """The visitor has gone: whatever works beside the page ends."""
        self.closed = True
        for one in self._owned:
            one.close()

    # ---- settings ------------------------------------------------------------------------------------

    def make_controls(self) -> Any:
        """The widgets of the settings; a page with more to press makes its own that `show` settings, too."""
        return SettingWidgets(self.settings, self.asked)

    def make_parts(self) -> None:
        """What the page draws and who works for it, made once the settings are known."""

    def asked(self, ask: Callable[[S], S]) -> None:
        """A visitor moved a control; what cannot be is told, and everything stays as it was."""
        try:
            wanted = ask(self.settings)
        except SolverlabError as problem:
            self.complain(problem)
            self._refused = True  # the next tick puts the old words back into the box
            return
        self.notice.clear()
        self.choose(wanted)

    def choose(self, settings: S) -> None:
        """Show other settings; a page that works by them starts that work here, too."""
        self.settings = settings
        self.show_settings()

    def show_settings(self) -> None:
        """The controls and the address bar say what is chosen."""
        self.controls.show(self.settings)
        self.keyboard.address = self.settings.query()

    def go_to(self, query: dict[str, str]) -> None:
        """Back or Forward led to another address: its settings."""
        settings, complaints = self.settings_type.from_query(query)
        self.asked(lambda old: settings)  # type: ignore[return-value,arg-type]  # the page's own class
        if complaints:
            self.complain(" ".join(map(sentence, complaints)))

    def reset_settings(self) -> None:
        """Everything as the page opens without a link."""
        self.choose(type(self.settings)())

    def complain(self, problem: object) -> None:
        """Say in one sentence what went wrong; nothing said clears the notice."""
        self.notice.say(sentence(problem) if str(problem) else "")

    # ---- the screen ----------------------------------------------------------------------------------

    def tick(self) -> None:
        """Look at what is new and draw it; a page's own `tick` calls this one first."""
        if self._refused:
            self._refused = False
            self.controls.show(self.settings)

    def press(self, key: str) -> None:
        """Answer one of `keys`."""

    def regions(self) -> list[pn.viewable.Viewable]:
        """What stands on the right, one below the other."""
        return []

    def layout(self) -> pn.viewable.Viewable:
        """The page below the header: controls left, regions right."""
        left = left_column(*self.controls.column(), self.notice.pane, self.keyboard)
        return two_columns(left, stacked(*self.regions()), self.width)
