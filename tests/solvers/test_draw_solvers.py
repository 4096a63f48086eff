"""Solvers of the draw game: exact on small decks, the same twice, resumable, honest about their distance."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest
from recorded import assert_recorded
from solvers.one_card_draw import OneCard
from solvers.test_draw_passes import random_policy

from solverlab.analysis import nash_conv, solve_lp, value
from solverlab.cards.lowball_sets import class_of
from solverlab.core.check_solver import check_solver
from solverlab.core.errors import BadValue, NotMeasured
from solverlab.core.policy import Policy, read_only
from solverlab.games.lowball.real import RealLowball
from solverlab.naive.draw import PlainSampledDraw, exact_worths
from solverlab.solvers.draw.bracket import answers, bracket
from solverlab.solvers.draw.cfr import DrawCFR
from solverlab.solvers.draw.deals import deal, dealer_of, fresh_table
from solverlab.solvers.draw.model import DrawModel
from solverlab.solvers.draw.passes import ground_of
from solverlab.solvers.draw.sampled import SampledDraw
from solverlab.solvers.draw.score import best_of, learn, score

STACK = 3.0


@pytest.fixture(scope="module")
def referee():
    """One card of 13 ranks and four suits, written out."""
    return OneCard(13, 4, STACK)


def one_card() -> RealLowball:
    return RealLowball(STACK, cards=1)


def written_out(game: OneCard, policy) -> Policy:
    """The same strategy on the small game: kept mask 0 draws, mask 1 stands pat."""
    tables = {
        "f": 1 - policy.push, "p": policy.push, "pf": 1 - policy.call, "pc": policy.call,
        "pc0": policy.first[:, 1], "pc1": policy.first[:, 0],
        "pc00": policy.second[0][:, 1], "pc01": policy.second[0][:, 0],
        "pc10": policy.second[1][:, 1], "pc11": policy.second[1][:, 0],
    }  # fmt: skip
    sigma = np.ones((len(game.states), 13))
    for n, state in enumerate(game.states):
        if state:
            sigma[n] = tables[state]
    for first in (1, 3, 5, 7, 9):  # float32 rows sum to one within 1e-7, the referee wants 1e-9
        sigma[first : first + 2] /= sigma[first : first + 2].sum(axis=0)
    return Policy(game.tree, game.names, read_only(sigma))


def test_deals_meet_the_exact_counterfactual_values():
    """The means over sampled deals, against every deal there is, within five standard errors."""
    game = RealLowball(STACK, cards=2, ranks=4, per_rank=2)
    policy = random_policy(len(game.sets.hands), 2, seed=7)
    met, first, second = exact_worths(game.sets, policy)
    found = learn(dealer_of(game.sets, False), policy, 400_000, rng=8)
    band = 5.0 / np.sqrt(found.visits)  # worths lie within -1 and 1
    assert (np.abs(found.met - met) < band).all()
    assert (np.abs(found.first - first) < band[1][:, None]).all()
    assert (np.abs(found.second - second) < band[0][:, None]).all()


def test_sampling_says_deal_by_deal_what_its_plain_twin_says():
    """The next deal is fetched early, but every deal is learned from in its turn, on the same cards."""
    game = RealLowball(STACK, cards=2, ranks=4, per_rank=2)
    fast, plain = SampledDraw(game, rng=11), PlainSampledDraw(game, rng=11)
    for samples in (1, 2, 200, 97):
        fast.advance(samples)
        plain.step(samples)
        assert fast.met[0] == pytest.approx(plain.met, rel=1e-5)
    for (name, *where), regret in plain.regret.items():
        tables = fast.tables[name]
        np.testing.assert_allclose(tables.regret[tuple(where)], regret, rtol=1e-3, atol=1e-4)
        total = plain.total[(name, *where)]
        np.testing.assert_allclose(tables.total[tuple(where)], total, rtol=1e-3, atol=1e-8)


def test_sampled_and_full_width_agree_with_the_linear_programme(referee):
    exact = solve_lp(referee).value
    sampled = SampledDraw(one_card(), rng=1).step(400_000)
    full = DrawCFR(one_card(), threads=1).step(200)
    whole = DrawCFR(one_card(), order=2, threads=1).step(300)  # with one card order 2 is the game itself
    for snap, limit in ((sampled, 0.02), (full, 0.004), (whole, 0.0002)):
        policy = written_out(referee, snap.policy)
        assert nash_conv(referee, policy) < limit
        assert value(referee, policy) == pytest.approx(exact, abs=limit)


def test_the_bracket_holds_the_true_distance_and_the_value_of_the_game(referee):
    game = one_card()
    policy = DrawCFR(game, threads=1).step(3).policy  # far from equilibrium on purpose
    truth = nash_conv(referee, written_out(referee, policy))
    found = bracket(DrawModel(ground_of(game.sets), STACK), dealer_of(game.sets, False), policy, 400_000, 9)
    assert found.lower <= truth <= found.upper + 0.002
    assert found.lower > 0.7 * truth > 0.01
    assert found.score.value == pytest.approx(
        value(referee, written_out(referee, policy)), abs=5 * found.score.value_error
    )
    exact, won = solve_lp(referee).value, found.score
    slack = 5 * (won.value_error + won.nash_conv_error) + 0.002
    assert won.value - won.big_blind_gain - slack <= exact <= won.value + won.button_gain + slack


def test_answers_learned_from_deals_gain_less_on_fresh_ones():
    game = RealLowball(STACK, cards=2)
    dealer, policy = dealer_of(game.sets, False), random_policy(91, 2)
    learned = best_of(learn(dealer, policy, 20_000, rng=1), STACK)
    modelled = answers(DrawModel(ground_of(game.sets), STACK, threads=1), policy)
    fresh = score(dealer, STACK, policy, learned, 200_000, rng=2)
    model = score(dealer, STACK, policy, modelled, 200_000, rng=2)
    promised = learned[0].value + learned[1].value  # both on the deals they were learned from
    assert fresh.nash_conv < promised
    assert model.nash_conv > fresh.nash_conv - 3 * fresh.nash_conv_error


@pytest.mark.parametrize(("kind", "settings"), [(DrawCFR, {"threads": 1}), (SampledDraw, {"rng": 5})])
def test_steps_add_up_and_resume_bit_for_bit(kind, settings):
    straight, halting = (kind(RealLowball(STACK, cards=3), **settings) for _ in range(2))
    straight.step(7)
    halting.step(3)
    resumed = type(halting).from_state(halting.game, halting.state())
    halting.step(4)
    resumed.step(4)
    for name, table in straight.state().items():
        if name != "seconds":
            assert np.array_equal(table, halting.state()[name]), name
            assert np.array_equal(table, resumed.state()[name]), name


def test_scores_are_the_same_twice():
    game = RealLowball(STACK, 2, suits=False)
    policy = random_policy(91, 2)
    found = [
        bracket(DrawModel(ground_of(game.sets), STACK), dealer_of(game.sets, False), policy, 10_000, 3)
        for _ in range(2)
    ]
    assert found[0] == found[1]


def test_four_cards_come_close_to_equilibrium_in_seconds():
    solver = DrawCFR(RealLowball(STACK, cards=4), threads=1)
    snap = solver.measure(solver.step(25), deals=100_000)
    assert snap.metrics["model_nash_conv"] < 0.003
    assert snap.metrics["lower"] < 0.003
    assert abs(snap.metrics["model_value"] - snap.value) < 5 * snap.metrics["value_error"]
    often = snap.frequencies()
    assert 0.6 < often["push"] < 0.9 and sum(often["draws"]) == pytest.approx(1.0)


def test_a_plan_reads_hands_by_name():
    solver = DrawCFR(RealLowball(STACK, cards=4), threads=1)
    snap = solver.step(12)
    plan = snap.plan("7s5h4d3c")
    assert plan.push > 0.99 and plan.call > 0.99 and plan.big_blind[""] > 0.98
    pair = snap.plan("7s7h4d3c").big_blind
    assert pair["7s"] + pair["7h"] > 0.98
    assert len(plan.button) == 5
    with pytest.raises(BadValue, match="has 4 cards"):
        snap.plan("7s5h4d3c2c")
    with pytest.raises(NotMeasured, match="measure"):
        _ = snap.value


def test_bad_values_are_refused():
    with pytest.raises(BadValue, match="blind"):
        RealLowball(0.5, cards=2)
    with pytest.raises(BadValue, match="blind"):
        RealLowball(float("nan"), cards=2)
    with pytest.raises(BadValue, match="order"):
        DrawCFR(RealLowball(STACK, cards=2), order=3)
    with pytest.raises(BadValue, match="predict"):
        DrawCFR(RealLowball(STACK, cards=2), "PCFR+")
    with pytest.raises(BadValue, match="samples"):
        SampledDraw(RealLowball(STACK, cards=2)).step(-1)
    with pytest.raises(BadValue, match="shape"):
        DrawCFR.from_state(RealLowball(STACK, cards=1), DrawCFR(RealLowball(STACK, cards=2)).state())
    with pytest.raises(BadValue, match="not in this deck"):
        DrawCFR(RealLowball(STACK, cards=2, ranks=8)).snapshot().plan("As2c")


def test_five_cards_are_named_as_the_table_of_classes_names_them():
    game = RealLowball(3.0)
    dealer, rng, places = dealer_of(game.sets, game.suits), np.random.default_rng(3), np.empty(5, np.int64)
    table = fresh_table(dealer)
    for _ in range(300):
        deal(dealer, rng, table)
        for player in range(2):
            cards = table.pile[5 * player : 5 * player + 5].astype(np.int64)
            assert class_of(cards, dealer.number, dealer.renaming, places) == table.hand[player]
            assert np.array_equal(table.own[player][places], cards)


# ---- what must not change ----------------------------------------------------------------------------------

RECORDED = {  # states as the first version of these solvers computed them
    "ea6bae9390d1b585": (lambda: DrawCFR(RealLowball(3.0, cards=2), threads=1), 12),
    "0e92bd0565015795": (lambda: DrawCFR(RealLowball(5.0, cards=2, ranks=9), "CFR+", order=2), 7),
    "2b8546ccc6b40963": (lambda: DrawCFR(RealLowball(8.0, cards=3), "LCFR", order=0, threads=1), 5),
    "49c85922959c25fa": (lambda: SampledDraw(RealLowball(3.0, cards=2), rng=5), 30_000),
}


def digest(state: dict[str, np.ndarray]) -> str:
    found = sha256()
    for name in sorted(state.keys() - {"seconds"}):
        array = np.ascontiguousarray(state[name])
        found.update(f"{name} {array.dtype} {array.shape}".encode())
        found.update(array.tobytes())
    return found.hexdigest()[:16]


def numbers_of(solver: DrawCFR | SampledDraw) -> dict[str, np.ndarray]:
    return {name: np.asarray(array) for name, array in solver.state().items() if name != "seconds"}


@pytest.mark.parametrize(("recorded", "case"), RECORDED.items())
def test_states_are_those_recorded_bit_for_bit(recorded, case):
    make, steps = case
    solver = make()
    solver.advance(steps)
    assert_recorded(f"draw {recorded}", digest(solver.state()), recorded, numbers_of(solver))


def test_a_solver_moved_to_another_stack_is_the_one_recorded():
    solver = DrawCFR(RealLowball(3.0, cards=2), threads=1)
    solver.advance(5)
    moved = solver.moved(RealLowball(4.0, cards=2))
    moved.advance(3)
    recorded = "c851db6eebaf5197"
    assert_recorded(f"draw {recorded}", digest(moved.state()), recorded, numbers_of(moved))


def test_they_keep_the_contract_of_a_solver():
    check_solver(DrawCFR(RealLowball(STACK, cards=2), "CFR+"), schedule="CFR+")
    check_solver(SampledDraw(RealLowball(STACK, cards=2), rng=4), rng=4)
