"""The Push/fold page without a browser: what a visitor chooses, and what the page makes of it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qs
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import solverlab as sl
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE
from solverlab.cards.ranges import Range
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.studies.action_values import action_values
from solverlab.ui.pushfold import page as pushfold_page
from solverlab.ui.pushfold import solving as pushfold_solving
from solverlab.ui.pushfold.page import PushFoldPage
from solverlab.ui.pushfold.score import score_html
from solverlab.ui.pushfold.settings import NODES, PushFoldSettings, read_hand, read_stack
from solverlab.ui.pushfold.solving import STACKS, known, solved, solved_charts
from solverlab.views.colours import contrast, ink_on
from solverlab.views.hand_grid import HANDS
from solverlab.views.pushfold_cells import chart_cells, probability_cells
from solverlab.views.pushfold_chart import share_in


def until(page: PushFoldPage, condition: Callable[[], bool]) -> None:
    """Let the page's clock tick until something has happened."""
    end = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < end, page.notice.text
        page.tick()
        time.sleep(0.02)


@pytest.fixture(scope="module")
def opened() -> PushFoldPage:
    page = PushFoldPage()
    page.layout()
    until(page, lambda: page.charts is not None and not page.solving.busy and not page.charting.busy)
    return page


@pytest.fixture
def page(opened: PushFoldPage) -> PushFoldPage:
    """The page as it opens, whatever the test before did to it."""
    opened.notice.clear()
    opened.choose(PushFoldSettings())
    opened.tick()  # drawn as well: a test may read what stands below the grids
    until(opened, lambda: opened.shown == replace(opened.shown, stack=10.0, players=2, nodes=("", "jam")))
    return opened


@pytest.fixture
def few(monkeypatch) -> None:
    """A chart of two stacks for three players, one of them on the page already: all take half a minute."""
    monkeypatch.setitem(STACKS, 3, (8.0, 10.0))


def numbers(page: PushFoldPage, side: int) -> dict[str, str]:
    source = page.grids[side].source.data
    return dict(zip(source["hand"], source["words"], strict=True))


def test_it_opens_on_ten_big_blinds(page):
    snap = page.shown.snap
    assert snap.exploitability <= 1e-6
    assert [round(100 * share_in(snap, node), 1) for node in page.shown.nodes] == [58.3, 37.4]
    words = page.score.html
    for told in ("58.3 %", "37.4 %", "value to the small blind<b>−0.0454</b>", "exploitability</span><b>"):
        assert told in words
    assert page.keyboard.address == "players=2&stack=10"


@pytest.mark.parametrize("side", [0, 1])
def test_every_cell_is_its_hand(page, side):
    """The grid's 169 cells against the policy asked hand by hand."""
    node, action = [("", "jam"), ("jam", "call")][side]
    shown = numbers(page, side)
    assert set(shown) == set(CLASS_NAMES) and list(shown) == HANDS
    for hand in CLASS_NAMES:
        share = page.shown.snap.policy.at(node, hand=hand)[action]
        assert shown[hand] == (f"{100 * share:.0f}" if 0.05 < share < 0.95 else "")
        assert page.grids[side].cells.shares[HANDS.index(hand), 0] == pytest.approx(share)
    data = page.grids[side].source.data
    ace_king = list(data["hand"]).index("AKo")
    assert (data["x"][ace_king], data["y"][ace_king]) == (0, 1)
    assert data["told"][ace_king] == f"{action}s 100.0 % of the time, 12 combos"


def test_shares_are_those_of_all_combos(page):
    chances = [page.shown.snap.policy.at("", hand=hand)["jam"] for hand in CLASS_NAMES]
    assert share_in(page.shown.snap, "") == pytest.approx(np.dot(CLASS_SIZE, chances) / 1326, abs=1e-12)


def test_the_slider_and_the_box_are_one_stack(page):
    page.controls.slider.value = 6.5
    until(page, lambda: page.shown.stack == 6.5)
    assert page.controls.stack.value == "6.5" and page.keyboard.address == "players=2&stack=6.5"
    before = numbers(page, 0)
    page.controls.stack.value = "40 bb"
    until(page, lambda: page.shown.stack == 40.0)
    assert page.controls.slider.value == 25.0 and numbers(page, 0) != before
    assert page.curve.figure.x_range.end > 40


