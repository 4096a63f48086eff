"""Everybody can use every page: axe-core finds no serious fault in either theme, and a keyboard is enough."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.conftest import PATIENCE
from browser.desk import Desk
from playwright.sync_api import Page, expect

from solverlab.ui.shell import PAGES as ENTRIES

PAGES = ("", "help", *(entry.slug for entry in ENTRIES))
GRAVE = ("serious", "critical")
# What has the focus, inside as many shadow roots as it takes: its name.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const label = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
  return label.replace(/\\s+/g, " ").trim();
}"""


def grave(page: Page) -> list[str]:
    """What axe-core calls serious or critical, with the first place of each."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in GRAVE]


@pytest.mark.parametrize("slug", PAGES)
def test_axe_finds_nothing_grave_in_either_theme(server, watched, slug):
    page: Page = watched(f"{server.address}/{slug}")
    themes = {page.locator("html").get_attribute("data-theme"): grave(page)}
    page.keyboard.press("t")
    themes[page.locator("html").get_attribute("data-theme")] = grave(page)
    assert themes == {"light": [], "dark": []}


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the focus; nobody presses it more than a hundred times."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).startswith(name):
            return
    raise AssertionError(f"Tab never comes to {name!r}")


def test_solve_by_keyboard_alone(server, watched):
    page: Page = watched(f"{server.address}/solve")
    desk = Desk(page)
    tab_to(page, "Game")
    page.keyboard.press("k")  # the first game of that letter
    expect(page).to_have_url(re.compile("game=kuhn"))
    desk.reach(0)
    tab_to(page, "Step 10")
    page.keyboard.press("Enter")
    desk.reach(10)
    tab_to(page, "▶ Run")
    page.keyboard.press("Enter")
    desk.pass_iteration(10)
    page.keyboard.press("Enter")  # the same button, which is Pause now
    desk.final_iteration()
    tab_to(page, "Look back")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".scrub-label")).to_contain_text("(past)", timeout=PATIENCE)


def test_pushfold_by_keyboard_alone(server, watched):
    page: Page = watched(f"{server.address}/push-fold?stack=10")
    score = page.locator(".pushfold-score .score")
    expect(score).to_contain_text(re.compile(r"stack\s*10\b"))
    tab_to(page, "Stack")
    page.keyboard.press("ArrowRight")
    expect(score).to_contain_text(re.compile(r"stack\s*10\.5"))
    tab_to(page, "Chart by stack")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("show=chart"))
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):  # the first arrow chooses the first hand
        page.keyboard.press(key)
    expect(score).to_contain_text("KK jams / calls")
    expect(page).to_have_url(re.compile("hand=KK"))
