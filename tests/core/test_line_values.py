"""EV, equity and weight by hand at a line: against the naive twin, another module's equities, and laws."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.cards.cards import COMBOS, cards_text
from solverlab.core.boards.game import Place
from solverlab.core.errors import BadValue, NotMeasured, UnknownName
from solverlab.naive.spot import NaiveSpot

FEW = ("QQ, 99, A5s, KdQd:0.5, 76s", "TT, 88, AQs, KdQd, 65s, AdAc")
RIVER, TURN, FLOP = "Td9d6hQc3s", "Td9d6hQc", "Td9d6h"


def twin_of(spot: sl.Spot, policy) -> tuple[NaiveSpot, list[str]]:
    """The naive twin with the policy's own play in its tables, and the names of its hands."""
    hands = np.flatnonzero((spot.hands[0].weight > 0) | (spot.hands[1].weight > 0))
    twin = NaiveSpot(spot.board, spot.rounds, hands, np.stack([one.weight[hands] for one in spot.hands]))
    names = [cards_text(COMBOS[hand][::-1]) for hand in hands]
    for number, (betting, boards) in enumerate(zip(spot.rounds, spot.boards, strict=True)):
        for board in range(boards.number):
            for node in np.flatnonzero(betting.kind < 2).tolist():
                place, player = Place(number, board, node, 0), int(betting.kind[node])
                rows = np.ones((int(betting.count[node]), len(names)))
                columns = [names.index(hand) for hand in spot.columns(place, player)]
                rows[:, columns] = policy.shares(place, player)
                twin.total[tuple(boards.cards[board].tolist()), number, node] = rows
    return twin, names


