"""2-to-7 push/fold, refereed by a linear programme and by plain enumeration of cards."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.game import TabulatedGame, check_game
from solverlab.core.tree import leaf_nodes
from solverlab.games import from_config, game_named
from solverlab.games.lowball.deck import RankDeck, discards, how_high
from solverlab.games.lowball.rules import RANKS, LowballRules
from solverlab.naive.best_response import BestResponder
from solverlab.naive.lowball import badness, deal_counts, showdown, whole_deck

NO_TEN = "23456789JQKA"


# ---- the rules ---------------------------------------------------------------------------------------------


def test_the_tree_of_push_fold():
    game = sl.LowballPushFold(3)
    check_game(game)
    assert isinstance(game, sl.Lowball) and isinstance(game, TabulatedGame)
    assert game.names.players == ("button", "big blind")
    assert game.names.paths == (
        *("", "fold", "all-in", "all-in/fold", "all-in/all-in"),
        *("all-in/all-in/draw 0", "all-in/all-in/draw 1"),
        *(f"all-in/all-in/draw {theirs}/draw {mine}" for theirs in (0, 1) for mine in (0, 1)),
    )
    assert game.tree.player.tolist()[:7] == [0, -2, 1, -2, 1, 0, 0]


def test_payoffs_count_the_own_money_only():
    """A fold costs the blind, a showdown the whole stack, blind included; a tie costs nothing."""
    game = sl.LowballPushFold(4, per_rank=2)
    state = {game.names.paths[n]: game.states[n] for n in leaf_nodes(game.tree)}
    assert game.payoff(state["fold"], "2", "A") == (-0.5, 0.5)
    assert game.payoff(state["all-in/fold"], "A", "2") == (1.0, -1.0)
    pat = state["all-in/all-in/draw 0/draw 0"]
    assert game.payoff(pat, "2", "3") == pytest.approx((4, -4)) == game.payoff(pat, "3", "2")[::-1]
    assert game.payoff(pat, "7", "7") == (0.0, 0.0)


@pytest.mark.parametrize("ranks", [13, NO_TEN])
def test_one_card_one_per_rank_never_ties(ranks):
    """Every deal and every draw, card by card: the two final cards always differ in rank."""
    game = sl.LowballPushFold(3, ranks=ranks)
    deck = range(len(game.rules.ranks))
    finals = {
        (draw[0] if throws else mine, draw[-1] if follows else theirs)
        for mine in deck
        for theirs in deck
        for draw in [(a, b) for a in deck for b in deck if len({a, b, mine, theirs}) == 4]
        for throws in (0, 1)
        for follows in (0, 1)
    }
    assert all(one != other for one, other in finals) and len(finals) == len(deck) * (len(deck) - 1)
    sums = game.leaves.matrix[0, 1:] / np.where(game.deal_mass(0) > 0, game.deal_mass(0), 1.0)
    assert np.allclose(np.abs(sums[0][~np.eye(len(deck), dtype=bool)]), 1.0)


@pytest.mark.parametrize(("ranks", "per_rank", "cards"), [(5, 2, 1), (5, 2, 2), (4, 3, 2), (6, 2, 3)])
def test_deals_are_those_of_a_real_deck(ranks, per_rank, cards):
    game = sl.LowballPushFold(3, cards, per_rank, ranks)
    counted = deal_counts(whole_deck(ranks, per_rank), cards)
    mass, whole = game.deal_mass(0), sum(counted.values())
    assert mass.sum() == pytest.approx(1.0) and np.array_equal(mass, mass.T)
    for i, mine in enumerate(game.dealt):
        for j, theirs in enumerate(game.dealt):
            assert mass[i, j] == pytest.approx(counted[mine, theirs] / whole, abs=1e-15)


@pytest.mark.parametrize("rule", ["original", "free"])
@pytest.mark.parametrize(
    ("ranks", "per_rank", "cards", "pairs"), [(5, 1, 1, 25), (4, 3, 1, 16), (5, 2, 2, 40), (4, 4, 3, 3)]
)
def test_leaf_values_equal_plain_enumeration(ranks, per_rank, cards, pairs, rule):
    """Random pairs of hands, every pair of discards: all draws with all cards told apart."""
    game, deck = sl.LowballPushFold(3, cards, per_rank, ranks, rule), whole_deck(ranks, per_rank)
    mass, choices = game.deal_mass(0), range(len(game.discards.labels))
    possible = np.argwhere(mass > 0)
    chosen = np.random.default_rng(7).permutation(len(possible))[:pairs]
    for i, j in possible[chosen]:
        for theirs in choices:
            for mine in choices:
                gone, their_gone = game.discards.thrown[mine][i], game.discards.thrown[theirs][j]
                if len(gone) + len(their_gone) > 4 and cards == 3:
                    continue  # 10 cards left: six draws are 151,200 orders a pair
                plain = showdown(deck, game.dealt[i], game.dealt[j], gone, their_gone)
                kind = 1 + len(choices) * theirs + mine
                assert game.leaves.matrix[0, kind, j, i] == pytest.approx(mass[i, j] * plain, abs=1e-14)
                assert game.leaves.matrix[1, kind, i, j] == pytest.approx(-mass[i, j] * plain, abs=1e-14)


def test_three_full_draws_equal_plain_enumeration():
    """The last, costly corner: six ranks twice, where both draws take what is left of the deck."""
    game, deck = sl.LowballPushFold(3, 3, 2, 6, "free"), whole_deck(6, 2)
    mass = game.deal_mass(0)
    for i, j in np.random.default_rng(3).permutation(np.argwhere(mass > 0))[:2]:
        for theirs, mine in ((7, 7), (7, 6), (5, 7), (4, 5), (7, 1)):
            gone, their_gone = game.discards.thrown[mine][i], game.discards.thrown[theirs][j]
            plain = showdown(deck, game.dealt[i], game.dealt[j], gone, their_gone)
            assert game.leaves.matrix[0, 1 + 8 * theirs + mine, j, i] == pytest.approx(
                mass[i, j] * plain, abs=1e-14
            )


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_hands_stand_from_best_to_worst(cards):
    """Fewer multiples first, then the lower cards; no two different hands tie."""
    hands = RankDeck(RANKS, 4).multisets(cards)
    assert hands == sorted(hands, key=badness) and len({how_high(hand) for hand in hands}) == len(hands)


def test_the_other_sees_how_many_cards_not_which():
    game = sl.LowballPushFold(3, cards=2, per_rank=4, discard="free")
    slots = {
        game.names.actions[n]: tuple(game.tie.slot[game.tree.first[n] : game.tree.first[n] + 4])
        for n in np.flatnonzero(game.tree.player == 0)[1:]
    }
    assert slots["draw 1 x-"] == slots["draw 1 -x"]
    assert len({*slots.values()}) == 3


def test_the_original_rule_breaks_multiples_then_throws_the_highest():
    deck = RankDeck(RANKS, 4)
    hands = deck.multisets(3)
    rule = discards("original", hands)
    kept = {
        deck.text(hand): [deck.text(rule.kept(k, h, hand)) for k in range(4)] for h, hand in enumerate(hands)
    }
    assert kept["A55"] == ["A55", "A5", "5", ""] and kept["AA5"] == ["AA5", "A5", "5", ""]
    assert kept["952"] == ["952", "52", "2", ""] and kept["777"] == ["777", "77", "7", ""]


# ---- solved ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [13, NO_TEN])
@pytest.mark.parametrize("stack", [1.5, 2, 3, 3.9, 5, 7, 10])
def test_one_card_values_match_the_linear_programme(stack, ranks):
    game = sl.LowballPushFold(stack, ranks=ranks)
    referee = sl.solve_lp(game)
    snap = sl.solve(game, "PCFR+", until=sl.below("exploitability", 5e-9) | sl.iterations(100_000))
    assert snap.exploitability <= 5e-9
    assert snap.value == pytest.approx(referee.value, abs=1e-8)
    assert sl.exploitability(game, referee.policy) < 1e-9


@pytest.mark.parametrize("rule", ["original", "free"])
@pytest.mark.parametrize("per_rank", [1, 2, 3, 4])
def test_two_card_values_match_the_linear_programme(per_rank, rule):
    game = sl.LowballPushFold(3, cards=2, per_rank=per_rank, discard=rule)
    referee = sl.solve_lp(game)
    snap = sl.solve(game, "PCFR+", until=sl.below("exploitability", 5e-7) | sl.iterations(20_000))
    assert snap.exploitability <= 5e-7
    assert snap.value == pytest.approx(referee.value, abs=1e-6)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("rules", [(3, 1, 2, 4), (3, 2, 2, 4, "free")], ids=str)
def test_best_responses_equal_the_naive_twins(rules, me):
    """Against uniform play, deal by deal; neither sees which cards the other threw away."""
    game = sl.LowballPushFold(*rules)
    fast = sl.best_response(game, sl.uniform_policy(game), me)
    assert fast.value == pytest.approx(BestResponder(game, {}, me).value(), abs=1e-12)


def test_known_sizes_of_the_ladder():
    rules = [LowballRules(3.0, n, 4, RANKS, "free", "ranks", False, (), ()) for n in (1, 2, 3, 4, 5)]
    assert [one.multisets() for one in rules] == [13, 91, 455, 1_820, 6_175]
    assert [len(one.rank_deck.multisets(one.cards)) for one in rules[:4]] == [13, 91, 455, 1_820]
    assert [one.choices() for one in rules] == [2, 4, 8, 16, 32]


def test_a_run_goes_on_from_its_configuration():
    game = sl.Lowball(5, 2, 2, NO_TEN, "free", limp=True, raises=(2.5,))
    again = from_config(json.loads(json.dumps(game.config())))
    assert repr(again) == repr(game) and again.rules == game.rules
    assert repr(game_named("lowball")) == repr(sl.LowballPushFold(3))


# ---- bad input ---------------------------------------------------------------------------------------------

WRONG = [
    ({"stack": 1}, "a stack of 1 big blinds leaves nothing to go all-in with; give a finite number above 1"),
    ({"stack": math.nan}, "a stack of nan big blinds"),
    ({"stack": math.inf}, "a stack of inf big blinds"),
    ({"stack": "3"}, "a stack of '3' big blinds"),
    ({"stack": True}, "a stack of True big blinds"),
    ({"cards": 6}, "cards is 6; give a whole number from 1 to 5"),
    ({"cards": 0}, "cards is 0; give a whole number from 1 to 5"),
    ({"cards": 1.5}, "cards is 1.5; give a whole number from 1 to 5"),
    ({"per_rank": 5}, "per_rank is 5; give a whole number from 1 to 4"),
    ({"ranks": 14}, "ranks is 14; give a whole number from 1 to 13"),
    ({"ranks": "2233"}, "ranks '2233' are not different letters of 23456789TJQKA, lowest first"),
    ({"ranks": "A2"}, "ranks 'A2' are not different letters of 23456789TJQKA, lowest first"),
    ({"ranks": "23X"}, "ranks '23X' are not different letters"),
    ({"ranks": ""}, "ranks '' are not different letters"),
    ({"ranks": 3}, "two hands of 1 and two full draws need 4 cards but 3 ranks x 1 are 3; add ranks"),
    ({"cards": 4}, "two hands of 4 and two full draws need 16 cards but 13 ranks x 1 are 13"),
    ({"discard": "any"}, "discard is 'any'; give 'original' or 'free'"),
    ({"deck": "real", "ranks": 12}, "the real deck has 13 ranks, not '23456789TJQK'; leave ranks out"),
    ({"deck": "suits"}, "deck is 'suits'; give 'ranks' or 'real'"),
    ({"raises": (1.5,)}, "a raise to 1.5 does not lie between 2 big blinds and the stack of 3"),
    ({"raises": (3,)}, "a raise to 3 does not lie between 2 big blinds and the stack of 3"),
    ({"raises": 2}, r"raises is 2; give a list of numbers, such as \(2, 3\)"),
    ({"raises": (math.nan,)}, "raises has nan, which is no amount; give finite numbers above 0"),
    ({"after_draw": ("pot",)}, "after_draw has 'pot', which is no amount"),
    ({"after_draw": (1, 1)}, "are not up to 3 different amounts; give fewer"),
]


@pytest.mark.parametrize(("rules", "sentence"), WRONG, ids=[str(rules) for rules, _ in WRONG])
def test_wrong_rules_are_refused_in_one_sentence(rules, sentence):
    with pytest.raises(BadValue, match=sentence) as caught:
        sl.Lowball(**rules)
    assert "\n" not in str(caught.value)


# ---- four and five cards, real suits -----------------------------------------------------------------------


def test_few_cards_of_the_real_deck_are_thirteen_ranks_of_four():
    """Straights and flushes take five cards, so up to three the real deck is exact."""
    real, plain = sl.LowballPushFold(3, 2, deck="real"), sl.LowballPushFold(3, 2, per_rank=4)
    assert "the real deck" in real.name and real.hands == plain.hands
    assert np.array_equal(real.leaves.matrix, plain.leaves.matrix)


def test_four_and_five_cards_are_handed_on():
    from solverlab.games.lowball.real import RealLowball
    from solverlab.games.lowball.real_betting import BettingLowball

    four = sl.LowballPushFold(3, 4, 4, discard="free")
    assert isinstance(four, RealLowball) and not four.suits and len(four.sets.hands) == 1_820
    assert sl.LowballPushFold(3, 4, deck="real").per_rank == 4
    betting = sl.Lowball(8, 4, 4, discard="free", limp=True, raises=(2,), after_draw=(1,))
    assert isinstance(betting, BettingLowball) and betting.reraise and betting.bets == (1.0,)
    assert list(betting.root.following) == ["fold", "limp", "raise 2", "push"]


TOO_LARGE = [
    ({"cards": 4, "per_rank": 4}, "1,820 hands a player, .* take discard='free', or deal at most 3 cards"),
    ({"cards": 5, "per_rank": 4, "limp": True}, "6,175 hands a player, .* take discard='free'"),
]


@pytest.mark.parametrize(("rules", "sentence"), TOO_LARGE, ids=[str(rules) for rules, _ in TOO_LARGE])
def test_what_does_not_fit_is_told_with_its_size(rules, sentence):
    with pytest.raises(TooLarge, match=sentence) as caught:
        sl.Lowball(**rules)
    assert "\n" not in str(caught.value)


def test_three_cards_are_certified_by_both_best_responses():
    """Free discards and pairs: each player's exact gain is below 1e-5 big blinds."""
    game = sl.LowballPushFold(3, cards=3, ranks=8, per_rank=2, discard="free")
    snap = sl.solve(game, "PCFR+", until=sl.below("exploitability", 4e-6) | sl.iterations(1_000))
    assert max(sl.deviation_gains(game, snap.policy)) < 1e-5
