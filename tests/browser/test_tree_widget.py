"""The game tree in a real Chromium: select, fold, walk by keys, zoom, and stay put while numbers change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import panel as pn
import pytest
from browser.tree_page import (
    boxes,
    centre,
    font_sizes,
    inside,
    overlaps,
    settle,
    stage,
    stands,
    transform,
    until,
)
from playwright.sync_api import Page
from ui.tree_samples import everything, leduc, random_policy, random_tree

from solverlab.proof.visiting import free_port, listening
from solverlab.ui.tree.pane import TreePane
from solverlab.views import tree_fold, tree_svg
from solverlab.views.tree_layout import repaint, visible_tree

pytestmark = pytest.mark.browser
GAMES = {"leduc": leduc(), "large": random_tree(3000, seed=7)}
BELOW = {name: tree_fold.descendants(tree) for name, (tree, _) in GAMES.items()}


class Lesson:
    """One browser tab's tree: answers toggles, as a page of the dashboard would."""

    def __init__(self, game: str, expanded: set[int]):
        self.game, self.expanded, self.document = game, expanded, pn.state.curdoc
        self.sigma = random_policy(GAMES[game][0], hands=2, seed=0)
        self.stands = stands()
        self.pane = TreePane(height=620)
        self.pane.param.watch(self._fold, "toggled")
        self.draw()

    def _fold(self, event) -> None:
        node, deep = event.new["node"], event.new["deep"]
        self.expanded = tree_fold.toggle(GAMES[self.game][0], self.expanded, node, deep)
        self.draw()

    def draw(self) -> None:
        tree, names = GAMES[self.game]
        payoffs = [f"{n % 11 - 5:+d}" for n in range(tree.leaf.max() + 1)]
        self.pane.draw(
            visible_tree(
                tree, names, self.sigma, 1, self.expanded, self.pane.selected, None, payoffs, BELOW[self.game]
            )
        )

    def solve_on(self, seed: int) -> None:
        """New probabilities, on the server's own thread."""
        tree = GAMES[self.game][0]
        self.sigma = random_policy(tree, hands=2, seed=seed)
        self.do(lambda: self.pane.draw(repaint(self.pane.nodes, tree, self.sigma, 1)))

    def do(self, act) -> None:
        self.document.add_next_tick_callback(act)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, list[Lesson]]]:
    lessons: list[Lesson] = []

    def page(game: str, expanded: set[int]):
        def build():
            lessons.append(Lesson(game, set(expanded)))
            return lessons[-1].pane

        return build

    tree = GAMES["leduc"][0]
    pages = {
        "some": page("leduc", tree_fold.open_some(tree, 20)),
        "all": page("leduc", everything(tree)),
        "large": page("large", everything(GAMES["large"][0])),
    }
    port = free_port()
    server = pn.serve(pages, port=port, address="127.0.0.1", show=False, threaded=True, verbose=False)
    listening(f"http://127.0.0.1:{port}")
    yield f"http://127.0.0.1:{port}", lessons
    server.stop()


@pytest.fixture
def visit(served, watched):
    """Open one of the pages; at the end no request left this machine and nothing went wrong."""
    address, lessons = served

    def go(name: str) -> tuple[Page, Lesson]:
        page = watched(f"{address}/{name}")
        page.wait_for_selector(".sl-tree .world[transform]", state="attached")
        until(page, lessons[-1].stands.is_set, "the page stands")
        settle(page)
        return page, lessons[-1]

    return go


@pytest.mark.parametrize("name", ["some", "all", "large"])
def test_it_opens_readable_around_the_selected_node(visit, name):
    page, _ = visit(name)
    labels = boxes(page, ":is(.marks, .signs) text")
    assert inside(labels, stage(page)).sum() >= 10
    assert min(font_sizes(page)) >= 12
    assert inside(boxes(page, ".ring > g > circle"), stage(page)).all()
    assert len(boxes(page, ".ring > g > circle")) == 1


@pytest.mark.parametrize("name", ["some", "all", "large"])
def test_no_two_labels_overlap(visit, name):
    page, _ = visit(name)
    page.locator(".sl-tree-stage").focus()
    for key in ("c", "wheel", "+", "-", "-", "0"):  # the wheel's step ends just before labels disappear
        if key == "wheel":
            page.mouse.move(640, 300)
            page.mouse.wheel(0, 90)
        else:
            page.keyboard.press(key)
        settle(page)
        words = boxes(page, ".marks .node > text, .marks .badge, .signs text[text-anchor=end]")
        assert len(words) >= 5 and overlaps(words) == 0, key


