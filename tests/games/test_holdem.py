"""Hold'em tables: betting, pots and deals; random hands replayed in pokerkit pay the same."""

from __future__ import annotations

import numpy as np
import pytest
from games.plain_holdem import Holdem
from pokerkit import Automation, NoLimitTexasHoldem

from solverlab.cards.cards import card_text, cards_text, parse_cards
from solverlab.cards.dealing import deal_hands
from solverlab.cards.evaluate_high import evaluate
from solverlab.cards.indexing import canonical_index
from solverlab.core.errors import SolverlabError
from solverlab.games.betting.pots import payoffs, pots
from solverlab.games.betting.states import State, first_state, following
from solverlab.games.betting.table import Betting
from solverlab.games.holdem.buckets import MadeHands, StrengthBuckets, SuitClasses
from solverlab.games.holdem.game import seat_names
from solverlab.games.holdem.rules import HoldemRules

CHIP = 100  # pokerkit counts whole chips: one big blind is a hundred of them
BY_HAND = (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)


def rules(players=2, stack=100.0, betting="no-limit", bets=(0.5, 1.0), allin=True, blinds=(0.5, 1), most=4):
    return HoldemRules.checked(players, stack, betting, bets, allin, blinds, most).row


def walk(table: Betting, rng: np.random.Generator) -> tuple[list[tuple[str, State]], State]:
    """A hand played at random: the betting actions on the way, each with the state before it, and the end."""
    state, taken = first_state(table), []
    while True:
        after = following(table, state)
        if not after:
            return taken, state
        weights = np.array([0.3 if label in ("fold", "all-in") else 1.0 for label in after])
        label = str(rng.choice(list(after), p=weights / weights.sum()))
        if state.actor >= 0:
            taken.append((label, state))
        state = after[label]


# ---- betting -----------------------------------------------------------------------------------------------


def test_the_seat_left_of_the_blinds_acts_first():
    assert [first_state(rules(players)).actor for players in (2, 3, 6, 10)] == [0, 2, 2, 2]


def test_heads_up_the_big_blind_acts_first_after_the_flop():
    table = rules(2)
    limped = following(table, following(table, first_state(table))["call"])["check"]
    assert limped.deals and following(table, limped)["flop"].actor == 1


def test_the_big_blind_may_raise_when_all_have_called():
    table = rules(3)
    state = first_state(table)
    for _ in range(2):
        state = following(table, state)["call"]
    assert state.actor == 1 and "check" in following(table, state) and "raise 100%" in following(table, state)


def test_a_pot_sized_raise_before_the_flop_is_three_and_a_half_blinds():
    table = rules(6)
    assert following(table, first_state(table))["raise 100%"].level == pytest.approx(1 + 2.5)


def test_limit_bets_double_on_the_turn_and_are_capped():
    table, state, levels = rules(2, betting="limit"), first_state(rules(2, betting="limit")), []
    while state.street < 3 and state.actor >= 0 or state.deals:
        after = following(table, state)
        state = after.get("raise") or after.get("bet") or after.get("call") or next(iter(after.values()))
        levels.append(state.level)
    assert max(level for level in levels if level <= 4) == 4  # three raises over the blind
    assert sorted(set(levels))[:4] == [2, 3, 4, 5] and sorted(set(levels))[-1] == 16


def test_a_short_all_in_does_not_reopen_the_betting():
    table = rules(3, stack=(4.0, 100.0, 100.0), bets=(1.0,))
    raised = following(table, first_state(table))["raise 100%"]  # to 3.5
    short = following(table, raised)["all-in"]  # 4: half a blind more
    called = following(table, short)["call"]
    assert called.actor == 2 and set(following(table, called)) == {"fold", "call"}


def test_nobody_bets_into_players_without_chips():
    table = rules(2, stack=5.0)
    end = following(table, following(table, first_state(table))["all-in"])["call"]
    assert following(table, end) == {} and pots(table, end).amounts == (10.0,)


