"""A fresh installation: how long the first click on each page takes when nothing is compiled and nothing built."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import psutil

from solverlab.core.rows import Row
from solverlab.proof.scatter import DRAWN
from solverlab.proof.verdict import Claim, Verdict
from solverlab.proof.visiting import browser_page, free_port, listening

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 120_000  # milliseconds
RUNS = 3
# Every part of the page is there and painted; what it works at beside that does not count.
STANDS = "() => window.Bokeh?.documents?.length > 0 && Bokeh.documents.every((document) => document.is_idle)"
# A number of the line above the plots, somewhere below shadow roots.
NUMBER = """(name) => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches(".score")) return e;
      const below = e.shadowRoot && find(e.shadowRoot);
      if (below) return below;
    }
  };
  const told = find(document)?.innerText.match(new RegExp(name + "\\\\s*([\\\\d,]+)"));
  return told ? Number(told[1].replaceAll(",", "")) : -1;
}"""
GRIDS = """() => ["grid-left", "grid-right"].every((name) => {
  const source = [...Bokeh.documents[0]._all_models.values()].find((model) => model.name === name);
  return source && Array.from(source.get_column("words") ?? []).includes("100");
})"""


def _told(name: str, least: int) -> str:
    """Whether a number of a page's top line has come to `least`."""
    return f"() => ({NUMBER})({name!r}) >= {least}"


@dataclass(frozen=True)
class First:
    """One first action: where, which button or none, when it is answered, and the seconds it may take."""

    words: str
    address: str
    button: str
    answered: str
    limit: float


FIRSTS = (
    First("Step 1 on Solve", "solve", "Step 1", _told("iteration", 1), 1.5),
    First("Play of six-handed hold'em on Grow", "grow", "▶ Play", _told("sweep", 1), 6.0),
    First("the grids of Push/fold", "push-fold", "", GRIDS, 8.0),
    First("the cloud of flops on Abstraction", "abstraction", "", DRAWN, 8.0),
)
RUNNING = First("a running solve of Kuhn", "solve?game=kuhn", "▶ Run", _told("iteration", 10), 10.0)


def prove(quick: bool = False) -> Verdict:
    """Each first action on a server of its own, whose home and compile cache are empty, in a real browser.

    Three times each, and the median counts; in a test once, with patience. The last one begins where a fresh
    clone does: Python's own bytecode is missing, too, for `make serve` installs without it.
    """
    runs, slack = (1, 30.0) if quick else (RUNS, 1.0)
    firsts = (FIRSTS[0],) if quick else FIRSTS
    with browser_page() as page:
        rows = {first.words: [_once(page, first) for _ in range(runs)] for first in firsts}
        rows[RUNNING.words] = [_once(page, RUNNING, bytecode=False) for _ in range(runs)]
    claims = [_claim(first, rows[first.words], "answered", slack) for first in firsts]
    claims.append(_claim(RUNNING, rows[RUNNING.words], "from the start of the server", slack))
    return Verdict(claims, {"runs": rows})


def _claim(first: First, rows: list[Row], name: str, slack: float) -> Claim:
    since = "the page stands" if name == "answered" else "the server was started on a fresh clone"
    median = statistics.median(float(row[name]) for row in rows)
    return Claim(f"seconds until {first.words}, since {since}, median", median, slack * first.limit)


def _once(page: Page, first: First, bytecode: bool = True) -> Row:
    """Seconds of one visit to a server that has never run."""
    load, began = os.getloadavg()[0], monotonic()
    with _fresh_server(bytecode) as address:
        listening(address)
        listens = monotonic() - began
        visitor = page.context.browser.new_page(viewport={"width": 1280, "height": 800})
        visitor.goto(f"{address}/{first.address}", timeout=PATIENCE)
        visitor.wait_for_function(STANDS, timeout=PATIENCE)
        stands = monotonic() - began
        if first.button:
            visitor.get_by_role("button", name=first.button, exact=True).click(timeout=PATIENCE)
        visitor.wait_for_function(first.answered, timeout=PATIENCE)
        whole = monotonic() - began
        visitor.close()
    times = {"listens": listens, "page stands": stands, "from the start of the server": whole}
    return {**times, "answered": whole - stands, "load before": load}


@contextmanager
def _fresh_server(bytecode: bool) -> Iterator[str]:
    """`solverlab serve` with its children, in empty folders; whoever it started has ended when this ends."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        own = {"SOLVERLAB_HOME": str(Path(folder) / "home"), "NUMBA_CACHE_DIR": str(Path(folder) / "compiled")}
        own |= {} if bytecode else {"PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")}
        server = psutil.Popen(
            [sys.executable, "-m", "solverlab", "serve", "--port", str(port), "--no-show"],
            env=os.environ | own,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"http://localhost:{port}"
        finally:
            children = server.children(recursive=True)
            server.terminate()
            server.wait(30)
            for child in psutil.wait_procs(children, timeout=60)[1]:
                child.kill()
