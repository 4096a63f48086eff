"""The widgets of a page's settings, made from what is declared of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

import panel as pn

from solverlab.ui.buttons import LEFT
from solverlab.ui.look import BUTTON
from solverlab.ui.settings import Setting, Settings, written

if TYPE_CHECKING:
    from param.parameterized import Event


S = TypeVar("S", bound=Settings)
Ask = Callable[[S], S]  # from the settings as they are to those a visitor wants; may raise one sentence


class SettingWidgets(Generic[S]):
    """One widget a labelled setting; `asked` gets a function from the old settings to the ones wanted.

    The widget of a setting is an attribute: `widgets.stack` is that of the setting `stack`.
    """

    def __init__(self, settings: S, asked: Callable[[Ask[S]], None]):
        self._asked, self._quiet = asked, False
        self._declared = {name: one for name, one in settings.declared().items() if one.label}
        self.made: dict[str, pn.widgets.Widget] = {
            name: _widget(one, settings) for name, one in self._declared.items()
        }
        self.show(settings)
        for name, widget in self.made.items():
            self.also(widget, name)

    def __getattr__(self, name: str) -> pn.widgets.Widget:
        made = self.__dict__.get("made", {})
        if name not in made:
            raise AttributeError(f"no setting {name!r} has a widget here")
        return made[name]

    def also(self, widget: pn.widgets.Widget, name: str) -> None:
        """Whoever moves this widget sets that setting; a page may have a slider beside a box."""

        def moved(event: Event) -> None:
            if not self._quiet and event.new is not None:
                self._asked(lambda old: old.typed(name, event.new))

        widget.param.watch(moved, "value")

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Within, widgets are set by the page: nobody asked for anything."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def show(self, settings: S) -> None:
        """Set every widget to settings made elsewhere, such as in a link."""
        with self.quietly():
            for name, widget in self.made.items():
                widget.param.update(**standing(self._declared[name], settings))

    def column(self, *names: str) -> list[pn.widgets.Widget]:
        """The widgets of these settings, or all of them, in order."""
        return [self.made[name] for name in names or self.made]


def _options(one: Setting, settings: Settings) -> dict[str, object]:
    found = one.options(settings) if callable(one.options) else one.options
    return dict(found or {})


def standing(one: Setting, settings: Settings) -> dict[str, object]:
    """How a widget stands for these settings: menus and ticks hold values, boxes hold their words."""
    value = getattr(settings, one.name)
    words = one.options is None and one.bounds is None and not isinstance(one.default, bool)
    changes: dict[str, object] = {} if one.options is None else {"options": _options(one, settings)}
    changes["value"] = written(value) if words else value
    if one.shown is not None:
        changes["visible"] = one.shown(settings)
    return changes


def _widget(one: Setting, settings: Settings) -> pn.widgets.Widget:
    look = LEFT | dict(one.look)
    if one.options is not None and one.buttons:
        return pn.widgets.RadioButtonGroup(options=_options(one, settings), stylesheets=[BUTTON], **look)
    named = {"label": one.label, "description": one.help or None} | look
    if one.options is not None:
        return pn.widgets.Select(options=_options(one, settings), **named)
    if isinstance(one.default, bool):
        return pn.widgets.Checkbox(label=one.label, **look)
    if one.bounds is not None:
        return pn.widgets.IntInput(start=one.bounds[0], end=one.bounds[1], **named)
    return pn.widgets.TextInput(**named)
