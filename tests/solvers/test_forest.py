"""The hold'em forest: growth from nothing, sampled EVs that are right, and runs that replay bit for bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from games.plain_holdem import Holdem

from solverlab.cards.all_in import all_in_matrix
from solverlab.cards.hand_classes import CLASS_SIZE
from solverlab.core.errors import SolverlabError
from solverlab.core.tree import check_tree
from solverlab.games.holdem.buckets import MadeHands, SuitClasses
from solverlab.naive.forest import naive_values
from solverlab.solvers import Rebalance, deals_at
from solverlab.solvers.growing.frontier import HighestEV, MostReached
from solverlab.solvers.growing.sampled.sample import draw_tree
from solverlab.solvers.growing.sampled.sweep import (
    LOOKUPS,
    MASS,
    MISSES,
    WORTH,
    find_ranges,
    fresh_scratch,
    sweep_tree,
)
from solverlab.solvers.growing.sampled.update import conditional_ev


def grown(players=3, epochs=4, k=40, samples=40, **settings) -> Rebalance:
    """A small forest of a few epochs."""
    game = Holdem(players, stack=10.0, buckets=MadeHands(2))
    forest = Rebalance(game, frontier=MostReached(k), samples=samples, sweeps=2, **settings)
    forest.advance(2 * epochs)
    return forest


@cache
def deep(players=2) -> Rebalance:
    """A forest in which some trees have seen all streets."""
    forest = grown(players, epochs=1)
    for _ in range(14):
        forest.rebalance()
        leaves = forest.ground.forest.frontier()
        forest.expand(leaves[np.isin(forest.ground.forest.hand(leaves), [168, 100, 5])][:400])
    forest.rebalance()
    return forest


# ---- growth ------------------------------------------------------------------------------------------------


def test_at_first_there_are_hole_cards_only():
    forest = Rebalance(Holdem(6), samples=20)
    forest.rebalance()
    assert len(forest.ground.forest) == 6 * 169 and len(forest.ground.trees.owners) == 0
    assert (forest.ground.node_reach()[1:] == 1.0).all()
    assert forest.snapshot().metrics["action_nodes"] == 0


def test_the_first_expansion_takes_aces_everywhere_and_the_first_actor_gets_an_action():
    forest = Rebalance(Holdem(6), frontier=MostReached(1), samples=4000, sweeps=1)
    events = forest.step(1).events
    assert [event.hand for event in events] == ["AA"] * 6
    assert [event.kind for event in events] == [
        "passive",
        "passive",
        "action",
        "passive",
        "passive",
        "passive",
    ]
    assert "reach 1, then EV" in events[0].reason
    [owner] = forest.ground.trees.owners
    assert forest.ground.forest.position(owner) == 2
    assert forest.ground.trees.nodes.sigma[forest.ground.trees.actions].tolist() == [0.25] * 4


def test_classes_may_weigh_their_combos():
    """Twelve combos of AKo outweigh six of AA: then the best offsuit hand comes first."""
    forest = Rebalance(Holdem(3), frontier=MostReached(1), samples=2000, sweeps=1, weighting="classes")
    assert {event.hand for event in forest.step(1).events} == {"AKo"}


def test_growing_by_ev_ignores_reach():
    forest = Rebalance(Holdem(2), frontier=HighestEV(1), samples=400, sweeps=1)
    forest.advance(3)
    assert {event.hand for event in forest.events} == {"AA"}


def test_node_ids_are_for_ever_and_trees_stay_trees():
    forest = grown(epochs=3)
    before = [column.copy() for column in forest.ground.trees.nodes[:1] + forest.ground.trees.nodes[3:6]]
    expanded, common = forest.ground.forest.expanded(), forest.snapshot().tree
    forest.advance(4)
    after = forest.ground.trees.nodes[:1] + forest.ground.trees.nodes[3:6]
    assert all((new[: len(old)] == old).all() for old, new in zip(before, after, strict=True))
    assert (forest.ground.forest.expanded()[: len(expanded)] >= expanded).all()
    tree = forest.snapshot().tree
    check_tree(tree)
    assert (tree.parent[: len(common.parent)] == common.parent).all()


def test_the_mask_says_which_trees_reach_beyond_a_public_node():
    forest = grown(epochs=3)
    mask = forest.ground.forest.expanded()
    assert mask.sum() == (forest.ground.trees.nodes.first > 0).sum()
    assert mask[0].sum() == (forest.ground.trees.nodes.first[1 : 3 * 169 + 1] > 0).sum()


def test_every_combo_may_have_a_tree_of_its_own():
    game = Holdem(2, holdings="combos")
    forest = Rebalance(game, frontier=MostReached(6), samples=300, sweeps=1)
    events = forest.step(1).events
    assert len(forest.ground.forest) == 2 * 1326 + 6 * 4 * 2
    assert (forest.ground.node_reach()[1 : 2 * 1326 + 1] == 1.0).all()
    assert {event.hand for event in events} <= set(game.hand_names)
    assert sum(event.hand[0] == event.hand[2] and event.hand[0] in "AKQ" for event in events) >= 9


def test_a_flop_may_have_a_child_for_every_class_of_suits():
    forest = Rebalance(Holdem(2, buckets=SuitClasses()), samples=50)
    aces = forest.ground.forest.root(1, forest.game.hand("AA"))
    for action in (1, 0):  # the button calls, the big blind checks
        forest.expand([aces])
        aces = int(forest.ground.trees.nodes.first[aces]) + action
    forest.expand([aces])
    forest.rebalance()
    nodes, ranges = forest.ground.trees.nodes, forest.ground.trees.ranges
    flops = slice(nodes.first[aces], nodes.first[aces] + nodes.count[aces])
    assert forest.ground.forest.kind(aces) == "deal" and nodes.count[aces] == 1755
    assert (ranges.high[flops] - ranges.low[flops]).sum() == 50
    assert forest.ground.node_ev()[aces] == pytest.approx(
        forest.ground.sums[flops, WORTH].sum() / forest.ground.sums[aces, MASS]
    )


def test_only_the_frontier_can_be_expanded():
    forest = grown(epochs=1)
    inner = int(np.flatnonzero(forest.ground.trees.nodes.first)[0])
    folded = next(
        n
        for n in range(1, forest.ground.forest.columns.size)
        if not forest.ground.forest.can_grow(n) and n != inner
    )
    for node in (inner, folded, 0, 10**6):
        with pytest.raises(SolverlabError, match=f"node {node} is not on the frontier"):
            forest.expand([node])


# ---- EVs ---------------------------------------------------------------------------------------------------


def side_pots(match: bool) -> Rebalance:
    """Unequal stacks, so that one all-in does not cover another."""
    game = Holdem(3, stack=(3.0, 6.0, 12.0), match=match)
    forest = Rebalance(game, frontier=MostReached(60), samples=30, sweeps=1)
    forest.advance(8)
    assert (game.rows().amount[:, 1] > 0).any()
    return forest


MAKERS = {
    "three": lambda: grown(3, epochs=6),
    "six": lambda: grown(6, epochs=5),
    "every street": deep,
    "side pots": lambda: side_pots(True),
    "uncalled bets go back": lambda: side_pots(False),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_a_sweep_agrees_with_one_deal_at_a_time(make):
    """Reach, worth, misses: the same numbers as the slow twin, on every street."""
    forest = make()
    forest.ground.trees.draw(forest.samples, (forest.seed, forest.epoch), 1)
    counts = forest.ground.trees.sweep(1, forest.ground.sums)
    sizes, misses = np.diff(forest.ground.trees.start), 0
    for tree in {int(t) for t in np.argsort(sizes)[-4:]} | {0, 168}:
        reach, worth, missed = naive_values(forest, tree)
        members, misses = forest.ground.trees.members(tree), misses + missed
        naive = np.stack(
            [reach.sum(1), (reach**2).sum(1), worth.sum(1), (worth**2).sum(1), (reach * worth).sum(1)], axis=1
        )
        assert np.allclose(forest.ground.sums[members], naive[members], rtol=1e-12, atol=1e-12)
    assert 0 < misses <= counts[MISSES] <= counts[LOOKUPS]


def test_the_deals_of_a_node_add_up_to_its_sums():
    forest = deep()
    forest.ground.look(forest.clock)
    members = forest.ground.trees.members(int(np.argmax(np.diff(forest.ground.trees.start))))
    for node in (int(members[0]), int(members[-1]), int(members[len(members) // 2])):
        seen = deals_at(forest, node)
        worth = np.where(seen["reach"] > 0, seen["reach"] * np.nan_to_num(seen["worth"]), 0)
        expected = [seen["reach"].sum(), worth.sum()]
        assert forest.ground.sums[node, [MASS, WORTH]] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert seen["info"].shape == (2, 4, 40) and seen["rank"].shape == (2, 40)
    with pytest.raises(SolverlabError, match="there is no node 0"):
        deals_at(forest, 0)


def test_the_deep_forest_has_every_kind_of_node_and_every_street():
    forest = deep()
    kinds = {forest.ground.forest.kind(n) for n in range(1, forest.ground.forest.columns.size)}
    assert kinds == {"leaf", "action", "passive", "deal"} and forest.ground.trees.streets == 3


def test_ev_of_a_node_is_probability_times_ev_of_its_children():
    forest = grown(epochs=5)
    forest.ground.look(forest.clock)
    nodes, ev = forest.ground.trees.nodes, forest.ground.node_ev()
    assert len(forest.ground.trees.owners) > 100
    for owner in forest.ground.trees.owners[::17]:
        below = slice(nodes.first[owner], nodes.first[owner] + nodes.count[owner])
        assert ev[owner] == pytest.approx(nodes.sigma[below] @ ev[below], abs=1e-12)


def jam_or_fold(samples: int, rng: int) -> Rebalance:
    """Heads-up: the button's every hand acts once, the big blind's every hand answers an all-in."""
    forest = Rebalance(Holdem(2, stack=10.0, bets=(), max_raises=2), samples=samples, rng=rng)
    forest.expand(range(1, 2 * 169 + 1))
    jammed = forest.ground.trees.nodes.first[169 + 1 : 2 * 169 + 1] + 2
    forest.expand(jammed)
    jamming = np.linspace(0.1, 0.9, 169)
    for hand in range(169):
        first = forest.ground.trees.nodes.first[1 + hand]
        forest.ground.trees.nodes.sigma[first : first + 3] = [1 - jamming[hand], 0, jamming[hand]]
    return forest


def exact_jam_or_fold() -> tuple[np.ndarray, np.ndarray]:
    """EV of calling the all-in for every big blind hand, and how likely that is, from the exact table."""
    table, jamming = all_in_matrix(), np.linspace(0.1, 0.9, 169)
    pairs = table.pairs * jamming  # rows: the big blind's hand, columns: the button's
    ev = (pairs * (20 * table.equity - 10)).sum(1) / pairs.sum(1)
    return ev, pairs.sum(1) / (CLASS_SIZE * 1225)


def test_sampled_evs_and_reaches_are_right_within_their_standard_errors():
    """Against the exact all-in table: 169 EVs whose errors, in standard errors, look standard normal."""
    ev, reach = exact_jam_or_fold()
    forest = jam_or_fold(samples=4000, rng=5)
    forest.ground.look(forest.clock)
    nodes = forest.ground.trees.nodes
    call = nodes.first[nodes.first[169 + 1 : 2 * 169 + 1] + 2] + 1
    z = (forest.ground.node_ev()[call] - ev) / forest.ground.node_error()[call]
    assert np.abs(z).max() < 4.5 and abs(z.mean()) < 5 / 13 and 0.8 < z.std() < 1.2
    assert np.abs(forest.ground.sums[call, 0] / 4000 - reach).max() < 5 * 0.5 / np.sqrt(4000)


def test_four_times_the_deals_halve_the_error():
    few, many = (jam_or_fold(samples, rng=3) for samples in (500, 2000))
    for forest in (few, many):
        forest.ground.look(forest.clock)
    common = few.ground.node_error() > 0
    assert np.median(few.ground.node_error()[common] / many.ground.node_error()[common]) == pytest.approx(
        2, rel=0.1
    )


def sampled_ev(forest: Rebalance, node: int, seed: int) -> float:
    """EV of one node on a sample of its own tree's deals."""
    trees = forest.ground.trees
    tree = int(trees.nodes.tree[node])
    sample = draw_tree(forest.game, tree, 200, 0, (seed,))
    find_ranges(trees.nodes, trees.rows, sample, trees.members(tree), trees.ranges)
    sums, counts = np.zeros_like(forest.ground.sums), np.zeros(3, np.int64)
    room = fresh_scratch(len(trees.members(tree)), forest.game.n_players)
    sweep_tree(trees.nodes, trees.rows, sample, trees.members(tree), trees.ranges, room, sums, counts)
    return float(conditional_ev(sums)[node])


