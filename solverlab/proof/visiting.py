"""A real server in a process of its own and a real Chromium to visit it with."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from solverlab.core.errors import BadValue

if TYPE_CHECKING:
    from playwright.sync_api import Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 300.0  # seconds for a server to answer
# Ports the system gives to nobody by itself: a port it chose (bind to 0) goes to whoever connects next, once let go.
PORTS = range(20_000, 32_000)
_turns = count(os.getpid() * 97)  # processes begin at different places


def free_port() -> int:
    """A port to listen at, which stays free until somebody asks for it by number."""
    for turn in _turns:
        port = PORTS[turn % len(PORTS)]
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError("turns never end")


@contextmanager
def server(home: Path | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A dashboard at its own address, with a folder of its own unless `home` names one."""
    port = free_port()
    program = f"from solverlab.ui.shell import serve; serve(port={port}, show=False)"
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env=os.environ | {"SOLVERLAB_HOME": str(home or folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"http://localhost:{port}", process
        finally:
            process.terminate()
            process.wait(30)


def listening(address: str) -> None:
    """Wait until a server takes connections, without visiting it."""
    host, port = address.removeprefix("http://").split(":")
    began = monotonic()
    while True:
        try:
            return socket.create_connection((host, int(port)), timeout=5).close()
        except OSError:
            if monotonic() - began > PATIENCE:
                raise
            sleep(0.1)


@contextmanager
def browser_page() -> Iterator[Page]:
    """An empty page in a Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=FLAGS)
        yield browser.new_page(viewport={"width": 1280, "height": 800})
        browser.close()


def visit(page: Page, address: str) -> None:
    """Go there as soon as somebody answers."""
    listening(address.rsplit("/", 1)[0])
    page.goto(address)


def _chromium() -> str:
    path = (
        os.environ.get("SOLVERLAB_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if not path:
        raise BadValue(
            "there is no Chromium to open the page in; install one or set SOLVERLAB_CHROMIUM to its path"
        )
    return path
