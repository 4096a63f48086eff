"""Runs on disk: what comes back is what was saved, to the last bit, and goes on as if never stopped."""

from __future__ import annotations

import json
import math
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.sample_runs import OWN_ROW, SOLVERS, CoinGame, buckets, files_of, same_state

import solverlab as sl
from solverlab import store
from solverlab.store import files
from solverlab.store.manifest import fingerprint
from solverlab.store.packing import ROWS, _row, settings_of


@pytest.mark.parametrize("kind", SOLVERS)
def test_resumed_equals_never_stopped(kind):
    solver, twin = SOLVERS[kind](), SOLVERS[kind]()
    solver.step(30)
    twin.step(45)
    sl.save(solver, "run")
    resumed = sl.load("run").solver()
    assert same_state(resumed, solver)
    assert settings_of(resumed) == settings_of(solver)
    resumed.step(15)
    assert same_state(resumed, twin)
    assert np.array_equal(resumed.snapshot().policy.sigma, twin.snapshot().policy.sigma)
    assert np.array_equal(resumed.snapshot().current.sigma, twin.snapshot().current.sigma)


@pytest.mark.parametrize("kind", ["Kuhn DCFR", "Leduc external sampling"])
def test_a_difference_would_be_noticed(kind):
    one, other = SOLVERS[kind](), SOLVERS[kind]()
    one.step(30)
    other.step(31)
    assert not same_state(one, other)


def test_a_resumed_run_can_be_saved_again_under_its_name():
    solver = SOLVERS["own generator"]()
    solver.step(10)
    sl.save(solver, "run")
    resumed = sl.load("run").solver()
    resumed.step(10)
    sl.save(resumed, "run")
    assert sl.load("run").iteration == 20


def test_infinite_exponents_are_texts_in_the_file(home):
    sl.save(sl.CFR(sl.Kuhn(), OWN_ROW), "run")
    text = (home / "runs" / "run" / "run.json").read_text()
    row = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))["solver"][
        "schedule"
    ]
    assert (row["positive"], row["negative"], row["name"]) == ("-inf", "inf", "inf")
    assert sl.load("run").solver().schedule == OWN_ROW


PENNIES = sl.CFR(sl.MatchingPennies())
numbers = st.floats(allow_nan=False) | st.sampled_from([math.inf, -math.inf])


@given(
    name=st.text(max_size=5),
    positive=numbers,
    negative=numbers,
    average=st.floats(0, 1e9),
    predictive=st.booleans(),
)
def test_any_schedule_survives_json(name, positive, negative, average, predictive):
    row = sl.Schedule(name, positive, negative, average, predictive)
    PENNIES.schedule = row
    text = json.dumps(settings_of(PENNIES)["schedule"], allow_nan=False)
    assert _row(ROWS["schedule"], json.loads(text)) == row


def test_the_trace_comes_back():
    solver = sl.CFR(sl.Kuhn(3), "CFR+")
    trace = sl.Trace(sl.run(solver, every=7, until=sl.iterations(30)))
    sl.save(solver, "run", trace)
    saved = sl.load("run")
    assert saved.trace.rows == trace.rows
    assert saved.trace.name == saved.name == "run"
    pd.testing.assert_frame_equal(saved.frame(), trace.frame())
    assert saved.snapshot().metrics == trace.last.metrics
    assert saved.snapshot().iteration == 30


def test_a_trace_with_gaps_comes_back_with_the_same_gaps():
    solver = sl.CFR(sl.Kuhn())
    rows = [{"iteration": 1, "value": 0.5}, {"iteration": 2}, {"iteration": 3, "value": math.nan}]
    solver.step(3)
    sl.save(solver, "run", sl.Trace.from_rows(rows))
    back = sl.load("run").trace.rows
    assert back[:2] == rows[:2]
    assert math.isnan(back[2]["value"])


def test_numbers_measured_earlier_are_not_passed_off_as_current():
    solver = sl.CFR(sl.Kuhn())
    trace = sl.Trace(sl.run(solver, every=5, until=sl.iterations(10)))
    solver.step(5)
    sl.save(solver, "run", trace)
    assert sl.load("run").snapshot().metrics == {}
    assert sl.runs()[0].distance is None


def test_whoever_has_a_solver_and_a_trace_can_be_saved():
    class Owner:
        solver = sl.CFR(sl.Kuhn())
        trace = sl.Trace(sl.run(solver, every=5, until=sl.iterations(10)))

    sl.save(Owner(), "run")
    sl.save(sl.load("run"), "copy")
    assert sl.load("copy").trace.rows == Owner.trace.rows
    assert same_state(sl.load("copy").solver(), Owner.solver)


def test_a_game_of_ones_own_is_saved_and_opened_with_it():
    solver = sl.CFR(CoinGame(), "DCFR")
    solver.step(20)
    sl.save(solver, "run")
    assert same_state(sl.load("run", game=CoinGame()).solver(), solver)


def test_games_differ_by_tree_names_information_and_payoffs():
    games = [sl.Kuhn(), sl.Kuhn(3), sl.Leduc(), sl.MatchingPennies(), CoinGame(), CoinGame(stake=1.001)]
    games += [sl.LimitPoker(raise_sizes=(2,)), sl.LimitPoker(ranks="QKA"), sl.LimitPoker(ranks=4)]
    assert len({fingerprint(game) for game in games}) == len(games)
    assert fingerprint(sl.Leduc()) == fingerprint(sl.Leduc())


