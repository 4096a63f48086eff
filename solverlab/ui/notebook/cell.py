"""What every laboratory in a notebook cell has: a clock that pulls, answers to a person, and an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from solverlab.core.errors import SolverlabError
from solverlab.core.rows import Row

if TYPE_CHECKING:
    from ipywidgets import Box


FRAME_SECONDS = 0.2


class NotebookCell:
    """Controls beside a runner with a thread of its own; the cell looks at the runner, nobody pushes.

    A laboratory says what its controls do in `_connect` and what is shown of a moment in `_draw`. Closing
    stops the thread; a laboratory nobody looks at any more pauses.
    """

    def __init__(self, runner: Any, controls: Any):
        self.runner, self.controls = runner, controls
        self._seen, self._drawing, self._problem, self._views = -1, False, "", 0
        self._task: asyncio.Task[None] | None = None
        controls.box.observe(lambda change: runner.close() if change["new"] is None else None, "comm")
        self._connect()
        self.refresh()
        with suppress(RuntimeError):  # no event loop outside a notebook: then `refresh` is called by hand
            self._task = asyncio.get_running_loop().create_task(self._watch())

    @property
    def widget(self) -> Box:
        """An ipywidgets box with everything in it."""
        return self.controls.box

    def close(self) -> None:
        """Stop the worker and the clock; what is drawn stays, its controls are switched off."""
        self.runner.close()
        if self._task is not None:
            self._task.cancel()
        for control in self.controls.all():
            control.disabled = True

    def refresh(self, anew: bool = False) -> None:
        """Look at the runner and draw if anything changed; a notebook's clock calls this by itself."""
        moment = self.runner.latest()
        if moment.version == self._seen and not anew:
            return
        self._seen = moment.version
        with self._own_changes():
            self._draw(moment)

    def _repr_mimebundle_(self, **settings: object) -> Row | None:
        return self.widget._repr_mimebundle_(**settings)

    async def _watch(self) -> None:
        while True:
            began = perf_counter()
            self.refresh()
            # where drawing is slow the page is too: fewer frames, so that clicks do not queue behind them
            await asyncio.sleep(max(FRAME_SECONDS, 4 * (perf_counter() - began)))

    @contextmanager
    def _own_changes(self) -> Iterator[None]:
        """While the laboratory moves its own controls nobody else did."""
        before, self._drawing = self._drawing, True
        try:
            yield
        finally:
            self._drawing = before

    def _answer(self, act: Callable[[], object]) -> None:
        """Answer a person: do it, say what went wrong in one sentence, draw."""
        if self._drawing:
            return
        self._problem = ""
        try:
            act()
        except (SolverlabError, MemoryError) as problem:
            self._problem = str(problem) or "there is not enough memory for this; choose a smaller game"
        self.refresh(anew=True)

    def _count_views(self, content: Row) -> None:
        """One more or one less page shows this cell."""
        self._views += content.get("view", 0)
        if "view" in content and self._views <= 0:
            self.runner.pause()

    def _connect(self) -> None:
        raise NotImplementedError

    def _draw(self, moment: Any) -> None:
        raise NotImplementedError
