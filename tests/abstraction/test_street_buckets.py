"""The hands of a street in buckets, by every scheme; one hand on its way through them; the river."""

from __future__ import annotations

import numpy as np
import pytest

from solverlab.abstraction.choice import BucketChoice, read_edges
from solverlab.abstraction.hand_path import path_of
from solverlab.abstraction.river_buckets import river_buckets
from solverlab.abstraction.street_buckets import preflop_to_flop, street_buckets
from solverlab.cards.street_strength import FULL
from solverlab.core.errors import BadValue, SolverlabError

pytestmark = pytest.mark.usefixtures("streets")


def test_a_way_through_all_streets_is_that_of_the_sequences():
    choice = BucketChoice(count=3, history=True)
    path = path_of(choice, "AhKh", "Td9d6h")
    made = street_buckets(choice)
    index = made.strength.find("AhKh", "Td9d6h")
    assert path.sequence == made.sequence(index)
    for stop in path.stops:
        assert stop.low <= stop.hand.ehs2 <= stop.high


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (BucketChoice(count=500), "500 buckets"),
        (BucketChoice(scheme="own", edges="0.5 0.2"), "rising numbers"),
        (BucketChoice(scheme="own", edges="a b"), "no list of boundaries"),
        (BucketChoice(scheme="kmeans", street="turn"), "clusters of the turn"),
        (BucketChoice(prefix="9"), "no sequence"),
        (BucketChoice(prefix="1:2"), "does not lead to the flop"),
    ],
)
def test_a_wrong_choice_is_refused_with_a_sentence(choice, words):
    with pytest.raises(SolverlabError, match=words):
        street_buckets(choice)


def test_edges_are_read_as_people_write_them():
    assert read_edges("0, .5 1") == [0.0, 0.5, 1.0]
    with pytest.raises(BadValue, match="rising numbers"):
        read_edges("0 1")


def test_the_hands_of_a_sequence_are_cut_by_its_own_boundaries():
    made = street_buckets(BucketChoice(history=True, prefix="2"))
    share = np.bincount(made.code[made.keep], made.weight[made.keep], 5) / made.weight[made.keep].sum()
    assert made.keep.sum() == 258_360
    np.testing.assert_allclose(share, 0.2, atol=1e-4)


def test_clusters_are_numbered_from_weak_to_strong():
    made = street_buckets(BucketChoice("preflop", scheme="kmeans", count=6))
    means = [
        np.average(made.strength.ehs2[made.code == k], weights=made.weight[made.code == k]) for k in range(6)
    ]
    assert means == sorted(means)


def test_every_deal_flows_from_a_preflop_bucket_to_a_flop_bucket():
    counts = preflop_to_flop(BucketChoice())
    np.testing.assert_allclose(counts.sum(axis=1) / counts.sum(), 0.2, atol=0.01)
    assert counts.sum() == street_buckets(BucketChoice()).weight.sum()


@pytest.mark.parametrize(
    "choice", [BucketChoice("river"), BucketChoice("river", scheme="ranges", metric="ehs")]
)
def test_buckets_of_the_river_are_ranges_of_strength(choice):
    made = river_buckets(choice)
    low, high = made.ranges
    assert made.deals.sum() == made.weight.sum() == 2_809_475_760 and (np.diff(made.code) >= 0).all()
    for bucket in range(5):
        met = np.flatnonzero((made.code == bucket) & (made.deals > 0)) / FULL
        assert (low[bucket], high[bucket]) == (met.min(), met.max())
