"""Trees that grow: what is expanded and why, exact values at their ends, distances inside and lifted."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.analysis import truncated_exploitability, truncated_gains
from solverlab.core.tree import Choice
from solverlab.naive.cut import PlainCut
from solverlab.run import distance_inside, growing, growth, growth_curves, uct_growth
from solverlab.solvers import Expanded

GAMES = {"Kuhn": sl.Kuhn, "Leduc": sl.Leduc, "three": lambda: sl.Kuhn(players=3)}


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return GAMES[request.param]()


def grown(game, epochs, k=2, **settings):
    solver = sl.Rebalance(game, frontier=sl.MostReached(k), scale=2.0, sweeps=5, **settings)
    for _ in range(epochs):
        solver.rebalance(), solver.rebalance(), solver.expand()
    solver.rebalance()
    return solver


class OneChoice(sl.SmallGame):
    """No cards, no pot: nothing that could be shown down before the end."""

    name = "one choice"

    def children(self, state):
        return Choice(0, {"left": "l", "right": "r"}) if not state else None

    def payoff(self, state, *hands):
        return (1.0, -1.0) if state == "l" else (0.0, 0.0)


# ---- growth ------------------------------------------------------------------------------------------------


def test_at_first_there_is_nothing_but_hands(game):
    solver = sl.Rebalance(game, frontier=sl.MostReached(1))
    snap = solver.snapshot()
    assert snap.metrics["action_nodes"] == 0 == snap.metrics["epoch"] and snap.events == ()
    assert snap.metrics["nodes"] == game.n_players * len(game.hands)  # a root for each position and hand
    solver.rebalance()
    for player in range(game.n_players):
        np.testing.assert_allclose(solver.ground.values.mass[player, 0], 1 / len(game.hands), rtol=1e-12)
    np.testing.assert_array_equal(solver.snapshot().current.sigma, sl.uniform_policy(game).sigma)


@pytest.mark.parametrize("rule", [sl.MostReached(1), sl.HighestEV(1)], ids=["reach", "EV"])
def test_the_best_hand_grows_first_and_the_first_player_gets_a_decision(game, rule):
    solver = sl.Rebalance(game, frontier=rule)
    events = solver.step(1).events
    best = {"Kuhn poker": "K", "Leduc hold'em": "Ks", "3-player Kuhn poker": "A"}[game.name]
    assert [event.position for event in events] == list(game.names.players)
    assert all(isinstance(event, Expanded) and (event.node, event.hand) == (0, best) for event in events)
    assert all(event.reason.startswith("number 1 of its position by") for event in events)
    assert solver.ground.cut.action_nodes() == 1 and solver.ground.cut.inside[0, 0, game.names.hand(best)]


def test_growth_is_one_level_at_a_time_and_ids_never_change(game):
    solver = sl.Rebalance(game, frontier=sl.MostReached(3), sweeps=2, scale=4.0)
    tree, sizes = game.tree, []
    for _ in range(12):
        before = solver.ground.cut.inside.copy()
        events = solver.expand()
        sizes.append(solver.ground.cut.size())
        new = solver.ground.cut.inside & ~before
        assert new.sum() == len(events) and (before <= solver.ground.cut.inside).all()
        for player, node, hand in np.argwhere(new):
            assert node == 0 or before[player, tree.parent[node], hand]
        solver.rebalance()
        assert solver.snapshot().tree is tree
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]


def test_the_tree_is_fixed_while_it_is_rebalanced(game):
    solver = grown(game, 2)
    with pytest.raises(ValueError, match="read-only"):
        solver.ground.cut.inside[0, 0, 0] = True
    before = solver.ground.cut.inside
    solver.rebalance()
    assert solver.ground.cut.inside is before


def test_beyond_a_frontier_everybody_plays_uniformly(game):
    solver = grown(game, 3)
    uniform = sl.uniform_policy(game).sigma
    for policy in (solver.snapshot().current, solver.snapshot().policy):
        np.testing.assert_array_equal(policy.sigma[~solver.ground.cut.open], uniform[~solver.ground.cut.open])
    moved = np.abs(solver.snapshot().current.sigma - uniform) > 1e-6
    assert moved.any() and not moved[~solver.ground.cut.open].any()


def test_misses_are_counted_by_hand():
    """The first player's king decides; then the second player's queen, but not yet the jack and king."""
    game = sl.Kuhn()
    solver = sl.Rebalance(game, frontier=sl.MostReached(1))
    solver.expand([("first", "", "K")])
    assert (solver.ground.cut.lookups, solver.ground.cut.missed) == (0, 0)
    solver.expand([("first", "raise", "K")])  # the king asks what jack and queen do: neither has a tree
    assert (solver.ground.cut.lookups, solver.ground.cut.missed) == (2, 2)
    solver.expand([("second", "", "Q")])  # the queen's tree asks what jack and king do at the root
    assert (solver.ground.cut.lookups, solver.ground.cut.missed) == (4, 3)
    solver.expand([("second", "raise", "Q")])
    assert (solver.ground.cut.lookups, solver.ground.cut.missed) == (4, 2)
    assert solver.snapshot().metrics["miss_rate"] == 0.5


# ---- exact values ------------------------------------------------------------------------------------------


def test_a_hand_without_a_tree_is_worth_its_showdown():
    solver = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1))
    solver.rebalance()
    np.testing.assert_allclose(solver.ground.node_ev(0)[0], [-1.0, 0.0, 1.0], atol=1e-12)
    assert [float(ev) for ev in solver.ground.node_ev(1)[0]] == pytest.approx([-1.0, 0.0, 1.0])


@pytest.mark.parametrize(("returned", "wins"), [(False, 2.0), (True, 1.0)])
def test_a_bet_is_matched_or_goes_back(returned, wins):
    solver = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1), returned=returned)
    solver.expand([(0, 0, "K")])
    solver.rebalance()
    assert solver.ground.node_ev(0)[sl.Kuhn().names.node("raise"), 2] == pytest.approx(wins)


@pytest.mark.parametrize("returned", [False, True], ids=["matched", "returned"])
@pytest.mark.parametrize("epochs", [1, 3, 6])
def test_evs_of_truncated_trees_are_those_of_the_plain_recursion(game, epochs, returned):
    solver = grown(game, epochs, returned=returned)
    sigma = solver.snapshot().current.sigma
    solver.ground.look(solver.clock)
    plain = PlainCut(game, solver.ground.cut.inside, sigma, returned)
    rng = np.random.default_rng(epochs)
    for player in range(game.n_players):
        known = np.argwhere(solver.ground.cut.inside[player] | solver.ground.cut.frontier(player))
        for node, hand in known[rng.permutation(len(known))[:12]]:
            fast = solver.ground.node_ev(player)[node, hand]
            assert fast == pytest.approx(plain.ev(player, int(node), game.hands[hand]), abs=1e-10)


def test_a_tree_grown_to_the_end_is_the_whole_game(game):
    solver = sl.Rebalance(game, frontier=sl.MostReached(10_000), scale=3.0)
    while solver.expand():
        pass
    whole = sl.Rebalance(game, scale=3.0)
    assert solver.ground.cut.missed == 0 < solver.ground.cut.lookups
    for _ in range(5):
        solver.rebalance(), whole.rebalance()
    one, other = solver.snapshot(), whole.snapshot()
    np.testing.assert_allclose(one.current.sigma, other.current.sigma, atol=1e-9)
    inside = distance_inside(solver, one.current)
    np.testing.assert_allclose(inside, sl.deviation_gains(game, one.current), atol=1e-9)


# ---- what leaves are worth ---------------------------------------------------------------------------------


def test_a_solved_leaf_is_worth_the_games_value():
    solver = growing(sl.Kuhn(), sl.MostReached(1), leaf="solved")
    solver.rebalance()
    values = [float((solver.ground.node_ev(p)[0] * solver.ground.values.mass[p, 0]).sum()) for p in range(2)]
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-9)


def test_a_rollout_leaf_is_worth_what_the_current_strategy_wins(game):
    solver = grown(game, 2, leaf="rollout")
    policy = solver.snapshot().current
    solver.ground.look(solver.clock)
    for player in range(game.n_players):
        at_root = float((solver.ground.node_ev(player)[0] * solver.ground.values.mass[player, 0]).sum())
        assert at_root == pytest.approx(sl.value(game, policy, player), abs=1e-10)


def test_a_leaf_may_be_any_function_of_the_node(game):
    """Showdown payoffs told by a function give what the built-in showdown gives."""
    plain = PlainCut(game, None, None)
    shape = (game.n_players, *(len(game.hands),) * game.n_players)

    def told(node):
        payoff = np.zeros(shape)
        for deal in game.deals():
            place = tuple(plain.hand[name] for name in deal)
            blocked = set(game.states[node].board) & {c for name in deal for c in game._held[name]}
            payoff[(slice(None), *place)] = 0.0 if blocked else plain.showdown(game.states[node], deal)
        return payoff

    one, other = grown(game, 3), grown(game, 3, leaf=told)
    np.testing.assert_allclose(one.snapshot().current.sigma, other.snapshot().current.sigma, atol=1e-10)
    np.testing.assert_array_equal(one.ground.cut.inside, other.ground.cut.inside)


# ---- distances ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epochs", [1, 2, 3, 4])
def test_the_best_response_inside_is_the_best_of_all_pure_ones(epochs):
    game = sl.Kuhn()
    solver = grown(game, epochs, k=2)
    policy = solver.snapshot().current
    gains = truncated_gains(game, solver.ground.cut.inside, policy)
    plain = PlainCut(game, solver.ground.cut.inside, policy.sigma)
    union = solver.ground.cut.inside.any(axis=(0, 2))
    for me in range(2):
        assert gains[me] == pytest.approx(plain.best(me) - plain.total(me, union), abs=1e-10)
    assert truncated_exploitability(game, solver.ground.cut.inside, policy) == pytest.approx(sum(gains) / 2)


def test_a_growth_records_both_distances():
    game = sl.Leduc()
    solver = growing(game, sl.MostReached(4), scale=6.0, sweeps=10)
    trace = growth(solver, epochs=6, name="by reach")
    table = trace.frame()
    assert {"nodes", "inside", "current_inside", "lifted", "current_lifted", "miss_rate"} <= set(
        table.columns
    )
    assert table["nodes"].is_monotonic_increasing and len(table) == 6 and trace.name == "by reach"
    assert table["inside"].iloc[0] == 0.0  # with nothing expanded nobody can deviate
    assert table["lifted"].iloc[0] == pytest.approx(sl.exploitability(game, sl.uniform_policy(game)))
    last = trace.last
    assert last.metrics["lifted"] == pytest.approx(sl.exploitability(game, last.policy))


def test_a_tree_grown_to_the_end_measures_alike_inside_and_lifted():
    """Kuhn, gently rebalanced: cut trees look better from inside than they are; the whole one does not."""
    curves = growth_curves(sl.Kuhn(), [sl.MostReached(2), sl.HighestEV(4)], 20, scale=8.0, sweeps=60)
    assert list(curves) == ["MostReached(k=2)", "HighestEV(k=4)"]
    for trace in curves.values():
        lifted, inside = trace.column("lifted"), trace.column("inside")
        assert inside[1] < 0.1 < 0.3 < lifted[1] and lifted[-1] < lifted[0]
        assert lifted[-1] == pytest.approx(inside[-1]) and trace.column("nodes")[-1] == 54
    assert len(curves["HighestEV(k=4)"]) < len(curves["MostReached(k=2)"])


def test_a_uct_tree_grows_beside_it():
    """One infoset a playout at most, the same from one seed, and better than uniform in the end."""
    game = sl.Kuhn()
    trace = uct_growth(game, [1, 2, 5, 500, 5000], rng=3)
    assert trace.column("action_nodes")[:2] == [1, 2] and trace.column("action_nodes")[-1] == 12
    assert trace.column("nodes") == [3 * n for n in trace.column("action_nodes")]  # two actions each
    assert trace.rows == uct_growth(game, [1, 2, 5, 500, 5000], rng=3).rows
    assert trace.rows[-1]["lifted"] < 0.5 * sl.exploitability(game, sl.uniform_policy(game))


# ---- house laws --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"leaf": "rollout"}, {"samples": 50, "rng": 3}], ids=str)
def test_growing_steps_add_up_and_saved_states_go_on(game, settings):
    settings = {"frontier": sl.MostReached(2), "sweeps": 4, "scale": 3.0, **settings}
    whole, parts = (sl.Rebalance(game, **settings) for _ in range(2))
    events = whole.step(25).events
    seen = parts.step(7).events
    resumed = sl.Rebalance.from_state(game, parts.state(), **settings)
    copied = parts.copy()
    seen += parts.step(18).events
    resumed.step(18), copied.step(18)
    assert events == seen and len(events) > 4
    for other in (parts, resumed, copied):
        mine, theirs = whole.state(), other.state()
        for name in mine.keys() - {"seconds"}:
            assert mine[name].tobytes() == theirs[name].tobytes(), name
        assert other.snapshot().policy.sigma.tobytes() == whole.snapshot().policy.sigma.tobytes()
        assert other.snapshot().metrics == whole.snapshot().metrics


def test_a_run_shows_what_grew():
    solver = sl.Rebalance(sl.Leduc(), frontier=sl.MostReached(k=4), sweeps=5)
    snaps = list(sl.run(solver, every=5, until=sl.iterations(20)))
    assert [len(snap.events) for snap in snaps] == [8, 8, 8, 8]
    assert snaps[-1].metrics["epoch"] == 4 and snaps[-1].exploitability > 0


# ---- samples -----------------------------------------------------------------------------------------------


def test_sampled_evs_converge_to_exact_ones(game):
    exact = sl.Rebalance(game, scale=2.0)
    exact.rebalance()
    errors = []
    for samples in (500, 50_000):
        sampled = sl.Rebalance(game, scale=2.0, samples=samples, rng=1)
        sampled.rebalance()
        far = [sampled.ground.node_ev(p)[0] - exact.ground.node_ev(p)[0] for p in range(game.n_players)]
        errors.append(float(np.sqrt(np.mean(np.square(far)))))
    # a hand's winnings vary by less than 6 chips, and each hand is dealt in a sixth of the samples
    assert errors[1] < 5 * 6 / np.sqrt(50_000 / 6) and errors[1] < errors[0] / 3


def test_every_leaf_sees_the_same_hands():
    """Masses after a call and after a check come from one sample: they agree where nobody has chosen yet."""
    game = sl.Leduc()
    solver = sl.Rebalance(game, samples=200, rng=5)
    solver.rebalance()
    ratios, names = solver.ground.whole.ratios, game.names
    for card in ("Js", "Kh"):
        quiet, raised = names.node(f"check/check/{card}"), names.node(f"raise/call/{card}")
        np.testing.assert_array_equal(ratios[quiet], ratios[raised])
    boards = [ratios[names.node(f"check/check/{card}")] for card in game.deck]
    assert np.mean([ratio[game.deal_mass(0) > 0].mean() for ratio in boards]) == pytest.approx(2 / 3, abs=0.2)


def test_seeds_replay_and_differ():
    runs = [sl.Rebalance(sl.Kuhn(), samples=30, rng=seed).step(10).current.sigma for seed in (4, 4, 5)]
    assert runs[0].tobytes() == runs[1].tobytes() != runs[2].tobytes()


def test_the_sampled_change_is_smoothed():
    solver = sl.Rebalance(sl.Kuhn(), samples=30, rng=2, scale=5.0)
    before = solver.step(1).metrics["change"]
    sigma = solver.snapshot().current.sigma
    after = solver.step(1)
    newest = np.abs(after.current.sigma - sigma).max()
    assert after.metrics["change"] == pytest.approx(0.25 * newest + 0.75 * before, rel=1e-9)


# ---- at the door -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda g: sl.MostReached(0), "cannot expand 0 leaves a position; give a whole number of at least 1"),
        (lambda g: sl.HighestEV(k=2.5), "cannot expand 2.5 leaves a position"),
        (
            lambda g: sl.Rebalance(g, frontier=4),
            r"4 is no frontier rule; use sl.MostReached\(k\), .* or sl.Oldest\(k\)",
        ),
        (lambda g: sl.Rebalance(g, frontier=sl.MostReached(1), leaf="guess"), "no leaf value 'guess'; known"),
        (lambda g: sl.Rebalance(g, frontier=sl.MostReached(1), leaf=lambda n: 0.0), "the leaf function gave"),
        (lambda g: sl.Rebalance(g, frontier=sl.MostReached(1), start=0.5), "starts every node alike"),
        (lambda g: sl.Rebalance(g, frontier=sl.MostReached(1), sweeps=0), "sweeps is 0; give a whole number"),
        (lambda g: sl.Rebalance(g, samples=0), "samples is 0; give a whole number of at least 1"),
        (lambda g: sl.Rebalance(g, rng=-1), "seed is -1; give a whole number of at least 0"),
        (lambda g: sl.Rebalance(g).expand(), "this tree is whole, nothing can grow"),
        (lambda g: growth(sl.Rebalance(g), 3), "this tree is whole and cannot grow"),
        (lambda g: growth(growing(g, sl.MostReached(1)), 0), "cannot grow 0 epochs"),
        (
            lambda g: growing(g, sl.MostReached(1)).expand([(0, "raise", "K")]),
            "is not on the frontier of 'K'",
        ),
        (
            lambda g: growing(g, sl.MostReached(1)).expand([("dealer", "", "K")]),
            "there is no player 'dealer'",
        ),
        (lambda g: growing(g, sl.MostReached(1)).expand([(0, "jam", "K")]), "there is no node 'jam'"),
        (
            lambda g: sl.Rebalance(sl.MatchingPennies(), frontier=sl.MostReached(1)),
            "hides moves, so its tree cannot grow",
        ),
        (
            lambda g: sl.Rebalance(OneChoice(), frontier=sl.MostReached(1)),
            "has no showdown before its end; use leaf='rollout'",
        ),
        (
            lambda g: truncated_gains(
                g, np.zeros((2, 9, 3), bool), sl.Rebalance(g, start=0.9).snapshot().current
            ),
            "the policy is not uniform at ''",
        ),
    ],
)
def test_what_cannot_grow_is_said_in_a_sentence(ask, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        ask(sl.Kuhn())
