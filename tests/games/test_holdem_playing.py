"""Compiled random play follows the betting of `games.betting.states`, step by step."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem

from solverlab.games.betting.numbers import hand_of, menu_of
from solverlab.games.betting.playing import list_totals, open_street, pay, random_ends
from solverlab.games.betting.pots import payoffs, pots
from solverlab.games.betting.sizes import MOST_SIZES
from solverlab.games.betting.states import FOLD, first_state, following
from solverlab.solvers.growing.sampled.rollout import settled

TABLES = {
    "six, pot": {"players": 6, "stack": 100.0},
    "heads-up, three sizes": {"players": 2, "stack": 30.0, "bets": (0.5, 1.0, 2.0)},
    "no all-in": {"players": 3, "stack": 12.0, "allin": False, "bets": (0.33, 0.75)},
    "only all-in": {"players": 4, "stack": 9.0, "bets": ()},
    "limit": {"players": 5, "stack": 40.0, "betting": "limit"},
    "short stacks": {"players": 4, "stack": (0.4, 3.0, 7.5, 20.0), "bets": (0.5, 1.0)},
    "limit, short": {"players": 3, "stack": (1.5, 6.0, 4.0), "betting": "limit", "max_raises": 3},
    "no small blind": {"players": 3, "stack": 6.0, "blinds": (0.0, 1.0)},
}


@pytest.fixture(params=TABLES)
def rules(request):
    return Holdem(**TABLES[request.param]).rules.row


def same(hand, state) -> None:
    for mine, theirs in zip(hand, hand_of(state), strict=True):
        assert mine.tolist() == theirs.tolist()


def test_every_step_is_that_of_the_rules(rules):
    menu, rng, totals, streets = menu_of(rules), np.random.default_rng(5), np.empty(MOST_SIZES + 3), set()
    for _ in range(150):
        state = first_state(rules)
        hand = hand_of(state)
        while after := following(rules, state):
            streets.add(state.street)
            if state.deals:
                (state,) = after.values()
                open_street(menu, hand)
            else:
                count = list_totals(menu, hand, totals)
                assert count == len(after)
                assert [total == FOLD for total in totals[:count]] == [label == "fold" for label in after]
                stay = list(after).index("call" if "call" in after else "check")
                j = stay if rng.random() < 0.6 else int(rng.integers(count))  # or few would see a river
                pay(menu, hand, totals[j])
                state = list(after.values())[j]
            same(hand, state)
    assert len(streets) == 4


def test_ends_pay_out_what_was_put_in(rules):
    paid, live = random_ends(menu_of(rules), first_state(rules), 200, (3,))
    for chips, who in zip(paid, live.tolist(), strict=True):
        alive = tuple(bool(who >> p & 1) for p in range(rules.seats))
        level = max(c for c, on in zip(chips, alive, strict=True) if on)
        end = first_state(rules)._replace(paid=tuple(chips), live=alive, level=float(level))
        ranks = np.random.default_rng(int(who)).permutation(rules.seats).tolist()
        won = payoffs(pots(rules, end), ranks)
        assert sum(won) == pytest.approx(0)
        rank = np.array(ranks, np.uint16)[:, None]
        mine = [settled(chips, np.uint32(who), rank, 0, seat) for seat in range(rules.seats)]
        assert mine == pytest.approx(won)


def test_random_ends_are_as_likely_as_blind_choices_make_them():
    rules = Holdem(2, stack=3.0, betting="limit", max_raises=2).rules.row
    start, ways = first_state(rules), 20_000
    paid, live = random_ends(menu_of(rules), start, ways, (3,))
    chips, left = exact_means(rules, start)
    assert paid.mean(0) == pytest.approx(chips, abs=5 * 1.5 / np.sqrt(ways))
    assert [(live >> p & 1).mean() for p in (0, 1)] == pytest.approx(left, abs=5 * 0.5 / np.sqrt(ways))


def exact_means(rules, state) -> tuple[np.ndarray, np.ndarray]:
    """Chips put in and the probability to be left at the end, on average over all ways to choose blindly."""
    after = following(rules, state).values()
    if not after:
        return np.array(state.paid), np.array(state.live, float)
    chips, left = zip(*(exact_means(rules, one) for one in after), strict=True)
    return np.mean(chips, axis=0), np.mean(left, axis=0)


def test_a_state_is_played_out_alike_whenever_it_is_known():
    one, other = Holdem(3, stack=20.0), Holdem(3, stack=20.0)
    for state in (0, 1, 3):
        one.open(state)
    for state in (0, 3, 1):
        other.open(state)
    mine, theirs = one.random_ends(50, (1, 2)), other.random_ends(50, (1, 2))
    for s, state in enumerate(one._states):
        t = other._states.index(state)
        assert (mine.place[s] < 0) == (theirs.place[t] < 0)
        if mine.place[s] >= 0:
            assert (mine.paid[mine.place[s]] == theirs.paid[theirs.place[t]]).all()
    assert (one.random_ends(50, (1, 3)).paid != mine.paid).any()
