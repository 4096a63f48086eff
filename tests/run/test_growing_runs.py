"""Trees that grow, their past, and the ways they could have gone."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, UnknownName
from solverlab.games.holdem.buckets import MadeHands
from solverlab.run.growing.exact import ExactRun
from solverlab.run.growing.rows import ACTION, DEAL, END, LEAF, Pick
from solverlab.run.growing.sampled import SampledRun
from solverlab.run.growing.timeline import Timeline
from solverlab.run.growing.watched import GrowingRun


def forest(k: int = 2, **settings) -> SampledRun:
    table = sl.Holdem(players=3, stack=20, buckets=MadeHands(3), max_raises=2)
    chosen = {"frontier": sl.MostReached(k), "samples": 60, "sweeps": 2, "rng": 3} | settings
    return SampledRun(sl.Rebalance(table, **chosen))


def small(game: str = "kuhn", k: int = 2, **settings) -> ExactRun:
    makers = {"kuhn": sl.Kuhn, "kuhn-3": lambda: sl.Kuhn(players=3), "leduc": sl.Leduc}
    return ExactRun(sl.Rebalance(makers[game](), frontier=sl.MostReached(k), sweeps=2, **settings))


def pennies() -> ExactRun:
    return ExactRun(sl.Rebalance(sl.MatchingPennies(), start=0.6, tolerance=1e-6))


MAKERS = {"forest": forest, "kuhn": small, "leduc": lambda: small("leduc", 5), "pennies": pennies}


@pytest.fixture(params=MAKERS)
def growing(request) -> GrowingRun:
    return MAKERS[request.param]()


def equal_states(one: dict, other: dict) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one if name != "seconds")


# ---- rows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("apart", [True, False])
def test_rows_keep_their_places_while_trees_grow(growing, apart):
    line, pick = Timeline(growing), Pick(apart=apart)
    before = None
    for _ in range(12):
        line.advance()
        rows = growing.rows(pick)
        assert (rows.parent < np.arange(len(rows.parent))).all()
        assert len(rows.label) == len(rows.kind) == len(rows.ev) == len(rows.parent)
        if before is not None:
            size = len(before.parent)
            assert len(rows.parent) >= size
            assert rows.label[:size] == before.label
            for name in ("parent", "seat", "node", "hand"):
                assert np.array_equal(getattr(rows, name)[:size], getattr(before, name))
        before = rows


@pytest.mark.parametrize("name", ["forest", "kuhn", "leduc"])
def test_reach_flows_from_a_decision_to_its_actions(name):
    """Below a node the reach of its children adds up to its own, by choices and by cards alike."""
    growing = MAKERS[name]()
    line = Timeline(growing)
    for _ in range(9):
        line.advance()
    for apart in (True, False):
        rows = growing.rows(Pick(apart=apart))
        inner = [i for i in np.unique(rows.parent[rows.parent >= 0]) if rows.node[i] >= 0]
        if not apart:  # drawn as one, a node may have grown for some hands only
            inner = [
                i for i in inner if rows.node[i] == 0 and growing.hand_sizes(int(rows.seat[i])).min() > 1
            ]
        for i in inner:
            assert rows.reach[rows.parent == i].sum() == pytest.approx(rows.reach[i], abs=1e-9)
        assert np.nanmax(rows.reach) <= 1 + 1e-9


def test_one_hand_alone_is_that_hands_tree():
    growing = forest()
    line = Timeline(growing)
    for _ in range(8):
        line.advance()
    aces = growing.hands.index("AA")
    rows = growing.rows(Pick(2, (aces,)))
    assert set(rows.hand.tolist()) == {-1, aces} and set(rows.seat.tolist()) == {2}
    assert len(rows.parent) == growing.hand_sizes(2)[aces] + 1  # and the seat's own row
    kinds = set(rows.kind.tolist())
    assert DEAL in kinds and ACTION in kinds and LEAF in kinds


def test_hands_drawn_as_one_weigh_their_combos():
    growing = forest()
    growing.rebalance()
    rows = growing.rows(Pick(apart=False))
    ev = growing.ground.node_ev()[1:].reshape(3, 169)
    combos = growing.game.hand_combos / 1326
    assert rows.ev == pytest.approx(ev @ combos)
    apart = growing.rows(Pick(apart=True))
    assert apart.ev == pytest.approx(ev @ combos)


def test_the_end_of_a_hand_is_told_from_a_leaf_that_may_grow():
    growing = small("kuhn", 6)
    line = Timeline(growing)
    while growing.size < 30:
        line.advance()
    rows = growing.rows(Pick())
    tree = growing.game.tree
    for kind, node in zip(rows.kind, rows.node, strict=True):
        assert (kind == END) == (node >= 0 and tree.leaf[node] >= 0)


def test_an_unknown_seat_is_refused():
    for growing in (forest(), small()):
        with pytest.raises(UnknownName, match="seat"):
            growing.rows(Pick(seat=9))


# ---- one node ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["forest", "kuhn", "leduc", "pennies"])
def test_an_inspected_update_can_be_done_by_hand(name):
    """p before times 1 + squash, renormalised, is p after: at every decision of every tree."""
    growing = MAKERS[name]()
    line = Timeline(growing)
    for _ in range(6):
        line.advance()
    rows, seen = growing.rows(Pick()), 0
    for i in np.flatnonzero(rows.kind == ACTION):
        hand = max(int(rows.hand[i]), 0)
        told = growing.inspect(int(rows.seat[i]), int(rows.node[i]), hand)
        assert told.kind == "action"
        moved = np.array([row.before * (1 + row.squashed) for row in told.actions])
        after = np.array([row.after for row in told.actions])
        assert np.tanh([row.squeezed for row in told.actions]) == pytest.approx(
            [row.squashed for row in told.actions]
        )
        if told.others > 1e-12 and moved.sum() > 1e-9:
            assert moved / moved.sum() == pytest.approx(after, abs=1e-9)
            seen += 1
    assert seen


def test_a_tree_that_ends_before_a_node_is_told():
    growing = forest(k=1)
    line = Timeline(growing)
    for _ in range(4):
        line.advance()
    rows = growing.rows(Pick())
    deep = int(rows.node.max())
    seat = int(rows.seat[rows.node.argmax()])
    with pytest.raises(BadValue, match="ends before this node; grow it first"):
        growing.inspect(seat, deep, growing.hands.index("72o"))
    exact = small("kuhn", 1)
    with pytest.raises(BadValue, match="ends before this node"):
        exact.inspect(0, 5, 0)


def test_asked_for_nodes_grow_and_others_are_refused():
    growing = forest()
    growing.rebalance()
    kings = growing.hands.index("KK")
    assert [line.hand for line in growing.expand([(2, 0, kings)])] == ["KK"]
    with pytest.raises(BadValue, match="not on the frontier"):
        growing.expand([(2, 0, kings)])
    assert growing.inspect(2, 0, kings).grown == "asked for"


def test_who_plays_what_at_a_node():
    growing = small("kuhn", 3)
    line = Timeline(growing)
    for _ in range(8):
        line.advance()
    actions, table = growing.hand_table(0, 0)
    assert actions == ["check", "raise"] and table.shape == (3, 2)
    assert np.allclose(table.sum(1), 1)
    assert growing.hand_table(1, 0)[0] == []
    assert growing.hands_at(0, 0)


# ---- measures ----------------------------------------------------------------------------------------------


def test_exact_measures_are_the_exact_distances():
    growing = small("leduc", 5)
    line = Timeline(growing)
    for _ in range(6):
        line.advance()
    row, snap = line.rows[-1], growing.solver.snapshot()
    assert row["lifted"] == pytest.approx(sl.exploitability(growing.game, snap.policy))
    assert row["current_lifted"] == pytest.approx(sl.exploitability(growing.game, snap.current))
    assert len(row["gains"]) == 2


def test_the_alarm_fires_on_matching_pennies():
    line = Timeline(pennies())
    while not line.rows or line.rows[-1]["change"] >= 1e-6:
        assert not (line.rows and line.rows[-1]["alarm"])
        line.advance()
    assert line.rows[-1]["alarm"] and line.rows[-1]["current_lifted"] > 0.999


def test_a_forest_has_a_gain_for_every_seat():
    line = Timeline(forest())
    for _ in range(6):
        line.advance()
    gains = line.rows[-1]["gains"]
    assert len(gains) == 3 and min(gains) >= -1e-12 and max(gains) > 0


# ---- time --------------------------------------------------------------------------------------------------


def test_playing_on_from_any_moment_repeats_what_happened(growing):
    line = Timeline(growing)
    for _ in range(10):
        line.advance()
    end, sweeps = line.growing.state(), line.growing.iteration
    rows = [{**row} for row in line.rows]
    for place in (len(line.moments) // 2, 1, 0):
        line.go_to(place)
        assert line.growing.iteration == line.moments[place].sweep
        while line.growing.iteration < sweeps:
            line.advance()
        assert equal_states(end, line.growing.state())
        assert line.rows == rows


def test_looking_back_loses_nothing_until_the_next_step():
    line = Timeline(small())
    for _ in range(6):
        line.advance()
    kept = len(line.moments)
    line.go_to(1)
    line.go_to(kept - 1)
    assert len(line.moments) == kept and line.growing.iteration == 6
    line.go_to(1)
    line.advance()
    assert len(line.moments) <= 4


def test_a_branch_goes_its_own_way_and_leaves_the_old_one_alone(growing):
    line = Timeline(growing)
    for _ in range(8):
        line.advance()
    end = line.growing.state()
    line.go_to(3)
    other = line.branch("steeper", scale=0.1)
    line.go_to(len(line.moments) - 1)
    for _ in range(5):
        other.advance()
    assert equal_states(end, line.growing.state())
    assert not equal_states(end, other.growing.state())
    assert other.rows[0] == line.rows[0] and other.name == "steeper"


def test_sub_steps_are_one_sweep():
    for make in (forest, small, pennies):
        walked, stepped = Timeline(make()), Timeline(make())
        names = []
        while not walked.rows:
            names.append(walked.sub_step().name)
        stepped.rebalance()
        assert names[0] == "leaves" and names[-1] == "update" and "back-up" in names
        assert equal_states(walked.growing.state(), stepped.growing.state())
        walked.sub_step()
        walked.expand() if walked.growing.grows else walked.rebalance()  # finishes the sweep under way
        assert walked.growing.iteration == 2


def test_old_moments_are_thinned_when_they_weigh_too_much():
    line = Timeline(small("leduc", 5), most_bytes=800_000)
    for _ in range(40):
        line.advance()
    assert sum(moment.bytes for moment in line.moments) <= 800_000
    assert line.moments[0].sweep == 0 and line.moments[-1].sweep == 40
    sweeps = [moment.sweep for moment in line.moments]
    assert sweeps == sorted(sweeps) and line.place == len(line.moments) - 1


def test_a_moment_that_is_not_there_is_refused():
    with pytest.raises(BadValue, match="there is no moment 7; 1 are kept"):
        Timeline(small()).go_to(7)


def test_a_watched_probability_has_a_past():
    line = Timeline(pennies())
    for _ in range(5):
        line.advance()
    words, watch = line.growing.watches()[0]
    path = line.path(watch)
    assert words == "first: heads" and path[0] == 0.6 and len(path) == 6
    grown = Timeline(forest())
    for _ in range(4):
        grown.advance()
    assert np.isnan(grown.path(grown.growing.forest.columns.size - 1)[0])


def test_going_on_from_an_earlier_moment_forgets_all_that_came_after_it():
    line = Timeline(small(k=1))
    for _ in range(8):
        line.advance()
    told = list(line.log)
    line.go_to(1)
    assert list(line.log) == told and line.left_at is None  # kept until the next step
    grown = line.expand()
    assert list(line.log) == grown and line.left_at == 1
    assert [row["sweep"] for row in line.rows] == [1] and line.place == len(line.moments) - 1 == 2
    line.rebalance()
    assert [row["sweep"] for row in line.rows] == [1, 2]
