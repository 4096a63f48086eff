"""The notebook laboratory without a browser: what its controls do, what it shows, and that it stops."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys

import ipywidgets
import pytest

import solverlab as sl
from solverlab.core.errors import SolverlabError
from solverlab.solvers import SCHEDULES
from solverlab.ui.notebook.lab_controls import PAUSE, RUN


@pytest.fixture
def lab():
    lab = sl.ui.Lab(sl.Leduc(), "CFR+")
    yield lab
    lab.close()


class Bare:
    """Kuhn poker that cannot be written out deal by deal."""

    def __init__(self):
        kuhn = sl.Kuhn()
        self.name, self.n_players, self.tree, self.names, self.tie = (
            "bare",
            2,
            kuhn.tree,
            kuhn.names,
            kuhn.tie,
        )
        self.leaf_cfv = kuhn.leaf_cfv

    def config(self):
        return {"game": self.name}


def shown(lab) -> int:
    """The iteration on the screen."""
    return int(re.search(r"iteration ([\d,]+)", lab.controls.status.value)[1].replace(",", ""))


def pressed(lab, button) -> None:
    button.click()
    lab.runner.wait()
    lab.refresh()


def test_each_step_button_does_what_it_says(lab):
    for n, button in lab.controls.steps.items():
        before = shown(lab)
        pressed(lab, button)
        assert shown(lab) == before + n
    assert lab.snapshot.iteration == lab.trace.rows[-1]["iteration"] == 111


def test_run_and_pause_share_a_button_and_steps_rest_meanwhile(lab):
    controls = lab.controls
    controls.speed.value = 1
    controls.run.click()
    assert controls.run.description == PAUSE
    assert all(button.disabled for button in controls.steps.values())
    controls.run.click()
    frozen = lab.runner.wait().snapshot.iteration
    lab.refresh()
    assert controls.run.description == RUN and shown(lab) == frozen
    assert not any(button.disabled for button in controls.steps.values())


def test_the_curve_holds_what_was_measured(lab):
    lab.step(30)
    average, current = lab.controls.curve.lines
    assert average["x"] == list(range(1, 31)) and not average["dashed"] and current["dashed"]
    assert average["y"] == [row["exploitability"] for row in lab.trace.rows[1:]]
    lab.controls.clock.value = "touched"
    assert lab.controls.curve.lines[0]["x"] == [row["touched"] for row in lab.trace.rows[1:]]
    assert lab.controls.curve.x_label == "nodes touched"


def test_a_selected_node_shows_its_strategy_and_its_next_update(lab):
    lab.step(5)
    lab.controls.hand.value = "Ks"
    lab.controls.tree.selected = lab.game.names.node("raise")
    probability = lab.snapshot.policy.at("raise", "Ks")["call"]
    assert "The second player at <b>raise</b>" in lab.controls.strategy.value
    assert f"{probability:.3f}" in lab.controls.strategy.value
    assert "The second player after raise with Ks" in lab.controls.microscope.value


def test_current_and_average_differ_on_the_screen(lab):
    lab.step(20)
    average = lab.controls.strategy.value
    lab.controls.which.value = "current"
    assert lab.controls.strategy.value != average and "current strategy" in lab.controls.strategy.value


@pytest.mark.parametrize(("path", "words"), [("check/check", "Chance deals"), ("raise/fold", "ends here")])
def test_where_nobody_acts_it_says_so(lab, path, words):
    lab.controls.tree.selected = lab.game.names.node(path)
    assert words in lab.controls.strategy.value and lab.controls.microscope.value == ""


def test_folding_changes_what_is_drawn(lab):
    before = len(lab.controls.tree.nodes["id"])
    lab.controls.tree.toggled = {"node": 1, "deep": False, "count": 1}
    assert len(lab.controls.tree.nodes["id"]) < before


def test_looking_back_shows_the_old_numbers_until_newest_is_pressed(lab):
    lab.step(50)
    lab.controls.scrub.asked = {"index": 3, "count": 1}
    assert shown(lab) == 3 and "looking back from 50" in lab.controls.status.value
    assert lab.snapshot.iteration == 3 and lab.controls.curve.marker == 3.0
    assert "press Newest" in lab.controls.microscope.value
    lab.runner.step(10)
    lab.runner.wait()
    lab.refresh()
    assert shown(lab) == 3 and lab.controls.scrub.moments > 40
    lab.controls.newest.click()
    assert shown(lab) == 60 and lab.controls.curve.marker == 0.0


def test_another_schedule_starts_over_and_reset_keeps_it(lab):
    lab.step(10)
    lab.controls.schedule.value = dict(lab.controls.schedule.options)["DCFR"]
    assert shown(lab) == 0 and lab.runner.solver.schedule.name == "DCFR"
    pressed(lab, lab.controls.steps[10])
    lab.controls.reset.click()
    assert shown(lab) == 0 and lab.runner.solver.schedule.name == "DCFR"


def test_sampling_is_one_choice_away_and_the_microscope_says_why_it_is_blind(lab):
    lab.controls.sampling.value = "external"
    pressed(lab, lab.controls.steps[100])
    assert shown(lab) == 100 and isinstance(lab.runner.solver, sl.MCCFR)
    assert "MCCFR makes others" in lab.controls.microscope.value


def test_what_cannot_be_made_is_told_in_a_sentence_and_the_old_solver_stays():
    lab = sl.ui.Lab(Bare(), "CFR")
    lab.step(5)
    lab.controls.sampling.value = "external"
    assert "bare cannot be written out deal by deal" in lab.controls.status.value
    assert lab.controls.sampling.value == "" and shown(lab) == 5
    lab.controls.steps[1].click()
    assert "cannot" not in lab.controls.status.value
    lab.close()


@pytest.mark.parametrize(("arguments", "words"), [(("chess",), "chess"), ((sl.Kuhn(), "CFR-"), "CFR-")])
def test_unknown_names_are_refused_at_the_door(arguments, words):
    with pytest.raises(SolverlabError, match=words):
        sl.ui.Lab(*arguments)


def test_games_with_one_hand_or_three_players_fit_in():
    for game in (sl.RockPaperScissors(), sl.Kuhn(players=3)):
        lab = sl.ui.Lab(game)
        lab.step(5)
        assert shown(lab) == 5
        lab.close()
    assert "gains" in lab.controls.status.value and "seat" in lab.controls.curve.y_label


def test_a_row_of_ones_own_stands_in_the_menu():
    lab = sl.ui.Lab(sl.Kuhn(), sl.Schedule("mine", positive=2.0))
    assert lab.controls.schedule.label == "mine"
    assert [name for name, _ in lab.controls.schedule.options] == [*SCHEDULES, "mine"]
    lab.close()


def test_closing_stops_the_worker_and_switches_the_controls_off(lab):
    lab.controls.run.click()
    lab.close()
    lab.runner._thread.join(10)
    assert not lab.runner._thread.is_alive()
    assert all(control.disabled for control in lab.controls.all())


def test_closing_the_box_stops_the_worker():
    lab = sl.ui.Lab(sl.Kuhn())
    lab.widget.close()
    lab.runner._thread.join(10)
    assert not lab.runner._thread.is_alive()


def test_it_can_be_put_into_another_layout(lab):
    page = ipywidgets.Tab([lab.widget])
    assert isinstance(lab.widget, ipywidgets.VBox) and page.children == (lab.widget,)
    assert "application/vnd.jupyter.widget-view+json" in lab._repr_mimebundle_()


def test_in_a_notebook_the_clock_draws_by_itself():
    async def cell() -> int:
        lab = sl.ui.Lab(sl.Kuhn(), "CFR+")
        lab.controls.steps[100].click()
        for _ in range(100):
            await asyncio.sleep(0.1)
            if shown(lab) == 100:
                break
        lab.close()
        return shown(lab)

    assert asyncio.run(cell()) == 100


def test_nobody_looking_means_pause(lab):
    lab._count_views({"view": 1})
    lab._count_views({"view": 1})
    lab.controls.run.click()
    lab._count_views({"view": -1})
    assert lab.runner.latest().running
    lab._count_views({"view": -1})
    assert not lab.runner.wait().running


def test_a_notebook_never_loads_the_dashboard_library():
    program = (
        "import sys, solverlab as sl; lab = sl.ui.Lab(sl.Kuhn()); lab.step(3); lab.close(); "
        "print([m for m in ('panel', 'bokeh', 'holoviews') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert answer.stdout.strip() == "[]", answer.stderr