def test_the_list_shows_newest_first_and_is_a_table():
    for n, name in enumerate(["first", "second"], 1):
        solver = sl.CFR(sl.Kuhn(), "DCFR")
        sl.save(solver, name, sl.Trace(sl.run(solver, every=10, until=sl.iterations(10 * n))))
    found = sl.runs()
    assert {run.name for run in found} == {"first", "second"}
    assert found[0].saved >= found[1].saved
    line = next(run for run in found if run.name == "second")
    assert (line.game, line.solver, line.iteration, line.problem) == ("Kuhn poker", "DCFR", 20, "")
    assert line.distance == sl.load("second").trace.rows[-1]["exploitability"]
    assert list(found.frame()["name"]) == [run.name for run in found]
    assert "second" in repr(found) and "DCFR" in repr(found)


def test_an_empty_store_lists_nothing_and_writes_nothing(home):
    assert sl.runs() == []
    assert list(sl.runs().frame().columns)[0] == "name"
    assert not home.exists()


def test_runs_are_compared_by_their_traces():
    for row in ("CFR", "CFR+"):
        solver = sl.CFR(sl.Kuhn(), row)
        sl.save(solver, row, sl.Trace(sl.run(solver, every=10, until=sl.iterations(20))))
    both = store.compare(["CFR", "CFR+"])
    assert [trace.name for trace in both] == ["CFR", "CFR+"]
    table = both.frame()
    assert list(table["run"]) == ["CFR", "CFR", "CFR+", "CFR+"]
    assert list(table["iteration"]) == [10, 20, 10, 20]
    assert list(store.compare(["CFR"]).frame()["exploitability"]) == sl.load("CFR").trace.column(
        "exploitability"
    )


def test_a_deleted_run_is_gone(home):
    sl.save(sl.CFR(sl.Kuhn()), "run")
    sl.delete("run")
    assert sl.runs() == []
    assert files_of(home) == {}


def test_only_the_newest_state_is_kept(home):
    solver = sl.CFR(sl.Kuhn())
    for _ in range(3):
        solver.step(10)
        sl.save(solver, "run")
    sl.save(solver, "run")
    assert set(files_of(home / "runs" / "run")) == {"run.json", *sl.load("run").manifest["files"]}


def test_a_later_state_keeps_the_trace_and_the_birthday():
    solver = sl.CFR(sl.Kuhn())
    trace = sl.Trace(sl.run(solver, every=10, until=sl.iterations(20)))
    sl.save(solver, "run", trace)
    born = sl.load("run").manifest["created"]
    solver.step(5)
    sl.save(solver, "run")
    assert sl.load("run").trace.rows == trace.rows
    assert sl.load("run").manifest["created"] == born


def test_cached_and_kept_things_live_where_the_variable_says(home, monkeypatch):
    assert store.runs_folder() == home / "runs"
    assert store.cache_folder() == home
    monkeypatch.delenv("SOLVERLAB_HOME")
    assert store.runs_folder().parts[-2:] == ("solverlab", "runs")
    assert store.cache_folder() != store.home()
    monkeypatch.setenv("SOLVERLAB_HOME", "~/somewhere")
    assert store.home().is_absolute() and "~" not in str(store.home())


@pytest.mark.parametrize("name", ["leduc CFR+ 2", "Übung_3", "a", "1.5", "x-y+z"])
def test_names_people_use_are_allowed(name):
    sl.save(sl.CFR(sl.MatchingPennies()), name)
    assert sl.load(name).name == name
    assert [run.name for run in sl.runs()] == [name]


def test_writers_and_readers_of_one_run_do_not_disturb_each_other():
    """Three threads replace the run as fast as they can while a fourth opens it: it is always whole."""
    made = []
    for steps in (10, 20, 30):
        made.append(sl.CFR(sl.Kuhn()))
        made[-1].step(steps)
    known = {solver.iteration: solver for solver in made}
    sl.save(made[0], "run")
    wrong: list[str] = []

    def write(solver):
        for _ in range(8):
            sl.save(solver, "run", replace=True)

    def read():
        for _ in range(20):
            solver = sl.load("run").solver()
            if not same_state(solver, known[solver.iteration]):
                wrong.append(f"iteration {solver.iteration} is not what was saved")

    def guarded(work, *given):
        try:
            work(*given)
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=guarded, args=(write, solver)) for solver in made]
    threads.append(threading.Thread(target=guarded, args=(read,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert wrong == []
    assert same_state(sl.load("run").solver(), known[sl.load("run").iteration])


def test_a_full_disk_is_told_and_the_old_run_stays(home, monkeypatch):
    solver = sl.CFR(sl.Kuhn())
    solver.step(10)
    sl.save(solver, "run")
    before = sl.load("run")
    solver.step(10)

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solverlab.store.run_folders.write_through", full)
    with pytest.raises(
        sl.SolverlabError, match="could not save the run 'run' in .*runs: No space left on device"
    ):
        sl.save(solver, "run")
    assert sl.load("run").manifest == before.manifest
    monkeypatch.undo()


def test_a_file_is_replaced_whole(tmp_path, monkeypatch):
    target = tmp_path / "file"
    files.write_whole(target, b"old")

    def dies(*paths):
        raise OSError("dead")

    monkeypatch.setattr("os.replace", dies)
    with pytest.raises(OSError, match="dead"):
        files.write_whole(target, b"new and longer")
    assert target.read_bytes() == b"old"


def test_an_abstraction_is_kept_with_the_run(home):
    game = sl.Leduc()
    sl.save(sl.CFR(game, "DCFR", tie=buckets(game)), "tied")
    sl.save(sl.CFR(game, "DCFR"), "plain")
    assert sl.load("tied").solver().tie.shape[1] == 3
    assert sl.load("plain").solver().tie.shape == game.tie.shape
    assert any("tie_slot" in name for name in files_of(home / "runs" / "tied"))
    assert not any("tie_slot" in name for name in files_of(home / "runs" / "plain"))
