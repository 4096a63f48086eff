"""Every setting of the Grow page: what it makes of the trees, where it is offered, what a branch keeps."""

from __future__ import annotations

import pytest

from solverlab.core.errors import SolverlabError
from solverlab.games import GAMES
from solverlab.games.holdem.buckets import SuitClasses
from solverlab.run.growing.random_play import RandomPlay
from solverlab.solvers import HighestEV, MostAtStake, MostReached, Oldest
from solverlab.solvers.growing.settings import TESTS
from solverlab.ui.grow.change_words import looked_at
from solverlab.ui.grow.control_words import GROUPS
from solverlab.ui.grow.lab_words import read_changes
from solverlab.ui.grow.page import GrowPage
from solverlab.ui.grow.readers import read_blinds, read_buckets
from solverlab.ui.grow.settings import HIDDEN, LEAVES, ORDERS, RULE, TITLES, GrowSettings, leaves_of
from solverlab.ui.setting_widgets import standing

READERS = GrowSettings.declared()
SMALL = {"players": 2, "stack": "10", "deals": 10, "k": 2, "sweeps": 1}


def offered(settings: GrowSettings, name: str) -> bool:
    return bool(standing(READERS[name], settings).get("visible", True))


def solver_of(choice: GrowSettings):
    growing = choice.growing()
    return growing.solver


def rests(page: GrowPage) -> None:
    page.wait()


@pytest.fixture
def holdem() -> GrowPage:
    page = GrowPage(GrowSettings(**SMALL))
    page.layout()
    rests(page)
    yield page
    page.close()


# ---- every setting has its place --------------------------------------------------------------------------


def test_every_setting_has_a_reader_a_box_and_a_place():
    names = set(vars(GrowSettings()))
    placed = [name for group in GROUPS.values() for name in group]
    declared = GrowSettings.declared()
    assert names == declared.keys() == {"game", *placed}
    assert len(placed) == len(set(placed)) and set(RULE) < names
    assert all(one.label and one.help.endswith(".") for one in declared.values())


def test_the_words_of_the_page_and_of_links_are_told_in_the_document(root):
    told = (root / "docs" / "grow-page.md").read_text().lower()
    words = ("blinds", "uncalled bets", "weigh hands by", "`suits`", "random play", "*stake*", "*age*")
    assert [word for word in (*words, *TESTS) if word not in told] == []


@pytest.mark.parametrize("game", TITLES)
def test_a_game_offers_what_changes_something_in_it(game):
    shown = {name for name in READERS if offered(GrowSettings(game=game), name)}
    assert ({"blinds", "buckets", "weighting", "seed"} <= shown) == (game == "holdem")
    assert {"test", "tolerance", "squash"} <= shown
    assert ("leaf" in shown) == ("uncalled" in shown) == ("order" in shown) == (game not in HIDDEN)
    assert "uncalled" not in {
        name for name in READERS if offered(GrowSettings(game=game, leaf="rollout"), name)
    }


def test_combos_weigh_alike_so_nothing_is_asked():
    assert not offered(GrowSettings(holdings="combos"), "weighting")


# ---- links ------------------------------------------------------------------------------------------------


def test_a_link_restores_the_newer_settings_and_keeps_old_numbers():
    chosen = GrowSettings(
        blinds="1, 2", buckets="suits 8", test="relative", order="stake", weighting="classes",
        leaf="random play", uncalled="returned",
    )  # fmt: skip
    query = dict(part.split("=") for part in chosen.query().replace("%2C", ",").replace("+", " ").split("&"))
    assert GrowSettings.from_query(query) == (chosen, [])
    assert GrowSettings.from_query({"buckets": "7"})[0].table().buckets.count(2) == 7


