"""Suite on clustering: k-means on the strength of flop hands, pass for pass from the same centres."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import numpy as np

from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.strength import hand_strength
from solverlab.bench.clock import Work, race
from solverlab.bench.contestants import Contestant, present
from solverlab.bench.plan import Plan
from solverlab.bench.rows import OUR_NAME, Row

PEER = "scikit-learn"
CLUSTERS, PASSES = 50, 10


def points(every: int) -> tuple[np.ndarray, np.ndarray]:
    """E[HS] and E[HS^2] of flop hands, float64[n, 2], and how many deals each stands for."""
    flop = hand_strength("flop")
    features = np.column_stack([flop.ehs, flop.ehs2])[::every]
    return features, np.asarray(flop.weight, np.float64)[::every]


def installed() -> list[str]:
    """The peer, if it is on this machine."""
    return [PEER] if present(PEER) else []


def clustering(plan: Plan, contestants: Sequence[Contestant]) -> list[Row]:
    """Seconds for so many passes over all flop hands, seeding included."""
    hands, weights = points(plan.every)
    works = {OUR_NAME: _ours(hands, weights)} | {name: _peer(hands, weights) for name in installed()}
    timings = race(works, plan.sample_seconds, plan.long_repeats)
    task = f"{len(hands):,} flop hands, {CLUSTERS} clusters"
    return [
        Row("k-means", task, f"k-means++ and {PASSES} passes", name, each) for name, each in timings.items()
    ]


def _ours(hands: np.ndarray, weights: np.ndarray) -> Work:
    def work(count: int) -> None:
        for seed in range(count):
            KMeans(CLUSTERS, rng=seed, passes=PASSES).fit(hands, weights)

    return work


def _peer(hands: np.ndarray, weights: np.ndarray) -> Work:
    cluster = importlib.import_module("sklearn.cluster")

    def work(count: int) -> None:
        for seed in range(count):
            peer = cluster.KMeans(CLUSTERS, n_init=1, max_iter=PASSES, tol=0.0, random_state=seed)
            peer.fit(hands, sample_weight=weights)

    return work
