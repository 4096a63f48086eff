"""The 2-to-7 page without a browser: what a visitor chooses, and what the page makes of it."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event

import numpy as np
import pandas as pd
import pytest
from bokeh.document import Document

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.studies.lowball import lowball_root, regret_proxy
from solverlab.ui.lowball import page as lowball_page
from solverlab.ui.lowball.compare import compare
from solverlab.ui.lowball.page import LowballPage
from solverlab.ui.lowball.rung import exact_solver
from solverlab.ui.lowball.settings import LowballSettings


def until(page: LowballPage, condition: Callable[[], object]) -> None:
    """Let the page's clock tick until something has happened."""
    end = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < end, page.notice.text
        page.tick()
        time.sleep(0.02)


def rested(page: LowballPage, choice: LowballSettings) -> bool:
    """Whether a rung is built, drawn and at rest."""
    solving = page.solving
    return (
        not page.run.queue.busy
        and solving is not None
        and (solving.choice.rung, solving.choice.stack) == (choice.rung, choice.stack)
        and page.snap is not None
        and page.snap is solving.runner.latest().snapshot
        and not solving.runner.latest().running
    )


@pytest.fixture(scope="module")
def opened() -> Iterator[LowballPage]:
    page = LowballPage(LowballSettings(schedule="DCFR"))
    page.layout()
    yield page
    page.close()


@pytest.fixture
def page(opened: LowballPage) -> LowballPage:
    """The page as it opens, whatever the test before did to it."""
    opened.notice.clear()
    opened.going = True
    opened.choose(LowballSettings(schedule="DCFR"))
    until(opened, lambda: rested(opened, opened.settings) and not opened.curves.tasks.busy)
    opened.tick()
    return opened


def shown(page: LowballPage, side: int, action: str) -> dict[str, float]:
    """What a chart of bars or cells says of an action, hand by hand."""
    data = page.plots[side].source.data
    rows = zip(data["hand"], data["action"], data["percent"], strict=True)
    return {hand: float(percent) / 100 for hand, does, percent in rows if does == action}


# ---- the exact rungs -----------------------------------------------------------------------------------


def test_it_opens_on_one_card_and_solves_it(page):
    assert page.snap.exploitability <= 1e-6
    assert page.snap.value == pytest.approx(0.090485, abs=1e-5)
    for told in ("stack<b>3</b>", "value to the button<b>+0.0905</b>", "NashConv<b>", "<small>exact</small>"):
        assert told in page.score.html
    assert "11 nodes, 13 hands a player, 2 ways to draw; 156 deals" in page.controls.size.object
    assert page.keyboard.address.startswith("cards=1&deck=13&each=1&betting=push")


def test_bars_are_the_policy(page):
    policy = page.snap.policy
    assert list(shown(page, 0, "all-in")) == list("23456789TJQKA")
    for hand, chance in shown(page, 0, "all-in").items():
        assert chance == pytest.approx(policy.at("", hand=hand)["all-in"], abs=6e-4)
    for hand, chance in shown(page, 1, "call all-in").items():
        assert chance == pytest.approx(policy.at("all-in", hand=hand)["all-in"], abs=6e-4)
    mean = np.mean([policy.at("", hand=hand)["all-in"] for hand in "23456789TJQKA"])
    assert f"all-in {100 * mean:.1f} %" in page.plots[0].figure.title.text


def test_the_first_curve_has_its_root_and_the_stack_its_marker(page):
    curve = page.curves.curves[0]
    assert curve.root == pytest.approx(3.940, abs=2e-3) and curve.label == "1 card, 13 x 1: 3.940"
    assert list(page.curves.plot.roots.data["words"]) == ["3.940"]
    assert page.curves.plot.marker.location == 3.0
    assert page.curves.plot.dot.data == {"x": [3.0], "y": [page.snap.value]}
    at_three = next(row for row in curve.rows if row["stack"] == 3.0)
    assert at_three["value"] == pytest.approx(page.snap.value, abs=1e-5)