@pytest.mark.parametrize("name", ["some", "all", "large"])
def test_fit_shows_the_whole_tree(visit, name):
    page, _ = visit(name)
    page.get_by_role("button", name="Show the whole tree").click()
    settle(page)
    view = stage(page)
    marks = np.vstack([boxes(page, s) for s in (".marks .node", ".far path", ".signs > g", ".ring > g")])
    assert len(marks) >= 6 and inside(marks, view).all()
    spread = marks[:, 2:].max(0) - marks[:, :2].min(0)
    assert (spread / (view[2:] - view[:2])).max() > 0.8


def test_a_click_selects_and_marks_the_path(visit):
    page, lesson = visit("some")
    page.mouse.click(*centre(page, 2))
    until(page, lambda: lesson.pane.selected == 2, "Python hears of the selection")
    settle(page)
    assert page.locator(".halo path").count() == 1
    assert page.locator(".sl-tree-status").inner_text().startswith("raise")
    assert page.locator(".sl-tree-spoken").text_content().startswith("raise, second to act, taken 0.")


def test_a_click_on_a_label_selects_its_node(visit):
    page, lesson = visit("some")
    box = page.locator('[data-node="2"] > text[text-anchor=end]').bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    until(page, lambda: lesson.pane.selected == 2, "Python hears of the selection")


def test_nodes_can_be_clicked_from_afar(visit):
    page, lesson = visit("all")
    assert page.locator(".node").count() == 0  # the whole tree in view: signs where there is room, else dots
    page.locator(".signs g").filter(has_text="raise").last.locator("circle").click()
    until(page, lambda: lesson.pane.selected > 0, "Python hears of the selection")
    assert GAMES["leduc"][1].actions[lesson.pane.selected] == "raise"
    settle(page)
    assert page.locator(".sl-tree-status").inner_text().startswith("raise")


def test_python_selects_and_the_view_follows(visit):
    page, lesson = visit("all")
    lesson.do(lambda: setattr(lesson.pane, "selected", 460))
    page.wait_for_function("() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.halo path').length > 4")
    settle(page)
    assert inside(boxes(page, ".ring > g > circle"), stage(page)).all()


def test_badge_and_double_click_fold(visit):
    page, lesson = visit("some")
    before, nodes = page.locator(".node").count(), lesson.pane.nodes
    folded = next(n for n, hidden in zip(nodes["id"], nodes["n_hidden"], strict=True) if hidden)
    page.locator(f'[data-node="{folded}"] .badge').click()
    until(page, lambda: folded in lesson.expanded, "Python opens the node")
    page.wait_for_function(
        f"() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.node').length > {before}"
    )
    assert page.locator(".node").count() == before + GAMES["leduc"][0].count[folded]
    page.mouse.dblclick(*centre(page, 1))
    until(page, lambda: 1 not in lesson.expanded, "Python closes the node")
    page.locator('[data-node="1"] .badge').wait_for()
    assert page.locator('[data-node="1"] .badge').text_content() == f"+{BELOW['leduc'][1]}"


def test_a_toggled_node_stays_where_it_was(visit):
    page, _ = visit("all")
    page.locator(".sl-tree-stage").focus()
    page.keyboard.press("c")
    page.keyboard.press("ArrowRight")
    settle(page)
    where = centre(page, 1)
    page.keyboard.press("Enter")
    page.locator('[data-node="1"] .badge').wait_for()
    assert centre(page, 1) == pytest.approx(where, abs=1.5)


def test_closing_an_ancestor_moves_the_selection_there(visit):
    page, lesson = visit("some")
    page.mouse.click(*centre(page, 4))
    until(page, lambda: lesson.pane.selected == 4, "the deep node is selected")
    page.mouse.dblclick(*centre(page, 0))
    until(page, lambda: lesson.pane.selected == 0, "the selection is visible again")


