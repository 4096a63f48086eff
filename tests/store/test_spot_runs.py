"""Runs of postflop spots: saved, opened and continued bit for bit, also after kill -9; others are refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, DamagedRun
from solverlab.proof.dying import same_state
from solverlab.store import save_every

RANGES = ("QQ+, A5s, KdQd:0.5", "JJ-66, AQs")
RIVER, TURN = "Td9d6hQc3s", "Td9d6hQc"
MENUS = {"bets": {"turn": ("60%", "a"), "river": "50%, a"}, "raises": ("2.5x", "a")}


def spot_of(board: str = TURN, pot: float = 200, ranges: tuple = RANGES) -> sl.Spot:
    return sl.Spot(board, pot, 900, ranges, **MENUS, rake=0.05, rake_cap=10)


@pytest.mark.parametrize(("board", "row"), [(RIVER, "DCFR-R"), (TURN, "CFR+")])
def test_a_run_is_opened_by_its_name_and_goes_on_bit_for_bit(board, row):
    solver, straight = sl.SpotCFR(spot_of(board), row), sl.SpotCFR(spot_of(board), row)
    solver.step(7)
    straight.step(12)
    sl.save(solver, "spot", sl.Trace([solver.snapshot().measured({"exploitability": 5.0})]))
    saved = sl.load("spot")
    again = saved.solver()
    assert same_state(again, solver) and again.config() == solver.config()
    assert saved.snapshot().exploitability == 5.0
    assert saved.game.size.numbers == solver.game.size.numbers
    again.step(5)
    assert same_state(again, straight)
    sl.save(again, "spot")  # a later state of the same run
    assert [run.iteration for run in sl.runs()] == [12]


def test_a_range_of_numbers_comes_back():
    weights = np.zeros(1326)
    weights[700:760] = 0.25
    solver = sl.SpotCFR(spot_of(RIVER, ranges=(weights, "JJ-66")))
    solver.step(3)
    sl.save(solver, "numbers")
    assert same_state(sl.load("numbers").solver(), solver)


def test_another_spot_is_refused_in_a_sentence():
    sl.save(sl.SpotCFR(spot_of(RIVER)), "spot")
    for other in (spot_of(RIVER, pot=100), spot_of(TURN), spot_of(RIVER, ranges=("QQ+, A5s", "JJ-66"))):
        with pytest.raises(DamagedRun, match="with another tree or other payoffs than Spot"):
            sl.load("spot", game=other)
        with pytest.raises(BadValue, match="save with replace=True"):
            sl.save(sl.SpotCFR(other), "spot")


def test_tables_that_are_no_numbers_are_refused():
    solver = sl.SpotCFR(spot_of(RIVER))
    solver.step(2)
    for change, sentence in (
        ({"regret_0": None}, "holds no regret_0"),
        ({"total_0": solver.total[0][:-8]}, "this spot needs"),
        ({"regret_0": np.full_like(solver.regret[0], np.nan)}, "numbers that no run can have"),
        ({"clock": np.array([-1, 0])}, "numbers that no run can have"),
    ):
        state = {name: array for name, array in {**solver.state(), **change}.items() if array is not None}
        with pytest.raises(BadValue, match=sentence):
            sl.SpotCFR.from_state(solver.game, state)


WORK = """
import solverlab as sl
from solverlab.store import save_every
from tests.store.test_spot_runs import spot_of
solver = sl.SpotCFR(spot_of())
for snap in save_every(sl.run(solver, every=1, until=sl.iterations(10**6)), solver, "killed", every=1):
    pass
"""


def test_a_run_killed_in_the_middle_goes_on_bit_for_bit(home):
    """Kill -9 while nearly all the time is spent saving."""
    process = subprocess.Popen([sys.executable, "-c", WORK], cwd=Path(__file__).parents[2], env=os.environ)
    end = time.monotonic() + 300
    while not (home / "runs" / "killed" / "run.json").is_file() or sl.load("killed").iteration < 3:
        assert process.poll() is None and time.monotonic() < end, "the run did not get on"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    solver, straight = sl.load("killed").solver(), sl.SpotCFR(spot_of())
    reached = solver.iteration
    straight.step(reached)
    assert same_state(solver, straight)
    for _ in save_every(sl.run(solver, every=2, until=sl.iterations(reached + 4)), solver, "killed", every=2):
        pass
    straight.step(4)
    assert same_state(sl.load("killed").solver(), straight)
    assert [row["iteration"] for row in sl.load("killed").trace.rows] == [
        *range(1, reached + 1), reached + 2, reached + 4,
    ]  # fmt: skip
