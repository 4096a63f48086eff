"""Result files of the 2-to-7 project: read, measured truly, written again, refused in one sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.store.lowball_results import iteration_series, read_lowball_results, write_lowball_results
from solverlab.studies.lowball import regret_proxy


@pytest.fixture(scope="module")
def solved():
    """A short run on the deck without the ten, with the project's own numbers beside."""
    solver = sl.CFR(sl.LowballPushFold(3, ranks="23456789JQKA"), "CFR")
    return solver, iteration_series(solver, [10, 100, 1000])


@pytest.fixture
def file(solved, tmp_path):
    solver, series = solved
    return write_lowball_results(tmp_path / "out.json", solver.game, solver.snapshot().policy, series)


def rewrite(file, change):
    """The same file with something changed."""
    record = json.loads(file.read_text())
    change(record)
    file.write_text(json.dumps(record))
    return file


def test_the_format_is_the_projects(file):
    record = json.loads(file.read_text())
    assert record["metadata"] == {
        "stack_size": 3.0,
        "posted_pot_p1": 0.5,
        "posted_pot_p2": 1.0,
        "num_cards": 1,
        "num_cards_per_rank": 1,
    }
    assert set(record["player_1_preflop"]) == {f"{rank}_rr" for rank in "23456789JQKA"}
    assert set(record["player_2_preflop"]["7_rra"]) == {"FOLD", "ALL_IN"}
    assert set(record["player_2_postflop"]["7_rraa"]) == {"DRAW_0", "DRAW_1"}
    assert {"7_rraa0", "7_rraa1"} <= set(record["player_1_postflop"])
    assert record["iteration_info"]["iterations"] == [10, 100, 1000]


@pytest.mark.parametrize(("cards", "per_rank"), [(1, 2), (2, 1), (2, 4)])
def test_files_round_trip(cards, per_rank, tmp_path):
    game = sl.LowballPushFold(4, cards, per_rank)
    policy = sl.CFR(game).step(20).policy
    again = read_lowball_results(write_lowball_results(tmp_path / "a.json", game, policy))
    assert repr(again.game) == repr(game) and again.claimed_distance is None
    np.testing.assert_allclose(again.policy.sigma, policy.sigma, atol=1e-12)
    assert again.value == pytest.approx(sl.value(game, policy)) == pytest.approx(again.claimed_value)
    assert again.nash_conv == pytest.approx(sl.nash_conv(game, policy))


def test_the_proxy_stands_beside_the_truth(solved, file):
    """The same strategy: what the project calls Nash distance is not the sum of best-response gains."""
    solver, series = solved
    result = read_lowball_results(file)
    assert result.game.rules.ranks == "23456789JQKA"
    assert result.claimed_distance == regret_proxy(solver) == series["nash_distances"][-1]
    assert result.nash_conv == pytest.approx(sl.nash_conv(solver.game, solver.snapshot().policy))
    assert abs(result.claimed_distance - result.nash_conv) > 1e-4


def test_the_proxy_by_hand(solved):
    """Twice the mean over the deal of the larger positive regret at the button's first decision."""
    solver, _ = solved
    fold, push = solver.tables.regret[1], solver.tables.regret[2]
    mean = sum(max(f, p, 0.0) for f, p in zip(fold, push, strict=True)) / solver.iteration
    assert regret_proxy(solver) == pytest.approx(2 * mean, rel=1e-12)
    with pytest.raises(BadValue, match="has not stepped has no regret"):
        regret_proxy(sl.CFR(sl.LowballPushFold(3)))


def test_dropped_probabilities_are_put_back(file):
    def drop(record):
        record["player_1_preflop"]["7_rr"] = {"ALL_IN": 0.9991}

    result = read_lowball_results(rewrite(file, drop))
    assert result.policy.at("", hand="7") == {"fold": 0.0, "all-in": 1.0}


WRONG = [
    (lambda r: r.pop("metadata"), "out.json has no 'metadata', so it is no 2-to-7 result file"),
    (lambda r: r.pop("player_2_postflop"), "out.json has no 'player_2_postflop'"),
    (lambda r: r["metadata"].pop("num_cards"), "the metadata of out.json has no 'num_cards'"),
    (lambda r: r["metadata"].update(stack_size=0.5), "out.json: a stack of 0.5 big blinds leaves nothing"),
    (lambda r: r["metadata"].update(posted_pot_p1=1), "out.json posts 1 and 1.0; only blinds of 0.5 and 1"),
    (lambda r: r["player_1_preflop"].update({"1_rr": {}}), "out.json has the unknown card '1'"),
    (lambda r: r["player_1_preflop"].update({"77_rr": {}}), "'77_rr' holds cards that nobody can hold"),
    (lambda r: r["player_1_preflop"].update({"7_rrx": {}}), "nobody acts after 'rrx'"),
    (lambda r: r["player_1_preflop"].update({"7_rra": {}}), "but belongs into player_2_preflop"),
    (lambda r: r["player_1_preflop"].pop("7_rr"), "out.json does not say what to do with '7' after ''"),
    (lambda r: r["player_1_preflop"].update({"7_rr": {"CALL": 1}}), "give probabilities of FOLD, ALL_IN"),
    (lambda r: r["player_1_preflop"].update({"7_rr": {"FOLD": "x"}}), "are numbers from 0 to 1"),
    (lambda r: r["player_1_preflop"].update({"7_rr": {"FOLD": 0.5}}), "at '7_rr' sum to 0.5 instead of 1"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_wrong_files_are_refused_in_one_sentence(file, change, sentence):
    with pytest.raises(BadValue, match=sentence) as caught:
        read_lowball_results(rewrite(file, change))
    assert "\n" not in str(caught.value)


def test_foreign_files_and_games_are_refused(tmp_path):
    (tmp_path / "no.json").write_text("{")
    with pytest.raises(BadValue, match="no.json is not readable JSON"):
        read_lowball_results(tmp_path / "no.json")
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(BadValue, match="list.json has no 'metadata'"):
        read_lowball_results(tmp_path / "list.json")
    with pytest.raises(BadValue, match="cannot read|no such file|exists"):
        read_lowball_results(tmp_path / "lost.json")
    game = sl.Lowball(3, ranks=5, limp=True)
    with pytest.raises(BadValue, match="is not push/fold with the original discards"):
        write_lowball_results(tmp_path / "limp.json", game, sl.uniform_policy(game))