def test_keys_walk_fold_and_zoom(visit):
    page, lesson = visit("some")
    page.keyboard.press("Tab")
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("() => Bokeh.index.roots[0].shadow_el.activeElement.className").startswith(
        "sl-tree-stage"
    )
    tree = GAMES["leduc"][0]
    for key, node in [
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("ArrowRight", int(tree.first[2])),
        ("ArrowUp", int(tree.first[2]) - 1),  # a cousin
        ("ArrowLeft", 1),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        until(page, lambda node=node: lesson.pane.selected == node, f"{key} reaches {node}")
        settle(page)
    page.keyboard.press(" ")
    until(page, lambda: lesson.expanded.isdisjoint({0}), "space closes the root")
    page.wait_for_function("() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.node').length === 1")
    page.keyboard.press("Shift+Enter")
    until(page, lambda: lesson.expanded == everything(tree), "shift and enter open everything")
    page.wait_for_function("() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.node').length > 5")
    scale = float(transform(page).split()[-1].rstrip(")"))
    page.keyboard.press("+")
    assert float(transform(page).split()[-1].rstrip(")")) == pytest.approx(scale * 1.3)
    page.keyboard.press("0")
    assert float(transform(page).split()[-1].rstrip(")")) < 0.2


def test_wheel_zooms_at_the_pointer_and_dragging_pans(visit):
    page, lesson = visit("some")
    x, y = centre(page, 1)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    settle(page)
    assert centre(page, 1) == pytest.approx((x, y), abs=1)
    before = transform(page)
    page.mouse.move(x + 40, y + 60)
    page.mouse.down()
    page.mouse.move(x + 90, y + 30, steps=4)
    page.mouse.up()
    settle(page)
    assert transform(page) != before
    assert centre(page, 1) == pytest.approx((x + 50, y - 30), abs=1)
    assert lesson.pane.selected == 0  # a drag is not a click


def test_new_numbers_patch_the_labels_and_leave_the_view_alone(visit):
    page, lesson = visit("some")
    page.locator(".sl-tree-stage").focus()
    page.keyboard.press("+")
    settle(page)
    before, number = transform(page), '[data-node="1"] tspan'
    page.locator(number).evaluate("(e) => { e.keepsake = 'same element' }")
    for seed in range(1, 6):
        lesson.solve_on(seed)
        want = tree_svg.percent(round(float(lesson.sigma[1, 1]), 4))
        page.wait_for_function(
            f"() => Bokeh.index.roots[0].shadow_el.querySelector('{number}').textContent === '{want}'"
        )
    assert transform(page) == before
    assert page.locator(number).evaluate("(e) => e.keepsake") == "same element"
    reach = lesson.pane.live["reach"][1]
    widths = page.locator(".edges path").evaluate_all(
        "(all) => all.map((e) => +e.getAttribute('stroke-width'))"
    )
    assert min(abs(w - tree_svg.edge_width(reach)) for w in widths) < 0.006


def test_another_game_opens_afresh(visit):
    page, lesson = visit("some")
    page.locator(".sl-tree-stage").focus()
    for _ in range(4):
        page.keyboard.press("+")
    lesson.game, lesson.expanded = "large", {0}
    lesson.sigma = random_policy(GAMES["large"][0], hands=2, seed=0)
    lesson.do(lesson.draw)
    page.get_by_text("seat 2").wait_for()
    settle(page)
    assert inside(boxes(page, ".marks .node"), stage(page)).all()


def test_hovering_tells_about_a_node(visit):
    page, _ = visit("some")
    page.mouse.move(*centre(page, 2))
    tip = page.locator(".sl-tree-tip")
    assert tip.inner_text().splitlines()[:2] == ["raise", "second to act"]
    assert inside(boxes(page, ".sl-tree-tip"), stage(page)).all()
    page.mouse.move(5, 795)
    assert tip.is_hidden()


def test_the_saved_picture_is_the_still_twin(visit):
    page, lesson = visit("all")
    lesson.do(lambda: setattr(lesson.pane, "selected", 300))
    page.wait_for_function("() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.halo path').length > 4")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the opened tree").click()
    text = open(saved.value.path(), encoding="utf-8").read()
    assert text == lesson.pane.svg()
    assert saved.value.suggested_filename == "game-tree.svg"


def test_dark_colours(visit):
    page, lesson = visit("some")
    lesson.do(lambda: setattr(lesson.pane, "theme", tree_svg.DARK))
    page.wait_for_function(
        "() => getComputedStyle(Bokeh.index.roots[0].shadow_el.querySelector('.sl-tree')).backgroundColor"
        " === 'rgb(23, 30, 39)'"
    )
    assert page.locator('[data-node="0"] circle').get_attribute("fill") == tree_svg.DARK["players"][0]


def test_a_large_tree_keeps_the_page_small(visit):
    """3,000 visible nodes, yet the page holds only what is near the view, and from afar merged paths."""
    page, lesson = visit("large")
    assert len(lesson.pane.nodes["id"]) == 3000
    count = "() => Bokeh.index.roots[0].shadow_el.querySelectorAll('.world *').length"
    assert page.evaluate(count) < 3000
    page.locator(".sl-tree-stage").focus()
    page.keyboard.press("0")
    settle(page)
    assert page.locator(".far path").count() < 30
