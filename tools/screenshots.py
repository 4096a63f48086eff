"""Draw docs/images anew: every view of the dashboard at 1280x800 and 1920x1080.

A view joins by one line in `VIEWS`: its name, its address, and what to press before the picture is taken.
Other pictures in the folder are left alone.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from provide_chromium import ADVICE, find

from solverlab.proof.visiting import free_port

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZES = [(1280, 800), (1920, 1080)]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
PATIENCE = 180_000
OWN = '{"ranks":"TJQK","suits":2,"board_cards":[0,1],"raise_sizes":[2,4],"max_raises":[2,2]}'


def nothing(page: Page) -> None:
    """The view as it opens."""


def race(page: Page) -> None:
    """Three members of the family on one axis."""
    for schedule in ("CFR+", "DCFR"):
        page.get_by_label("Schedule", exact=True).select_option(label=schedule)
        rested(page, 0)
        for _ in range(3):
            page.get_by_role("button", name="Step 100", exact=True).click()
            page.wait_for_timeout(200)
        rested(page, 300)
    page.mouse.move(700, 20)


def running(page: Page) -> None:
    """In the middle of a run."""
    page.get_by_role("button", name="▶ Run", exact=True).click()
    page.mouse.move(700, 20)
    page.wait_for_timeout(2500)


def past(page: Page) -> None:
    """Looking back at an early moment."""
    for _ in range(30):
        page.keyboard.press("[")
    expect(page.locator(".scrub-label")).to_contain_text("(past)", timeout=PATIENCE)


def fold(title: str) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        page.get_by_text(title, exact=True).click()
        page.mouse.move(700, 20)

    return open_it


def charted(page: Page) -> None:
    """Every stack solved: the curve below the grids has its points."""
    points = "() => [...Bokeh.documents[0]._all_models.values()].find((m) => m.name === 'curve-left')"
    page.wait_for_function(f"({points})().data.share.length > 0", timeout=PATIENCE)


def bad_stack(page: Page) -> None:
    """A stack that cannot be: one sentence, and the old chart stays."""
    charted(page)
    box = page.get_by_label("Stack in big blinds", exact=True)
    box.fill("plenty")
    box.press("Enter")
    expect(page.locator(".notice")).to_contain_text("plenty", timeout=PATIENCE)


PICTURE = """() => {
  const models = [...Bokeh.documents[0]._all_models.values()];
  return models.some((model) => model.name === "picture" && model.data.image.length);
}"""


def scattered(page: Page) -> None:
    """The picture of all hands stands."""
    page.wait_for_function(PICTURE, timeout=PATIENCE)


def tab(*names: str) -> Callable[[Page], None]:
    """Tabs opened one after the other, once the hands are there."""

    def open_them(page: Page) -> None:
        scattered(page)
        for name in names:
            page.locator(".bk-tab", has_text=re.compile(f"^{name}$")).click()
        page.wait_for_timeout(4000)  # what a tab draws is ordered when it opens
        page.mouse.move(700, 20)

    return open_them


def rivers(page: Page) -> None:
    """The density of all river hands stands."""
    density = "[...Bokeh.documents[0]._all_models.values()].some((model) => model.name === 'density')"
    page.wait_for_function(f"() => {density}", timeout=PATIENCE)


def priced(game: str) -> Callable[[Page], None]:
    """The price of abstraction in a game, computed."""

    def compute(page: Page) -> None:
        tab("Price of abstraction")(page)
        page.get_by_label("Game", exact=True).select_option(label=game)
        page.get_by_role("button", name="Measure the prices", exact=True).click()
        expect(page.locator(".prices tr").nth(3)).to_be_visible(timeout=3 * PATIENCE)
        page.mouse.move(700, 20)

    return compute


def reproduced(page: Page) -> None:
    """The first figures of the list, made here and now."""
    for number in range(2):
        card = page.locator(".figure").nth(number)
        card.get_by_role("button", name="Reproduce", exact=True).click()
        expect(card.locator("img")).to_be_visible(timeout=PATIENCE)
    page.mouse.move(700, 20)


def crossed(number: int) -> Callable[[Page], None]:
    """2-to-7 rests: without a curve (0), with that of the first rung (1), or with one asked for (2)."""

    def wait(page: Page) -> None:
        if number > 1:
            page.get_by_role("button", name="Add to the curves", exact=True).click()
        if number > 0:
            first = "[...Bokeh.documents[0]._all_models.values()].find((m) => m.name === 'curve-0')"
            page.wait_for_function(f"() => ({first}).data.stack.length > 15", timeout=3 * PATIENCE)
        expect(page.get_by_role("button", name="Cancel", exact=True)).to_be_hidden(timeout=PATIENCE)
        expect(page.get_by_role("button", name="▶ Run", exact=True)).to_be_enabled(timeout=PATIENCE)
        page.mouse.move(700, 20)

    return wait


def brought(page: Page) -> None:
    """A result file, measured: the page's own strategy after ten iterations of CFR."""
    page.get_by_role("button", name="↺ Reset", exact=True).click()
    expect(page.locator(".lowball-score .score b").nth(1)).to_have_text("0", timeout=PATIENCE)
    page.get_by_role("button", name="Step 10", exact=True).click()
    expect(page.locator(".lowball-score .score b").nth(1)).to_have_text("10", timeout=PATIENCE)
    with page.expect_download() as download:
        page.get_by_text("Result JSON", exact=True).click()
    with tempfile.TemporaryDirectory() as folder:
        download.value.save_as(Path(folder) / "2-to-7.json")
        page.locator("input[type=file]").set_input_files(Path(folder) / "2-to-7.json")
        expect(page.locator(".compared")).to_contain_text("Where it differs most", timeout=PATIENCE)
    page.mouse.move(700, 20)


