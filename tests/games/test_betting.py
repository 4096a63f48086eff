"""One betting for all games: rules, menus, caps, keys, graphs, and the compiled twin."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from time import process_time

import numpy as np
import pytest
from games.betting_lines import after

import solverlab as sl
from solverlab.core.errors import BadValue, TooLarge
from solverlab.games.betting.graph import FOLD_END, SHOWDOWN, unfolded
from solverlab.games.betting.keys import exact, nominal
from solverlab.games.betting.numbers import hand_of, menu_of
from solverlab.games.betting.playing import list_totals, open_street, pay
from solverlab.games.betting.sizes import MOST_SIZES, parse_menu
from solverlab.games.betting.states import choices, first_state, following
from solverlab.games.betting.table import Betting, Street, Words
from solverlab.proof.betting import ALWAYS, BLUEPRINT_2, BLUEPRINT_6, compare
from solverlab.store.growing import made_again


def two(**settings) -> Betting:
    """Heads-up, 100 big blinds, pot and all-in on every street."""
    street = Street("100%, a", "100%, a", first=1)
    base = {"stacks": (100, 100), "blinds": (0.5, 1), "streets": (Street("", "100%, a"), street)}
    return Betting(**{**base, **settings})


def menu(row: Betting, *labels: str) -> dict[str, float]:
    return choices(row, after(row, *labels))


# ---- rules -------------------------------------------------------------------------------------------------


def test_pokerkit_agrees_on_every_decision():
    """One thousand here, fifty thousand in `solverlab proof --only betting`."""
    seen, differs = compare(1_000)
    assert differs == {} and seen["decisions"] >= 1_000 and seen["short blinds"] > 50


def test_short_all_ins_add_up_to_a_raise():
    """A raise to 40 (by 30), then 55 and 75 all-in: to the raiser that is 35 more, and so a full raise."""
    start = Street(raises="to 40, to 200, a", first=2)
    row = Betting((55, 75, 500, 500), (start,), (5, 10, 0, 0))
    raised = after(row, "raise 40", "call", "all-in")
    assert raised.actor == 1 and set(menu(row, "raise 40", "call", "all-in", "call")) == {"fold", "call"}
    assert "raise 200" in menu(row, "raise 40", "call", "all-in", "all-in")


def test_nobody_raises_where_no_one_can_call_more():
    """20 all-in: the small blind has 50, but the big blind's 10 cannot even call; 30 could."""
    short, deep = (
        Betting((50, big_blind, 20), (Street(raises="100%, a", first=2),), (0.5, 1, 0))
        for big_blind in (10, 30)
    )
    assert set(menu(short, "all-in")) == {"fold", "call"} and "all-in" in menu(deep, "all-in")


def test_a_short_blind_costs_what_was_posted_or_the_whole_blind():
    for full, price in ((False, 0.6), (True, 1.0)):
        game = sl.Holdem(players=3, stack=(10, 0.6, 10), full_blind=full)
        assert menu(game.rules.row)["call"] == price and game.config()["full_blind"] is full
        assert made_again({**game.config()}).rules == game.rules
    saved = {label: value for label, value in game.config().items() if label != "full_blind"}
    assert made_again(saved).rules.full_blind and "full_blind" not in sl.Holdem(players=3).config()


def test_all_in_stays_at_the_cap_only_if_the_row_says_so():
    streets = (Street("", "100%, a", cap=1),)
    assert list(menu(two(streets=streets), "raise 100%")) == ["fold", "call"]
    assert list(menu(two(streets=streets, allin_at_cap=True), "raise 100%")) == ["fold", "call", "all-in"]


