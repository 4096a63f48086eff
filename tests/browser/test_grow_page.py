"""The Grow page in a real Chromium: play, pause, scrub, branch, inspect, and take the numbers home."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

import pytest
from browser.conftest import PATIENCE, Server
from browser.desk import BOXES
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

# The canvas tells its own numbers in data attributes, somewhere below shadow roots.
CANVAS = """() => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.dataset?.frames !== undefined) return e;
      const below = e.shadowRoot && find(e.shadowRoot);
      if (below) return below;
    }
  };
  const e = find(document);
  if (!e) return {frames: -1, size: -1};
  const box = e.getBoundingClientRect();
  return {frames: Number(e.dataset.frames), size: Number(e.dataset.size), scale: Number(e.dataset.scale),
          box: [box.left, box.top, box.right, box.bottom]};
}"""


class Visitor:
    """One tab on the Grow page."""

    def __init__(self, page: Page):
        self.page = page
        expect(self.score).to_contain_text("sweep", timeout=PATIENCE)
        self.wait(lambda: self.canvas()["size"] > 0, "no tree was drawn")

    @property
    def score(self) -> Locator:
        return self.page.locator(".grow-score .score")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    def canvas(self) -> dict:
        return self.page.evaluate(CANVAS)

    def number(self, name: str) -> float:
        found = re.search(rf"{name}\s*([\d,.e+-]+)", self.score.inner_text())
        return float(found[1].replace(",", "")) if found else -1.0

    def rested(self) -> float:
        """The sweep shown once the score has caught up with the last frame."""
        before, now = -1.0, self.number("sweep")
        while now != before:
            self.page.wait_for_timeout(1000)
            before, now = now, self.number("sweep")
        return now

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Look again until it is so."""
        for _ in range(PATIENCE // 100):
            if condition():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(what)

    def type_in(self, label: str, words: str) -> None:
        box = self.page.get_by_label(label, exact=True)
        box.fill(words)
        box.press("Enter")


def test_six_handed_holdem_grows_before_ones_eyes(server: Server, watched):
    visitor = Visitor(watched(f"{server.address}/grow?deals=40&sweeps=2&k=6"))
    assert visitor.number("nodes") == 6 * 169 and visitor.number("decisions") == 0
    _stands_clear(visitor.page)
    visitor.page.keyboard.press(" ")
    visitor.wait(lambda: visitor.canvas()["size"] > 400, "the tree did not grow")
    sizes: set[int] = set()
    # It grows step by step, not in one go.
    visitor.wait(lambda: sizes.add(visitor.canvas()["size"]) or len(sizes) >= 3, "the tree stopped growing")
    expect(visitor.button("❚❚ Pause")).to_be_visible()
    visitor.page.keyboard.press(" ")
    expect(visitor.button("▶ Play")).to_be_visible()
    visitor.wait(lambda: visitor.canvas()["frames"] > 10, "few frames were painted")
    before = visitor.rested()
    for _ in range(3):  # a growth is a moment of its own, without a sweep
        visitor.page.keyboard.press("[")
    visitor.wait(lambda: visitor.number("sweep") < before, "it did not go back")
    visitor.page.get_by_label("Test", exact=True).select_option(label="relative")
    visitor.type_in("Scale", "3")
    expect(visitor.page.locator(".pending")).to_contain_text("scale 1 → 3, test absolute → relative")
    visitor.page.get_by_role("button", name="Branch").click()
    visitor.wait(lambda: "run 2: scale 1 → 3" in visitor.page.content() or _menu(visitor), "no branch")
    visitor.button("Rebalance").click()
    visitor.page.get_by_role("main").get_by_text("Log", exact=True).click()
    expect(visitor.page.locator(".grow-log").first).to_contain_text("number 1 of its position")


def _stands_clear(page: Page) -> None:
    """The column of settings is scrolled, not squeezed, and help covers none of them."""
    last, below = page.get_by_label("Weigh hands by", exact=True), page.get_by_role("button", name="Growth")
    assert last.bounding_box()["y"] + last.bounding_box()["height"] <= below.bounding_box()["y"]
    page.locator(".bk-description").nth(1).hover()
    help, column = page.locator(".bk-Tooltip"), page.locator(".controls").bounding_box()
    expect(help).to_have_count(1)
    assert help.bounding_box()["x"] >= column["x"] + column["width"]
    page.mouse.move(700, 20)
    expect(help).to_have_count(0)


def _menu(visitor: Visitor) -> bool:
    options = visitor.page.locator("select option").all_text_contents()
    return any("run 2" in words for words in options)


def test_a_node_under_the_microscope_and_the_numbers_at_home(server: Server, watched, tmp_path):
    visitor = Visitor(watched(f"{server.address}/grow?game=kuhn&k=2&sweeps=3"))
    for key in "bebebb":
        visitor.page.keyboard.press(key)
    visitor.wait(lambda: visitor.number("sweep") == 4, "four sweeps")
    visitor.page.get_by_role("application").focus()
    for key in ("Home", "ArrowRight"):  # from the seat to its first hand
        visitor.page.keyboard.press(key)
    told = visitor.page.locator(".grow-node")
    expect(told).to_contain_text("p after")
    visitor.button("Sub-step").click()
    expect(told).to_contain_text("Leaves")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("main").get_by_text("Sweeps", exact=True).last.click()
    saved = tmp_path / "sweeps.csv"
    download.value.save_as(saved)
    rows = list(csv.DictReader(saved.open()))
    assert [row["sweep"] for row in rows] == ["1", "2", "3", "4"]


def test_the_alarm_fires_on_matching_pennies(server: Server, watched):
    visitor = Visitor(watched(f"{server.address}/grow?game=matching-pennies&tolerance=1e-6"))
    visitor.button("▶ Play").click()
    expect(visitor.page.locator(".grow-alarm")).to_contain_text("this is not convergence")
    visitor.page.keyboard.press(" ")
    expect(visitor.page.locator(".grow-alarm")).to_contain_text("could still gain 2 chips")


def test_bad_words_are_told_and_the_server_lives_on(server: Server, watched):
    visitor = Visitor(watched(f"{server.address}/grow?players=1&squash=sinh&deals=40"))
    expect(visitor.notice).to_contain_text("squash was left out: there is no squash 'sinh'")
    expect(visitor.notice).to_contain_text("a number of players of 1 cannot be")
    visitor.type_in("Stacks", "none")
    expect(visitor.notice).to_contain_text("A stack of 'none' is no number")
    expect(visitor.page.get_by_label("Stacks", exact=True)).to_have_value("100")
    visitor.type_in("Blinds", "2, 1")
    expect(visitor.notice).to_contain_text("Blinds (2.0, 1.0) make no game")
    visitor.type_in("k", "0")
    expect(visitor.notice).to_contain_text("Cannot expand 0 leaves a position")
    visitor.button("Rebalance").click()
    visitor.wait(lambda: visitor.number("sweep") == 1, "the run goes on")
    assert server.alive()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_everything_has_room_on_a_projector(server: Server, watched, width, height):
    visitor = Visitor(watched(f"{server.address}/grow?game=leduc&k=5", width, height))
    for key in "bebebb":
        visitor.page.keyboard.press(key)
    visitor.wait(lambda: visitor.number("sweep") == 4, "four sweeps")
    left, top, right, bottom = visitor.canvas()["box"]
    assert right - left > 0.4 * width and bottom - top > 0.35 * height
    boxes = visitor.page.evaluate(BOXES, ".sheet")
    assert len(boxes) == 5  # the tree, a node, and three plots
    for one in [*boxes, [left, top, right, bottom]]:
        assert one[0] >= 0 and one[2] <= width and one[3] <= height
    scroll = "() => document.documentElement.scrollHeight - innerHeight"
    assert visitor.page.evaluate(scroll) <= 0