def test_shared_hands_reduce_the_variance_of_ev_differences():
    """Call or raise under the gun with JTs: on the same deals the difference is known twice as well."""
    forest = Rebalance(Holdem(6), samples=10)
    root = forest.ground.forest.root(2, forest.game.hand("JTs"))
    forest.expand([root])
    call = int(forest.ground.trees.nodes.first[root]) + 1
    calls = np.array([sampled_ev(forest, call, seed) for seed in range(300)])
    raises = np.array([sampled_ev(forest, call + 1, seed) for seed in range(300)])
    shared, apart = (raises - calls).var(), (raises - np.roll(calls, 1)).var()
    assert apart / shared > 1.7, apart / shared


# ---- the update --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["as written", "centred", "reach-weighted"])
def test_an_update_is_the_documents_formula(kind):
    forest = grown(epochs=2, ev=kind, scale=2.0)
    before = forest.ground.trees.nodes.sigma.copy()
    forest.rebalance()
    ev, nodes = forest.ground.node_ev(), forest.ground.trees.nodes
    for owner in forest.ground.trees.owners[:50]:
        below = slice(nodes.first[owner], nodes.first[owner] + nodes.count[owner])
        x = ev[below] - (before[below] @ ev[below] if kind == "centred" else 0)
        if kind == "reach-weighted":
            x = x * forest.ground.sums[below, 0] / forest.samples
        p = before[below] * (1 + np.tanh(x / 2.0))
        assert nodes.sigma[below] == pytest.approx(p / p.sum(), abs=1e-12)


