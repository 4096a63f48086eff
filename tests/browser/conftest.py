"""A real server in a process of its own, and a real Chromium that can talk to nobody else."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from solverlab.proof.visiting import free_port

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but this machine's leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
LOOPBACK = ("127.0.0.1", "localhost", "::1", None)
LOUD = ("error", "warning")
# A page tells its server when it stands; what the server changed between sending it and then may be lost.
STANDS = "() => window.Bokeh?.documents?.length > 0 && Bokeh.documents.every((document) => document.is_idle)"
PATIENCE = 90_000  # milliseconds; the machine may be busy, so nothing waits for less
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def solve_browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


class Server:
    """`solverlab.ui.shell.serve` in a process of its own."""

    def __init__(self, folder: Path, **settings: object):
        self.port, self.log = free_port(), folder / "server.log"
        arguments = {"port": self.port, "show": False, "linger": 3.0, **settings}
        program = f"from solverlab.ui.shell import serve; serve(**{arguments!r})"
        environment = os.environ | {"SOLVERLAB_HOME": str(folder / "home")}
        with self.log.open("w") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program], env=environment, stdout=sink, stderr=sink
            )
        self._wait()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def alive(self) -> bool:
        with urlopen(f"{self.address}/liveness", timeout=30) as answer:
            return answer.status == 200

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return socket.create_connection(("localhost", self.port), timeout=5).close()
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"no server at port {self.port}: {self.log.read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    assert running.process.poll() is None, running.log.read_text()
    running.stop()


class Visitor:
    """One visitor for all tests of a process: every test opens tabs of its own, the cache stays, as at home.

    Loading Bokeh and Panel anew would take most of a test's time. What a page keeps in the browser (the last
    page, the theme) is forgotten between tests.
    """

    def __init__(self, browser: Browser):
        self.browser, self.outside = browser, []
        self.context: BrowserContext | None = None

    def tab(self, width: int, height: int) -> Page:
        if self.context is None:
            self.context = self.browser.new_context(accept_downloads=True)
            self.context.set_default_timeout(PATIENCE)
            self.context.on("request", self._note)
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        return page

    def forget(self, page: Page, address: str) -> None:
        """Empty what pages of `address` keep in the browser."""
        drawer = page.context.new_cdp_session(page)
        drawer.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"})
        drawer.detach()

    def _note(self, request: Request) -> None:
        if urlsplit(request.url).hostname not in LOOPBACK:
            self.outside.append(request.url)


@pytest.fixture(scope="session")
def visitor(solve_browser: Browser) -> Visitor:
    return Visitor(solve_browser)


@pytest.fixture
def watched(visitor: Visitor) -> Iterator[Callable[..., Page]]:
    """Open tabs; at the end nothing went wrong in them and no request was meant for another machine."""
    wrong: list[str] = []
    tabs: list[Page] = []

    def open_page(url: str | None = None, width: int = 1280, height: int = 800, loud=LOUD) -> Page:
        page = visitor.tab(width, height)
        if not tabs and url is not None:
            parts = urlsplit(url)
            visitor.forget(page, f"{parts.scheme}://{parts.netloc}")
        tabs.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type in loud else None)
        if url is not None:
            page.goto(url)
        if url is not None and url.startswith("http"):
            page.wait_for_function(STANDS)
        return page

    yield open_page
    for page in tabs:
        page.close()
    outside, visitor.outside = visitor.outside, []
    assert outside == []
    assert wrong == []


@pytest.fixture
def visit(server, watched):
    """Open the Solve page with some words in its address."""
    from browser.desk import Desk  # not above: the desk reads what this file says about patience

    def go(query: str = "game=kuhn", width: int = 1280, height: int = 800) -> Desk:
        return Desk(watched(f"{server.address}/solve?{query}", width, height))

    return go
