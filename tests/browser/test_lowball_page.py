"""The 2-to-7 page in a real Chromium: climb a rung, move the stack, watch the root, take it home."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable

import pytest
from browser.conftest import PATIENCE
from browser.desk import BOXES, COLUMN
from playwright.sync_api import Locator, Page, expect

import solverlab as sl
from solverlab.store.lowball_results import write_lowball_results

pytestmark = pytest.mark.browser


class Visitor:
    """One tab on the 2-to-7 page."""

    def __init__(self, page: Page):
        self.page = page
        expect(self.score).to_contain_text("NashConv", timeout=PATIENCE)

    @property
    def score(self) -> Locator:
        return self.page.locator(".lowball-score .score")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def column(self, source: str, column: str) -> list:
        return self.page.evaluate(COLUMN, [source, column])

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Look again until it is so."""
        for _ in range(PATIENCE // 100):
            if condition():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(what)

    def rest(self) -> None:
        expect(self.button("▶ Run")).to_be_enabled()

    def type_in(self, label: str, words: str) -> None:
        box = self.page.get_by_label(label, exact=True)
        box.fill(words)
        box.press("Enter")

    def choose(self, label: str, option: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(label=option)

    def roots(self) -> list[str]:
        return self.column("curve-roots", "words")


def opened(server, watched, query: str = "schedule=DCFR", size: tuple[int, int] = (1280, 800)) -> Visitor:
    return Visitor(watched(f"{server.address}/two-to-seven?{query}", *size))


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_it_opens_on_one_card_without_scrolling(server, watched, size):
    visitor = opened(server, watched, size=size)
    for told in ("stack3", "+0.0905", "exact"):
        expect(visitor.score).to_contain_text(told)
    assert list(dict.fromkeys(visitor.column("hands-left", "hand"))) == list("23456789TJQKA")
    visitor.wait(lambda: visitor.roots() == ["3.940"], "no root")
    over = visitor.page.evaluate("document.scrollingElement.scrollHeight - window.innerHeight")
    across = visitor.page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    assert over <= 0 and across <= 0
    boxes = visitor.page.evaluate(BOXES, ".sheet")
    assert len(boxes) == 4
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= size[0] and 44 <= top < bottom <= size[1]
    (first, second, third, fourth), line = boxes, visitor.page.evaluate(BOXES, ".score")[0]
    assert first[2] <= second[0] and first[3] <= third[1] and third[2] <= fourth[0]
    assert line[2] <= size[0] and line[3] <= first[1]


def test_the_root_moves_with_the_rung_and_the_marker_with_the_stack(server, watched):
    visitor = opened(server, watched)
    visitor.wait(lambda: visitor.roots() == ["3.940"], "no root")
    visitor.wait(lambda: visitor.column("curve-here", "x") == [3], "no marker")
    before = visitor.column("hands-left", "percent")
    visitor.type_in("Typed stack", "4.5")
    expect(visitor.score).to_contain_text("stack4.5")
    visitor.wait(lambda: visitor.column("curve-here", "x") == [4.5], "the marker stayed")
    visitor.wait(lambda: visitor.column("curve-here", "y")[0] < 0, "the button still wins")
    visitor.wait(lambda: visitor.column("hands-left", "percent") != before, "the chart stayed")
    visitor.choose("Deck", "12 ranks, no ten")
    visitor.wait(lambda: "T" not in visitor.column("hands-left", "hand"), "the ten stayed")
    visitor.button("Add to the curves").click()
    visitor.wait(lambda: visitor.roots() == ["3.940", "3.893"], "the root did not move")
    visitor.button("Remove").click()
    visitor.wait(lambda: len(visitor.roots()) == 1, "the curve stayed")
    visitor.wait(lambda: "deck=12" in visitor.page.url and "stack=4.5" in visitor.page.url, "no address")
    again = Visitor(watched(visitor.page.url))
    expect(again.score).to_contain_text("stack4.5")
    visitor.button("Clear").click()
    visitor.wait(lambda: visitor.roots() == [], "the curves stayed")


def test_run_pause_step_and_reset_by_button_and_key(server, watched):
    visitor = opened(server, watched)
    visitor.rest()
    visitor.button("↺ Reset").click()
    expect(visitor.score).to_contain_text(re.compile(r"iteration\s*0(?!\d)"))
    visitor.button("Step 10").click()
    expect(visitor.score).to_contain_text(re.compile(r"iteration\s*10(?!\d)"))
    visitor.page.locator("nav").click(position={"x": 4, "y": 4})
    visitor.page.keyboard.press("s")
    expect(visitor.score).to_contain_text(re.compile(r"iteration\s*11(?!\d)"))
    visitor.button("▶ Run").click()
    visitor.rest()
    expect(visitor.score).to_contain_text("+0.0905")
    visitor.page.keyboard.press("]")
    expect(visitor.score).to_contain_text("stack3.1")


def test_two_cards_their_draws_and_a_plan(server, watched):
    visitor = opened(server, watched, "cards=2&each=4&discard=free&schedule=DCFR&stack=3.5")
    visitor.wait(lambda: len(visitor.column("hands-left-words", "words")) == 91, "no cells")
    visitor.button("Hands and draws").click()
    table = visitor.page.locator(".hands-table")
    expect(table).to_contain_text("91 of 91 hands")
    visitor.type_in("Only hands with", "82")
    expect(table).to_contain_text("1 of 1 hands with these cards (91 in all)")
    visitor.type_in("Plan of a hand", "2 8")
    plan = visitor.page.locator(".hand-plan")
    expect(plan).to_contain_text("82")
    expect(plan).to_contain_text(re.compile(r"as button, big blind stood pat\s*draw 1: keep 2"))
    visitor.type_in("Plan of a hand", "723")
    expect(visitor.notice).to_contain_text("Hands here have 2 cards, but '723' has 3")
    expect(visitor.page.get_by_label("Plan of a hand", exact=True)).to_have_value("2 8")


def test_wrong_inputs_are_one_sentence_and_the_charts_stay(server, watched):
    visitor = opened(server, watched)
    visitor.rest()
    before = visitor.column("hands-left", "percent")
    visitor.type_in("Typed stack", "plenty")
    expect(visitor.notice).to_contain_text("The stack is 'plenty'; give a number of big blinds from 1.01")
    expect(visitor.page.get_by_label("Typed stack", exact=True)).to_have_value("3")
    visitor.button("5").click()
    expect(visitor.page.locator(".size")).to_contain_text("5 cards, 13 x 2")
    visitor.choose("Discards", "original")
    expect(visitor.notice).to_contain_text("With 5 cards any of them may be thrown away")
    visitor.page.get_by_role("button", name="1").first.click()
    visitor.wait(lambda: visitor.column("hands-left", "percent")[:3] == before[:3], "one card is gone")


def test_what_is_taken_home_and_what_is_brought(server, watched, tmp_path):
    visitor = opened(server, watched)
    visitor.wait(lambda: visitor.roots() == ["3.940"], "no root")
    visitor.rest()
    for label, check in (
        ("Strategy CSV", lambda data: len(list(csv.DictReader(data.decode().splitlines()))) == 130),
        ("Curves CSV", lambda data: data.startswith(b"rung,stack,value") and b"1.5" in data),
        ("Curves SVG", lambda data: data.startswith(b"<svg") and data.count(b"<path") > 10),
        ("Charts PNG", lambda data: data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) > 800),
    ):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("main").get_by_text(label, exact=True).click()
        download.value.save_as(tmp_path / "file")
        assert check((tmp_path / "file").read_bytes()), label
    game = sl.LowballPushFold(3.0, cards=1)
    path = write_lowball_results(tmp_path / "other.json", game, sl.uniform_policy(game))
    visitor.page.get_by_role("button", name="Result file").first.click()
    upload = visitor.page.locator("input[type=file]")
    upload.set_input_files(path)
    compared = visitor.page.locator(".compared")
    expect(compared).to_contain_text("Where it differs most")
    true = sl.nash_conv(game, sl.uniform_policy(game))
    expect(compared).to_contain_text(f"{true:.6f}")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"metadata": {}}))
    upload.set_input_files(bad)
    expect(visitor.notice).to_contain_text(
        "Bad.json has no 'player_1_preflop', so it is no 2-to-7 result file"
    )
