"""The growing laboratory without a browser: what its controls do, what it shows, and that it stops."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time

import ipywidgets
import pytest

import solverlab as sl
from solverlab.core.errors import SolverlabError
from solverlab.ui.grow.forest_rows import unpacked
from solverlab.ui.grow.lab_controls import PAUSE, PLAY
from solverlab.ui.grow.lab_words import MOST_POINTS, sweep_lines


@pytest.fixture
def lab():
    lab = sl.ui.GrowLab(sl.Kuhn(), frontier=sl.MostReached(1), sweeps=2)
    yield lab
    lab.close()


def shown(lab, name: str) -> int:
    """A number of the line above the tree."""
    text = re.sub("<[^>]*>", " ", lab.controls.status.value)
    return int(re.search(rf"{name} +([\d,]+)", text)[1].replace(",", ""))


def pressed(lab, button) -> None:
    button.click()
    lab.runner.wait()
    lab.refresh()


def drawn(lab) -> int:
    return lab.controls.forest.live["size"]


def row_of(lab, seat: int, node: int, hand: int) -> int:
    rows = lab.frame.rows
    here = (rows.seat == seat) & (rows.node == node) & (rows.hand == hand)
    return here.nonzero()[0].item()


def test_buttons_do_what_they_say(lab):
    controls = lab.controls
    assert (shown(lab, "sweep"), shown(lab, "epoch"), drawn(lab)) == (0, 0, 2)
    pressed(lab, controls.rebalance)
    assert (shown(lab, "sweep"), shown(lab, "epoch")) == (1, 0)
    pressed(lab, controls.expand)
    assert shown(lab, "epoch") == 1 and drawn(lab) > 2
    pressed(lab, controls.sub_step)
    assert "grow-step active" in controls.node.value and shown(lab, "sweep") == 1
    pressed(lab, controls.rebalance)
    assert "grow-step" not in re.sub("<style>.*?</style>", "", controls.node.value, flags=re.S)
    assert shown(lab, "sweep") == 2
    pressed(lab, controls.reset)
    assert (shown(lab, "sweep"), drawn(lab)) == (0, 2)


def test_play_grows_and_pause_is_exact(lab):
    controls = lab.controls
    controls.play.click()
    assert controls.play.description == PAUSE
    while lab.frame.now["epoch"] < 4:
        time.sleep(0.01)
    pressed(lab, controls.play)
    rested, size = shown(lab, "sweep"), drawn(lab)
    assert controls.play.description == PLAY and size > 20
    assert lab.runner.wait().now["sweep"] == rested


def test_people_who_type_get_answers(lab):
    assert lab.rebalance(3)["sweep"] == lab.frame.now["sweep"] == 3
    grown = lab.expand()
    assert {(line.seat, line.hand, line.epoch) for line in grown} == {("first", "K", 1), ("second", "K", 1)}
    lab.rebalance()
    seen = lab.inspect("first", hand="K")
    assert (seen.kind, seen.hand) == ("action", "K") and sum(row.after for row in seen.actions) == 1.0
    assert lab.inspect(1, "check", "K").path == "check"
    assert lab.inspect("first").hand == "J"  # no hand named: all are as likely, so the first of them
    assert lab.go_to(0)["sweep"] == 0


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda lab: lab.inspect("dealer"), "dealer"),
        (lambda lab: lab.inspect("first", "limp"), "limp"),
        (lambda lab: lab.inspect("first", hand="A"), "'A'"),
        (lambda lab: lab.inspect("first", "check / raise", "Q"), "ends before"),
        (lambda lab: lab.branch(scale=0.0), "scale"),
        (lambda lab: lab.go_to(99), "99"),
    ],
)
def test_what_cannot_be_is_told_to_people_who_type(lab, ask, words):
    with pytest.raises(SolverlabError, match=words):
        ask(lab)
    assert lab.rebalance()["sweep"] == 1


def test_a_clicked_node_is_told_and_can_be_grown(lab):
    lab.rebalance()
    lab.expand()
    lab.rebalance()
    lab.controls.forest.selected = row_of(lab, seat=0, node=0, hand=2)
    lab.runner.wait()
    lab.refresh()
    told = re.sub("<[^>]*>", "", lab.controls.node.value)
    assert "first with K" in told and "EV ÷ 1" in told and "1 + tanh" in told
    lab.controls.forest.selected = row_of(lab, seat=0, node=1, hand=2)
    before = drawn(lab)
    pressed(lab, lab.controls.grow)
    assert drawn(lab) > before
    assert "asked for" in lab.frame.log[-1].reason


def test_growing_without_a_node_is_told_in_a_sentence(lab):
    pressed(lab, lab.controls.grow)
    assert "click a leaf of the tree first" in lab.controls.status.value
    pressed(lab, lab.controls.rebalance)
    assert "click a leaf" not in lab.controls.status.value


def test_seat_hand_and_colour_change_what_is_drawn(lab):
    controls = lab.controls
    for _ in range(3):
        lab.rebalance()
        lab.expand()
    everything = drawn(lab)
    controls.seat.value = 1
    assert lab.runner.wait() and lab.refresh() is None and 1 < drawn(lab) < everything
    controls.hand.value = "Q"
    lab.runner.wait()
    lab.refresh()
    assert drawn(lab) == 1 + (lab.frame.rows.hand == 1).sum()
    controls.hand.value = "K, Z"
    assert "there is no hand" in controls.status.value
    controls.hand.value = ""
    controls.apart.value = False
    lab.runner.wait()
    lab.refresh()
    assert set(lab.frame.rows.hand.tolist()) == {-1}
    controls.colour.value = "player"
    assert controls.forest.look["colour"] == "player" and controls.forest.look["players"] == [
        "first",
        "second",
    ]


def test_look_back_and_go_another_way(lab):
    controls = lab.controls
    lab.rebalance(6)
    assert (controls.scrub.moments, controls.scrub.index, controls.curve.marker) == (7, 6, 0.0)
    controls.scrub.asked = {"index": 2, "count": 1}
    lab.runner.wait()
    lab.refresh()
    assert (shown(lab, "sweep"), controls.scrub.index, controls.curve.marker) == (2, 2, 2.0)
    controls.changes.value = "scale=2, k=3"
    pressed(lab, controls.branch)
    assert controls.runs.value == "run 2: scale=2, frontier=MostReached(k=3)" and shown(lab, "sweep") == 2
    lab.rebalance()
    assert len(lab.expand()) == 6  # three a seat now
    lab.rebalance()
    lab.inspect("first", hand="K")
    assert "EV ÷ 2" in controls.node.value
    assert [line["name"] for line in controls.curve.lines] == ["gain of a seat", "change", "gain, run 1"]
    controls.runs.value = "run 1"
    lab.runner.wait()
    lab.refresh()
    assert len(lab.frame.sweeps) == 7


@pytest.mark.parametrize(
    ("typed", "words"), [("size=3", "size"), ("scale=two", "two"), ("scale=0", "scale of 0")]
)
def test_a_branch_that_cannot_be_is_told_in_a_sentence(lab, typed, words):
    lab.controls.changes.value = typed
    pressed(lab, lab.controls.branch)
    assert words in lab.controls.status.value and lab.frame.branches == ["run 1"]


def test_an_old_error_is_neither_raised_nor_shown_again(lab):
    with pytest.raises(SolverlabError, match="scale"):
        lab.branch(scale=-1)
    assert "a scale of -1" in lab.controls.status.value
    assert lab.rebalance(0)["sweep"] == 0  # nothing to do, and nothing wrong with that
    assert lab.rebalance()["sweep"] == 1 and "wrong" not in lab.controls.status.value
    lab.controls.changes.value = "scale=two"
    pressed(lab, lab.controls.branch)
    assert "'two'" in lab.controls.status.value.replace("&#x27;", "'")
    assert lab.rebalance()["sweep"] == 2 and "wrong" not in lab.controls.status.value
    lab.branch(scale=3.0)
    assert lab.frame.branches == ["run 1", "run 2: scale=3"]


@pytest.mark.parametrize("name", ["scal", "k", "weighting"])
def test_a_setting_that_this_game_has_not_is_told_by_name(lab, name):
    with pytest.raises(SolverlabError, match=f"there is no setting of a branch '{name}'"):
        lab.branch(**{name: 3})
    assert lab.rebalance()["sweep"] == 1


def test_runs_keep_their_colours_and_the_test_its_number(lab):
    lab.rebalance(2)
    lab.branch(test="relative")
    lab.expand()
    lab.rebalance()
    now, lines = lab.frame.now, lab.controls.curve.lines
    gain, change, other = (line["colour"] for line in lines)
    assert gain == change != other and lines[1]["y"][-1] == now["tested"] == now["relative_change"]
    assert "relative change" in lab.controls.status.value
    lab.controls.runs.value = "run 1"
    lab.runner.wait()
    lab.refresh()
    assert [line["colour"] for line in lab.controls.curve.lines] == [other, other, gain]


def test_a_false_rest_raises_the_alarm():
    lab = sl.ui.GrowLab(sl.MatchingPennies(), start=0.6, tolerance=1e-6)
    assert lab.controls.expand.disabled and not lab.growing.grows
    lab.rebalance(500)
    assert "this is not convergence" in lab.controls.alarm.value
    gains, changes = (line["y"][-1] for line in lab.controls.curve.lines)
    assert gains > 0.9 and changes < 1e-6
    lab.branch(tolerance=0.0)
    assert "this is not convergence" in lab.controls.alarm.value  # what happened on this way stays told
    lab.go_to(0)
    assert lab.controls.alarm.value == ""
    with pytest.raises(SolverlabError, match="frontier"):
        lab.expand()
    lab.close()


def test_six_handed_holdem_grows_from_hole_cards():
    table = sl.Holdem(players=6)
    lab = sl.ui.GrowLab(table, frontier=sl.MostReached(2), samples=20, sweeps=1)
    assert drawn(lab) == 6 and list(lab.controls.seat.options)[0] == ("all seats", -1)
    for _ in range(2):
        lab.rebalance()
        grown = lab.expand()
    assert len(grown) == 12 and drawn(lab) > 40
    lab.rebalance()
    seen = lab.inspect("under the gun", hand="AA")
    assert seen.kind == "action" and seen.deals == 20
    assert lab.controls.curve.y_label == "gain (BB), change"
    kinds = unpacked(lab.controls.forest.live["kind"], "u1")
    assert len(kinds) == drawn(lab) and {0, 1, 2, 3} <= set(kinds.tolist())
    lab.close()


def test_any_setting_of_the_solver_is_taken_and_wrong_ones_are_refused():
    lab = sl.ui.GrowLab("kuhn-3", leaf="rollout", squash="erf", ev="centred", floor=0.01)
    assert lab.rebalance(2)["sweep"] == 2 and lab.frame.now["nodes"] == 12  # the roots of three seats
    lab.close()
    with pytest.raises(SolverlabError, match="squash"):
        sl.ui.GrowLab(sl.Kuhn(), squash="flat")


def test_curves_are_thinned_and_leave_zeros_out():
    rows = [{"sweep": n, "change": 0.0 if n < 5 else 1 / n, "gain": 2.0} for n in range(1, 5001)]
    gain, change = sweep_lines([("run 1", rows)])
    assert 50 < len(gain["x"]) <= MOST_POINTS and gain["x"][-1] == 5000
    assert min(change["x"]) >= 5 and min(change["y"]) > 0


def test_too_many_nodes_are_not_drawn_but_told(lab, monkeypatch):
    monkeypatch.setattr("solverlab.ui.grow.lab.MOST_DRAWN", 5)
    before = drawn(lab)
    lab.rebalance()
    lab.expand()
    assert drawn(lab) == before and "too many to draw" in lab.controls.status.value


def test_closing_stops_the_worker_and_switches_the_controls_off(lab):
    lab.controls.play.click()
    lab.close()
    lab.runner._thread.join(10)
    assert not lab.runner._thread.is_alive()
    assert all(control.disabled for control in lab.controls.all())


def test_it_can_be_put_into_another_layout(lab):
    page = ipywidgets.Tab([lab.widget])
    assert isinstance(lab.widget, ipywidgets.VBox) and page.children == (lab.widget,)
    assert "application/vnd.jupyter.widget-view+json" in lab._repr_mimebundle_()


def test_nobody_looking_means_pause(lab):
    lab._count_views({"view": 1})
    lab.controls.play.click()
    lab._count_views({"want": "all"})
    assert lab.runner.playing
    lab._count_views({"view": -1})
    assert not lab.runner.playing


def test_in_a_notebook_the_clock_draws_by_itself():
    async def cell() -> int:
        lab = sl.ui.GrowLab(sl.Kuhn(), frontier=sl.MostReached(1))
        lab.controls.rebalance.click()
        for _ in range(100):
            await asyncio.sleep(0.1)
            if shown(lab, "sweep") == 1:
                break
        lab.close()
        return shown(lab, "sweep")

    assert asyncio.run(cell()) == 1


def test_a_notebook_never_loads_the_dashboard_library():
    program = (
        "import sys, solverlab as sl; lab = sl.ui.GrowLab(sl.Kuhn()); lab.rebalance(3); lab.close(); "
        "print([m for m in ('panel', 'bokeh', 'holoviews') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert answer.stdout.strip() == "[]", answer.stderr


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda lab: lab.rebalance(1.5), "the number of sweeps is 1.5; give a whole number of at least 0"),
        (lambda lab: lab.rebalance(-1), "the number of sweeps is -1"),
        (lambda lab: lab.go_to("x"), "there is no moment 'x'"),
        (lambda lab: lab.go_to(1.5), "there is no moment 1.5"),
        (lambda lab: lab.inspect("first", 0), "a path of 0 cannot be read"),
        (lambda lab: lab.inspect("first", "", None), "a hand of None cannot be read"),
        (lambda lab: lab.inspect(None), "there is no seat None"),
    ],
)
def test_what_cannot_be_asked_of_a_lab_is_told_and_it_goes_on(ask, sentence):
    lab = sl.ui.GrowLab(sl.Kuhn(), frontier=sl.MostReached(1))
    try:
        with pytest.raises(sl.SolverlabError, match=sentence):
            ask(lab)
        assert lab.rebalance(2)["sweep"] == 2
    finally:
        lab.close()
