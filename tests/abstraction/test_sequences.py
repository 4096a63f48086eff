"""Bucket sequences: counts, equal shares with history, exact labels on demand."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.abstraction.buckets import Nested, Percentile
from solverlab.abstraction.sequence_walk import river_cuts
from solverlab.abstraction.sequences import BucketSequences
from solverlab.cards.cards import cards_text
from solverlab.core.errors import BadValue, NotMeasured, UnknownName


@pytest.fixture(scope="module")
def history(streets) -> BucketSequences:
    return BucketSequences(5).fit()


@pytest.fixture(scope="module")
def plain(streets) -> BucketSequences:
    return BucketSequences(5, history=False).fit("turn")


@pytest.mark.parametrize(
    ("scheme", "count"), [(5, 625), (6, 1296), (8, 4096), (10, 10_000), ("5x2", 10_000), ("6x2", 20_736)]
)
def test_sequences_grow_as_the_fourth_power(scheme, count):
    assert BucketSequences(scheme).n_sequences() == count


def test_history_adds_no_states(history, plain):
    """Perfect recall: both have a row for every sequence of every street, and the same number of them."""
    for street, count in (("preflop", 5), ("flop", 25), ("turn", 125)):
        assert len(history.table(street)["sequence"]) == len(plain.table(street)["sequence"]) == count
    assert len(history.table("river")["sequence"]) == plain.n_sequences("river") == 625


def test_all_deals_are_counted(history, plain):
    totals = {"preflop": 1326, "flop": 25_989_600, "turn": 4 * 305_377_800, "river": 20 * 2_809_475_760}
    assert {street: int(weight.sum()) for street, weight in history.weight_.items()} == totals
    assert all(int(weight.sum()) == totals[street] for street, weight in plain.weight_.items())


def test_prefixes_add_up(history, plain):
    """The deals of 2:4 are those of 2:4:1 to 2:4:5, each seen with every next card."""
    steps = (("preflop", "flop", 19_600), ("flop", "turn", 47), ("turn", "river", 46))
    for fitted, known in ((history, steps), (plain, steps[:2])):
        for street, after, cards in known:
            parts = fitted.weight_[after].reshape(-1, 5).sum(axis=1)
            assert np.array_equal(parts, cards * fitted.weight_[street])


def test_history_buckets_hold_hands_that_are_more_alike(history, plain):
    """Boundaries are a fifth wide by construction; what lies between them narrows, street by street."""
    for fitted in (history, plain):
        table = fitted.table("turn")
        assert np.mean(table["ehs2 to"] - table["ehs2 from"]) == pytest.approx(0.2)
        held = table["weight"] > 0
        assert (table["ehs2 lowest"] >= table["ehs2 from"])[held].all()
        assert (table["ehs2 highest"] <= table["ehs2 to"])[held].all()
        assert np.isnan(table["ehs2 lowest"][~held]).all()
    assert history.mean_width("flop") < plain.mean_width("flop")
    assert history.mean_width("turn") < plain.mean_width("turn")


def test_occupied_ranges_are_those_of_the_hands(history, streets):
    """Every flop hand one by one, against the range its sequence reports."""
    labels, values = history.labels("flop"), sl.hand_strength("flop").ehs2
    lowest, highest = np.full(25, np.inf), np.full(25, -np.inf)
    np.minimum.at(lowest, labels, values)
    np.maximum.at(highest, labels, values)
    assert np.array_equal(history.occupied("flop"), np.column_stack([lowest, highest]))


def test_history_fills_buckets_evenly_and_no_history_does_not(history, plain):
    for street, slack in (("flop", 0.02), ("turn", 0.02), ("river", 0.25)):
        share = history.weight_[street] / history.weight_[street].mean()
        assert np.abs(share - 1).max() < slack
    for street in ("flop", "turn"):
        share = plain.weight_[street] / plain.weight_[street].mean()
        assert share.min() < 0.02 and share.max() > 2


def test_river_boundaries_without_history_hold_on_every_prefix():
    """Weights of two prefixes: one set of cuts for both, and all weight is kept when it is split."""
    count = np.zeros((2, 1981), np.int64)
    count[0, [100, 200, 300]], count[1, [300, 400]] = 10, 15
    assert river_cuts(count, 2).tolist() == [[200], [400]]
    assert river_cuts(count.sum(axis=0)[None], 2).tolist() == [[300]]


def test_flop_buckets_of_each_preflop_bucket_are_its_percentiles(streets, history, plain):
    preflop, flop = streets["preflop"], streets["flop"]
    start = Percentile(5).fit(preflop.ehs2, preflop.weight).labels_[flop.hole_class]
    labels = history.labels("flop")
    for bucket in range(5):
        here = start == bucket
        alone = Percentile(5).fit(flop.ehs2[here], flop.weight[here])
        assert np.array_equal(labels[here], 5 * bucket + alone.labels_)
        assert history.edges("flop")[bucket, 1:-1] == pytest.approx(alone.edges_[1:-1])
    everywhere = Percentile(5).fit(flop.ehs2, flop.weight)
    assert np.array_equal(plain.labels("flop"), 5 * start + everywhere.labels_)


def test_turn_boundaries_without_history_are_the_turns_percentiles(streets, plain):
    turn = streets["turn"]
    alone = Percentile(5).fit(turn.ehs2, turn.weight)
    assert np.allclose(plain.edges("turn")[:, 1:-1], alone.edges_[1:-1])


def test_history_boundaries_rise_within_every_prefix(history):
    for street in ("preflop", "flop", "turn", "river"):
        assert (np.diff(history.edges(street), axis=1) >= 0).all()
    # A weak start needs less to be in its best fifth than a strong one.
    best = history.edges("flop")[:, 4]
    assert best[0] < best[4] and history.edges("flop")[4, 1] > history.edges("flop")[0, 1]


def test_the_label_of_a_deal_agrees_with_brute_force_shares(history, streets):
    """Random deals fall into sequences as often as the counted weights say (5 standard errors)."""
    rng = np.random.default_rng(0)
    seen = np.zeros(25)
    for _ in range(1500):
        deal = rng.permutation(52)[:7].tolist()
        buckets = history.buckets(deal[:2], deal[2:])
        assert len(buckets) == 4 and all(0 <= bucket < 5 for bucket in buckets)
        seen[5 * buckets[2] + buckets[3]] += 1
    share = history.weight_["river"].reshape(25, 25).sum(axis=0) / history.weight_["river"].sum()
    assert (np.abs(seen - 1500 * share) < 5 * np.sqrt(1500 * share)).all()


def test_labels_and_single_deals_agree(streets, history):
    flop, labels = streets["flop"], history.labels("flop")
    for i in np.random.default_rng(1).integers(0, len(flop), 30):
        first, second = history.buckets(*flop.hand(i))
        assert labels[i] == 5 * first + second


def test_the_order_of_the_board_matters_and_suits_do_not(history):
    board, other = "AhTd9d6h2c", "2cTd9d6hAh"
    assert history.sequence("AdKd", board)[:1] == history.sequence("AdKd", other)[:1]
    assert history.sequence("AdKd", board) != history.sequence("AdKd", other)
    assert history.sequence("AdKd", board) == history.sequence("AsKs", "AhTs9s6h2c")
    assert history.sequence("AhAs") == "5" and history.sequence("7h2c") == "1"


def test_the_table_names_ranges_and_transitions(history):
    table = history.table("flop")
    assert table["sequence"][:6].tolist() == ["1:1", "1:2", "1:3", "1:4", "1:5", "2:1"]
    assert table["transition"].reshape(5, 5).sum(axis=1) == pytest.approx(1)
    assert table["share"].sum() == pytest.approx(1)
    assert table["ehs2 from"][0] == 0 and table["ehs2 to"][4] == 1
    assert list(history.frame("flop").columns) == list(table)


def test_nested_streets(streets):
    preflop, flop = streets["preflop"], streets["flop"]
    fitted = BucketSequences("5x2", history=False).fit("flop")
    start = Nested(5, 2).fit(preflop.ehs2, preflop.ehs, preflop.weight).labels_
    alone = Nested(5, 2).fit(flop.ehs2, flop.ehs, flop.weight).labels_
    assert np.array_equal(fitted.labels("flop"), 10 * start[flop.hole_class].astype(int) + alone)
    assert {"ehs2 from", "ehs to"} < set(fitted.table("flop")) and len(fitted.table("flop")["weight"]) == 100
    with_history = BucketSequences("5x2").fit("turn")
    share = with_history.weight_["turn"] / with_history.weight_["turn"].mean()
    assert share.min() > 0.9 and share.max() < 1.1


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: BucketSequences("five"), BadValue),
        (lambda: BucketSequences("5x"), BadValue),
        (lambda: BucketSequences(0), BadValue),
        (lambda: BucketSequences(5, metric="luck"), UnknownName),
        (lambda: BucketSequences(30).fit("preflop"), BadValue),
        (lambda: BucketSequences(5).table("flop"), NotMeasured),
        (lambda: BucketSequences(5).sequence("AhKh"), NotMeasured),
        (lambda: BucketSequences(5).fit("preflop").labels("turn"), BadValue),
        (lambda: BucketSequences(5).n_sequences("showdown"), BadValue),
    ],
)
def test_bad_input_gets_a_sentence(streets, call, error):
    with pytest.raises(error):
        call()


def test_names():
    assert BucketSequences(5).name(624, "river") == "5:5:5:5" and cards_text([50, 46]) == "AhKh"


def test_sequences_tie_hands_with_one_past(streets):
    fitted = BucketSequences(5).fit("flop")
    assert fitted.tie("flop").shape == (0, 25)
    assert np.array_equal(fitted.tie("flop").bucket[0], fitted.labels("flop"))
    game = sl.PushFold(10)
    sigma = sl.CFR(game, tie=fitted.tie("preflop", game)).step(20).policy.sigma
    assert 1 < len(np.unique(sigma[:3], axis=1).T) <= 5
