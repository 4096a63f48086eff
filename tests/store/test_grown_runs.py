"""Runs that rebalance and grow, on disk: they go on bit for bit, and a stranger's file breaks nothing."""

from __future__ import annotations

import json

import numpy as np
import pytest
from store.sample_runs import same_state

import solverlab as sl
from solverlab import store
from solverlab.core.errors import BadValue, DamagedRun, SolverlabError
from solverlab.games.holdem.buckets import MadeHands, SuitClasses
from solverlab.solvers import Rebalance, Squash
from solverlab.store import manifest as manifests
from solverlab.store.files import checksum
from solverlab.store.packing import array_bytes, settings_of


def small_forest(**settings) -> Rebalance:
    """A heads-up forest that has grown over a flop after a few sweeps."""
    game = sl.Holdem(2, stack=6.0, buckets=MadeHands(2), bets=(1.0, 0.5), max_raises=2)
    return Rebalance(game, **{"frontier": sl.MostReached(60), "samples": 6, "sweeps": 2, "rng": 5} | settings)


KINDS = {
    "plain": lambda: sl.Rebalance(sl.Kuhn(), start=0.6, scale=2.0, floor=0.01),
    "hidden moves": lambda: sl.Rebalance(sl.RockPaperScissors(), squash="erf", start=0.5),
    "from the node": lambda: sl.Rebalance(sl.Kuhn(), baseline="node", ev="centred"),
    "sampled": lambda: sl.Rebalance(sl.Leduc(), samples=40, rng=3, ev="reach-weighted"),
    "growing": lambda: sl.Rebalance(sl.Leduc(), frontier=sl.MostReached(3), sweeps=4, returned=True),
    "growing, sampled": lambda: sl.Rebalance(
        sl.Kuhn(3), frontier=sl.HighestEV(1), samples=30, tolerance=0.01, leaf="rollout", rng=2
    ),
    "growing, most at stake": lambda: sl.Rebalance(sl.Leduc(), frontier=sl.MostAtStake(4), sweeps=3),
    "growing, oldest": lambda: sl.Rebalance(sl.Kuhn(), frontier=sl.Oldest(1), sweeps=3),
    "forest": small_forest,
    "forest, most at stake": lambda: small_forest(frontier=sl.MostAtStake(60)),
    "forest, oldest": lambda: small_forest(frontier=sl.Oldest(60)),
    "forest, odd settings": lambda: small_forest(
        squash="arctan", scale=3.0, ev="centred", floor=0.02, tolerance=0.1, weighting="classes", threads=2
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_resumed_equals_never_stopped(kind):
    solver, twin = KINDS[kind](), KINDS[kind]()
    solver.step(15)
    twin.step(26)
    sl.save(solver, "run")
    resumed = sl.load("run").solver()
    assert type(resumed) is type(solver) and same_state(resumed, solver)
    assert settings_of(resumed) == settings_of(solver) == json.loads(json.dumps(settings_of(solver)))
    assert not same_state(resumed, twin)
    resumed.step(11)
    assert same_state(resumed, twin)
    assert np.array_equal(resumed.snapshot().policy.sigma, twin.snapshot().policy.sigma)
    assert np.array_equal(resumed.snapshot().current.sigma, twin.snapshot().current.sigma)


def test_the_saved_forest_has_seen_a_flop():
    forest = small_forest()
    forest.advance(26)
    assert forest.ground.trees.streets >= 1 and len(forest.ground.trees.owners) > 100


def test_a_run_is_listed_exported_and_brought_back(tmp_path):
    solver = small_forest()
    trace = sl.Trace(sl.run(solver, every=3, until=sl.iterations(6)))
    sl.save(solver, "grown", trace)
    [row] = sl.runs()
    assert (row.game, row.solver, row.iteration) == (solver.game.name, "Forest, tanh", 6)
    file = store.export("grown", tmp_path)
    again = store.import_run(file, "again")
    assert same_state(again.solver(), solver) and again.trace.rows == trace.rows
    assert again.game.config() == solver.game.config()


@pytest.mark.parametrize("buckets", [SuitClasses(1), 3], ids=["suits", "strength"])
def test_a_table_comes_back_with_its_buckets(buckets):
    solver = sl.Rebalance(sl.Holdem(3, stack=(5, 9, 9), buckets=buckets), samples=5)
    sl.save(solver, "table")
    game = sl.load("table").game
    assert game.config() == solver.game.config() and type(game) is sl.Holdem


class Own:
    """A bucketing of somebody's own."""

    def count(self, street):
        return 2

    def name(self, street, bucket):
        return f"{bucket}"

    def labels(self, street, hole, board):
        return (hole[:, 0] > hole[:, 1]).astype(np.uint16)

    def config(self):
        return {"kind": "order of dealing"}


def test_buckets_of_ones_own_are_handed_over_again():
    game = sl.Holdem(2, stack=5, buckets=Own())
    sl.save(sl.Rebalance(game, samples=5), "own")
    with pytest.raises(SolverlabError, match="buckets of the kind 'order of dealing' cannot be built here"):
        sl.load("own")
    assert sl.load("own", game=sl.Holdem(2, stack=5, buckets=Own())).solver().iteration == 0
    with pytest.raises(DamagedRun, match="open it with sl.load"):
        sl.load("own", game=sl.Holdem(2, stack=6, buckets=Own()))


def test_labels_beyond_their_count_never_reach_compiled_code():
    class Wrong(Own):
        def labels(self, street, hole, board):
            return np.full(len(hole), 2, np.uint16)

    with pytest.raises(BadValue, match="gave bucket 2 although street 1 counts 2"):
        sl.Holdem(2, buckets=Wrong()).draw(np.random.default_rng(0), 5)


def test_functions_and_policies_cannot_be_saved():
    kuhn, rule = sl.Kuhn(), sl.MostReached(1)
    policy = sl.CFR(kuhn).step(5).policy
    own = Squash("tanh", np.tanh, lambda x: 1 + np.tanh(x))
    for leaf in (policy, lambda node: np.zeros((2, 3, 3))):
        with pytest.raises(BadValue, match="leaf values given as a function or a policy cannot be saved"):
            sl.save(sl.Rebalance(kuhn, frontier=rule, leaf=leaf), "run")
    with pytest.raises(BadValue, match="the squash 'tanh' is a function of your own"):
        sl.save(sl.Rebalance(kuhn, squash=own), "run")
    assert sl.runs() == []


# ---- a stranger's file -------------------------------------------------------------------------------------


def altered(folder, arrays=None, **manifest):
    """Rewrite a run as somebody would who knows how checksums work."""
    told = json.loads((folder / "run.json").read_text())
    told.pop("checksum")
    for member in told["files"]:
        name = member.partition("/")[2].removesuffix(".npy")
        if arrays and name in arrays:
            content = array_bytes(arrays[name](np.load(folder / member)))
            (folder / member).write_bytes(content)
            told["files"][member] = {"bytes": len(content), "sha256": checksum(content)}
    for label, change in manifest.items():
        told[label] = {**told[label], **change}
    (folder / "run.json").write_bytes(manifests.to_bytes(told))


def put(place, value):
    """The array with one number changed."""

    def change(array):
        array = array.copy()
        array[place] = value
        return array

    return change


BROKEN_FOREST = {
    "a node that is none": {"expanded": put(0, 10**6)},
    "a negative node": {"expanded": put(0, -5)},
    "a node twice": {"expanded": lambda a: np.append(a, a[0])},
    "fewer nodes": {"expanded": lambda a: a[:-1]},
    "nodes in a square": {"expanded": lambda a: a[: len(a) // 2 * 2].reshape(2, -1)},
    "nodes that are texts": {"expanded": lambda a: a.astype("U9")},
    "a probability above 1": {"sigma": put(-1, 2.0)},
    "a negative probability": {"sigma": put(-1, -0.5)},
    "no number": {"sigma": put(-1, np.nan)},
    "chance that weighs": {"sigma": put(1, 0.5)},
    "a longer table": {"sigma": lambda a: np.append(a, 1.0)},
    "complex probabilities": {"sigma": lambda a: a.astype(complex)},
    "endless sums": {"sums": put((3, 0), np.inf)},
    "narrow sums": {"sums": lambda a: a[:, :3]},
    "a short total": {"total": lambda a: a[:5]},
    "negative counts": {"counts": put(0, -1)},
    "a clock before the start": {"clock": put(2, -1)},
    "a clock without a seed": {"clock": lambda a: a[:4]},
    "no change at all": {"change": lambda a: a[:0]},
    "seconds for everybody": {"seconds": lambda a: np.full(3, a)},
}


@pytest.fixture(scope="module")
def forest_state():
    forest = small_forest()
    forest.advance(9)
    return forest


@pytest.mark.parametrize("how", BROKEN_FOREST)
def test_a_broken_forest_is_refused(how, forest_state):
    folder = sl.save(forest_state, "run")
    altered(folder, BROKEN_FOREST[how])
    with pytest.raises(DamagedRun, match="does not fit this solverlab"):
        sl.load("run").solver()


BROKEN_REBALANCE = {
    "a probability above 1": {"sigma": put((1, 0), 2.0)},
    "no number": {"sigma": put((1, 0), np.nan)},
    "another table": {"sigma": lambda a: a[:, :-1]},
    "a mask of another shape": {"inside": lambda a: a[:, :-1]},
    "a mask of numbers": {"inside": lambda a: a.astype(float)},
    "a tree with a gap": {"inside": lambda a: np.ones_like(a)},
    "a clock of texts": {"clock": lambda a: a.astype("U5")},
    "a negative epoch": {"epoch": put(0, -1)},
    "endless values": {"value": put((1, 0), np.inf)},
    "negative weights": {"weight": put((1, 0), -1.0)},
}


@pytest.mark.parametrize("how", BROKEN_REBALANCE)
def test_a_broken_rebalance_is_refused(how):
    solver = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1), sweeps=2)
    solver.step(5)
    folder = sl.save(solver, "run")
    altered(folder, BROKEN_REBALANCE[how])
    with pytest.raises(DamagedRun, match="does not fit this solverlab"):
        sl.load("run").solver()


SETTINGS = [
    {"frontier": ["Best", 3]},
    {"frontier": ["MostReached", -1]},
    {"frontier": "MostReached"},
    {"frontier": [["MostReached"], 1]},
    {"samples": 10**9},
    {"samples": 0.5},
    {"squash": "sine"},
    {"squash": ["tanh"]},
    {"scale": float(0)},
    {"threads": 10**9},
    {"anything": 1},
    {"solver": "RegretRebalance"},
    {"solver": "MCCFR"},
    {"solver": "Magic"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_settings_that_no_forest_has_are_refused(settings, forest_state):
    folder = sl.save(forest_state, "run")
    altered(folder, solver=settings)
    with pytest.raises(DamagedRun):
        sl.load("run").solver()


TABLES = [
    {"players": 50},
    {"stack": [1e400]},
    {"bets": [0.1] * 1000},
    {"max_raises": 10**6},
    {"holdings": "cards"},
    {"buckets": {"kind": "strength", "counts": [10**9, 5, 5]}},
    {"buckets": {"kind": "strength", "counts": [5]}},
    {"buckets": {"kind": "strength"}},
    {"buckets": {"kind": "made hands", "count": 10**9}},
    {"buckets": {"kind": "magic"}},
    {"buckets": 7.5},
    {"anything": 1},
]


@pytest.mark.parametrize("settings", TABLES, ids=lambda table: str(table)[:40])
def test_tables_that_cannot_be_are_refused(settings, forest_state, monkeypatch):
    monkeypatch.setattr(manifests, "to_bytes", _with_infinity)
    folder = sl.save(forest_state, "run")
    altered(folder, game=settings)
    with pytest.raises(SolverlabError):
        sl.load("run")


def _with_infinity(manifest):
    """What JSON does not allow but a reader may accept."""
    whole = {**manifest, "checksum": manifests._own_checksum(manifest)}
    return json.dumps(whole).encode()
