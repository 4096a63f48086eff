"""The all-in tables against every board dealt one by one."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from numba import njit

from solverlab.cards import all_in
from solverlab.cards.all_in import BOARDS, AllIn, all_in_matrix, write_all_in
from solverlab.cards.all_in_sweep import all_in_of, build_all_in
from solverlab.cards.all_in_three import three_way
from solverlab.cards.cards import COMBOS
from solverlab.cards.evaluate_high import evaluate, rank7
from solverlab.cards.hand_classes import CLASS_NAMES, CLASS_SIZE, HAND_CLASS, class_number
from solverlab.cards.isomorphism import board_table
from solverlab.cards.table_cache import BuildCancelled, Step
from solverlab.core.errors import DamagedRun
from solverlab.naive.suits import canonical_form


@njit
def deal_every_board(hands, points):
    """Points [n] by how many of the hands [n, 2] share the pot, over all boards; returns the boards."""
    free = [card for card in range(52) if not (hands == card).any()]
    n, boards = len(free), 0
    ranks = np.zeros(len(hands), np.int64)
    for e in range(n):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        for h in range(len(hands)):
                            ranks[h] = rank7(
                                hands[h, 0], hands[h, 1], free[a], free[b], free[c], free[d], free[e]
                            )
                        best = ranks.max()
                        winners = (ranks == best).sum()
                        for h in range(len(hands)):
                            points[h, winners - 1] += ranks[h] == best
                        boards += 1
    return boards


def different_deals(*names):
    """Deals of the classes that differ in more than the names of suits, and how many each stands for."""
    held = [COMBOS[HAND_CLASS == class_number(name)].astype(np.int64) for name in names]
    deals = [deal for deal in product(*held) if len(set(np.ravel(deal).tolist())) == 2 * len(names)]
    forms = [canonical_form([hand.tolist() for hand in deal]) for deal in deals]
    example = dict(zip(forms, deals, strict=True))
    return [(np.array(example[form]), times) for form, times in Counter(forms).items()]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("AA", "KK"), ("AA", "AA"), ("AKs", "AKo"), ("72o", "32o"), ("JTs", "22"), ("A5s", "A5s")],
)
def test_a_pair_of_hands_equals_every_board_dealt(mine, theirs):
    matrix, wins, ties, pairs = all_in_matrix(), 0, 0, 0
    for hands, times in different_deals(mine, theirs):
        points = np.zeros((2, 2), np.int64)
        assert deal_every_board(hands, points) == BOARDS
        wins, ties, pairs = wins + times * points[0, 0], ties + times * points[0, 1], pairs + times
    at = class_number(mine), class_number(theirs)
    assert (matrix.win[at], matrix.tie[at], matrix.pairs[at]) == (wins, ties, pairs)


def test_somebody_wins_every_deal():
    matrix = all_in_matrix()
    assert np.array_equal(matrix.win + matrix.win.T + matrix.tie, matrix.weight)
    assert np.array_equal(matrix.tie, matrix.tie.T)
    assert matrix.win.dtype == matrix.tie.dtype == matrix.weight.dtype == np.int64


def test_pairs_leave_out_shared_cards():
    pairs = all_in_matrix().pairs
    assert np.array_equal(pairs.sum(axis=1), CLASS_SIZE * comb(50, 2))
    aces, suited = class_number("AA"), class_number("AKs")
    assert (pairs[aces, aces], pairs[aces, suited], pairs[suited, suited]) == (6, 12, 12)


@pytest.mark.parametrize(
    ("hand", "strength"),
    [("AA", 0.852037), ("AKs", 0.670446), ("22", 0.503340), ("72o", 0.345836), ("32o", 0.323032)],
)
def test_the_mean_of_a_row_is_the_known_strength(hand, strength):
    matrix, row = all_in_matrix(), class_number(hand)
    mean = (2 * matrix.win[row] + matrix.tie[row]).sum() / (2 * matrix.weight[row].sum())
    assert mean == pytest.approx(strength, abs=5e-7)


def counted(boards, weights):
    """Wins, ties and deals by class: every combo beside every other on every one of some boards."""
    table = AllIn(*(np.zeros((169, 169), np.int64) for _ in AllIn._fields))
    for board, weight in zip(boards, weights, strict=True):
        free = ~np.isin(COMBOS, board).any(axis=1)
        held, classes = COMBOS[free], HAND_CLASS[free]
        rank = evaluate(np.hstack([held, np.broadcast_to(board, (len(held), 5))]))
        apart = (held[:, None, :, None] != held[None, :, None, :]).all(axis=(2, 3))
        level = rank[:, None] == rank
        for total, counts in zip(table, (rank[:, None] > rank, level, level | True), strict=True):
            np.add.at(total, (classes[:, None], classes[None]), weight * (counts & apart))
    return table


def test_the_builder_counts_every_deal_on_a_board():
    """A dozen boards from all over; all of them together are the proof `all-in`."""
    table = board_table(5)
    some = np.linspace(0, len(table.boards) - 1, 12).astype(int)
    boards, weights = table.boards[some], table.weight[some].astype(np.int64)
    own = np.zeros(169, np.int64)
    for board, weight in zip(boards, weights, strict=True):
        own += weight * np.bincount(HAND_CLASS[~np.isin(COMBOS, board).any(axis=1)], minlength=169)
    built, plain = all_in_of(boards, weights, own, Step(None, None)), counted(boards, weights)
    assert plain.win.sum() > 0 and plain.tie.sum() > 0
    for name in AllIn._fields:
        assert np.array_equal(getattr(built, name), getattr(plain, name)), name


def test_the_builder_stops_when_asked():
    with pytest.raises(BuildCancelled):
        build_all_in(cancel=lambda: True)


def test_the_table_is_the_same_when_written_again(tmp_path, monkeypatch):
    kept = all_in_matrix()
    write_all_in(kept, tmp_path / "all_in.npz")
    monkeypatch.setattr(all_in, "SHIPPED", tmp_path / "all_in.npz")
    again = all_in_matrix.__wrapped__()
    assert again is not kept and all(map(np.array_equal, kept, again))
    assert not any(table.flags.writeable for table in again)


@pytest.mark.parametrize("bytes", [b"", b"PK\x03\x04 no table"])
def test_a_damaged_file_is_told_in_a_sentence(bytes, tmp_path, monkeypatch):
    path = tmp_path / "all_in.npz"
    monkeypatch.setattr(all_in, "SHIPPED", path)
    path.write_bytes(bytes)
    with pytest.raises(DamagedRun, match="all_in.npz cannot be read .*; install solverlab again"):
        all_in_matrix.__wrapped__()


def test_deals_of_three_hands_are_exact():
    deals = three_way().deals.astype(np.int64)
    assert deals.sum() == 1326 * 1225 * 1128
    assert np.array_equal(deals.sum(axis=0), all_in_matrix().pairs * comb(48, 2))
    for names in (("AA", "KK", "QQ"), ("AA", "AA", "AKs"), ("AKs", "AKs", "AKo"), ("T9o", "T9s", "TT")):
        expected = sum(times for _, times in different_deals(*names))
        for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)):
            assert deals[tuple(class_number(names[place]) for place in order)] == expected


@pytest.mark.parametrize("names", [("AA", "KK", "QQ"), ("AKs", "JTs", "22"), ("KQs", "KQs", "99")])
def test_shares_of_three_are_near_every_board_dealt(names):
    """Within five standard errors, which are below four per cent of a pot."""
    table, won, deals = three_way(), np.zeros(3), 0
    for hands, times in different_deals(*names):
        points = np.zeros((3, 3), np.int64)
        boards = deal_every_board(hands, points)
        won, deals = won + times * (points / [1, 2, 3]).sum(axis=1), deals + times * boards
    numbers = [class_number(name) for name in names]
    for own in range(3):
        others = [numbers[place] for place in range(3) if place != own]
        at = (*others, numbers[own])
        assert 0 < table.error[at] < 0.04
        assert abs(table.share[at] - won[own] / deals) < 5 * table.error[at]


def test_shares_of_three_add_up():
    table = three_way()
    total = table.share + table.share.transpose(1, 2, 0) + table.share.transpose(2, 0, 1)
    possible = table.deals > 0
    assert np.allclose(total[possible], 1, atol=1e-5) and not total[~possible].any()
    assert np.array_equal(table.share, table.share.transpose(1, 0, 2))
    assert (table.sampled[possible] > 0).all() and not table.sampled[~possible].any()


def aces_against_two(seed, n):
    """Share of two aces in n random deals to three players, one by one from a shuffled rest of the deck."""
    deals = np.random.default_rng(seed).random((n, 50)).argpartition(9, axis=1)[:, :9]
    aces = np.broadcast_to(np.array([50, 51]), (n, 2))
    board, hands = deals[:, :5], (aces, deals[:, 5:7], deals[:, 7:])
    ranks = np.stack([evaluate(np.hstack([hand, board])) for hand in hands])
    best = ranks.max(axis=0)
    return (ranks[0] == best) / (ranks == best).sum(axis=0)


def test_the_sample_as_a_whole_is_near_a_plain_simulation():
    """What cannot be seen in single triples: errors of many triples must not lean the same way."""
    table = three_way()
    shares = (table.share * table.deals).sum(axis=(0, 1), dtype=np.float64) / table.deals.sum(axis=(0, 1))
    assert CLASS_NAMES[int(shares.argmax())] == "AA" and CLASS_NAMES[int(shares.argmin())] == "32o"
    assert (shares * CLASS_SIZE).sum() / 1326 == pytest.approx(1 / 3, abs=1e-6)
    plain = np.concatenate([aces_against_two(seed, 100_000) for seed in range(8)])
    error = plain.std() / np.sqrt(len(plain))
    assert abs(shares[class_number("AA")] - plain.mean()) < 4 * error < 0.002
