"""The Grow page without a browser: what a visitor chooses, and what the page makes of it."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable

import pytest

from solverlab.core.errors import SolverlabError
from solverlab.ui.grow import page as page_module
from solverlab.ui.grow.page import KEYS, LOG, GrowPage
from solverlab.ui.grow.readers import read_bets, read_stacks
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.grow.words import WAITING
from solverlab.views.theme import run_colour


def until(page: GrowPage, condition: Callable[[], bool], seconds: float = 120) -> None:
    """Let the page's clock tick until something has happened."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, page.notice.text
        page.canvas.painted = page.canvas._numbered  # what a browser would say
        page.tick()
        time.sleep(0.01)


def rests(page: GrowPage) -> None:
    """Wait until nothing is left to do, and put it up."""
    page.wait()


def log_of(page: GrowPage) -> str:
    """What the log says once it is in front."""
    page.sides.active = LOG
    page.tick()
    return page.log.html


@pytest.fixture
def kuhn() -> GrowPage:
    page = GrowPage(GrowSettings(game="kuhn", k=2, sweeps=2))
    page.layout()
    rests(page)
    yield page
    page.close()


@pytest.fixture
def holdem() -> GrowPage:
    page = GrowPage(GrowSettings(players=3, deals=30, k=2, sweeps=2))
    page.layout()
    rests(page)
    yield page
    page.close()


# ---- links -------------------------------------------------------------------------------------------------


def test_a_link_restores_everything_it_names():
    chosen = GrowSettings(game="leduc", squash="arctan", scale=2.5, k=7, order="EV", leaf="rollout")
    query = dict(part.split("=") for part in chosen.query().split("&"))
    assert GrowSettings.from_query(query) == (chosen, [])
    assert GrowSettings().query() == "game=holdem"


@pytest.mark.parametrize(
    ("name", "word", "told"),
    [
        ("game", "chess", "there is no game 'chess'"),
        ("squash", "sinh", "there is no squash 'sinh'"),
        ("scale", "steep", "a scale of 'steep' is no number"),
        ("k", "2.5", "a k of '2.5' is not whole"),
        ("bets", "half", "a bet of 'half' is no number"),
        ("stack", " ", "the stack is empty"),
        ("order", "size", "there is no order 'size'"),
    ],
)
def test_a_word_of_a_link_that_cannot_be_used_is_told(name, word, told):
    chosen, complaints = GrowSettings.from_query({name: word})
    assert chosen == GrowSettings()
    assert len(complaints) == 1 and f"The link's word {name} was left out: {told}" in complaints[0]


def test_stacks_and_bets_are_read_as_people_type_them():
    assert read_stacks("100, 50 20") == [100.0, 50.0, 20.0]
    assert read_bets("0.5; 1, all-in") == [0.5, 1.0]
    for word in ("nan", "inf", "1e999"):
        with pytest.raises(SolverlabError, match="is no number"):
            read_stacks(word)


def test_a_link_that_makes_no_game_opens_the_usual_page_and_says_why():
    page = GrowPage(GrowSettings(players=99))
    told = "The link's word players was left out: players is 99; give a whole number from 2 to 10"
    assert told in page.notice.text
    assert page.settings == GrowSettings()
    page.close()


# ---- commands ----------------------------------------------------------------------------------------------


def test_rebalance_and_expand_are_two_buttons(kuhn):
    kuhn.rebalance()
    rests(kuhn)
    assert kuhn.frame.now["sweep"] == 1 and kuhn.frame.now["nodes"] == 6
    kuhn.expand()
    rests(kuhn)
    assert kuhn.frame.now["epoch"] == 1 and kuhn.frame.now["nodes"] == 14
    assert "epoch" in kuhn.score.html and "number 1 of its position" in log_of(kuhn)
    assert len(kuhn.canvas._rows.label) == len(kuhn.frame.rows.parent)


def test_play_grows_until_paused(kuhn):
    kuhn.toggle()
    until(kuhn, lambda: kuhn.frame.now["epoch"] >= 4)
    assert kuhn.controls.play.label.endswith("Pause")
    kuhn.toggle()
    rests(kuhn)
    kuhn.tick()
    assert not kuhn.runner.playing and kuhn.controls.play.label.endswith("Play")
    assert kuhn.frame.now["sweep"] == kuhn.growing.iteration


def test_a_tree_that_is_whole_goes_on_being_rebalanced(kuhn):
    kuhn.toggle()
    until(kuhn, lambda: kuhn.frame.now["sweep"] >= 70)
    kuhn.toggle()
    rests(kuhn)
    assert kuhn.frame.now["miss_rate"] == 0 and kuhn.frame.now["nodes"] == 54


def test_keys_pressed_quickly_go_back_as_often(kuhn):
    for _ in range(5):
        kuhn.rebalance()
    rests(kuhn)
    for _ in range(3):
        kuhn.press("[")
    rests(kuhn)
    assert kuhn.frame.now["sweep"] == 2
    for _ in range(9):
        kuhn.press("]")
    rests(kuhn)
    assert kuhn.frame.now["sweep"] == 5


