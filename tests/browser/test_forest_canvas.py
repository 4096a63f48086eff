"""The growing forest in a real Chromium: it grows, can be clicked, folded, zoomed and walked by keys."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import panel as pn
import param
import pytest
from browser.tree_page import settle, stands, until
from PIL import Image
from playwright.sync_api import Page
from ui.forest_samples import Grove, grown

from solverlab.proof.visiting import free_port, listening
from solverlab.ui.grow.forest_canvas import ForestCanvas
from solverlab.ui.grow.forest_rows import ESM
from solverlab.ui.grow.forest_widget import ForestWidget
from solverlab.views.colours import parts_of
from solverlab.views.theme import player_colour

pytestmark = pytest.mark.browser
LOOK = {"players": ["Hero", "Ann", "Bob"], "unit": "big blinds", "low": -3.0, "high": 3.0}
FOREST = "Bokeh.index.roots[0].shadow_el.querySelector('.sl-forest')"


class Lesson:
    """One browser tab's forest, and the Python side of it."""

    def __init__(self, size: int):
        self.grove, self.document = grown(size, seed=1) if size else Grove(seed=1), pn.state.curdoc
        self.stands = stands()
        self.canvas = ForestCanvas(look={"colour": "EV", **LOOK})
        self.draw()

    def draw(self) -> None:
        self.canvas.show("lesson", *self.grove.rows())
        self.canvas.update(*self.grove.numbers(), epoch=1, sweep=10)

    def grow(self, leaves: int) -> None:
        self.grove.grow(leaves)
        self.do(self.draw)

    def solve_on(self) -> None:
        self.grove.drift()
        self.do(self.draw)

    def do(self, act) -> None:
        """On the server's own thread."""
        self.document.add_next_tick_callback(act)

    @property
    def size(self) -> int:
        return len(self.grove.parent)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, list[Lesson]]]:
    lessons: list[Lesson] = []

    def page(size: int):
        def build():
            lessons.append(Lesson(size))
            return lessons[-1].canvas

        return build

    port = free_port()
    pages = {"seed": page(0), "small": page(40), "large": page(3000)}
    server = pn.serve(pages, port=port, address="127.0.0.1", show=False, threaded=True, verbose=False)
    listening(f"http://127.0.0.1:{port}")
    yield f"http://127.0.0.1:{port}", lessons
    server.stop()


@pytest.fixture
def visit(served, watched):
    """Open a page and wait until its forest is drawn."""

    def go(name: str) -> tuple[Page, Lesson]:
        page = watched(f"{served[0]}/{name}", 1280, 720)
        page.wait_for_selector(".sl-forest[data-size]")
        lesson = served[1][-1]
        until(page, lesson.stands.is_set, "the page stands")
        drawn(page, lesson.size)
        return page, lesson

    return go


def data(page: Page, name: str) -> float:
    return float(page.locator(".sl-forest").get_attribute(f"data-{name}"))


def drawn(page: Page, size: int) -> None:
    page.wait_for_selector(f'.sl-forest[data-size="{size}"]')
    at_rest(page)


def at_rest(page: Page) -> None:
    """Wait until nothing glides any more: the first and the last node stay where they are for some frames."""
    script = f"""async () => {{
      const forest = {FOREST}, frame = () => new Promise(requestAnimationFrame);
      const spots = () => String([0, forest.dataset.size - 1].map(forest.spotOf)) + forest.dataset.scale;
      await frame();
      for (let same = 0, before = ""; same < 3; same = spots() === before ? same + 1 : 0) {{
        before = spots();
        await frame();
      }}
    }}"""
    page.evaluate(script)


def spot(page: Page, node: int) -> tuple[float, float]:
    """Where a node is on the screen."""
    return tuple(page.evaluate(f"(i) => {FOREST}.spotOf(i)", node))


def picture(page: Page) -> np.ndarray:
    """The stage as it looks, uint8[height, width, 3]."""
    shot = page.locator(".sl-forest-stage").screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))


