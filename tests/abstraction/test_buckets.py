"""Bucketings keep ties together, fill percentiles evenly and do not cross."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solverlab as sl
from solverlab.abstraction.buckets import PRESETS, FixedRanges, LinearEHS, Nested, Percentile, preset
from solverlab.abstraction.kmeans import KMeans
from solverlab.core.errors import BadValue, NotMeasured, UnknownName

hands = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), min_size=8, max_size=60)


def naive_labels(values, weights, n):
    """Bucket floor(n (weight below + half the weight of equals) / total), in whole numbers."""
    total = sum(weights)
    labels = []
    for value in values:
        below = sum(w for v, w in zip(values, weights, strict=True) if v < value)
        level = sum(w for v, w in zip(values, weights, strict=True) if v == value)
        labels.append(min(n * (2 * below + level) // (2 * total), n - 1))
    return labels


@given(hands, st.integers(1, 8))
def test_percentile_equals_its_definition(pairs, n):
    values, weights = np.array(pairs).T
    assert Percentile(n).fit(values / 20, weights).labels_.tolist() == naive_labels(
        values, weights.tolist(), n
    )


@given(hands, st.integers(1, 8))
def test_every_bucketing_keeps_ties_together_and_rises(pairs, n):
    values, weights = np.array(pairs).T
    for buckets in (Percentile(n), FixedRanges(n), LinearEHS(n)):
        fitted = buckets.fit(values / 20, weights)
        order = np.argsort(values, kind="stable")
        assert (np.diff(fitted.labels_[order].astype(int)) >= 0).all()
        assert all(len(set(fitted.labels_[values == v].tolist())) == 1 for v in set(values.tolist()))
        assert fitted.occupancy_.sum() == pytest.approx(1) and fitted.counts_.sum() == len(values)
        assert np.array_equal(fitted.predict(values / 20), fitted.labels_)


@pytest.mark.parametrize("n", [5, 6, 8, 10])
def test_percentiles_of_the_flop_are_equal_up_to_ties(streets, n):
    flop = streets["flop"]
    fitted = Percentile(n).fit(flop.ehs2, weights=flop.weight)
    _, inverse = np.unique(flop.ehs2, return_inverse=True)
    heaviest = np.bincount(inverse, flop.weight).max() / flop.weight.sum()
    assert np.abs(fitted.occupancy_ - 1 / n).max() <= heaviest
    assert fitted.empty_.size == 0 and (np.diff(fitted.edges_) > 0).all()


def test_ranges_are_unequal_where_percentiles_are_not(streets):
    flop = streets["flop"]
    ranges, linear = FixedRanges(10).fit(flop.ehs2, flop.weight), LinearEHS(50).fit(flop.ehs, flop.weight)
    assert ranges.occupancy_.max() > 30 * ranges.occupancy_.min()
    assert linear.empty_.tolist() == [0, 1, 2, 3, 4] and linear.n_buckets == 50


def test_a_range_holds_its_lower_edge():
    fitted = FixedRanges([0, 0.25, 0.5, 1]).fit(np.array([0, 0.25, 0.49, 0.5, 1.0]))
    assert fitted.labels_.tolist() == [0, 1, 1, 2, 2] and fitted.widths_.tolist() == [0.25, 0.25, 0.5]


def test_linear_is_clamped_at_one():
    assert LinearEHS(50).fit(np.array([0.0, 0.5, 1.0])).labels_.tolist() == [0, 25, 49]


@pytest.mark.parametrize(("n", "m"), [(5, 2), (6, 2)])
def test_nested_boundaries_do_not_cross(streets, n, m):
    flop = streets["flop"]
    fitted = Nested(n, m).fit(flop.ehs2, flop.ehs, flop.weight)
    assert fitted.n_buckets == n * m and np.abs(fitted.occupancy_ * n * m - 1).max() < 1e-3
    outer, inner = fitted.labels_ // m, fitted.labels_ % m
    for bucket in range(n):
        here = outer == bucket
        assert flop.ehs2[here].min() >= fitted.edges_[bucket]
        if bucket < n - 1:
            assert flop.ehs2[here].max() < fitted.edges_[bucket + 1]
        for part in range(m - 1):
            lower, upper = flop.ehs[here & (inner == part)], flop.ehs[here & (inner == part + 1)]
            assert lower.max() < fitted.inner_edges_[bucket, part + 1] <= upper.min()


def test_squares_favour_potential(streets):
    """Hands that move up when E[HS^2] decides have the larger variance for their strength."""
    flop = streets["flop"]
    by_mean = Percentile(5).fit(flop.ehs, flop.weight).labels_.astype(int)
    by_square = Percentile(5).fit(flop.ehs2, flop.weight).labels_.astype(int)
    up, down = by_square > by_mean, by_square < by_mean
    assert up.any() and down.any() and flop.variance[up].mean() > 1.2 * flop.variance[down].mean()


def test_presets():
    assert [preset(name).n for name in PRESETS] == [5, 6, 8, 10, 5, 6]
    assert [preset(name).n_buckets for name in ("5x2", "6x2")] == [10, 12]
    with pytest.raises(UnknownName, match="7"):
        preset("7")


values = np.linspace(0, 1, 10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Percentile(11).fit(values), "10 hands"),
        (lambda: Nested(5, 3).fit(values, values), "10 hands"),
        (lambda: Percentile(0), "from 1 on"),
        (lambda: Percentile(2.5), "whole number"),
        (lambda: FixedRanges([]), "two edges"),
        (lambda: FixedRanges([0.5]), "two edges"),
        (lambda: FixedRanges([0, 0.5, 0.5, 1]), "rise"),
        (lambda: FixedRanges([0, np.nan, 1]), "rise"),
        (lambda: FixedRanges([0, 0.5]).fit(values), "outside"),
        (lambda: LinearEHS(5).fit(2 * values), r"\[0, 1\]"),
        (lambda: Percentile(2).fit(values, np.full(10, np.nan)), "NaN"),
        (lambda: Percentile(2).fit(values, -np.ones(10)), "from 0 on"),
        (lambda: Percentile(2).fit(values, np.zeros(10)), "all 0"),
        (lambda: Percentile(2).fit(values, np.ones(9)), "10 values"),
        (lambda: Percentile(2).fit(np.array([0.1, np.nan])), "NaN"),
        (lambda: Percentile(2).fit(np.ones((2, 2))), "shape"),
        (lambda: Percentile(2).fit(np.array([])), "shape"),
    ],
)
def test_bad_input_gets_a_sentence(call, words):
    with pytest.raises(BadValue, match=words):
        call()


def test_predict_needs_a_fit():
    for unfitted in (Percentile(2), LinearEHS(2)):
        with pytest.raises(NotMeasured, match="fit"):
            unfitted.predict(values)
    with pytest.raises(NotMeasured, match="fit"):
        Nested(2, 2).predict(values, values)


def test_buckets_tie_the_hands_of_a_game_and_only_of_a_game_with_these_hands():
    strength, game = sl.hand_strength("preflop"), sl.PushFold(10)
    for buckets in (
        Percentile(6).fit(strength.ehs, strength.weight),
        FixedRanges(6).fit(strength.ehs, strength.weight),
        LinearEHS(6).fit(strength.ehs, strength.weight),
        Nested(3, 2).fit(strength.ehs2, strength.ehs, strength.weight),
        KMeans(6).fit(np.column_stack([strength.ehs, strength.ehs2]), strength.weight),
    ):
        tie = buckets.tie(game)
        sigma = sl.CFR(game, tie=tie).step(20).policy.sigma
        for bucket in range(buckets.n_buckets):
            alike = sigma[:, buckets.labels_ == bucket]
            assert np.array_equal(alike, np.repeat(alike[:, :1], alike.shape[1], axis=1))
        assert np.array_equal(buckets.tie().bucket[0], buckets.labels_)
        assert buckets.tie().shape == (0, 6)
    with pytest.raises(BadValue, match="169 hands but Kuhn poker has 3"):
        buckets.tie(sl.Kuhn())
    with pytest.raises(NotMeasured, match="call fit first"):
        Percentile(5).tie()
