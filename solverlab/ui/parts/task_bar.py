"""One bar for all long work: which step it is at, how much is done, how many seconds are left, and Cancel."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from time import monotonic
from typing import Protocol

import panel as pn

from solverlab.ui.buttons import button
from solverlab.ui.look import TEXT

SURE = 0.03  # the share from which the time left is more than a guess
WIDE = {"sizing_mode": "stretch_width"}


class Underway(Protocol):
    """What the bar reads of a task."""

    share: float
    words: str


class TaskBar:
    """Names the step of a task with its share and the seconds left; `cancel` is called by its button.

    Work that ends within `quick` seconds is never shown: a bar that flashes says nothing. Where nothing is
    under way the bar may carry another sentence.
    """

    def __init__(
        self,
        cancel: Callable[[], object] | None,
        help: str = "Stop this; what is finished stays.",
        quick: float = 0.0,
        inline: bool = False,
    ):
        self.quick, self._task, self._began = quick, None, 0.0
        self.words = pn.pane.HTML("", stylesheets=[TEXT, ":host { font-size: 13px; }"], margin=(2, 6), **WIDE)
        self.words.css_classes = ["doing"]
        self.bar = pn.indicators.Progress(value=0, max=100, visible=False, height=14, margin=(4, 6), **WIDE)
        self.stop = button("Cancel", help, visible=False)
        self._stops = cancel is not None  # what nobody can stop has no button
        if cancel is not None:
            self.stop.on_click(lambda event: cancel())
        if inline:
            self.stop.param.update(sizing_mode=None, width=110)
        self.pane = self._laid_out(inline)

    def _laid_out(self, inline: bool) -> pn.viewable.Viewable:
        """One below the other in a narrow column, or beside each other above a plot."""
        parts = (self.words, self.bar, self.stop)
        if not inline:
            return pn.Column(*parts, css_classes=["progress"], margin=0, **WIDE)
        grid = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) 150px auto"}
        grid |= {"align-items": "center"}
        return pn.Row(*parts, styles=grid, css_classes=["progress"], margin=0, **WIDE)

    def show(self, task: Underway | None, otherwise: str = "", left: float | None = None) -> None:
        """Show how far a task is, or another sentence (HTML) where there is none; `left` seconds if known."""
        if task is not self._task:
            self._task, self._began = task, monotonic()
        seconds = monotonic() - self._began
        late = task is not None and seconds >= self.quick
        words = told(task.share, task.words, seconds, left) if task is not None and late else otherwise
        if self.words.object != words:
            self.words.object = words
        if self.bar.visible != late:
            self.bar.visible, self.stop.visible = late, late and self._stops
        if task is not None and late and self.bar.value != int(100 * task.share):
            self.bar.value = min(int(100 * task.share), 100)

    @property
    def visible(self) -> bool:
        """Whether a task is on show."""
        return self.bar.visible


def told(share: float, words: str, seconds: float, left: float | None = None) -> str:
    """The step, its share and what is left, if it is not known judged by what `seconds` have brought so far.

    >>> told(0.25, "counting flops", 6.0)
    'counting flops · 25 % · about 18 s left'
    >>> told(0.0, "", 0.5)
    'starting ...'
    >>> told(0.0, "compiling the solver", 0.5, left=4.2)
    'compiling the solver · 0 % · about 4 s left'
    """
    step = escape(words) or "starting"
    if left is None and (share < SURE or seconds < 1):
        return f"{step} ..."
    left = seconds * (1 - share) / share if left is None else left
    time = f"about {left:.0f} s left" if left < 90 else f"about {left / 60:.0f} min left"
    return f"{step} · {100 * share:.0f} % · {time}" if share < 1 else f"{step} ..."