def test_sub_steps_stop_after_the_leaves(kuhn):
    kuhn.rebalance()
    kuhn.expand()
    kuhn.sub_step()
    rests(kuhn)
    assert kuhn.frame.phase.name == "leaves" and kuhn.frame.now["sweep"] == 1
    assert "Leaves" in kuhn.node.html
    for _ in range(8):
        if kuhn.frame.now["sweep"] == 2:
            break
        kuhn.sub_step()
        rests(kuhn)
    assert kuhn.frame.now["sweep"] == 2


def test_looking_back_and_branching(kuhn):
    for _ in range(6):
        kuhn.rebalance()
    rests(kuhn)
    kuhn.go_to(2)
    rests(kuhn)
    assert kuhn.frame.now["sweep"] == 2 and kuhn.frame.sweeps[-1] == 6
    kuhn.controls.widgets["scale"].value = "0.25"
    rests(kuhn)
    assert "scale 1 → 0.25" in kuhn.controls.pending.object
    kuhn.branch()
    kuhn.rebalance()
    rests(kuhn)
    assert kuhn.frame.branches == ["run 1", "run 2: scale 1 → 0.25"]
    assert kuhn.growing.solver.scale == 0.25 and kuhn.frame.now["sweep"] == 3
    assert kuhn.controls.pending.object == ""
    assert [len(rows) for _, rows in kuhn.frame.measures] == [6, 3]
    kuhn.switch("run 1")
    rests(kuhn)
    assert kuhn.growing.solver.scale == 1.0 and kuhn.settings.scale == 1.0


def test_keys_do_what_the_buttons_do(kuhn):
    for key in ("b", "e", "b", "[", "]", "n"):
        kuhn.press(key)
        rests(kuhn)
    assert kuhn.frame.now["sweep"] == 2 and len(kuhn.frame.branches) == 2
    assert set(KEYS) == set(kuhn.keyboard.keys)


def test_a_node_is_inspected_and_its_probabilities_can_be_followed(holdem):
    holdem.toggle()
    until(holdem, lambda: holdem.frame.now["epoch"] >= 3)
    holdem.toggle()
    rests(holdem)
    rows = holdem.frame.rows
    row = next(i for i in range(len(rows.parent)) if rows.kind[i] == 1 and rows.node[i] >= 0)
    holdem.canvas.selected = row
    rests(holdem)
    told = holdem.frame.inspection
    assert told.kind == "action" and told.hand in holdem.node.html
    assert "tanh" in holdem.node.html and "30 deals" in holdem.node.html
    assert len(holdem.watched.known) == len(told.actions)
    holdem.tick()
    holdem.runner.look(watches=holdem.watched.two)
    rests(holdem)
    assert len(holdem.frame.paths[0]) == len(holdem.frame.sweeps)


def test_a_hand_is_picked_from_the_grid(holdem):
    holdem.toggle()
    until(holdem, lambda: holdem.frame.now["epoch"] >= 3)
    holdem.toggle()
    rests(holdem)
    holdem.hands.tap("AA")
    rests(holdem)
    aces = holdem.growing.hands.index("AA")
    assert set(holdem.frame.rows.hand.tolist()) == {-1, aces}
    holdem.hands.tap("AA")
    rests(holdem)
    assert len(set(holdem.frame.rows.hand.tolist())) > 2
    holdem.view.apart.value = False
    rests(holdem)
    assert set(holdem.frame.rows.hand.tolist()) == {-1}


def test_a_selected_leaf_grows_when_asked(holdem):
    holdem.rebalance()
    holdem.expand()
    rests(holdem)
    rows = holdem.frame.rows
    leaf = next(i for i in range(len(rows.parent)) if rows.kind[i] == 0)
    before = holdem.frame.now["nodes"]
    holdem.canvas.selected = leaf
    holdem.grow_node()
    rests(holdem)
    assert holdem.frame.now["nodes"] > before and "asked for" in log_of(holdem)
    holdem.grow_node()
    rests(holdem)
    assert "not on the frontier" in holdem.notice.text
    holdem.rebalance()
    rests(holdem)
    assert holdem.frame.now["sweep"] == 2  # the run goes on


# ---- what cannot be ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "word", "told"),
    [
        ("players", "11", "A number of players of 11 cannot be; write a whole number from 2 to 10"),
        ("buckets", "1e30", "is too large"),
        ("stack", "0", "A stack of 0 cannot play"),
        ("stack", "many", "A stack of 'many' is no number"),
        ("bets", "-1", "A bet of -1 pots is none"),
        ("deals", "0", "number of deals a tree is 0"),
        ("deals", "99999999", "use at most"),
        ("buckets", "0", "bucket"),
        ("scale", "0", "A scale of 0.0 cannot be used"),
        ("k", "0", "Cannot expand 0 leaves a position"),
        ("sweeps", "-3", "-3"),
        ("floor", "2", "A floor of 2.0 cannot be"),
        ("tolerance", "x", "A tolerance of 'x' is no number"),
    ],
)
def test_nonsense_is_told_in_one_sentence_and_everything_stays(holdem, name, word, told):
    holdem.rebalance()
    rests(holdem)
    old = holdem.settings
    holdem.controls.widgets[name].value = word
    rests(holdem)
    assert told in holdem.notice.text, holdem.notice.text
    assert holdem.settings == old and holdem.growing.iteration == 1
    holdem.tick()
    assert holdem.controls.widgets[name].value != word
    holdem.rebalance()
    rests(holdem)
    assert holdem.frame.now["sweep"] == 2


