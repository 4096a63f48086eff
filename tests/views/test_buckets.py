"""Bucket views: the tables behind the pictures, counts against datashader, and pictures that hold glyphs."""

from __future__ import annotations

from types import SimpleNamespace

import datashader as ds
import numpy as np
import pandas as pd
import pytest

from solverlab.abstraction.buckets import Percentile
from solverlab.abstraction.strength import hand_strength
from solverlab.core.errors import BadValue
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.bucket_price import price_curves
from solverlab.views.bucket_raster import Cloud, cloud_of, envelopes, pixel_sums, raster, samples
from solverlab.views.bucket_svg import cloud_svg
from solverlab.views.bucket_tables import agreement, bucket_frame, flow, histogram_frame, transition_frame
from solverlab.views.buckets import (
    bucket_scatter,
    confusion,
    occupancy,
    strength_histogram,
    transitions,
    widths,
)

FIVE = [str(number) for number in range(1, 6)]


@pytest.fixture(scope="module")
def flop():
    return hand_strength("flop")


@pytest.fixture(scope="module")
def fifths(flop):
    return Percentile(5).fit(flop.ehs2, flop.weight)


@pytest.fixture(scope="module")
def cloud(flop, fifths) -> Cloud:
    return cloud_of(flop, fifths.labels_)


@pytest.mark.parametrize(
    "box", [((-0.02, 1.02), (-0.02, 1.02)), ((0.4, 0.6), (0.2, 0.4)), ((0.5, 0.51), (0.3, 0.31))]
)
def test_every_pixel_counts_what_datashader_counts(cloud, box):
    table = pd.DataFrame({"x": cloud.x, "y": cloud.y})
    theirs = ds.Canvas(300, 200, *box).points(table, "x", "y", ds.count()).to_numpy()
    ours = pixel_sums(cloud, np.ones((5, 4), np.float32), *box, (300, 200))[:, :, 3]
    assert theirs.sum() > 0
    np.testing.assert_array_equal(ours, theirs)


def test_the_whole_flop_is_in_the_picture(cloud):
    sums = pixel_sums(cloud, np.ones((5, 4), np.float32), (-0.02, 1.02), (-0.02, 1.02), (700, 520))
    assert int(sums[:, :, 3].sum(dtype=np.float64)) == 1_286_792


def test_a_pixel_shows_its_bucket_and_nothing_else_is_painted():
    one = Cloud(
        np.array([0.5], np.float32), np.array([0.3], np.float32), np.array([7]), np.array([1], np.uint16)
    )
    picture = raster(one, ["#000000", "#D55E00"], (0.0, 1.0), (0.0, 1.0), (10, 10))
    red, green, blue, opacity = (int(picture[3, 5] >> shift) & 255 for shift in (0, 8, 16, 24))
    assert (red, green, blue) == (0xD5, 0x5E, 0x00) and opacity > 0
    assert picture[9, 0] == 0 and np.count_nonzero(picture) == 5  # the dot and its four neighbours


def test_hands_in_a_box_are_exactly_those(flop, cloud):
    inside = cloud.inside((0.5, 0.52), (0.30, 0.32))
    x, y = flop.ehs.astype(np.float32), flop.ehs2.astype(np.float32)
    wanted = np.flatnonzero((x >= np.float32(0.5)) & (x < np.float32(0.52)) & (y >= 0.30) & (y <= 0.32))
    assert sorted(inside.index.tolist()) == wanted.tolist() and len(wanted) > 1000


def test_samples_stand_for_all_hands_of_their_cell(cloud):
    some, count = samples(cloud, (0.4, 0.6), (0.2, 0.4), (40, 30))
    assert count.sum() == cloud.inside((0.4, 0.6), (0.2, 0.4)).size
    assert len(np.unique(some.index)) == len(count) <= 40 * 30


def test_the_nearest_hand_is_the_one_at_that_place(flop, cloud):
    index = flop.find("AhKh", "Td9d6h")
    near = cloud.nearest(flop.ehs[index], flop.ehs2[index], 1e-4, 1e-4)
    assert (flop.ehs[near], flop.ehs2[near]) == pytest.approx((flop.ehs[index], flop.ehs2[index]), abs=1e-6)
    assert cloud.nearest(0.1, 0.9, 1.0, 1.0) is None


