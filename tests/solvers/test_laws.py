"""Laws every solver keeps, bit for bit: steps add up, saved states go on, the microscope changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

import solverlab as sl
from solverlab.solvers import SAMPLINGS, SCHEDULES

OWN = (
    sl.Schedule("quick to forget", positive=0.5, negative=-1.0, average=3.0),
    sl.Schedule("floored and faded", positive=2.0, negative=-math.inf, average=1.5),
    sl.Schedule("linear with a guess", positive=1.0, negative=1.0, average=1.0, predictive=True),
)
ROWS = [*SCHEDULES.values(), *OWN]
GAMES = {"Kuhn": sl.Kuhn, "rock-paper-scissors": sl.RockPaperScissors, "three": lambda: sl.Kuhn(players=3)}


def same(one, other) -> None:
    """Equal to the last bit: all tables, both policies, iteration and nodes touched (seconds apart)."""
    mine, theirs = one.state(), other.state()
    assert mine.keys() == theirs.keys()
    for name in mine.keys() - {"seconds"}:
        assert mine[name].dtype == theirs[name].dtype
        assert mine[name].tobytes() == theirs[name].tobytes(), name
    for policy in ("policy", "current"):
        sigmas = [getattr(solver.snapshot(), policy).sigma.tobytes() for solver in (one, other)]
        assert sigmas[0] == sigmas[1], policy


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return GAMES[request.param]()


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "together"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_steps_add_up_and_saved_states_go_on(game, row, alternating):
    settings = {"schedule": row, "alternating": alternating}
    whole, parts = sl.CFR(game, **settings), sl.CFR(game, **settings)
    whole.step(60)
    parts.step(1), parts.step(0), parts.step(22)
    resumed = sl.CFR.from_state(game, parts.state(), **settings)
    parts.step(37), resumed.step(37)
    same(whole, parts)
    same(whole, resumed)
    assert whole.iteration == 60 and whole.touched == 60 * game.n_players * whole.work.sigma.size


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_sampled_steps_add_up_and_saved_states_go_on(game, row, sampling):
    settings = {"schedule": row, "sampling": sampling}
    whole, parts = (sl.MCCFR(game, **settings, rng=5) for _ in range(2))
    whole.step(60)
    parts.step(1), parts.step(0), parts.step(22)
    resumed = sl.MCCFR.from_state(game, parts.state(), **settings)
    parts.step(37), resumed.step(37)
    same(whole, parts)
    same(whole, resumed)
    other = sl.MCCFR(game, **settings, rng=6)
    other.step(60)
    if not (SAMPLINGS[sampling].chance and SAMPLINGS[sampling].others):
        assert other.state()["generator"].tobytes() != whole.state()["generator"].tobytes()


@pytest.mark.parametrize("make", [lambda g: sl.CFR(g, "DCFR"), lambda g: sl.MCCFR(g, "DCFR", "outcome", 3)])
def test_steps_add_up_across_the_chunks_of_compiled_code(make):
    """One call of compiled code runs at most 1,000 iterations: nothing may depend on where one ends."""
    game = sl.Kuhn()
    whole, parts = make(game), make(game)
    whole.step(2300)
    for n in (700, 600, 999, 1):
        parts.step(n)
    same(whole, parts)


def test_leduc_steps_add_up_and_resume():
    game = sl.Leduc()
    for name in SCHEDULES:
        whole, parts = sl.CFR(game, name), sl.CFR(game, name)
        whole.step(150)
        parts.step(40)
        resumed = sl.CFR.from_state(game, parts.state(), schedule=name)
        resumed.step(110)
        same(whole, resumed)
    for name in SAMPLINGS:
        whole, parts = (sl.MCCFR(game, "LCFR", name, rng=9) for _ in range(2))
        whole.step(50)
        parts.step(20)
        resumed = sl.MCCFR.from_state(game, parts.state(), schedule="LCFR", sampling=name)
        resumed.step(30)
        same(whole, resumed)


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "together"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_microscope_run_to_its_end_is_one_step(game, row, alternating):
    stepped, watched = (sl.CFR(game, row, alternating=alternating) for _ in range(2))
    for _ in range(4):
        stepped.step(1)
        names = [phase.name for phase in watched.phases()]
        assert len(names) == 5 * game.n_players and set(names) == {
            "reach", "values", "gains", "regrets", "matching",
        }  # fmt: skip
        same(stepped, watched)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_compiled_loop_is_the_plain_one(game, row):
    """`step` keeps the loop inside compiled code; `slices` asks the game for its leaves from Python."""
    compiled, plain = sl.CFR(game, row), sl.CFR(game, row)
    compiled.step(25)
    for _ in range(25):
        assert len(list(plain.slices())) == game.n_players
    same(compiled, plain)


class Untabulated:
    """A game that offers `leaf_cfv` only, as large games do."""

    def __init__(self, game):
        self.name, self.n_players, self.tree = game.name, game.n_players, game.tree
        self.names, self.tie, self.leaf_cfv, self.config = game.names, game.tie, game.leaf_cfv, game.config


def test_a_game_without_leaf_tables_is_solved_all_the_same(game):
    tabulated, other = sl.CFR(game, "PCFR+"), sl.CFR(Untabulated(game), "PCFR+")
    tabulated.step(30), other.step(30)
    same(tabulated, other)
    with pytest.raises(sl.SolverlabError, match="cannot be written out deal by deal; use full-width CFR"):
        sl.MCCFR(Untabulated(game))


@pytest.mark.parametrize("make", [lambda g: sl.CFR(g, "CFR+"), lambda g: sl.MCCFR(g, "CFR+", rng=4)])
def test_a_copy_looks_ahead_without_moving_the_original(game, make):
    solver, still = make(game), make(game)
    solver.step(10), still.step(10)
    twin = solver.copy()
    twin.step(10)
    same(solver, still)
    solver.step(10)
    same(solver, twin)
    assert twin.config() == solver.config()


@pytest.mark.parametrize("name", SCHEDULES)
def test_larger_stakes_change_no_strategy(name):
    """All payoffs times three: regrets triple, and what is played does not change."""
    small = sl.CFR(sl.Leduc(), name)
    large = sl.CFR(
        sl.LimitPoker(
            suits=2, board_cards=(0, 1), raise_sizes=(6, 12), max_raises=(2, 2), blinds=(3, 3)
        ),
        name,
    )  # fmt: skip
    one, other = small.step(20), large.step(20)
    np.testing.assert_allclose(other.policy.sigma, one.policy.sigma, rtol=0, atol=1e-9)
    ratio = sl.exploitability(large.game, other.policy) / sl.exploitability(small.game, one.policy)
    assert ratio == pytest.approx(3.0, abs=1e-6)


def test_gains_of_the_microscope_are_the_update():
    """What the phases show adds up: regret after = kept regret before + gain, matched to the next sigma."""
    solver = sl.CFR(sl.Leduc(), "DCFR")
    solver.step(7)
    before, rates = solver.tables.regret.copy(), solver.schedule.rates(7)
    phases = {phase.name: phase for phase in solver.phases() if phase.player == 0}
    gain, regret = phases["gains"].arrays["gain"], phases["regrets"].arrays["regret"]
    mine = np.append(solver.game.tree.player, -1)[solver.game.tree.parent] == 0
    kept = np.where(before > 0, rates.positive, rates.negative) * before
    np.testing.assert_allclose(regret[mine], (kept + gain)[mine], rtol=1e-12)
    children = slice(1, 3)
    positive = np.maximum(regret[children], 0.0)
    expected = np.where(positive.sum(0) > 0, positive / np.maximum(positive.sum(0), 1e-300), 0.5)
    np.testing.assert_allclose(phases["matching"].arrays["sigma"][children], expected, rtol=1e-12)


def test_a_game_in_which_nobody_decides_is_its_own_answer():
    """Everybody all-in before the cards: one leaf, nothing to learn, and nothing breaks."""
    game = sl.LimitPoker(ranks="JQK", blinds=(1, 1), stack=1)
    for solver in (sl.CFR(game), sl.CFR(game, alternating=False), sl.MCCFR(game)):
        policy = solver.step(3).policy
        assert sl.exploitability(game, policy) == 0.0 == sl.value(game, policy)
    assert sl.solve_lp(game).value == 0.0 and len(policy.frame()) == 0


def test_against_a_player_without_choice_the_best_is_chosen():
    alone = sl.HiddenMoves("alone", {"low": {"see": 1}, "high": {"see": 2}, "mid": {"see": 1.5}})
    assert alone.tree.count.tolist()[:4] == [3, 1, 1, 1]
    assert sl.CFR(alone, "CFR+").step(200).policy.at("")["high"] > 0.99
