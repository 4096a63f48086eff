"""The Abstraction page in a real Chromium: open, zoom, point at hands, find, brush, compare, take home."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.conftest import PATIENCE, Server
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from solverlab.abstraction.strength import hand_strength

pytestmark = pytest.mark.browser

MODEL = "(name) => [...Bokeh.documents[0]._all_models.values()].find((model) => model.name === name)"
READY = f"""() => {{
  const find = {MODEL};
  const picture = window.Bokeh && Bokeh.documents.length && find("picture");
  return picture && picture.data.image && picture.data.image.length > 0
    && Bokeh.index.find_one_by_id(find("cloud").id) !== null;
}}"""
# Where a hand is on the screen, and what the figure shows.
STATE = f"""() => {{
  const find = {MODEL}, figure = find("cloud"), view = Bokeh.index.find_one_by_id(figure.id);
  const box = view.el.getBoundingClientRect(), frame = view.frame.bbox;
  return {{
    left: box.left + frame.left, top: box.top + frame.top, width: frame.width, height: frame.height,
    across: [figure.x_range.start, figure.x_range.end], up: [figure.y_range.start, figure.y_range.end],
    images: find("picture").data.image.length, hands: Array.from(find("hands").data.hand),
    x: Array.from(find("hands").data.x), y: Array.from(find("hands").data.y),
    marks: Array.from(find("mark").data.text), title: figure.title.text,
  }};
}}"""
PIXELS = f"""() => {{
  const image = ({MODEL})("picture").data.image[0], words = new Uint32Array(image.buffer ?? image);
  return Array.from(words).filter((word) => word !== 0).length;
}}"""
ZOOM = f"""([across, up]) => {{
  const figure = ({MODEL})("cloud");
  figure.x_range.setv({{start: across[0], end: across[1]}});
  figure.y_range.setv({{start: up[0], end: up[1]}});
}}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose cache holds this session's tables."""
    hand_strength("flop")
    home = tmp_path_factory.mktemp("abstraction") / "home"
    home.mkdir()
    (home / "tables").symlink_to(Path(os.environ["SOLVERLAB_HOME"]) / "tables")
    running = Server(home.parent)
    yield running
    assert running.process.poll() is None, running.log.read_text()
    log = running.log.read_text()
    running.stop()
    assert "Traceback" not in log, log


@pytest.fixture
def opened(lab: Server, watched: Callable[..., Page]) -> Callable[..., Page]:
    def visit(width: int = 1280, height: int = 800) -> Page:
        page = watched(f"{lab.address}/abstraction", width, height)
        page.wait_for_function(READY, timeout=3 * PATIENCE)
        return page

    return visit


def settle(page: Page, condition: Callable[[dict], bool]) -> dict:
    """Wait until the figure shows something."""
    end = time.monotonic() + 3 * PATIENCE / 1000
    state = page.evaluate(STATE)
    while not condition(state):
        assert time.monotonic() < end, {
            key: state[key] for key in ("across", "up", "images", "title", "marks")
        }
        page.wait_for_timeout(30)
        state = page.evaluate(STATE)
    return state


def place(state: dict, x: float, y: float) -> tuple[float, float]:
    """Pixels of a point of the plane."""
    (x0, x1), (y0, y1) = state["across"], state["up"]
    return (
        state["left"] + (x - x0) / (x1 - x0) * state["width"],
        state["top"] + (y1 - y) / (y1 - y0) * state["height"],
    )


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def appears(part: Locator) -> bool:
    """Whether something comes into sight within a reasonable time."""
    try:
        part.wait_for(state="visible", timeout=PATIENCE)
    except PlaywrightTimeoutError:
        return False
    return True


def tab(page: Page, name: str) -> None:
    page.locator(".bk-tab", has_text=re.compile(f"^{name}$")).click()


def type_hand(page: Page, hole: str, board: str) -> None:
    page.get_by_placeholder("AhKh").fill(hole)
    page.get_by_placeholder("Td9d6h").fill(board)
    page.get_by_role("button", name="Find it", exact=True).click()


def test_a_million_hands_are_on_the_page_and_a_wheel_zooms(opened):
    page = opened()
    state = settle(page, lambda s: "1,286,792" in s["title"])
    assert page.evaluate(PIXELS) > 3000
    page.mouse.move(*place(state, 0.5, 0.31))
    page.mouse.wheel(0, -300)
    settle(page, lambda s: s["across"] != state["across"] and "1,286,792" not in s["title"])


def test_zoomed_in_a_hover_names_the_hand(opened):
    page = opened()
    hand = hand_strength("AhKh", "Td9d6h")
    page.evaluate(ZOOM, [[hand.ehs - 2e-4, hand.ehs + 2e-4], [hand.ehs2 - 2e-4, hand.ehs2 + 2e-4]])
    tip = page.locator(".bk-Tooltip", has_text="E[HS]").first
    for _ in range(
        100
    ):  # a picture drawn anew below a resting pointer takes its tip away, or moves its hands
        state = settle(page, lambda s: s["images"] == 0 and 0 < len(s["hands"]) < 400)
        number = min(
            range(len(state["x"])),
            key=lambda i: abs(state["x"][i] - hand.ehs) + abs(state["y"][i] - hand.ehs2),
        )
        page.mouse.move(*place(state, state["x"][number] + 1e-5, state["y"][number]))
        page.mouse.move(*place(state, state["x"][number], state["y"][number]))
        page.wait_for_timeout(300)
        if tip.is_visible():
            break
    expect(tip).to_contain_text(state["hands"][number], timeout=PATIENCE)
    expect(tip).to_contain_text("bucket 3")


