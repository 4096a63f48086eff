"""Rebalancing with exact EVs: hand numbers, a plain twin, the house laws, and where it does not converge."""

from __future__ import annotations

from math import tanh

import numpy as np
import pytest
from games.random_games import games, random_policy, strategy_of
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.naive import PlainRebalance, policy_of
from solverlab.solvers import SQUASHES
from solverlab.solvers.growing.settings import paid_rows

GAMES = {
    "Kuhn": sl.Kuhn,
    "three": lambda: sl.Kuhn(players=3),
    "Leduc": sl.Leduc,
    "pennies": sl.MatchingPennies,
    "rock-paper-scissors": sl.RockPaperScissors,
    "push/fold": lambda: sl.PushFold(stack=8),
}
KINDS = ("as written", "centred", "reach-weighted")


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return GAMES[request.param]()


def same(one, other) -> None:
    """Equal to the last bit (seconds apart)."""
    mine, theirs = one.state(), other.state()
    assert mine.keys() == theirs.keys()
    for name in mine.keys() - {"seconds"}:
        assert mine[name].tobytes() == theirs[name].tobytes(), name
    for policy in ("policy", "current"):
        sigmas = [getattr(solver.snapshot(), policy).sigma.tobytes() for solver in (one, other)]
        assert sigmas[0] == sigmas[1], policy


def push(p: list[float], evs: list[float]) -> list[float]:
    """The update as the document writes it."""
    raw = [a * (tanh(ev) + 1) for a, ev in zip(p, evs, strict=True)]
    return [a / sum(raw) for a in raw]


# ---- one update by hand ------------------------------------------------------------------------------------


def test_one_update_of_matching_pennies_by_hand():
    """Heads with 0.6 against 0.5: the first player's EVs are 0, the second's -0.2 and 0.2."""
    snap = sl.Rebalance(sl.MatchingPennies(), start=0.6).step(1)
    assert snap.current.at("")["heads"] == pytest.approx(0.6, abs=1e-15)
    heads, _ = push([0.5, 0.5], [-0.2, 0.2])
    assert snap.current.at("heads")["heads"] == pytest.approx(heads, abs=1e-15)
    assert snap.current.at("tails") == snap.current.at("heads")


def test_one_update_of_kuhn_by_hand():
    """From uniform: a king that faces a raise wins 2 by calling; folding loses the ante of 1.

    The first player's queen meets jack and king alike: half of the checks are checked, and of the raises half
    are folded to; half of the own raises are called.
    """
    current = sl.Rebalance(sl.Kuhn()).step(1).current
    king = push([0.5, 0.5], [-1.0, 2.0])
    assert list(current.at("raise", "K").values()) == pytest.approx(king, abs=1e-14)
    jack = push([0.5, 0.5], [-1.0, -2.0])
    assert list(current.at("check/raise", "J").values()) == pytest.approx(jack, abs=1e-14)
    check = np.mean([sum([0.5 * win, 0.25 * -1, 0.25 * 2 * win]) for win in (1, -1)])
    bet = np.mean([0.5 * 1 + 0.5 * 2 * win for win in (1, -1)])
    queen = push([0.5, 0.5], [check, bet])
    assert list(current.at("", "Q").values()) == pytest.approx(queen, abs=1e-14)


def test_the_scale_and_the_baseline_by_hand():
    current = sl.Rebalance(sl.Kuhn(), scale=4.0).step(1).current
    assert list(current.at("raise", "K").values()) == pytest.approx(push([0.5, 0.5], [-0.25, 0.5]), abs=1e-14)
    current = sl.Rebalance(sl.Kuhn(), baseline="node").step(1).current
    assert list(current.at("raise", "K").values()) == pytest.approx(push([0.5, 0.5], [0.0, 3.0]), abs=1e-14)


def test_centred_and_reach_weighted_by_hand():
    centred = sl.Rebalance(sl.Kuhn(), ev="centred").step(1).current
    assert list(centred.at("raise", "K").values()) == pytest.approx(push([0.5, 0.5], [-1.5, 1.5]), abs=1e-14)
    weighted = sl.Rebalance(sl.Kuhn(), ev="reach-weighted").step(1).current
    mass = 1 / 3 * 1 / 2  # dealt the king, and the other one raises half of the time
    expected = push([0.5, 0.5], [-1.0 * mass, 2.0 * mass])
    assert list(weighted.at("raise", "K").values()) == pytest.approx(expected, abs=1e-14)