def test_all_hands_lie_between_the_envelopes(flop):
    x, low, high = envelopes(11)
    assert (low <= high).all() and x[0] == 0 and x[-1] == 1
    assert (flop.ehs**2 <= flop.ehs2 + 1e-12).all() and (flop.ehs2 <= flop.ehs + 1e-12).all()


def test_the_bucket_table_counts_hands_and_deals(flop, fifths):
    table = bucket_frame(flop, fifths.labels_, FIVE)
    assert table["hands"].sum() == 1_286_792 and table["deals"].sum() == 25_989_600
    np.testing.assert_allclose(table["share"], 0.2, atol=1e-4)
    assert (table["high_ehs2"].to_numpy()[:-1] < table["low_ehs2"].to_numpy()[1:]).all()


def test_an_empty_bucket_has_no_range(flop):
    table = bucket_frame(flop, np.zeros(len(flop), int), ["1", "2"])
    assert table["deals"].tolist() == [25_989_600, 0] and np.isnan(table["low_ehs"][1])


def test_labels_of_another_street_are_refused(flop):
    with pytest.raises(BadValue, match="169 labels for 1,286,792 hands"):
        bucket_frame(flop, np.zeros(169, int), FIVE)
    with pytest.raises(BadValue, match="fit the buckets on this street"):
        bucket_scatter(flop, SimpleNamespace(labels_=np.zeros(169, int)))


def test_transitions_sum_to_one_and_favour_staying(flop, fifths):
    early = Percentile(5).fit(hand_strength("preflop").ehs2, hand_strength("preflop").weight).labels_
    counts = flow(early[flop.hole_class], fifths.labels_, flop.weight, (5, 5))
    table = transition_frame(counts, FIVE, FIVE)
    np.testing.assert_allclose(table.groupby("from")["chance"].sum(), 1)
    chance = counts / counts.sum(axis=1, keepdims=True)
    assert chance[0, 4] < chance[4, 4]  # from 1 to 5 is rarer than from 5 to 5


def test_an_abstraction_agrees_with_itself_only(flop, fifths):
    other = Percentile(5).fit(flop.ehs, flop.weight)
    same = flow(fifths.labels_, fifths.labels_, flop.weight, (5, 5))
    cross = flow(fifths.labels_, other.labels_, flop.weight, (5, 5))
    assert agreement(same) == pytest.approx(1)
    assert 0.3 < agreement(cross) < 0.9


def test_a_histogram_is_the_hands_own(flop):
    hand = hand_strength("AhKh", "Td9d6h")
    table = histogram_frame(hand, 20)
    assert table["chance"].sum() == pytest.approx(1)
    middle = (table["low"] + table["high"]) / 2
    assert (middle * table["chance"]).sum() == pytest.approx(hand.ehs, abs=0.025)


@pytest.mark.parametrize(("count", "inner"), [(5, 1), (6, 1), (8, 1), (10, 1), (10, 2), (12, 2), (50, 1)])
def test_no_two_buckets_share_a_colour(count, inner):
    colours = bucket_colours(count, inner)
    assert len(set(colours)) == count and all(len(colour) == 7 for colour in colours)


def test_pictures_hold_glyphs(flop, fifths):
    import holoviews as hv

    table = bucket_frame(flop, fifths.labels_, FIVE)
    counts = flow(fifths.labels_, fifths.labels_, flop.weight, (5, 5))
    prices = pd.DataFrame(
        {"series": ["a", "a", "b"], "buckets": [1, 2, 2], "infosets": [3, 6, 9], "price": [2.0, 1.0, 0.5]}
    )
    pictures = [
        bucket_scatter(flop, fifths, size=(200, 150)),
        occupancy(table, bucket_colours(5)),
        widths(table, bucket_colours(5)),
        transitions(counts, FIVE, FIVE),
        confusion(counts, FIVE, FIVE),
        strength_histogram(hand_strength("AhKh", "Td9d6h")),
        price_curves(prices),
    ]
    for picture in pictures:
        figure = hv.render(picture, backend="bokeh")
        assert figure.renderers and all(
            len(r.data_source.data) for r in figure.renderers if hasattr(r, "data_source")
        )


def test_the_svg_stands_alone(cloud):
    text = cloud_svg(cloud, bucket_colours(5), FIVE, "flop & friends")
    assert text.startswith("<svg") and text.endswith("</svg>") and "flop &amp; friends" in text
    assert "data:image/png;base64," in text and text.count("http") == 1  # the name of the format only