def test_counting_from_the_node_forgets_chips_already_in():
    """The small blind's fold costs half a blind from the start of the hand, and nothing from the node."""
    forest = jam_or_fold(50, rng=0)
    forest.ground.look(forest.clock)
    from_start = forest.squeezed()
    forest.baseline = "node"
    folds = forest.ground.trees.actions[::1] == forest.ground.trees.nodes.first[1]
    assert from_start[folds] == -0.5 and forest.squeezed()[folds] == 0.0


def test_a_floor_keeps_every_action_alive():
    forest = grown(epochs=5, floor=0.05, scale=0.1)
    assert forest.ground.trees.nodes.sigma[forest.ground.trees.actions].min() >= 0.05 - 1e-12


# ---- manners -----------------------------------------------------------------------------------------------


def test_replays_resumes_and_threads_change_nothing():
    whole, halves, threads = (grown(epochs=0, rng=9, threads=n) for n in (1, 1, 2))
    whole.advance(9)
    threads.advance(9)
    halves.advance(5)
    again = Rebalance.from_state(halves.game, halves.state(), **halves.settings())
    fresh = Rebalance.from_state(
        Holdem(3, stack=10.0, buckets=MadeHands(2)), halves.state(), **halves.settings()
    )
    copied = halves.copy()
    for forest in (halves, again, fresh, copied):
        forest.advance(4)
    expected = whole.state()
    for forest in (halves, again, fresh, copied, threads):
        got = forest.state()
        assert all((got[name] == expected[name]).all() for name in expected if name != "seconds")