def test_counting_from_the_node_a_fold_costs_nothing_in_push_fold():
    """The small blind's half is gone before it decides, the big blind's one too: a fold's factor is 1."""
    solver = sl.Rebalance(sl.PushFold(stack=8), baseline="node")
    list(solver.phases())
    names, slot = solver.game.names, solver.game.tie.slot
    for fold, paid in (("fold", 0.5), ("jam/fold", 1.0)):
        assert solver.squeezed()[slot[names.node(fold)]] == pytest.approx(0.0, abs=1e-12)
        assert paid_rows(solver.game)[slot[names.node(fold)]] == paid


# ---- EVs ---------------------------------------------------------------------------------------------------


def test_evs_are_backed_up_exactly(game):
    """EV of a node = sum of probability times EV of what follows; at a root it is the game's value."""
    solver = sl.Rebalance(game, start=random_policy(game, 3))
    played = solver.snapshot().current
    for _ in solver.phases():
        pass
    tree, mass = game.tree, solver.ground.values.mass
    for player in range(game.n_players):
        ev = solver.ground.node_ev(player)
        for n in np.flatnonzero(tree.count > 0):
            below = slice(tree.first[n], tree.first[n] + tree.count[n])
            shares = played.sigma[below]
            if tree.player[n] != player:
                shares = mass[player, below] / np.maximum(mass[player, n], 1e-300)
            reached = mass[player, n] > 0
            np.testing.assert_allclose((shares * ev[below]).sum(0)[reached], ev[n][reached], atol=1e-12)
        at_root = float((ev[0] * mass[player, 0]).sum())
        assert at_root == pytest.approx(sl.value(game, played, player), abs=1e-12)
        assert mass[player, 0].sum() == pytest.approx(1.0)


def test_where_nobody_else_comes_nothing_moves():
    """The first player never raises, so what the second does against a raise has no EV."""
    game = sl.Kuhn()
    solver = sl.Rebalance(game, start=1.0)
    after = solver.step(5).current
    assert after.at("raise", "K") == {"fold": 0.5, "call": 0.5} == after.at("raise", "J")
    assert (solver.ground.node_ev(1)[game.names.node("raise")] == 0).all()
    assert after.at("check", "K") != {"check": 0.5, "raise": 0.5}


@settings(max_examples=40, deadline=None)
@given(st.one_of(games(players=2), games(players=3)), st.integers(0, 99), st.sampled_from([0.5, 1.0, 3.0]))
def test_the_plain_twin_agrees_on_any_game(game, seed, scale):
    start = random_policy(game, seed)
    fast = sl.Rebalance(game, start=start, scale=scale).step(3)
    plain = PlainRebalance(game, strategy_of(game, start), scale).step(3)
    np.testing.assert_allclose(fast.current.sigma, policy_of(game, plain).sigma, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["Kuhn", "three", "pennies", "rock-paper-scissors"])
def test_the_plain_twin_agrees(name):
    game = GAMES[name]()
    fast = sl.Rebalance(game, start=0.7).step(6)
    plain = PlainRebalance(game, strategy_of(game, sl.Rebalance(game, start=0.7).snapshot().current)).step(6)
    np.testing.assert_allclose(fast.current.sigma, policy_of(game, plain).sigma, rtol=0, atol=1e-12)


def test_the_plain_twin_agrees_on_leduc():
    """With 13 chips to the unit; at scale 1 the plain 1 + tanh(-13) keeps only five digits."""
    game = sl.Leduc()
    fast, plain = sl.Rebalance(game, scale=13.0).step(2), PlainRebalance(game, scale=13.0).step(2)
    np.testing.assert_allclose(fast.current.sigma, policy_of(game, plain).sigma, rtol=0, atol=1e-12)


# ---- house laws --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ev", KINDS)
@pytest.mark.parametrize("squash", SQUASHES)
def test_steps_add_up_and_saved_states_go_on(game, squash, ev):
    settings = {"squash": squash, "ev": ev, "scale": 2.0, "floor": 1e-4}
    whole, parts = (sl.Rebalance(game, **settings, start=0.3) for _ in range(2))
    whole.step(30)
    parts.step(1), parts.step(0), parts.step(11)
    resumed = sl.Rebalance.from_state(game, parts.state(), **settings)
    twin = parts.copy()
    parts.step(18), resumed.step(18)
    same(whole, parts)
    same(whole, resumed)
    assert twin.iteration == 12 and twin.config() == whole.config()
    assert whole.iteration == 30 and whole.touched == 30 * game.n_players * whole.ground.values.sigma.size


