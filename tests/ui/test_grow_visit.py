"""What a newcomer meets on the Grow page: links with one wrong word, looking back, hands drawn as one."""

from __future__ import annotations

import time

import pytest

from solverlab.ui.grow.charts import ChangeChart
from solverlab.ui.grow.frame import spots_at
from solverlab.ui.grow.page import GrowPage
from solverlab.ui.grow.settings import GrowSettings


def rests(page: GrowPage) -> None:
    page.wait()


@pytest.fixture
def opened():
    """Opens pages, and closes them when the test is over."""
    pages = []

    def open_page(*chosen, **settings) -> GrowPage:
        pages.append(GrowPage(*chosen, **settings))
        pages[-1].layout()
        rests(pages[-1])
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture
def kuhn(opened) -> GrowPage:
    return opened(GrowSettings(game="kuhn", k=2, sweeps=2))


# ---- what is known -----------------------------------------------------------------------------------------


def test_colours_keep_their_scale_between_sub_steps(kuhn):
    kuhn.runner.rebalance(20)
    kuhn.expand()
    kuhn.rebalance()
    rests(kuhn)
    high = kuhn.canvas.look["high"]
    for _ in range(4):
        kuhn.sub_step()
        rests(kuhn)
        assert kuhn.canvas.look["high"] == high, kuhn.frame.phase.name


# ---- links -------------------------------------------------------------------------------------------------


def test_one_impossible_word_costs_a_link_that_word_alone(opened):
    chosen, complaints = GrowSettings.from_query({"game": "kuhn", "floor": "0.9", "scale": "2", "k": "3"})
    page = opened(chosen, complaints)
    assert page.settings == page.applied == GrowSettings(game="kuhn", scale=2.0, k=3)
    assert page.notice.text.startswith("The link's word floor was left out: a floor of 0.9 cannot be")
    assert len(page.growing.seats) == 2 and page.controls.widgets["game"].value == "kuhn"


def test_words_that_belong_together_stay_together(opened):
    page = opened(GrowSettings(players=2, stack="20, 30", scale=0.0, deals=10))
    assert page.settings == GrowSettings(players=2, stack="20, 30", deals=10)


def test_several_impossible_words_are_all_named(opened):
    page = opened(GrowSettings(game="leduc", floor=0.9, scale=0.0, k=3))
    assert page.settings == GrowSettings(game="leduc", k=3)
    assert "word floor was" in page.notice.text and "word scale was" in page.notice.text


# ---- what is pressed while trees are made ------------------------------------------------------------------


def test_a_key_waits_for_the_trees_a_control_asked_for(kuhn):
    kuhn.rebalance()
    rests(kuhn)
    kuhn.controls.widgets["scale"].value = "0.25"
    kuhn.press("n")
    rests(kuhn)
    assert kuhn.frame.branches == ["run 1", "run 2: scale 1 → 0.25"]
    kuhn.controls.widgets["game"].value = "leduc"
    kuhn.press("b")
    rests(kuhn)
    assert kuhn.frame.now["sweep"] == 1 and kuhn.applied.game == "leduc"


# ---- what is selected --------------------------------------------------------------------------------------


def test_another_game_begins_with_nothing_selected(kuhn):
    kuhn.rebalance()
    kuhn.expand()
    rests(kuhn)
    kuhn.canvas.selected = 3
    rests(kuhn)
    assert kuhn.frame.inspection is not None
    kuhn.controls.widgets["game"].value = "leduc"
    rests(kuhn)
    assert kuhn.canvas.selected == -1 and kuhn.frame.inspection is None
    kuhn.grow_node()
    assert kuhn.notice.text == "No node is selected; click a leaf of the tree first."


def test_a_selected_node_stays_selected_when_other_trees_are_drawn(kuhn):
    kuhn.runner.rebalance(2)
    kuhn.expand()
    kuhn.expand()
    rests(kuhn)
    rows = kuhn.frame.rows
    row = next(i for i in range(len(rows.node)) if rows.seat[i] == 1 and rows.node[i] > 0)
    kuhn.canvas.selected = row
    rests(kuhn)
    wanted = kuhn.runner.asked.spot
    kuhn.view.seat.value = 1
    rests(kuhn)
    now = kuhn.canvas.selected
    assert now != row and spots_at(kuhn.frame, now) == [wanted]
    kuhn.view.seat.value = 0
    rests(kuhn)
    assert kuhn.canvas.selected == -1


def test_hands_drawn_as_one_are_told_to_be_many(kuhn):
    kuhn.view.apart.value = False
    kuhn.rebalance()
    rests(kuhn)
    kuhn.canvas.selected = 0
    rests(kuhn)
    assert "the likeliest of 3 hands here" in kuhn.node.html
    kuhn.hands.tap("K")
    rests(kuhn)
    assert "first with K" in kuhn.node.html and "likeliest" not in kuhn.node.html


# ---- going on from an earlier moment -----------------------------------------------------------------------


@pytest.mark.parametrize("command", ["rebalance", "expand", "toggle"])
def test_what_is_lost_by_going_on_from_the_past_is_told(kuhn, command):
    kuhn.runner.rebalance(6)
    rests(kuhn)
    assert kuhn.notice.text == ""
    kuhn.go_to(2)
    rests(kuhn)
    assert kuhn.notice.text == ""
    getattr(kuhn, command)()
    if command == "toggle":
        kuhn.runner.take(kuhn.frame.version)
        while kuhn.runner.latest().version == kuhn.frame.version:
            time.sleep(0.01)
        kuhn.toggle()
    rests(kuhn)
    told = "Run 1 goes on from sweep 2; what came after it is gone (Branch keeps both)."
    assert kuhn.notice.text == told and "note" in kuhn.notice.pane.object
    kuhn.runner.look(spot=None)  # a look leaves it standing, the next step does not
    rests(kuhn)
    assert kuhn.notice.text == told
    kuhn.rebalance()
    rests(kuhn)
    assert kuhn.notice.text == ""


def test_a_branch_loses_nothing_and_says_nothing(kuhn):
    kuhn.runner.rebalance(6)
    kuhn.go_to(2)
    kuhn.branch()
    kuhn.rebalance()
    rests(kuhn)
    assert kuhn.notice.text == "" and len(kuhn.frame.branches) == 2


# ---- the line above the tree -------------------------------------------------------------------------------


def test_the_numbers_above_the_tree_wrap_rather_than_leave_the_screen(kuhn):
    kuhn.rebalance()
    rests(kuhn)
    assert "flex-wrap: wrap" in kuhn.score.html and "whole game" in kuhn.score.html


def test_a_plot_ends_where_numbers_are_only_rounding():
    rows = [
        {"sweep": n, "epoch": 0, "nodes": 9, "change": 10.0**-n, "gain": 10.0 ** -(n + 20)} for n in (1, 60)
    ]
    chart = ChangeChart()
    chart.draw([("run 1", rows)], tolerance=1e-6)
    assert chart.change.y_range.start == pytest.approx(1e-12)
    gains = chart.distance.y_range
    assert gains.start < 1e-21 < gains.end  # smaller still, but all there is to see


def test_a_table_that_cannot_bet_is_told_in_the_words_of_the_page(opened):
    page = opened(GrowSettings(players=2, deals=10))
    page.controls.widgets["bets"].value = ""
    rests(page)
    assert page.notice.text == "A no-limit table without bets cannot bet; write sizes such as 0.5, 1, all-in."
