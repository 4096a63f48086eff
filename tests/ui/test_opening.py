"""Opening a page: everybody waits for what the event loop does, so nothing is built there."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time

import pytest
from tornado.websocket import WebSocketClosedError

from solverlab.abstraction import one_hand
from solverlab.core import tree
from solverlab.games.small import SmallGame
from solverlab.solvers import CFR, MCCFR
from solverlab.solvers.draw.solver import DrawSolver
from solverlab.solvers.growing.rebalance import Rebalance
from solverlab.ui import page as pages
from solverlab.ui.abstraction import page as abstraction_page
from solverlab.ui.page import Page, Session
from solverlab.ui.shell import PAGES, keep_quiet_about_visitors_who_leave

BUILDERS = [
    (tree, "grow"), (one_hand, "roll_out"), (abstraction_page, "strength_of"),
    *((maker, "__init__") for maker in (SmallGame, CFR, MCCFR, DrawSolver, Rebalance)),
]  # fmt: skip


@pytest.fixture
def built_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was built on this thread, which stands for the event loop's."""
    loop, found = threading.get_ident(), []

    def watched(where: object, name: str) -> None:
        usual = getattr(where, name)

        def build(*given: object, **more: object) -> object:
            if threading.get_ident() == loop:
                found.append(f"{getattr(where, '__name__', where)}.{name}")
            return usual(*given, **more)

        monkeypatch.setattr(where, name, build)

    for where, name in BUILDERS:
        watched(where, name)
    return found


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_a_page_opens_without_building_anything_on_the_event_loop(
    entry: object, built_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Page] = []
    monkeypatch.setattr(pages, "ticking", lambda page, period: opened.append(page) or page.layout())
    entry.page.open(Session(query={"hand": "AhKh", "board": "Td9d6h"} if entry.slug == "abstraction" else {}))
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        opened[0].tick()
        time.sleep(0.02)
    opened[0].close()
    # The first trees of Grow take milliseconds once `warm_up` has compiled what makes them.
    assert built_here == (["Rebalance.__init__"] if entry.slug == "grow" else [])


def test_a_server_warms_up_beside_its_event_loop() -> None:
    told = (
        "import sys, threading; from solverlab.ui.warming import warm_up_beside; "
        "warm_up_beside().join(); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, timeout=120)
    assert (done.stdout.strip(), done.stderr) == ("True", "")


def test_a_closed_tab_prints_nothing_and_faults_still_do(caplog: pytest.LogCaptureFixture) -> None:
    keep_quiet_about_visitors_who_leave()
    bokeh, asyncio = logging.getLogger("bokeh.server.views.ws"), logging.getLogger("asyncio")
    bokeh.warning("Failed sending message as connection was closed")
    gone = WebSocketClosedError()
    asyncio.error("Task exception was never retrieved", exc_info=(type(gone), gone, None))
    assert caplog.records == []
    bokeh.error("a fault")
    asyncio.error("another", exc_info=(ValueError, ValueError(), None))
    assert [record.getMessage() for record in caplog.records] == ["a fault", "another"]
