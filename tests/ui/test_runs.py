"""The list of runs: nothing that was solved is lost, whatever is chosen next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ui.solve_visit import settle, visits

from solverlab.core.errors import BadValue
from solverlab.ui.runs import MOST_PARKED, MOST_RUNS, Runs
from solverlab.ui.solve.page import SolvePage
from solverlab.ui.solve.run_shelf import KEPT_COLUMNS

ROWS = [{"iteration": 10, "touched": 99, "seconds": 0.1, "exploitability": 0.5}]


@pytest.fixture
def open_page():
    yield from visits()


class Solver:
    """A solver that is parked."""

    nbytes = 10

    def __init__(self) -> None:
        self.open = True

    def close(self) -> None:
        self.open = False


def iteration(page: SolvePage) -> int:
    return page.runner.latest().snapshot.iteration


def begun(page: SolvePage, steps: int) -> SolvePage:
    page.step(steps)
    return settle(page, lambda page: iteration(page) == steps)


def switch(page: SolvePage, schedule: str) -> SolvePage:
    page.asked(lambda old: old.typed("schedule", schedule).follow("schedule"))
    return settle(page, lambda page: page.solved.schedule == schedule)


def names(page: SolvePage) -> list[str]:
    return [row["name"] for row in page.shelf.list.runs]


def test_a_changed_setting_keeps_the_run_and_undo_brings_it_back(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    solver = page.runner.solver
    switch(page, "DCFR")
    assert names(page) == ["DCFR", "CFR"] and iteration(page) == 0
    page.press("u")
    settle(page, lambda page: page.solved.schedule == "CFR")
    assert page.runner.solver is solver and iteration(page) == 20
    assert names(page) == ["CFR"]  # nothing was solved by DCFR
    page.step(5)
    settle(page, lambda page: iteration(page) == 25)


def test_going_back_in_the_browser_finds_the_run(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    solver = page.runner.solver
    begun(switch(page, "DCFR"), 3)
    page.go_to({"game": "kuhn", "schedule": "CFR"})
    settle(page, lambda page: page.solved.schedule == "CFR")
    assert page.runner.solver is solver and names(page) == ["DCFR", "CFR"]


def test_a_run_whose_solver_was_let_go_is_solved_again(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    before = page.runner.latest().snapshot.policy.sigma.copy()
    begun(switch(page, "DCFR"), 3)
    run = next(run for run in page.shelf.runs.all if run.name == "CFR")
    page.shelf.runs._let_go(run)
    page.shelf.order("open", run.id)
    settle(page, lambda page: page.solved.schedule == "CFR" and iteration(page) == 20)
    assert np.array_equal(page.runner.latest().snapshot.policy.sigma, before)
    assert page.shelf.runs.live is run and names(page) == ["DCFR", "CFR"]


def test_starting_over_keeps_the_run_and_other_games_stand_apart(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    page.reset()
    settle(page, lambda page: iteration(page) == 0)
    assert names(page) == ["CFR #2", "CFR"]
    begun(page, 4)
    page.asked(lambda old: old.typed("game", "leduc").follow("game"))
    settle(page, lambda page: page.solved.game == "leduc")
    rows = page.shelf.list.runs
    assert [row["apart"] for row in rows] == [False, True, True]
    assert "kuhn · 4 iterations" in rows[1]["facts"] and page.shelf.drawn() == []


def test_a_copy_stays_while_the_run_goes_on(open_page):
    page = open_page(schedule="CFR")
    page.keep()
    assert "nothing to keep yet" in page.notice.text
    begun(page, 10)
    page.keep()
    page.step(5)
    settle(page, lambda page: iteration(page) == 15)
    (name, rows, colour), *more = page.shelf.drawn()
    assert not more and rows[-1]["iteration"] == 10 and colour != page.shelf.runs.live.colour


def test_names_deleting_and_what_cannot_be(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    begun(switch(page, "DCFR"), 3)
    other, live = page.shelf.runs.all
    page.shelf.order("rename", other.id, "  my   run ")
    assert names(page) == ["DCFR", "my run"]
    page.shelf.order("rename", other.id, "DCFR")
    assert "another run is called" in page.notice.text.lower()
    page.shelf.order("delete", live.id)
    assert "on the page" in page.notice.text and len(names(page)) == 2
    page.shelf.order("delete", other.id)
    page.shelf.order("delete", other.id)  # a second click on what has gone
    assert names(page) == ["DCFR"]
    page.shelf.order("undo")
    assert names(page) == ["DCFR", "my run"]
    page.shelf.order("undo")
    assert names(page) == ["DCFR", "CFR"]
    page.shelf.order("hide", other.id)
    assert page.shelf.drawn() == []
    page.shelf.order("export", other.id)
    assert page.shelf.list.file["text"].splitlines()[-1].startswith("20,")


def test_the_browser_gets_its_runs_back(open_page):
    page = begun(open_page(schedule="CFR"), 20)
    page.shelf.list.restored = []
    begun(switch(page, "DCFR"), 3)
    kept = page.shelf.list.kept
    assert [run["name"] for run in kept] == ["CFR", "DCFR"]
    again = open_page(schedule="DCFR", to=3)
    again.shelf.list.restored = kept
    assert names(again) == ["DCFR", "CFR"]  # the run on the page is the one that was kept
    assert again.shelf.runs.live.id == kept[1]["id"]
    fresh = open_page(schedule="DCFR")
    fresh.shelf.list.restored = kept
    assert len(names(fresh)) == 3  # a new run beside both


def test_a_click_on_the_curve_travels_there(open_page):
    page = open_page(schedule="CFR")
    for _ in range(5):
        page.step(2)
        settle(page)
    page.screen.travel(4.4)
    assert page.screen.scrub.past.iteration == 4
    marker = page.screen.convergence.chart.marker
    assert (marker.location, marker.visible) == (4, True)
    page.screen.travel(1e9)
    assert page.screen.scrub.past is None and not marker.visible
    page.screen.travel(-1.0)  # left of everything a logarithmic axis has
    assert page.screen.scrub.past is None


@pytest.mark.parametrize(
    "wrong",
    [
        7, "text", [7], [{}],
        [{"id": "a", "name": "b", "group": "c", "address": "d", "colour": 0, "rows": []}],
        [{"id": "a", "name": "b", "group": "c", "address": "d", "colour": "red", "rows": [[1] * 7]}],
        [{"id": "a", "name": "b", "group": "c", "address": "d", "colour": 1, "rows": [[float("inf")] * 7]}],
        [{"id": "a", "name": "b", "group": "c", "address": "d", "colour": 1, "rows": [[1, 2]]}],
        [{"id": "a", "name": "b", "group": "c", "address": "d" * 9999, "colour": 1, "rows": [[1] * 7]}],
    ],
)  # fmt: skip
def test_what_is_no_run_is_left_out(wrong):
    runs = Runs(room=100)
    runs.take_back(wrong, KEPT_COLUMNS)
    assert runs.all == []


def test_the_list_and_its_solvers_are_finite():
    runs = Runs(room=10 * (MOST_PARKED + 1))
    solvers = [Solver() for _ in range(MOST_RUNS + 5)]
    for number, solver in enumerate(solvers):
        runs.begin("CFR", "kuhn", f"seed={number}", solver).rows = ROWS
    assert len(runs.all) == MOST_RUNS and len({run.name for run in runs.all}) == MOST_RUNS
    assert sum(solver.open for solver in solvers) == MOST_PARKED + 1 and solvers[-1].open
    small = Runs(room=25)
    parked = [Solver() for _ in range(4)]
    for number, solver in enumerate(parked):
        small.begin("CFR", "kuhn", f"seed={number}", solver).rows = ROWS
    assert [solver.open for solver in parked] == [False, False, True, True]
    small.close()
    assert not any(solver.open for solver in parked)
    with pytest.raises(BadValue, match="nothing to keep"):
        Runs(room=1).freeze()
    assert replace(small.all[0], name="x").iteration == 10
