"""The Abstraction page without a browser: what a visitor chooses, and what the page makes of it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from solverlab.abstraction import street_buckets as shared
from solverlab.abstraction.strength import hand_strength
from solverlab.core.errors import SolverlabError
from solverlab.studies.price_sweeps import LEDUC_CARDS, leduc_labels, leduc_strength, sweep
from solverlab.ui.abstraction.choice import Choice
from solverlab.ui.abstraction.compare import pair_of
from solverlab.ui.abstraction.hand import mates
from solverlab.ui.abstraction.page import AbstractionPage
from solverlab.ui.abstraction.river import labelled_river
from solverlab.ui.abstraction.scatter import NEAR, View, draw
from solverlab.ui.abstraction.settings import AbstractionSettings
from solverlab.ui.abstraction.streets import labelled
from solverlab.ui.tasks import TaskQueue


def until(page: AbstractionPage, condition: Callable[[], bool]) -> None:
    """Let the page's clock tick until something has happened."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, page.notice.text
        page.tick()
        time.sleep(0.02)


@pytest.fixture(scope="module")
def opened() -> AbstractionPage:
    hand_strength("flop")
    page = AbstractionPage()
    page.layout()
    until(page, lambda: page.scatter.settled)
    return page


@pytest.fixture
def page(opened: AbstractionPage) -> AbstractionPage:
    """The page as it opens, whatever the test before did to it."""
    opened.notice.clear()
    opened.tabs.active = 0
    opened.brush = None
    opened.choose(AbstractionSettings())
    until(opened, lambda: not opened.tasks.busy and opened.scatter.settled)
    return opened


def test_it_opens_on_all_hands_of_the_flop(page):
    assert page.labelled.cloud.size == 1_286_792
    assert page.scatter.drawn.count == 1_286_792 and page.scatter.image.data["image"][0].any()
    assert [item.label.value.split()[0] for item in page.scatter.legend.items][:5] == [
        "5",
        "4",
        "3",
        "2",
        "1",
    ]
    np.testing.assert_allclose(page.labelled.table["share"], 0.2, atol=1e-4)


def test_near_enough_every_hand_is_named(page):
    scene = page.scatter.scene
    drawn = draw(scene, View((0.50, 0.504), (0.30, 0.304), (500, 400)))
    assert drawn.image is None and 0 < drawn.count <= NEAR
    row = drawn.points["hand"][0], drawn.points["board"][0].removeprefix("on ")
    hand = hand_strength(*row)
    assert (hand.ehs, hand.ehs2) == (drawn.points["ehs"][0], drawn.points["ehs2"][0])


def test_from_afar_a_spot_names_one_of_its_hands(page):
    drawn = draw(page.scatter.scene, View((-0.02, 1.02), (-0.02, 1.02), (500, 400)))
    assert drawn.image is not None and len(drawn.points["hand"]) > 100
    assert any("one of" in note for note in drawn.points["note"])


def test_a_typed_hand_is_ringed_and_followed(page):
    page.controls.hole.value, page.controls.board.value = "AhKh", "Td 9d 6h"
    page.find()
    until(page, lambda: page.details.path is not None and page.details.histogram.drawn is not None)
    until(page, lambda: not page.marking.busy)
    hand = hand_strength("AhKh", "Td9d6h")
    assert (page.scatter.mark.data["x"][0], page.scatter.mark.data["y"][0]) == (hand.ehs, hand.ehs2)
    assert page.details.path.sequence == "5:3"
    trials = hand_strength("AhKh", "Td9d6h", trials=10_000, rng=0)
    assert f"10,000 random trials say E[HS] <b>{trials.ehs:.4f} ±" in page.details.hand_text.object
    assert "5:3" in page.details.hand_text.object and "Bucket mates" in page.details.mates_text.object


def test_a_click_finds_the_hand_under_it(page):
    strength = page.labelled.strength
    index = strength.find("7c2d", "7h2s9d")
    page._tapped(strength.ehs[index], strength.ehs2[index])
    until(page, lambda: not page._todo)
    found = hand_strength(page.controls.hole.value, page.controls.board.value)
    assert (found.ehs, found.ehs2) == pytest.approx((strength.ehs[index], strength.ehs2[index]), abs=2e-3)


@pytest.mark.parametrize(
    ("hole", "board", "words"),
    [
        ("AhKx", "", "is no card"),
        ("Ah", "", "a hand is two cards"),
        ("AhAh", "", "occurs twice"),
        ("AhKh", "Ah2c3d", "both in the hand"),
        ("AhKh", "2c3d", "a board here has"),
        ("", "", "0 cards"),
    ],
)
def test_a_wrong_hand_is_answered_with_one_sentence(page, hole, board, words):
    page.controls.hole.value, page.controls.board.value = hole, board
    page.find()
    assert words in page.notice.text and page.notice.text.endswith(".") and "\n" not in page.notice.text