@pytest.mark.parametrize(
    "line", ["", "check", "check/bet 120", "check/bet 120/call/2s", "check/check/Ad/bet 120"]
)
def test_evs_are_those_of_the_plain_twin(line):
    spot = sl.Spot(TURN, 200, 900, FEW, "60%", "a", merge_suits=False)
    policy = sl.SpotCFR(spot).step(20).policy
    twin, names = twin_of(spot, policy)
    place, read = spot.place(line), policy.line(line)
    board = tuple(spot.boards[place.round].cards[place.board].tolist())
    nodes = [place.node, *(spot.rounds[place.round].first[place.node] + np.arange(len(read.actions)))]
    for me in range(2):
        other, hands = np.zeros(len(names)), read.players[me]
        for hand, weight in zip(read.players[1 - me].hands, read.players[1 - me].weight, strict=True):
            other[names.index(hand)] = weight
        columns = [names.index(hand) for hand in hands.hands]
        met = (twin.apart @ other)[columns]
        values = [
            twin._walk(me, twin.averaged, (board, place.round, int(node)), other, np.ones(len(names)))[
                columns
            ]
            for node in (nodes if me == read.actor else nodes[:1])
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            evs = np.array(values) / met + spot.paid(place)[me]
        known = met > 1e-6 * other.sum()
        assert known.any()
        np.testing.assert_allclose(hands.ev[known], evs[0][known], atol=2e-3)
        assert np.isnan(hands.ev[~known]).all()
        if me == read.actor:
            np.testing.assert_allclose(read.action_ev[:, known], evs[1:][:, known], atol=2e-3)


@pytest.mark.parametrize("board", [RIVER, TURN, FLOP])
def test_equity_at_the_start_is_that_of_the_ranges(board):
    ranges = ("TT+, AQs+, 87s:0.5", "99-66, AJs+, KQo, 54s")
    spot = sl.Spot(board, 200, 900, ranges, bets="a", raises="")
    read = sl.SpotCFR(spot).snapshot().line()
    assert read.equity[0] == pytest.approx(float(sl.equity(*ranges, board)), abs=1e-5)
    assert sum(read.equity) == pytest.approx(1.0, abs=1e-5)
    hand = read.players[0].hands.index("AsAh")
    assert read.players[0].equity[hand] == pytest.approx(float(sl.equity("AsAh", ranges[1], board)), abs=1e-5)


@pytest.mark.parametrize("line", ["", "bet 120", "bet 120/call", "check/check/2s", "check/check/2h/check"])
def test_evs_share_the_pot_and_are_means_of_actions(line):
    spot = sl.Spot(TURN, 200, 900, FEW, "60%", "a")
    read = sl.SpotCFR(spot).step(30).line(line)
    assert sum(read.ev) == pytest.approx(read.pot, abs=1e-3)
    for player in read.players:
        assert player.share.sum() == pytest.approx(1.0)
    if read.actor is not None:
        known = ~np.isnan(read.players[read.actor].ev)
        means = (read.played * read.action_ev).sum(0)
        np.testing.assert_allclose(means[known], read.players[read.actor].ev[known], atol=1e-3)
        assert sum(read.frequencies.values()) == pytest.approx(1.0)


def test_a_card_that_is_not_stored_is_read_through_a_renaming():
    ranges, line = ("QQ, A5s, 76s", "TT, 88, AQs, 65s"), "check/check/2s/bet 120"
    merged, apart = (sl.Spot(FLOP, 200, 900, ranges, "60%", "", merge_suits=merge) for merge in (True, False))
    one, other = (sl.SpotCFR(spot).step(1).hands(line).set_index("hand") for spot in (merged, apart))
    assert merged.place(line).renaming != 0
    np.testing.assert_allclose(one.loc[other.index], other, atol=1e-2)


def test_the_start_is_worth_what_the_measures_say():
    spot = sl.Spot(RIVER, 200, 900, FEW, "60%, a", "a", rake=0.05, rake_cap=20)
    snap = sl.SpotCFR(spot).step(50)
    found = spot.measure(snap.policy)
    np.testing.assert_allclose(snap.line().ev, np.array(found.values) + 100, atol=1e-4)
    assert snap.hands("bet 120")["ev fold"].abs().max() < 1e-4


def test_one_hand_can_be_asked_for_by_either_order_of_its_cards():
    snap = sl.SpotCFR(sl.Spot(RIVER, 200, 900, FEW, "60%", "a")).step(20)
    read = snap.line("check")
    assert read.at("AcAd") == read.at("AdAc")
    assert set(read.at("AdAc")) == {
        "weight",
        "share",
        "equity",
        "ev",
        *read.actions,
        "ev check",
        "ev bet 120",
    }
    assert set(read.at("QsQh", player=0)) == {"weight", "share", "equity", "ev"}
    assert read.at("AdAc")["bet 120"] == pytest.approx(snap.policy.at("check", "AdAc")["bet 120"])


def test_every_card_of_the_next_round_is_reported():
    spot = sl.Spot(TURN, 200, 900, FEW, "60%", "a")
    snap = sl.SpotCFR(spot).step(20)
    report, above = snap.cards("check/check"), snap.line("check/check")
    assert len(report) == 48
    assert report["chance"].sum() == pytest.approx(1.0)
    for player in range(2):
        assert report["chance"] @ report[f"ev {player}"] == pytest.approx(above.ev[player], abs=1e-3)
        assert report["chance"] @ report[f"equity {player}"] == pytest.approx(above.equity[player], abs=1e-5)
    np.testing.assert_allclose(report["check"] + report["bet 120"], 1.0)


def test_what_cannot_be_read_is_told():
    spot = sl.Spot(RIVER, 200, 900, FEW, "60%", "a")
    solver = sl.SpotCFR(spot)
    snap = solver.step(5)
    with pytest.raises(UnknownName, match="bet 17"):
        snap.line("bet 17")
    with pytest.raises(UnknownName, match="2c2d"):
        snap.line("").at("2c2d")
    with pytest.raises(BadValue, match="nobody acts after 'check/check'"):
        snap.hands("check/check")
    with pytest.raises(BadValue, match="no player 7"):
        snap.hands("", player=7)
    with pytest.raises(BadValue, match="no card comes after ''"):
        snap.cards("")


def test_lines_of_a_large_spot_are_read_while_its_tables_rest():
    solver = sl.SpotCFR(sl.Spot(TURN, 200, 900, ("random", "random"), "60%", "a"))
    snap = solver.step(1)
    snap.line("check")
    solver.step(1)
    with pytest.raises(NotMeasured, match="stepped on"):
        snap.line("check")
