"""The parts of the 2-to-7 page: whole decks, curves, links, each on its own."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, SolverlabError, TooLarge
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.ui.lowball import curves as lowball_curves
from solverlab.ui.lowball import whole_runner as lowball_whole_runner
from solverlab.ui.lowball.cells import pieces_of
from solverlab.ui.lowball.curves import Curve, solved_curve, stacks_of
from solverlab.ui.lowball.exact import ExactShape, ExactStrategy
from solverlab.ui.lowball.hands import plan_html, table_html
from solverlab.ui.lowball.rung import check, exact_game, size_words, whole_game
from solverlab.ui.lowball.settings import LowballSettings, read_stack
from solverlab.ui.lowball.solving import begin
from solverlab.ui.lowball.whole import WholeShape, WholeStrategy
from solverlab.ui.lowball.whole_betting import BettingShape, BettingStrategy
from solverlab.ui.lowball.whole_runner import WholeRunner
from solverlab.ui.runner import MEMORY_CAP

SILENT = (lambda share, words: None, lambda: False)


def test_bets_after_the_draw_show_what_went_and_came():
    game = exact_game(LowballSettings(betting="after", stack=4.0))
    strategy = ExactStrategy(ExactShape(game), sl.uniform_policy(game))
    assert abs(strategy.shape.weight.sum() - 1) < 1e-12
    after = next(key for key in strategy.decisions if key.startswith("ck11"))
    table = strategy.table(after)
    assert "7-7+2" in table.hands and abs(table.weight.sum() - 1) < 1e-9
    assert pieces_of(table).kind == "strip"
    assert "13 of 13 hands" in table_html(strategy, "ck") and "keep nothing" in plan_html(strategy, "7", "ck")


@pytest.fixture(scope="module")
def whole() -> WholeStrategy:
    game = whole_game(LowballSettings(cards=4, each=2, discard="free"))
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
    game = whole_game(LowballSettings(cards=4, each=2, discard="free"))
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
    curve = solved_curve(LowballSettings(cards=4, each=2, discard="free"), *SILENT, grown.append)
    assert [len(part.rows) for part in grown] == [1, 2]
    for row in curve.rows:
        assert row["low"] < row["value"] < row["high"]
    assert curve.done


def test_curves_can_be_cancelled_and_are_kept(monkeypatch):
    monkeypatch.setattr(lowball_curves, "_known", {})
    stops = iter([False] * 6)
    with pytest.raises(SolverlabError, match="the curve of 1 card, 13 x 1 was cancelled"):
        solved_curve(LowballSettings(), lambda *told: None, lambda: next(stops, True))
    assert lowball_curves.known_curve(LowballSettings()) is None
    assert (
        min(stacks_of(LowballSettings(betting="raise"))) == 2.5 and min(stacks_of(LowballSettings())) == 1.5
    )


def test_limping_moves_the_root_up():
    root = solved_curve(LowballSettings(each=4), *SILENT).root
    limping = solved_curve(LowballSettings(each=4, betting="limp"), *SILENT)
    assert root < 4.25 < 4.27 < limping.root < 4.28
    assert all(row["exploitability"] < 3e-5 for row in (*limping.rows, *limping.extra))


def test_a_link_restores_everything():
    choice = LowballSettings(
        2, "12", 4, "limp", "free", "DCFR", 7.25, "hands", "c", "ck", "ck", "75", "7", "push"
    )
    query = dict(pair.split("=") for pair in choice.query().split("&"))
    assert LowballSettings.from_query(query) == (choice, [])
    assert LowballSettings.from_query({"deck": "real"})[0].rung == (5, "real", 4, "push", "free")


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
    choice, complaints = LowballSettings.from_query(query)
    assert choice == LowballSettings() and len(complaints) == 1 and told in complaints[0]


def test_buttons_that_need_each_other():
    assert LowballSettings().typed("cards", 4) == LowballSettings(cards=4, each=2, discard="free")
    assert LowballSettings(betting="after").typed("cards", 3).betting == "push"
    assert LowballSettings(deck="real").settled().typed("deck", "12").cards == 1
    for cards in range(1, 6):
        check(LowballSettings().typed("cards", cards))
    real, bets = (
        LowballSettings(deck="real").settled(),
        LowballSettings(cards=5, each=4, discard="free", betting="all", stack=4),
    )
    assert size_words(real) == "134,459 hands a player (2,598,960 dealt), 32 discards; every draw is counted"
    assert size_words(bets) == (
        "6,175 hands a player, 32 discards, ranks only, 7 lines of betting to a draw; every draw is counted"
    )
    assert LowballSettings(betting="limp").typed("cards", 4).betting == "limp"
    assert LowballSettings(betting="limp").typed("deck", "real").betting == "push"
    assert read_stack(" 3,9 BB") == 3.9


# ---- four cards and more, with bets ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def betting():
    game = BettingLowball(6.0, limp=True, raises=(2,), bets=(1,), reraise=True, cards=2)
    solver = DrawBetting(game, threads=1)
    return BettingStrategy(BettingShape(game), solver.step(4))


def test_decisions_with_bets_are_called_as_in_the_exact_rungs(betting):
    exact = ExactShape(exact_game(LowballSettings(2, each=4, betting="all", discard="free", stack=6.0)))
    assert set(betting.decisions) == set(exact.decisions) and set(betting.lines) == set(exact.lines)
    for key, words in betting.decisions.items():
        table = betting.table(key)
        assert np.allclose(table.share.sum(axis=1), 1.0, atol=1e-5) and abs(table.weight.sum() - 1) < 1e-9
        assert words.split(",")[0] == exact.decisions[key].split(",")[0]
    assert betting.table("a").actions == ("fold", "call all-in")
    assert betting.table("c").actions == ("check", "raise 2", "all-in")
    assert betting.table("ck00").hands[0] == "32"


def test_hands_with_bets_have_plans_along_every_line(betting):
    push, call = betting.going_in()
    assert len(push) == len(call) == betting.size
    for line in betting.lines:
        name, bets, draws = betting.plan("72", line)
        assert name == "72" and len(bets) == len(list(betting.snap.before_draw())) and len(draws) == 4
        assert draws == betting.draws(betting.find("72"), line)


def test_bets_that_need_too_much_are_refused_before_they_are_taken():
    choice = LowballSettings(cards=4, each=2, discard="free", betting="all", stack=8.0)
    with pytest.raises(TooLarge, match=r"needs \d+ MB, but a page may take 1 MB; .* solverlab solve lowball"):
        begin(choice, memory_cap=1_000_000)
    assert DrawBetting.bytes_needed(whole_game(choice), threads=1) < MEMORY_CAP