@pytest.mark.parametrize("word", ["ten", "", "1", "-3", "nan", "inf", "1e9", "101", "1_0", "٣"])
def test_a_bad_stack_is_told_and_the_chart_stays(page, word):
    before = numbers(page, 0)
    page.controls.stack.value = word
    page.tick()
    assert page.notice.text == (f"The stack is {word!r}; give a number of big blinds from 1.01 to 100.")
    assert numbers(page, 0) == before and page.shown.stack == 10.0
    assert page.controls.stack.value == "10" and page.settings.stack == 10.0
    page.controls.stack.value = "12"
    until(page, lambda: page.shown.stack == 12.0)
    assert page.notice.text == ""


def test_the_chart_by_stack_is_the_published_one(page):
    page.controls.made["show"].value = "chart"
    until(page, lambda: "up to" in page.grids[0].figure.title.text)
    for side, node in enumerate(("", "jam")):
        table = sl.views.pushfold_frame(page.charts, node).set_index("hand")["stack"]
        for hand, shown in numbers(page, side).items():
            assert shown == (
                "–" if table[hand] == 0 else f"{table[hand]:g}{'+' if table[hand] == 25 else ''}"
            )
    told = dict(zip(HANDS, page.grids[0].source.data["told"], strict=True))
    assert told["32o"] == "never jams, 12 combos" and "smaller stack" in told["43s"]
    assert told["AA"] == "jams up to 25 big blinds and perhaps beyond, 6 combos"


def test_a_click_draws_the_curve_of_a_hand(page):
    page.tap("43s")
    until(page, lambda: page.curve.figure.title.text == "43s by stack")
    line = page.curve.sources[0].data
    assert line["stack"] == list(STACKS[2])
    for stack, share in zip(line["stack"], line["share"], strict=True):
        assert share == pytest.approx(100 * page.charts[stack].policy.at("", hand="43s")["jam"])
    assert page.grids[0].mark.data == {"x": [11], "y": [10]} and page.controls.hand.value == "43s"
    page.tap("43s")
    until(page, lambda: page.curve.figure.title.text.startswith("All hands"))
    ten = page.curve.sources[0].data["share"][list(STACKS[2]).index(10.0)]
    assert ten == pytest.approx(58.28, abs=0.01) and page.grids[0].mark.data["x"] == []


def test_the_card_tells_what_each_action_of_a_hand_is_worth(page):
    page.tap("AA")
    until(page, lambda: "AA" in page.hand.html)
    game = sl.PushFold(10)
    fold, jam = action_values(game, page.shown.policy, "")[:, game.names.hand("AA")]
    assert fold == pytest.approx(-0.5) and jam > 2.9
    assert f"<td>+{jam:.2f}</td>" in page.hand.html and "<td>−0.50</td>" in page.hand.html
    assert f"All in wins {jam - fold:.2f} BB more than fold." in page.hand.html
    page.controls.made["show"].value = "ev"
    until(page, lambda: "what each hand wins" in page.grids[0].figure.title.text)
    assert numbers(page, 0)["AA"] == f"+{jam:.1f}" and numbers(page, 0)["72o"] == "−0.5"
    assert not page.lines[0].copy.visible


def test_a_typed_caller_gets_the_best_answer_and_what_it_wins(page):
    equilibrium = page.lines[1].range
    page.controls.caller.value = "88+,AJs+"
    until(page, lambda: page.shown.answer is not None)
    answer = page.shown.answer
    assert answer.value == pytest.approx(sl.best_response(sl.PushFold(10), answer.policy, 0).value)
    assert page.lines[1].range == page.controls.caller.value == "88+, AJs+"
    assert f"<b>+{answer.value:.3f} BB</b>" in page.exploit.text.html and answer.gain > 0.5
    assert f"{answer.gain:.3f} BB more than the equilibrium" in page.exploit.text.html
    assert page.grids[0].figure.title.text.startswith("small blind's best answer: ")
    table = pd.read_csv(io.StringIO(page.exports.grids_csv()))
    assert table.query("node == 'jam' and probability == 1")["combos"].sum() == 7 * 6 + 3 * 4
    page.exploit.back.clicks += 1
    until(page, lambda: page.shown.answer is None)
    assert page.lines[1].range == equilibrium and page.keyboard.address == "players=2&stack=10"


def test_the_range_below_a_grid_is_its_strategy_and_can_be_edited(page):
    calls = page.shown.policy.rows("jam")[1]
    assert np.abs(Range(page.lines[1].range).classes - calls).max() < 0.0051
    assert page.lines[1].edit.visible and not page.lines[0].edit.visible
    page.lines[1].edit.clicks += 1
    until(page, lambda: page.shown.answer is not None)
    assert page.controls.caller.value == page.lines[1].range
    assert page.shown.answer.gain == pytest.approx(0, abs=2e-3)


