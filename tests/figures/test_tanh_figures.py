"""The figures of document 000 say what is true: spirals, rest, growth, shared hands, branches."""

from __future__ import annotations

import re
from itertools import product
from math import comb

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.figures import branching, crn, growth
from solverlab.studies.branching import OneTree, branching_between, no_limit_ways, table_rules, tree_sizes
from solverlab.studies.shared_hands import variance_ratio
from solverlab.studies.tanh import PORTRAITS, best_scales, first_rest, race, way

# ---- tanh-phase --------------------------------------------------------------------------------------------


def test_on_matching_pennies_the_spiral_runs_outwards(made):
    table = made["tanh-phase"].table("matching-pennies")
    spiral = table[(table["scale"] == 4.0) & (table["sweep"] <= 200)]
    swings = [spiral["x"].sub(0.5).abs()[begin : begin + 50].max() for begin in (0, 50, 100, 150)]
    assert swings == sorted(swings) and swings[0] < 0.1 and swings[-1] > 0.45
    # The relative entropy from the equilibrium to the strategy grows with every sweep.
    away = -sum(np.log(4 * spiral[name] * (1 - spiral[name])) for name in ("x", "y"))
    assert (np.diff(away) > 0).all()


def test_on_matching_pennies_tanh_is_hedge():
    """log(1 + tanh x) - log(1 - tanh x) = 2x, so the log odds move by twice the EV over the scale."""
    rows = way(PORTRAITS["matching pennies"], scale=4.0, sweeps=50)
    x, y = (np.array([row[name] for row in rows]) for name in ("x", "y"))
    odds = np.log(x / (1 - x))
    assert np.abs(np.diff(odds)) == pytest.approx(2 * np.abs(2 * y[:-1] - 1) / 4, abs=1e-9)


def test_rest_is_lock_in_at_the_worst_strategy(made):
    facts = made["tanh-phase"].facts
    for game in ("matching pennies", "rock-paper-scissors"):
        about = f"{game}, scale 1"
        assert facts[f"{about}: first at rest after so many sweeps"] < 200
        assert facts[f"{about}: exploitability at that rest"] > 0.999
    assert facts["Kuhn poker, scale 1: exploitability at that rest"] > 0.1


def test_rest_is_not_for_ever():
    """After its rest the same run goes from one side to the other: what rested was not an end."""
    rows = way(PORTRAITS["matching pennies"], scale=1.0, sweeps=400)
    rest = first_rest(rows)
    later = [row["x"] for row in rows if row["sweep"] > rest["sweep"]]
    assert max(later) > 0.999 and min(later) < 0.001


def test_the_average_of_a_larger_scale_is_better_in_the_end(made):
    facts = made["tanh-phase"].facts
    for game in PORTRAITS:
        ends = [facts[f"{game}, scale {s}: exploitability of the average, 400 sweeps"] for s in (1, 16)]
        assert ends[1] < ends[0]


# ---- tanh-vs-cfr -------------------------------------------------------------------------------------------


def test_cfr_is_better_than_tanh_at_its_best_scale_where_an_equilibrium_mixes(made):
    facts = made["tanh-vs-cfr"].facts
    assert facts["Kuhn poker: best tanh average over the average of CFR"] > 5
    assert facts["Kuhn poker, tanh as written, scale 16: strategy now played"] > 0.05


def test_the_same_on_leduc():
    best = best_scales(race("leduc", (16.0, 64.0), sweeps=300))
    tanh = min(row["average_exploitability"] for row in best.values() if row["scale"] is not None)
    assert tanh > 3 * best["CFR"]["average_exploitability"] > 9 * best["CFR+"]["average_exploitability"]


def test_in_push_fold_the_strategy_now_played_converges(made):
    facts = made["tanh-vs-cfr"].facts
    name = "push/fold, 10 big blinds, tanh as written, scale 1"
    assert facts[f"{name}: strategy now played"] < 1e-3
    table = made["tanh-vs-cfr"].table("race")
    one = table[(table["game"] == sl.PushFold(10).name) & (table["who"] == "as written, scale 1")]
    assert one["exploitability"].iloc[-1] < one["exploitability"].iloc[4] / 5


