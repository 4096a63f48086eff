"""The worker behind the Grow page: whatever happens to it, it says so in one sentence and goes on."""

from __future__ import annotations

import numpy as np
import pytest

import solverlab as sl
from solverlab.run.growing.exact import ExactRun
from solverlab.run.growing.rows import ACTION, END, LEAF, Pick
from solverlab.run.growing.sampled import SampledRun
from solverlab.ui.grow.inspector import inspection_html
from solverlab.ui.grow.runner import GrowRunner, Spot


def kuhn() -> ExactRun:
    return ExactRun(sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1), sweeps=2))


def holdem() -> SampledRun:
    table = sl.Holdem(players=2, stack=10)
    return SampledRun(sl.Rebalance(table, frontier=sl.MostReached(2), samples=20, sweeps=2))


@pytest.fixture(params=[kuhn, holdem])
def runner(request):
    runner = GrowRunner(request.param)
    yield runner
    runner.close()


def grown(runner: GrowRunner, seat: int, node: int) -> int:
    """In how many hands' trees a seat decides at a node."""
    return int(np.isfinite(runner.line.growing.hand_table(seat, node)[1]).any(axis=1).sum())


# ---- hands drawn as one ------------------------------------------------------------------------------------


def test_a_node_of_all_hands_grows_only_where_trees_end(runner):
    runner.look(pick=Pick(apart=False))
    runner.rebalance()
    runner.expand()
    before = runner.wait()
    seat = next(s for s in range(2) if 0 < grown(runner, s, 0) or before.rows.kind[s] == ACTION)
    runner.expand_spots([Spot(seat, 0, -1)])
    frame = runner.wait()
    hands = len(runner.line.growing.hands)
    assert frame.error == "" and grown(runner, seat, 0) == hands
    assert len([line for line in frame.log if line.reason == "asked for"]) < hands
    runner.expand_spots([Spot(seat, 0, -1)])
    frame = runner.wait()
    assert frame.error == "no hand's tree can grow at this node; select a leaf where the hand goes on"
    runner.rebalance()
    assert runner.wait().now["sweep"] == 2 and runner.latest().error == ""


# ---- what nobody expected ----------------------------------------------------------------------------------


class Rotten(ExactRun):
    """A growing run in which one thing fails while it is rotten."""

    spoilt = ""

    def _spoil(self, what: str) -> None:
        if self.spoilt == what:
            raise ZeroDivisionError(f"no {what}")

    def rows(self, pick):
        self._spoil("rows")
        return super().rows(pick)

    def measure(self):
        self._spoil("measure")
        return super().measure()

    def rebalance(self):
        self._spoil("rebalance")
        super().rebalance()


@pytest.mark.parametrize("what", ["rows", "measure", "rebalance"])
@pytest.mark.parametrize("play", [False, True])
def test_no_error_ends_the_worker(what, play):
    growing = Rotten(kuhn().solver)
    runner = GrowRunner(lambda: growing)
    first = runner.latest()
    growing.spoilt = what
    if play:
        runner.play()
    else:
        runner.rebalance()
    frame = runner.wait(20)
    assert f"ZeroDivisionError: no {what}; start over to go on" in frame.error and "\n" not in frame.error
    assert runner._thread.is_alive() and not runner.playing and frame.version > first.version
    assert len(frame.rows.parent) == len(first.rows.parent)  # the last thing seen stays
    growing.spoilt = ""
    runner.reset(kuhn)
    runner.rebalance()
    frame = runner.wait(20)
    assert frame.error == "" and frame.now["sweep"] == 1
    runner.close()


def test_what_is_not_there_is_no_longer_looked_at(runner):
    runner.look(pick=Pick(hands=(9999,)), spot=Spot(0, 9999, 0))
    runner.wait()
    runner.rebalance()
    assert runner.wait().error == "" and runner.latest().now["sweep"] == 1


# ---- what is known of an EV --------------------------------------------------------------------------------


def pennies() -> ExactRun:
    return ExactRun(sl.Rebalance(sl.MatchingPennies(), start=0.6))


@pytest.mark.parametrize(("make", "most"), [(pennies, 1.0), (kuhn, 2.0)])
@pytest.mark.parametrize("apart", [True, False])
def test_between_sub_steps_no_ev_is_larger_than_any_payoff(make, most, apart):
    runner = GrowRunner(make)
    runner.look(pick=Pick(apart=apart))
    runner.rebalance(30)
    if make is kuhn:
        runner.expand()
        runner.rebalance(30)
    names = []
    for _ in range(5):
        runner.sub_step()
        frame = runner.wait()
        rows, phase = frame.rows, frame.phase
        names.append(phase.name)
        assert np.nanmax(np.abs(rows.ev)) <= most + 1e-9
        ends = (rows.kind == LEAF) | (rows.kind == END)
        if phase.name == "leaves":
            mine = rows.seat == phase.player
            assert np.isnan(rows.ev[mine & ~ends]).all() and np.isfinite(rows.ev[mine & ends]).any()
            assert np.isfinite(rows.ev[~mine]).any()
    assert names == ["leaves", "back-up", "leaves", "back-up", "update"]
    runner.close()


@pytest.mark.parametrize("apart", [True, False])
def test_before_the_first_sweep_no_ev_is_known(runner, apart):
    runner.look(pick=Pick(apart=apart))
    assert np.isnan(runner.wait().rows.ev).all()
    runner.sub_step()
    runner.sub_step()
    frame = runner.wait()
    assert frame.phase.name == "back-up" and np.isfinite(frame.rows.ev).any()
    runner.rebalance()
    assert np.isfinite(runner.wait().rows.ev).all()


def grew_hand(runner: GrowRunner) -> str:
    """A hand of the first seat whose tree has just grown."""
    return next(line.hand for line in runner.latest().log if line.seat == runner.latest().seats[0])


def test_looking_back_tells_the_same_deals_as_before():
    runner = GrowRunner(holdem)
    runner.look(spot=Spot(0, 0, 0))
    seen = runner.wait().inspection
    assert np.isnan(seen.ev) and "no deal comes here yet" in inspection_html(seen, "big blinds", exact=False)
    runner.rebalance(2)
    before = runner.wait().inspection
    assert before.deals == 20
    runner.expand()
    grew = runner.wait().inspection
    assert grew.deals == 0 and "from the epoch before" in inspection_html(grew, "big blinds", exact=False)
    runner.look(spot=Spot(0, 0, runner.line.growing.hands.index(grew_hand(runner))))
    fresh = runner.wait().inspection
    assert fresh.actions and all(np.isnan(row.ev) for row in fresh.actions)  # nothing valued them yet
    assert "EV ÷ 1" in inspection_html(fresh, "big blinds", exact=False)
    runner.look(spot=Spot(0, 0, 0))
    runner.rebalance()
    runner.go_to(2)
    assert runner.wait().inspection == before
    runner.close()
