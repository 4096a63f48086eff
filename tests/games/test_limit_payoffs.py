"""Who wins how much, asked of others: OpenSpiel plays the same hands, card by card and bet by bet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pyspiel
import pytest
from games.some_limit_games import SOME

import solverlab as sl
from solverlab.core.tree import CHANCE, leaf_nodes

VERBS = {"Fold": {"fold"}, "Call": {"call", "check"}, "Bet": {"raise"}}


@pytest.fixture(scope="module", params=SOME)
def game(request) -> sl.LimitPoker:
    return sl.LimitPoker(**SOME[request.param], name=request.param)


def test_leaf_tables_hold_payoff_times_probability_of_the_deal(game):
    """The numpy tables against the plain rules, for leaves and deals drawn at random."""
    rng = np.random.default_rng(1)
    leaves, deals = leaf_nodes(game.tree), list(game.deals())
    hands = len(game.hands)
    assert game.deal_mass(0).sum() == pytest.approx(1.0)
    for _ in range(300):
        node, deal = rng.choice(leaves), deals[rng.integers(len(deals))]
        index, leaf = [game.names.hand(hand) for hand in deal], game.tree.leaf[node]
        mass = game.deal_mass(node)[tuple(index)]
        for me, pays in enumerate(game.payoff(game.states[node], *deal)):
            joint = 0
            for other in (h for seat, h in enumerate(index) if seat != me):
                joint = joint * hands + other
            table = game.leaves.matrix[me, game.leaves.kind[leaf], joint, index[me]]
            assert table * game.leaves.scale[leaf] == pytest.approx(mass * pays, abs=1e-15)


def test_probabilities_of_deals_and_boards_agree_with_plain_counting(game):
    """deal_mass of a node is the deal's probability times chance's odds along the path."""
    rng = np.random.default_rng(2)
    deals = game.deals()
    every = list(deals)
    assert sum(deals.values()) == pytest.approx(1.0)
    for node in rng.choice(len(game.tree.parent), size=min(15, len(game.tree.parent)), replace=False):
        for number in rng.choice(len(deals), size=min(12, len(deals)), replace=False):
            deal, above = every[number], int(node)
            probability = deals[deal]
            while (parent := int(game.tree.parent[above])) >= 0:
                if game.tree.player[parent] == CHANCE:
                    odds = game.odds(game.states[parent], *deal)
                    probability *= odds.get(game.names.actions[above], 0.0)
                above = parent
            index = tuple(game.names.hand(hand) for hand in deal)
            assert game.deal_mass(int(node))[index] == pytest.approx(probability, rel=1e-12)


def acpc_card(game: sl.LimitPoker, text: str) -> int:
    """Our number of a card that the peer calls for example '3c'."""
    return "23456789TJQKA".index(text[0]) * game.rules.suits + "cdhs".index(text[1])


def play(game: sl.LimitPoker, peer, rng) -> Iterator[str]:
    """Play one random hand in both programs at once, yielding every difference."""
    there = peer.new_initial_state()
    cards: list[int] = []
    while len(cards) < game.n_players * game.rules.hole_cards:
        cards.append(deal_one(game, there, rng))
    here = game.root()
    while (choice := game.children(here)) is not None:
        if choice.player == CHANCE:
            more = sorted(deal_one(game, there, rng) for _ in range(game.rules.board_cards[here.dealt]))
            here = choice.following["".join(game.deck[card] for card in more)]
            continue
        if there.is_terminal() or there.current_player() != choice.player:
            yield f"{game.name}: seat {choice.player} acts in {here}, there it is {there}"
            return
        legal = {there.action_to_string(a).rpartition("=")[2]: a for a in there.legal_actions()}
        if len(legal) != len(choice.following) or any(
            not VERBS[verb] & set(choice.following) for verb in legal
        ):
            yield f"{game.name}: {sorted(choice.following)} in {here}, there {sorted(legal)}"
            return
        verb = rng.choice(sorted(legal))
        here = choice.following[next(iter(VERBS[verb] & set(choice.following)))]
        there.apply_action(legal[verb])
    hands = np.array(cards).reshape(game.n_players, -1)
    names = ["".join(game.deck[card] for card in sorted(hand)) for hand in hands]
    if not there.is_terminal() or not np.allclose(game.payoff(here, *names), there.returns()):
        yield f"{game.name}: {names} win {game.payoff(here, *names)} in {here}, there {there}"


def deal_one(game: sl.LimitPoker, there, rng) -> int:
    outcomes = [outcome for outcome, _ in there.chance_outcomes()]
    outcome = int(rng.choice(outcomes))
    text = there.action_to_string(-1, outcome)
    there.apply_action(outcome)
    return acpc_card(game, text.split()[-1])


@pytest.mark.parametrize("name", [name for name, rules in SOME.items() if "stack" not in rules])
def test_random_hands_end_as_in_openspiels_universal_poker(name):
    """The peer is built from our own `.game` text: same turns, same legal actions, same winnings.

    (Without the game of short stacks: in the peer's limit games nobody is ever all-in.)
    """
    game = sl.LimitPoker(**SOME[name], name=name)
    peer = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(game.to_acpc())
    rng = np.random.default_rng(7)
    differences = [text for _ in range(200) for text in play(game, peer, rng)]
    assert not differences, differences[:3]


@pytest.mark.parametrize(("make", "name"), [(sl.Kuhn, "kuhn_poker"), (sl.Leduc, "leduc_poker")])
def test_every_history_pays_as_in_openspiels_own_game(make, name):
    """All 5,520 ends of Leduc (and 30 of Kuhn): the same chance, the same payoff."""
    game, ends = make(), 0
    words = {0: ("fold",), 1: ("call", "check"), 2: ("raise",)}
    if name == "kuhn_poker":
        words = {0: ("check", "fold"), 1: ("raise", "call")}

    def walk(there, here, cards, chance):
        nonlocal ends
        choice = game.children(here)
        if there.is_terminal():
            hands = [game.hands[card] for card in cards[:2]]
            assert choice is None and game.payoff(here, *hands) == tuple(there.returns())
            mass = game.deal_mass(game.states.index(here))[cards[0], cards[1]]
            assert mass == pytest.approx(chance)
            ends += 1
        elif there.is_chance_node():
            for outcome, p in there.chance_outcomes():
                after = here if len(cards) < 2 else choice.following[game.deck[outcome]]
                walk(there.child(outcome), after, [*cards, outcome], chance * p)
        else:
            assert there.current_player() == choice.player
            assert len(there.legal_actions()) == len(choice.following)
            for action in there.legal_actions():
                label = next(word for word in words[action] if word in choice.following)
                walk(there.child(action), choice.following[label], cards, chance)

    walk(pyspiel.load_game(name).new_initial_state(), game.root(), [], 1.0)
    assert ends == {"kuhn_poker": 30, "leduc_poker": 5520}[name]


def test_pots_are_split_among_equals():
    game = sl.LimitPoker(players=3, ranks="JQ", suits=3, board_cards=(0,), raise_sizes=(1,))
    state = game.states[game.names.node("check/check/check")]
    assert game.payoff(state, "Js", "Jh", "Jd") == (0.0, 0.0, 0.0)
    assert game.payoff(state, "Qs", "Qh", "Jd") == (0.5, 0.5, -1.0)
    folded = game.states[game.names.node("check/raise/fold/call")]
    assert game.payoff(folded, "Qs", "Qh", "Qd") == (0.5, 0.5, -1.0)


def test_renaming_suits_changes_nothing_in_leduc():
    """Spades for hearts: values of a solved policy are the same for every hand and board."""
    game, solver = sl.Leduc(), sl.CFR(sl.Leduc(), "CFR+")
    sigma = solver.step(300).policy.sigma
    swap = str.maketrans("sh", "hs")
    nodes = [game.names.node(path_with_suits(path, swap)) for path in game.names.paths]
    hands = [game.names.hand(hand.translate(swap)) for hand in game.hands]
    np.testing.assert_allclose(sigma[np.ix_(nodes, hands)], sigma, rtol=0, atol=1e-12)
    assert nodes != list(range(len(nodes)))


def path_with_suits(path: str, swap: dict) -> str:
    return "/".join(word.translate(swap) if word[:1] in "JQK" else word for word in path.split("/"))


def test_dealing_order_does_not_matter():
    """Every ordered deal is as likely as every other of the same cards."""
    deals = sl.LimitPoker(ranks="TJQK", suits=2, hole_cards=2).deals()
    assert len(set(deals.values())) == 1 and len(deals) == 28 * 15
    assert all(tuple(reversed(deal)) in deals for deal in deals)
    assert set(permutations(("TsTh", "JsJh"))) <= deals.keys()