def test_the_distances_are_exact(made):
    table = made["tanh-vs-cfr"].table("race").set_index(["game", "who", "sweep"])
    game = sl.Kuhn()
    snap = sl.Rebalance(game, scale=16.0, ev="centred").step(1000)
    row = table.loc[(game.name, "centred, scale 16", 1000)]
    assert row["exploitability"] == pytest.approx(sl.exploitability(game, snap.current), abs=1e-12)
    assert row["average_exploitability"] == pytest.approx(sl.exploitability(game, snap.policy), abs=1e-12)
    assert len(made["tanh-vs-cfr"].table("squashes")) == 6 * 3


# ---- growth ------------------------------------------------------------------------------------------------


def test_growing_helps_in_the_whole_game_and_less_than_the_whole_tree(made):
    table = made["growth"].table("kuhn")
    whole = table[table["order"] == "whole tree"]["lifted"].item()
    for _, rows in table[table["k"].notna()].groupby(["order", "k"]):
        assert rows["action_nodes"].is_monotonic_increasing and rows["action_nodes"].iloc[-1] == 12
        assert whole < rows["lifted"].iloc[-1] < rows["lifted"].iloc[0] == pytest.approx(11 / 24)


def test_popular_paths_do_not_beat_breadth_first_but_evs_do(made):
    """The control looks at nothing; the mean on the way weighs every number of decisions alike."""
    table, facts = made["growth"].table("kuhn"), made["growth"].facts
    assert set(table["order"]) == {"MostReached", "HighestEV", "MostAtStake", "Oldest", "UCT", "whole tree"}
    for k in (1, 2, 4):
        orders = ("oldest (control)", "most reached", "highest EV", "most at stake")
        oldest, reached, *by_ev = (facts[f"Kuhn poker, {o}, k = {k}: mean on the way"] for o in orders)
        assert oldest < reached + 0.02 and max(by_ev) < oldest
        rows = table[(table["order"] == "Oldest") & (table["k"] == k)]
        steps = zip(rows["lifted"].rolling(2).mean(), rows["action_nodes"].diff(), strict=True)
        assert oldest == pytest.approx(sum(far * wide for far, wide in list(steps)[1:]) / 12)


def test_the_caption_leaves_what_was_measured_to_the_facts(made):
    facts = made["growth"].facts
    means = [facts[f"Kuhn poker, most reached, k = {k}: mean on the way"] for k in (1, 2, 4)]
    told = facts["Kuhn poker: mean on the way, order by order"]
    assert told.startswith(f"most reached {min(means):.2f} to {max(means):.2f}, highest EV ")
    assert facts["Kuhn poker: growths in which the most reached beat the oldest"].endswith(" of 3")
    assert not re.search(r"\d\.\d", growth.CAPTION)


def test_a_larger_truncated_game_is_not_solved_more_accurately(made):
    """The document hopes for arbitrary accuracy inside: it is 0 before anybody decides, and grows."""
    table = made["growth"].table("kuhn")
    for _, rows in table[table["k"].notna()].groupby(["order", "k"]):
        assert rows["inside"].iloc[0] == 0 and rows["inside"].iloc[-1] > 0.1
        assert rows["inside"].iloc[-1] == pytest.approx(rows["lifted"].iloc[-1])  # the whole tree by then


def test_uct_stands_beside_it(made):
    rows = made["growth"].table("kuhn").query("order == 'UCT'")
    assert list(rows["iteration"]) == [10, 100, 3000] and rows["action_nodes"].iloc[-1] == 12
    assert rows["lifted"].iloc[-1] < 0.1


def test_on_one_truncated_tree_cfr_is_nearer_and_an_onlooker_sees_both_far_away(made):
    assert made["growth"].facts["Kuhn poker, cut: best tanh average over that of CFR+"] > 100
    race = made["growth"].table("race")
    ends = race[race["sweep"] == 500].set_index("who")
    assert list(ends.index) == ["CFR", "CFR+", "tanh, scale 8"] and (ends["action_nodes"] == 8).all()
    assert ends["own"]["CFR+"] < 1e-5 < ends["own"]["tanh, scale 8"] < 0.02
    assert (ends["inside"] > 0.2).all()


# ---- crn ---------------------------------------------------------------------------------------------------


