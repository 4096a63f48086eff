"""Runs are driven, measured, stopped and recorded as asked."""

from __future__ import annotations

import math

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, UnknownName
from solverlab.core.snapshot import Status
from solverlab.run import MEASURES, Until
from solverlab.run.drive import geometric_next


def test_a_run_looks_when_it_is_told_to():
    solver = sl.CFR(sl.Kuhn(), "CFR+")
    snaps = list(sl.run(solver, every=30, until=sl.iterations(100), measure=["exploitability", "value"]))
    assert [snap.iteration for snap in snaps] == [30, 60, 90, 100]
    assert [snap.status for snap in snaps] == [Status.RUNNING] * 3 + [Status.STOPPED]
    for snap in snaps:
        assert snap.exploitability == sl.exploitability(solver.game, snap.policy)
        assert snap.value == sl.value(solver.game, snap.policy)
    clocks = [(snap.seconds, snap.touched) for snap in snaps]
    assert clocks == sorted(clocks) and clocks[0][0] > 0 and clocks[0][1] > 0


def test_measuring_does_not_change_the_run():
    plain, measured = sl.CFR(sl.Leduc(), "DCFR"), sl.CFR(sl.Leduc(), "DCFR")
    for _ in sl.run(measured, every=7, until=sl.iterations(50), measure=MEASURES.keys() - {"value"}):
        pass
    np.testing.assert_array_equal(plain.step(50).policy.sigma, measured.snapshot().policy.sigma)


def test_unspaced_runs_look_ever_more_rarely():
    seen = [snap.iteration for snap in sl.run(sl.CFR(sl.Kuhn()), until=sl.iterations(1000), measure=[])]
    assert seen[:6] == [1, 2, 3, 4, 5, 6] and seen[-1] == 1000 and len(seen) < 45
    assert all(geometric_next(t) > t for t in range(200))


def test_a_target_stops_a_run_when_it_is_reached():
    *before, last = sl.run(sl.CFR(sl.Kuhn(), "CFR+"), every=5, until=sl.below("exploitability", 1e-3))
    assert last.status is Status.REACHED and last.exploitability <= 1e-3
    assert all(snap.exploitability > 1e-3 for snap in before)


def test_whichever_limit_comes_first():
    both = sl.iterations(40) | sl.below("exploitability", 1e-9) | sl.iterations(60)
    *_, last = sl.run(sl.CFR(sl.Kuhn()), every=10, until=both)
    assert last.iteration == 40 and last.status is Status.STOPPED
    assert both == Until(iterations=40, targets=(("exploitability", 1e-9),))
    *_, timed = sl.run(
        sl.CFR(sl.Leduc()), every=50, until=sl.seconds(0.05) | sl.iterations(10**7), measure=[]
    )
    assert timed.status is Status.STOPPED and 0.05 <= timed.seconds < 5.0 and timed.iteration < 10**7


def test_a_resumed_run_counts_from_the_beginning():
    solver = sl.CFR(sl.Kuhn())
    solver.step(70)
    assert [snap.iteration for snap in sl.run(solver, every=20, until=sl.iterations(100))] == [90, 100]
    assert [snap.iteration for snap in sl.run(solver, every=20, until=sl.iterations(100))] == [100]


def test_leaving_the_loop_stops_the_solver():
    solver = sl.CFR(sl.Kuhn())
    for snap in sl.run(solver, every=10, until=sl.iterations(1000)):
        if snap.iteration == 30:
            break
    assert solver.iteration == 30


class Frozen(sl.CFR):
    """A solver that never learns: its strategy rests far from equilibrium."""

    def _iterate_compiled(self, n):
        self._tick(n)


def test_rest_without_convergence_is_called_by_its_name():
    first, *_, last = sl.run(Frozen(sl.Kuhn()), every=10, until=sl.iterations(100))
    assert first.status is Status.RUNNING and last.status is Status.STOPPED
    second = list(sl.run(Frozen(sl.Kuhn()), every=10, until=sl.iterations(100)))[1]
    assert second.status is Status.STALLED and "this is not convergence" in second.status.sentence


def test_solve_measures_distance_and_value():
    snap = sl.solve(sl.Kuhn(), "PCFR+", until=sl.below("exploitability", 1e-6))
    assert snap.status is Status.REACHED and snap.value == pytest.approx(-1 / 18, abs=1e-5)
    rest = sl.solve(sl.Kuhn())
    assert rest.exploitability <= 1e-4
    three = sl.solve(sl.Kuhn(players=3), until=sl.below("deviation_gains", 1e-3))
    assert max(three.metrics["deviation_gains"]) <= 1e-3 and three.status is Status.REACHED
    sampled = sl.solve(sl.Kuhn(), "CFR", until=sl.iterations(3000), sampling="external", rng=3)
    assert sampled.iteration == 3000 and sampled.exploitability < 0.1


def test_traces_remember_clocks_and_numbers():
    trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), every=5, until=sl.iterations(20)), name="CFR+ on Kuhn")
    table = trace.frame()
    assert list(table.columns) == ["iteration", "seconds", "touched", "exploitability", "value"]
    assert table["iteration"].tolist() == [5, 10, 15, 20] == trace.column("iteration") and len(trace) == 4
    assert trace.last.iteration == 20 and trace.name == "CFR+ on Kuhn"
    assert sl.Trace.from_rows(trace.rows).frame().equals(table)
    assert "<table" in trace._repr_html_()
    with pytest.raises(
        BadValue, match="the trace has no column 'regret'; it holds iteration, seconds, touched"
    ):
        trace.column("regret")
    assert list(sl.Trace().frame().columns) == ["iteration", "seconds", "touched"]


def test_traces_of_three_players_have_a_column_a_seat():
    trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn(players=3)), every=10, until=sl.iterations(20)))
    seats = [f"deviation_gains_{seat}" for seat in range(3)]
    table = trace.frame()
    assert list(table.columns) == ["iteration", "seconds", "touched", *seats, "deviation_gains_max", "value"]
    assert (table[seats].max(axis=1) == table["deviation_gains_max"]).all()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: sl.run(sl.CFR(sl.Kuhn()), every=0), "cannot look every 0 iterations; give a whole number"),
        (lambda: sl.run(sl.CFR(sl.Kuhn()), every=2.5), "cannot look every 2.5 iterations"),
        (lambda: sl.iterations(-1), "cannot stop after -1 iterations; give a whole number of at least 0"),
        (lambda: sl.seconds(math.inf), "cannot stop after inf seconds; give a number of at least 0"),
        (lambda: sl.seconds(-1), "cannot stop after -1 seconds"),
        (lambda: sl.below("exploitability", math.nan), "the target nan for exploitability cannot be met"),
        (lambda: sl.below("exploitability", -0.1), "the target -0.1 for exploitability cannot be met"),
        (
            lambda: sl.run(sl.CFR(sl.Kuhn()), until=Until()),
            "a run without any limit never ends; give iterations",
        ),
    ],
)
def test_limits_that_cannot_be_met(ask, sentence):
    with pytest.raises(BadValue, match=sentence):
        ask()


def test_unknown_measures_are_refused_before_anything_runs():
    solver = sl.CFR(sl.Kuhn())
    with pytest.raises(
        UnknownName, match="there is no measure 'explo'; known: exploitability, current_exploit"
    ):
        sl.run(solver, measure=["explo"])
    with pytest.raises(UnknownName, match="there is no measure 'regret'"):
        sl.run(solver, until=sl.below("regret", 0.1))
    assert solver.iteration == 0
