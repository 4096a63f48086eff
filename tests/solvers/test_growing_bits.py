"""Growing solvers keep their bits: digests of states that an earlier version of these solvers computed.

A case is a game, settings and a number of sweeps; its digest covers every array of the state and both
strategies. A digest that changes means that saved runs no longer go on as they began.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from recorded import Arrays, assert_recorded

import solverlab as sl
from solverlab.games.holdem.buckets import MadeHands
from solverlab.solvers import RegretRebalance

RECORDED = json.loads((Path(__file__).parent / "growing_bits.json").read_text())
SQUASHES = ("tanh", "x/(1+|x|)", "arctan", "erf", "logistic", "clipped linear")
READINGS = tuple(product(("as written", "centred", "reach-weighted"), ("start", "node")))
Case = tuple[type, dict[str, object], int]

EXACT: dict[str, Case] = {
    **{f"kuhn-{name}": (sl.Kuhn, {"squash": name, "scale": 2.0}, 7) for name in SQUASHES},
    **{
        f"kuhn-{ev}-{baseline}": (
            sl.Kuhn,
            {"ev": ev, "baseline": baseline, "floor": 0.01, "start": 0.3},
            9,
        )
        for ev, baseline in READINGS
    },
    "pennies": (sl.MatchingPennies, {"start": 0.6}, 50),
    "kuhn-sampled": (sl.Kuhn, {"samples": 50, "rng": 3}, 10),
    "kuhn-grow": (sl.Kuhn, {"frontier": sl.MostReached(2), "sweeps": 3}, 14),
    "kuhn-grow-rollout": (
        sl.Kuhn,
        {"frontier": sl.HighestEV(1), "sweeps": 2, "leaf": "rollout", "returned": True},
        14,
    ),
    "kuhn-grow-sampled": (
        sl.Kuhn,
        {
            "frontier": sl.MostAtStake(2),
            "sweeps": 3,
            "samples": 40,
            "rng": 5,
            "tolerance": 0.02,
            "test": "relative",
        },
        14,
    ),
    "leduc-grow": (
        sl.Leduc,
        {"frontier": sl.MostReached(3), "sweeps": 2, "scale": 3.0, "returned": True},
        12,
    ),
    "leduc-sampled": (sl.Leduc, {"samples": 30, "rng": 1, "ev": "centred"}, 4),
    "pushfold2": (lambda: sl.PushFold(players=2, stack=6), {"scale": 2.0}, 3),
    "pushfold2-grow": (
        lambda: sl.PushFold(players=2, stack=6),
        {"frontier": sl.MostReached(20), "sweeps": 2},
        5,
    ),
}
REGRET: dict[str, Case] = {
    "regret-whole": (sl.Kuhn, {"schedule": "CFR+"}, 9),
    "regret-grow": (sl.Kuhn, {"schedule": "CFR+", "frontier": sl.MostReached(2), "sweeps": 2}, 9),
    "regret-sampled": (sl.Kuhn, {"schedule": "CFR+", "samples": 40, "rng": 2}, 9),
    "regret-leduc": (sl.Leduc, {"schedule": "DCFR", "frontier": sl.Oldest(4), "sweeps": 2}, 9),
}
FORESTS: dict[str, tuple[int, float, dict[str, object], int]] = {  # players, stack, settings, epochs
    "forest-two": (
        2,
        5.0,
        {"frontier": sl.MostReached(60), "samples": 40, "sweeps": 2, "rng": 4},
        5,
    ),
    "forest-weights": (
        3,
        8.0,
        {
            "frontier": sl.HighestEV(30),
            "samples": 20,
            "sweeps": 2,
            "rng": 2,
            "ev": "reach-weighted",
            "weighting": "classes",
            "test": "relative",
            "tolerance": 0.05,
        },
        3,
    ),
}


def arrays_of(solver: sl.Rebalance) -> Arrays:
    """Every array that must not change."""
    snap = solver.snapshot()
    arrays = {name: np.asarray(array) for name, array in solver.state().items() if name != "seconds"}
    return arrays | {"policy": snap.policy.sigma, "current": snap.current.sigma}


def digest(arrays: Arrays) -> str:
    """Names, types, shapes and numbers."""
    found = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return found.hexdigest()[:16]


def assert_kept(name: str, solver: sl.Rebalance) -> None:
    arrays = arrays_of(solver)
    assert_recorded(f"growing {name}", digest(arrays), RECORDED[name], arrays)


@pytest.mark.parametrize("name", EXACT)
def test_exact_growth_and_every_setting(name):
    game, settings, sweeps = EXACT[name]
    solver = sl.Rebalance(game(), **settings)
    solver.step(sweeps)
    assert_kept(name, solver)


@pytest.mark.parametrize("name", REGRET)
def test_regret_on_the_same_trees(name):
    game, settings, sweeps = REGRET[name]
    solver = RegretRebalance(game(), **settings)
    solver.step(sweeps)
    assert_kept(name, solver)


@pytest.mark.parametrize("name", FORESTS)
def test_forests(name):
    players, stack, settings, epochs = FORESTS[name]
    solver = sl.Rebalance(sl.Holdem(players, stack, buckets=MadeHands(3)), **settings)
    for _ in range(epochs):
        for _ in range(settings["sweeps"]):
            solver.rebalance()
        solver.expand()
    solver.rebalance()
    solver.rebalance()
    assert_kept(name, solver)


def test_every_recorded_state_is_asked_for():
    assert RECORDED.keys() == EXACT.keys() | REGRET.keys() | FORESTS.keys()
