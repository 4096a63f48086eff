"""The frame of every page: themes, keys, help, the menu of pages, phones, and the way back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from solverlab.ui.shell import PAGES as ENTRIES

GROUND = "() => getComputedStyle(document.body).backgroundColor"
PAGES = tuple(entry.slug for entry in ENTRIES)
WIDTH = "() => document.documentElement.scrollWidth"


def test_home_leads_to_every_page_and_remembers_the_last(server, watched):
    page = watched(f"{server.address}/")
    expect(page).to_have_title("Home · solverlab")
    for slug in PAGES:
        expect(page.locator(f".cards a[href='{slug}']")).to_be_visible()
    expect(page.locator("#continue")).to_be_hidden()
    page.locator("nav a[href='figures']").click()
    expect(page.locator(".figures")).to_be_visible()
    page.locator("a.brand").click()
    expect(page.locator("#continue strong")).to_have_text("Figures")


def test_the_theme_follows_the_system_and_the_switch(server, watched):
    page: Page = watched(f"{server.address}/help")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate(GROUND)
    page.get_by_role("button", name="Light or dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(GROUND) != dark
    page.keyboard.press("t")
    assert page.evaluate(GROUND) == dark


def test_keys_help_and_terms(server, watched):
    page: Page = watched(f"{server.address}/figures")
    expect(page.locator(".figures")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_text("light or dark", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog#keys")).to_be_hidden()
    page.get_by_role("button", name="Help and terms").click()
    page.locator("#find").fill("exploitab")
    expect(page.locator("#terms dt").first).to_have_text("exploitability")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def test_eleven_pages_fold_into_a_menu(server, watched):
    """However many pages there are: as many links as make eleven are added, or taken away."""
    page: Page = watched(f"{server.address}/", width=1900)
    expect(page.locator(".tools .menu")).to_be_hidden()
    page.evaluate(
        """() => {
          while (pages.childElementCount > 11) pages.lastElementChild.remove();
          while (pages.childElementCount < 11) pages.append(pages.lastElementChild.cloneNode(true));
        }"""
    )
    page.set_viewport_size({"width": 899, "height": 800})
    page.get_by_role("button", name="Pages").click()
    expect(page.locator("nav#pages a")).to_have_count(11)
    for link in page.locator("nav#pages a").all():
        expect(link).to_be_in_viewport()
        assert link.bounding_box()["height"] >= 44


@pytest.mark.parametrize("slug", ["", "help", *PAGES])
def test_nothing_hangs_over_the_edge_of_a_phone(server, watched, slug):
    page: Page = watched(f"{server.address}/{slug}", width=390, height=844)
    if slug in PAGES:  # the page's own parts stand, and not only the frame around them
        expect(page.locator(".columns, .figures")).to_be_visible()
    assert page.evaluate(WIDTH) == 390


def test_back_undoes_a_setting(server, watched):
    page: Page = watched(f"{server.address}/solve?game=kuhn")
    hand = page.get_by_label("Hand", exact=True)
    expect(hand).to_have_value("J")
    page.wait_for_timeout(1500)
    page.keyboard.press("h")
    expect(page).to_have_url(re.compile("hand=Q"))
    expect(hand).to_have_value("Q")
    page.go_back()
    expect(page).not_to_have_url(re.compile("hand=Q"))
    expect(hand).to_have_value("J")
