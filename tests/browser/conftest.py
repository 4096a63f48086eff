"""A real server in a process of its own, and a real Chromium that may talk to nobody else."""

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
from playwright.sync_api import Browser, Page, expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOOPBACK = ("127.0.0.1", "localhost", "::1", None)
PATIENCE = 45_000  # milliseconds; the machine may be busy, so nothing waits for less
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def solve_browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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


@pytest.fixture
def watched(solve_browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages in contexts of their own; at the end nothing went wrong and no request left this machine."""
    outside: list[str] = []
    wrong: list[str] = []
    contexts = []

    def guard(route) -> None:
        inside = urlsplit(route.request.url).hostname in LOOPBACK
        outside.extend([] if inside else [route.request.url])
        if inside:
            route.continue_()
        else:
            route.abort()

    def open_page(url: str, width: int = 1280, height: int = 800) -> Page:
        context = solve_browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.route("**/*", guard)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console", lambda line: wrong.append(line.text) if line.type in ("error", "warning") else None
        )
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert outside == []
    assert wrong == []
