"""Hands that differ only in the names of the suits share a number, and nothing else does."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from cards.deals import random_deals
from hypothesis import given
from hypothesis import strategies as st

from solverlab.cards.board_rows import flatten, hand_weights, spread
from solverlab.cards.cards import COMBOS
from solverlab.cards.deals import canonical_count, deal_cards, deal_index, deal_tables
from solverlab.cards.indexing import canonical_hand, canonical_index, hand_table, unindex_hands
from solverlab.cards.isomorphism import HOLE_PERM, INVERSE, PERMS, board_table, canonical_board
from solverlab.core.errors import BadValue
from solverlab.core.kernel import kernel
from solverlab.naive.suits import canonical_form, rename

COUNTS = {
    (2,): 169, (2, 3): 1_286_792, (2, 3, 1): 55_190_538, (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050, (2, 5): 123_156_254,
}  # fmt: skip
STREETS = {"preflop": 169, "flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}
deals = st.lists(st.integers(0, 51), unique=True, min_size=7, max_size=7)


@pytest.mark.parametrize(("rounds", "count"), COUNTS.items())
def test_burnside_and_the_numbering_agree_with_the_published_counts(rounds, count):
    assert canonical_count(rounds) == deal_tables(rounds).offset[-1] == count


@pytest.mark.parametrize(("street", "count"), STREETS.items())
def test_streets_have_the_published_number_of_hands(street, count):
    size = hand_table(street).boards.boards.shape[1]
    assert canonical_count(street) == hand_table(street).offset[-1] == count
    assert hand_weights(street).sum(dtype=np.int64) == comb(52, 2) * comb(50, size)


@pytest.mark.parametrize(("n", "count"), [(3, 1755), (4, 16432), (5, 134459)])
def test_canonical_boards(n, count):
    table = board_table(n)
    assert len(table.boards) == count
    assert table.weight.sum(dtype=np.int64) == comb(52, n)


@kernel
def _orbits(keeps, taken):
    """Count combos off the board that are the smallest of their orbit under the renamings that keep it."""
    total = 0
    kept = np.zeros(24, np.int64)
    for b in range(len(keeps)):
        size = 0
        for perm in range(24):
            if keeps[b] >> perm & 1:
                kept[size] = perm
                size += 1
        for combo in range(1326):
            if not (taken[b, COMBOS[combo, 0]] or taken[b, COMBOS[combo, 1]]):
                smallest = True
                for j in range(size):
                    smallest &= HOLE_PERM[kept[j], combo] >= combo
                total += smallest
    return total


def _keeping(groups: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Which of the 24 renamings keep every group of cards [B, k] (as bits), and which cards are taken."""
    size = len(groups[0])
    taken, keeps = np.zeros((size, 52), bool), np.zeros(size, np.int64)
    for p, suits in enumerate(PERMS):
        same = np.ones(size, bool)
        for cards in groups:
            same &= (np.sort(cards // 4 * 4 + suits[cards % 4], axis=1) == np.sort(cards, axis=1)).all(axis=1)
        keeps |= same.astype(np.int64) << p
    for cards in groups:
        taken[np.arange(size)[:, None], cards] = True
    return keeps, taken


def _count_hands(groups: list[np.ndarray]) -> int:
    return _orbits(*_keeping(groups))


@pytest.mark.parametrize(("n", "count"), [(3, 1_286_792), (4, 13_960_050), (5, 123_156_254)])
def test_counts_by_enumerating_orbits(n, count):
    assert _count_hands([board_table(n).boards]) == count


def test_ordered_turn_count_by_enumerating_orbits():
    flops = board_table(3).boards
    keeps, taken = _keeping([flops])
    pairs = []
    for b, flop in enumerate(flops):
        for card in np.flatnonzero(~taken[b]):
            images = [rename([card], PERMS[p])[0] for p in range(24) if keeps[b] >> p & 1]
            if card == min(images):
                pairs.append((*flop, card))
    boards = np.array(pairs, np.uint8)
    assert _count_hands([boards[:, :3], boards[:, 3:]]) == 55_190_538


def test_every_flop_hand_meets_its_number():
    """All hands on all canonical flops: numbers occur as often as their weights say, in both numberings."""
    table = board_table(3)
    deal = np.concatenate([np.tile(COMBOS, (1755, 1)), np.repeat(table.boards, 1326, axis=0)], axis=1)
    flop = np.repeat(np.arange(1755), 1326)
    free = ~(deal[:, :2, None] == deal[:, None, 2:]).any(axis=(1, 2))
    deal, weight = deal[free], table.weight[flop[free]]
    index = canonical_index(deal[:, :2], deal[:, 2:])
    assert np.array_equal(np.bincount(index, weight), hand_weights("flop"))
    ordered = deal_index((2, 3), deal)
    assert np.array_equal(np.bincount(ordered, weight)[ordered], hand_weights("flop")[index])


@pytest.mark.parametrize("rounds", list(COUNTS))
def test_deal_numbers_round_trip(rounds):
    cards = random_deals(len(rounds), 50_000, sum(rounds))
    index = deal_index(rounds, cards)
    again = deal_cards(rounds, index)
    assert np.array_equal(deal_index(rounds, again), index)
    last = deal_tables(rounds).offset[-1] - 1
    for number in (0, last):
        assert deal_index(rounds, deal_cards(rounds, number).tolist()) == number


@pytest.mark.parametrize(("street", "count"), STREETS.items())
def test_hand_numbers_round_trip(street, count):
    index = np.unique(np.random.default_rng(1).integers(0, count, 50_000))
    hole, board = unindex_hands(street, index)
    assert np.array_equal(canonical_index(hole, board), index)
    assert canonical_index(*canonical_hand(street, count - 1)) == count - 1


@given(deals, st.permutations(range(4)), st.sampled_from([0, 3, 4, 5]))
def test_renaming_suits_changes_no_number(deal, suits, size):
    renamed = rename(deal, suits)
    assert canonical_index(deal[:2], deal[2 : 2 + size]) == canonical_index(
        renamed[:2], renamed[2 : 2 + size]
    )
    assert deal_index((2, 3, 1, 1), deal) == deal_index((2, 3, 1, 1), renamed)


@pytest.mark.parametrize("rounds", list(COUNTS))
def test_numbers_and_naive_forms_make_the_same_partition(rounds):
    """Every deal comes with a renamed twin, and few ranks make more of them coincide."""
    cards = random_deals(3, 2_000, sum(rounds)) % 24
    cards = cards[[len(set(row)) == len(row) for row in cards.tolist()]]
    cards = np.concatenate([cards, cards // 4 * 4 + PERMS[17][cards % 4]])
    cuts = np.cumsum(rounds)[:-1]
    forms = [canonical_form(np.split(row, cuts)) for row in cards]
    numbers = [deal_index(rounds, cards)]
    if len(rounds) == 2:
        numbers.append(canonical_index(cards[:, :2], cards[:, 2:]))
    for number in numbers:
        joint = set(zip(forms, number.tolist(), strict=True))
        assert len(joint) == len(set(forms)) == len(set(number.tolist())) < len(cards)


@pytest.mark.parametrize("street", ["preflop", "flop", "turn"])
def test_rows_and_flat_tables_are_inverse(street):
    flat = np.arange(STREETS[street], dtype=np.uint32) + 1
    rows = spread(flat, street)
    assert np.array_equal(flatten(rows, street), flat)
    free = 52 - hand_table(street).boards.boards.shape[1]
    assert ((rows > 0).sum(axis=1) == comb(free, 2)).all()


def test_rows_read_through_a_renaming_belong_to_the_same_hand():
    rows = spread(np.arange(STREETS["flop"], dtype=np.uint32) + 1, "flop")
    for deal in random_deals(5, 300, 5).tolist():
        board, perm = canonical_board(deal[2:])
        low, high = sorted(deal[:2])
        assert rows[board, HOLE_PERM[perm, high * (high - 1) // 2 + low]] == 1 + canonical_index(
            deal[:2], deal[2:]
        )
        assert sorted(rename(deal[2:], PERMS[perm])) == board_table(3).boards[board].tolist()


def test_inverse_renamings():
    for perm in range(24):
        assert HOLE_PERM[INVERSE[perm]][HOLE_PERM[perm]].tolist() == list(range(1326))


def test_monotone_flop_leaves_three_suits_alike():
    assert (
        canonical_index("AhKd", "Tc9c6c")
        == canonical_index("AsKh", "Tc9c6c")
        == canonical_index("AdKs", "Tc9c6c")
    )
    assert canonical_index("AhKd", "Tc9c6c") != canonical_index("AhKc", "Tc9c6c")
    assert len({canonical_index(f"A{suit}K{suit}") for suit in "cdhs"}) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: canonical_index("AhKd", "AhTd9d"),
        lambda: canonical_index("AhKd", "QhTd"),
        lambda: canonical_index(np.array([[0, 1]]), np.array([[2, 3, 1]])),
        lambda: canonical_index(np.array([[0, 52]]), np.array([[2, 3, 4]])),
        lambda: canonical_index(np.array([[0, 1]]), np.array([[2, 3]])),
        lambda: canonical_index(np.array([[0, 1]]), np.array([[2, 3, 4], [5, 6, 7]])),
        lambda: canonical_hand("flop", 1_286_792),
        lambda: canonical_hand("flop", -1),
        lambda: canonical_hand("fifth street", 0),
        lambda: canonical_count("showdown"),
        lambda: canonical_count((2, 6)),
        lambda: deal_index((2, 3), "AhKdQc"),
        lambda: deal_index((2,), np.array([[7, 7]])),
        lambda: deal_cards((2,), 169),
    ],
)
def test_impossible_questions_are_refused(call):
    with pytest.raises(BadValue):
        call()
