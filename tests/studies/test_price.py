"""What abstractions of Leduc cost in real Leduc, and the pathology: a finer one that is worse."""

import numpy as np
import pytest

import solverlab as sl
from solverlab.abstraction.labels import tie_by
from solverlab.abstraction.pots import pot_bucket, tie_by_pot
from solverlab.analysis.recall import has_perfect_recall
from solverlab.core.errors import BadValue
from solverlab.studies.price import changed_actions, infosets, price_frame, price_of_abstraction
from solverlab.studies.price_sweeps import LEDUC_BUCKETS, sweep, what_history_does


def rank(hand: str, board: tuple[str, ...]) -> str:
    return hand[0]


def king(hand: str, board: tuple[str, ...]) -> bool:
    return hand[0] == "K"


def pair(hand: str, board: tuple[str, ...]) -> bool:
    return hand[0] == board[0][0]


def keeping(*labels):
    """A second-round label that remembers the first: perfect recall."""
    return lambda hand, board: tuple(label(hand, board) for label in labels)


@pytest.fixture(scope="module")
def leduc():
    return sl.Leduc()


@pytest.fixture(scope="module")
def prices(leduc):
    ties = {
        "JQ.K then pair": tie_by(leduc, king, keeping(king, pair)),
        "J.Q.K then pair": tie_by(leduc, rank, keeping(rank, pair)),
        "ranks of hand and board": tie_by(leduc, rank, lambda hand, board: (hand[0], board[0][0])),
        "everything": leduc.tie,
    }
    return {price.name: price for price in price_of_abstraction(leduc, ties, iterations=4000)}


def test_refining_an_abstraction_can_make_it_worse(prices):
    """Telling J from Q before the flop refines 'JQ.K then pair', keeps perfect recall, and costs more."""
    coarse, fine = prices["JQ.K then pair"], prices["J.Q.K then pair"]
    assert coarse.infosets == 132 and fine.infosets == 198
    assert coarse.exploitability == pytest.approx(0.4898, abs=2e-3)
    assert fine.exploitability == pytest.approx(0.6434, abs=2e-3)


def test_the_refinement_really_refines(leduc, prices):
    """Whatever the finer abstraction ties, the coarser one ties as well."""
    coarse = tie_by(leduc, king, keeping(king, pair))
    fine = tie_by(leduc, rank, keeping(rank, pair))

    def rows(tie):
        acts = tie.slot >= 0
        return (tie.slot[acts][:, None] * tie.shape[1] + tie.bucket[tie.texture[acts]]).ravel()

    together = {}
    for small, large in zip(rows(fine), rows(coarse), strict=True):
        assert together.setdefault(small, large) == large


def test_suits_cost_nothing(prices):
    """Tying suits is lossless in Leduc: the price is what is left of convergence."""
    assert prices["ranks of hand and board"].exploitability < 1e-4
    assert prices["everything"].infosets == 936


def test_frames_say_what_was_measured(prices):
    table = price_frame(list(prices.values()))
    assert list(table.columns) == ["abstraction", "infosets", "exploitability", "distance"]
    changed = changed_actions(prices["everything"].policy, prices["JQ.K then pair"].policy)
    assert (changed["change"].abs() > 0.1).all() and len(changed) > 0
    assert np.allclose(changed["after"] - changed["probability"], changed["change"])


def test_identity_labels_are_the_game_itself(leduc):
    full = tie_by(leduc, lambda hand, board: hand, lambda hand, board: (hand, board))
    assert infosets(leduc, full) == infosets(leduc, leduc.tie) == 936
    tied, untied = sl.CFR(leduc, "CFR+", tie=full).step(50), sl.CFR(leduc, "CFR+").step(50)
    assert np.allclose(tied.policy.sigma, untied.policy.sigma, atol=1e-9)


def test_one_label_a_round(leduc):
    with pytest.raises(BadValue, match="1 label functions for 2 rounds"):
        tie_by(leduc, rank)


def test_a_price_says_how_far_its_solution_had_come(leduc, prices):
    """Nobody who sees what the abstract players see gains more than a price's `distance`."""
    assert all(0 <= price.distance < 1e-3 for price in prices.values())
    assert prices["everything"].distance == pytest.approx(prices["everything"].exploitability, abs=1e-12)
    more = price_of_abstraction(leduc, {"king": tie_by(leduc, king, keeping(king, pair))}, iterations=100)[0]
    assert more.distance > prices["JQ.K then pair"].distance


def test_without_recall_no_distance_is_told(leduc):
    forgets = tie_by(leduc, rank, pair)
    assert not has_perfect_recall(leduc.tree, forgets)
    assert price_of_abstraction(leduc, {"forgets": forgets}, iterations=10)[0].distance is None


def test_recall_is_seen_in_every_kind_of_game(leduc):
    for game in (leduc, sl.Kuhn(players=3), sl.MatchingPennies(), sl.PushFold(10)):
        assert has_perfect_recall(game.tree, game.tie)
    assert has_perfect_recall(leduc.tree, tie_by(leduc, rank, keeping(rank, pair)))
    assert not has_perfect_recall(leduc.tree, tie_by_pot(leduc))


def test_history_in_leduc_says_nothing_with_recall_and_costs_more_without():
    """Document 002's claim that histories make buckets better, at equal numbers of buckets: not here."""
    made = sweep("leduc", 10.0)
    price = {(row.series, row.buckets): row.price for row in made.rows}
    for buckets in LEDUC_BUCKETS:
        assert price["history, perfect recall", buckets] == price["no history, perfect recall", buckets]
        assert price["history, imperfect recall", buckets] >= price["no history, imperfect recall", buckets]
    assert what_history_does(made) == (
        "With perfect recall history changes 0 of 4 prices; "
        "with imperfect recall it makes 2 of 4 dearer and 0 cheaper."
    )


def test_pot_buckets_forget_the_betting_at_a_price(leduc):
    """Document 004's pot buckets: finer ones tell more decisions apart; all cost far more than nothing."""
    ties = {buckets: tie_by_pot(leduc, buckets) for buckets in (1, 8)}
    coarse, fine = price_of_abstraction(leduc, ties, iterations=500)
    assert coarse.infosets < fine.infosets < 936
    assert coarse.exploitability > fine.exploitability > 0.1


def test_pot_buckets_lie_between_the_documents_thresholds():
    assert [pot_bucket(pot, 10, 8) for pot in (10, 14.9, 15, 24.9, 25, 35, 74.9, 75, 1e9)] == [
        0, 0, 1, 1, 2, 3, 6, 7, 7,
    ]  # fmt: skip
    for pot, start in ((0, 10), (10, -1), (float("nan"), 1), ("x", 1)):
        with pytest.raises(BadValue, match="is no pot"):
            pot_bucket(pot, start)
    with pytest.raises(BadValue, match="does not say what is in the pot"):
        tie_by_pot(sl.MatchingPennies())


def test_three_players_have_no_price():
    with pytest.raises(BadValue, match="needs two players"):
        price_of_abstraction(sl.Kuhn(players=3), {})