def grown(sweeps: int, *keys: str) -> Callable[[Page], None]:
    """Trees after so many sweeps of play, then some keys; `>` walks in the tree from the first seat on."""

    def wait(page: Page) -> None:
        page.get_by_role("button", name="▶ Play").click()
        score = page.locator(".grow-score .score")
        end = time.monotonic() + 3 * PATIENCE / 1000
        while time.monotonic() < end:
            found = re.search(r"sweep\s*([\d,]+)", score.inner_text())
            if found and int(found[1].replace(",", "")) >= sweeps:
                break
            page.wait_for_timeout(100)
        page.get_by_role("button", name="❚❚ Pause").click()
        expect(page.get_by_role("button", name="▶ Play")).to_be_visible(timeout=PATIENCE)
        for key in keys:
            if key in ("Home", "ArrowRight", "ArrowDown"):
                page.locator(".sl-forest-stage").focus()
            page.keyboard.press(key)
            page.wait_for_timeout(300)
        page.mouse.move(700, 20)
        page.wait_for_timeout(2500)  # new nodes have flashed, the plots have caught up

    return wait


# What shows that a page has opened, by the beginning of its address.
OPENED = {
    "push-fold": ".pushfold-score .score",
    "solve": ".microscope-pane table",
    "abstraction": ".views",
    "figures": ".figures",
    "two-to-seven": ".lowball-score .score",
    "grow": ".grow-score .score",
}
HAND = "hand=AhKh&board=Td9d6h"

