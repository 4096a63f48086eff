"""A JupyterLab of one's own for a test: fresh settings, given notebooks, no password, no questions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import nbformat
from browser.conftest import PATIENCE
from playwright.sync_api import Page, expect

from solverlab.proof.visiting import free_port

QUIET = [
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
]
OWN_FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)


@contextmanager
def serving(home: Path, notebooks: Mapping[str, list[str]]) -> Iterator[str]:
    """Serve notebooks of the given code cells; the address, until the block ends."""
    write_notebooks(home / "files", notebooks)
    ask_nothing(home / "JUPYTERLAB_SETTINGS_DIR")
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *QUIET]
    command += [f"--ServerApp.{name}" for name in ("ip=127.0.0.1", f"port={port}", "port_retries=0")]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={home / 'files'}"]
    # Kernels talk through files: a port that was free when it was chosen may be taken when the kernel starts.
    command += ["--KernelManager.transport=ipc"]
    own = {name: str(home / name) for name in OWN_FOLDERS}
    with TemporaryDirectory() as runtime, open(home / "log.txt", "wb") as log:  # such files have short names
        own["JUPYTER_RUNTIME_DIR"] = runtime
        server = subprocess.Popen(
            command, env=os.environ | own, stdout=log, stderr=log, start_new_session=True
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/api/status", server, home / "log.txt")
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def write_notebooks(folder: Path, notebooks: Mapping[str, list[str]]) -> None:
    folder.mkdir()
    for name, cells in notebooks.items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(book, folder / f"{name}.ipynb")


def ask_nothing(settings: Path) -> None:
    """No question about news in the corner, which would cover what is tested."""
    file = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    file.parent.mkdir(parents=True)
    file.write_text('{"fetchNews": "false"}', "utf-8")


def wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    """Ask until JupyterLab answers; tell what it said when it does not."""
    for _ in range(PATIENCE // 100):
        try:
            with urlopen(address, timeout=2):
                return
        except OSError:
            assert server.poll() is None, log.read_text("utf-8")
            time.sleep(0.1)
    raise AssertionError(log.read_text("utf-8"))


def run_all(page: Page, address: str) -> None:
    """Open a notebook, wait for its kernel and run all its cells."""
    page.goto(f"{address}?reset")
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=PATIENCE)
    idle(page)  # "Run All" before the kernel is idle does nothing
    page.keyboard.press("Control+b")  # the file browser leaves the room to the notebook
    choose(page, "Run", "Run All Cells")
    expect(page.locator(".jp-Notebook .jp-OutputArea-child").first).to_be_visible(timeout=PATIENCE)


def idle(page: Page) -> None:
    """Wait until the kernel has nothing to do."""
    bar = page.locator("#jp-main-statusbar").get_by_text(re.compile(r"\| Idle"))
    expect(bar).to_be_visible(timeout=PATIENCE)


def choose(page: Page, menu: str, item: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()
