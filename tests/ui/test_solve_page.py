"""The Solve page without a browser: widgets are pressed in Python, and the clock is turned by hand."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace

import param
import pytest
from ui.solve_visit import settle, visits

import solverlab as sl
from solverlab.core.errors import BadValue, TooLarge
from solverlab.games.catalogue import GAMES
from solverlab.solvers import SCHEDULES
from solverlab.ui.gate import Gate
from solverlab.ui.runner import Runner
from solverlab.ui.shell import Seats, applications, origins
from solverlab.ui.solve.bars import StrategyBars, bar_columns
from solverlab.ui.solve.build import check_fits, custom_schedule, exponents_of, game_of, solver_maker
from solverlab.ui.solve.convergence import Convergence, points
from solverlab.ui.solve.microscope_pane import looker
from solverlab.ui.solve.own_game import EXAMPLE_RULES
from solverlab.ui.solve.page import SolvePage
from solverlab.ui.solve.saved_settings import settings_of
from solverlab.ui.solve.settings import SolveSettings
from solverlab.ui.tasks import Task
from solverlab.views.strategy import strategy_frame


@pytest.fixture
def open_page():
    yield from visits()


def iteration(page: SolvePage) -> int:
    return page.runner.latest().snapshot.iteration


# ---- settings and links ------------------------------------------------------------------------------------


def test_a_link_restores_every_word():
    rules = json.loads(EXAMPLE_RULES)
    chosen = SolveSettings(
        game="own", own=json.dumps(rules), schedule="custom", exponents="1.5,0,2", sampling="outcome", seed=7,
        updates="simultaneous", node="raise", hand="Ks", show="current", clock="touched", speed="10",
        target=0.001, limit=500, to=40,
    )  # fmt: skip
    from urllib.parse import parse_qsl

    again, complaints = SolveSettings.from_query(dict(parse_qsl(chosen.query())))
    assert (again, complaints) == (chosen, [])


@pytest.mark.parametrize(
    ("word", "value", "told"),
    [
        ("game", "chess", "there is no game 'chess'"),
        ("schedule", "CFR++", "there is no schedule 'CFR++'"),
        ("sampling", "some", "there is no sampling 'some'"),
        ("seed", "-1", "the seed is '-1'"),
        ("seed", "9" * 40, "the seed is"),
        ("to", "100001", "from 0 to 100,000"),
        ("target", "nan", "the target is 'nan'"),
        ("limit", "0", "from 1 to"),
        ("clock", "moon", "there is no clock 'moon'"),
    ],
)
def test_a_bad_word_is_told_and_the_default_stays(word, value, told):
    settings, complaints = SolveSettings.from_query({word: value})
    assert settings == SolveSettings()
    assert len(complaints) == 1 and told in complaints[0]


def test_exponents_of_a_link_are_checked():
    settings, complaints = SolveSettings.from_query({"schedule": "custom", "exponents": "1,2"})
    assert settings.schedule == "CFR+" and "not three numbers" in complaints[0]


@pytest.mark.parametrize("row", [*SCHEDULES.values(), sl.Schedule("x", 1 / 3, -1.0, 0.1, True, 3, False)])
def test_a_row_of_ones_own_loses_nothing_on_its_way_through_the_box(row):
    assert replace(custom_schedule(exponents_of(row)), name=row.name) == row


@pytest.mark.parametrize(
    "more", ["restart x", "restart 1", "restart 4,restart 5", "clever", "restart 9999999999"]
)
def test_what_an_own_row_cannot_say_is_told(more):
    with pytest.raises(BadValue, match="exponents|restart"):
        custom_schedule(f"1,1,1,{more}")


@pytest.mark.parametrize("sampling", ["none", "external"])
def test_memory_is_counted_before_it_is_taken_whatever_the_sampling(sampling):
    chosen = SolveSettings(game="leduc", sampling=sampling)
    game = game_of(chosen)
    check_fits(chosen, game, 256_000_000)
    with pytest.raises(TooLarge, match="but a session may use 0 MB"):
        check_fits(chosen, game, 1000)


def test_rules_of_a_link_are_checked_when_the_game_is_built():
    for rules in ("[]", "nonsense", '{"ranks": 3, "nope": 1}', '{"board_cards": 5}', '{"suits": 9}'):
        with pytest.raises(BadValue):
            game_of(SolveSettings(game="own", own=rules))


# ---- the page ----------------------------------------------------------------------------------------------


def test_steps_and_reset(open_page):
    page = open_page()
    page.controls.buttons.steps[10].clicks += 1
    settle(page, lambda page: iteration(page) == 10)
    assert len(page.screen.convergence.sources[0]["average"].data["distance"]) == 10
    page.controls.buttons.reset.clicks += 1
    settle(page, lambda page: iteration(page) == 0)
    assert len(page.screen.convergence.sources[0]["average"].data["distance"]) == 0


def test_run_shows_pause_and_pausing_is_exact(open_page):
    page = open_page(game="leduc")
    run = page.controls.buttons.run
    run.clicks += 1
    while iteration(page) < 200:
        page.tick()
        time.sleep(0.01)
    assert "Pause" in run.label and page.controls.buttons.steps[1].disabled
    run.clicks += 1
    settle(page)
    frozen, solver = iteration(page), page.runner.solver
    assert "Run" in run.label and solver.iteration == frozen
    measured = page.runner.latest().snapshot.metrics["exploitability"]
    assert measured == sl.exploitability(solver.game, solver.snapshot().policy)


def test_limits_pause_by_themselves(open_page):
    page = open_page(limit=33, speed="10")
    page.run_or_pause()
    settle(page, lambda page: iteration(page) == 33)
    assert page.notice.text.startswith("Paused")
    page.run_or_pause()
    assert "already at its target or limit" in page.notice.text
    aimed = open_page(target=0.05)
    aimed.run_or_pause()
    settle(aimed, lambda page: iteration(page) > 0)
    assert aimed.runner.latest().snapshot.exploitability <= 0.05


def test_switching_keeps_the_old_run_when_the_new_one_cannot_be_made(open_page):
    page = open_page()
    page.step(5)
    settle(page, lambda page: iteration(page) == 5)
    page.memory_cap = 10
    page.controls.game.value = "leduc"
    settle(page, lambda page: page.notice.text != "")
    assert "a session may use" in page.notice.text
    assert page.controls.game.value == "kuhn" and iteration(page) == 5


def test_a_bad_node_in_a_link_is_told():
    page = SolvePage(SolveSettings(game="kuhn", node="nowhere", hand="Z"))
    page.layout()
    settle(page)
    page.close()
    assert "no node 'nowhere'" in page.notice.text and "no hand 'Z'" in page.notice.text


def test_looking_back_shows_the_past(open_page):
    page = open_page()
    page.step(20)
    settle(page, lambda page: iteration(page) == 20)
    page.press("[")
    assert page.screen.scrub.past.iteration == 19
    assert "iteration 19 of 20 (past)" in page.screen.scrub.label.html
    assert "back to live" in page.screen.microscope.html
    page.press("l")
    assert page.screen.scrub.past is None
    settle(page, lambda page: "plays next" in page.screen.microscope.html)


def test_an_echo_of_the_slider_takes_nobody_into_the_past(open_page):
    """The page may send an older value back while Python moves the slider; only a hand looks back."""
    page = open_page()
    page.step(10)
    settle(page, lambda page: iteration(page) == 10)
    page.screen.scrub.slider.value = 1
    assert page.screen.scrub.past is None
    with param.edit_constant(page.screen.scrub.slider):
        page.screen.scrub.slider.value_throttled = 4
    assert page.screen.scrub.past.iteration == 4


def test_the_address_follows(open_page):
    page = open_page(game="leduc")
    page.step(3)
    settle(page, lambda page: iteration(page) == 3)
    page.screen.explorer.pane.selected = 2
    page.press("h")
    assert page.keyboard.address == "game=leduc&schedule=CFR%2B&node=raise&hand=Jh&to=3"


def test_three_players_have_deviation_gains(open_page):
    page = open_page(game="kuhn-3", to=5)
    settle(page, lambda page: iteration(page) == 5)
    assert "deviation gain" in page.screen.score.html and "exploitability" not in page.screen.score.html
    assert page.screen.convergence.figure.yaxis[0].axis_label == "deviation gain (chips)"


def test_save_and_open_again(open_page):
    page = open_page(schedule="custom", exponents="1.5,0,2", sampling="external", seed=4)
    page.step(12)
    settle(page, lambda page: iteration(page) == 12)
    page.exports.name.value = "unit lesson"
    page.exports.save.clicks += 1
    saved = sl.load("unit lesson")
    told = settings_of(saved, SolveSettings())
    assert (told.game, told.exponents, told.sampling, told.seed) == ("kuhn", "1.5,0,2", "external", 4)
    page.reset()
    settle(page, lambda page: iteration(page) == 0)
    page.exports.load.clicks += 1
    settle(page, lambda page: iteration(page) == 12)
    assert [row["iteration"] for row in page.runner.trace.rows] == list(range(13))
    page.exports.delete.clicks += 1
    assert "unit lesson" not in [run.name for run in sl.runs()]
    page.exports.name.value = "../outside"
    page.exports.save.clicks += 1
    assert "cannot be the name of a run" in page.notice.text


def test_closing_ends_the_thread():
    page = SolvePage(SolveSettings(game="kuhn"))
    page.layout()
    settle(page)
    worker = page.runner._thread
    page.run_or_pause()
    page.close()
    worker.join(20)
    assert not worker.is_alive()


# ---- pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", ["CFR", "CFR+", "DCFR", "PCFR+"])
def test_the_microscope_tells_what_a_step_does(schedule):
    solver = sl.CFR(sl.Kuhn(), schedule)
    solver.step(7)
    node, hand = 1, 2
    html = looker(solver, node, hand)()
    assert solver.iteration == 7
    current = solver.step(1).current.at(node, hand)
    for chance in current.values():
        assert (f"{chance:.4f}" if chance else "<b>0</b>") in html


def test_the_microscope_of_a_sampled_solver_is_full_width():
    solver = sl.MCCFR(sl.Kuhn(), "CFR", "external", 3)
    solver.step(50)
    html = looker(solver, 0, 0)()
    assert "External sampling learns from random walks" in html and "plays next" in html
    assert "Nobody decides here" in looker(solver, 3, 0)()


def test_points_have_a_place_on_log_axes():
    rows = [
        {"iteration": 0, "touched": 0, "seconds": 0.0, "exploitability": 1.0, "current_exploitability": 1.0},
        {"iteration": 1, "touched": 9, "seconds": 0.0, "exploitability": 0.0, "current_exploitability": 0.5},
    ]
    assert points(rows, "average")["distance"] == []
    assert points(rows, "current") == {"iteration": [1], "touched": [9], "seconds": [1e-6], "distance": [0.5]}


def test_the_curve_streams_only_what_is_new():
    plot = Convergence()
    trace = sl.Trace(sl.run(sl.CFR(sl.Kuhn()), every=1, until=sl.iterations(30)))
    plot.live("CFR+", trace.rows[:10])
    data = plot.sources[0]["average"].data
    plot.live("CFR+", trace.rows)
    assert plot.sources[0]["average"].data is data and len(data["distance"]) == 30
    x, y = plot.figure.x_range, plot.figure.y_range
    assert (
        x.start <= 1 and x.end >= 30 and y.start <= min(data["distance"]) and y.end >= max(data["distance"])
    )
    plot.kept([("a", trace.rows[:5], 3)])
    assert len(plot.sources[1]["average"].data["distance"]) == 5


def test_bars_are_whole_and_patched():
    solver = sl.CFR(sl.Leduc())
    bars = StrategyBars()
    for steps in (1, 5):
        frame = strategy_frame(solver.step(steps).policy, "raise")
        columns = bar_columns({name: frame[name].tolist() for name in frame})
        bars.draw({name: frame[name].tolist() for name in frame})
        assert list(bars.source.data["top"]) == columns["top"]
    assert columns["top"][-6:] == pytest.approx([1.0] * 6, abs=1e-4)


def test_threads_take_turns_and_share_the_gate():
    gate = Gate(1)
    runners = [Runner(lambda: sl.CFR(sl.Leduc()), gate) for _ in range(3)]
    for runner in runners:
        runner.step(300)
    assert [runner.wait().snapshot.iteration for runner in runners] == [300] * 3
    for runner in runners:
        runner.close()


def test_seats_and_origins():
    seats = Seats(2)
    assert [seats.take(), seats.take(), seats.take()] == [True, True, False]
    seats.leave()
    assert seats.take()
    assert "localhost:5006" in origins("localhost", 5006) and "127.0.0.1:5006" in origins("0.0.0.0", 5006)
    assert {"/", "solve"} <= set(applications())


def test_what_is_made_beside_the_page_tells_its_errors():
    def fail(report, cancel) -> None:
        raise BadValue("this is wrong")

    assert Task(fail).wait().error == "this is wrong"
    assert Task(lambda *_: [][1]).wait().error.startswith("this did not work: IndexError")
    assert Task(lambda *_: threading.current_thread().name).wait().result == "task"


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_of_the_catalogue_opens(name, open_page):
    page = open_page(game=name, to=3)
    settle(page, lambda page: iteration(page) == 3)
    assert page.controls.game.value == name and page.notice.text == ""
    assert "plays next" in page.screen.microscope.html


def test_every_row_of_the_menus_makes_a_solver():
    for sampling in ("none", "full", "chance", "external", "outcome"):
        for schedule in ("CFR", "CFR+", "LCFR", "DCFR", "PCFR+"):
            settings = SolveSettings(game="kuhn", schedule=schedule, sampling=sampling)
            solver = solver_maker(settings, game_of(settings))()
            assert solver.step(2).iteration == 2 and solver.schedule.name == schedule


def test_a_build_names_its_step_and_can_be_cancelled(open_page, monkeypatch):
    page, gate = open_page(), threading.Event()
    monkeypatch.setattr(page.run.bar, "quick", 0.0)
    monkeypatch.setattr("solverlab.ui.solve.page.game_of", lambda settings: gate.wait(60) and sl.Leduc())
    page.start(replace(page.settings, game="leduc"))
    page.tick()
    assert page.run.bar.visible and "building the game" in page.run.bar.words.object
    page.run.bar.stop.clicks += 1
    gate.set()
    settle(page)
    assert "cancelled" in page.notice.text and page.settings.game == "kuhn" and not page.run.bar.visible
