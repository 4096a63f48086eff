"""Work that takes seconds, such as building a game or compiling a solver, done beside the page."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

from solverlab.core.errors import SolverlabError


class Making:
    """Runs a function once in a thread; the page asks whether it is `done` and reads `result` or `error`.

    >>> making = Making(lambda: 6 * 7)
    >>> making.wait().result
    42
    """

    def __init__(self, make: Callable[[], Any], note: str = ""):
        self.note, self.result, self.error = note, None, ""
        self._make = make
        self._thread = Thread(target=self._run, name="making", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self, timeout: float = 120.0) -> Making:
        """Wait for the end (for scripts and tests)."""
        self._thread.join(timeout)
        return self

    def _run(self) -> None:
        try:
            self.result = self._make()
        except SolverlabError as problem:
            self.error = str(problem)
        except MemoryError:
            self.error = "this does not fit into memory; choose a smaller game"
        except Exception as problem:  # a page that says what happened is better than one that waits for ever
            self.error = f"this did not work: {type(problem).__name__}: {problem}"
