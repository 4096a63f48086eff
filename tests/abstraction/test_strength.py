"""Strength is exact: integers equal to brute force, published equities, and the laws of E[HS] and E[HS^2]."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solverlab.abstraction import strength
from solverlab.abstraction.potential import gain_rows
from solverlab.abstraction.strength import HandStrength, StreetStrength, hand_strength
from solverlab.cards.board_rows import flatten
from solverlab.cards.cards import cards_text
from solverlab.cards.indexing import canonical_index, hand_table
from solverlab.cards.street_strength import FULL, RUNOUTS
from solverlab.cards.table_cache import Shape, TableCache
from solverlab.core.errors import BadValue, NotMeasured
from solverlab.naive import strength as naive_strength


@pytest.mark.parametrize(
    ("hand", "ehs"),
    [("AhAs", 0.852037), ("7h2s", 0.345836), ("3h2s", 0.323032), ("AhKh", 0.670446), ("2c2d", 0.503340)],
)
def test_preflop_equities_are_the_known_ones(streets, hand, ehs):
    preflop = streets["preflop"]
    assert preflop.ehs[preflop.find(hand)] == pytest.approx(ehs, abs=5e-7)


def test_preflop_squares_are_the_known_ones(streets):
    preflop = streets["preflop"]
    assert preflop.ehs2[preflop.find("AhAs")] == pytest.approx(0.737211, abs=5e-7)
    assert preflop.ehs2[preflop.find("7h2s")] == pytest.approx(0.207292, abs=5e-7)


@pytest.mark.parametrize(("street", "n"), [("flop", 300), ("turn", 400), ("river", 300)])
def test_a_thousand_random_hands_equal_brute_force_to_the_last_integer(streets, street, n):
    found = streets[street]
    index = np.random.default_rng(2).integers(0, len(found), n)
    holes, boards = found.cards(index)
    wanted = zip(found.sums[index].tolist(), found.squares[index].tolist(), strict=True)
    for hole, board, sums in zip(holes, boards, wanted, strict=True):
        assert naive_strength.sums(hole, board) == sums


def test_preflop_is_the_mean_of_the_flop(streets):
    """Sum over all flop hands of a preflop class, weighted by deals, in exact integers."""
    flop, preflop = streets["flop"], streets["preflop"]
    for name in ("sums", "squares"):
        total = np.zeros(169, np.int64)
        np.add.at(total, flop.hole_class, flop.weight.astype(np.int64) * getattr(flop, name))
        # Each of the 2,118,760 boards of a combo contains ten flops.
        assert np.array_equal(total, 10 * preflop.weight.astype(np.int64) * getattr(preflop, name))


@pytest.mark.parametrize("street", ["preflop", "flop", "turn"])
def test_squared_mean_below_mean_square_below_mean(streets, street):
    """E[HS]^2 <= E[HS^2] <= E[HS] for every hand, in exact integers; on the river both hold as HS <= 1."""
    found = streets[street]
    exact = object if street == "preflop" else np.int64
    sums, squares = found.sums.astype(exact), found.squares.astype(exact)
    assert (sums * sums <= squares * found.runouts).all()
    assert (squares <= 1980 * sums).all()
    assert 0 <= found.ehs.min() and found.ehs.max() <= 1


def test_river_strengths(streets):
    river = streets["river"]
    for i in np.random.default_rng(3).integers(0, len(river), 25):
        one = hand_strength(*river.hand(i))
        assert (one.hs, one.ehs) == (river.sums[i] / 1980, river.sums[i] / 1980) and one.variance == 0
    assert river.sums.max() == 1980 and np.array_equal(river.ehs2[: 10**6], river.ehs[: 10**6] ** 2)
    assert len(np.unique(river.sums[::7])) <= 1950


@pytest.mark.parametrize("street", ["preflop", "flop", "turn", "river"])
def test_the_mean_over_all_deals_is_one_half(streets, street):
    """Against a random hand a random hand wins half: twice the sum of weight x points is all there is."""
    found, total = streets[street], 0
    for begin in range(0, len(found), 1 << 20):
        part = slice(begin, begin + (1 << 20))
        total += int(found.weight[part].astype(np.int64) @ found.sums[part].astype(np.int64))
    assert 2 * total == 1980 * found.runouts * int(found.weight.sum(dtype=np.int64))


@given(st.lists(st.integers(0, 51), unique=True, min_size=6, max_size=6), st.permutations(range(4)))
def test_renaming_suits_changes_nothing(deal, suits):
    renamed = [4 * (card // 4) + suits[card % 4] for card in deal]
    one, two = hand_strength(deal[:2], deal[2:]), hand_strength(renamed[:2], renamed[2:])
    assert (one.hs, one.ehs, one.ehs2) == (two.hs, two.ehs, two.ehs2)
    assert np.array_equal(one.histogram(7), two.histogram(7))


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_one_hand_and_its_street_agree(streets, street):
    found = streets[street]
    for i in np.random.default_rng(3).integers(0, len(found), 25):
        one = hand_strength(*found.hand(i))
        assert isinstance(one, HandStrength) and found.find(*found.hand(i)) == i
        assert one.ehs == pytest.approx(found.ehs[i], abs=1e-7)
        assert one.ehs2 == pytest.approx(found.ehs2[i], abs=1e-7)
        assert one.hs == pytest.approx(found.current[i], abs=1e-7)
        assert one.variance == pytest.approx(found.variance[i], abs=1e-6)


def test_one_preflop_hand_has_a_whole_distribution(streets):
    one, preflop = hand_strength("KcQc"), streets["preflop"]
    assert one.counts.sum() == 2_118_760
    assert one.ehs == preflop.ehs[preflop.find("KcQc")] and one.ehs2 == preflop.ehs2[preflop.find("KcQc")]
    assert np.dot(one.values, one.probabilities) == pytest.approx(one.ehs)
    with pytest.raises(NotMeasured, match="before the flop"):
        _ = one.hs


def test_the_documents_worked_example():
    """Equal E[HS] of 0.5, but E[HS^2] is 0.26 and 0.34: the hand that may become strong has more."""
    half = RUNOUTS["turn"] // 2  # of the 46 cards that may still come

    def ends(*tenths: int) -> HandStrength:
        return HandStrength(
            "AhKh", "Qh7h2c3d", "turn", FULL // 10 * np.array(tenths), np.array([half, half]), None
        )

    a, b = ends(4, 6), ends(2, 8)
    assert a.ehs == b.ehs == 0.5
    assert (a.ehs2, b.ehs2) == (0.26, 0.34)
    assert (a.variance, b.variance) == (0.01, 0.09)


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_potential_of_a_street_equals_one_hand(street, monkeypatch, tmp_path):
    """The sweep over six boards, put where the whole table would be, against hands rolled out one by one."""
    table, rng = hand_table(street), np.random.default_rng(4)
    chosen = rng.choice(len(table.pattern), 6, replace=False)
    rows = np.zeros((len(table.pattern), 1326), np.uint32)
    rows[chosen] = gain_rows(table.boards.boards[chosen])
    shapes = {"gained": Shape((int(table.offset[-1]),), "<u4")}
    kept = TableCache("sample", 1, shapes, lambda step: iter([("gained", flatten(rows, street))]), tmp_path)
    monkeypatch.setattr(strength, "potential_tables", lambda street, folder: kept)
    found = hand_strength(street)
    for board in chosen:
        for i in rng.integers(table.offset[board], table.offset[board + 1], 8):
            one = hand_strength(*found.hand(i))
            assert one.positive_potential == pytest.approx(found.positive_potential[i])
            assert one.negative_potential == pytest.approx(found.negative_potential[i])
    assert found.features().shape == (len(found), 4)


def test_potential_by_hand():
    """The nut straight flush cannot be caught; a drawing hand on the turn gains only by its outs."""
    nuts = hand_strength("AhKh", "QhJhTh2c")
    assert (nuts.hs, nuts.ehs, nuts.negative_potential) == (1.0, 1.0, 0.0)
    draw = hand_strength("AhKh", "Qh7h2c3d")
    assert 0.2 < draw.positive_potential < 0.5
    assert draw.ehs == pytest.approx(
        draw.hs + (1 - draw.hs) * draw.positive_potential - draw.hs * draw.negative_potential
    )


@pytest.mark.parametrize("bins", [1, 10, 50, 1980])
def test_histograms_of_one_hand(bins):
    one = hand_strength("AhKh", "Td9d6h")
    histogram = one.histogram(bins)
    assert len(histogram) == bins and histogram.sum() == pytest.approx(1)
    below = sum(count for point, count in zip(one.points, one.counts, strict=True) if point * bins < 1980)
    assert histogram[0] == pytest.approx((below if bins > 1 else 1081) / 1081)


def test_histograms_of_the_turn(streets):
    histograms = streets["turn"].histograms(10)
    assert histograms.shape == (13_960_050, 10)
    assert np.array_equal(np.unique(histograms.sum(axis=1, dtype=np.int64)), [46])
    for i in np.random.default_rng(5).integers(0, len(histograms), 40):
        one = hand_strength(*streets["turn"].hand(i))
        assert np.array_equal(np.rint(46 * one.histogram(10)), histograms[i])


def test_published_earth_mover_distance():
    """TcQd on 7h9hQh and 5c9d on 3d5d7d are 0.559 apart in 50 bins (Ganzfried and Sandholm, AAAI 2014)."""
    first, second = (
        hand_strength("TcQd", "7h9hQh").histogram(50),
        hand_strength("5c9d", "3d5d7d").histogram(50),
    )
    assert np.abs(np.cumsum(first - second)).sum() == pytest.approx(0.559, abs=5e-4)


def test_hands_are_named_and_found(streets):
    flop = streets["flop"]
    i = flop.find("AhKh", "Td9d6h")
    assert i == canonical_index("AhKh", "Td9d6h") and str(flop.hand(i)) == "AdKd Tc9c6d"
    hole, board = flop.cards(np.array([i]))
    assert cards_text(sorted(board[0], reverse=True)) == "Tc9c6d"
    assert len(flop) == len(flop.ehs) == 1_286_792 and flop.hole_class.max() == 168


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: hand_strength("flopp"),
        lambda s: hand_strength("AhAh"),
        lambda s: hand_strength("AhKd", "Td9d6h2c3c4c"),
        lambda s: hand_strength("AhKd", "Td9d"),
        lambda s: hand_strength("AhKd", "AhTd9d"),
        lambda s: s["flop"].find("AhKd", "Td9d6h2c"),
        lambda s: s["flop"].hand(1_286_792),
        lambda s: s["river"].histograms(10),
        lambda s: s["flop"].histograms(0),
        lambda s: hand_strength("AhKd", "Td9d6h").histogram(0),
        lambda s: s["preflop"].current,
        lambda s: s["river"].positive_potential,
    ],
)
def test_impossible_questions_are_refused(streets, ask):
    with pytest.raises((BadValue, NotMeasured)):
        ask(streets)


def test_streets_are_typed(streets):
    assert all(isinstance(street, StreetStrength) for street in streets.values())