@pytest.mark.parametrize("seed", range(3))
def test_chips_are_conserved_wherever_a_hand_stops(seed):
    """Showdowns with ties and side pots, at the end and half-way, whatever becomes of the uncalled part."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        players = int(rng.integers(2, 11))
        table = rules(players, stack=tuple(rng.integers(2, 40, players).astype(float)))
        taken, end = walk(table, rng)
        for state in [before for _, before in taken] + [end]:
            for match in (True, False):
                won = pots(table, state, match)
                assert sum(won.amounts) == pytest.approx(sum(won.paid))
                assert sum(payoffs(won, rng.integers(0, 3, players))) == pytest.approx(0)
                assert all(paid <= stack for paid, stack in zip(won.paid, table.stacks, strict=True))


# ---- against another implementation ------------------------------------------------------------------------


def replay(table: Betting, taken, holes: list[str], board: list[str]) -> list[float]:
    """The same hand in pokerkit; what each seat wins in big blinds."""
    seat_of = [1, 0] if table.seats == 2 else list(range(table.seats))
    stacks = [round(CHIP * table.stacks[p]) for p in seat_of]
    hand = NoLimitTexasHoldem.create_state(
        tuple(a for a in Automation if a not in BY_HAND), False, 0,
        (CHIP // 2, CHIP), CHIP, stacks, table.seats,
    )  # fmt: skip
    for hole in holes:
        hand.deal_hole(hole)
    street, shown = 0, [board[0] + board[1] + board[2], board[3], board[4]]
    for label, before in taken:
        while street < before.street:
            hand.burn_card("??")
            hand.deal_board(shown[street])
            street += 1
        assert hand.actor_index == seat_of[before.actor]
        if label == "fold":
            hand.fold()
        elif label in ("call", "check"):
            hand.check_or_call()
        else:
            spent = before.paid[before.actor] - raised_by(table, before, label)
            hand.complete_bet_or_raise_to(round(CHIP * -spent) + hand.bets[seat_of[before.actor]])
    while hand.status:
        hand.burn_card("??")
        hand.deal_board(shown[street])
        street += 1
    return [hand.payoffs[seat_of[p]] / CHIP for p in range(table.seats)]


def raised_by(table, before, label) -> float:
    return following(table, before)[label].paid[before.actor]


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_pay_what_pokerkit_pays(seed):
    """Unequal stacks, side pots, ties; bets of whole chips, so that both count alike."""
    rng, side_pots = np.random.default_rng(seed), 0
    for _ in range(15):
        players = int(rng.integers(2, 7))
        table = rules(players, stack=tuple(float(s) for s in rng.integers(3, 60, players)), bets=(1.0, 2.0))
        taken, end = walk(table, rng)
        hands = deal_hands(rng, 1, players)
        holes = [cards_text(hole) for hole in hands.hole[0]]
        order = [holes[1], holes[0]] if players == 2 else holes
        ours = payoffs(pots(table, end), hands.rank[0].tolist())
        theirs = replay(table, taken, order, [card_text(card) for card in hands.board[0]])
        assert ours == pytest.approx(theirs, abs=players / CHIP)  # an odd chip cannot be split
        side_pots += len(pots(table, end).amounts) > 1
    assert side_pots > 0


# ---- deals -------------------------------------------------------------------------------------------------


def test_deals_repeat_no_card_and_replay():
    hands, again = (deal_hands(np.random.default_rng(3), 500, 10, seat=4, hole="AhAd") for _ in range(2))
    cards = np.sort(np.concatenate([hands.hole.reshape(500, 20), hands.board], axis=1), axis=1)
    assert (np.diff(cards.astype(int), axis=1) > 0).all() and cards.max() < 52
    assert (hands.hole[:, 4] == parse_cards("AhAd")).all()
    assert all((a == b).all() for a, b in zip(hands, again, strict=True))


def test_ranks_are_those_of_the_seven_cards():
    hands = deal_hands(np.random.default_rng(5), 300, 6)
    for p in range(6):
        seven = np.concatenate([hands.hole[:, p], hands.board], axis=1)
        assert (hands.rank[:, p] == evaluate(seven)).all()


def test_every_card_is_equally_likely_everywhere():
    hands = deal_hands(np.random.default_rng(11), 52_000, 2)
    places = np.concatenate([hands.hole.reshape(-1, 4), hands.board], axis=1)
    for place in places.T:
        counts = np.bincount(place, minlength=52)
        assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000)


def test_buckets_of_a_deal_are_those_of_its_cards():
    """The same generator deals the same cards, so that buckets can be looked up by hand."""
    table = np.arange(1_286_792, dtype=np.int32) % 7
    empty = np.zeros(1, np.int32)
    game = Holdem(3, buckets=StrengthBuckets((table, empty, empty), ([1, 3, 5], [0.5], [0.5])))
    deals = game.draw(np.random.default_rng(2), 50, fixed=(1, "AKs"), streets=1)
    hands = deal_hands(np.random.default_rng(2), 50, 3, seat=1, hole=game.hand_cards[game.hand("AKs")])
    index = canonical_index(hands.hole[:, 2], hands.board[:, :3])
    assert (deals.info[2, 1] == np.searchsorted([1, 3, 5], table[index], side="right")).all()
    assert (deals.info[:, 2:] == 0).all() and (deals.info[1, 0] == game.hand("AKs")).all()


def test_suit_classes_see_the_board_alone():
    classes, hands = SuitClasses(), deal_hands(np.random.default_rng(1), 200, 2)
    turned = hands.board.copy()
    turned[:, :3] = turned[:, [2, 0, 1]]
    swapped = turned ^ 1  # renames clubs and diamonds, hearts and spades
    for street in (1, 2):
        first = classes.labels(street, hands.hole[:, 0], hands.board[:, : street + 2])
        assert (first == classes.labels(street, hands.hole[:, 1], swapped[:, : street + 2])).all()
        assert first.max() < classes.count(street) and len(set(first.tolist())) > 90


def test_made_hands_fill_every_bucket():
    game = Holdem(2, buckets=MadeHands(4))
    info = game.draw(np.random.default_rng(0), 4000).info
    for street in (1, 2, 3):
        assert np.bincount(info[0, street], minlength=4).min() > 500


def test_seats_have_names():
    assert seat_names(6) == ("small blind", "big blind", "under the gun", "hijack", "cutoff", "button")
    assert [len(set(seat_names(players))) for players in range(2, 11)] == list(range(2, 11))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 11}, "players is 11; give a whole number from 2 to 10"),
        ({"players": 1}, "players is 1"),
        ({"stack": 0}, "a stack of 0 cannot play"),
        ({"stack": 1}, "leave nobody to bet against"),
        ({"stack": float("nan")}, "a stack of nan is not an amount"),
        ({"players": 3, "stack": (10, 20)}, "2 stacks for 3 players"),
        ({"blinds": (2, 1)}, "make no game"),
        ({"blinds": (0, 0)}, "make no game"),
        ({"blinds": 1}, "blinds is 1; give a list"),
        ({"bets": (0,)}, "a bet of 0 pots is none"),
        ({"bets": (), "allin": False}, "cannot bet"),
        ({"betting": "spread"}, "betting is 'spread'; write 'no-limit', 'pot-limit' or 'limit'"),
        ({"holdings": "ranges"}, "holdings are 'ranges'"),
        ({"max_raises": 0}, "max_raises is 0"),
    ],
)
def test_tables_that_make_no_game_are_refused(settings, message):
    with pytest.raises(SolverlabError) as refused:
        Holdem(**settings)
    assert message in str(refused.value)


def test_more_players_than_cards_are_refused():
    with pytest.raises(SolverlabError, match="a deck has cards for 1 to 23 players"):
        deal_hands(np.random.default_rng(0), 1, 24)
