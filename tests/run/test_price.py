"""What abstractions of Leduc cost in real Leduc, and the pathology: a finer one that is worse."""

import numpy as np
import pytest

import solverlab as sl
from solverlab.abstraction.labels import tie_by
from solverlab.core.errors import BadValue
from solverlab.run.price import changed_actions, infosets, price_frame, price_of_abstraction


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
    assert list(table.columns) == ["abstraction", "infosets", "exploitability"]
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


def test_three_players_have_no_price():
    with pytest.raises(BadValue, match="needs two players"):
        price_of_abstraction(sl.Kuhn(players=3), {})
