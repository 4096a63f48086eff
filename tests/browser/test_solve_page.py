"""The Solve page in a real Chromium: everything a teacher does with it."""

from __future__ import annotations

import re
import threading
import time

import pytest
from browser.conftest import PATIENCE, Server
from browser.desk import Desk
from playwright.sync_api import expect

from solverlab.proof.visiting import free_port, listening
from solverlab.ui.shell import serve

pytestmark = pytest.mark.browser
SIZES = [(1280, 800), (1920, 1080)]


def test_step_run_pause_reset(visit):
    """Pausing freezes the iteration: two reads, a second apart, are the same number."""
    desk = visit("game=leduc")
    desk.button("Step 1").click()
    desk.reach(1)
    desk.button("Step 100").click()
    desk.reach(101)
    desk.button("▶ Run").click()
    expect(desk.button("Step 1")).to_be_disabled()
    desk.pass_iteration(300)
    desk.button("❚❚ Pause").click()
    frozen = desk.final_iteration()
    desk.page.wait_for_timeout(1000)
    assert desk.iteration() == frozen > 300
    desk.button("↺ Reset").click()
    desk.reach(0)
    desk.holds("average-0", 0)


def test_the_plot_holds_what_was_measured(visit):
    desk = visit("game=kuhn&to=40")
    desk.reach(40)
    desk.holds("average-0", 40)
    iterations, distances = (desk.column("average-0", name) for name in ("iteration", "distance"))
    assert iterations == list(range(1, 41))
    assert distances[0] > distances[-1] > 0
    assert len(desk.column("current-0", "distance")) == 40
    desk.choose("By", "nodes touched")
    expect(desk.page).to_have_url(re.compile("clock=touched"))
    assert desk.column("average-0", "touched")[1] == 2 * desk.column("average-0", "touched")[0]


def test_looking_back_and_live_again(visit):
    desk = visit("game=kuhn&to=30")
    desk.reach(30)
    live = desk.page.locator(".strategy-table table").inner_text()
    for _ in range(28):
        desk.page.keyboard.press("[")
    label = desk.page.locator(".scrub-label")
    expect(label).to_have_text("iteration 2 of 30 (past)", timeout=PATIENCE)
    expect(desk.score).to_contain_text("of 30 (past)")
    expect(desk.microscope).to_contain_text("back to live")
    assert desk.page.locator(".strategy-table table").inner_text() != live
    desk.button("Back to live").click()
    expect(label).to_have_text("live: iteration 30")
    expect(desk.page.locator(".strategy-table table")).to_have_text(re.compile("J"))
    assert desk.page.locator(".strategy-table table").inner_text() == live


def test_a_click_in_the_tree_changes_strategy_and_microscope(visit):
    desk = visit("game=leduc&to=10")
    desk.reach(10)
    title = desk.page.locator(".strategy-title h2")
    expect(title).to_contain_text("first to act at the start")
    desk.page.locator('[data-node="2"] > circle').first.click()
    expect(title).to_contain_text("second to act after raise")
    desk.holds("bars", 18, "hand")
    assert set(desk.column("bars", "action")) == {"fold", "call", "raise"}
    expect(desk.microscope).to_contain_text(re.compile("iteration 11.*second.*raise", re.S))
    for step in ("plays now", "worth", "gain", "regret", "plays next"):
        expect(desk.microscope).to_contain_text(step)
    expect(desk.page).to_have_url(re.compile("node=raise"))


def test_the_microscope_asks_for_a_pause(visit):
    desk = visit("game=leduc&speed=1")
    desk.button("▶ Run").click()
    expect(desk.microscope).to_contain_text("Pause", timeout=PATIENCE)
    desk.button("❚❚ Pause").click()
    expect(desk.microscope).to_contain_text("plays next", timeout=PATIENCE)


def test_switching_the_game(visit):
    desk = visit("game=kuhn&to=5")
    desk.reach(5)
    desk.choose("Game", "Kuhn poker, three players")
    expect(desk.score).to_contain_text("largest deviation gain", timeout=PATIENCE)
    desk.reach(0)
    desk.button("Step 10").click()
    desk.reach(10)
    assert "exploitability" not in desk.page.locator("body").inner_text().lower()
    desk.holds("average-0", 10)


def test_a_shared_link_restores_the_page(visit):
    desk = visit(
        "game=leduc&schedule=DCFR&updates=simultaneous&node=check&hand=Qh&clock=touched&speed=10&to=25"
    )
    desk.reach(25)
    first = (desk.numbers(), desk.page.locator(".strategy-table table").inner_text())
    expect(desk.page).to_have_url(re.compile("to=25"))
    again = visit(desk.page.url.split("?")[1])
    again.reach(25)
    for label, value in (("Schedule", "DCFR"), ("Updates", "simultaneous"), ("By", "nodes touched")):
        assert again.page.get_by_label(label, exact=True).locator("option:checked").inner_text() == value
    assert again.page.get_by_label("Hand", exact=True).locator("option:checked").inner_text() == "Qh"
    expect(again.page.locator(".strategy-title h2")).to_contain_text("second to act after check")
    table = again.page.locator(".strategy-table table").inner_text()
    assert (again.numbers(), table) == first


