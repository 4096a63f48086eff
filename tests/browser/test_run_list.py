"""The list of runs of the Solve page in a real browser: races, and nothing that was solved is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_race(visit):
    desk = visit("game=kuhn&schedule=CFR&to=20")
    desk.reach(20)
    desk.button("Keep run").click()
    desk.holds("average-1", 20)
    desk.choose("Schedule", "DCFR")
    desk.reach(0)
    desk.button("Step 10").click()
    desk.reach(10)
    desk.holds("average-0", 10)
    desk.holds("average-1", 20)
    runs = desk.page.get_by_role("region", name="Runs")
    expect(runs.locator("li")).to_have_count(2)  # the copy and the run it was taken of are one
    runs.get_by_label("Show CFR on the plot").or_(runs.get_by_label("Show CFR #2 on the plot")).uncheck()
    desk.holds("average-1", 0)


def test_no_run_is_lost(visit):
    desk = visit("game=kuhn&schedule=CFR&to=20")
    desk.reach(20)
    desk.choose("Schedule", "DCFR")
    desk.reach(0)
    desk.button("Step 10").click()
    desk.reach(10)
    runs = desk.page.get_by_role("region", name="Runs")
    expect(runs.locator("li")).to_have_count(2)
    runs.get_by_role("button", name="Open CFR", exact=True).click()
    desk.reach(20)
    runs.get_by_role("button", name="Rename CFR", exact=True).click()
    runs.get_by_label("New name of CFR").fill("plain")
    desk.page.keyboard.press("Enter")
    expect(runs.get_by_text("plain", exact=True)).to_be_visible()
    runs.get_by_role("button", name="Delete DCFR", exact=True).click()
    expect(runs.locator("li")).to_have_count(1)
    runs.get_by_role("button", name="Undo", exact=True).click()
    expect(runs.locator("li")).to_have_count(2)
    with desk.page.expect_download() as file:
        runs.get_by_role("button", name="Export plain as CSV", exact=True).click()
    assert file.value.path().read_bytes().startswith(b"iteration,seconds,touched")
    desk.page.reload()
    desk.reach(20)
    expect(runs.locator("li")).to_have_count(2)
    expect(runs.locator("li.live")).to_contain_text("plain")
