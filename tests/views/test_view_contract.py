"""Every view keeps the contract, by one line each; a view that breaks a law is told which."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import solverlab as sl
from solverlab.abstraction.buckets import Percentile
from solverlab.abstraction.strength import hand_strength
from solverlab.core.check_view import check_view
from solverlab.core.errors import BadValue
from solverlab.run import follow_paths
from solverlab.views import (
    bucket_frame,
    bucket_scatter,
    confusion,
    convergence,
    convergence_frame,
    form_frame,
    growth,
    growth_frame,
    jam_frame,
    jam_grid,
    microscope,
    occupancy,
    phase,
    price_curves,
    pushfold_chart,
    pushfold_frame,
    strategy,
    strategy_frame,
    strength_histogram,
    transitions,
    tree,
    tree_form,
    widths,
)
from solverlab.views.bucket_tables import confusion_frame, histogram_frame, transition_frame

COLOURS, THREE = ["#0072B2", "#D55E00", "#009E73"], ["1", "2", "3"]


@pytest.fixture(scope="module")
def snap() -> sl.Snapshot:
    return sl.CFR(sl.Kuhn(), "DCFR").step(5)


@pytest.fixture(scope="module")
def trace() -> sl.Trace:
    return sl.Trace(sl.run(sl.CFR(sl.Kuhn()), until=sl.iterations(5), measure=["exploitability"]))


@pytest.fixture(scope="module")
def jams() -> dict[float, sl.Snapshot]:
    return {stack: sl.CFR(sl.PushFold(stack)).step(3) for stack in (3.0, 5.0)}


def policy_table(snap, node=""):
    return strategy_frame(snap.policy, node)


def test_strategies(snap):
    check_view(strategy, snap, "raise", table=policy_table)


def test_trees(snap):
    check_view(tree, snap, table=lambda snap: snap.policy.frame())


@pytest.mark.parametrize("passive", [True, False])
def test_both_forms_of_a_tree(snap, passive):
    check_view(tree_form, snap, 1, passive, table=form_frame)


def test_phase_portraits():
    went = follow_paths(
        sl.Rebalance(sl.MatchingPennies(), start=0.6), ("", "heads"), ("heads", "heads"), steps=9
    )
    check_view(phase, went, table=lambda went: went.phase())
    check_view(phase, went, 1, 0, table=lambda went, x, y: went.phase(x, y))


@pytest.fixture(scope="module")
def preflop():
    return hand_strength("preflop")


@pytest.fixture(scope="module")
def thirds(preflop) -> np.ndarray:
    return Percentile(3).fit(preflop.ehs2, preflop.weight).labels_


def test_buckets_of_a_street(preflop, thirds):
    fitted = SimpleNamespace(labels_=thirds)
    check_view(bucket_scatter, preflop, fitted, table=lambda s, b: bucket_frame(s, b.labels_, THREE))
    check_view(strength_histogram, hand_strength("AhKh", "Td9d6h"), table=histogram_frame)


def test_pictures_of_a_bucket_table(preflop, thirds):
    buckets = bucket_frame(preflop, thirds, THREE)
    for draw in (occupancy, widths):
        check_view(draw, buckets, COLOURS, table=lambda buckets, _: buckets)


def test_where_hands_go():
    counts = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 2.0], [0.0, 0.0, 5.0]])
    check_view(transitions, counts, THREE, THREE, table=transition_frame)
    check_view(confusion, counts, THREE, THREE, table=confusion_frame)


def test_prices():
    columns = {
        "series": ["a", "a", "b"],
        "buckets": [2, 1, 2],
        "infosets": [6, 3, 9],
        "price": [1.0, 2.0, 0.5],
    }
    prices = pd.DataFrame(columns)
    check_view(price_curves, prices, table=lambda prices: prices)

    def summing(prices):
        prices["price"] = prices["price"].cumsum()
        return "drawn"

    with pytest.raises(BadValue, match="it changes what it was shown"):
        check_view(summing, prices, table=lambda prices: prices)


def test_races(trace):
    check_view(convergence, trace, table=convergence_frame)


def test_growth():
    solver = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1), sweeps=2)
    grown = sl.Trace(sl.run(solver, every=2, until=sl.iterations(8)))
    for row in grown.rows:
        row["lifted"] = 0.1
    check_view(growth, grown, table=growth_frame)


def test_microscope():
    solver = sl.CFR(sl.Kuhn())
    state = solver.state()
    check_view(microscope, solver, "", "K", table=lambda *asked: microscope(*asked).frame())
    assert all(np.array_equal(state[name], array) for name, array in solver.state().items())


def test_push_fold_grids(jams):
    check_view(jam_grid, jams[5.0], table=jam_frame)
    check_view(pushfold_chart, jams, table=pushfold_frame)


def test_a_broken_law_is_named(snap):
    def scribbling(snap):
        snap.policy.sigma.flags.writeable = True
        snap.policy.sigma[1, 0] += 0.1
        return "drawn"

    own = sl.CFR(sl.Kuhn(), "DCFR").step(5)
    with pytest.raises(BadValue, match="the view breaks its contract: it changes what it was shown"):
        check_view(scribbling, own, table=policy_table)
    with pytest.raises(BadValue, match="it draws nothing"):
        check_view(lambda snap: None, snap, table=policy_table)
    with pytest.raises(BadValue, match="its table is empty"):
        check_view(strategy, snap, table=lambda snap: policy_table(snap).head(0))