def test_bare_leaves_differ_in_their_stakes_alone(made):
    levels = made["crn"].table("levels").set_index("level")
    assert levels["ratio"][0] == pytest.approx((1 + 3.5**2) / (3.5 - 1) ** 2, abs=1e-9)


def test_shared_hands_save_deals(made):
    for name in ("levels", "samples"):
        table = made["crn"].table(name)
        assert (table["ratio"] - 4 * table["error"] > 2).all()
    leaves = made["crn"].table("leaves")
    assert leaves["ratio"].median() > 1 and (leaves["ratio"] > 1 - 5 * leaves["error"]).all()


def test_the_ratio_is_that_of_the_correlation():
    """Two EVs of equal variance and correlation r: the ratio is 1 / (1 - r)."""
    rng = np.random.default_rng(3)
    one, other = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 20_000).T
    found = variance_ratio(one, other, rng)
    assert abs(found.ratio - 2.5) < 5 * found.error < 0.25


# ---- branching ---------------------------------------------------------------------------------------------


def test_three_to_the_ninth():
    """Ten players: 3^9 without a cap after a raise; with four bets by hand, j more raises among nine."""
    free, capped = (OneTree(table_rules(10, bets=bets)).between() for bets in (20, 4))
    assert free["raise"] == 3**9 == 19_683
    assert capped["raise"] == sum(comb(9, j) * 2 ** (9 - j) for j in range(3)) == 7_424
    # After a call three raises are left, and the big blind does not fold where nobody raised before it.
    assert capped["call"] == sum(comb(9, j) * 2 ** (9 - j) for j in range(4)) - 2**8 == 12_544
    for number in (3**9, capped["call"], capped["raise"]):
        assert f"{number:,}" in branching.CAPTION
    assert f"= {(1 + 3.5**2) / 2.5**2:.2f};" in crn.CAPTION


def test_the_power_is_that_of_a_table_without_a_cap():
    """N to the opponents, for every table: what the rules count where nothing takes a choice away."""
    for players in range(2, 11):
        assert branching_between(players, 3) == OneTree(table_rules(players, bets=20)).between()["raise"]
    assert branching_between(10, 20) == 20**9 and branching_between(2, 2) == 2
    for players, actions in ((1, 3), (11, 3), (3, 1), (3, 21), (2.5, 3), (True, 3), ("ten", 3)):
        with pytest.raises(BadValue, match="give a whole number from 2 to"):
            branching_between(players, actions)


def test_heads_up_by_hand():
    """Facing k bets there are 9, 6 and 3 nodes for k = 2, 3, 4; root, fold, call (check, raise) and raise."""
    tree = OneTree(table_rules(2))
    assert tree.passive_nodes() == 1 + 1 + (1 + 1 + 9) + 9 == 22
    assert tree.counts() == (4, 4, 14) and tree.standard_nodes() == 18
    assert tree.second_decision() == (1 + 1 + 2 + 3, 1 + 3 + 2)


def test_counts_are_those_of_a_walk_through_every_line():
    """Three players: every line of fold, call and raise followed one by one, nothing merged."""
    from solverlab.games.betting.states import first_state, following

    rules, seat = table_rules(3), 2
    decisions = passive = ends = 0
    waiting = [first_state(rules.row)]
    while waiting:
        state = waiting.pop()
        if state.actor < 0 or not state.live[seat]:
            ends += 1
            continue
        decisions, passive = decisions + (state.actor == seat), passive + (state.actor != seat)
        waiting += following(rules.row, state).values()
    assert OneTree(rules, seat).counts() == (decisions, passive, ends)


def test_passive_nodes_make_the_tree_larger_and_one_step_cheap(made):
    table = made["branching"].table("limit")
    extra = table["nodes with passive nodes"] - table["nodes without passive nodes"]
    assert (extra == table["passive nodes"]).all()
    assert (table["kept for a second decision, with passive nodes"] <= 1 + 3 * table["players"]).all()
    assert tree_sizes(6)["kept for a second decision, without passive nodes"] == 2 + 216 + 192


def test_no_limit_has_fewer_ways_than_choices_to_the_power_of_opponents():
    row = no_limit_ways(4)
    assert row["power"] == 64 and max(row["after call"], row["after raise 100%"]) < 64
    assert row["after all-in"] == len(list(product(("fold", "call"), repeat=3)))
