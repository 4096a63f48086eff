"""The list of runs of a page: tick, open, rename, export, delete, undo; the browser remembers it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import panel as pn
import param

HERE = Path(__file__)
LONGEST_WORD = 200


class RunList(pn.custom.AnyWidgetComponent):
    """Rows of runs; `on_order(verb, id, word)` hears what was pressed: show, hide, open, rename, delete ...

    What `kept` holds is stored in the browser under `place`; `on_restore` is given what an earlier visit
    stored, once, after the page stands.
    """

    _esm = HERE.with_suffix(".js")
    _stylesheets = [HERE.with_suffix(".css").read_text("utf-8")]
    runs = param.List([], doc="rows to show: id, name, colour, facts, shown, live, apart")
    undoable = param.String("", doc="what Undo would take back")
    place = param.String("", doc="the name under which the browser keeps the runs")
    kept = param.Parameter(None, doc="what the browser shall keep; None before it told what it has")
    restored = param.Parameter(None, doc="what the browser kept; set by the page")
    orders = param.List([], doc="what was pressed, with numbers; set by the page")
    file = param.Dict({}, doc="a text to download: number, name, text")

    def __init__(
        self,
        on_order: Callable[[str, str, str], None],
        on_restore: Callable[[object], None] = lambda kept: None,
        **settings: object,
    ):
        super().__init__(**({"sizing_mode": "stretch_width", "margin": (4, 4)} | settings))
        self._on_order, self._answered, self._files = on_order, 0, 0
        self.param.watch(self._answer, "orders")
        self.param.watch(lambda event: on_restore(event.new), "restored")

    def _answer(self, event) -> None:
        """Every order once, also those that came together."""
        for order in event.new:
            if not (isinstance(order, list) and len(order) == 4 and isinstance(order[0], int)):
                continue
            number, *words = order
            if number > self._answered:
                self._answered = number
                self._on_order(*(str(word)[:LONGEST_WORD] for word in words))

    def download(self, name: str, text: str) -> None:
        """Hand a text to the visitor as a file."""
        self._files += 1
        self.file = {"number": self._files, "name": name, "text": text}