def test_a_bad_range_is_told_and_the_grids_stay(page):
    before = page.lines[1].range
    page.controls.caller.value = "88+, XX"
    page.tick()
    assert "XX" in page.notice.text and page.controls.caller.value == "" and page.lines[1].range == before


def test_an_unknown_hand_is_told(page):
    page.controls.hand.value = "KAx"
    page.tick()
    assert page.notice.text.startswith("There is no starting hand 'KAx'") and page.controls.hand.value == ""


def test_keys_move_the_stack_and_change_the_view(page):
    page.press("ArrowLeft")
    page.press("ArrowDown")
    assert page.settings.hand == "AKo"
    for key in "]]]c[":
        page.press(key)
    assert (page.settings.stack, page.settings.show) == (11.0, "chart")
    page.choose(PushFoldSettings(stack=25.0))
    page.press("]")
    assert page.settings.stack == 25.0


def test_three_players_show_gains_and_never_the_words_for_two(page, few):
    page.controls.players.value = 3
    until(page, lambda: page.shown.players == 3)
    assert page.shown.nodes == ("", "jam/fold") and page.controls.left.visible
    gains = sl.deviation_gains(sl.PushFold(10, players=3), page.shown.snap.policy)
    assert page.shown.snap.metrics["deviation_gains"] == pytest.approx(gains) and max(gains) <= 2e-5
    for seat in ("button", "small blind", "big blind"):
        assert seat in page.score.html
    everything = page.score.html + "".join(grid.figure.title.text for grid in page.grids)
    assert "exploitab" not in everything and "GTO" not in everything
    page.controls.right.value = "jam/call"
    until(page, lambda: page.shown.nodes[1] == "jam/call")
    assert page.grids[1].figure.title.text.startswith("big blind calls both: ")
    shares = dict(zip(HANDS, page.grids[1].cells.shares[:, 0], strict=True))
    assert shares["AA"] > 0.999 and shares["72o"] < 0.001
    assert page.keyboard.address == "players=3&stack=10&right=jam%2Fcall"
    _chart_of_three(page)


def _chart_of_three(page: PushFoldPage) -> None:
    """Nobody solved the list of stacks unasked; a chosen hand asks for it."""
    assert page.charts is None and "Click a hand" in page.curve.hint.text
    page.tap("K9o")
    until(page, lambda: page.charts is not None)
    assert list(page.charts) == [8.0, 10.0] and page.curve.hint.text == ""
    expected = [100 * page.charts[s].policy.at("", hand="K9o")["jam"] for s in (8.0, 10.0)]
    assert page.curve.sources[0].data["share"] == pytest.approx(expected)


def test_tables_to_take_home(page):
    table = pd.read_csv(io.StringIO(page.exports.grids_csv()))
    assert len(table) == 338 and table.groupby("node")["combos"].sum().to_dict() == {
        "start": 1326,
        "jam": 1326,
    }
    jams = table[table["node"] == "start"]
    assert np.dot(jams["combos"], jams["probability"]) / 1326 == pytest.approx(share_in(page.shown.snap, ""))
    page.choose(replace(page.settings, show="chart"))
    assert {"stack", "gaps"} < set(pd.read_csv(io.StringIO(page.exports.grids_csv())))
    every = pd.read_csv(io.StringIO(page.exports.stacks_csv()))
    assert len(every) == len(STACKS[2]) * 2 * 169
    row = every.query("stack == 10 and node == 'jam' and hand == 'Q6s'").iloc[0]
    assert row["probability"] == pytest.approx(page.charts[10.0].policy.at("jam", hand="Q6s")["call"])


def test_the_picture_holds_every_hand(page):
    tree = ElementTree.fromstring(page.exports.grids_svg())
    words = [node.text for node in tree.iter() if node.tag.endswith("text")]
    assert len(words) == 2 * (1 + 2 * 169) and set(HANDS) < set(words)


def test_nothing_to_take_home_yet(monkeypatch):
    monkeypatch.setattr(pushfold_solving, "_solutions", {})
    page = PushFoldPage(PushFoldSettings(stack=3.3))
    page.cancel()
    for make in (page.exports.grids_csv, page.exports.stacks_csv, page.exports.grids_svg):
        with pytest.raises(BadValue, match="yet"):
            make()
    page.close()


