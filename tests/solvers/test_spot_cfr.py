"""CFR over boards against its naive twin, itself counted in other ways, and other modules' numbers."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.cards import COMBOS, cards_text
from solverlab.core.boards.game import Place
from solverlab.core.check_solver import check_solver
from solverlab.core.errors import SolverlabError
from solverlab.naive.spot import NaiveSpot
from solverlab.solvers.boards.cfr import SpotCFR

FEW = ("QQ, 99, A5s, KdQd:0.5, 76s", "TT, 88, AQs, KdQd, 65s, AdAc")
RIVER, TURN, FLOP = "Td9d6hQc3s", "Td9d6hQc", "Td9d6h"


def hands_of(spot: sl.Spot) -> np.ndarray:
    return np.flatnonzero((spot.hands[0].weight > 0) | (spot.hands[1].weight > 0))


def twin_of(spot: sl.Spot) -> NaiveSpot:
    hands = hands_of(spot)
    return NaiveSpot(spot.board, spot.rounds, hands, np.stack([one.weight[hands] for one in spot.hands]))


def numbers(twin: NaiveSpot) -> list[float]:
    return [twin.value(0), twin.value(1), twin.best(0), twin.best(1)]


def measured(spot: sl.Spot, solver: SpotCFR) -> list[float]:
    found = spot.measure(solver.snapshot().policy)
    return [*found.values, *found.best]


@pytest.mark.parametrize(
    ("board", "menu", "schedule", "rake", "iterations"),
    [
        (RIVER, ("60%, a", "2.5x, a"), "DCFR-R", 0.0, 5),
        (RIVER, ("60%, a", "2.5x, a"), "CFR+", 0.0, 5),
        (RIVER, ("60%, a", "2.5x, a"), "DCFR", 0.05, 5),
        (TURN, ("60%", "a"), "LCFR", 0.0, 2),
    ],
)
def test_it_learns_what_its_plain_twin_learns(board, menu, schedule, rake, iterations):
    """Later a regret that is exactly 0 in theory may round to either side: then only the measures
    agree."""
    spot = sl.Spot(board, 200, 900, FEW, *menu, rake=rake, rake_cap=40)
    solver, twin = SpotCFR(spot, schedule), twin_of(spot)
    for t in range(iterations):
        twin.iterate(solver._rates(t).tolist())
    solver.step(iterations)
    np.testing.assert_allclose(measured(spot, solver), numbers(twin), atol=2e-4)


def test_a_policy_is_measured_as_its_plain_twin_measures_it():
    spot = sl.Spot(TURN, 200, 900, FEW, "60%", "a", merge_suits=False)
    solver, twin = SpotCFR(spot), twin_of(spot)
    policy = solver.step(20).policy
    names = [cards_text(COMBOS[hand][::-1]) for hand in hands_of(spot)]
    for number, (betting, boards) in enumerate(zip(spot.rounds, spot.boards, strict=True)):
        for board in range(boards.number):
            for node in np.flatnonzero(betting.kind < 2).tolist():
                place, player = Place(number, board, node, 0), int(betting.kind[node])
                shares, rows = policy.shares(place, player), np.ones((int(betting.count[node]), len(names)))
                rows[:, [names.index(hand) for hand in spot.columns(place, player)]] = shares
                twin.total[tuple(boards.cards[board].tolist()), number, node] = rows
    np.testing.assert_allclose(measured(spot, solver), numbers(twin), atol=2e-4)


def test_without_bets_a_spot_is_worth_its_equity():
    """The whole flop: turns, rivers, renamings of suits, card removal; counted by another module."""
    ranges = ("TT+, AQs+, 87s", "99-66, AJs+, KQo, 54s")
    spot = sl.Spot(FLOP, 200, 900, ranges, bets="", raises="")
    equity = float(sl.equity(*ranges, FLOP))
    values = measured(spot, SpotCFR(spot))[:2]
    assert values[0] == pytest.approx(200 * (equity - 0.5), abs=1e-4)
    assert values[1] == pytest.approx(-values[0], abs=1e-4)


def test_renaming_suits_changes_nothing_but_the_work():
    merged, apart = (sl.Spot(FLOP, 200, 300, FEW, "a", "", merge_suits=merge) for merge in (True, False))
    assert [boards.number for boards in merged.boards] == [1, 49, 2352]  # KdQd and AdAc tell suits apart
    free = ("QQ, 99, A5s", "TT, 88, AQs")
    merged, apart = (sl.Spot(FLOP, 200, 300, free, "a", "", merge_suits=merge) for merge in (True, False))
    assert [[b.number for b in spot.boards] for spot in (merged, apart)] == [[1, 36, 1429], [1, 49, 2352]]
    solvers = [SpotCFR(spot) for spot in (merged, apart)]
    for solver in solvers:
        solver.step(1)
    np.testing.assert_allclose(
        *(measured(spot, solver) for spot, solver in zip((merged, apart), solvers, strict=True)), rtol=1e-5
    )
    line = "check/check/2c/check/check"
    policies = [solver.snapshot().policy for solver in solvers]
    for hand in ("As5s", "Ac5c"):  # a turn and a river that are stored as others
        assert policies[0].at(f"{line}/7s", hand) == pytest.approx(
            policies[1].at(f"{line}/7s", hand), abs=1e-4
        )


def test_any_number_of_threads_gives_the_same_bits():
    spot = sl.Spot(TURN, 200, 900, ("66+, A8s+, KQo", "QQ-22, AQs-A2s"), "60%, a", "2.5x")
    states = []
    for threads in (1, 2):
        solver = SpotCFR(spot, threads=threads)
        solver.walk.tasks = solver.walk._tasks(columns=1)  # one board each, as on a flop
        solver.step(3)
        states.append(solver.state())
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0] if name != "seconds")


@pytest.mark.parametrize("board", [RIVER, TURN])
def test_it_keeps_the_contract_of_a_solver(board):
    spot = sl.Spot(board, 200, 900, ("QQ+, A5s", "JJ-66"), "60%", "a")
    check_solver(SpotCFR(spot, "DCFR"), schedule="DCFR")


# Ranges, menu and numbers of a public spot, told by another solver: nodes, the interval that holds what the
# player in position wins beyond half the pot, and the equity of the player out of position.
PUBLIC = (
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
)
SWITCHES = {"add_allin": 1.5, "force_allin": 0.15, "merge": 0.1}


@pytest.mark.parametrize(
    ("board", "nodes", "interval", "equity", "iterations"),
    [
        (RIVER, [27], (8.124, 8.164), None, 400),
        (TURN, [51, 155], (7.923, 8.123), 0.530603, 150),
    ],
)
def test_a_public_spot_has_its_public_value(board, nodes, interval, equity, iterations):
    spot = sl.Spot(board, 200, 900, PUBLIC, "60%, e, a", "2.5x", **SWITCHES)
    assert [len(betting.kind) for betting in spot.rounds] == nodes
    assert equity is None or float(sl.equity(*PUBLIC, board)) == pytest.approx(equity, abs=5e-7)
    solver = SpotCFR(spot)
    solver.step(iterations)
    values, best = np.split(np.array(measured(spot, solver)), 2)
    low, high = -best[0], best[1]  # whatever an equilibrium gives the player in position lies between
    assert low <= values[1] <= high and high - low < 1.2
    assert low < interval[1] and interval[0] < high


def test_solve_finds_it_and_reaches_a_part_of_the_pot():
    spot = sl.Spot(RIVER, 200, 900, ("66+, A8s+, KQo", "QQ-22, AQs-A2s"), "60%, a", "2.5x")
    snap = sl.solve(spot)
    assert snap.exploitability <= 0.003 * 200 and snap.status is sl.Status.REACHED
    assert sl.exploitability(spot, snap.policy) == pytest.approx(snap.exploitability)
    assert sum(snap.policy.at("check/bet 120", "AsKs").values()) == pytest.approx(1)


def test_a_policy_of_large_tables_ends_with_the_next_step(monkeypatch):
    monkeypatch.setattr("solverlab.solvers.boards.cfr.COPIED", 0)
    spot = sl.Spot(RIVER, 200, 900, ("QQ+, A5s", "JJ-66"), "60%", "a")
    solver = SpotCFR(spot)
    snap = solver.step(2)
    assert snap.policy.at("", "QsQh")
    solver.step(1)
    with pytest.raises(sl.SolverlabError, match="stepped on since; take solver.snapshot"):
        snap.policy.at("", "QsQh")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda spot: SpotCFR(sl.Kuhn()), "SpotCFR does not take Kuhn poker; give a postflop spot"),
        (lambda spot: SpotCFR(spot, "PCFR+"), "PCFR[+] predicts"),
        (lambda spot: SpotCFR(spot, threads=0), "cannot use 0 threads"),
        (lambda spot: SpotCFR(spot).step(-1), "cannot run -1 iterations"),
        (lambda spot: sl.solve(spot, sampling="external"), "leave out tie and sampling"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(make, sentence):
    with pytest.raises(sl.SolverlabError, match=sentence):
        make(sl.Spot(RIVER, 200, 900, ("QQ+, A5s", "JJ-66"), "60%", "a"))


def test_slices_left_halfway_are_gone_on_with_and_policies_end_with_the_next_slice(monkeypatch):
    monkeypatch.setattr("solverlab.solvers.boards.cfr.COPIED", 0)
    spot = sl.Spot("Td9d6hQc", 200, 900, ("QQ+, A5s", "JJ-66"), bets="50%", raises="a")
    sliced, whole = sl.SpotCFR(spot), sl.SpotCFR(spot)
    policy = sliced.snapshot().policy
    next(sliced.slices())
    with pytest.raises(SolverlabError):
        policy.at("")
    next(sliced.slices())
    sliced.step(1)  # finishes the first iteration, then does another
    whole.step(2)
    assert sliced.iteration == whole.iteration == 2
    for name, table in whole.state().items():
        assert name == "seconds" or np.array_equal(table, sliced.state()[name])