def test_growing_nothing_is_told(kuhn):
    kuhn.grow_node()
    assert kuhn.notice.text == "No node is selected; click a leaf of the tree first."


def test_a_very_large_forest_is_paused_with_a_word(kuhn, monkeypatch):
    monkeypatch.setattr(page_module, "MOST_NODES", 10)
    kuhn.toggle()
    until(kuhn, lambda: "a page draws no more" in kuhn.notice.text)
    until(kuhn, lambda: not kuhn.runner.busy)


def test_a_long_wait_is_explained(kuhn):
    kuhn.runner._do(lambda me: time.sleep(2.6))
    until(kuhn, lambda: kuhn.notice.text == WAITING)
    kuhn.rebalance()
    rests(kuhn)
    assert kuhn.notice.text == ""


# ---- games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", ["kuhn-3", "leduc", "push-fold", "matching-pennies", "rock-paper-scissors", "holdem"]
)
def test_every_game_of_the_menu_can_be_played(kuhn, game):
    kuhn.controls.widgets["game"].value = game
    rests(kuhn)
    if game == "holdem":
        kuhn.controls.widgets["deals"].value = "10"
    rests(kuhn)
    for _ in range(3):
        kuhn.rebalance()
    rests(kuhn)
    assert kuhn.notice.text == "" and kuhn.frame.now["sweep"] == 3
    assert f"game={game}" in kuhn.keyboard.address
    assert kuhn.controls.widgets["players"].visible == (game == "holdem")


def test_games_may_be_changed_while_a_node_and_two_probabilities_are_looked_at(kuhn):
    """What was looked at in a large game does not exist in a small one: the worker goes on all the same."""
    for game in ("leduc", "matching-pennies", "kuhn-3", "rock-paper-scissors", "leduc", "matching-pennies"):
        kuhn.controls.widgets["game"].value = game
        until(kuhn, lambda: not kuhn.making.busy)
        kuhn.rebalance()
        kuhn.canvas.selected = 3
        kuhn.tick()
    rests(kuhn)
    assert kuhn.runner._thread.is_alive() and kuhn.frame.now["sweep"] == 1
    kuhn.runner.look(watches=(999, -1))
    rests(kuhn)
    assert kuhn.runner._thread.is_alive()


def test_the_alarm_keeps_standing_until_one_looks_back_behind_it():
    page = GrowPage(GrowSettings(game="matching-pennies", tolerance=1e-6))
    page.runner.rebalance(400)
    rests(page)
    first = next(row["sweep"] for row in page.frame.measures[-1][1] if row["alarm"])
    assert "this is not convergence" in page.alarm.html and "more than 1e-06" in page.alarm.html
    page.controls.widgets["tolerance"].value = "0"  # the next run calls nothing converged
    rests(page)
    page.branch()
    page.rebalance()
    rests(page)
    assert not page.frame.now["alarm"] and page.alarm_place.visible
    page.go_to(first - 1)
    rests(page)
    assert not page.alarm_place.visible
    page.go_to(first)
    rests(page)
    assert page.alarm_place.visible and f"At sweep {first:,} it" in page.alarm.html
    page.start_over()
    rests(page)
    assert not page.alarm_place.visible
    page.close()


def test_a_run_has_one_colour_in_all_plots(kuhn):
    kuhn.rebalance()
    rests(kuhn)
    kuhn.branch()
    kuhn.rebalance()
    rests(kuhn)
    live = [plot.items[0].renderers[0].glyph.line_color for plot in kuhn.chart.plots]
    assert {*live, kuhn.phase.colour} == {run_colour(1)}
    kuhn.switch("run 1")
    rests(kuhn)
    live = [plot.items[0].renderers[0].glyph.line_color for plot in kuhn.chart.plots]
    assert {*live, kuhn.phase.colour} == {run_colour(0)}


def test_the_numbers_can_be_taken_home(kuhn):
    with pytest.raises(SolverlabError, match="nothing was rebalanced yet"):
        kuhn.exports.sweeps_csv()
    kuhn.rebalance()
    kuhn.expand()
    kuhn.rebalance()
    rests(kuhn)
    sweeps = list(csv.DictReader(io.StringIO(kuhn.exports.sweeps_csv())))
    assert [row["sweep"] for row in sweeps] == ["1", "2"] and float(sweeps[1]["gain of first"]) >= 0
    tree = list(csv.DictReader(io.StringIO(kuhn.exports.tree_csv())))
    assert len(tree) == len(kuhn.frame.rows.parent) and tree[0]["label"] == "first"
    log = list(csv.DictReader(io.StringIO(kuhn.exports.log_csv())))
    assert {row["seat"] for row in log} == {"first", "second"}
