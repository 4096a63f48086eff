"""`solverlab bench`: every suite runs, ratios follow from the numbers, missing peers are no disaster."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import solverlab as sl
from solverlab.bench import cards, clock, clusters, contestants, main, report, solving
from solverlab.bench.clock import Timing, race
from solverlab.bench.contestants import PEERS, Ours, SpielCpp, SpielPython, borrowed_home
from solverlab.bench.plan import FULL, QUICK
from solverlab.bench.rows import Row, ratios
from solverlab.bench.suites import SUITES
from tools import bench_against

OF_CARDS = {"evaluation": cards.installed, "flop strength": cards.installed, "k-means": clusters.installed}
OF_CARDS |= {"lowball": list, "forest": list, "scaling": list}  # nobody else plays these


@pytest.fixture(scope="module")
def quick(tmp_path_factory) -> dict:
    """The JSON of one quick run of everything.

    A sample is one unit of work, taken without trying first how many fill the time: what is asked here is
    whether everything runs and is written down, not how fast it is.
    """
    path = tmp_path_factory.mktemp("bench") / "numbers.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "calibrate", lambda work, seconds: 1)
        assert main(["--quick", "--json", str(path)]) == 0
    return json.loads(path.read_text())


def rows_of(document: dict, **wanted: object) -> list[dict]:
    return [row for row in document["rows"] if all(row[key] == value for key, value in wanted.items())]


def test_every_suite_and_everybody_installed_is_in_the_numbers(quick):
    assert {row["suite"] for row in quick["rows"]} == set(SUITES)
    solvers = {each.name for each in contestants.installed()}
    for suite in SUITES:
        expected = {"solverlab", *OF_CARDS[suite]()} if suite in OF_CARDS else solvers
        assert {row["contestant"] for row in rows_of(quick, suite=suite)} == expected


def test_a_hand_simulated_by_every_evaluator_comes_near_its_exact_strength():
    exact = sl.hand_strength(cards.HOLE, cards.FLOP).ehs
    assert "phevaluator" in cards.installed()
    for name in cards.installed():
        simulated = cards.simulate(*cards.EVALUATORS[name](), trials=4000, seed=1)
        assert abs(simulated - exact) < 5 * (0.25 / 4000) ** 0.5


def test_speed_covers_both_games_and_the_schedules_each_library_has(quick):
    for each in contestants.installed():
        measured = {row["task"] for row in rows_of(quick, suite="speed", contestant=each.name)}
        assert measured == {f"{game} {schedule}" for game in ("Kuhn", "Leduc") for schedule in each.schedules}


def test_the_numbers_are_times_and_agree_with_each_other(quick):
    for row in quick["rows"]:
        assert 0 < row["seconds_best"] <= row["seconds_median"] < 1e6
        assert row["per_second"] == pytest.approx(1 / row["seconds_median"])
        assert row["cpu_seconds_median"] > 0
        assert row["samples"] >= 1


def test_ratios_are_computed_from_the_rows(quick):
    peers = [row for row in quick["rows"] if row["contestant"] != "solverlab"]
    assert len(quick["ratios"]) == len(peers) > 0
    for ratio, peer in zip(quick["ratios"], peers, strict=True):
        key = {name: peer[name] for name in ("suite", "task", "measure")}
        (ours,) = rows_of(quick, contestant="solverlab", **key)
        assert ratio["peer"] == peer["contestant"]
        assert ratio["our_over_peer"] == pytest.approx(ours["seconds_median"] / peer["seconds_median"])
        assert ratio["times_faster"] == pytest.approx(peer["seconds_median"] / ours["seconds_median"])
        assert ratio["times_faster_best"] == pytest.approx(peer["seconds_best"] / ours["seconds_best"])


def test_extrapolated_rows_say_how_they_were_reckoned(quick):
    reckoned = rows_of(quick, extrapolated=True)
    assert {row["suite"] for row in reckoned} <= {"targets"}
    for row in reckoned:
        assert str(row["iterations"]) in row["note"]
        (ours,) = rows_of(
            quick, suite="targets", contestant="solverlab", task=row["task"], measure=row["measure"]
        )
        assert ours["iterations"] == row["iterations"]
        assert not ours["extrapolated"]


def test_the_machine_and_the_versions_are_written_down(quick):
    assert quick["cpu"] and quick["date"] and quick["python"]
    assert quick["versions"]["numba"]
    assert quick["versions"]["open_spiel"]
    assert quick["quick"] is True
    assert any(note.startswith("noise:") for note in quick["notes"])


def test_one_suite_alone_prints_its_table(tmp_path, capsys):
    assert main(["--quick", "--only", "exploitability", "--json", str(tmp_path / "x.json")]) == 0
    printed = capsys.readouterr().out
    assert "exploitability: seconds for one exact exploitability" in printed
    assert "Leduc" in printed and "OpenSpiel C++" in printed and "x)" in printed
    assert {row["suite"] for row in json.loads((tmp_path / "x.json").read_text())["rows"]} == {
        "exploitability"
    }


def test_without_peers_one_sentence_says_how_to_get_them_and_the_rest_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(contestants.importlib.util, "find_spec", lambda name: None)
    assert main(["--quick", "--only", "exploitability", "--json", str(tmp_path / "x.json")]) == 0
    printed = capsys.readouterr().out
    assert printed.count("pip install solverlab[bench]") == 1
    assert "OpenSpiel C++, OpenSpiel Python, LiteEFG, eval7, phevaluator, scikit-learn" in printed
    document = json.loads((tmp_path / "x.json").read_text())
    assert {row["contestant"] for row in document["rows"]} == {"solverlab"}
    assert document["ratios"] == []


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--only", "speeed"], "there is no bench suite 'speeed'; known: speed, targets"),
        (["--json", "/no/such/folder/x.json"], "'/no/such/folder/x.json'"),
    ],
)
def test_nonsense_options_exit_2_with_one_sentence(argv, sentence, capsys):
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("peer", "schedule"), [(peer, schedule) for peer in (SpielCpp, SpielPython) for schedule in peer.SOLVERS]
)
def test_openspiel_walks_the_same_iterates_so_reckoning_with_our_iterations_is_honest(peer, schedule):
    ours, theirs = Ours("Kuhn", schedule), peer("Kuhn", schedule)
    ours.step(20)
    theirs.step(20)
    assert ours.evaluator()() == pytest.approx(theirs.evaluator()(), abs=1e-8)


def test_everybody_gets_the_clock_in_turn():
    calls = []
    works = {name: (lambda count, name=name: calls.append(name)) for name in "ab"}
    race(works, seconds=0.0, repeats=3)
    assert calls[-6:] == list("ababab")


def test_chasing_a_target_stops_there_and_does_not_time_the_measuring():
    session = Ours("Kuhn", "CFR+")
    reached = solving.chase(session, [0.05, 0.01], patience=10.0)
    assert 0 < reached[0.05][0] < reached[0.01][0] == session.solver.snapshot().iteration
    assert session.evaluator()() <= 0.01
    assert reached[0.05][1] < reached[0.01][1]


def test_chasing_gives_up_when_patience_ends():
    assert solving.chase(Ours("Kuhn", "CFR+"), [0.0], patience=0.0) == {}


def test_a_slow_peer_is_reckoned_and_a_quick_one_is_run():
    peer, task = PEERS[0], "Kuhn CFR+"
    ours = {1e-1: 10, 1e-2: 100}
    slow = solving.peer_targets(QUICK, task, peer, ours, Timing((1.0, 3.0), (1.0, 3.0)))
    assert [row.timing.median for row in slow] == [20.0, 200.0]
    assert all(row.extrapolated for row in slow)
    run = solving.peer_targets(FULL, task, peer, ours, Timing((1e-5,), (1e-5,)))
    assert not any(row.extrapolated for row in run)


def test_the_table_is_aligned_and_marks_what_was_reckoned():
    ours = Row("targets", "Kuhn CFR+", "to 1e-03", "solverlab", Timing((0.002,), (0.002,)))
    peer = Row("targets", "Kuhn CFR+", "to 1e-03", "Slow", Timing((3.0,), (3.0,)), extrapolated=True)
    lines = report.table([ours, peer]).splitlines()
    assert len({len(line) for line in lines[1:]}) == 1
    assert lines[-1].endswith("2 ms  3 s* (1,500x)")
    assert [ratio.times_faster for ratio in ratios([ours, peer])] == [pytest.approx(1500)]
    assert any(note.startswith("*: extrapolated") for note in report.footnotes([ours, peer]))


def test_a_busy_machine_is_named_and_points_to_cpu_time():
    (sentence,) = report.busy({"load": 3.5, "cores": 2})
    assert "load 3.5 on 2 cores" in sentence and "times_faster_cpu" in sentence
    assert report.busy({"load": None, "cores": 2}) == []


def test_a_borrowed_home_is_given_back(monkeypatch):
    monkeypatch.setenv("HOME", "/mine")
    monkeypatch.delenv("USERPROFILE", raising=False)
    with borrowed_home():
        borrowed = Path(os.environ["HOME"])
        assert borrowed.is_dir() and str(borrowed) != "/mine"
    assert os.environ["HOME"] == "/mine" and "USERPROFILE" not in os.environ
    assert not borrowed.exists()


def test_before_and_after_marks_what_became_slower():
    before = bench_against.best([{("Kuhn", "step"): 2e-6, ("Leduc", "step"): 1e-6}, {("Kuhn", "step"): 1e-6}])
    after = {("Kuhn", "step"): 1.04e-6, ("Leduc", "step"): 1.1e-6, ("Kuhn", "new"): 3e-6}
    assert bench_against.compare(before, after) == [
        ["Kuhn", "step", "1.000", "1.040", "1.04", ""],
        ["Leduc", "step", "1.000", "1.100", "1.10", "slower"],
        ["Kuhn", "new", "-", "3.000", "", ""],
    ]


def test_scaling_counts_nodes_and_hands(quick):
    rows = rows_of(quick, suite="scaling")
    assert len(rows) == 15
    memory = {row["task"]: row["seconds_median"] for row in rows if row["shown_as"] == "bytes"}
    assert all(6 * 8 < held < 20 * 8 for held in memory.values())