@pytest.mark.parametrize(
    ("name", "word", "told"),
    [
        ("blinds", "small", "a blind of 'small' is no number"),
        ("blinds", "1, 2, 3", "blinds (1.0, 2.0, 3.0) make no game; give a small blind from 0 on"),
        ("blinds", "2, 1", "blinds (2.0, 1.0) make no game"),
        (
            "buckets",
            "many",
            "a number of buckets of 'many' is no number; write one, such as 1 or 20, or suits",
        ),
        ("buckets", "2000", "a number of buckets of 2000 cannot be; write a whole number from 1 to 1000"),
        ("buckets", "", "buckets of '' are none; write a number such as 5, or suits"),
        ("buckets", "suits 5 5", "buckets of 'suits 5 5' are none"),
        ("buckets", "suits x", "a number of buckets of 'x' is no number"),
        ("test", "either", "there is no test of convergence 'either'; known: absolute, relative"),
        ("weighting", "suits", "there is no weighting 'suits'; known: combos, classes"),
        ("leaf", "solved", "there is no leaf value of this game 'solved'; known: showdown, rollout"),
        ("leaf", "guess", "there is no leaf value 'guess'"),
        ("uncalled", "lost", "there is no rule for uncalled bets 'lost'; known: matched, returned"),
        ("order", "size", "there is no order 'size'; known: reach, EV, stake, age"),
    ],
)
def test_a_bad_word_is_told_and_everything_else_of_the_link_counts(name, word, told):
    chosen, complaints = GrowSettings.from_query({name: word, "scale": "3"})
    assert chosen == GrowSettings(scale=3.0)
    assert len(complaints) == 1 and f"The link's word {name} was left out: {told}" in complaints[0]


def test_the_game_of_a_link_counts_wherever_it_stands():
    assert GrowSettings.from_query({"leaf": "solved", "game": "kuhn"}) == (
        GrowSettings(game="kuhn", leaf="solved"),
        [],
    )


# ---- what the settings make -------------------------------------------------------------------------------


def test_blinds_and_uncalled_bets_reach_the_table():
    table = GrowSettings(blinds="1, 2", uncalled="returned").table()
    assert table.rules.blinds == (1.0, 2.0) and not table.match and GrowSettings().table().match
    assert read_blinds("0.5;1") == (0.5, 1.0)


@pytest.mark.parametrize("blinds", ["1", "2, 1", "1, 2, 3", "-1, 1", "0, 0", ""])
def test_blinds_that_make_no_game_get_the_table_s_own_sentence(blinds):
    with pytest.raises(SolverlabError, match="make no game; give a small blind from 0 on"):
        GrowSettings(blinds=blinds).growing()


def test_flops_may_be_told_apart_by_suits():
    buckets = read_buckets("suits")
    assert isinstance(buckets, SuitClasses)
    assert [buckets.count(street) for street in (1, 2, 3)] == [1755, 5, 5]
    assert GrowSettings(buckets="suits 3").table().buckets.count(3) == 3


@pytest.mark.parametrize("game", ["kuhn", "kuhn-3", "leduc", "push-fold"])
def test_uncalled_chips_go_back_in_small_games_too(game):
    matched, returned = (
        solver_of(GrowSettings(game=game, uncalled=word)) for word in ("matched", "returned")
    )
    assert (matched.returned, returned.returned) == (False, True)
    assert matched.leaf == "showdown"  # push/fold, too, shows its cards early
    for solver in (matched, returned):
        for _ in range(2):
            solver.rebalance()
            solver.expand()
        solver.rebalance()
    assert abs(matched.ground.values.cfv - returned.ground.values.cfv).max() > 0


@pytest.mark.parametrize("game", [game for game in TITLES if game not in HIDDEN])
def test_a_leaf_may_be_worth_whatever_its_game_offers(game):
    for leaf in leaves_of(game):
        growing = GrowSettings(game=game, leaf=leaf, **SMALL).growing()
        growing.rebalance()
        assert growing.expand()
        growing.rebalance()
        assert growing.measure()["gain"] >= 0
    row = GAMES.get(game)
    assert ("solved" in leaves_of(game)) == (row is not None and row.players == 2 and row.refereed)


def test_random_play_and_weights_reach_the_forest():
    forest = solver_of(GrowSettings(leaf="random play", weighting="classes", test="relative", **SMALL))
    assert isinstance(forest.leaf, RandomPlay)
    assert (forest.weighting, forest.test) == ("classes", "relative")