def test_another_seed_is_another_sample():
    assert (grown(rng=1).ground.node_ev() != grown(rng=2).ground.node_ev()).any()


def test_phases_add_up_to_a_sweep():
    stepped, told = grown(epochs=3, rng=4), grown(epochs=3, rng=4)
    stepped.rebalance()
    phases = list(told.phases())
    assert [phase.name for phase in phases] == ["leaves", "back-up", "update"]
    assert (told.ground.trees.nodes.sigma == stepped.ground.trees.nodes.sigma).all()
    assert len(phases[0].arrays["ev"]) == (told.ground.trees.nodes.first[1:] == 0).sum()


def test_a_snapshot_shows_the_public_tree():
    forest = grown(epochs=5)
    snap = forest.snapshot()
    assert snap.names.players == ("small blind", "big blind", "button") and len(snap.names.hands) == 169
    mix = snap.current.at("", hand="AA")
    assert list(mix) == ["fold", "call", "raise 100%", "all-in"] and sum(mix.values()) == pytest.approx(1)
    assert mix["fold"] < 0.25 and not snap.policy.sigma.flags.writeable
    assert set(snap.policy.frame().columns) >= {"player", "node", "hand", "action", "probability"}
    for policy in (snap.policy, snap.current):
        inner = np.flatnonzero(snap.tree.player >= 0)
        totals = [
            policy.sigma[snap.tree.first[n] : snap.tree.first[n] + snap.tree.count[n]].sum(0) for n in inner
        ]
        assert np.allclose(totals, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frontier": 4}, "4 is no frontier rule"),
        ({"scale": 0}, "a scale of 0 cannot be used"),
        ({"scale": float("inf")}, "a scale of inf cannot be used"),
        ({"squash": "sine"}, "there is no squash 'sine'"),
        ({"ev": "raw"}, "there is no kind of EV 'raw'"),
        ({"samples": 0}, "deals a tree is 0"),
        ({"sweeps": 0}, "sweeps is 0"),
        ({"rng": -1}, "seed is -1"),
        ({"floor": 1}, "a floor of 1 cannot be kept"),
        ({"weighting": "hands"}, "there is no weighting 'hands'"),
        ({"samples": 10**8}, "use at most"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings, message):
    with pytest.raises(SolverlabError, match=message.replace("(", r"\(")):
        Rebalance(Holdem(2), **settings)


def test_a_forest_and_its_table_say_what_they_are():
    forest = Rebalance(Holdem(3, stack=(3, 6, 12.5)), frontier=MostReached(2), samples=10, sweeps=1)
    assert repr(forest) == "Rebalance(3-handed no-limit hold'em, tanh, 0 sweeps, epoch 0, 507 nodes)"
    assert repr(forest.game) == "3-handed no-limit hold'em: 3, 6, 12.5 big blinds, 169 hands"