def test_a_brush_lists_hands_and_their_mates(page):
    page._brushed((0.5, 0.502), (0.30, 0.302))
    until(page, lambda: "in the box" in page.details.brush_text.object)
    inside = page.labelled.cloud.inside((0.5, 0.502), (0.30, 0.302))
    assert f"{inside.size:,} hands" in page.details.brush_text.object
    assert page.details.brush_text.object.count("<tr") >= inside.size
    table = pd.read_csv(io.StringIO(page.exports.hands_csv()))
    assert len(table) == inside.size and table["ehs"].between(0.499, 0.503).all()
    page._brushed((0.1, 0.11), (0.9, 0.91))
    until(page, lambda: "No hand" in page.details.brush_text.object)


def test_history_shows_one_sequence_with_boundaries_of_its_own(page):
    page.controls.history.value = True
    until(page, lambda: page.labelled.choice.history)
    page.controls.prefix.value = "2"
    until(page, lambda: page.labelled.choice.prefix == "2")
    table = page.labelled.table
    assert table["bucket"].tolist() == ["2:1", "2:2", "2:3", "2:4", "2:5"]
    np.testing.assert_allclose(table["share"], 0.2, atol=1e-4)
    assert page.labelled.cloud.size == table["hands"].sum() == 258_360
    page.details.open("bounds")
    until(page, lambda: "Illustrated" in page.details.bounds_text.object)


@pytest.mark.parametrize(
    "choice",
    [
        Choice(scheme="nested", inner=2),
        Choice(scheme="ranges"),
        Choice(scheme="linear", count=50),
        Choice(scheme="own", edges="0.1 0.2 0.8"),
        Choice(street="preflop"),
        Choice(street="preflop", scheme="kmeans", count=6),
        Choice(scheme="ranges", prefix="2", metric="ehs"),
    ],
    ids=lambda choice: f"{choice.street} {choice.scheme}",
)
def test_every_scheme_labels_every_hand(choice):
    made = labelled(choice)
    assert len(made.names) == len(set(made.names)) == choice.total == len(made.colours)
    assert made.table["hands"].sum() == made.cloud.size
    assert made.table["share"].sum() == pytest.approx(1)
    assert made.sequence(int(made.cloud.index[0])).split(":")[-1] == str(made.cloud.code[0] + 1)


def test_linear_buckets_show_which_are_empty():
    table = labelled(Choice(scheme="linear", metric="ehs", count=50)).table
    assert table["deals"][0] == 0 and (table["deals"] == 0).sum() >= 4


def test_mates_are_of_the_same_bucket(page):
    index = page.labelled.strength.find("AhKh", "Td9d6h")
    count, found = mates(page.labelled, index)
    assert count == page.labelled.table["hands"][2] - 1
    assert all(page.labelled.code[mate.index] == 2 and mate.index != index for mate in found)


def test_the_river_is_a_density():
    river = labelled_river(Choice(street="river"))
    assert river.deals.sum() == 2_809_475_760
    np.testing.assert_allclose(river.table["share"], 0.2, atol=0.01)
    assert (np.diff(river.code) >= 0).all()


def test_two_abstractions_share_their_hands():
    first = labelled(Choice(history=True, prefix="2"))
    pair = pair_of(first, Choice(metric="ehs"))
    assert pair.counts.sum() == first.table["deals"].sum()
    np.testing.assert_allclose(pair.table["share"], 0.2, atol=1e-3)
    assert pair.counts[4, 4] > pair.counts[4, 3] > pair.counts[4, 0]


def test_exports_say_what_is_on_the_page(page):
    table = pd.read_csv(io.StringIO(page.exports.buckets_csv()))
    assert table["hands"].sum() == 1_286_792
    svg = page.exports.plot_svg()
    assert svg.startswith("<svg") and "5 percentiles of E[HS²]" in svg


def test_a_cancelled_or_failed_build_leaves_a_sentence_and_a_way_on(monkeypatch, tmp_path):
    """An empty cache folder: progress shows, cancel stops, a folder that cannot be written to is told."""
    monkeypatch.setattr(shared, "_streets", {})
    monkeypatch.setenv("SOLVERLAB_HOME", str(tmp_path))
    page = AbstractionPage()
    page.layout()
    until(page, lambda: page.progress.visible)
    page.tasks.cancel()
    until(page, lambda: not page.tasks.busy)
    assert "cancelled" in page.notice.text and page.again.visible and not page.progress.visible
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("SOLVERLAB_HOME", str(blocked))
    page.refresh()
    until(page, lambda: not page.tasks.busy)
    assert "cannot be kept" in page.notice.text and "SOLVERLAB_HOME" in page.notice.text
    page.close()


