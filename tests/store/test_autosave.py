"""Long runs save themselves on the way, and go on where they were."""

from __future__ import annotations

import pytest
from store.sample_runs import SOLVERS, files_of, same_state

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.store import autosave, save_every


def without_seconds(trace):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in trace.rows]


@pytest.mark.parametrize("kind", ["Kuhn DCFR", "own sampling", "three players"])
@pytest.mark.parametrize("every", [None, 10])
def test_interrupted_and_resumed_equals_uninterrupted(kind, every):
    """Left early twice, resumed from disk each time: state and trace are those of one undisturbed run."""
    solver = SOLVERS[kind]()
    for stop in (30, 60, 100):
        for snap in save_every(
            sl.run(solver, every=every, until=sl.iterations(100)), solver, "run", every=10
        ):
            if stop <= snap.iteration < 100:
                break
        solver = sl.load("run").solver()
    twin = SOLVERS[kind]()
    undisturbed = sl.Trace(sl.run(twin, every=every, until=sl.iterations(100)))
    assert same_state(solver, twin)
    assert without_seconds(sl.load("run").trace) == without_seconds(undisturbed)


def test_it_saves_when_it_should(monkeypatch):
    moments = []
    real = autosave.save
    monkeypatch.setattr(
        autosave, "save", lambda solver, *rest: (moments.append(solver.iteration), real(solver, *rest))
    )
    solver = sl.CFR(sl.Kuhn())
    for _ in save_every(sl.run(solver, every=10, until=sl.iterations(75)), solver, "run", every=30):
        pass
    assert moments == [0, 30, 60, 75]


def test_it_does_not_save_more_often_than_told(monkeypatch):
    now = iter(range(0, 1000, 4))  # every look at the clock is four seconds later
    monkeypatch.setattr(autosave, "monotonic", lambda: next(now))
    saved = []
    real = autosave.save
    monkeypatch.setattr(
        autosave, "save", lambda solver, *rest: (saved.append(solver.iteration), real(solver, *rest))
    )
    solver = sl.CFR(sl.Kuhn())
    for _ in save_every(
        sl.run(solver, every=10, until=sl.iterations(70)), solver, "run", every=10, seconds=10
    ):
        pass
    assert saved == [0, 30, 60, 70]


def test_leaving_the_loop_saves_the_last_state():
    solver = sl.CFR(sl.Kuhn())
    for snap in save_every(sl.run(solver, every=1, until=sl.iterations(100)), solver, "run", every=50):
        if snap.iteration == 7:
            break
    assert sl.load("run").iteration == 7
    assert len(sl.load("run").trace) == 7


def test_a_run_that_was_done_stays_as_it_was(home):
    solver = sl.CFR(sl.Kuhn())
    for _ in save_every(sl.run(solver, every=10, until=sl.iterations(20)), solver, "run"):
        pass
    before = sl.load("run")
    again = before.solver()
    for _ in save_every(sl.run(again, every=10, until=sl.iterations(20)), again, "run"):
        pass
    assert without_seconds(sl.load("run").trace) == without_seconds(before.trace)


def test_another_run_of_that_name_is_refused_before_the_first_step(home):
    solver = sl.CFR(sl.Kuhn(), "DCFR")
    solver.step(10)
    sl.save(solver, "run")
    before, fresh = files_of(home), sl.CFR(sl.Kuhn(), "DCFR")
    with pytest.raises(BadValue, match="holds 10 iterations of DCFR on Kuhn poker, which 0 iterations"):
        save_every(sl.run(fresh), fresh, "run")
    assert fresh.iteration == 0
    assert files_of(home) == before


@pytest.mark.parametrize("every", [0, -5, 2.5, None])
def test_a_rhythm_that_is_none_is_refused(every, home):
    solver = sl.CFR(sl.Kuhn())
    with pytest.raises(BadValue, match="cannot save every .* iterations; give a whole number of at least 1"):
        save_every(sl.run(solver), solver, "run", every=every)
    assert not home.exists()
