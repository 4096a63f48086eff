"""The notebook laboratories in a real JupyterLab and Chromium: step, run, grow, select, look back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.jupyter_lab import PATIENCE, choose, idle, run_all, serving
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
NOTEBOOKS = {
    "lab": ['import solverlab as sl\n\nlab = sl.ui.Lab(sl.Leduc(), "CFR+")\nlab'],
    "left": ["import solverlab as sl\n\nlab = sl.ui.Lab(sl.Kuhn())\nlab", "lab.runner.latest().running"],
    "grow": [
        "import solverlab as sl\n\ntable = sl.Holdem(players=6)\n"
        "lab = sl.ui.GrowLab(table, frontier=sl.MostReached(2), samples=20, sweeps=2)\nlab"
    ],
    "plots": [
        "import solverlab as sl\n\nsolver = sl.CFR(sl.Leduc())\n"
        'numbers = ["exploitability", "current_exploitability"]\n'
        "trace = sl.Trace(sl.run(solver, until=sl.iterations(50), measure=numbers))",
        "sl.views.convergence(trace)",
        'sl.views.strategy(trace.last, "raise")',
        'sl.views.tree(trace.last, hand="Ks", depth=2)',
        'sl.views.microscope(solver, "raise", hand="Ks")',
    ],
}
GLYPHS = """() => Bokeh.documents.flatMap((d) => d.roots()).map((plot) =>
  plot.renderers.map((r) => Object.values(r.data_source.data)[0].length))"""


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("jupyter"), NOTEBOOKS) as address:
        yield address


@pytest.fixture
def opened(jupyter, watched):
    """Open a notebook and run all of it; at the end no request left this machine and nothing went wrong."""

    def go(name: str) -> Page:
        page = watched(loud=("error",))
        run_all(page, f"{jupyter}/lab/tree/{name}.ipynb")
        return page

    return go


def status(page: Page) -> Locator:
    return page.locator(".sl-lab-status")


def press(page: Page, words: str) -> None:
    page.locator(".jupyter-button", has_text=re.compile(rf"{words}$")).click()


def stands_at(page: Page, iteration: int) -> None:
    expect(status(page)).to_contain_text(re.compile(rf"iteration {iteration:,}\b"), timeout=PATIENCE)


def iteration(page: Page) -> int:
    return int(re.search(r"iteration ([\d,]+)", status(page).inner_text())[1].replace(",", ""))


def until(page: Page, true) -> None:
    """Look again and again, letting the page's events in between."""
    for _ in range(PATIENCE // 100):
        if true():
            return
        page.wait_for_timeout(100)
    raise AssertionError(status(page).inner_text())


def shown_at_rest(page: Page) -> int:
    """The iteration once it stays: a busy browser may paint the button before the numbers."""
    seen = [-1, iteration(page)]

    def stays() -> bool:
        page.wait_for_timeout(400)
        seen.append(iteration(page))
        return seen[-1] == seen[-2]

    until(page, stays)
    return seen[-1]


def select(page: Page, words: str) -> Locator:
    """The menu of that name."""
    return page.locator(".widget-dropdown").filter(has_text=words).locator("select")


def curve_points(page: Page) -> list[int]:
    """How many points each line of the curve has; the legend's two lines have one."""
    return page.locator(".sl-curve path.line").evaluate_all(
        "e => e.map(p => p.getAttribute('d').split('L').length)"
    )


def test_step_run_and_pause(opened):
    page = opened("lab")
    stands_at(page, 0)
    for words, reached in (("Step 1", 1), ("Step 10", 11), ("Step 100", 111)):
        press(page, words)
        stands_at(page, reached)
    average, current = curve_points(page)[:2]
    assert average == current >= 40
    press(page, "Run")
    until(page, lambda: iteration(page) > 200)
    expect(page.locator(".jupyter-button", has_text="Step 10").first).to_be_disabled()
    press(page, "Pause")
    expect(page.locator(".jupyter-button", has_text="Run")).to_be_visible()
    frozen = shown_at_rest(page)
    page.wait_for_timeout(1500)
    assert iteration(page) == frozen > 200
    assert re.search(r"average exploitability \d", status(page).inner_text())
    keep_pictures(page, "lab-in-jupyter")


def test_select_a_node_and_look_back(opened):
    page = opened("lab")
    stands_at(page, 0)
    press(page, "Step 100")
    stands_at(page, 100)
    page.locator('.sl-tree [data-node="2"] > circle').click()
    table = page.locator(".sl-lab-table").first
    expect(table).to_contain_text("The second player at raise", timeout=PATIENCE)
    assert [cell.strip() for cell in table.locator("thead th").all_inner_texts()][1:4] == [
        "fold",
        "call",
        "raise",
    ]
    expect(page.locator(".sl-microscope")).to_contain_text("The second player after raise with Js")
    before = table.inner_text()
    page.locator(".sl-scrub input").focus()
    page.keyboard.press("Home")
    stands_at(page, 0)
    expect(status(page)).to_contain_text("looking back from 100")
    expect(table).to_contain_text("0.333")
    press(page, "Newest")
    stands_at(page, 100)
    until(page, lambda: table.inner_text() == before)


def test_other_schedules_and_sampling_start_over(opened):
    page = opened("lab")
    stands_at(page, 0)
    press(page, "Step 10")
    stands_at(page, 10)
    select(page, "Schedule").select_option(label="DCFR")
    stands_at(page, 0)
    select(page, "Sampling").select_option(label="external")
    press(page, "Step 100")
    stands_at(page, 100)
    expect(page.locator(".sl-lab-table").last).to_contain_text("MCCFR makes others")


def test_a_laboratory_nobody_sees_pauses(opened):
    page = opened("left")
    stands_at(page, 0)
    press(page, "Run")
    expect(page.locator(".jupyter-button", has_text="Pause")).to_be_visible()
    choose(page, "Edit", "Clear Outputs of All Cells")
    expect(page.locator(".sl-lab-status")).to_have_count(0)
    page.locator(".jp-Notebook .cm-content").last.click()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("False", timeout=PATIENCE)


def test_trees_grow_are_clicked_and_scrubbed_back(opened):
    page = opened("grow")
    tree = page.locator(".sl-forest")
    expect(tree).to_have_attribute("data-size", "6", timeout=PATIENCE)  # six seats, hole cards alone
    press(page, "Play")
    until(page, lambda: int(tree.get_attribute("data-size")) > 120)
    press(page, "Pause")
    expect(page.locator(".jupyter-button", has_text="Play")).to_be_visible()
    tree.scroll_into_view_if_needed()
    page.mouse.click(*tree.evaluate("(tree) => tree.spotOf(6)"))
    expect(page.locator(".sl-grow-node")).to_contain_text("small blind with AA", timeout=PATIENCE)
    assert min(curve_points(page)[:2]) >= 2
    keep_pictures(page, "grow-lab-in-jupyter", ".sl-forest")
    page.locator(".sl-scrub input").focus()
    page.keyboard.press("Home")
    expect(tree).to_have_attribute("data-size", "6", timeout=PATIENCE)


def test_static_pictures_show_without_a_network(opened):
    page = opened("plots")
    expect(page.locator(".sl-microscope")).to_be_visible(timeout=PATIENCE)
    idle(page)
    page.wait_for_function("() => window.Bokeh && Bokeh.documents.length === 2")
    lines, bars = page.evaluate(GLYPHS)
    assert len(lines) == 2 and min(lines) >= 15
    assert sum(bars) >= 12
    assert page.locator(".jp-OutputArea-output canvas").count() >= 2
    assert page.locator(".jp-OutputArea-output svg[aria-label='game tree'] circle").count() >= 5


def keep_pictures(page: Page, name: str, part: str = ".sl-microscope") -> None:
    """Store screenshots for the documents when SOLVERLAB_SCREENSHOTS names a folder."""
    if folder := os.environ.get("SOLVERLAB_SCREENSHOTS"):
        for width, height in ((1920, 1080), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(500)
            page.locator(part).scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            page.screenshot(path=Path(folder) / f"{name}-{width}x{height}.png")
