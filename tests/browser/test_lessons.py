"""Lessons in a real browser: each shipped file is played to its end by the rail's own buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from solverlab.ui.lessons.shelf import shipped
from solverlab.ui.skeleton.guides import source

EXAMPLE = re.search(r"````markdown\n(.*?)````", source("lessons"), re.S)[1]


def rail(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Lessons")


def play(page: Page, lesson: dict) -> None:
    """Press Start, then in every step Show me or an answer; each check must become true."""
    rail(page).get_by_role("button", name=re.compile("^(Start|Start over)$")).click()
    for number, step in enumerate(lesson["steps"]):
        now = rail(page).locator("li.now")
        expect(now.locator("[data-now]")).to_have_text(step["title"])
        if "predict" in step:
            expect(now).to_have_attribute("data-state", "ask")
            slider = "slider" in step["predict"]
            name = re.compile("^Lock in") if slider else step["predict"]["choices"][0]["say"]
            now.get_by_role("button", name=name).click()
        elif "do" in step:
            expect(now).to_have_attribute("data-state", "act")  # what it asks for is not so yet
            now.get_by_role("button", name="Show me").click()
        expect(now).to_have_attribute("data-state", "done")
        if "predict" in step:
            expect(now.locator(".truth")).not_to_have_text("not on the page")
        expect(now.locator("output", has_text="…")).to_have_count(0)
        last = number == len(lesson["steps"]) - 1
        now.get_by_role("button", name="Finish" if last else "Next").click()
    expect(rail(page).get_by_text("The page is yours")).to_be_visible()
    expect(page.locator("#lesson-wrong")).to_be_hidden()


@pytest.mark.parametrize("slug", shipped())
def test_a_lesson_leads_to_its_end(server, watched, slug):
    lesson = shipped()[slug]
    page = watched(f"{server.address}/{lesson['page']}?lesson={slug}")
    play(page, lesson)
    rail(page).get_by_role("button", name="Lessons", exact=True).click()
    expect(rail(page).locator(".choice", has_text=lesson["title"])).to_contain_text("done")


def test_a_teachers_own_file_is_played_shared_and_a_bad_one_refused(server, watched):
    page: Page = watched(f"{server.address}/solve?game=kuhn", loud=("warning",))  # a refusal is a status 400
    page.keyboard.press("g")
    box = rail(page).locator("input[type=file]")
    bad = EXAMPLE.replace("```do", "```doo", 1)
    box.set_input_files({"name": "bad.md", "mimeType": "text/markdown", "buffer": bad.encode()})
    expect(page.locator("#lesson-wrong")).to_have_text(re.compile("^Line 8: there is no block 'doo'"))
    box.set_input_files({"name": "good.md", "mimeType": "text/markdown", "buffer": EXAMPLE.encode()})
    expect(page.locator("#lesson-title")).to_have_text("Ten steps of CFR")
    rail(page).get_by_role("button", name="Start").click()
    expect(rail(page).locator("li.now")).to_have_attribute("data-state", "ask")


def test_an_unknown_lesson_is_told(server, watched):
    page: Page = watched(f"{server.address}/solve?game=kuhn&lesson=chess")
    expect(page.locator("#lesson-wrong")).to_have_text(
        "There is no lesson “chess” here; choose one of these."
    )
    here = [lesson for lesson in shipped().values() if lesson["page"] == "solve"]
    expect(rail(page).locator(".choice")).to_have_count(len(here))
    page.get_by_role("button", name="Close the lessons").click()
    expect(rail(page)).to_be_hidden()