VIEWS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "solve": ("solve?game=leduc&to=300&node=raise&hand=Qs", nothing),
    "solve-race": ("solve?game=leduc&schedule=CFR&to=300&clock=touched", race),
    "solve-running": ("solve?game=leduc&to=100", running),
    "solve-past": ("solve?game=kuhn&schedule=DCFR&to=60&node=check/raise&hand=Q", past),
    "solve-sampling": ("solve?game=kuhn&schedule=CFR&sampling=external&seed=7&to=2000&hand=K", nothing),
    "solve-three-players": ("solve?game=kuhn-3&to=200&node=check&hand=K", nothing),
    "solve-hidden-move": ("solve?game=rock-paper-scissors&to=20&node=rock", nothing),
    "solve-own-poker": (f"solve?game=own&own={OWN}&to=50", nothing),
    "solve-export": ("solve?game=kuhn&to=40", fold("Save, load, export")),
    "solve-keyboard": ("solve?game=kuhn&to=40", lambda page: page.keyboard.press("?")),
    "abstraction-flop": ("abstraction", scattered),
    "abstraction-hand": (f"abstraction?{HAND}", tab("Hand")),
    "abstraction-sequence": (f"abstraction?history=yes&prefix=2&{HAND}", tab("Boundaries")),
    "abstraction-buckets": ("abstraction?scheme=ranges&count=10&metric=ehs", tab("Buckets")),
    "abstraction-flow": ("abstraction?count=5&history=yes", tab("Flow")),
    "abstraction-compare": ("abstraction?history=yes&prefix=2", tab("Two abstractions")),
    "abstraction-price": ("abstraction", priced("Leduc hold'em")),
    "abstraction-pushfold": ("abstraction", priced("push/fold hold'em")),
    "abstraction-river": ("abstraction?street=river", rivers),
    "grow": ("grow", grown(90)),
    "grow-deep": ("grow?players=3&stack=50&order=EV&k=10", grown(60)),
    "grow-alarm": ("grow?game=matching-pennies&tolerance=1e-6", grown(130)),
    "grow-node": ("grow?game=kuhn&k=2", grown(40, "Home", "ArrowRight", "b")),
    "grow-leduc": ("grow?game=leduc&k=5", grown(60)),
    "figures": ("figures", reproduced),
    "push-fold": ("push-fold?stack=10&hand=43s", charted),
    "push-fold-chart": ("push-fold?show=chart&hand=K9s", charted),
    "push-fold-three": ("push-fold?players=3&stack=8&right=jam/call", nothing),
    "push-fold-bad-stack": ("push-fold?stack=7.5", bad_stack),
    "two-to-seven": ("two-to-seven", crossed(1)),
    "two-to-seven-betting": (
        "two-to-seven?cards=2&each=4&discard=free&betting=raise&stack=5&schedule=DCFR",
        crossed(2),
    ),
    "two-to-seven-strip": ("two-to-seven?cards=3&each=4&schedule=DCFR&right=aa", crossed(0)),
    "two-to-seven-whole": ("two-to-seven?cards=4&each=4&discard=free&right=aa", crossed(0)),
    "two-to-seven-hands": (
        "two-to-seven?cards=2&each=4&discard=free&show=hands&hand=82&schedule=DCFR",
        crossed(0),
    ),
    "two-to-seven-file": ("two-to-seven?show=file", brought),
    "solve-bad-link": ("solve?game=chess&schedule=DCFR&hand=Qs&to=10", nothing),
}


def rested(page: Page, iteration: int) -> None:
    """Wait until an iteration is on the page and the microscope has its numbers."""
    expect(page.locator(".score-line .score b").first).to_have_text(f"{iteration:,}", timeout=PATIENCE)
    expect(page.locator(".microscope-pane table")).to_be_visible(timeout=PATIENCE)


@contextmanager
def serving() -> Iterator[str]:
    """The dashboard on a free port, with a folder of runs of its own."""
    port = free_port()
    program = f"from solverlab.ui.shell import serve; serve(port={port}, show=False)"
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"SOLVERLAB_HOME": home}
        server = subprocess.Popen([sys.executable, "-c", program], env=environment)
        try:
            while server.poll() is None:
                try:
                    socket.create_connection(("localhost", port), timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            server.wait(30)


def shoot(browser: Browser, address: str, name: str, width: int, height: int) -> Path:
    """One view at one size."""
    query, act = VIEWS[name]
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/{query}")
    expect(page.locator(OPENED[re.split("[?]", query)[0]])).to_be_visible(timeout=PATIENCE)
    act(page)
    page.wait_for_timeout(800)  # for the eye only: colours of a pressed button fade
    path = FOLDER / f"{name}-{width}x{height}.png"
    page.screenshot(path=path)
    page.close()
    return path


def main(names: list[str]) -> int:
    """Draw the named views, or all of them."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in names or VIEWS:
            for width, height in SIZES:
                print(
                    shoot(browser, address, name, width, height).relative_to(FOLDER.parent.parent), flush=True
                )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
