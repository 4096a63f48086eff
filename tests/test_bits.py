"""Results keep their bits: digests taken before the kernels were vectorised across neighbouring operations.

Sums are never reordered, so a solver's tables after a fixed number of iterations are the same to the last bit
on every machine; what asks other libraries for products or functions is told apart in `recorded.py`. A digest
that changes means that saved runs no longer replay.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from recorded import Arrays, assert_recorded

import solverlab as sl


def digest(arrays: Arrays) -> str:
    found = hashlib.sha256()
    for array in arrays.values():
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def played(solver, iterations: int) -> Arrays:
    snap = solver.step(iterations)
    return {"policy": snap.policy.sigma, "current": snap.current.sigma}


def five_by_four() -> sl.LimitPoker:
    return sl.LimitPoker(
        ranks="23456", suits=4, board_cards=(0, 1), raise_sizes=(2, 4), max_raises=(2, 2), name="Leduc 5 x 4"
    )


def tied() -> sl.CFR:
    game = sl.Leduc()
    return sl.CFR(game, "CFR+", tie=sl.tie_hands(game.tree, [0, 0, 1, 1, 2, 2]))


def clusters(distance: str) -> Arrays:
    points, weights = np.random.default_rng(1).random((3000, 7)), np.random.default_rng(2).random(3000)
    found = sl.KMeans(12, distance, rng=5).fit(points / points.sum(1, keepdims=True), weights)
    return {"labels": found.labels_, "centres": found.centers_, "inertia": np.asarray(found.inertia_path_)}


CASES = {
    "Kuhn CFR": lambda: played(sl.CFR(sl.Kuhn(), "CFR"), 200),
    "Kuhn PCFR+": lambda: played(sl.CFR(sl.Kuhn(), "PCFR+"), 200),
    "Leduc CFR together": lambda: played(sl.CFR(sl.Leduc(), "CFR", alternating=False), 100),
    "Leduc CFR+": lambda: played(sl.CFR(sl.Leduc(), "CFR+"), 200),
    "Leduc LCFR": lambda: played(sl.CFR(sl.Leduc(), "LCFR"), 200),
    "Leduc DCFR": lambda: played(sl.CFR(sl.Leduc(), "DCFR"), 200),
    "Leduc 5 x 4 CFR+": lambda: played(sl.CFR(five_by_four(), "CFR+"), 30),
    "Leduc tied": lambda: played(tied(), 100),
    "Leduc external sampling": lambda: played(sl.MCCFR(sl.Leduc(), "CFR+", "external", rng=3), 300),
    "Leduc outcome sampling": lambda: played(sl.MCCFR(sl.Leduc(), "CFR+", "outcome", rng=3), 300),
    "Leduc Rebalance": lambda: played(sl.Rebalance(sl.Leduc()), 20),
    "push/fold CFR+": lambda: played(sl.CFR(sl.PushFold(stack=10), "CFR+"), 200),
    "k-means": lambda: clusters("euclidean"),
    "k-medians": lambda: clusters("emd"),
}
KNOWN = {
    "Kuhn CFR": "1435cbb8ed7d4ad4",
    "Kuhn PCFR+": "5f07f622d59266d1",
    "Leduc CFR together": "7676cb55fec66092",
    "Leduc CFR+": "77fa94739130f213",
    "Leduc LCFR": "8bb89b5c915149f1",
    "Leduc DCFR": "6e32e8aba6f95762",
    "Leduc 5 x 4 CFR+": "082ca2ebc82cd70c",
    "Leduc tied": "7a7f6d805aae26da",
    "Leduc external sampling": "99faf5e9f641ebf1",
    "Leduc outcome sampling": "a8e8b93baf4023ad",
    "Leduc Rebalance": "f4fe9f5062f4af97",
    "push/fold CFR+": "295f8e7d0fbe8d3e",
    "k-means": "e0a605feb56a0fb4",
    "k-medians": "d750e8a92b14579b",
}
MEASURED = {
    "Kuhn": "0x1.5f20c27dd8f20p-8",
    "Leduc": "0x1.4eed4702228bep-4",
    "Leduc 5 x 4": "0x1.da1c92bf92ee7p-4",
}


@pytest.mark.parametrize("name", CASES)
def test_the_bits_are_those_of_before(name):
    arrays = CASES[name]()
    assert_recorded(f"bits {name}", digest(arrays), KNOWN[name], arrays)


@pytest.mark.parametrize("name", MEASURED)
def test_measured_exploitability_is_that_of_before(name):
    game = {"Leduc": sl.Leduc, "Leduc 5 x 4": five_by_four, "Kuhn": sl.Kuhn}[name]()
    snap = sl.CFR(game, "CFR+").step(30)
    assert sl.exploitability(game, snap.policy).hex() == MEASURED[name]