def test_a_cap_counts_opening_bets_unless_told_otherwise_and_never_blinds():
    before, later = Street("", "1p", cap=1), Street("100%", "1p", cap=1, first=1)
    counted, free = (two(streets=(before, later), opening_counts=on) for on in (True, False))
    for row in (counted, free):
        assert "raise 1p" in menu(row) and "raise 1p" not in menu(row, "raise 1p")
    assert "raise 1p" not in menu(counted, "call", "check", "bet 100%")
    assert "raise 1p" in menu(free, "call", "check", "bet 100%")
    assert "raise 1p" not in menu(free, "call", "check", "bet 100%", "raise 1p")


def test_a_cap_of_the_hand_outlasts_its_streets():
    row = two(streets=(Street("", "1p"), Street("100%", "1p", first=1)), total=2)
    assert "raise 1p" in menu(row, "raise 1p") and "bet 100%" in menu(row, "raise 1p", "call")
    assert list(menu(row, "raise 1p", "raise 1p", "call")) == ["check"]


def test_max_raises_of_holdem_are_caps_of_streets():
    one, four = sl.Holdem(max_raises=3).rules, sl.Holdem(max_raises=(2, 3, 3, 3)).rules
    assert one.caps == four.caps == (2, 3, 3, 3) and one.row == four.row
    assert sl.Holdem(max_raises=(2, 3, 3, 3)).config()["max_raises"] == [2, 3, 3, 3]


def test_pot_limit_raises_by_the_pot_after_calling():
    game = sl.Holdem(players=3, stack=100, betting="pot-limit", bets=(0.5, 2.0))
    offered = menu(game.rules.row)
    assert offered == {"fold": -1.0, "call": 1.0, "raise 50%": 2.25, "raise 200%": 3.5}  # 1 + (1.5 + 1)
    short = sl.Holdem(players=3, stack=3, betting="pot-limit", bets=(0.5, 2.0)).rules.row
    assert menu(short)["all-in"] == 3.0


# ---- menus -------------------------------------------------------------------------------------------------


def test_sizes_mean_what_the_table_says():
    row = two(streets=(Street("", "100%, 2.5x, 1p, 3c, to 7, e, a"), Street("50%, 4c, 2e, a", "3x", first=1)))
    offered = menu(row)
    assert offered["raise 100%"] == 1 + 2 and offered["raise 2.5x"] == 2.5 and offered["raise 1p"] == 2
    assert offered["raise 3c"] == 4 and offered["raise 7"] == 7 and offered["all-in"] == 100
    grown = offered["raise e"] - 1  # the same part f of the pot on both streets: 2 (1 + 2f)^2 = 200
    assert grown == pytest.approx(2 * ((99 + 1) ** 0.5 - 1) / 2)
    assert menu(row, "raise 1p", "call") == pytest.approx(
        {
            "check": 2,
            "bet 50%": 4,
            "bet 4c": 6,
            "bet 2e": 2 + 4 * ((2 * 98 / 4 + 1) ** 0.5 - 1) / 2,
            "all-in": 100,
        }
    )
    assert menu(row, "raise 1p", "call", "bet 50%")["raise 3x"] == 2 + 3 * 2


@pytest.mark.parametrize(
    "text",
    [
        "60",
        "x",
        "1x",
        "0%",
        "-5c",
        "nan%",
        "to",
        "1.5e",
        "99999999999c",
        "50 percent",
        "50c0r",
        "50c2000r",
        "2r",
        "e0%",
        "1.5e80%",
        "e80",
    ],
)
def test_menus_that_mean_nothing_are_refused(text):
    with pytest.raises(BadValue):
        parse_menu(text)


@pytest.mark.parametrize(
    "settings",
    [
        {"stacks": (1,)},
        {"stacks": (0, 5)},
        {"blinds": (0, 0)},
        {"blinds": (1,)},
        {"antes": (1, 101)},
        {"antes": (1, math.inf)},
        {"add_allin": -0.1},
        {"merge": math.nan},
        {"streets": ()},
        {"streets": (Street(cap=-1),)},
        {"streets": (Street(first=2),)},
        {"streets": (Street(bet=["a"]),)},
        {"streets": (Street("", "2x"), Street(bet="50%, 2x"))},
        {"blinds": (), "antes": (1, 1), "streets": (Street(bet="2x"),)},
        {"structure": "spread"},
        {"beyond": "?"},
    ],
)
def test_rows_that_make_no_game_are_refused(settings):
    with pytest.raises(BadValue):
        two(**settings)


