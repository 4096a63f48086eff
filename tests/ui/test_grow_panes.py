"""The panes of the page Grow, each on its own: data in, drawing out."""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape
from types import SimpleNamespace

import numpy as np
import pytest

from solverlab.core.errors import BadValue
from solverlab.run.growing.rows import ActionRow, Grew, Inspection
from solverlab.solvers.growing.squash import SQUASHES
from solverlab.ui.grow.alarm import alarm_html
from solverlab.ui.grow.charts import CHANGE, MEASURES, TITLES, ChangeChart, PhaseChart
from solverlab.ui.grow.colours import colours_of
from solverlab.ui.grow.hand_cells import ENDS, group_of
from solverlab.ui.grow.hands import HandPicker
from solverlab.ui.grow.inspector import (
    DOWN,
    LEAF_WORDS,
    NOTHING,
    STEPS,
    UP,
    inspection_html,
    log_html,
    phase_html,
)
from solverlab.ui.parts.chart import end_of
from solverlab.ui.parts.hand_grid import HandGrid
from solverlab.ui.tokens import css
from solverlab.views.hand_grid import HANDS, PALETTE
from solverlab.views.theme import run_colour

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
COMBOS = [a + b for k, b in enumerate(CARDS) for a in CARDS[:k]]


def sweeps(count: int, **more: object) -> list[dict]:
    """Rows of a run that grows after every ten sweeps."""
    return [
        {"sweep": n, "epoch": (n - 1) // 10, "nodes": 9 * (1 + (n - 1) // 10), "change": 1 / n, "gain": 2.0}
        | more
        for n in range(1, count + 1)
    ]


def traffic(monkeypatch: pytest.MonkeyPatch, source) -> list[str]:
    """What is sent through a source from now on."""
    sent: list[str] = []
    stream = type(source).stream

    def streamed(self, *columns):
        sent.extend(["more"] if self is source else [])
        stream(self, *columns)

    monkeypatch.setattr(type(source), "stream", streamed)
    source.on_change("data", lambda attr, old, new: sent.append("data"))
    return sent


# ---- change and distance -------------------------------------------------------------------------------


def test_a_live_run_is_streamed_and_a_changed_past_is_replaced(monkeypatch):
    chart, rows = ChangeChart(), sweeps(30)
    chart.draw([("live", rows[:20])])
    source = chart.plots[0].lines[0].source
    sent = traffic(monkeypatch, source)
    chart.draw([("live", rows[:20])])
    assert sent == []
    chart.draw([("live", rows)])
    assert sent[0] == "more" and list(source.data["sweep"]) == list(range(1, 31))
    sent.clear()
    chart.draw([("live", rows[:7])])  # a branch that begins in the past
    assert "more" not in sent and list(source.data["sweep"]) == list(range(1, 8))


def test_zeros_and_missing_numbers_have_no_place_on_the_axes():
    rows = sweeps(6)
    rows[1]["change"], rows[2]["change"], rows[3]["change"] = 0.0, math.nan, math.inf
    del rows[4]["gain"]
    rows[5]["gain"] = None
    chart = ChangeChart()
    chart.draw([("live", rows)])
    assert list(chart.plots[0].lines[0].source.data["sweep"]) == [1, 5, 6]
    assert list(chart.plots[1].lines[0].source.data["sweep"]) == [1, 2, 3, 4]
    assert chart.change.y_range.start <= 1 / 6 and chart.change.y_range.end >= 1


def test_branches_marker_epochs_tolerance_and_alarms_are_drawn():
    chart = ChangeChart(beside=True)
    live = sweeps(25, tolerance=1e-3, lifted=0.5)
    live[-1]["alarm"] = True
    chart.draw([("live", live), ("scale 4", sweeps(12, lifted=0.25))], marker=8, measure="lifted", unit="bb")
    plot, distance = chart.plots
    widths = [line.glyph.line_width for line in (item.renderers[0] for item in plot.items)]
    assert widths[0] > max(widths[1:])
    assert [item.label.value for item in plot.items if item.visible] == ["live", "scale 4"]
    assert plot.legend.visible and distance.legend.visible
    assert list(plot.epochs.data["sweep"]) == [10, 20] and "9 nodes grow to 18" in plot.epochs.data["told"][0]
    assert plot.marker.location == distance.marker.location == 8 and plot.marker.visible
    assert chart.tolerance.location == 1e-3 and chart.tolerance.visible and chart.change.y_range.start < 1e-3
    assert list(plot.alarms.data["sweep"]) == [25]
    assert list(distance.heads.data["value"]) == [0.5, 0.25]
    assert list(distance.heads.data["colour"]) == [run_colour(0), run_colour(1)]
    assert (distance.figure.title.text, distance.figure.yaxis[0].axis_label) == (TITLES["lifted"], "bb")
    chart.draw([("live", live)], measure="gain")
    assert not plot.legend.visible and not plot.marker.visible
    assert not len(plot.lines[1].source.data["sweep"]) and distance.lines[0].source.data["value"][0] == 2.0


def test_a_run_keeps_its_colour_while_it_exists():
    chart, rows = ChangeChart(beside=True), sweeps(3)

    def colours() -> dict[str, str]:
        shown = [item for item in chart.plots[1].items if item.visible]
        return {item.label.value: item.renderers[0].glyph.line_color for item in shown}

    chart.draw([("run 1", rows)])
    assert colours() == {"run 1": run_colour(0)}
    chart.draw([("run 2", rows), ("run 1", rows)])
    both = {"run 1": run_colour(0), "run 2": run_colour(1)}
    assert colours() == both
    chart.draw([("run 1", rows), ("run 2", rows)])  # switched back
    assert colours() == both and list(chart.plots[0].heads.data["colour"]) == [run_colour(0), run_colour(1)]
    chart.draw([("run 3", rows), ("run 2", rows)])  # the first is gone: its colour is free
    assert colours() == {"run 3": run_colour(0), "run 2": run_colour(1)}


def test_the_change_drawn_is_the_one_the_live_run_is_tested_by():
    rows = sweeps(3, relative_change=2.0)
    chart = ChangeChart()
    wanted = {
        "absolute": ("absolute change", [1, 0.5, 1 / 3]),
        "relative": ("relative change", [2.0] * 3),
    }
    for test, (words, numbers) in wanted.items():
        chart.draw([("live", rows), ("other", rows)], test=test)
        assert chart.change.yaxis[0].axis_label == words and chart.change.title.text == CHANGE
        assert [list(line.source.data["value"]) for line in chart.plots[0].lines[:2]] == [numbers] * 2


def test_both_plots_share_the_sweeps_and_say_why_they_are_empty():
    chart = ChangeChart()
    assert chart.change.x_range is chart.distance.x_range and TITLES.keys() == MEASURES.keys()
    chart.draw([("live", [])])
    assert chart.plots[0].hint.text == "nothing swept yet"
    chart.draw([("live", sweeps(3))], measure="lifted")
    assert chart.plots[1].hint.text == "not measured for this tree" and chart.plots[0].hint.text == ""
    chart.draw([("live", sweeps(3, gain=0.0))])
    assert chart.plots[1].hint.text == "0: nobody gains anything"
    assert [end_of(n) for n in (1, 99, 100, 14_000)] == [10, 150, 150, 15_000]


def test_more_branches_than_places_are_left_out_and_one_sweep_is_seen():
    chart = ChangeChart()
    chart.draw([(f"branch {k}", sweeps(1)) for k in range(9)])
    assert len(chart.plots[0].heads.data["sweep"]) == 7
    chart.draw([("live", sweeps(1))])
    assert list(chart.plots[0].heads.data["sweep"]) == [1] and chart.x_range.end == 10


def test_the_alarm_is_raised_only_where_standing_still_is_no_convergence():
    row = {"change": 5e-7, "gain": 0.99, "tolerance": 1e-6}
    loud = alarm_html(row | {"alarm": True})
    assert "no probability moved by more than 1e-06" in loud and "role='alert'" in loud
    assert "a seat could still gain 0.99 chips" in loud and "this is not convergence" in loud
    assert "alert" not in alarm_html(row) and "At rest" in alarm_html(row)
    assert "0.25" in alarm_html(row | {"change": 0.25}) and "still moving" in alarm_html(
        row | {"change": 0.25}
    )
    row |= {"relative_change": 0.5, "alarm": True}
    assert "moved by more than 1e-06 of what it was" in alarm_html(row, test="relative")
    assert "of what it was" in alarm_html(row | {"test": "relative"})  # the row's own test counts
    moving = {"change": 5e-7, "relative_change": 0.5, "tolerance": 1e-6}
    assert "change in a sweep is 0.5" in alarm_html(moving, test="relative")
    assert "At rest" in alarm_html(moving, test="absolute")
    assert "No sweep yet" in alarm_html({}) and "No sweep yet" in alarm_html({"change": math.inf})


# ---- the phase portrait --------------------------------------------------------------------------------


def test_the_way_of_two_probabilities_grows_stronger_and_is_judged():
    turn = 2 * np.pi * np.arange(200) / 20
    x, y = 0.5 + 0.2 * np.cos(turn), 0.5 + 0.3 * np.sin(turn)
    chart = PhaseChart()
    chart.draw([math.nan, *x], [0.5, *y], "raise with K", "call with Q", every=5)
    assert chart.figure.title.text.replace("\n", " ").startswith(
        "It goes round every 100 sweeps by 0.3 either"
    )
    assert chart.figure.xaxis[0].axis_label == "raise with K"
    alpha = chart.way.data["alpha"]
    assert alpha == sorted(alpha) and alpha[0] < 0.3 and alpha[-1] == 1
    joined = [piece[0] for piece in chart.way.data["xs"][1:]]
    assert joined == [piece[-1] for piece in chart.way.data["xs"][:-1]]  # no gaps
    assert chart.ends.data["fill"][0] == "white" and chart.ends.data["x"] == pytest.approx([x[0], x[-1]])


def test_a_portrait_has_the_colour_of_its_run():
    chart = PhaseChart()
    chart.draw([0.5, 0.6], [0.5, 0.4], "a", "b", colour=run_colour(2))
    assert {glyph.line_color for glyph in chart.glyphs} == {run_colour(2)}
    assert chart.ends.data["fill"] == ["white", run_colour(2)]


def test_a_portrait_of_little_or_nothing(monkeypatch):
    chart = PhaseChart()
    chart.draw([], [], "a", "b")
    assert chart.hint.text and not chart.ends.data["x"]
    chart.draw([0.5], [0.5], "a", "b")
    assert chart.ends.data["told"] == ["now"] and not chart.hint.text
    sent = traffic(monkeypatch, chart.way)
    chart.draw([0.5], [0.5], "a", "b")
    assert sent == []
    chart.draw(np.full(5000, 0.5), np.full(5000, 0.25), "a", "b")
    assert sum(map(len, chart.way.data["xs"])) < 2100 and "it moves by less\nthan" in chart.figure.title.text


# ---- the inspector -------------------------------------------------------------------------------------


@pytest.fixture
def seen() -> Inspection:
    ev, before = np.array([-0.5, 0.25, 3.0]), np.array([0.2, 0.3, 0.5])
    squash = SQUASHES["tanh"]
    after = before * squash.factor(ev / 2)
    after = after / after.sum()
    names = ("fold", "call", "all-in <b>")
    actions = tuple(
        ActionRow(names[k], before[k], ev[k], 0.125 * k, ev[k] / 2, np.tanh(ev[k] / 2), after[k], k)
        for k in range(3)
    )
    return Inspection(
        "button", "QJs", "raise 100% / call", "action", 0.004, 0.5, 1.25, 0.0625, 1200, actions, "number 1"
    )


def test_an_update_is_told_number_by_number(seen):
    html = inspection_html(seen, "big blinds", "tanh", 2.0)
    for told in ("button", "QJs", "raise 100% › call", "own decision", "0.0040 (1 in 250)", "0.5000"):
        assert told in html
    assert "+1.250 ± 0.062 big blinds" in html and "from 1,200 deals" in html and "number 1" in html
    assert "EV ÷ 2" in html and "1 + tanh" in html and "<b></th>" not in html
    row = seen.actions[2]
    assert f"{1 + row.squashed:.4f}" in html and f"{css(UP)}'>▲{row.after:.4f}" in html
    assert f"{css(DOWN)}'>▼{seen.actions[0].after:.4f}" in html
    assert "± 0.12" in html and html.count("grow-swatch'") == 3


def test_exact_nodes_leaves_and_other_squeezes_are_told_apart(seen):
    exact = inspection_html(replace(seen, deals=0), "chips", "erf", 2.0)
    assert "exact" in exact and "+1.250 chips" in exact and "1 + erf" in exact
    assert "from the epoch before" in inspection_html(replace(seen, deals=0), "chips", exact=False)
    nobody = replace(seen, deals=0, others=0.0)
    assert "no deal comes here yet" in inspection_html(nobody, "chips", exact=False)
    compared = tuple(replace(row, squeezed=row.squeezed - 0.4) for row in seen.actions)
    assert "what is squeezed" in inspection_html(replace(seen, actions=compared), "chips", "tanh", 2.0)
    leaf = inspection_html(replace(seen, actions=(), kind="leaf", ev=math.nan), "chips")
    assert "<table" not in leaf and "a leaf" in leaf and "–" in leaf
    for kind, words in LEAF_WORDS.items():
        told = inspection_html(replace(seen, actions=(), kind="leaf"), "chips", leaf=kind)
        assert escape(words) in told
    assert inspection_html(None, "chips") == NOTHING
    dead = replace(seen.actions[0], squashed=-1.0, before=1e-30, after=1e-60)
    assert "≈ 0" in inspection_html(replace(seen, actions=(dead,)), "chips")


def test_the_log_tells_the_newest_first_and_not_too_much():
    lines = [Grew(k // 3, "button", f"H{k}", "raise / call", f"reach {k} < 1") for k in range(9)]
    html = log_html(lines, most=5)
    assert html.index("H8") < html.index("H7") < html.index("H4") and "H3" not in html
    assert "Epoch 2</b> <small>3 grew" in html and "4 older lines" in html and "reach 8 &lt; 1" in html
    assert "Nothing has grown yet" in log_html([])


def test_a_sweep_in_slow_motion_shows_where_it_is():
    html = phase_html("back-up", "Probability < EV.")
    assert html.count("class='grow-step active'") == 1 and html.count("class='grow-step done'") == 1
    assert html.index("grow-step active") < html.index(STEPS["back-up"]) and "&lt;" in html
    assert "grow-step active'" not in phase_html("", "Nothing in progress.")


# ---- the hands -----------------------------------------------------------------------------------------


def test_sizes_of_169_trees_are_shaded_by_their_logarithm():
    picker, hands = HandPicker(lambda hand: None), HANDS[::-1]
    picker.show_sizes(hands, [1] + [10] * 167 + [100])  # the last is AA
    assert isinstance(picker.form, HandGrid) and picker.members("AA") == (168,)
    columns = picker.form.source.data
    assert (columns["colour"][0], columns["colour"][168]) == (PALETTE[-1], PALETTE[0])
    assert (
        columns["words"][0] == "100"
        and columns["told"][0] == "100 nodes"
        and columns["told"][168] == "1 node"
    )
    assert not len(picker.form.split.data["left"]) and "1 node<" in picker.legend.html


def test_cells_are_split_by_what_hands_do_and_only_widths_travel(monkeypatch):
    picker, table = HandPicker(lambda hand: None), np.tile([0.25, 0.0, 0.75], (169, 1))
    table[5] = np.nan
    picker.show_actions(HANDS, ["fold", "call", "all-in"], table)
    split = picker.form.split
    width = np.subtract(split.data["right"], split.data["left"]).reshape(169, 3)
    assert width[0] / width[0].sum() == pytest.approx([0.25, 0, 0.75], abs=1e-3) and not width[5].any()
    assert list(split.data["colour"][:3]) == colours_of(["fold", "call", "all-in"])
    told = picker.form.source.data["told"]
    assert told[0] == "fold 25.0 %, call 0.0 %, all-in 75.0 %" and told[5] == ENDS
    sent: list[list[str]] = []
    monkeypatch.setattr(type(split), "patch", lambda self, news: sent.append(sorted(news)))
    picker.show_actions(HANDS, ["fold", "call", "all-in"], table)
    assert sent == []
    picker.show_actions(HANDS, ["fold", "call", "all-in"], table[:, ::-1])
    assert ["left", "right"] in sent
    with pytest.raises(BadValue, match="not one column for each"):
        picker.show_actions(HANDS, ["fold"], table)


def test_one_action_is_painted_alone_and_a_node_without_a_decision_says_so():
    picker, table = HandPicker(lambda hand: None), np.tile([0.0, 1.0], (169, 1))
    picker.show_actions(HANDS, ["fold", "call"], table, action="call")
    assert set(picker.form.source.data["colour"]) == {PALETTE[-1]} and not len(picker.form.split.data["left"])
    with pytest.raises(BadValue, match="no action 'jam'"):
        picker.show_actions(HANDS, ["fold", "call"], table, action="jam")
    picker.show_actions(HANDS, [], np.full((169, 0), np.nan))
    assert "no decision of this seat here" in picker.legend.html


def test_combos_are_drawn_as_their_classes():
    group = group_of(COMBOS)
    assert {len(m) for m in group.members} == {4, 6, 12} and sum(map(len, group.members)) == 1326
    table = np.tile([0.0, 1.0], (1326, 1))
    aces = group.members[group.names.index("AA")]
    table[list(aces[:2])], table[aces[2]] = [1.0, 0.0], np.nan
    picker = HandPicker(lambda hand: None)
    picker.show_actions(COMBOS, ["fold", "call"], table)
    assert picker.form.source.data["told"][0] == "fold 40.0 %, call 60.0 % (5 of 6 combos)"
    assert "169 classes" in picker.legend.html and picker.members("AA") == aces
    picker.show_sizes(COMBOS, np.full(1326, 3))
    assert picker.form.source.data["told"][:2] == ["18 nodes in 6 trees", "12 nodes in 4 trees"]


def test_a_tap_picks_a_hand_and_a_second_one_lets_go():
    told: list[str] = []
    picker = HandPicker(told.append)
    picker.show_sizes(HANDS, range(1, 170))
    picker.form._on_tap(SimpleNamespace(x=1.2, y=-0.1))
    assert told == ["AKs"] and picker.chosen == "AKs" and picker.form.mark.data["x"] == [1]
    picker.form._on_tap(SimpleNamespace(x=1.2, y=-0.1))
    picker.form._on_tap(SimpleNamespace(x=40, y=2))
    assert told == ["AKs", ""] and picker.form.mark.data["x"] == []
    picker.choose("72o")
    assert told == ["AKs", ""] and picker.chosen == "72o"
    picker.show_sizes(["J", "Q", "K"], [1, 2, 3])  # another game has no such hand
    assert picker.chosen == "" and picker.members("72o") == ()
    picker.form._on_tap(SimpleNamespace(x=1.9, y=0.2))
    assert told[-1] == "K" and picker.form.mark.data["x"] == [2]


def test_few_hands_stand_in_a_row_of_bars():
    picker = HandPicker(lambda hand: None)
    picker.show_sizes(["J", "Q", "K"], [1, 10, 100])
    first = picker.form
    heights = np.subtract(first.bars.data["bottom"], first.bars.data["top"])
    assert heights[0] < heights[1] < heights[2] and heights[2] == pytest.approx(0.72)
    assert list(first.words.data["words"]) == ["1", "10", "100"]
    picker.show_actions(
        ["J", "Q", "K"], ["check", "raise"], np.array([[0.25, 0.75], [np.nan] * 2, [1.0, 0.0]])
    )
    assert picker.form is first and len(first.bars.data["top"]) == 4
    assert (
        list(first.words.data["words"]) == ["25", "75", "–", "100"] and first.source.data["told"][1] == ENDS
    )
    picker.show_actions(["J", "Q", "K"], ["check", "raise"], np.full((3, 2), 0.5), action="raise")
    assert list(first.words.data["words"]) == ["50"] * 3
    picker.show_sizes([f"h{k}" for k in range(20)], range(1, 21))
    assert picker.form is not first and (picker.form.columns, max(picker.form.y)) == (10, 1)
    with pytest.raises(BadValue, match="no hands"):
        picker.show_sizes([], [])


def test_colours_tell_actions_apart():
    colours = colours_of(["fold", "call", "raise 50%", "raise 100%", "raise 200%", "all-in"])
    assert len(set(colours)) == 6 and colours_of(["check", "bet 50%"])[1] == colours[2]