def test_two_visitors_do_not_disturb_each_other(visit):
    one, two = visit("game=kuhn"), visit("game=leduc")
    one.button("▶ Run").click()
    two.button("Step 10").click()
    two.reach(10)
    one.pass_iteration(50)
    assert two.iteration() == 10
    one.button("❚❚ Pause").click()
    frozen = one.final_iteration()
    two.button("Step 10").click()
    two.reach(20)
    assert one.iteration() == frozen


def test_bad_links_and_bad_entries_are_told_in_a_sentence(server, visit):
    desk = visit("game=chess&seed=-3&node=nowhere&hand=Zz")
    for words in ("no game 'chess'", "the seed is '-3'", "no node 'nowhere'", "no hand 'Zz'"):
        expect(desk.notice).to_contain_text(words)
    desk.button("Step 1").click()
    desk.reach(1)
    expect(desk.notice).to_be_hidden()
    desk.page.get_by_label("Pause below").fill("soon")
    desk.page.get_by_label("Pause below").press("Enter")
    expect(desk.notice).to_contain_text("The target is 'soon'")
    desk.choose("Schedule", "your own exponents ...")
    desk.page.get_by_label("Exponents").fill("fast")
    desk.page.get_by_label("Exponents").press("Enter")
    expect(desk.notice).to_contain_text("not three numbers")
    assert server.alive()


def test_your_own_poker(visit):
    desk = visit("game=kuhn")
    desk.choose("Game", "your own limit poker ...")
    # Kuhn, too, stands at iteration 0: rules that are refused while the example is built lead back to Kuhn.
    expect(desk.page.locator(".strategy-table table")).to_contain_text("Ks", timeout=PATIENCE)
    desk.reach(0)
    suits = desk.page.get_by_label("Suits", exact=True)
    suits.fill("9")
    suits.press("Tab")
    desk.button("Build this game").click()
    expect(desk.notice).to_contain_text("suits is 9")
    suits.fill("1")
    suits.press("Tab")
    desk.button("Build this game").click()
    expect(desk.page.locator(".strategy-table table")).not_to_contain_text("Ks", timeout=PATIENCE)
    desk.button("Step 10").click()
    desk.reach(10)
    assert desk.column("average-0", "distance")[-1] > 0


def test_a_target_pauses_by_itself(visit):
    desk = visit("game=kuhn&target=0.02")
    desk.button("▶ Run").click()
    expect(desk.notice).to_contain_text("the target was reached", timeout=PATIENCE)
    assert desk.column("average-0", "distance")[-1] <= 0.02
    limited = visit("game=kuhn&limit=77")
    limited.button("▶ Run").click()
    limited.reach(77)


def test_keys_do_what_the_list_says(visit):
    desk = visit("game=kuhn")
    desk.rest()
    desk.page.locator(".score-line .score").click()
    for key, iteration in (("s", 1), ("d", 11), ("f", 111)):
        desk.page.keyboard.press(key)
        desk.reach(iteration)
    desk.page.keyboard.press("a")
    expect(desk.page.locator(".strategy-title h2")).to_contain_text("current strategy")
    desk.page.keyboard.press("h")
    expect(desk.page).to_have_url(re.compile("hand=Q"))
    desk.page.keyboard.press(" ")
    expect(desk.button("❚❚ Pause")).to_be_visible()
    desk.page.keyboard.press(" ")
    before = desk.final_iteration()
    field = desk.page.get_by_label("Pause after")
    field.click()
    field.press_sequentially("s1")  # typing is not pressing keys
    desk.page.wait_for_timeout(500)
    assert desk.iteration() == before
    field.fill("")
    field.press("Tab")
    desk.page.keyboard.press("?")
    expect(desk.page.get_by_text("step 100 iterations")).to_be_visible()
    desk.page.keyboard.press("r")
    desk.reach(0)


def test_every_control_is_reached_by_tab(visit):
    desk = visit("game=leduc&to=3")
    desk.reach(3)
    desk.page.locator("body").click(position={"x": 640, "y": 5})
    seen: set[str] = set()
    for _ in range(60):
        desk.page.keyboard.press("Tab")
        seen.add(desk.page.evaluate(FOCUSED))
    wanted = {"Step 1", "Step 10", "Step 100", "▶  Run", "↺  Reset", "Keep run", "Game", "Schedule", "Speed"}
    assert wanted <= seen