def test_cancelling_is_told_and_keeps_what_is_solved(monkeypatch):
    monkeypatch.setattr(pushfold_solving, "_solutions", {})
    with pytest.raises(SolverlabError, match="solving 9 big blinds was cancelled"):
        solved(2, 9.0, lambda *told: None, lambda: True)
    stops = iter([False] * 60)
    with pytest.raises(SolverlabError, match="cancelled"):
        solved_charts(2, lambda *told: None, lambda: next(stops, True))
    assert known(2, 1.5) is not None and known(2, 25.0) is None
    assert solved(2, 7.0, lambda *told: None, lambda: False, lambda: True) is None


@pytest.mark.parametrize(
    "wanted", [PushFoldSettings(stack=11.25), PushFoldSettings(stack=11.25).with_players(3)]
)
def test_what_cannot_be_solved_leaves_the_page_as_it_was(page, monkeypatch, wanted):
    def refuse(*anything: object) -> None:
        raise BadValue("the tables of all-in-three need 41 MB, but there is no room")

    monkeypatch.setattr(pushfold_page, "solved", refuse)
    before = numbers(page, 0)
    page.choose(wanted)
    until(page, lambda: page.notice.text != "")
    assert page.notice.text == "The tables of all-in-three need 41 MB, but there is no room."
    assert page.settings == PushFoldSettings() and numbers(page, 0) == before
    assert (page.controls.players.value, page.controls.stack.value) == (2, "10")
    assert page.keyboard.address == "players=2&stack=10"


def test_memory_holds_so_many_and_no_more(monkeypatch):
    monkeypatch.setattr(pushfold_solving, "_solutions", {})
    monkeypatch.setattr(pushfold_solving, "KEPT", 3)
    for stack in (2.0, 3.0, 4.0, 5.0):
        solved(2, stack, lambda *told: None, lambda: False)
    assert known(2, 2.0) is None and known(2, 5.0) is not None


def test_a_link_restores_everything():
    choice = PushFoldSettings(3, 7.25, "chart", "jam", "jam/call", "T9s")
    caller = PushFoldSettings(2, 7.25, "ev", caller="88+, AJs+, KQo:0.5")
    assert PushFoldSettings.from_query(
        {name: words[0] for name, words in parse_qs(caller.query()).items()}
    ) == (caller, [])
    query = dict(pair.split("=") for pair in choice.query().replace("%2F", "/").split("&"))
    assert PushFoldSettings.from_query(query) == (choice, [])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"players": "4"}, "players was left out: push/fold is played by 2 or 3 players, not '4'"),
        ({"stack": "much"}, "stack was left out: the stack is 'much'"),
        ({"left": "raise"}, "left was left out: there is no decision 'raise'"),
        ({"hand": "A1"}, "hand was left out: there is no starting hand 'A1'"),
        ({"show": "me"}, "show was left out: there is no view 'me'"),
        ({"caller": "AhKh"}, "caller was left out: the range 'AhKh' tells suits apart"),
        ({"caller": "9" * 700}, "caller was left out: a range of 700 characters is too long"),
    ],
)
def test_a_bad_link_is_one_sentence_and_the_usual_page(query, told):
    choice, complaints = PushFoldSettings.from_query(query)
    assert choice == PushFoldSettings() and len(complaints) == 1 and told in complaints[0]


def test_every_decision_of_the_games_is_in_the_menu():
    for players, nodes in NODES.items():
        game = sl.PushFold(5, players=players)
        acts = [game.names.path(n) for n in range(len(game.tree.parent)) if game.tree.player[n] >= 0]
        assert sorted(nodes) == sorted(acts)


def test_reading_what_people_type():
    assert [read_stack(word) for word in ("10", " 7,5 BB", "1.01")] == [10.0, 7.5, 1.01]
    assert [read_hand(word) for word in ("aks", " TT ", "72O")] == ["AKs", "TT", "72o"]


def test_words_stand_out_on_every_colour(page):
    """Black or white ink, at a contrast of at least 4.5 on any colour of the map."""
    colours = {*probability_cells(page.shown.snap, "").colour, *chart_cells(page.charts, "jam").colour}
    assert len(colours) > 20
    for colour in colours:
        assert contrast(colour, ink_on(colour)) >= 4.5, colour


def test_the_score_of_a_solution_needs_no_page(page):
    assert "stack<b>10</b>" in score_html(page.shown.snap, 10.0, ("", "jam"))