# ---- graphs ------------------------------------------------------------------------------------------------


def test_the_blueprint_for_two_has_the_known_lines_before_the_flop():
    """The whole graphs, of 49,536 to 200,186 nodes, are counted in `solverlab proof --only betting`."""
    counted = replace(BLUEPRINT_2, streets=BLUEPRINT_2.streets[:1]).count(from_street=1)
    assert counted.nodes == (1_588,) and counted.edges == (4_761,)


def test_menus_of_the_blueprints():
    assert list(menu(BLUEPRINT_6).values()) == [-1, 100, 200, 300, 10_000]
    limped = list(menu(BLUEPRINT_2, "call", "check").values())
    assert [total - 100 for total in limped] == [0, 100, 200, 300, 400, 600, 800, 1200, 1600, 2400, 9900]


SMALL_ROWS = {
    "three, capped": Betting(
        (12, 12, 12), (Street("", "1p, a", 2, 2), Street("100%, a", "1p, a", 1)), (1, 2, 0), total=2, **ALWAYS
    ),
    "four, one street": Betting((9, 9, 9, 9), (Street("", "1p, a", 3, 2),), (1, 2, 0, 0), **ALWAYS),
    "antes": Betting((7, 7, 7), (Street("50%, a", "1p, a", 2),) * 2, antes=(1, 1, 1), **ALWAYS),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL_ROWS)
def test_merging_equal_states_loses_no_line(name):
    """The tree that the graph unfolds to is the tree of all lines, and the graph is smaller."""
    row = SMALL_ROWS[name]
    tree, graph = row.tree()[0], row.graph(exact)
    assert unfolded(graph) == int((tree.player >= 0).sum())
    assert len(graph.states) == sum(row.count(exact).nodes) < unfolded(graph)
    assert sum(row.count(nominal).nodes) <= len(graph.states)
    ends = np.isin(graph.child, (FOLD_END, SHOWDOWN)).sum()
    assert ends == row.count().folds + row.count().showdowns and len(graph.child) == sum(row.count().edges)


def test_keys_that_need_equal_stacks_say_so():
    row = two(stacks=(5, 9))
    assert sum(row.count(exact).nodes) > 5
    with pytest.raises(BadValue, match="differ"):
        row.count(nominal)


def test_a_graph_beyond_its_budget_is_refused():
    with pytest.raises(TooLarge, match="more than 500 states"):
        BLUEPRINT_6.count(nominal, most=500)


@pytest.mark.parametrize(
    "more", [{}, {"stack": 100}, {"blinds": (1, 2, *(0,) * 8)}, {"board_cards": (0,) * 3, "rounds": 3}]
)
def test_ten_players_with_eight_raises_are_refused_at_once(more):
    rounds = more.pop("rounds", 1) if (more := dict(more)) else 1
    settings = {"max_raises": (8,) * rounds, "raise_sizes": (1,) * rounds, **more}
    begin = process_time()
    with pytest.raises(TooLarge, match="more than 1,000,000 nodes"):
        sl.LimitPoker(players=10, ranks="23456789TJQKA", suits=4, **settings)
    assert process_time() - begin < 5


def test_many_rounds_are_counted_without_recursion():
    rounds = 700
    settings = {"board_cards": (0,) * rounds, "raise_sizes": (1,) * rounds}
    assert len(sl.LimitPoker(**settings, max_raises=(0,) * rounds).states) == 2 * rounds + 1
    with pytest.raises(TooLarge):
        sl.LimitPoker(**settings, max_raises=(1,) * rounds)
    with pytest.raises(BadValue, match="more than 1,000 numbers"):
        sl.LimitPoker(board_cards=(0 for _ in range(10**12)))


