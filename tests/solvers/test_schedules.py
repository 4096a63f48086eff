"""The family is a table: what its rows keep, which rows a user may make, and what is refused."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import solverlab as sl
from solverlab.solvers import SCHEDULES, schedule_named

INF = math.inf


def documented(page: str) -> dict[str, list[str]]:
    """The rows of the table of schedules on a page of the documentation, by name."""
    after = page.partition("| name | positive exponent |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in after.splitlines()[2:]]
    return {name: cells for name, *cells in rows}


def test_the_table_is_the_documented_one(root):
    """A row joins the family in `schedules.py` and in two pages; nobody keeps a copy here."""
    told, short = (
        documented((root / "docs" / f"{name}.md").read_text()) for name in ("schedules", "architecture")
    )
    assert list(told) == list(short) == list(SCHEDULES)
    for name, row in SCHEDULES.items():
        positive, negative, average, predictive, restart, weighted, _ = told[name]
        assert (row.positive, row.negative, row.average) == tuple(map(float, (positive, negative, average)))
        assert (row.predictive, row.weighted) == (predictive == "yes", weighted == "yes")
        powers = f"1, {row.restart}, {row.restart**2}, {row.restart**3} ..." if row.restart else "never"
        assert restart == powers
        assert [*map(float, short[name][:3]), short[name][3].partition(";")[0]] == [
            row.positive, row.negative, row.average, predictive,
        ]  # fmt: skip


@pytest.mark.parametrize("t", [0, 1, 2, 10, 1000])
def test_kept_fractions_follow_the_formula(t):
    rates = sl.Schedule("any", positive=1.5, negative=0.5, average=2.0).rates(t)
    assert rates.positive == (0.0 if t == 0 else t**1.5 / (t**1.5 + 1))
    assert rates.negative == (0.0 if t == 0 else t**0.5 / (t**0.5 + 1))
    assert rates.average == (t / (t + 1)) ** 2 and rates.prediction == 0.0


@pytest.mark.parametrize("name", SCHEDULES)
def test_average_weights_are_powers_of_the_iteration(name):
    """Fading by (t / (t + 1))^g again and again weighs iteration t by t^g."""
    row, last = SCHEDULES[name], 30
    weights = [math.prod(row.rates(t).average for t in range(k, last)) for k in range(1, last + 1)]
    begun = row.began(last - 1)
    expected = [(max(k - begun, 0) / (last - begun)) ** row.average for k in range(1, last + 1)]
    assert weights == pytest.approx(expected, rel=1e-12)
    grown = [row.weight(t) / row.weight(last - 1) for t in range(begun, last)]
    assert grown == pytest.approx(weights[begun:], rel=1e-12)  # growing weights say the same as fading


def test_a_restart_forgets_all_that_was_averaged_before():
    """Right after 16 iterations the average is what is played now: the saw-tooth of a restart."""
    solver = sl.CFR(sl.Leduc(), "DCFR-R")
    before = solver.step(16)
    after = solver.step(1)
    np.testing.assert_allclose(after.policy.sigma, before.current.sigma, rtol=0, atol=1e-12)
    assert not np.allclose(before.policy.sigma, before.current.sigma, atol=1e-3)


@pytest.mark.parametrize("sampling", [None, "external", "chance"])
def test_a_restarting_row_solves_kuhn_sampled_or_not(sampling):
    game = sl.Kuhn()
    row = sl.Schedule("CFR+ anew", negative=-INF, average=1.0, restart=4)
    solver = sl.CFR(game, row) if sampling is None else sl.MCCFR(game, row, sampling, rng=3)
    parts = solver.copy()
    assert sl.exploitability(game, solver.step(16_384).policy) < 0.02
    for n in (3, 1, 16_380):  # over a restart, and up to the next
        parts.step(n)
    assert all(np.array_equal(solver.state()[name], parts.state()[name]) for name in ("regret", "total"))
    fresh = parts.step(1).policy.sigma  # 16,384 is a power of 4: hardly anything is averaged yet
    assert np.abs(fresh - solver.snapshot().policy.sigma).max() > 0.01


def test_linear_regret_weights():
    """LCFR: keeping t / (t + 1) of the regret weighs iteration t by t."""
    row, last = SCHEDULES["LCFR"], 20
    weights = [math.prod(row.rates(t).positive for t in range(k, last)) for k in range(1, last + 1)]
    assert weights == pytest.approx([k / last for k in range(1, last + 1)], rel=1e-12)


def test_a_row_of_ones_own_solves_kuhn():
    mine = sl.Schedule("mine", positive=2.0, negative=-INF, average=3.0)
    solver = sl.CFR(sl.Kuhn(), mine)
    assert sl.exploitability(solver.game, solver.step(2000).policy) < 1e-3
    assert solver.config()["schedule"] == {
        "name": "mine", "positive": 2.0, "negative": -INF, "average": 3.0, "predictive": False,
    }  # fmt: skip
    assert schedule_named(mine) is mine


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: sl.CFR(sl.Kuhn(), "CFR++"),
            re.escape(f"no schedule 'CFR++'; known: {', '.join(SCHEDULES)}"),
        ),
        (lambda: sl.CFR(sl.Kuhn(), None), "there is no schedule None"),
        (lambda: sl.Schedule("x", positive=math.nan), "the positive exponent is nan; give a number"),
        (lambda: sl.Schedule("x", average=-1.0), "the average exponent is -1.0; give a number .*at least 0"),
        (lambda: sl.Schedule("x", average=INF), "the average exponent is inf"),
        (lambda: sl.Schedule("x", positive="fast"), "the positive exponent is 'fast'; give a number"),
        (
            lambda: sl.Schedule("x", restart=1),
            "cannot restart at powers of 1; give a whole number",
        ),
        (lambda: sl.Schedule("x", weighted=2), "weighted is 2; write True or False"),
        (lambda: sl.CFR(sl.Kuhn()).step(-1), "cannot run -1 iterations; give a whole number of at least 0"),
        (lambda: sl.CFR(sl.Kuhn()).step(1.5), "cannot run 1.5 iterations"),
        (lambda: sl.CFR.from_state(sl.Kuhn(), sl.CFR(sl.Leduc()).state()), "the saved regret has shape"),
    ],
)
def test_what_is_refused(make, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        make()
