"""The parts of the 2-to-7 page: whole decks, curves, links, each on its own."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.ui.lowball import curves as lowball_curves
from solverlab.ui.lowball import whole_runner as lowball_whole_runner
from solverlab.ui.lowball.cells import pieces_of
from solverlab.ui.lowball.choice import Choice, read_stack
from solverlab.ui.lowball.controls import with_cards, with_deck
from solverlab.ui.lowball.curves import Curve, solved_curve, stacks_of
from solverlab.ui.lowball.exact import ExactShape, ExactStrategy
from solverlab.ui.lowball.hands import plan_html, table_html
from solverlab.ui.lowball.rung import check, exact_game, size_words, whole_game
from solverlab.ui.lowball.whole import WholeShape, WholeStrategy
from solverlab.ui.lowball.whole_runner import WholeRunner

SILENT = (lambda share, words: None, lambda: False)


def test_bets_after_the_draw_show_what_went_and_came():
    game = exact_game(Choice(betting="after", stack=4.0))
    strategy = ExactStrategy(ExactShape(game), sl.uniform_policy(game))
    assert abs(strategy.shape.weight.sum() - 1) < 1e-12
    after = next(key for key in strategy.decisions if key.startswith("ck11"))
    table = strategy.table(after)
    assert "7-7+2" in table.hands and abs(table.weight.sum() - 1) < 1e-9
    assert pieces_of(table).kind == "strip"
    assert "13 of 13 hands" in table_html(strategy, "ck") and "keep nothing" in plan_html(strategy, "7", "ck")


@pytest.fixture(scope="module")
def whole() -> WholeStrategy:
    game = whole_game(Choice(cards=4, each=2, discard="free"))
    solver = DrawCFR(game, threads=1)
    return WholeStrategy(WholeShape(game.sets, False), solver.step(4))


def test_a_whole_deck_is_read_like_an_exact_one(whole):
    push, call = whole.going_in()
    number = whole.find("2753")
    assert whole.hand(number) == "7532" and push[number] > 0.9
    table = whole.table("")
    assert table.hands[0] == "5432" and np.allclose(table.share.sum(axis=1), 1.0)
    pieces = pieces_of(table)
    assert pieces.kind == "strip" and max(pieces.quads["right"]) == pytest.approx(100.0)
    plan = whole.snap.plan("7c5d3c2d")
    name, bets, draws = whole.plan("7 5 3 2", "aa")
    assert (name, len(draws)) == ("7532", 6)
    assert dict(bets[0][1])["all-in"] == pytest.approx(plan.push)
    assert dict(draws[0][1])["stand pat"] == pytest.approx(plan.big_blind[""], abs=1e-6)
    assert dict(draws[2][1])["stand pat"] == pytest.approx(plan.button[1][""], abs=1e-6)
    # beside the sevens: two of twelve ranks, or one of them twice
    assert "78 of 78 hands with these cards" in table_html(whole, "aa", "77").replace(",", "")


@pytest.mark.parametrize(("text", "told"), [("753", "4 cards, but '753' has 3"), ("7775", "cannot be dealt")])
def test_a_wrong_hand_of_a_whole_deck_is_told(whole, text, told):
    with pytest.raises(BadValue, match=told):
        whole.find(text)


def test_the_whole_runner_steps_measures_and_stops(monkeypatch):
    game = whole_game(Choice(cards=4, each=2, discard="free"))
    runner = WholeRunner(lambda: DrawCFR(game, threads=1), deals=2000)
    assert runner.latest().snapshot is None and not runner.latest().running
    runner.step(2)
    moment = runner.wait()
    assert [row["iteration"] for row in runner.trace.rows] == [1, 2]
    assert 0 <= moment.snapshot.metrics["lower"] <= moment.snapshot.metrics["upper"]
    runner.play()
    runner.pause()
    assert not runner.wait().running
    runner.close()
    monkeypatch.setattr(lowball_whole_runner.REAL_SEATS, "acquire", lambda blocking: False)
    refused = WholeRunner(lambda: DrawCFR(game, threads=1), real=True)
    refused.step(1)
    assert "two others are solving the real deck" in refused.wait().error
    refused.close()


def test_a_curve_of_a_whole_deck_has_bars_and_an_interval(monkeypatch):
    monkeypatch.setattr(lowball_curves, "_known", {})
    monkeypatch.setattr(lowball_curves, "WHOLE_STACKS", (3.0, 10.0))
    monkeypatch.setattr(lowball_curves, "WHOLE_STEPS", 6)
    monkeypatch.setattr(lowball_curves, "WHOLE_DEALS", 20_000)
    grown: list[Curve] = []
    curve = solved_curve(Choice(cards=4, each=2, discard="free"), *SILENT, grown.append)
    assert [len(part.rows) for part in grown] == [1, 2]
    for row in curve.rows:
        assert row["low"] < row["value"] < row["high"]
    assert curve.done


def test_curves_can_be_cancelled_and_are_kept(monkeypatch):
    monkeypatch.setattr(lowball_curves, "_known", {})
    stops = iter([False] * 6)
    with pytest.raises(SolverlabError, match="the curve of 1 card, 13 x 1 was cancelled"):
        solved_curve(Choice(), lambda *told: None, lambda: next(stops, True))
    assert lowball_curves.known_curve(Choice()) is None
    assert min(stacks_of(Choice(betting="raise"))) == 2.5 and min(stacks_of(Choice())) == 1.5


def test_limping_moves_the_root_up():
    root = solved_curve(Choice(each=4), *SILENT).root
    limping = solved_curve(Choice(each=4, betting="limp"), *SILENT)
    assert root < 4.25 < 4.27 < limping.root < 4.28
    assert all(row["exploitability"] < 3e-5 for row in (*limping.rows, *limping.extra))


def test_a_link_restores_everything():
    choice = Choice(2, "12", 4, "limp", "free", "DCFR", 7.25, "hands", "c", "ck", "ck", "75", "7", "push")
    query = dict(pair.split("=") for pair in choice.query().split("&"))
    assert Choice.from_query(query) == (choice, [])
    assert Choice.from_query({"deck": "real"})[0].rung == (5, "real", 4, "push", "free")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"cards": "6"}, "cards was left out: the number of cards is '6'; give a whole number from 1 to 5"),
        ({"stack": "much"}, "stack was left out: the stack is 'much'"),
        ({"betting": "wild"}, "betting was left out: there is no betting 'wild'"),
        ({"hand": "<b>"}, "hand was left out: '<b>' is too long or has signs"),
    ],
)
def test_a_bad_link_is_one_sentence_and_the_usual_page(query, told):
    choice, complaints = Choice.from_query(query)
    assert choice == Choice() and len(complaints) == 1 and told in complaints[0]


def test_buttons_that_need_each_other():
    assert with_cards(Choice(), 4) == Choice(cards=4, each=2, discard="free")
    assert with_cards(Choice(betting="after"), 3).betting == "push"
    assert with_deck(Choice(deck="real").settled(), "12").cards == 1
    for cards in range(1, 6):
        check(with_cards(Choice(), cards))
    assert "134,459 hands" in size_words(Choice(deck="real").settled())
    assert read_stack(" 3,9 BB") == 3.9