def test_another_deck_moves_the_root_and_curves_come_and_go(page):
    page.controls.deck.value = "12"
    until(page, lambda: rested(page, page.settings))
    page.add_curve()
    until(page, lambda: len(page.curves.curves) == 2)
    expected = lowball_root(3.5, 4.5, 1e-5, ranks="23456789JQKA")
    assert page.curves.curves[1].root == pytest.approx(expected, abs=1e-3) and round(expected, 2) == 3.89
    page.add_curve()
    assert "on the plot already" in page.notice.text
    page.tick()
    assert page.controls.curves.options == ["1 card, 13 x 1", "1 card, 12 x 1"]
    page.curves.remove("1 card, 12 x 1")
    page.tick()
    assert len(page.curves.plot.roots.data["x"]) == 1
    page.curves.clear()
    page.tick()
    assert "Add to the curves" in page.curves.plot.hint.text and page.controls.clear.disabled
    page.choose(LowballSettings(schedule="DCFR"))
    page.add_curve()  # known already: it comes back at once
    assert [curve.choice.name for curve in page.curves.curves] == ["1 card, 13 x 1"]


def test_the_slider_and_the_box_are_one_stack(page):
    page.controls.slider.value = 4.5
    page.tick()
    assert page.curves.plot.marker.location == 4.5
    until(page, lambda: rested(page, page.settings))
    assert page.controls.stack.value == "4.5" and page.snap.value < 0
    page.controls.stack.value = "12 bb"
    until(page, lambda: rested(page, page.settings))
    assert page.controls.slider.value == 10.0 and page.curves.plot.figure.x_range.end > 12


def test_the_smallest_stack_the_sentence_offers_is_taken(page):
    page.controls.stack.value = "1.01"
    page.tick()
    assert page.settings.stack == 1.01 and page.notice.text == ""


@pytest.mark.parametrize("word", ["ten", "", "1", "1.004", "-3", "nan", "inf", "1e9", "101", "٣"])
def test_a_bad_stack_is_told_and_everything_stays(page, word):
    before = dict(page.plots[0].source.data)
    page.controls.stack.value = word
    page.tick()
    assert page.notice.text == f"The stack is {word!r}; give a number of big blinds from 1.01 to 100."
    assert page.settings.stack == 3.0 and page.controls.stack.value == "3"
    assert dict(page.plots[0].source.data) == before


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda c: replace(c, cards=4, each=2, discard="free", betting="all", stack=1.5), "does not lie"),
        (lambda c: replace(c, cards=4, each=4), "choose free discards"),
        (lambda c: replace(c, cards=5, each=1, discard="free"), "need 20 cards but 13 ranks x 1 are 13"),
        (lambda c: replace(c, cards=3, each=4, betting="after"), "too many for a page"),
        (lambda c: replace(c, betting="raise", stack=1.5), "raise to 2 does not lie between"),
        (lambda c: replace(c, hand="77"), "Hands here have 1 card, but '77' has 2"),
        (lambda c: replace(c, only="x"), "'X' in 'x' is no rank"),
    ],
)
def test_what_does_not_fit_is_one_sentence(page, ask, told):
    page.asked(ask)
    assert told in page.notice.text and page.notice.text.count(". ") == 0
    assert page.settings == LowballSettings(schedule="DCFR")


def test_only_the_clock_touches_plots_and_texts():
    """Controls are answered without the document's lock: a plot changed there would break the page."""
    page = LowballPage(LowballSettings(schedule="DCFR"))
    page.layout()
    until(page, lambda: rested(page, page.settings) and page.curves.curves)
    texts = [part.pane.object for part in (page.score, page.table, page.plan, page.compared)]
    figures = [plot.figure for plot in (*page.plots, page.gap, page.curves.plot)]
    document, changes = Document(), []
    for model in (*texts, *figures):
        document.add_root(model)
    document.on_change(changes.append)
    page.controls.stack.value = "4.5"
    page.controls.stack.value = "nothing"
    page.controls.made["show"].value = "hands"
    page.controls.made["show"].value = "solve"
    page.upload.param.update(filename="bad.json", value=b"{")
    for key in " s]r ":
        page.press(key)
    for pressed in (page.controls.add, page.controls.remove, page.controls.clear, page.progress.stop):
        pressed.clicks += 1
    assert changes == []
    until(page, lambda: changes)
    page.close()


def test_a_rung_that_cannot_be_built_leaves_the_old_one(page, monkeypatch):
    def refuse(choice: LowballSettings, cap: int) -> None:
        raise BadValue(f"{choice.name} is made of thin air; choose another")

    monkeypatch.setattr(lowball_page, "begin", refuse)
    page.choose(LowballSettings(cards=2, stack=4.0))
    until(page, lambda: not page.run.queue.busy)
    page.tick()
    assert page.notice.text == "2 cards, 13 x 1 is made of thin air; choose another."
    assert (page.settings.rung, page.settings.stack) == (
        LowballSettings().rung,
        3.0,
    ) and page.controls.cards.value == 1
    assert "11 nodes" in page.controls.size.object


