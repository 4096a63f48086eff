"""Betting before and after the draw: push/fold is its smallest case, the exact game is the referee."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solvers.one_card_draw import OneCard

import solverlab as sl
from solverlab.analysis import deviation_gains, solve_lp, value
from solverlab.core.check_solver import check_solver
from solverlab.core.draw_game import Act, Draw, DrawNode
from solverlab.core.draw_paths import joined
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.policy import Policy, read_only
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.solvers import SCHEDULES
from solverlab.solvers.draw.betting import DrawBetting
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.sampled import SampledDraw

STACK = 3.0


def gap(solver: DrawBetting) -> tuple[float, float]:
    """The button's value of the average policy and both best responses' gains together, in the model."""
    policy = solver.policy()
    values = [solver.value_of(me, policy) for me in (0, 1)]
    best = [solver.answer(me, policy)[0] for me in (0, 1)]
    return (values[0] - values[1]) / 2, sum(best) - sum(values)


def test_without_more_actions_it_is_push_fold():
    tree = DrawBetting(BettingLowball(STACK, cards=2), threads=1)
    plain = DrawCFR(RealLowball(STACK, cards=2), threads=1)
    tree.advance(12)
    plain.advance(12)
    policy, same = tree.policy(), plain.policy()
    assert np.allclose(policy[""][:, 1], same.push, atol=1e-4)
    assert np.allclose(policy["push/call:first"], same.first, atol=1e-4)
    assert np.allclose(policy["push/call:second"], same.second, atol=1e-4)


@pytest.mark.parametrize(
    ("make", "drawn"),
    [
        (lambda row: DrawCFR(RealLowball(STACK, cards=1), row, threads=1), "first"),
        (lambda row: DrawBetting(BettingLowball(STACK, cards=1), row, threads=1), "push/call:first"),
    ],
)
def test_an_unweighted_row_averages_without_own_reach(make, drawn):
    weighted, unweighted = (make(replace(SCHEDULES["DCFR"], weighted=flag)) for flag in (True, False))
    for solver in (weighted, unweighted):
        solver.advance(6)
    one, other = (solver.tables[drawn] for solver in (weighted, unweighted))
    assert np.array_equal(one.sigma, other.sigma)  # play is the same, the average is not
    assert not np.allclose(one.total, other.total, atol=1e-3)


@pytest.mark.parametrize("stack", [3.0, 8.0])
def test_a_limp_is_worth_what_the_linear_programme_says(stack):
    exact = [solve_lp(OneCard(13, 4, stack, limp)).value for limp in (False, True)]
    found = []
    for limp in (False, True):
        solver = DrawBetting(BettingLowball(stack, limp=limp, cards=1), threads=1)
        solver.advance(150)
        found.append(gap(solver)[0])
    assert found == pytest.approx(exact, abs=0.004)
    assert found[1] - found[0] == pytest.approx(exact[1] - exact[0], abs=0.002)


# ---- one card, where the tree of every deal can be written out ---------------------------------------------


def in_the_exact_game(game: sl.Lowball, solver: DrawBetting) -> Policy:
    """The solver's average strategy played in the game that keeps every deal and every discard apart.

    One card each. The two games are walked together: same actions in the same order, whatever their names.
    """
    tree, policy, strength = game.tree, solver.policy(), solver.ground.strength
    sigma = np.ones((len(tree.parent), len(game.hands)))
    dealt = np.array([game.dealt[d][0] for d in game.full.dealt])
    new = np.array([order[0] for order in game.full.replacements])

    def children(node: int) -> range:
        return range(tree.first[node], tree.first[node] + tree.count[node])

    def bets(node: int, place: DrawNode, name: str, rows: list[np.ndarray]) -> None:
        """`rows` says which row of the tables every hand of each player has here."""
        if not isinstance(place, Act):
            if isinstance(place, Draw):
                draws(node, place, name)
            return
        table = policy[name].reshape(-1, len(place.following))
        for a, (child, (action, after)) in enumerate(
            zip(children(node), place.following.items(), strict=True)
        ):
            sigma[child] = table[rows[place.player], a]
            bets(child, after, joined(name, action), rows)

    def draws(node: int, place: Draw, name: str) -> None:
        for theirs, early in enumerate(children(node)):  # 0 keeps the card, 1 throws it away
            sigma[early] = policy[f"{name}:first"][dealt, 1 - theirs]
            for mine, late in enumerate(children(early)):
                sigma[late] = policy[f"{name}:second"][theirs, dealt, 1 - mine]
                start = (2 * theirs + mine) * (int(strength.max()) + 1)
                rows = [start + strength[new if drawn else dealt] for drawn in (mine, theirs)]
                bets(late, place.after, f"{name}|", rows)

    bets(0, solver.game.root, "", [dealt, dealt])
    return Policy(tree, game.names, read_only(sigma))


def bounds(game: sl.Lowball, policy: Policy) -> tuple[float, float]:
    """Where the value of a game must lie if this is played in it: what either player can still gain."""
    found, (button, big_blind) = value(game, policy), deviation_gains(game, policy)
    return found - big_blind, found + button


@pytest.mark.parametrize(("stack", "raises", "after"), [(4.0, (), (1.0,)), (6.0, (2.0,), (1.0,))])
def test_one_card_with_bets_is_the_exact_game_to_the_accuracy_it_tells(stack, raises, after):
    settings = {"stack": stack, "cards": 1, "limp": True, "raises": raises}
    exact = sl.Lowball(per_rank=4, discard="free", after_draw=after, **settings)
    solver = DrawBetting(BettingLowball(bets=after, reraise=True, **settings), threads=1)
    snap = solver.measure(solver.step(150), 40_000)
    played = in_the_exact_game(exact, solver)
    low, high = bounds(exact, played)
    assert high - low < 0.01  # of the exact game, removal of all cards counted
    assert high - low <= snap.metrics["upper"]
    assert value(exact, played) == pytest.approx(snap.value, abs=4 * snap.metrics["value_error"])
    other_low, other_high = bounds(exact, sl.CFR(exact, "PCFR+").step(120).policy)
    assert max(low, other_low) <= min(high, other_high)  # both hold the value, so they meet
    push_fold = sl.solve(sl.Lowball(stack, per_rank=4, discard="free"), "PCFR+", until=sl.iterations(300))
    assert low > push_fold.value + push_fold.exploitability  # which is another game


def test_what_order_0_leaves_out_is_far_more_than_order_1_does():
    game = BettingLowball(4.0, limp=True, bets=(1.0,), reraise=True, cards=1)
    exact = sl.Lowball(4.0, 1, 4, discard="free", limp=True, after_draw=(1.0,))
    gains, values = [], []
    for order in (0, 1):
        solver = DrawBetting(game, order=order, threads=1)
        solver.advance(150)
        gains.append(sum(deviation_gains(exact, in_the_exact_game(exact, solver))))
        values.append(gap(solver)[0])
    assert gains[0] > 3 * gains[1]
    assert values[0] - values[1] > 0.008  # the button's edge as if nobody held a card the other cannot have


# ---- its manners -------------------------------------------------------------------------------------------


def test_it_keeps_the_contract_of_a_solver():
    settings = {"schedule": "CFR+", "threads": 1}
    game = BettingLowball(4.0, limp=True, raises=(2,), bets=(1,), reraise=True, cards=1)
    check_solver(DrawBetting(game, **settings), **settings)


def test_measuring_changes_nothing_that_follows():
    measured, alone = (
        DrawBetting(BettingLowball(4.0, limp=True, bets=(1,), cards=1), threads=1) for _ in range(2)
    )
    measured.measure(measured.step(3), 2000)
    measured.step(3)
    alone.step(6)
    for name, array in alone.state().items():
        assert name == "seconds" or np.array_equal(array, measured.state()[name]), name


def test_betting_after_the_draw_comes_to_rest_and_is_zero_sum():
    solver = DrawBetting(BettingLowball(8.0, limp=True, bets=(1,), cards=2), order=0, threads=1)
    solver.advance(20)
    early = gap(solver)[1]
    solver.advance(60)
    policy = solver.policy()
    assert solver.value_of(0, policy) == pytest.approx(-solver.value_of(1, policy), abs=1e-9)
    assert 0 <= gap(solver)[1] < min(early, 0.02)


def test_fresh_deals_agree_with_the_model_and_the_plan_with_the_tables():
    solver = DrawBetting(BettingLowball(6.0, limp=True, raises=(2,), bets=(1,), cards=2), threads=1)
    snap = solver.measure(solver.step(25), 60_000, rng=3)
    found = snap.metrics
    assert found["value"] == pytest.approx(found["model_value"], abs=5 * found["value_error"] + 0.005)
    far = 5 * found["scored_error"] + 0.005
    assert found["scored_nash_conv"] == pytest.approx(found["model_nash_conv"], abs=far)
    often, plan = snap.frequencies(), snap.plan("3s2h")
    assert list(often[""]) == ["fold", "limp", "raise 2", "push"]
    assert all(sum(row.values()) == pytest.approx(1) for row in often.values())
    assert sum(plan.bets["limp"].values()) == pytest.approx(1)
    assert plan.big_blind["push/call"][""] > 0.9 and len(plan.button["limp/check"]) == 3


# ---- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"raises": (5,)}, "all in"),
        ({"raises": (1,)}, "limp"),
        ({"bets": (0,)}, "pot"),
        ({"stack": 1.0}, "nothing to bet"),
        ({"bets": [0.1 * k for k in range(1, 20)]}, "fewer sizes"),
    ],
)
def test_impossible_sizes_are_refused(options, words):
    with pytest.raises(BadValue, match=words):
        BettingLowball(**{"stack": STACK, "cards": 2, **options})


def test_solvers_of_push_and_fold_refuse_more_bets():
    for kind in (DrawCFR, SampledDraw):
        with pytest.raises(BadValue, match="take DrawBetting"):
            kind(BettingLowball(4.0, limp=True, cards=1))
    with pytest.raises(BadValue, match="order 0 or 1"):
        DrawBetting(BettingLowball(4.0, limp=True, cards=1), order=2)
    with pytest.raises(BadValue, match="predicts"):
        DrawBetting(BettingLowball(4.0, limp=True, cards=1), "PCFR+")


def test_memory_is_asked_for_before_it_is_taken(monkeypatch):
    game = BettingLowball(4.0, limp=True, cards=2)
    needed = DrawBetting.bytes_needed(game)
    monkeypatch.setattr("psutil.virtual_memory", lambda: type("Memory", (), {"available": needed - 1}))
    with pytest.raises(TooLarge, match=r"needs .* GB but .* GB are free; give fewer raises"):
        DrawBetting(game)
