"""Push/fold: exact heads-up, refereed by a linear programme; three-handed with the gain of every seat."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.hand_classes import CLASS_SIZE
from solverlab.core.errors import BadValue
from solverlab.core.game import check_game
from solverlab.games import from_config, game_named
from solverlab.studies.pushfold import pushfold_charts


def share(policy, path):
    """Part of all 1,326 combos that take the action a path ends with."""
    return float(policy.sigma[policy.names.node(path)] @ CLASS_SIZE / 1326)


@pytest.fixture(scope="module")
def three():
    """Three players with ten big blinds, solved."""
    game = sl.PushFold(10, players=3)
    return game, sl.solve(game, "CFR+", until=sl.iterations(100))


@pytest.mark.parametrize("stack", [3, 10, 20])
def test_heads_up_agrees_with_the_linear_programme(stack):
    game = sl.PushFold(stack)
    check_game(game)
    referee = sl.solve_lp(game)
    snap = sl.solve(game, "CFR+", until=sl.below("exploitability", 2e-7) | sl.iterations(20_000))
    assert snap.exploitability <= 2e-7
    assert snap.value == pytest.approx(referee.value, abs=1e-6)
    assert sl.exploitability(game, referee.policy) < 1e-6


def test_ten_big_blinds_jam_58_per_cent_and_call_37():
    game = sl.PushFold()
    policy, referee = pushfold_charts([10])[10.0].policy, sl.solve_lp(game).policy
    for path, low, high in (("jam", 0.57, 0.59), ("jam/call", 0.36, 0.38)):
        assert low < share(policy, path) < high
        assert abs(share(policy, path) - share(referee, path)) < 0.01


def test_deals_know_which_cards_are_gone():
    game = sl.PushFold()
    mass, aces = game.deal_mass(0), game.hands.index("AA")
    assert mass[aces, aces] == pytest.approx(6 / (1326 * 1225), rel=1e-12)
    assert mass.sum() == pytest.approx(1) and np.allclose(mass.sum(axis=1), CLASS_SIZE / 1326)
    assert game.deals()["AA", "KK"] == pytest.approx(36 / (1326 * 1225))


def test_payoffs_are_those_of_the_blinds_and_the_stack():
    game = sl.PushFold(8)
    folded, won = (game.states[game.names.node(path)] for path in ("fold", "jam/fold"))
    assert game.payoff(folded, "AA", "KK") == (-0.5, 0.5) and game.payoff(won, "32o", "AA") == (1, -1)
    assert game.payoff(game.states[game.names.node("jam/call")], "AA", "KK")[0] == pytest.approx(
        8 * (2 * 0.81946 - 1), abs=1e-3
    )
    assert game.payoff(game.states[game.names.node("jam/call")], "AKs", "AKs") == (0, 0)
    assert game.names.players == ("small blind", "big blind")


@pytest.mark.parametrize("stack", [1, 0.5, -3, float("nan"), float("inf"), "ten", None, True])
def test_a_stack_must_cover_the_blind(stack):
    with pytest.raises(BadValue, match="above 1, the big blind"):
        sl.PushFold(stack)


@pytest.mark.parametrize("players", [1, 4, "2", True])
def test_two_or_three_play(players):
    with pytest.raises(BadValue, match="2 or 3 players"):
        sl.PushFold(10, players=players)


@pytest.mark.parametrize("players", [2, 3])
def test_a_run_goes_on_from_its_configuration(players):
    game = sl.PushFold(7.5, players=players)
    again = from_config(json.loads(json.dumps(game.config())))
    assert repr(again) == repr(game) and again.stack == 7.5
    solver = sl.CFR(game, "CFR+")
    solver.step(3)
    resumed = sl.CFR.from_state(again, solver.state(), schedule="CFR+")
    assert np.array_equal(resumed.step(2).policy.sigma, solver.step(2).policy.sigma)


def test_the_menu_offers_it_and_importing_stays_light():
    assert repr(game_named("push-fold")) == "push/fold with 10 big blinds: 2 players, 5 nodes, 169 hands"
    program = (
        "import solverlab, sys; print('solverlab.cards.all_in' in sys.modules, solverlab.PushFold.__name__)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "PushFold"]


# ---- three players -----------------------------------------------------------------------------------------


def test_three_way_deviation_gains_are_small(three):
    game, snap = three
    assert max(sl.deviation_gains(game, snap.policy)) < 1e-3
    assert sum(sl.value(game, snap.policy, seat) for seat in range(3)) == pytest.approx(0, abs=1e-6)
    with pytest.raises(BadValue, match="deviation_gains"):
        sl.exploitability(game, snap.policy)


def test_three_way_play_makes_sense(three):
    """The button has two behind it; overcalls are tighter; folded to, it is nearly the heads-up game."""
    _, snap = three
    jam, call, overcall = (share(snap.policy, path) for path in ("jam", "jam/fold/call", "jam/call/call"))
    assert overcall < share(snap.policy, "jam/call") < call < jam < share(snap.policy, "fold/jam")
    heads_up = pushfold_charts([10])[10.0].policy
    assert abs(share(snap.policy, "fold/jam") - share(heads_up, "jam")) < 0.02
    assert abs(share(snap.policy, "fold/jam/call") - share(heads_up, "jam/call")) < 0.02


def test_three_way_leaves_are_zero_sum_and_pay_the_pot(three):
    game, _ = three
    check_game(game)
    sums = np.array([game.leaf_cfv(me, np.ones((3, 7, 169))).sum(axis=1) for me in range(3)])
    assert np.abs(sums.sum(axis=0)).max() < 1e-6
    leaves = {game.names.paths[n]: sums[:, game.tree.leaf[n]] for n in np.flatnonzero(game.tree.leaf >= 0)}
    assert leaves["fold/fold"] == pytest.approx([0, -0.5, 0.5])
    assert leaves["fold/jam/fold"] == pytest.approx([0, 1, -1])
    assert leaves["jam/fold/fold"] == pytest.approx([1.5, -0.5, -1])
    assert leaves["jam/call/fold"] == pytest.approx([0.5, 0.5, -1])
    assert leaves["jam/call/call"] == pytest.approx([0, 0, 0], abs=1e-6)


def test_three_way_leaf_values_equal_the_plain_sum(three):
    """Every leaf and seat against one einsum over the joint deal, with random ranges."""
    game, _ = three
    reach = np.random.default_rng(5).random((3, 7, 169))
    mass = game.triples.astype(float) / (1326 * 1225 * 1128)
    leaf = {game.names.paths[n]: int(game.tree.leaf[n]) for n in np.flatnonzero(game.tree.leaf >= 0)}
    at = leaf["jam/fold/call"]
    wins = 20.5 * game.equity.T - 10  # the button's, [button, big blind]
    plain = np.einsum("bsm,s,m,bm->b", mass, reach[1, at], reach[2, at], wins)
    assert game.leaf_cfv(0, reach)[at] == pytest.approx(plain, rel=1e-5, abs=1e-12)
    at = leaf["jam/call/call"]
    pays = 30 * game.shares.astype(float) / (1326 * 1225 * 1128) - 10 * mass  # own hand last
    plain = np.einsum("bsm,b,s->m", pays, reach[0, at], reach[1, at])
    assert game.leaf_cfv(2, reach)[at] == pytest.approx(plain, rel=1e-4, abs=1e-9)


def test_three_way_has_no_table_of_deals(three):
    game, _ = three
    assert not hasattr(game, "leaves")
    with pytest.raises(BadValue, match="full-width CFR"):
        sl.MCCFR(game)


# ---- the chart ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def charts():
    return pushfold_charts([2, 5, 8, 11, 11.5, 12, 15, 20])


def test_chart_says_up_to_which_stack_a_hand_goes_in(charts):
    jams, calls = (sl.views.pushfold_frame(charts, node).set_index("hand") for node in ("", "jam"))
    assert len(jams) == 169 and max(snap.exploitability for snap in charts.values()) < 1e-6
    assert jams.loc["AKs", ["row", "column"]].tolist() == ["A", "K"]
    assert jams.loc["AKo", ["row", "column"]].tolist() == ["K", "A"]
    assert jams.loc["AA", "stack"] == calls.loc["AA", "stack"] == 20 and jams.loc["32o", "stack"] == 0
    assert jams.loc["K2o", "stack"] == 11.5 and calls.loc["K2o", "stack"] == 8


def test_a_hand_may_jam_at_a_stack_and_not_at_a_smaller_one():
    """43s jams at 2, 5 and 9 big blinds and folds at 3 and 8: what one number a hand hides, `gaps` counts."""
    charts = pushfold_charts([2, 3, 5, 8, 9])
    hand = sl.views.pushfold_frame(charts).set_index("hand").loc["43s"]
    assert hand["stack"] == 9 and hand["gaps"] == 2
    for stack, jams in ((2, 1), (3, 0), (5, 1), (8, 0), (9, 1)):
        assert sl.solve_lp(sl.PushFold(stack)).policy.at("", hand="43s")["jam"] == pytest.approx(
            jams, abs=1e-6
        )


def test_chart_draws_both_seats(charts):
    import holoviews as hv

    layout = sl.views.pushfold_chart(charts)
    figure = hv.render(layout, backend="bokeh")
    assert len(layout) == 2 and figure is not None
    words = [text for grid in layout for labels in grid.values()[1:] for text in labels["words"]]
    assert "AA\n20+" in words and "K2o\n11.5" in words and "32o\n–" in words and len(words) == 338


def test_grid_of_one_node(three):
    _, snap = three
    table = sl.views.jam_frame(snap, "jam/call").set_index("hand")
    assert table.loc["AA", "probability"] > 0.99 and table.loc["72o", "probability"] < 0.01
    assert sl.views.jam_grid(snap, "jam/call") is not None
    with pytest.raises(BadValue, match="nobody jams or calls"):
        sl.views.jam_frame(snap, "jam/call/fold")
    with pytest.raises(BadValue, match="no stacks"):
        sl.views.pushfold_chart({})
    with pytest.raises(BadValue, match="no stacks"):
        pushfold_charts([])
