"""Where the button of 2-to-7 push/fold starts to lose, and what it wins at each stack."""

from __future__ import annotations

import pytest

import solverlab as sl
from solverlab.core.errors import BadValue
from solverlab.studies.lowball import lowball_curve, lowball_root, solve_lowball

NO_TEN = "23456789JQKA"


@pytest.mark.parametrize(("ranks", "crossing"), [(13, 3.9403), (NO_TEN, 3.8934)])
def test_the_button_loses_from_just_below_four_big_blinds(ranks, crossing):
    """The document says about 3.9: true of the deck without the ten it was written with, nearly of all 13.

    The crossing is known to 1e-3: the value has a different sign on either side.
    """
    root = lowball_root(ranks=ranks)
    assert root == pytest.approx(crossing, abs=1e-3)
    before, after = (
        sl.solve_lp(sl.LowballPushFold(root + side, ranks=ranks)).value for side in (-1e-3, 1e-3)
    )
    assert before > 1e-6 and after < -1e-6


def test_one_crossing_only():
    """From 1.5 to 10 big blinds the button's value changes sign once."""
    values = [row["value"] for row in lowball_curve([1.5, 2, 2.5, 3, 3.5, 3.9, 4, 5, 7, 10])]
    assert all(value > 0 for value in values[:6]) and all(value < 0 for value in values[6:])


def test_a_curve_is_rows_for_a_frame():
    rows = lowball_curve([3, 4], cards=2, per_rank=2, ranks=6)
    assert [row["stack"] for row in rows] == [3, 4]
    assert set(rows[0]) == {"stack", "value", "exploitability", "method"}
    assert max(row["exploitability"] for row in rows) < 1e-9
    with pytest.raises(BadValue, match="no stacks"):
        lowball_curve([])


def test_more_cards_move_the_crossing_up():
    """Two cards cross above seven big blinds; asked for up to five, the answer is a sentence."""
    with pytest.raises(BadValue, match="does not cross zero in between; give a wider range of stacks"):
        lowball_root(high=5, cards=2, ranks=8)
    assert lowball_root(low=4, high=12, cards=2, ranks=8, tolerance=0.05) > 5


def test_large_games_are_solved_by_cfr_to_the_target():
    """The same value by both ways, and the exploitability is that of the policy found."""
    game = sl.Lowball(5, ranks=6, limp=True, after_draw=(1,))
    solved, referee = solve_lowball(game, target=1e-5), sl.solve_lp(game)
    assert solved.method == "linear programme" and solved.value == pytest.approx(referee.value, abs=1e-9)
    large = sl.LowballPushFold(3, cards=3, ranks=8, per_rank=2, discard="free")
    found = solve_lowball(large, target=1e-5)
    assert found.method == "PCFR+" and 0 <= found.exploitability <= 1e-5
