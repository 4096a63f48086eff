"""Clusters, earth mover's distance and board textures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solverlab.abstraction import kmeans
from solverlab.abstraction.emd import cumulated, emd, emd_matrix
from solverlab.abstraction.kmeans import KMeans
from solverlab.abstraction.nearest import nearest_by_products
from solverlab.abstraction.strength import hand_strength
from solverlab.abstraction.textures import flop_textures, representative_flops, texture
from solverlab.core.errors import BadValue, NotMeasured, UnknownName

masses = st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any)


@given(masses, masses)
def test_the_closed_form_equals_the_transport_program(first, second):
    line = np.abs(np.arange(6)[:, None] - np.arange(6))
    assert emd(first, second) == pytest.approx(emd(first, second, line), abs=1e-9)


@given(masses, masses, masses)
def test_emd_is_a_distance(a, b, c):
    assert emd(a, a) == pytest.approx(0) and emd(a, b) == pytest.approx(emd(b, a))
    assert emd(a, c) <= emd(a, b) + emd(b, c) + 1e-9
    assert emd_matrix(np.array([a, b]), np.array([c]))[:, 0] == pytest.approx([emd(a, c), emd(b, c)])


def test_emd_of_the_published_pair():
    pair = [hand_strength("TcQd", "7h9hQh"), hand_strength("5c9d", "3d5d7d")]
    assert emd(pair[0].histogram(50), pair[1].histogram(50)) == pytest.approx(0.559, abs=5e-4)


def blobs(distance):
    rng = np.random.default_rng(0)
    if distance == "emd":
        peaks = rng.integers(0, 3, 600)
        points = rng.multinomial(40, np.eye(12)[4 * peaks] * 0.9 + 0.1 / 12)
        return points, peaks
    peaks = rng.integers(0, 3, 600)
    return peaks[:, None] + 0.05 * rng.standard_normal((600, 4)), peaks


@pytest.mark.parametrize("distance", ["euclidean", "emd"])
def test_clusters_find_what_is_apart(distance):
    points, truth = blobs(distance)
    fitted = KMeans(3, distance).fit(points)
    pairs = set(zip(truth.tolist(), fitted.labels_.tolist(), strict=True))
    assert len(pairs) == 3 and fitted.converged_
    assert np.array_equal(fitted.predict(points), fitted.labels_)


@pytest.mark.parametrize("distance", ["euclidean", "emd"])
def test_the_cost_never_rises(distance):
    rng = np.random.default_rng(1)
    points, weights = rng.integers(0, 9, (3000, 8)) + (rng.random((3000, 8)) < 0.1), rng.integers(0, 5, 3000)
    points[points.sum(axis=1) == 0, 0] = 1
    fitted = KMeans(12, distance, rng=3).fit(points, weights)
    path = fitted.inertia_path_
    assert len(path) > 3 and (np.diff(path) <= 1e-9 * path[0]).all() and fitted.inertia_ == path[-1]
    assert fitted.occupancy_.sum() == pytest.approx(1) and fitted.counts_.sum() == 3000


@pytest.mark.parametrize("distance", ["euclidean", "emd"])
def test_a_weight_is_a_number_of_copies(distance):
    rng = np.random.default_rng(2)
    points, weights = rng.integers(1, 9, (60, 5)), rng.integers(1, 5, 60)
    fitted = KMeans(4, distance, rng=0).fit(points, weights)
    copies = KMeans(4, distance, rng=0).fit(np.repeat(points, weights, axis=0))
    assert fitted.inertia_ == pytest.approx(copies.inertia_)
    assert np.array_equal(np.repeat(fitted.labels_, weights), copies.labels_)


def test_emd_inertia_is_the_sum_of_distances():
    points, _ = blobs("emd")
    fitted = KMeans(3, "emd").fit(points)
    apart = np.abs(cumulated(points) - fitted.centers_[fitted.labels_]).sum()
    assert fitted.inertia_ == pytest.approx(apart)


def test_the_same_seed_gives_the_same_clusters():
    points, _ = blobs("euclidean")
    assert np.array_equal(KMeans(7, rng=5).fit(points).labels_, KMeans(7, rng=5).fit(points).labels_)


def test_clusters_of_all_flop_hands(streets):
    flop = streets["flop"]
    fitted = KMeans(8, passes=10).fit(np.column_stack([flop.ehs, flop.ehs2]), flop.weight)
    assert (fitted.counts_ > 0).all() and (np.diff(fitted.inertia_path_) <= 0).all()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: KMeans(3, "manhattan"), UnknownName),
        (lambda: KMeans(0), BadValue),
        (lambda: KMeans(5).fit(np.eye(4)), BadValue),
        (lambda: KMeans(3).fit(np.ones((9, 2))), BadValue),
        (lambda: KMeans(2).fit(np.array([[0.0], [np.nan]])), BadValue),
        (lambda: KMeans(2).fit(np.eye(4), [1, 1, np.nan, 1]), BadValue),
        (lambda: KMeans(2).fit(np.eye(4), [1, 1]), BadValue),
        (lambda: KMeans(2, "emd").fit(np.zeros((4, 3))), BadValue),
        (lambda: KMeans(2).predict(np.eye(4)), NotMeasured),
        (lambda: KMeans(2).fit(np.eye(4)).predict(np.eye(3)), BadValue),
        (lambda: emd([1, 2], [1, 2, 3]), BadValue),
        (lambda: emd([0, 0], [1, 2]), BadValue),
        (lambda: emd([1, -1], [1, 2]), BadValue),
        (lambda: emd([1, 1], [1, 1], np.zeros((3, 3))), BadValue),
        (lambda: texture("Td9d"), BadValue),
        (lambda: representative_flops(1756), BadValue),
    ],
)
def test_bad_input_gets_a_sentence(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("Td9d6h", (2, 1, 3, 2, 8)),
        ("AhKh2h", (1, 1, 2, 3, 12)),
        ("Ac2d3h", (3, 1, 3, 1, 12)),
        ("KsKd2c", (3, 2, 1, 1, 11)),
        ("7s7d7c", (3, 3, 1, 1, 5)),
        ("2c3d4h5s", (4, 1, 4, 1, 3)),
    ],
)
def test_textures_by_hand(board, expected):
    assert tuple(texture(board)) == expected


def test_texture_questions():
    wet, dry = texture("Td9d6h"), texture("Ks7d2c")
    assert wet.flush_draw and wet.straight_draw and not wet.paired
    assert not dry.flush_draw and texture("KsKd2c").paired and "rainbow" in str(dry)


def test_textures_of_all_flops():
    """Of 22,100 flops 1,144 are monotone, 12,168 two-tone, 8,788 rainbow; 3,744 paired, 52 trips."""
    table = flop_textures()
    suits = np.bincount(table.texture[:, 0], table.weight).astype(int)
    alike = np.bincount(table.texture[:, 1], table.weight).astype(int)
    assert suits.tolist() == [0, 1144, 12168, 8788] and alike.tolist() == [0, 18304, 3744, 52]


@pytest.mark.parametrize("n", [1, 25, 200, 1755])
def test_representative_flops_stand_for_all(streets, n):
    chosen = representative_flops(n)
    assert chosen.tie().shape == (0, n) and np.array_equal(chosen.tie().bucket[0], chosen.labels)
    assert chosen.weight.sum() == 22_100 and len(chosen.names) == len(set(chosen.names)) == n
    assert chosen.labels.max() == n - 1 and (np.bincount(chosen.labels) > 0).all()
    if n == 1755:
        assert sorted(chosen.weight.tolist()) == sorted(flop_textures().weight.tolist())


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e-30, 1e30, 1e60])
def test_products_find_the_same_centres_as_the_loop_bit_for_bit(scale):
    """Equal centres, centres a rounding apart, and numbers whose products leave single precision included."""
    rng = np.random.default_rng(4)
    points = scale * np.sort(rng.integers(0, 20, (5000, 12)) / 19, axis=1)
    centers = points[rng.choice(len(points), 40, replace=False)].copy()
    centers[7], centers[9] = centers[3], centers[3] * (1 + 1e-12)
    found = []
    for way in (nearest_by_products, _nearest_by_loop):
        labels, cost = np.full(len(points), -1, np.int32), np.empty(len(points))
        changed = way(points, centers, labels, cost)
        found.append((changed, labels.tobytes(), cost.tobytes()))
    assert found[0] == found[1]


def _nearest_by_loop(points, centers, labels, cost):
    return kmeans._nearest(points, centers, False, labels, cost)


def test_distinct_rows_weigh_what_their_hands_weigh():
    rng = np.random.default_rng(5)
    points, weights = rng.integers(0, 3, (500, 2)) / 2.0, rng.random(500)
    rows, mass, row_of = kmeans.distinct_rows(points, weights)
    assert len(rows) == 9 and np.array_equal(rows[row_of], points)
    assert mass.sum() == pytest.approx(weights.sum())
    whole, less = KMeans(9, rng=1).fit(points, weights), KMeans(9, rng=1).fit(rows, mass)
    assert whole.inertia_ == pytest.approx(less.inertia_, abs=1e-12) == 0
