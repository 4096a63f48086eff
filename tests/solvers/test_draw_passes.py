"""The passes over all draws, against plain enumeration on decks that can be dealt out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from solverlab.cards.lowball_sets import lowball_sets
from solverlab.naive.draw import drawn_to, exact_worths, kept_cards, named, sign, strength
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import all_draw_values, ground_of, mean_of_others, spread_draws, sum_up
from solverlab.solvers.draw.policy import DrawPolicy
from solverlab.solvers.draw.removal import margins

DECKS = [
    {"cards": 2, "ranks": 5, "per_rank": 2, "suits": False},
    {"cards": 3, "ranks": 4, "per_rank": 3, "suits": False},
    {"cards": 5, "ranks": 7, "per_rank": 3},
]


def random_policy(hands, cards, seed=0):
    rng = np.random.default_rng(seed)
    first = rng.dirichlet(np.ones(1 << cards), hands).astype(np.float32)
    second = rng.dirichlet(np.ones(1 << cards), (cards + 1, hands)).astype(np.float32)
    return DrawPolicy(rng.random(hands, np.float32), rng.random(hands, np.float32), first, second)


@pytest.mark.parametrize("deck", DECKS)
def test_every_discard_is_worth_the_mean_over_its_draws(deck):
    sets = lowball_sets(**deck)
    ground, rng = ground_of(sets), np.random.default_rng(1)
    worth_of = rng.random(len(sets.hands))
    sums = np.zeros((int(ground.start[-1]), 1))
    sums[ground.start[-2] :, 0] = worth_of
    sum_up(ground, sums)
    worth = np.empty((len(sets.hands), 1 << sets.cards))
    all_draw_values(ground, sums, -1, worth)
    for h in rng.integers(len(sets.hands), size=4):
        own = sets.hands[h].tolist()
        for mask in rng.integers(1 << sets.cards, size=6):
            finals = [worth_of[named(sets, final)[0]] for final in drawn_to(sets, own, int(mask))]
            assert worth[h, mask] == pytest.approx(np.mean(finals), rel=1e-12)


@pytest.mark.parametrize("deck", DECKS)
def test_the_way_back_is_the_transpose(deck):
    """Mass times worth is the same number before and after the draw, discards counted by their ranks."""
    sets = lowball_sets(**deck)
    ground, rng = ground_of(sets), np.random.default_rng(2)
    policy = random_policy(len(sets.hands), sets.cards)
    mass = np.empty((int(ground.start[-1]), 15))
    spread_draws(ground, ground.weight * policy.push, policy.first, -1, mass)
    sums = np.zeros((int(ground.start[-1]), 14))
    sums[ground.start[-2] :] = rng.random((len(sets.hands), 14))
    finals = mass[ground.start[-2] :]
    sum_up(ground, sums)
    worth = np.empty((len(sets.hands), 1 << sets.cards))
    all_draw_values(ground, sums, -1, worth)
    before = ((ground.weight * policy.push)[:, None] * policy.first * worth).sum()
    after = finals[:, 0] @ sums[ground.start[-2] :, 0]
    drawn = sets.cards - np.array([mask.bit_count() for mask in range(1 << sets.cards)])
    odds = len(sets.deck) / (len(sets.deck) - sets.cards - drawn)
    assert finals[:, 0].sum() == pytest.approx(float(ground.weight @ policy.push), rel=1e-6)
    weighed = ((ground.weight * policy.push) @ (policy.first * odds)).sum()
    assert finals[:, 14].sum() == pytest.approx(weighed, rel=1e-6)
    # Columns 1 to 13 are weighed on the way back; undo that by spreading one count at a time.
    for count in range(sets.cards + 1):
        spread_draws(ground, ground.weight * policy.push, policy.first, count, mass)
        marked = (mass[ground.start[-2] :, 1:14] * sums[ground.start[-2] :, 1:]).sum()
        after += marked * (len(sets.deck) - sets.cards - count) / len(sets.deck)
    assert after == pytest.approx(before, rel=1e-6)


def test_the_mean_over_disjoint_hands_is_exact():
    sets = lowball_sets(3, ranks=4, per_rank=3, suits=False)
    ground, values = ground_of(sets), np.random.default_rng(3).random(len(sets.hands))
    found = mean_of_others(ground, values)
    for h, hand in enumerate(sets.hands):
        rest = [card for card in sets.deck.tolist() if card not in hand.tolist()]
        others = [values[named(sets, other)[0]] for other in combinations(rest, 3)]
        assert found[h] == pytest.approx(np.mean(others), rel=1e-12)


def test_one_card_of_mine_changes_the_other_exactly_as_the_first_order_says():
    """Column 1 + r of the margins: the other's final hand given that one card is out of reach."""
    sets = lowball_sets(2, ranks=5, per_rank=2, suits=False)
    ground, policy = ground_of(sets), random_policy(len(sets.hands), 2, seed=5)
    mass = np.empty((int(ground.start[-1]), 15))
    spread_draws(ground, ground.weight * policy.push, policy.first, -1, mass)
    table = margins(ground, mass)
    for taken in (None, *sets.deck.tolist()):
        mine = np.zeros(len(table))
        total = np.zeros(len(table))
        deck = [card for card in sets.deck.tolist() if card != taken]
        for hand in combinations(deck, 2):
            g, own = named(sets, hand)
            for mask in range(4):
                rest = [card for card in deck if card not in hand]
                kept = kept_cards(own, mask)
                draws = list(combinations(rest, 2 - len(kept)))
                for new in draws:
                    total[strength(sets, [*kept, *new])] += (
                        policy.push[g] * policy.first[g, mask] / len(draws)
                    )
        total /= len(list(combinations(deck, 2)))
        for level in range(len(table)):
            mine[level] = sum(sign(level, other) * total[other] for other in range(len(table)))
        expected = table[:, 0] if taken is None else table[:, 0] + table[:, 1 + taken // 4]
        assert np.allclose(mine, expected, atol=1e-7)


def test_the_model_approaches_the_exact_game_from_order_to_order():
    sets = lowball_sets(2, ranks=4, per_rank=2, suits=False)
    ground, policy = ground_of(sets), random_policy(len(sets.hands), 2, seed=6)
    met, first, second = exact_worths(sets, policy)
    wrong = []
    for order in (0, 1, 2):
        model = DrawModel(ground, 3.0, order, threads=1)
        found = np.empty_like(second)

        def keep(count, worth, found=found):
            found[count] = worth

        model.button_worth(policy.call, policy.first, keep)
        faced = model.big_blind_worth(policy.push, policy.second)
        wrong.append((np.abs(found - second).mean(), np.abs(faced - first).mean()))
        assert np.allclose(model.chance(policy.call), met[0], atol=1e-7)
        assert np.allclose(model.chance(policy.push), met[1], atol=1e-7)
    for before, after in zip(wrong, wrong[1:], strict=False):
        assert after[0] < before[0] / 2
        assert after[1] < before[1] / 2


def test_with_one_card_a_hand_the_second_order_is_the_exact_game():
    sets = lowball_sets(1, ranks=5, per_rank=3, suits=False)
    policy = random_policy(len(sets.hands), 1, seed=7)
    _, first, second = exact_worths(sets, policy)
    model, found = DrawModel(ground_of(sets), 3.0, order=2, threads=1), np.empty_like(second)

    def keep(count, worth):
        found[count] = worth

    model.button_worth(policy.call, policy.first, keep)
    assert np.allclose(found, second, atol=1e-7)
    assert np.allclose(model.big_blind_worth(policy.push, policy.second), first, atol=1e-7)


def test_threads_change_nothing():
    sets = lowball_sets(3, ranks=6, per_rank=3, suits=False)
    policy = random_policy(len(sets.hands), 3)
    one, two = (DrawModel(ground_of(sets), 3.0, 1, threads=threads) for threads in (1, 2))
    assert np.array_equal(
        one.big_blind_worth(policy.push, policy.second), two.big_blind_worth(policy.push, policy.second)
    )