def test_cancelling_stops_a_rung_being_built(page, monkeypatch):
    go = Event()
    true_begin = lowball_page.begin
    monkeypatch.setattr(lowball_page, "begin", lambda *given: go.wait(60) and true_begin(*given))
    page.choose(LowballSettings(cards=2))
    page.tick()
    page.cancel()
    go.set()
    until(page, lambda: not page.run.queue.busy)
    page.tick()
    assert "was cancelled" in page.notice.text and page.settings.cards == 1


def test_running_pausing_stepping_and_reset(page):
    page.reset()
    until(page, lambda: rested(page, page.settings) and page.snap.iteration == 0)
    page.step(10)
    until(page, lambda: rested(page, page.settings) and page.snap.iteration == 10)
    assert "iteration<b>10</b>" in page.score.html and not page.going
    for key in "sd":
        page.press(key)
        until(page, lambda: rested(page, page.settings))
    assert page.snap.iteration == 21
    page.run_or_pause()
    until(page, lambda: rested(page, page.settings) and page.snap.exploitability <= 1e-6)
    page.run_or_pause()  # past the target, because somebody asked
    until(page, lambda: page.solving.runner.latest().running)
    page.press(" ")
    until(page, lambda: rested(page, page.settings))
    page.press("]")
    until(page, lambda: rested(page, page.settings))
    assert page.settings.stack == 3.1 and page.snap.iteration == 0  # paused stays paused on another stack


def test_the_proxy_stands_beside_the_truth_for_plain_cfr_only(page):
    page.asked(lambda old: replace(old, schedule="CFR"))
    until(page, lambda: page.solving.choice.schedule == "CFR" and page.snap is not None)
    page.solving.runner.pause()
    until(page, lambda: rested(page, page.settings))
    proxy = regret_proxy(page.solving.runner.solver)
    assert page.snap.metrics["regret_proxy"] == pytest.approx(proxy)
    page.tick()
    assert "regret proxy" in page.score.html
    assert len(page.gap.sources["regret_proxy"].data["gap"]) == len(page.gap.sources["nash_conv"].data["gap"])
    gap = page.gap.sources["nash_conv"].data["gap"][-1]
    assert gap == pytest.approx(sl.nash_conv(page.solving.game, page.snap.policy), rel=1e-9)
    solver = exact_solver(LowballSettings(schedule="DCFR"))
    assert "regret_proxy" not in solver.step(5).metrics


def test_two_cards_are_a_triangle_and_draws_are_words(page):
    page.choose(LowballSettings(cards=2, each=4, discard="free", schedule="DCFR"))
    until(page, lambda: rested(page, page.settings))
    assert page.plots[0].pieces.kind == "cells" and len(shown(page, 0, "all-in")) == 91
    policy = page.snap.policy
    for hand, chance in shown(page, 0, "all-in").items():
        assert chance == pytest.approx(policy.at("", hand=hand)["all-in"], abs=6e-4)
    page.asked(lambda old: replace(old, show="hands", hand="28"))
    until(page, lambda: "<h2>82</h2>" in page.plan.html)
    throws = policy.at("all-in/all-in", hand="82")
    assert f"draw 1: keep 2 <b>{100 * throws['draw 1 x-']:.1f} %" in page.plan.html
    assert "as button, big blind drew 2" in page.plan.html
    assert "91 of 91 hands" in page.table.html and page.table.html.count("<tr") == 92
    assert page.views["hands"].visible and not page.views["solve"].visible
    page.asked(lambda old: replace(old, only="7", sort="push"))
    until(page, lambda: "13 of 13 hands with these cards (91 in all)" in page.table.html)
    page.asked(lambda old: replace(old, cards=1, discard="original"))
    assert page.settings.hand == ""  # a hand of two cards means nothing with one


def test_richer_betting_offers_its_decisions_and_lines(page):
    choice = LowballSettings(cards=1, each=4, betting="raise", schedule="DCFR", left="c", line="ck")
    page.choose(choice)
    until(page, lambda: rested(page, choice))
    page.tick()
    assert "big blind, after limp" in page.controls.decisions["left"].options
    assert page.controls.decisions["left"].value == "c"
    assert set(page.plots[0].source.data["action"]) == {"check", "raise 2", "all-in"}
    assert "limp, check" in page.controls.line.options
    for key in page.strategy.decisions:
        table = page.strategy.table(key)
        assert np.allclose(table.share.sum(axis=1), 1.0) and abs(table.weight.sum() - 1) < 1e-9
    page.choose(LowballSettings(schedule="DCFR", left="c"))
    until(page, lambda: rested(page, page.settings))
    assert page.controls.decisions["left"].value == ""  # push/fold has no limp


