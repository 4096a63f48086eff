"""The Push/fold page in a real Chromium: move the stack, look at a hand, take the chart home."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.conftest import PATIENCE, Server
from browser.desk import BOXES, COLUMN
from playwright.sync_api import Locator, Page, expect

from solverlab.cards.all_in_three import three_way

pytestmark = pytest.mark.browser
RANKS = "AKQJT98765432"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with this session's tables of equities, which the first page would have to build otherwise."""
    three_way()
    home = tmp_path_factory.mktemp("push-fold") / "home"
    home.mkdir()
    (home / "tables").symlink_to(Path(os.environ["SOLVERLAB_HOME"]) / "tables")
    running = Server(home.parent)
    yield running
    assert running.process.poll() is None, running.log.read_text()
    running.stop()


class Visitor:
    """One tab on the Push/fold page."""

    def __init__(self, page: Page):
        self.page = page
        expect(self.score).to_contain_text("stack", timeout=PATIENCE)

    @property
    def score(self) -> Locator:
        return self.page.locator(".pushfold-score .score")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    def column(self, source: str, column: str) -> list:
        return self.page.evaluate(COLUMN, [source, column])

    def numbers(self, side: str) -> dict[str, str]:
        """What is written on the cells of a grid."""
        return dict(
            zip(self.column(f"grid-{side}", "hand"), self.column(f"grid-{side}", "words"), strict=True)
        )

    def title(self, side: str) -> str:
        return self.page.evaluate(TITLE, f"grid-{side}-plot")

    def shares(self, side: str) -> dict[str, float]:
        """How much of each cell of a grid has the colour of going in."""
        lefts, rights = self.column(f"grid-{side}-split", "left"), self.column(f"grid-{side}-split", "right")
        widths = [right - left for left, right in zip(lefts, rights, strict=True)]
        going, folding = widths[::2], widths[1::2]
        whole = zip(self.column(f"grid-{side}", "hand"), going, folding, strict=True)
        return {hand: part / (part + rest) for hand, part, rest in whole}

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Look again until it is so."""
        for _ in range(PATIENCE // 100):
            if condition():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(what)

    def type_stack(self, words: str) -> None:
        box = self.page.get_by_label("Stack in big blinds", exact=True)
        box.fill(words)
        box.press("Enter")

    def cell(self, hand: str, side: int) -> tuple[float, float]:
        """Where a hand is on the screen."""
        high, low = RANKS.index(hand[0]), RANKS.index(hand[1])
        row, column = (low, high) if hand.endswith("o") else (high, low)
        name = ("grid-left-plot", "grid-right-plot")[side]
        return tuple(self.page.evaluate(PLACE, [name, column, row]))

    def plots(self) -> list[list[float]]:
        return self.page.evaluate(BOXES, ".sheet, .grid-card")


TITLE = "(name) => [...Bokeh.documents[0]._all_models.values()].find((m) => m.name === name).title.text"
# The place of a point of a plot in the window, from the plot's own scales.
PLACE = """([name, x, y]) => {
  const plot = [...Bokeh.documents[0]._all_models.values()].find((model) => model.name === name);
  const view = Bokeh.index.find_one(plot), box = view.el.getBoundingClientRect();
  const frame = view.frame;
  return [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(y)];
}"""


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_it_opens_on_ten_big_blinds_without_scrolling(table, watched, size):
    visitor = Visitor(watched(f"{table.address}/push-fold", *size))
    for told in ("stack10", "jams58.3 %", "calls37.4 %", "−0.0454", "exploitability"):
        expect(visitor.score).to_contain_text(told)
    jams, calls = visitor.shares("left"), visitor.shares("right")
    assert (
        len(jams) == 169 and min(jams["AA"], calls["A2o"]) > 0.999 and max(jams["72o"], calls["J2o"]) < 0.001
    )
    written = [hand for hand, words in visitor.numbers("left").items() if words]
    assert "43s" in written and len(written) < 10  # numbers only where a hand mixes
    over = visitor.page.evaluate("document.scrollingElement.scrollHeight - window.innerHeight")
    across = visitor.page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    assert over <= 0 and across <= 0
    boxes = visitor.plots()
    assert len(boxes) == 3
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= size[0] and 44 <= top < bottom <= size[1]
    (_, _, left_end, _), (right_start, _, right_end, _), (curve_start, *_) = boxes
    assert left_end <= right_start and right_end <= curve_start
    line = visitor.page.evaluate(BOXES, ".score")[0]
    assert line[2] <= size[0] and line[3] <= boxes[0][1]


def test_a_stack_changes_the_grids_and_the_address(table, watched):
    visitor = Visitor(watched(f"{table.address}/push-fold?stack=5"))
    expect(visitor.score).to_contain_text("stack5")
    before = visitor.shares("left")
    visitor.type_stack("12.5")
    expect(visitor.score).to_contain_text("stack12.5")
    visitor.wait(lambda: visitor.shares("left") != before, "the grid stayed")
    visitor.wait(lambda: "players=2&stack=12.5" in visitor.page.url, "the address stayed")
    again = Visitor(watched(visitor.page.url))
    expect(again.score).to_contain_text("stack12.5")
    assert again.shares("left") == visitor.shares("left")
    visitor.page.locator("nav").click(position={"x": 4, "y": 4})
    visitor.page.keyboard.press("]")
    expect(visitor.score).to_contain_text("stack13")


def test_a_bad_stack_is_one_sentence_and_the_chart_stays(table, watched):
    visitor = Visitor(watched(f"{table.address}/push-fold"))
    visitor.wait(lambda: visitor.column("grid-left-split", "left"), "no cells")
    before = visitor.shares("left")
    visitor.type_stack("minus two")
    expect(visitor.notice).to_contain_text("The stack is 'minus two'; give a number of big blinds from 1.01")
    expect(visitor.score).to_contain_text("stack10")
    assert visitor.shares("left") == before
    expect(visitor.page.get_by_label("Stack in big blinds", exact=True)).to_have_value("10")


def test_hover_click_and_the_chart_by_stack(table, watched):
    visitor = Visitor(watched(f"{table.address}/push-fold"))
    visitor.wait(lambda: len(visitor.column("curve-left", "share")) == 48, "no curve")
    visitor.page.mouse.move(*visitor.cell("A5o", 0))
    told = visitor.page.get_by_text("jams 100.0 % of the time, 12 combos")
    expect(told).to_be_visible()
    assert told.bounding_box()["x"] >= visitor.plots()[1][2], "what is told of a cell covers the grids"
    everybody = visitor.column("curve-left", "share")
    visitor.page.mouse.click(*visitor.cell("43s", 0))
    visitor.wait(lambda: visitor.column("grid-left-mark", "x") == [11], "no ring")
    visitor.wait(lambda: visitor.column("curve-left", "share") != everybody, "the curve stayed")
    assert visitor.column("curve-left", "stack")[:2] == [1.5, 2]
    visitor.wait(lambda: "hand=43s" in visitor.page.url, "the address stayed")
    visitor.page.get_by_role("button", name="Chart by stack").click()
    visitor.wait(lambda: visitor.numbers("left")["AA"] == "25+", "no chart")
    assert visitor.numbers("left")["K2o"] == "11.5" and visitor.numbers("right")["22"] == "15"


def test_a_range_is_copied_and_a_typed_caller_is_exploited(table, watched):
    visitor = Visitor(watched(f"{table.address}/push-fold"))
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.wait(lambda: visitor.column("grid-right-split", "left"), "no cells")
    visitor.page.get_by_role("button", name="Copy", exact=True).last.click()
    visitor.wait(
        lambda: visitor.page.evaluate("navigator.clipboard.readText()").startswith("22+, A2s+"), "no copy"
    )
    box = visitor.page.get_by_label("If the big blind calls only with", exact=True)
    box.fill("66+, A8s+, ATo+, KQs")
    box.press("Enter")
    expect(visitor.page.locator(".pushfold-answer")).to_contain_text(
        "jam every hand. It wins +0.540 BB a hand"
    )
    assert min(visitor.shares("left").values()) > 0.999 and visitor.shares("right")["KQo"] < 0.001
    visitor.wait(lambda: "caller=66" in visitor.page.url, "the address stayed")
    visitor.page.get_by_role("button", name="Back to equilibrium").click()
    expect(visitor.score).to_contain_text("exploitability")


def test_three_players_with_their_decisions(table, watched):
    visitor = Visitor(watched(f"{table.address}/push-fold?stack=8"))
    visitor.page.get_by_role("button", name="Three players").click()
    expect(visitor.score).to_contain_text(re.compile("deviation gain.*button.*small blind.*big blind"))
    one_in = visitor.shares("right")
    assert visitor.title("right").startswith("big blind calls button: ")
    visitor.page.get_by_label("Right grid", exact=True).select_option(label="big blind: both are in")
    visitor.wait(lambda: visitor.title("right").startswith("big blind calls both: "), "the grid stayed")
    shown = visitor.shares("right")
    assert shown != one_in and min(shown["AA"], visitor.shares("left")["A2o"]) > 0.999 > shown["72o"]
    everything = visitor.page.locator("body").inner_text()
    assert "exploitab" not in everything.lower() and "GTO" not in everything


def test_what_is_taken_home(table, watched, tmp_path):
    visitor = Visitor(watched(f"{table.address}/push-fold"))
    visitor.wait(lambda: len(visitor.column("curve-left", "share")) == 48, "no chart")
    for label, check in (
        ("CSV", lambda data: len(list(csv.DictReader(data.decode().splitlines()))) == 338),
        ("All stacks", lambda data: data.startswith(b"players,node,stack,hand") and b"12.5" in data),
        ("SVG", lambda data: data.count(b"<text") == 2 * (1 + 338)),
        ("PNG", lambda data: data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) > 900),
    ):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("main").get_by_text(label, exact=True).click()
        download.value.save_as(tmp_path / "file")
        assert check((tmp_path / "file").read_bytes()), label