def test_the_microscope_run_to_its_end_is_one_step(game):
    stepped, watched = (sl.Rebalance(game, start=0.4) for _ in range(2))
    for _ in range(3):
        stepped.step(1)
        phases = list(watched.phases())
        assert [phase.name for phase in phases] == ["leaves", "back-up"] * game.n_players + ["update"]
        assert all(phase.sentence.endswith(".") for phase in phases)
        same(stepped, watched)


def test_probabilities_stay_probabilities(game):
    """Hundreds of sweeps with strong squashing: sums of 1, nothing negative, nothing missing."""
    for squash in SQUASHES:
        snap = sl.Rebalance(game, squash, scale=0.05).step(60)
        for policy in (snap.current, snap.policy):
            assert np.isfinite(policy.sigma).all() and (policy.sigma >= 0).all()
            for n in np.flatnonzero(game.tree.player >= 0):
                below = slice(game.tree.first[n], game.tree.first[n] + game.tree.count[n])
                np.testing.assert_allclose(policy.sigma[below].sum(0), 1.0, atol=1e-9)


def test_every_action_node_is_touched_once_a_sweep():
    """Whatever can be reached moves in one sweep, all from one set of EVs: no node sees another's update."""
    game = sl.Leduc()
    before = sl.uniform_policy(game).sigma
    after = sl.Rebalance(game).step(1).current.sigma
    acts = np.append(game.tree.player, -1)[game.tree.parent] >= 0
    moved = (np.abs(after - before) > 1e-9).any(axis=1)
    assert moved[acts].all() and not moved[~acts].any()


@pytest.mark.parametrize("floor", [1e-3, 0.05])
def test_a_floor_is_kept_to_the_letter(floor):
    game = sl.Kuhn()
    snap = sl.Rebalance(game, floor=floor, scale=0.2).step(300)
    acts = np.append(game.tree.player, -1)[game.tree.parent] >= 0
    assert snap.current.sigma[acts].min() == pytest.approx(floor, rel=1e-12)


# ---- squashes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SQUASHES)
def test_a_squash_squeezes_and_its_factor_is_one_more(name):
    squash, x = SQUASHES[name], np.linspace(-6, 6, 241)
    y = squash.function(x)
    assert (np.diff(y) >= 0).all() and (np.abs(y) <= 1).all() and squash.function(np.zeros(1))[0] == 0
    np.testing.assert_allclose(squash.factor(x), 1 + y, atol=1e-14)
    np.testing.assert_allclose(y, -squash.function(-x), atol=1e-15)


def test_a_factor_does_not_cancel():
    """1 + tanh(-30) rounds to 0, which would kill an action for ever; the factor itself is a small number."""
    far = np.array([-30.0])
    assert 1 + np.tanh(far)[0] == 0.0
    assert SQUASHES["tanh"].factor(far)[0] == pytest.approx(2 * np.exp(-60.0), rel=1e-12)


# ---- what it does ------------------------------------------------------------------------------------------


def test_matching_pennies_calls_its_worst_strategy_converged():
    """The document's own stopping test fires while the strategy could not be exploited more: an alarm."""
    game = sl.MatchingPennies()
    solver = sl.Rebalance(game, start=0.6, scale=1.0)
    *_, last = sl.run(solver, every=1, until=sl.below("change", 1e-6) | sl.iterations(5000))
    assert solver.iteration < 5000 and last.metrics["change"] <= 1e-6
    assert sl.exploitability(game, last.current) > 0.999
    assert last.status is sl.Status.STALLED and "this is not convergence" in last.status.sentence
    assert last.metrics["current_exploitability"] == sl.exploitability(game, last.current)
    assert last.metrics["relative_change"] > 0.1  # the relative test would not have been fooled


def test_no_alarm_where_rest_is_equilibrium():
    """Uniform rock-paper-scissors never moves, and rightly."""
    *_, last = sl.run(sl.Rebalance(sl.RockPaperScissors()), until=sl.below("change", 1e-6))
    assert last.status is sl.Status.REACHED and last.metrics["current_exploitability"] < 1e-12


