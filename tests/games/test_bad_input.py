"""Wrong rules are refused at the door, in one sentence that names the value and the fix."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, SolverlabError, UnknownName
from solverlab.core.tree import CHANCE, Choice
from solverlab.games import from_config, game_named

NAN, INF = math.nan, math.inf

LIMIT = [
    ({"players": 1}, "players is 1; give a whole number from 2 to 10"),
    ({"players": 2.0}, "players is 2.0; give a whole number from 2 to 10"),
    ({"players": True}, "players is True; give a whole number"),
    ({"ranks": ""}, "ranks '' are not up to 13 different letters, lowest first; write for example 'JQK'"),
    ({"ranks": "JJQ"}, "ranks 'JJQ' are not up to 13 different letters"),
    ({"ranks": 14}, "ranks is 14; give a whole number from 1 to 13"),
    ({"ranks": None}, "ranks is None; give a whole number from 1 to 13"),
    ({"suits": 5}, "suits is 5; give a whole number from 1 to 4"),
    ({"hole_cards": 0}, "hole_cards is 0; give a whole number from 1 to 4"),
    ({"board_cards": ()}, "board_cards is empty; give one number for each round"),
    ({"board_cards": 1}, r"board_cards is 1; give a list of numbers, such as \(0, 1\)"),
    ({"board_cards": (-1,)}, "board_cards is -1; give a whole number from 0 to 5"),
    (
        {"board_cards": (0, 1)},
        r"raise_sizes \(1,\) is not one number for each of the 2 rounds; give 2 numbers",
    ),
    ({"raise_sizes": (0,)}, "a raise size of 0 is not a bet; give a number above 0"),
    ({"raise_sizes": (-2,)}, "a raise size of -2 is not a bet"),
    ({"raise_sizes": (NAN,)}, "a raise size of nan is not an amount; give a finite number"),
    ({"raise_sizes": ("2",)}, "'2' is no size of a bet; write for example"),
    (
        {"raise_sizes": ("",)},
        "a raise size of '' is no menu of chips and parts of the pot; give a number, or a",
    ),
    ({"raise_sizes": ("1c, a",)}, "a raise size of '1c, a' is no menu of chips and parts of the pot"),
    ({"raise_sizes": ("1c," * 400,)}, "."),
    ({"raise_sizes": "2"}, "raise_sizes is '2'; give a list of numbers"),
    ({"max_raises": (9,)}, "max_raises is 9; give a whole number from 0 to 8"),
    ({"blinds": (0, 0)}, r"blinds \(0.0, 0.0\) leave nothing to play for"),
    ({"blinds": (-1, 1)}, r"blinds \(-1.0, 1.0\) leave nothing to play for; give numbers of at least 0"),
    ({"blinds": (1, INF)}, "a blind of inf is not an amount; give a finite number"),
    ({"blinds": (1, 1, 1)}, "is not one number for each of the 2 players; give 2 numbers"),
    ({"first_to_act": (2,)}, "first_to_act is 2; give a whole number from 0 to 1"),
    ({"stack": -5}, "a stack of -5 does not cover the blind of 1; give a larger stack or None"),
    ({"stack": 0.5}, "a stack of 0.5 does not cover the blind of 1"),
    ({"stack": NAN}, "a stack of nan is not an amount; give a finite number"),
    ({"stack": "10"}, "a stack of '10' is not an amount; give a finite number"),
    ({"players": 4}, "4 cards are needed but the deck has 3 ranks x 1 suits = 3; add ranks or suits"),
]


@pytest.mark.parametrize(("rules", "sentence"), LIMIT, ids=[str(rules) for rules, _ in LIMIT])
def test_limit_rules(rules, sentence):
    with pytest.raises(BadValue, match=sentence) as caught:
        sl.LimitPoker(**rules)
    assert "\n" not in str(caught.value) and isinstance(caught.value, ValueError)


def test_unknown_games():
    with pytest.raises(
        UnknownName, match="there is no game 'ledcu'; known: kuhn, leduc, kuhn-3, matching-pen"
    ):
        game_named("ledcu")
    with pytest.raises(UnknownName, match="there is no kind of game 'Chess'; known: LimitPoker, HiddenMoves"):
        from_config({"game": "Chess"})
    with pytest.raises(UnknownName, match="there is no kind of game None"):
        from_config({})
    with pytest.raises(
        SolverlabError, match="configuration of a LimitPoker does not fit this version: .*wings"
    ):
        from_config({"game": "LimitPoker", "wings": 2})


class Coin(sl.SmallGame):
    """The first player calls a coin that chance throws; parts are replaced by the tests."""

    name = "coin"
    odds_of_heads: tuple[float, ...] | None = (0.5, 0.5)
    wins: object = (1.0, -1.0)
    mover = 0

    def children(self, state):
        if state == "":
            return Choice(self.mover, {"heads": "h", "tails": "t"})
        if len(state) == 1:
            return Choice(CHANCE, {"heads": state + "h", "tails": state + "t"}, self.odds_of_heads)
        return None

    def payoff(self, state, *hands):
        return self.wins if state[0] == state[1] else (-1.0, 1.0)


def coin(**parts) -> type[Coin]:
    return type("OtherCoin", (Coin,), parts)


def test_the_coin_itself_is_fair():
    game = Coin()
    assert sl.value(game, sl.uniform_policy(game)) == pytest.approx(0.0)
    assert sl.best_response(game, sl.uniform_policy(game), 0).value == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            coin(wins=(NAN, 1.0)),
            r"the payoff of coin in state 'hh' is \(nan, 1.0\); payoffs must be one finite",
        ),
        (coin(wins=(INF, -INF)), "payoffs must be one finite number for each player"),
        (
            coin(wins=1.0),
            "the payoff of coin in state 'hh' is 1.0; payoffs must be one finite number for each",
        ),
        (coin(wins=(1.0, -1.0, 0.0)), "payoffs must be one finite number for each player"),
        (coin(mover=2), "player 2 moves in state '' of coin; players are 0 to 1, chance is -1"),
        (coin(odds_of_heads=None), "chance moves in state 'h' of coin without probabilities; give them"),
        (coin(odds_of_heads=(0.5, 0.6)), "must be at least 0 and sum to 1"),
        (
            coin(deals=lambda self: {("J", "Q"): 1.0}),
            r"the deal \('J', 'Q'\) of coin is not one of its hands",
        ),
        (
            coin(deals=lambda self: {("", ""): 0.9}),
            "the deals of coin sum to 0.9; give probabilities that sum",
        ),
        (coin(deals=lambda self: {("", ""): NAN}), "the deals of coin sum to nan"),
        (
            type("Bare", (sl.SmallGame,), {}),
            r"Bare does not say what follows a state; write children\(state\)",
        ),
        (
            type("Unpaid", (sl.SmallGame,), {"children": lambda self, state: None}),
            r"Unpaid does not say what a state pays; write payoff\(state, \*hands\)",
        ),
    ],
)
def test_small_games(make, sentence):
    with pytest.raises(BadValue, match=sentence):
        make()


def test_hidden_moves():
    with pytest.raises(BadValue, match="payoff of odd in state .* nan"):
        sl.HiddenMoves("odd", {"a": {"x": NAN}})
    with pytest.raises(
        BadValue, match=r"answers to 'b' in odd are \['y'\]; list the same answers for every move"
    ):
        sl.HiddenMoves("odd", {"a": {"x": 1}, "b": {"y": 1}})


@pytest.mark.parametrize("huge", [10**3000, -(10**5000), Fraction(10**5000, 7)], ids=["int", "minus", "part"])
@pytest.mark.parametrize("column", ["blinds", "raise_sizes", "max_raises", "board_cards", "first_to_act"])
def test_a_sentence_does_not_repeat_thousands_of_digits(column, huge):
    for values in ([huge], [huge, 1]):
        with pytest.raises(BadValue) as refused:
            sl.LimitPoker(**{column: values})
        assert len(str(refused.value)) < 200
    with pytest.raises(BadValue, match="^a stack of .{1,80} is too large; give at most"):
        sl.Holdem(stack=abs(huge))


def test_a_sentence_does_not_repeat_thousands_of_letters():
    with pytest.raises(BadValue, match="^ranks 'J{58}… are not up to 13 different letters"):
        sl.LimitPoker(ranks="J" * 3000)