def test_reach_is_the_own_probability_of_coming_there(page):
    table, policy = page.strategy.table("aa1"), page.snap.policy
    for hand, reach in zip(table.hands, table.reach, strict=True):
        assert reach == pytest.approx(policy.at("", hand=hand)["all-in"], abs=1e-12)


# ---- four cards and more -------------------------------------------------------------------------------


def test_the_score_of_a_whole_deck_is_a_bracket(page):
    choice = LowballSettings(cards=4, each=2, discard="free")
    page.choose(choice)
    until(page, lambda: page.snap is not None and page.solving.choice.rung == choice.rung)
    page.solving.runner.pause()
    until(page, lambda: rested(page, choice))
    assert " to<b>" in page.score.html and "deals</small>" in page.score.html and "±" in page.score.html
    assert len(page.gap.sources["upper"].data["gap"]) > 0 and not page.gap.sources["nash_conv"].data["gap"]
    assert "exact" not in page.score.html


# ---- files and links -----------------------------------------------------------------------------------


def test_tables_and_pictures_to_take_home(page):
    table = pd.read_csv(io.StringIO(page.exports.strategy_csv()))
    assert len(table) == 13 * (2 + 2 + 2 + 4) and set(table["player"]) == {"button", "big blind"}
    curves = pd.read_csv(io.StringIO(page.exports.curves_csv()))
    assert list(curves["rung"].unique()) == page.curves.names
    assert all(part["stack"].is_monotonic_increasing for _, part in curves.groupby("rung"))
    record = json.loads(page.exports.result_file())
    assert record["metadata"]["stack_size"] == 3.0 and "7_rraa1" in record["player_1_postflop"]


def test_nothing_to_take_home_yet():
    page = LowballPage(LowballSettings(cards=2))
    page.cancel()
    for make in (page.exports.strategy_csv, page.exports.result_file, page.exports.curves_csv):
        with pytest.raises(BadValue, match="yet"):
            make()
    page.close()


def test_a_result_file_of_plain_cfr_tells_its_proxy(page):
    page.choose(LowballSettings(schedule="CFR"))
    until(page, lambda: page.solving.choice.schedule == "CFR" and rested(page, page.settings))
    found = compare(page.exports.result_file().encode(), "plain.json").result
    assert found.claimed_distance == page.snap.metrics["regret_proxy"]
    assert found.iteration_info["iterations"][-1] == page.snap.iteration
    assert found.nash_conv == pytest.approx(2 * page.snap.exploitability, abs=1e-12)


def test_a_result_file_is_measured(page):
    content = page.exports.result_file().encode()
    found = compare(content, "mine.json")
    assert found.result.nash_conv == pytest.approx(
        sl.nash_conv(page.solving.game, page.snap.policy), abs=1e-12
    )
    assert found.value == pytest.approx(page.snap.value, abs=1e-5)
    record = json.loads(content)
    record["player_1_preflop"]["A_rr"] = {"ALL_IN": 0.0, "FOLD": 1.0}
    record["player_1_preflop"]["2_rr"] = {"ALL_IN": 0.0, "FOLD": 1.0}
    worse = compare(json.dumps(record).encode(), "worse.json")
    assert worse.differences[0].key == "2_rr" and worse.differences[0].apart > 0.99
    assert worse.result.nash_conv > 0.05
    page.upload.param.update(filename="mine.json", value=content)
    until(page, lambda: "Where it differs most" in page.compared.html)
    assert "nash_distance" in page.compared.html


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"metadata": {}}', b"\x00\xff", b"null"])
def test_a_bad_file_is_one_sentence(page, content):
    page.upload.param.update(filename="bad.json", value=content)
    until(page, lambda: not page.comparing.busy)
    assert page.notice.text.startswith("Bad.json") and page.notice.text.count(". ") == 0
    assert page.compared.html == ""


def test_a_link_to_a_rung_that_does_not_fit_opens_the_first_one():
    page = LowballPage(LowballSettings(cards=5, each=1, discard="free"))
    assert "The page shows its first rung instead." in page.notice.text and page.settings.cards == 1
    page.close()