def test_three_players_are_alarmed_by_a_deviation_gain():
    game = sl.Kuhn(players=3)
    *_, last = sl.run(
        sl.Rebalance(game, scale=0.5, ev="centred"), until=sl.below("change", 1e-3) | sl.iterations(3000)
    )
    gain = max(sl.deviation_gains(game, last.current))
    assert last.iteration < 3000
    assert (last.status is sl.Status.STALLED) == (gain > 0.01)
    assert max(last.metrics["current_deviation_gains"]) == gain > 0.01


def test_scaling_payoffs_changes_its_path_and_not_that_of_regret_matching():
    def kuhn(chips):
        return sl.LimitPoker(blinds=(chips, chips), raise_sizes=(chips,))

    ours = [sl.Rebalance(kuhn(chips)).step(5).current.sigma for chips in (1, 3)]
    assert np.abs(ours[0] - ours[1]).max() > 0.1
    matched = [sl.CFR(kuhn(chips), "CFR").step(5).current.sigma for chips in (1, 3)]
    np.testing.assert_allclose(*matched, rtol=0, atol=1e-12)
    rescaled = sl.Rebalance(kuhn(3), scale=3.0).step(5).current.sigma
    np.testing.assert_allclose(rescaled, ours[0], rtol=0, atol=1e-12)


def test_the_average_is_weighted_by_own_reach():
    game = sl.Kuhn()
    solver, played = sl.Rebalance(game, start=0.8), []
    for _ in range(4):
        played.append(solver.snapshot().current)
        solver.step(1)
    names, average = game.names, solver.snapshot().policy
    node, hand = names.node("check/raise"), names.hand("Q")
    weights = np.array([policy.reach(0)[node, hand] for policy in played])
    calls = np.array([policy.at("check/raise", "Q")["call"] for policy in played])
    expected = (weights * calls).sum() / weights.sum()
    assert average.at("check/raise", "Q")["call"] == pytest.approx(expected, abs=1e-14)
    assert sl.Rebalance(game, start=0.8).snapshot().policy.at("", "K")["check"] == 0.8


def test_it_tells_when_the_squash_is_saturated():
    large = sl.Rebalance(sl.Kuhn(), scale=0.01).step(1)
    small = sl.Rebalance(sl.Kuhn(), scale=100.0).step(1)
    assert large.metrics["saturated"] > 0.5 and small.metrics["saturated"] == 0.0


# ---- at the door -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"squash": "sinh"}, "there is no squash 'sinh'; known: tanh"),
        ({"scale": 0}, "a scale of 0 cannot be used; give a number above 0"),
        ({"scale": -1.5}, "a scale of -1.5 cannot be used"),
        ({"scale": float("nan")}, "a scale of nan cannot be used"),
        ({"ev": "raw"}, "there is no kind of EV 'raw'; known: as written, centred, reach-weighted"),
        ({"baseline": "pot"}, "there is no baseline 'pot'; known: start, node"),
        ({"floor": 0.5}, "a floor of 0.5 cannot be kept; give a number from 0 to below 0.5"),
        ({"floor": -0.1}, "a floor of -0.1 cannot be kept"),
        ({"start": 1.2}, "a start of 1.2 is no probability; give a number from 0 to 1"),
        ({"start": np.ones(3)}, r"a start of shape \(3,\) does not fit"),
        ({"start": np.ones((9, 3))}, "they must sum to 1"),
        ({"start": -np.ones((9, 3))}, "the start holds a negative or missing probability"),
    ],
)
def test_what_cannot_be_rebalanced_is_said_in_a_sentence(settings, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        sl.Rebalance(sl.Kuhn(), **settings)


def test_steps_games_and_measures_that_do_not_fit():
    with pytest.raises(sl.SolverlabError, match="cannot run -1 iterations"):
        sl.Rebalance(sl.Kuhn()).step(-1)
    with pytest.raises(sl.SolverlabError, match="does not say what was paid at a node"):
        sl.Rebalance(sl.RockPaperScissors(), baseline="node")
    with pytest.raises(sl.SolverlabError, match="this solver does not report its change; sl.Rebalance does"):
        next(sl.run(sl.CFR(sl.Kuhn()), until=sl.below("change", 1e-6)))
    other = sl.Rebalance(sl.Leduc()).state()
    with pytest.raises(sl.SolverlabError, match="the saved sigma has shape"):
        sl.Rebalance.from_state(sl.Kuhn(), other)
