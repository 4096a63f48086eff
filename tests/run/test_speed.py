"""What the house promises about waiting: importing, the first step, and measuring.

Start-up is measured in seconds of the processor: on an idle machine they are the seconds one waits, and on a
busy one they do not blame solverlab for its neighbours.
"""

from __future__ import annotations

import json
import subprocess
import sys
from time import perf_counter

import pytest

import solverlab as sl

IMPORT = """
from time import process_time
began = process_time()
import solverlab as sl
print(process_time() - began)
"""

FIRST_STEP = """
from time import process_time
began = process_time()
import solverlab as sl
sl.CFR(sl.Leduc(), "CFR+").step(1)
print(process_time() - began)
"""

LOADED = """
import json, sys
import solverlab as sl
sl.CFR(sl.Kuhn()).step(1)
print(json.dumps(sorted(sys.modules)))
"""


def told(program: str) -> str:
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.timing
def test_importing_takes_less_than_a_second():
    assert min(float(told(IMPORT)) for _ in range(3)) < 1.0


@pytest.mark.timing
def test_the_first_step_takes_less_than_three_seconds_once_compiled():
    told(FIRST_STEP)  # fills the compile cache
    assert min(float(told(FIRST_STEP)) for _ in range(3)) < 3.0


@pytest.mark.timing
def test_measuring_leduc_takes_less_than_a_millisecond():
    game = sl.Leduc()
    policy = sl.CFR(game, "CFR+").step(10).policy
    sl.exploitability(game, policy)
    times = []
    for _ in range(20):
        began = perf_counter()
        sl.exploitability(game, policy)
        times.append(perf_counter() - began)
    assert min(times) < 1e-3


def test_solving_loads_nothing_that_draws():
    """Heavy libraries come when somebody asks for a table, a plot or the referee."""
    loaded = set(json.loads(told(LOADED)))
    heavy = {
        "pandas",
        "scipy.optimize",
        "scipy.sparse",
        "panel",
        "param",
        "holoviews",
        "bokeh",
        "sklearn",
        "pyarrow",
    }
    assert "numba" in loaded and not heavy & loaded


def test_importing_builds_no_table_of_cards():
    """Tables that rank hands are made where `evaluate_high` is imported: a third of the whole import."""
    program = "import json, sys, solverlab; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(told(program)))
    assert "solverlab.solvers.growing.sampled.sample" in loaded
    assert not [name for name in loaded if name.startswith("solverlab.cards")]