def test_trees_grow_in_four_orders():
    kinds = [type(GrowSettings(order=order).rule()["frontier"]) for order in ORDERS]
    assert kinds == [MostReached, HighestEV, MostAtStake, Oldest]
    assert solver_of(GrowSettings(game="kuhn", order="stake", k=3)).frontier == MostAtStake(3)


@pytest.mark.parametrize("test", TESTS)
def test_the_number_drawn_is_the_one_the_test_looks_at(test):
    growing = GrowSettings(game="kuhn", test=test, k=2, sweeps=2).growing()
    growing.rebalance()
    growing.expand()
    growing.rebalance()
    row = growing.measure()
    assert looked_at(row, test) == row["tested"]
    assert row["change"] != row["relative_change"]


# ---- on the page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "word", "told"),
    [
        ("blinds", "2, 1", "Blinds (2.0, 1.0) make no game; give a small blind from 0 on"),
        ("blinds", "none", "A blind of 'none' is no number"),
        ("blinds", "", "Blinds () make no game"),
        ("buckets", "colours", "such as 1 or 20, or suits."),
        ("buckets", "2.5", "A number of buckets of '2.5' is not whole; write a whole number, or suits."),
    ],
)  # fmt: skip
def test_nonsense_in_a_newer_box_is_told_and_everything_stays(holdem, name, word, told):
    holdem.rebalance()
    rests(holdem)
    old, widget = holdem.settings, holdem.controls.widgets[name]
    widget.value = word
    rests(holdem)
    assert told in holdem.notice.text
    assert holdem.settings == old and holdem.growing.iteration == 1
    holdem.tick()
    assert widget.value == getattr(old, name)


def test_a_branch_changes_the_test_and_keeps_leaf_table_and_uncalled_bets(holdem):
    widgets = holdem.controls.widgets
    widgets["leaf"].value = "random play"
    widgets["buckets"].value = "suits"
    rests(holdem)
    holdem.rebalance()
    holdem.expand()
    holdem.rebalance()
    rests(holdem)
    leaf = holdem.growing.solver.leaf
    assert isinstance(leaf, RandomPlay) and not widgets["uncalled"].visible
    widgets["test"].value = "relative"
    widgets["weighting"].value = "classes"
    rests(holdem)
    assert "test absolute → relative, weighting combos → classes" in holdem.controls.pending.object
    holdem.branch()
    rests(holdem)
    forest = holdem.growing.solver
    assert (forest.leaf, forest.test, forest.weighting) == (leaf, "relative", "classes")
    assert forest.game.buckets.count(1) == 1755
    assert holdem.chart.change.yaxis[0].axis_label == "relative change"
    assert "relative change" in holdem.score.html
    holdem.switch("run 1")
    rests(holdem)
    assert holdem.chart.change.yaxis[0].axis_label == "absolute change"
    assert (widgets["test"].value, widgets["weighting"].value) == ("absolute", "combos")


def test_another_game_offers_its_own_leaves_and_forgets_what_it_has_not(holdem):
    widgets = holdem.controls.widgets
    assert list(widgets["leaf"].options) == list(LEAVES[:3])
    widgets["game"].value = "kuhn"
    rests(holdem)
    assert list(widgets["leaf"].options) == list(LEAVES)
    widgets["leaf"].value = "solved"
    rests(holdem)
    assert holdem.notice.text == "" and holdem.settings.leaf == "solved"
    widgets["game"].value = "holdem"
    rests(holdem)
    assert holdem.notice.text == "" and holdem.settings.leaf == widgets["leaf"].value == "showdown"


# ---- in a notebook ----------------------------------------------------------------------------------------


def test_a_branch_in_a_notebook_knows_the_newer_words():
    changes = read_changes("test=relative, order=age, weighting=classes", MostReached(4))
    assert changes == {"test": "relative", "weighting": "classes", "frontier": Oldest(4)}
