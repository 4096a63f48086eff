"""A visit of the Solve page without a browser: its clock is turned by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from solverlab.ui.solve.page import SolvePage
from solverlab.ui.solve.settings import SolveSettings


def settle(
    page: SolvePage, until: Callable[[SolvePage], bool] = lambda page: True, patience: float = 60.0
) -> SolvePage:
    """Turn the page's clock until it rests and a condition holds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        page.tick()
        resting = page._ready() and not page.runner.latest().running and page.screen._looking is None
        if resting and page._seen == page.runner.latest().version and until(page):
            return page
        time.sleep(0.01)
    raise AssertionError(f"the page did not settle: {page.notice.text}")


def visits() -> Iterator[Callable[..., SolvePage]]:
    """What a fixture yields: a function that opens pages, which are closed at the end."""
    pages = []

    def make(**settings: object) -> SolvePage:
        page = SolvePage(SolveSettings(**{"game": "kuhn", **settings}))
        page.layout()
        pages.append(page)
        return settle(page)

    yield make
    for page in pages:
        page.close()
