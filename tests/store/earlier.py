"""Small runs of every kind, as an earlier version saved them, and the numbers it went on to.

`record(folder)` wrote them, with that version on the path; what is committed is never written anew.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import solverlab as sl
from solverlab import store
from solverlab.games.holdem.buckets import MadeHands
from solverlab.games.lowball.real import RealLowball
from solverlab.solvers import RegretRebalance
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw

FOLDER = Path(__file__).parent / "before_refit"
BEGUN, MORE = 6, 5  # iterations before saving, and after opening
ROWS = ("CFR", "CFR+", "LCFR", "DCFR", "PCFR+")
SAMPLINGS = ("full", "chance", "external", "outcome")
OWN_ROW = sl.Schedule("mine", positive=-math.inf, negative=math.inf, average=0.5, predictive=True)


def suits_alike() -> sl.CFR:
    game = sl.Leduc()
    return sl.CFR(game, "DCFR", tie=sl.tie_hands(game.tree, np.arange(len(game.hands)) // 2))


def forest(**settings: Any) -> Any:
    game = sl.Holdem(2, stack=6.0, buckets=MadeHands(2), bets=(1.0,), max_raises=2)
    usual = {"frontier": sl.MostReached(3), "samples": 4, "sweeps": 2, "rng": 5}
    return sl.Rebalance(game, **usual | settings)


def own_generator() -> sl.MCCFR:
    return sl.MCCFR(sl.Kuhn(), "CFR+", rng=np.random.default_rng(77))


RUNS: dict[str, Callable[[], Any]] = {
    **{f"kuhn {row}": lambda row=row: sl.CFR(sl.Kuhn(), row) for row in ROWS},
    "leduc simultaneous": lambda: sl.CFR(sl.Leduc(), "PCFR+", alternating=False),
    "own schedule": lambda: sl.CFR(sl.Kuhn(), OWN_ROW),
    "three players": lambda: sl.CFR(sl.Kuhn(3), "LCFR"),
    "hidden moves": lambda: sl.CFR(sl.RockPaperScissors(), "CFR"),
    "push fold": lambda: sl.CFR(sl.PushFold(5), "DCFR"),
    "limit poker": lambda: sl.CFR(sl.LimitPoker(ranks="JQKA", suits=1, max_raises=[2]), "CFR+"),
    "lowball": lambda: sl.CFR(sl.Lowball(stack=3, cards=1, ranks=4, limp=True, after_draw=(1.0,)), "DCFR"),
    "suits alike": suits_alike,
    **{
        f"{row} sampling": lambda row=row: sl.MCCFR(sl.Kuhn(), "PCFR+", sampling=row, rng=11)
        for row in SAMPLINGS
    },
    "own sampling": lambda: sl.MCCFR(sl.Kuhn(), "LCFR", sl.Sampling("mine", own=False, explore=0.3), rng=5),
    "own generator": own_generator,
    "rebalance": lambda: sl.Rebalance(sl.Kuhn(), start=0.6, scale=2.0, floor=0.01),
    "rebalance hidden moves": lambda: sl.Rebalance(sl.RockPaperScissors(), squash="erf", start=0.5),
    "rebalance from the node": lambda: sl.Rebalance(sl.Kuhn(), baseline="node", ev="centred"),
    "rebalance sampled": lambda: sl.Rebalance(sl.Kuhn(), samples=40, rng=3, ev="reach-weighted"),
    "growing": lambda: sl.Rebalance(sl.Leduc(), frontier=sl.MostReached(3), sweeps=2, returned=True),
    "growing sampled": lambda: sl.Rebalance(
        sl.Kuhn(3), frontier=sl.HighestEV(1), samples=30, tolerance=0.01, leaf="rollout", rng=2
    ),
    "growing at stake": lambda: sl.Rebalance(sl.Kuhn(), frontier=sl.MostAtStake(1), sweeps=3),
    "growing oldest": lambda: sl.Rebalance(sl.Kuhn(), frontier=sl.Oldest(1), sweeps=3),
    "regret rebalance": lambda: RegretRebalance(sl.Kuhn(), "CFR+", frontier=sl.MostReached(1), sweeps=3),
    "forest": forest,
    "forest odd settings": lambda: forest(
        squash="arctan", scale=3.0, ev="centred", floor=0.02, tolerance=0.1, weighting="classes"
    ),
    "draw": lambda: DrawCFR(RealLowball(3, cards=1), "DCFR", threads=1),
    "draw two cards": lambda: DrawCFR(RealLowball(3, cards=2), "CFR+", threads=1),
    "draw sampled": lambda: SampledDraw(RealLowball(3, cards=1), rng=5),
}
GRID: dict[str, Callable[[], Any]] = {
    **{
        f"{name} {row} {when}": lambda make=make, row=row, when=when: sl.CFR(make(), row, when == "in turn")
        for name, make in {"Kuhn": sl.Kuhn, "Leduc": sl.Leduc, "Kuhn-3": lambda: sl.Kuhn(3)}.items()
        for row in ROWS
        for when in ("in turn", "at once")
    },
    **{
        f"{name} {row} {drawn}": lambda make=make, row=row, drawn=drawn: sl.MCCFR(make(), row, drawn, rng=9)
        for name, make in {"Kuhn": sl.Kuhn, "Leduc": sl.Leduc}.items()
        for row in ROWS
        for drawn in SAMPLINGS
    },
    "Lowball free": lambda: sl.CFR(sl.Lowball(stack=4, cards=1, per_rank=4, discard="free"), "CFR+"),
    "push/fold": lambda: sl.CFR(sl.PushFold(10), "CFR+"),
}


def numbers_of(solver: Any) -> dict[str, np.ndarray]:
    """The arrays of a state; how long it took is left out."""
    return {name: np.asarray(array) for name, array in solver.state().items() if name != "seconds"}


def digest(solver: Any) -> str:
    """Sixteen letters that say what a state holds, to the last bit; how long it took is left out."""
    sum_of = hashlib.sha256()
    for name, array in sorted(numbers_of(solver).items()):
        sum_of.update(f"{name} {array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return sum_of.hexdigest()[:16]


def file_name(run: str) -> str:
    return f"{run.replace(' ', '-')}.zip"


def record(folder: Path) -> None:
    """Write every run, and what it goes on to."""
    folder.mkdir(parents=True, exist_ok=True)
    told: dict[str, Any] = {"opened": {}, "after": {}, "grid": {}}
    for name, make in RUNS.items():
        solver = make()
        first = solver.step(BEGUN)
        trace = sl.Trace([first.measured({"made up": 0.5})])
        (folder / file_name(name)).write_bytes(store.to_zip(solver, name.replace(" ", "-"), trace))
        told["opened"][name] = digest(solver)
        solver.step(MORE)
        told["after"][name] = digest(solver)
    for name, make in GRID.items():
        solver = make()
        solver.step(BEGUN + MORE)
        told["grid"][name] = digest(solver)
    (folder / "digests.json").write_text(json.dumps(told, indent=1) + "\n")
    policy = sl.CFR(sl.Kuhn(), "DCFR").step(BEGUN).policy
    for suffix in ("csv", "json", "parquet"):
        store.write_policy(policy, folder / f"kuhn-policy.{suffix}")
    for suffix in ("json", "game"):
        store.write_game(sl.Leduc(), folder / f"leduc.{suffix}")