def test_a_forest_grows_to_thousands_before_ones_eyes(visit):
    page, lesson = visit("seed")
    assert lesson.size == 3
    batches = 0
    while lesson.size < 3000:
        frames, batches = data(page, "frames"), batches + 1
        lesson.grow(max(2, lesson.size // 7))
        page.wait_for_selector(f'.sl-forest[data-size="{lesson.size}"]')
        assert frames < data(page, "frames") <= frames + 2, "rows and numbers are painted once each, at most"
    assert 15 <= batches <= 60
    at_rest(page)
    page.wait_for_timeout(1600)  # rings around newcomers fade
    for node in (0, lesson.size - 1, int(np.argmax(lesson.grove.worth))):
        x, y = spot(page, node)
        assert 0 < x < 1280 and 40 < y < 720, "nobody touched the view: all of it stays in sight"
    inked = (picture(page) < 250).any(-1)
    assert 0.03 < inked.mean() < 0.6
    assert inked.any(0).mean() > 0.8 and inked.any(1).mean() > 0.8, "the tree fills the stage"
    assert f"{lesson.size:,} drawn · epoch 1 · sweep 10" in page.locator(".sl-forest-count").inner_text()


def test_newcomers_are_ringed_and_the_rings_fade(visit):
    page, lesson = visit("small")
    layer = f"() => {FOREST}.querySelectorAll('canvas')[1].toDataURL()"
    empty = page.evaluate(layer)
    lesson.grow(3)
    page.wait_for_function(f"(empty) => ({layer})() !== empty", arg=empty, polling=100)
    page.wait_for_function(f"(empty) => ({layer})() === empty", arg=empty, polling=100)
    assert data(page, "size") == lesson.size


def test_new_numbers_are_painted_and_the_same_ones_are_not(visit):
    page, lesson = visit("large")
    frames, before = data(page, "frames"), picture(page)
    lesson.solve_on()
    page.wait_for_selector(f'.sl-forest[data-frames="{frames + 1:.0f}"]')
    assert (picture(page) != before).any()
    lesson.do(lesson.draw)  # nothing new
    lesson.solve_on()
    page.wait_for_selector(f'.sl-forest[data-frames="{frames + 2:.0f}"]')
    page.wait_for_timeout(200)
    assert data(page, "frames") == frames + 2


def test_a_click_selects_and_python_hears_it(visit):
    page, lesson = visit("small")
    page.mouse.click(*spot(page, 4))
    until(page, lambda: lesson.canvas.selected == 4, "Python hears of the selection")
    way = [lesson.grove.label[n] for n in (lesson.grove.parent[4], 4)]
    assert page.locator(".sl-forest-spoken").text_content().startswith(" › ".join(way))
    lesson.do(lambda: setattr(lesson.canvas, "selected", 2))
    page.wait_for_function(f"() => {FOREST}.querySelector('.sl-forest-spoken').textContent.startsWith('QJo')")


def test_the_tip_says_what_a_node_is(visit):
    page, lesson = visit("small")
    page.mouse.move(*spot(page, 0))
    said = page.locator(".sl-forest-tip").inner_text().split("\n")
    assert said[:3] == ["AKs", "own decision: Hero", "reached 100 % of the time"]
    assert said[3].startswith("EV ") and said[3].endswith(" big blinds")
    page.mouse.move(5, 715)
    assert page.locator(".sl-forest-tip").is_hidden()


def test_a_double_click_folds_and_the_badge_opens(visit):
    page, lesson = visit("small")
    child = lesson.grove.parent.index(0)
    page.mouse.dblclick(*spot(page, 0))
    page.wait_for_function(f"(i) => {FOREST}.spotOf(i) === null", arg=child)
    at_rest(page)
    x, y = spot(page, 0)
    page.mouse.move(x, y)
    below = sum(root(lesson.grove.parent, n) == 0 for n in range(lesson.size)) - 1
    assert f"{below} nodes folded away" in page.locator(".sl-forest-tip").inner_text()
    page.mouse.click(x + 30, y)
    page.wait_for_function(f"(i) => {FOREST}.spotOf(i) !== null", arg=child)
    assert data(page, "size") == lesson.size


def root(parent: list[int], node: int) -> int:
    while parent[node] >= 0:
        node = parent[node]
    return node


def test_wheel_zooms_at_the_pointer_dragging_pans_and_growth_moves_nothing(visit):
    page, lesson = visit("large")
    leaf = int(np.argmax(np.array(lesson.grove.worth) * (np.array(lesson.grove.kind) == 4)))
    x, y = spot(page, leaf)
    scale = data(page, "scale")
    page.mouse.move(int(x), int(y))  # a wheel turns at a whole pixel
    for _ in range(4):
        page.mouse.wheel(0, -200)
    at_rest(page)
    grown_by = data(page, "scale") / scale
    assert grown_by > 3
    y = int(y) + (y - int(y)) * grown_by
    assert spot(page, leaf) == pytest.approx((x, y), abs=1)
    page.mouse.down()
    page.mouse.move(int(x) - 60, int(y) + 40, steps=4)
    page.mouse.up()
    at_rest(page)
    moved = np.subtract(spot(page, leaf), (x, y))
    assert moved == pytest.approx((-60, 40), abs=12)
    assert lesson.canvas.selected == -1, "a drag is not a click"
    zoomed = data(page, "scale")
    lesson.grow(5)
    drawn(page, lesson.size)
    assert data(page, "scale") == zoomed, "a touched view stays as it is"
    page.get_by_role("button", name="Show the whole tree").click()
    page.wait_for_function(f"(k) => Math.abs({FOREST}.dataset.scale - k) < 0.1 * k", arg=scale)


def test_zoomed_in_the_way_to_what_is_seen_stays_in_sight(visit):
    page, lesson = visit("large")
    leaf = lesson.size - 1
    for _ in range(10):
        page.mouse.move(*spot(page, leaf))
        page.mouse.wheel(0, -200)
        settle(page)
    node, seen = lesson.grove.parent[leaf], []
    while node >= 0:
        seen.append(48 < spot(page, node)[1] < 720)
        node = lesson.grove.parent[node]
    assert len(seen) > 3 and all(seen)


def test_keys_walk_fold_and_zoom(visit):
    page, lesson = visit("small")
    page.locator(".sl-forest-stage").focus()
    parent = lesson.grove.parent
    first = parent.index(0)
    steps = [("Home", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowRight", first), ("ArrowLeft", 0)]
    for key, node in steps:
        page.keyboard.press(key)
        until(page, lambda node=node: lesson.canvas.selected == node, f"{key} reaches {node}")
    page.keyboard.press("Enter")
    page.wait_for_function(f"(i) => {FOREST}.spotOf(i) === null", arg=first)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(i) => {FOREST}.spotOf(i) !== null", arg=first)
    at_rest(page)
    scale = data(page, "scale")
    page.keyboard.press("+")
    settle(page)
    assert data(page, "scale") == pytest.approx(scale * 1.4, rel=0.01)
    page.keyboard.press("c")
    at_rest(page)
    page.keyboard.press("0")
    at_rest(page)
    assert data(page, "scale") == pytest.approx(scale)


def test_a_page_that_missed_new_rows_asks_for_all_of_them(visit):
    page, lesson = visit("small")
    lesson.grove.grow(3)
    with param.parameterized.discard_events(lesson.canvas):  # as if the wire had swallowed it
        lesson.canvas.show("lesson", *lesson.grove.rows())
    lesson.grow(3)
    drawn(page, lesson.size)
    assert lesson.canvas.said["want"] == "all"
    assert lesson.canvas.shape["begin"] == 0
    assert spot(page, lesson.size - 1)


def test_colours_follow_the_look(visit):
    page, lesson = visit("small")
    ev = picture(page)
    assert "EV −3.00" in page.locator(".sl-forest-keys").inner_text()
    lesson.do(lambda: setattr(lesson.canvas, "look", {"colour": "player", **LOOK}))
    page.get_by_text("Ann").wait_for()
    settle(page)
    ann = 255 * parts_of(player_colour(0))
    drawn, before = ((np.abs(seen - ann).max(-1) < 20).sum() for seen in (picture(page), ev))
    assert drawn > 200 > before


NOTEBOOK = """async ([esm, values]) => {
  document.body.innerHTML = '<div id="cell" style="width: 800px"></div>';
  const heard = {};
  window.said = [];
  window.model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; heard[name]?.(); },
    on(event, act) { heard[event.slice(7)] = act; },
    off(event) { delete heard[event.slice(7)]; },
    save_changes() {},
    send: (message) => window.said.push(message),
  };
  const module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  window.close_view = module.default.render({ model: window.model, el: document.getElementById("cell") });
}"""


def test_a_notebook_hears_messages_and_a_second_view_asks_for_all(watched):
    """The module as JupyterLab runs it: a view that opens late finds only the newest parcel."""
    page, widget, grove = watched("about:blank"), ForestWidget(height=400), grown(40, seed=1)
    widget.show("run", *grove.rows())
    grove.grow(3)
    widget.show("run", *grove.rows())
    assert widget.shape["begin"] > 0
    names = ("shape", "live", "look", "selected", "height")
    page.evaluate(NOTEBOOK, [ESM, {name: getattr(widget, name) for name in names}])
    assert page.evaluate("said") == [{"want": "all"}, {"view": 1}]
    widget.hear({"want": "all"})
    page.evaluate("(shape) => model.set('shape', shape)", widget.shape)
    page.wait_for_selector(f'.sl-forest[data-size="{len(grove.parent)}"]')
    assert page.locator(".sl-forest").bounding_box()["height"] == 400
    page.evaluate("close_view()")
    assert page.evaluate("said").pop() == {"view": -1}
    assert page.locator(".sl-forest").count() == 0
