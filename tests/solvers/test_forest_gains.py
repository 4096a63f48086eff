"""What the seats of a forest could still gain: against a slow twin, an exact table, and as an alarm."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem
from solvers.test_forest import MAKERS, exact_jam_or_fold, grown, jam_or_fold

import solverlab as sl
from solverlab.cards.hand_classes import CLASS_SIZE
from solverlab.core.errors import SolverlabError
from solverlab.core.snapshot import Status
from solverlab.naive.forest import naive_best
from solverlab.solvers import Rebalance, gains, gains_bracket
from solverlab.solvers.growing.frontier import MostReached
from solverlab.solvers.growing.sampled.gains import best_responses, is_stalled
from solverlab.solvers.growing.sampled.sweep import WORTH


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_best_responses_agree_with_one_deal_at_a_time(make):
    forest = make()
    forest.ground.look(forest.clock)
    best, _ = best_responses(forest.ground.trees, forest.ground.sums)
    deciding, gained = np.unique(forest.ground.trees.nodes.tree[forest.ground.trees.owners]), 0.0
    sizes = np.diff(forest.ground.trees.start)[deciding]
    for tree in {int(t) for t in deciding[np.argsort(sizes)[-4:]]} | {0, 168}:
        expected, played = naive_best(forest, tree)
        assert best[1 + tree] / forest.samples == pytest.approx(expected, abs=1e-10)
        assert forest.ground.sums[1 + tree, WORTH] / forest.samples == pytest.approx(played, abs=1e-10)
        gained += expected - played
    assert gained > 0.01


def test_a_seats_gain_weighs_its_hands_by_their_combos():
    forest = grown(epochs=5)
    best, _ = best_responses(forest.ground.trees, forest.ground.looked(forest.clock))
    played = forest.ground.looked(forest.clock)[:, WORTH]
    gain = (best - played)[1 : 1 + 3 * 169].reshape(3, 169) / forest.samples
    assert (gain > -1e-12).all()
    expected = (gain * CLASS_SIZE).sum(1) / 1326
    assert gains_bracket(forest).high == pytest.approx(tuple(expected), abs=1e-12)


def test_gains_are_those_of_the_strategy_last_swept():
    forest = grown(epochs=5)
    forest.ground.look(forest.clock)
    swept = gains(forest)
    assert swept == pytest.approx(gains_bracket(forest).high, abs=1e-12)
    forest._update()
    forest.swept = 1
    assert gains(forest) == swept != pytest.approx(gains_bracket(forest).high, abs=1e-6)


def test_the_bracket_holds_the_exact_gain():
    """The big blind answers an all-in at random: what the best answer gains is known from the exact table."""
    ev, reach = exact_jam_or_fold()
    better = np.maximum(ev, -1.0) - (ev - 1.0) / 2  # calls or folds by half before
    exact = float((better * reach * CLASS_SIZE).sum() / 1326)
    forest = jam_or_fold(samples=400, rng=5)
    nodes = forest.ground.trees.nodes
    answers = nodes.first[nodes.first[169 + 1 : 2 * 169 + 1] + 2]
    assert np.allclose(nodes.sigma[answers], 0.5) and np.allclose(nodes.sigma[answers + 1], 0.5)
    brackets = [gains_bracket(forest, seed) for seed in range(8)]
    low = np.array([bracket.low[1] for bracket in brackets])
    assert brackets[0].high[1] > exact - 0.005
    error = low.std(ddof=1) / np.sqrt(len(low))
    assert low.mean() < exact + 5 * error and low.mean() == pytest.approx(exact, abs=0.03)
    few = gains_bracket(jam_or_fold(samples=25, rng=5))
    assert few.low[1] < exact < few.high[1]


def test_looking_changes_nothing_and_replays():
    forest, untouched = grown(epochs=3, rng=4), grown(epochs=3, rng=4)
    one, other = gains_bracket(forest, 3).low, gains_bracket(forest, 3).low
    gains(forest)
    forest.advance(3)
    untouched.advance(3)
    assert one == other != gains_bracket(forest, 4).low
    expected = untouched.state()
    assert all((array == expected[name]).all() for name, array in forest.state().items() if name != "seconds")
    assert gains_bracket(grown(epochs=3, rng=4, threads=2), 3).low == one
    with pytest.raises(SolverlabError, match="seed is -1"):
        gains_bracket(forest, -1)


def test_hole_cards_alone_leave_nothing_to_gain():
    forest = Rebalance(Holdem(3), samples=20)
    assert gains(forest) == gains_bracket(forest).low == (0.0, 0.0, 0.0)
    assert forest.step(3).status is Status.RUNNING and not is_stalled(forest)


def frozen() -> Rebalance:
    """Under a tiny scale the first sweep decides everything for ever, right or wrong."""
    forest = Rebalance(Holdem(2, stack=10.0, bets=(), max_raises=2), samples=100, scale=1e-3, sweeps=10**6)
    forest.expand(range(1, 2 * 169 + 1))
    forest.expand(forest.ground.forest.frontier())
    return forest


def test_a_strategy_that_rests_far_from_rest_is_called_stalled():
    forest = frozen()
    assert forest.step(2).status is Status.RUNNING
    snap = forest.step(80)
    assert snap.metrics["change"] < 1e-6 and max(gains(forest)) > 0.01
    assert is_stalled(forest) and snap.status is Status.STALLED


def test_a_run_that_ends_by_its_change_says_stalled_and_what_can_be_gained():
    *_, last = sl.run(frozen(), every=5, until=sl.below("change", 1e-2) | sl.iterations(500))
    assert last.iteration < 500 and last.status is Status.STALLED
    assert len(last.metrics["gains"]) == 2 and max(last.metrics["gains"]) > 0.01


def test_settled_is_enough_sweeps_or_hardly_any_change():
    forest = Rebalance(Holdem(2), samples=20, sweeps=3, tolerance=0.01)
    assert not forest.settled()
    forest.rebalance()
    assert forest.swept == 1 and forest.settled()  # nothing can move without an action node
    forest.expand([forest.ground.forest.root(0, 5)])
    assert not forest.settled()
    slow = Rebalance(Holdem(2), frontier=MostReached(1), samples=20, sweeps=2)
    assert [slow.settled() for _ in range(3) if slow.rebalance() is None] == [True, True, True]
    slow.expand()
    assert [slow.settled() for _ in range(3) if slow.rebalance() is None] == [False, True, True]