# ---- the compiled twin -------------------------------------------------------------------------------------

PRE, LATER = Street("", "2.5x, 1p, 50%, 9c, a", 4, 2), Street("e, 50%, 3c", "3x, 2e, a", 2)
TOTALS = Street("", "to 4, to 6, to 30", small="drop"), Street("75%, 400%", "", first=1, small="free")
CAPPED = Street("", "1p, 2p, a", 2, 2), Street("100%, a", "1p", 1)
POTS = (Street("50%, 300%, a", "50%, 300%, a", 3, 2),) * 3
EACH = (Street(["50%", "30c, 100%"], ["1p", ""]),) * 2
SPOT = (Street("50%, e80%, 5c", "2.5x, 10c2r, e"), Street("60%, e, a", "3x, 50%1r", donk="25%, 9c, e40%"))
SWITCHES = {
    "add_allin": 1.5,
    "force_allin": 0.15,
    "merge": 0.1,
    "unit": 1,
    "least_bet": 1,
    "beyond": "all-in",
}
TWINS = {
    "sizes of every kind": partial(Betting, (80, 60, 100), (PRE, LATER), (1, 2, 0)),
    "a cap of the hand": partial(Betting, (40,) * 4, CAPPED, (1, 2, 0, 0), total=2, **ALWAYS),
    "pot-limit": partial(Betting, (30, 12.5, 50), POTS, (1, 2, 0), structure="pot-limit"),
    "totals": partial(Betting, (20, 20), TOTALS, (0.5, 1), beyond="all-in"),
    "push or fold": partial(
        Betting, (9, 0.7, 4), (Street("", "a", limp=False),), (0, 0.5, 1), full_blind=True
    ),
    "a spot with every switch": partial(Betting, (150, 150), SPOT, antes=(10, 10), **SWITCHES),
    "dead money, stacks that differ": partial(Betting, (60, 95, 80), SPOT, antes=(0, 7, 3), **SWITCHES),
    "a menu each, sizes dropped": partial(Betting, (15, 40), EACH, antes=(1, 1), beyond="drop"),
}


@pytest.mark.parametrize("name", TWINS)
def test_the_compiled_betting_is_that_of_the_states(name):
    row, rng, totals = TWINS[name](), np.random.default_rng(7), np.empty(MOST_SIZES + 3)
    numbers = menu_of(row)
    for _ in range(60):
        state = first_state(row)
        hand = hand_of(state)
        while not state.over:
            if state.deals:
                (state,) = following(row, state).values()
                open_street(numbers, hand)
            else:
                offered = choices(row, state)
                count = list_totals(numbers, hand, totals)
                assert totals[:count].tolist() == pytest.approx(list(offered.values()), rel=1e-12)
                j = int(rng.integers(count))
                pay(numbers, hand, list(offered.values())[j])
                state = following(row, state)[list(offered)[j]]
            for mine, theirs in zip(hand, hand_of(state), strict=True):
                assert mine.tolist() == pytest.approx(theirs.tolist())


def test_two_sizes_of_one_name_are_refused_and_equal_ones_are_one():
    streets = (Street("1c, 2c", cap=1),)
    row = Betting((9, 9), streets, antes=(1, 1), words=Words(bet="bet"))
    with pytest.raises(
        BadValue, match="two actions are called 'bet', one makes the total 2, the other 3; give"
    ):
        menu(row)
    assert menu(replace(row, words=Words())) == {"check": 1, "bet 1c": 2, "bet 2c": 3}
    assert menu(replace(row, streets=(Street("2c, 2.0c", cap=1),))) == {"check": 1, "bet": 3}


def test_a_row_without_cards_is_not_solved():
    with pytest.raises(BadValue, match="^a Betting is betting without cards; give a game that deals some"):
        sl.solve(two())