FOCUSED = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  const label = e?.id && e.getRootNode().querySelector(`label[for="${e.id}"]`);
  return (label ? label.textContent : e?.textContent ?? "").trim();
}"""


def test_downloads_are_not_empty(visit, tmp_path):
    desk = visit("game=kuhn&to=12")
    desk.reach(12)
    desk.page.get_by_role("main").get_by_text("Save, load, export").click()
    heads = {
        "Strategy CSV": b"player,node,hand,action,probability,reach",
        "Trace CSV": b"iteration,seconds,touched",
        "Plot SVG": b"<svg",
        "Plot PNG": b"\x89PNG",
        "Tree SVG": b"<svg",
        "Run (zip)": b"PK",
    }
    for name, head in heads.items():
        with desk.page.expect_download() as saved:
            desk.page.get_by_role("main").get_by_text(name, exact=True).click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        assert path.read_bytes().startswith(head) and path.stat().st_size > 200, name
    drawn = (tmp_path / "convergence.svg").read_text("utf-8")
    assert "(live)" in drawn and "exploitability (chips)" in drawn and drawn.count("<path") > 10


def test_save_and_load_by_name(visit):
    desk = visit("game=kuhn&schedule=LCFR&to=15")
    desk.reach(15)
    desk.page.get_by_role("main").get_by_text("Save, load, export").click()
    desk.page.get_by_label("Save this run as").fill("lesson one")
    desk.page.get_by_label("Save this run as").press("Tab")
    desk.button("Save").click()
    saved = desk.page.get_by_label("Saved runs").locator("option:checked")
    expect(saved).to_have_text("lesson one")
    desk.choose("Game", "Leduc hold'em")
    desk.reach(0)
    desk.button("Load").click()
    desk.reach(15)
    assert desk.page.get_by_label("Game", exact=True).locator("option:checked").inner_text() == "Kuhn poker"
    desk.holds("average-0", 15)
    desk.button("Step 1").click()
    desk.reach(16)
    desk.button("Delete").click()
    expect(desk.page.get_by_label("Saved runs").locator("option")).to_have_count(0)


def test_the_referee(visit):
    desk = visit("game=kuhn&to=1")
    desk.reach(1)
    desk.button("Exact value").click()
    expect(desk.score).to_contain_text("exact −0.0556", timeout=PATIENCE)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_is_inside_the_view(visit, width, height):
    desk = visit("game=leduc&to=50&node=raise", width, height)
    desk.reach(50)
    cards = desk.boxes(".sheet")
    (left,) = desk.boxes(".controls")
    assert len(cards) == 4
    for card in cards:
        assert card[0] >= left[2] and card[1] >= 44 and card[2] <= width and card[3] <= height
    for i, one in enumerate(cards):
        assert all(not overlap(one, other) for other in cards[i + 1 :])
    for name in ("Step 1", "▶ Run", "↺ Reset", "Keep run", "Back to live"):
        box = desk.button(name).bounding_box()
        assert box["x"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    steps = [
        desk.button(name).bounding_box() for name in ("Step 1", "Step 10", "Step 100", "▶ Run", "↺ Reset")
    ]
    corners = [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in steps]
    assert all(not overlap(a, b) for i, a in enumerate(corners) for b in corners[i + 1 :])
    (pane,) = desk.boxes(".microscope-pane")
    rows = desk.boxes(".microscope tr")
    assert len(rows) == 6 and all(row[3] <= pane[3] + 1 and row[2] <= pane[2] + 1 for row in rows)


def overlap(one, other) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_a_full_house_says_so(watched, tmp_path):
    crowded = Server(tmp_path, max_sessions=1)
    try:
        first = Desk(watched(f"{crowded.address}/solve?game=kuhn"))
        second = watched(f"{crowded.address}/solve")
        full = second.get_by_text("All 1 places on this server are taken")
        expect(full).to_be_visible(timeout=PATIENCE)
        first.page.close()
        either = full.or_(second.locator(".score-line .score"))
        for _ in range(100):
            second.reload()
            expect(either).to_be_visible(timeout=PATIENCE)
            if not full.is_visible():
                break
        Desk(second).reach(0)
        second.close()
    finally:
        crowded.stop()


def test_closed_tabs_leave_no_solver_threads(watched):
    """In this process, so that its threads can be counted."""
    before, port = solvers(), free_port()
    server = serve(port=port, show=False, linger=1.0, threaded=True)
    try:
        listening(f"http://localhost:{port}")
        desks = [Desk(watched(f"http://localhost:{port}/solve?game=kuhn")) for _ in range(2)]
        for desk in desks:
            desk.button("▶ Run").click()
            desk.pass_iteration(5)
        assert len(solvers() - before) == 2
        for desk in desks:
            desk.page.close()
        end = time.monotonic() + PATIENCE / 1000
        while solvers() - before and time.monotonic() < end:
            time.sleep(0.1)
        assert solvers() - before == set()
    finally:
        server.stop()


def solvers() -> set[int]:
    return {thread.ident for thread in threading.enumerate() if thread.name == "worker"}


def test_a_small_memory_cap_is_told(watched, tmp_path):
    poor = Server(tmp_path, memory_cap_mb=0.01)
    try:
        page = watched(f"{poor.address}/solve?game=leduc")
        expect(page.locator(".notice")).to_contain_text("a session may use", timeout=PATIENCE)
        assert poor.alive()
        page.close()
    finally:
        poor.stop()