def test_a_typed_hand_is_found_with_histogram_and_way(opened):
    page = opened()
    type_hand(page, "AhKh", "Td9d6h")
    settle(page, lambda s: s["marks"] == ["AhKh Td9d6h"])
    expect(page.locator(".hand-text")).to_contain_text("5:3", timeout=3 * PATIENCE)
    expect(page.locator(".mates-text")).to_contain_text("Bucket mates", timeout=3 * PATIENCE)
    expect(page.get_by_text("strength at the end")).to_have_count(0)  # drawn on a canvas, not as text
    assert page.locator(".details canvas").count() >= 1


def test_a_wrong_hand_is_answered_by_a_sentence(opened):
    page = opened()
    type_hand(page, "AhKx", "")
    expect(page.locator(".notice")).to_contain_text(
        "'Kx' at position 3 of 'AhKx' is no card", timeout=PATIENCE
    )
    type_hand(page, "AhKh", "Ah2c3d")
    expect(page.locator(".notice")).to_contain_text("both in the hand", timeout=PATIENCE)


def test_a_brush_lists_hands(opened):
    page = opened()
    state = settle(page, lambda s: s["images"] == 1)
    page.evaluate(f"""() => {{
      const figure = ({MODEL})("cloud");
      figure.toolbar.tools.forEach((tool) => {{ if (tool.type === "PanTool") tool.active = false; }});
      figure.toolbar.tools.forEach((tool) => {{ if (tool.type === "BoxSelectTool") tool.active = true; }});
    }}""")
    drag(page, place(state, 0.50, 0.30), place(state, 0.51, 0.31))
    if not appears(page.locator(".brush-text")):  # a browser that is busy painting may miss a drag
        drag(page, place(state, 0.50, 0.30), place(state, 0.51, 0.31))
    expect(page.locator(".brush-text")).to_contain_text("in the box", timeout=3 * PATIENCE)
    expect(page.locator(".brush-text")).to_contain_text(re.compile(r"[\d,]+ hands in \d bucket"))


def test_a_click_on_the_cloud_chooses_a_hand(opened):
    page = opened()
    state = settle(page, lambda s: s["images"] == 1)
    page.mouse.click(*place(state, 0.45, 0.235))
    state = settle(page, lambda s: len(s["marks"]) == 1)
    assert len(page.get_by_placeholder("AhKh").input_value()) == 4
    assert page.get_by_placeholder("Td9d6h").input_value() in state["marks"][0]


def test_two_abstractions_and_their_confusion(opened):
    page = opened()
    tab(page, "Two abstractions")
    expect(page.get_by_text("of deals have the same number in both")).to_be_visible(timeout=3 * PATIENCE)
    drawn = """() => [...Bokeh.documents[0]._all_models.values()]
      .filter((model) => model.name === "picture" && model.data.image.length > 0).length >= 3"""
    page.wait_for_function(drawn, timeout=3 * PATIENCE)


def test_boundaries_of_every_sequence(opened):
    page = opened()
    page.get_by_label("Boundaries", exact=True).select_option(label="per sequence (history)")
    page.get_by_label("Sequence so far", exact=True).select_option(label="2")
    settle(page, lambda s: "258,360" in s["title"])
    tab(page, "Boundaries")
    expect(page.locator(".bounds-text")).to_contain_text("Illustrated and measured", timeout=PATIENCE)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_it_fits_the_screen_and_can_be_read_from_afar(opened, width, height):
    page = opened(width, height)
    sizes = page.evaluate("""() => {
      const sizes = [];
      const visit = (root) => {
        for (const e of root.querySelectorAll("*")) {
          const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
          const box = e.getBoundingClientRect();
          if (own && box.width && box.height && !["STYLE", "SCRIPT"].includes(e.tagName))
            sizes.push(parseFloat(getComputedStyle(e).fontSize));
          if (e.shadowRoot) visit(e.shadowRoot);
        }
      };
      visit(document.body);
      return sizes;
    }""")
    assert len(sizes) > 15 and min(sizes) >= 13
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight + 2")


def test_tables_and_pictures_go_home(opened):
    page = opened()
    settle(page, lambda s: s["images"] == 1)
    page.get_by_role("main").get_by_text("Export", exact=True).click()
    for name, opening in (("Buckets CSV", "bucket,hands,deals"), ("Plot SVG", "<svg")):
        with page.expect_download(timeout=3 * PATIENCE) as saved:
            page.get_by_role("main").get_by_text(name, exact=True).click()
        assert Path(saved.value.path()).read_text(encoding="utf-8").startswith(opening)
    with page.expect_download(timeout=3 * PATIENCE) as saved:
        page.get_by_role("button", name="Plot PNG", exact=True).click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