def test_the_newest_order_wins():
    queue, seen = TaskQueue(), []
    for number in range(4):
        queue.order(lambda progress, cancel, number=number: number, seen.append)
    end = time.monotonic() + 30
    while queue.busy and time.monotonic() < end:
        assert queue.look() == ""
        time.sleep(0.01)
    assert seen == [3]


def test_strength_in_leduc():
    assert leduc_strength("Ks", "Kh") == 1.0 and leduc_strength("Js", "Qh") == pytest.approx(0.125)
    early, late = leduc_labels(3, history=True, recall=True)
    assert [early(card, ()) for card in LEDUC_CARDS] == [0, 0, 1, 1, 2, 2]
    assert late("Ks", ("Kh",))[0] == 2 and late("Ks", ("Kh",)) != late("Ks", ("Jh",))


@pytest.mark.parametrize("what", ["leduc", "push/fold"])
def test_prices_fall_to_those_of_the_real_game(what, monkeypatch):
    monkeypatch.setattr("solverlab.studies.price_sweeps.LEDUC_BUCKETS", (1, 3))
    monkeypatch.setattr("solverlab.studies.price_sweeps.JAM_BUCKETS", (1, 40))
    made = sweep(what, 10.0)
    first = [row.price for row in made.rows if row.series == made.rows[0].series]
    assert first[0] > first[-1] > made.real.price > 0
    if what == "leduc":
        refined = {row.buckets: row.price for row in made.rows if row.series.startswith("pair or not")}
        assert refined[3] > refined[2] + 0.1  # the finer of the two costs more


@pytest.mark.parametrize(
    "chosen",
    [
        AbstractionSettings(),
        AbstractionSettings(street="turn", scheme="nested", count=6, inner=2, history=True, prefix="2:4"),
        AbstractionSettings(scheme="own", edges="0.2, 0.5, 0.9", metric="ehs", hand="AhKh", board="Td9d6h"),
        AbstractionSettings(street="preflop", hand="7c2d"),
    ],
)
def test_a_link_brings_the_same_view_back(chosen):
    assert AbstractionSettings.from_query(dict(parse_qsl(chosen.query()))) == (chosen, [])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"street": "river bank"}, "there is no street 'river bank'"),
        ({"count": "-3"}, "not '-3'"),
        ({"count": "900"}, "900 buckets are not between"),
        ({"scheme": "own", "edges": "0.9, 0.1"}, "rising numbers"),
        ({"prefix": "2:x"}, "not '2:x'"),
        ({"hand": "AhAh"}, "AhAh"),
        ({"buckets": "7"}, "The link's buckets was left out: this page knows no such word."),
    ],
)
def test_a_wrong_link_is_told_and_the_rest_of_it_used(query, words):
    chosen, complaints = AbstractionSettings.from_query({"metric": "ehs", **query})
    assert chosen.metric == "ehs" and not chosen.hand
    assert len(complaints) >= 1 and any(words in sentence for sentence in complaints)


def test_a_linked_hand_is_followed_and_the_address_keeps_up(page):
    linked = AbstractionPage(AbstractionSettings(hand="AhKh", board="Td9d6h", count=6))
    until(linked, lambda: linked.details.path is not None and linked.scatter.settled)
    assert linked.keyboard.address == "street=flop&count=6&hand=AhKh&board=Td9d6h"
    linked.controls.street.value = "preflop"
    until(linked, lambda: not linked.tasks.busy)
    assert linked.keyboard.address.startswith("street=preflop&count=6")
    linked.close()


def test_what_a_control_asks_for_carries_what_hangs_on_it():
    chosen = Choice(history=True, prefix="2")
    assert chosen.typed("metric", "ehs").prefix == "2"
    assert chosen.typed("count", 6).prefix == "" == chosen.typed("street", "turn").prefix
    assert chosen.typed("scheme", "own").total == 5  # boundaries to begin with
    with pytest.raises(SolverlabError, match="rising numbers"):
        Choice(scheme="own", edges="0.5").typed("edges", "0.9, 0.1")


def test_a_refused_number_goes_back_into_its_box(page):
    page.choose(AbstractionSettings(scheme="own", edges="0.5"))
    page.controls.edges.value = "0.9, 0.1"
    assert "rising numbers" in page.notice.text
    page.tick()
    assert page.controls.edges.value == "0.5" and page.settings.edges == "0.5"
